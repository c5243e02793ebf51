"""What does a file of a library say, as snippets?"""

from dataclasses import replace

from dowse.ingest import reading
from dowse.ingest.decoding import decode
from dowse.ingest.documents.outlining import outline
from dowse.ingest.libraries import declarations, passages
from dowse.ingest.libraries.material import LARGEST_FILE, LibraryFile
from dowse.ingest.libraries.pieces import Piece
from dowse.ingest.recognising import is_code, recognise
from dowse.ingest.walking import measured
from dowse.text.secrets import without_secrets

# Bumped when the same file would give other snippets: every file is then read once more.
_READING_VERSION = 2


def fingerprint(keep_secrets: bool) -> str:
    """Which code reads a library's files, and how."""
    return f"library-{_READING_VERSION}-{reading.fingerprint()}" + ("-secrets" if keep_secrets else "")


def read_pieces(file: LibraryFile, *, keep_secrets: bool = False) -> tuple[tuple[Piece, ...], tuple[str, ...]]:
    """The snippets of a file, and what a user should know of it."""
    data = file.load()
    if len(data) > LARGEST_FILE:
        return (), (f"left out: it has {measured(len(data))}, the limit is {measured(LARGEST_FILE)}",)
    language = file.language or recognise(file.path, data[:1024])
    decoded = decode(data, file.path)
    if decoded.reason is not None:
        # A generated reference or a bundle of declarations is no fault that anyone need hear of.
        return (), ()
    try:
        found, problems = _parsed(language, decoded.text, data, file)
    except Exception as error:  # noqa: BLE001 - a fault of ours in one file must not keep a library from being read; it is told
        return (), (f"left out: its reader failed ({type(error).__name__}: {error})",)
    if not keep_secrets:
        found = tuple(_without_secrets(piece) for piece in found)
    return found, (*decoded.problems, *problems)


def _parsed(language: str, text: str, data: bytes, file: LibraryFile) -> tuple[tuple[Piece, ...], tuple[str, ...]]:
    if is_code(language):
        return tuple(declarations.pieces(text, file.path, language, dict(file.passed_on))), ()
    read = outline(language, text, data, file.path)
    return tuple(passages.pieces(read, file.path)), read.problems


def _without_secrets(piece: Piece) -> Piece:
    content, title = without_secrets(piece.content), without_secrets(piece.title)
    return piece if (content, title) == (piece.content, piece.title) else replace(piece, content=content, title=title)
