"""Which records stand for a source file? One for the file, one for each definition, one for each block between them."""

import re
from collections.abc import Iterator
from pathlib import PurePosixPath

from dowse.ingest.code.comments import clean_comment
from dowse.ingest.code.language import Found, Language, SymbolKind
from dowse.ingest.code.leftovers import file_doc, leftovers, package_statement
from dowse.ingest.code.outline import Outline, Span
from dowse.ingest.code.symbols import CUT, line_start, within
from dowse.ingest.extract import SourceFile
from dowse.ingest.keying import Keys
from dowse.model.record import Facet, Record
from dowse.text.blocks import Block

# How the lines of such a statement begin, and of what goes on within it.
_ABOUT_ITSELF = ("__", "#", " ", "\t", ")", "]", "}")
_NO_SPECIFIER = re.compile(r"""["'`{}();,<>=]|\s+""")


def code_records(found: Outline, file: SourceFile, language: Language, is_test_file: bool, keys: Keys) -> Iterator[Record]:
    """The file, then its definitions in order, then what lies between them."""
    doc = file_doc(found)
    package = package_statement(found, language.import_words)
    exports = [one.name for one in found.symbols if one.exported and one.parent is None and not one.owners and one.kind != "scope"]
    fields = {
        "exports": " ".join(dict.fromkeys([*([found.package] if package else []), *exports, *found.exports])),
        "imports": " ".join(_import_text(found.text(entry.start, entry.end), language) for entry in found.imports),
        "doc": _doc(found, doc),
    }
    rest = leftovers(found, [*doc, *package], language.import_words)
    yield file_record(file, is_test_file, fields, reexports=_only_passes_on(found, rest))
    holders = {one.qualified: one.key for one in reversed(found.symbols) if one.kind != "scope"}
    key = file.key
    for one in found.symbols:
        if one.kind != "scope":
            yield _symbol_record(found, one, file, _parent_key(one, holders) or key)
    yield from block_records(rest, file, SymbolKind.MODULE, is_test_file, keys)


def _only_passes_on(found: Outline, rest: tuple[Block, ...]) -> bool:
    """Whether it names what others define and defines nothing. What Python keeps between underscores is about the file itself."""
    own = [line for block in rest for line in block.text.splitlines() if not line.startswith(_ABOUT_ITSELF)]
    return bool(found.imports or found.exports) and not any(own) and all(one.name.startswith("__") for one in found.symbols)


def file_record(
    file: SourceFile, is_test_file: bool, fields: dict[str, str], *, generated: bool = False, reexports: bool = False
) -> Record:
    """The record of the file itself. ``reexports``: it defines nothing, it only passes on what others define."""
    facets: dict[str, Facet] = {"language": file.language, "test": is_test_file}
    if generated:
        facets["generated"] = True
    if reexports:
        facets["reexports"] = True
    return Record(
        key=file.key,
        kind="codefile",
        title=PurePosixPath(file.path).name,
        fields={name: text for name, text in {"path": file.path, **fields}.items() if text},
        space=file.space,
        facets=facets,
        updated=file.modified,
    )


def block_records(
    blocks: tuple[Block, ...], file: SourceFile, kind: SymbolKind, is_test_file: bool, keys: Keys
) -> Iterator[Record]:
    """Records for pieces of a file that no definition holds."""
    path = PurePosixPath(file.path)
    for block in blocks:
        yield Record(
            key=keys.take(file.part(kind)),
            kind="symbol",
            title=path.name if kind is SymbolKind.BLOCK else path.stem,
            fields={"path": file.path, "body": block.text},
            space=file.space,
            parent=file.key,
            facets={
                "symbolKind": str(kind),
                "language": file.language,
                "line": block.line,
                "lineEnd": block.line_end,
                "exported": False,
                "test": is_test_file,
            },
            updated=file.modified,
        )


def _symbol_record(found: Outline, one: Found, file: SourceFile, parent: str) -> Record:
    fields = {"path": file.path}
    if one.signature:
        fields["signature"] = one.signature
    if (one.docs or one.comments) and (doc := _doc(found, one.docs + one.comments)):
        fields["doc"] = doc
    if body := _body(found, one):
        fields["body"] = body
    return Record(
        key=one.key,
        kind="symbol",
        title=one.name,
        fields=fields,
        space=file.space,
        parent=parent,
        facets={
            "symbolKind": str(one.kind),
            "language": file.language,
            "line": one.line,
            "lineEnd": one.line_end,
            "exported": one.exported,
            "test": one.test,
        },
        updated=file.modified,
    )


def _parent_key(one: Found, holders: dict[str, str]) -> str:
    """The definition that holds it: the one around it, or the type it is written for."""
    if one.owners or (one.parent is not None and one.parent.kind == "scope"):
        return holders.get(one.qualified.removesuffix(f".{one.name}"), "")
    return one.parent.key if one.parent is not None else ""


def _body(found: Outline, one: Found) -> str:
    """What its signature and documentation do not say already; definitions that are records of their own are only declared."""
    # Of a signature that was cut something is missing.
    whole = one.signature.endswith(CUT)
    at = one.start if whole else line_start(found.source, one.body)
    pieces = [] if whole else _before(found, one)
    if not one.members and (whole or not one.docs):
        return ("".join(pieces) + found.text(at, one.end)).strip("\n")
    holes = [] if whole else [(line_start(found.source, start), end, "") for start, end in one.docs]
    for member in _inner(one):
        declared = _indent(found.text(member.start, member.head)) + member.signature
        holes.append((line_start(found.source, member.outer), member.end, declared))
    for start, end, instead in sorted(holes):
        if start >= at:
            pieces.append(found.text(at, start))
        pieces.append(instead)
        at = max(at, end)
    pieces.append(found.text(at, one.end))
    return "".join(pieces).strip("\n")


def _before(found: Outline, one: Found) -> list[str]:
    """What stands before its signature or in it without being part of it: decorators, ``export``, the head of a template."""
    lead, at = "", one.start
    if found.source[at : one.head].strip():
        for start, end in [*(span for span in sorted(one.docs) if at <= span[0] < one.head), (one.head, one.head)]:
            lead, at = lead + found.text(at, start), end
    inside = [found.text(*span) for span in within(found.attributes, one.head, one.body)]
    return [f"{text}\n" for text in (lead.strip(), *inside) if text]


def _inner(one: Found) -> Iterator[Found]:
    """The symbols right inside of it, those of scopes included."""
    for member in one.members:
        if member.kind == "scope":
            yield from _inner(member)
        else:
            yield member


def _indent(text: str) -> str:
    return text[: len(text) - len(text.lstrip())]


def _doc(found: Outline, spans: list[Span]) -> str:
    """Comments one after the other as one text; line comments that follow each other are one comment."""
    texts = [found.text(*span).rstrip() for span in spans]
    joined: list[str] = []
    for text in texts:
        if joined and text[:2] == joined[-1][:2] and not text.startswith(("/*", '"', "'", "{-", "(*")):
            joined[-1] += "\n" + text
        else:
            joined.append(text)
    return "\n\n".join(filter(None, map(clean_comment, joined)))


def _import_text(text: str, language: Language) -> str:
    """The specifiers and names of an import as written, without the words and marks around them."""
    words = (word for word in _NO_SPECIFIER.split(text) if word and word not in language.import_words)
    return " ".join(words)
