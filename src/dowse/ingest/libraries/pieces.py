"""What is a snippet before it belongs to a version? The same piece may be in many."""

from dataclasses import dataclass

from dowse.ingest.keying import cut
from dowse.model.record import Facet, Record

CODE, INFO = "code", "info"


@dataclass(frozen=True, slots=True)
class Piece:
    """A passage or an example of a file. ``place`` tells it from all others of the file, and stays when others come or go."""

    path: str
    place: str
    type: str
    title: str
    content: str
    breadcrumb: str = ""
    language: str = ""
    line: int = 0
    line_end: int = 0


def to_record(piece: Piece, space: str, version: str, updated: float) -> Record:
    """The piece as a snippet of a version, whose record has the name of the space as its key."""
    facets: dict[str, Facet] = {"type": piece.type, "path": piece.path}
    optional: dict[str, Facet] = {"language": piece.language, "version": version, "line": piece.line, "lineEnd": piece.line_end}
    facets |= {name: value for name, value in optional.items() if value}
    fields = {"breadcrumb": piece.breadcrumb, "content": piece.content}
    return Record(
        key=key_of(space, piece.path, piece.place),
        kind="snippet",
        title=piece.title,
        fields={name: text for name, text in fields.items() if text},
        space=space,
        parent=space,
        facets=facets,
        updated=updated,
    )


def rebased(record: Record, old: str, new: str, version: str) -> Record:
    """A snippet of one version as one of another, whose file is the same."""
    path = str(record.facets["path"])
    place = record.key.removeprefix(f"{old}#{path}#")
    facets = {name: value for name, value in record.facets.items() if name != "version"}
    key = key_of(new, path, place)
    facets |= {"version": version} if version else {}
    return Record(key, record.kind, record.title, record.fields, new, new, facets=facets, updated=record.updated)


def key_of(space: str, path: str, place: str) -> str:
    """The key of a snippet; one that does not fit is cut, with a hash of the whole.

    >>> key_of("/acme/rocket@v1", "docs/fly.md", "launch/code")
    '/acme/rocket@v1#docs/fly.md#launch/code'
    """
    return cut(f"{space}#{path}#{place}")
