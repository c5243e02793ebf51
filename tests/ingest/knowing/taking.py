"""How the tests of the readers hand over a file and look at what came of it."""

from dowse.app.recording import check
from dowse.domains.everything import SCHEMA
from dowse.ingest.extract import Extract, SourceFile
from dowse.ingest.knowing import READERS, DomainReader, choose
from dowse.model.record import Record
from dowse.text.suggesting import is_encodable

_LANGUAGES = {"md": "markdown", "mdx": "mdx", "yaml": "yaml", "yml": "yaml", "json": "json", "jsonl": "jsonl"}


def source(path: str, text: str) -> SourceFile:
    return SourceFile("acme", path, _LANGUAGES.get(path.rpartition(".")[2], ""), text, 7.0)


def readers_of(path: str, text: str, readers: tuple[DomainReader, ...] = READERS) -> list[str]:
    return [reader.name for reader in choose(source(path, text), readers)]


def taken(reader: DomainReader, path: str, text: str) -> Extract:
    """What a reader makes of a file that it must recognise; all of it must be fit to be stored."""
    file = source(path, text)
    assert reader.fits(file)
    extract = reader.read(file)
    fit(extract)
    return extract


def fit(extract: Extract) -> None:
    for record in extract.records:
        check(record, SCHEMA)
    keys = [record.key for record in extract.records]
    assert len(keys) == len(set(keys))
    assert all(reference.kind in SCHEMA.edges and reference.names for reference in extract.refers)
    for name in (*(name for made in extract.refers for name in made.names), *(made.name for made in extract.defines)):
        assert is_encodable(name)


def only(extract: Extract) -> Record:
    (record,) = extract.records
    return record


def titles(extract: Extract, kind: str = "") -> list[str]:
    return [record.title for record in extract.records if kind in ("", record.kind)]


def said(extract: Extract) -> set[tuple[str, str, str]]:
    """Every reference as source, kind and its first name."""
    return {(reference.source, reference.kind, reference.names[0]) for reference in extract.refers}


def names(extract: Extract) -> set[tuple[str, str]]:
    return {(definition.name, definition.key) for definition in extract.defines}
