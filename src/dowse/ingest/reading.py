"""What is in a file? Bytes on disk to records, by the readers that its name and content call for."""

import hashlib
import os
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cache, partial

from dowse.ingest.decoding import decode
from dowse.ingest.extract import Extract, SourceFile
from dowse.ingest.linking import path_definitions
from dowse.ingest.recognising import is_code, is_document, recognise
from dowse.ingest.walking import Entry, Reason, Skipped
from dowse.model.record import Facet, Record
from dowse.model.source import Stamp
from dowse.text.secrets import without_secrets

# Bumped when the same file would give other records: every known file is then read once more.
READING_VERSION = 2
# The packages whose parsers decide what is found in a file.
_PARSERS = (
    "markdown-it-py selectolax tree-sitter tree-sitter-bash tree-sitter-c tree-sitter-c-sharp tree-sitter-cpp tree-sitter-elixir"
    " tree-sitter-go tree-sitter-haskell tree-sitter-java tree-sitter-javascript tree-sitter-kotlin tree-sitter-lua tree-sitter-php"
    " tree-sitter-python tree-sitter-ruby tree-sitter-rust tree-sitter-scala tree-sitter-sql tree-sitter-swift"
    " tree-sitter-typescript tree-sitter-zig pypdf"
).split()
# A file that is written to while it is read is tried this often.
_TRIES = 3
# A file changed so shortly before it was read may change again without its time telling; it is compared by content next time.
_RACY = 50_000_000
_UNKNOWN_TIME = -1
_HEAD = 1024
# Stands for the content of a file that is not read.
_UNREAD = "unread:"


@dataclass(frozen=True, slots=True)
class Task:
    """A file to read. ``digest``: what its content was, if that is known; ``vaults``: folders of the project that hold pages.

    ``hides``: what looks like a key or token is left out of its records.
    """

    space: str
    entry: Entry
    reader: str
    digest: str = ""
    vaults: tuple[str, ...] = ()
    hides: bool = False


@dataclass(frozen=True, slots=True)
class ReadFile:
    """A file as it was read. Without ``extract``: it is as it was, or cannot be read, for which ``skipped`` says why."""

    path: str
    stamp: Stamp
    extract: Extract | None = None
    skipped: Skipped | None = None
    problems: tuple[str, ...] = ()
    prepared: tuple[object, ...] = ()
    """What the engine's preparer made of each of the records, where it was asked."""


@cache
def fingerprint() -> str:
    """Which code reads: changes with our readers and with the parsers they use."""
    from importlib.metadata import PackageNotFoundError, version  # loads much that a search never needs

    found = []
    for name in _PARSERS:
        try:
            found.append(f"{name} {version(name)}")
        except PackageNotFoundError:
            found.append(f"{name} -")
    return f"{READING_VERSION}-{hashlib.blake2b('; '.join(found).encode(), digest_size=6).hexdigest()}"


def reader_of(path: str, vaults: tuple[str, ...], *, hides: bool = False) -> str:
    """The fingerprint of the code that reads the file at a path: in a vault of pages it is read as a page."""
    own = f"{fingerprint()}-page" if any(path.startswith(vault) for vault in vaults) else fingerprint()
    return f"{own}-hiding" if hides else own


def read_file(task: Task) -> ReadFile:
    """Reads one file. Nothing in it or about it is fatal."""
    entry = task.entry
    if not entry.location:
        file = SourceFile(task.space, entry.path, recognise(entry.path), "", entry.modified / 1e9)
        stamp = Stamp(entry.size, entry.modified, f"{_UNREAD}{entry.path}", task.reader)
        return ReadFile(entry.path, stamp, _named(file, (partial(_path_only, entry.size),)))
    try:
        data, modified, problems = _content(entry)
    except FileNotFoundError:
        return ReadFile(entry.path, _stamp(task, b"", entry.modified), skipped=Skipped(entry.path, Reason.VANISHED))
    except OSError as error:
        why = Skipped(entry.path, Reason.UNREADABLE, error.strerror or str(error), entry.size)
        return ReadFile(entry.path, _stamp(task, b"", entry.modified), skipped=why)
    stamp = _stamp(task, data, modified)
    if stamp.digest == task.digest:
        return ReadFile(entry.path, stamp, problems=problems)
    extract, skipped = extract_from(task.space, entry.path, data, entry.modified / 1e9, task.vaults)
    if task.hides:
        extract = replace(extract, records=tuple(map(_without_secrets, extract.records)))
    return ReadFile(entry.path, stamp, extract, skipped, (*problems, *extract.problems))


def make_ready(paths: Iterable[str]) -> Iterator[None]:
    """Loads what reads files as these, one kind after the other, so that the first that changes need not wait for it."""
    of_kind: dict[str, list[str]] = {}
    for path in paths:
        of_kind.setdefault(recognise(path), []).append(path)
    for _, path, *_ in sorted((-len(alike), alike[0]) for alike in of_kind.values()):
        extract_from("", path, b"", 0.0)
        yield


def extract_from(
    space: str, path: str, data: bytes, modified: float, vaults: tuple[str, ...] = ()
) -> tuple[Extract, Skipped | None]:
    """What a file holds; and why its content was left out, if it was: then only its path can be found."""
    language = recognise(path, data[:_HEAD])
    file = SourceFile(space, path, language, "", modified, data)
    if language == "pdf":
        return _named(file, _readers(file, vaults)), None
    decoded = decode(data, path)
    if decoded.reason is not None:
        return _named(file, (partial(_path_only, len(data)),)), Skipped(path, decoded.reason, decoded.detail, len(data))
    file = replace(file, text=decoded.text)
    extract = _named(file, _readers(file, vaults))
    return replace(extract, problems=(*decoded.problems, *extract.problems)), None


_Read = Callable[[SourceFile], Extract]


def _readers(file: SourceFile, vaults: tuple[str, ...]) -> tuple[_Read, ...]:
    # Each of these loads a parser: a project without notebooks should not wait for theirs.
    from dowse.ingest.knowing import READERS, choose, page_reader

    special = choose(file, (*READERS, page_reader(vaults)) if vaults else READERS)
    own: tuple[_Read, ...] = tuple(reader.read for reader in special)
    return own if any(reader.replaces for reader in special) else (_usual(file), *own)


def _usual(file: SourceFile) -> _Read:
    if is_document(file.language):
        from dowse.ingest.documents import read_document

        return read_document
    from dowse.ingest.code import read_blocks, read_code

    return read_code if is_code(file.language) else read_blocks


def _path_only(size: int, file: SourceFile) -> Extract:
    """A file whose content says nothing can still be found by its path."""
    facets: dict[str, Facet] = {"size": size}
    if file.language:
        facets["language"] = file.language
    title = file.path.rsplit("/", 1)[-1]
    record = Record(file.key, "file", title, {"path": file.path}, file.space, facets=facets, updated=file.modified)
    return Extract((record,))


def _named(file: SourceFile, readers: Iterable[_Read]) -> Extract:
    """What all of the readers found, and the names that the file has by its place."""
    from dowse.ingest.code import read_blocks

    found = [_safely(reader, file) for reader in readers]
    if not any(record.key == file.key for extract in found for record in extract.records):
        found.append(read_blocks(file))
    return Extract(
        tuple(record for extract in found for record in extract.records),
        (*path_definitions(file.path, file.key), *(definition for extract in found for definition in extract.defines)),
        tuple(reference for extract in found for reference in extract.refers),
        tuple(dict.fromkeys(problem for extract in found for problem in extract.problems)),
    )


def _safely(reader: _Read, file: SourceFile) -> Extract:
    """A fault of ours in one file must not keep all others from being found, nor this one by its text."""
    try:
        return reader(file)
    except Exception as error:  # noqa: BLE001 - whatever it is, it is told with the file's name
        return Extract(problems=(f"one of its readers failed ({type(error).__name__}: {error}); its text is found all the same",))


def _without_secrets(record: Record) -> Record:
    fields = {name: without_secrets(text) for name, text in record.fields.items()}
    return replace(record, title=without_secrets(record.title), fields=fields)


def _content(entry: Entry) -> tuple[bytes, int, tuple[str, ...]]:
    """The bytes of a file and the time they are from; a file that changes meanwhile is read again."""
    for _ in range(_TRIES):
        with open(entry.location, "rb", buffering=0) as file:
            before = os.fstat(file.fileno())
            data = file.readall()
            after = os.fstat(file.fileno())
        if (before.st_mtime_ns, before.st_size, len(data)) == (after.st_mtime_ns, after.st_size, after.st_size):
            is_racy = after.st_mtime_ns > time.time_ns() - _RACY
            return data, _UNKNOWN_TIME if is_racy else after.st_mtime_ns, ()
    return data, _UNKNOWN_TIME, ("it changed while it was read; it will be read again next time",)


def _stamp(task: Task, data: bytes, modified: int) -> Stamp:
    return Stamp(len(data), modified, hashlib.blake2b(data, digest_size=16).hexdigest(), task.reader)
