"""Reads the sample files and answers what a test wants to know about them."""

from functools import cache
from pathlib import Path

from dowse.ingest.code import read_code
from dowse.ingest.extract import Extract, SourceFile
from dowse.model.record import Record

SAMPLES = Path(__file__).parent / "samples"
# Python samples end in this, lest they are linted and run as tests of ours.
_HIDDEN = ".sample"


def sample_files() -> list[SourceFile]:
    """Every sample: samples/<language>/<path in its project>."""
    paths = sorted(path.relative_to(SAMPLES).as_posix() for path in SAMPLES.rglob("*") if path.is_file())
    return [sample(*path.removesuffix(_HIDDEN).split("/", 1)) for path in paths]


def sample(language: str, path: str) -> SourceFile:
    place = SAMPLES / language / path
    hidden = place.with_name(place.name + _HIDDEN)
    return source(language, path, (hidden if hidden.exists() else place).read_text(encoding="utf-8"))


def source(language: str, path: str, text: str) -> SourceFile:
    return SourceFile("acme", path, language, text, modified=7.0)


@cache
def read_sample(language: str, path: str) -> Extract:
    return read_code(sample(language, path))


def file_of(extract: Extract) -> Record:
    return extract.records[0]


def symbol(extract: Extract, name: str) -> Record:
    """The symbol with this qualified name."""
    found = [record for record in extract.records if record.key.partition("#")[2] == name]
    assert found, f"{name} is not among {[record.key.partition('#')[2] for record in extract.records]}"
    return found[0]


def kinds(extract: Extract) -> dict[str, str]:
    """The kind of each definition by its qualified name, in order, without the blocks between them."""
    symbols = [record for record in extract.records[1:] if record.key.partition("#")[2].partition("~")[0] != "module"]
    return {record.key.partition("#")[2]: str(record.facets["symbolKind"]) for record in symbols}


def lines(record: Record) -> tuple[object, object]:
    return record.facets["line"], record.facets["lineEnd"]


def exported(extract: Extract) -> list[str]:
    """The qualified names of what can be used elsewhere."""
    return [record.key.partition("#")[2] for record in extract.records[1:] if record.facets["exported"]]


def refers(extract: Extract, kind: str, name: str = "") -> list[tuple[str, ...]]:
    """What the file (no name) or the symbol with this qualified name refers to in this way."""
    return [one.names for one in extract.refers if one.kind == kind and one.source.partition("#")[2] == name]


def defined(extract: Extract) -> dict[str, str]:
    """The qualified name of the first definition behind each defined name."""
    return {one.name: one.key.partition("#")[2] for one in reversed(extract.defines)}
