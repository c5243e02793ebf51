"""Which documents answer which question? Judged sets as they lie beside the project; they are read there and never copied."""

import json
import os
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

# Beside the checkout, where the people who judged the sets keep them.
DEFAULT_FOLDER = Path(__file__).resolve().parents[2] / "shared" / "bench"
VARIABLE = "DOWSE_BENCH"
# How ids say that something is a piece of something: numbered in its file or its corpus, or a place on a page.
_PIECE = re.compile(r"(.+)_chunk_\d+|([^/]+)/\d+|(https?://[^#]+)#.+")
# What the kinds of links in the sets are called in dowse.
_EDGE_KINDS = {
    "blocks": "blocks",
    **dict.fromkeys(("parent-child", "child", "related", "relates-to", "tracks", "discovered-from"), "relates_to"),
    "mentions": "references",
    "cocited": "similar_to",
}
# The longest query dowse takes; a longer one is cut, for every system alike.
LONGEST_QUERY = 10_000


@dataclass(frozen=True, slots=True)
class Document:
    """``part``: the collection it belongs to, where questions ask only one of several. ``whole``: the text it is a piece of."""

    id: str
    title: str
    text: str
    part: str = ""
    whole: str = ""


@dataclass(frozen=True, slots=True)
class Question:
    """``part`` and ``allowed`` narrow what may answer; ``itself`` is the document the question was made of."""

    id: str
    text: str
    part: str = ""
    allowed: tuple[str, ...] | None = None
    itself: str | None = None


@dataclass(frozen=True, slots=True)
class JudgedSet:
    """``edges``: links between documents, of the kinds that dowse knows."""

    name: str
    documents: tuple[Document, ...]
    questions: tuple[Question, ...]
    grades: dict[str, dict[str, int]]
    edges: tuple[tuple[str, str, str], ...] = ()
    is_code: bool = False
    """The set says of itself that its documents are code, so they are what indexing would make of it."""

    @property
    def is_cut(self) -> bool:
        """Its documents are pieces of longer texts, as their ids tell."""
        return any(item.whole for item in self.documents)

    def apart(self) -> "JudgedSet":
        """The same as if nobody knew which pieces are of one text."""
        return replace(self, documents=tuple(replace(item, whole="") for item in self.documents))

    @property
    def is_work(self) -> bool:
        """Tasks block each other; nothing else does."""
        return any(kind == "blocks" for _, _, kind in self.edges)


def folder(named: str | None) -> Path:
    return Path(named or os.environ.get(VARIABLE) or DEFAULT_FOLDER)


def names(root: Path) -> list[str]:
    """The sets that bring their corpus along, in the order of their names."""
    return sorted(path.parent.name for path in root.glob("*/corpus.jsonl"))


def load(root: Path, name: str) -> JudgedSet:
    at = root / name
    grades = _grades(at / "qrels.tsv")
    asked = [row for row in _rows(at / "queries.jsonl") if row["_id"] in grades]
    allowed = _allowed(at / "scopes.jsonl")
    parts = sorted({_part_asked(row) for row in asked} - {""})
    documents = tuple(
        Document(row["_id"], row.get("title") or "", row.get("text") or "", _part_of(row["_id"], parts), whole_of(row["_id"]))
        for row in _rows(at / "corpus.jsonl")
    )
    questions = tuple(
        Question(row["_id"], row["text"][:LONGEST_QUERY], _part_asked(row), allowed.get(row["_id"]), _itself(row)) for row in asked
    )
    edges = _edges(at / "edges.tsv", {item.id for item in documents})
    return JudgedSet(name, documents, questions, grades, edges, _is_code(at / "meta.json"))


def whole_of(identity: str) -> str:
    """The text that a document is a piece of, as its id tells: a file and the number of the piece, a page and its section.

    >>> whole_of("doc_12_chunk_3"), whole_of("pubmed/695"), whole_of("https://a.example/guide#start")
    ('doc_12', 'pubmed', 'https://a.example/guide')
    >>> whole_of("beads/bd-kwro"), whole_of("Mike Portnoy#f882f7"), whole_of("12")
    ('', '', '')
    """
    found = _PIECE.fullmatch(identity)
    return (found[1] or found[2] or found[3]) if found else ""


def published(root: Path) -> dict[str, tuple[float | None, float | None]]:
    """The README's columns 'FTS5 OR' and 'best lexical seen' (nDCG@10), by set."""
    readme = root / "README.md"
    if not readme.exists():
        return {}
    rows = [
        [cell.strip() for cell in line.strip().strip("|").split("|")]
        for line in readme.read_text("utf-8").splitlines()
        if line.startswith("|")
    ]
    head = next((row for row in rows if "FTS5 OR" in row), None)
    if head is None:
        return {}
    fts5, best = head.index("FTS5 OR"), head.index("best lexical seen")
    return {row[0]: (_number(row[fts5]), _number(row[best])) for row in rows if len(row) == len(head)}


def _is_code(meta: Path) -> bool:
    return meta.exists() and str(json.loads(meta.read_text("utf-8")).get("kind") or "").startswith("code")


def _number(cell: str) -> float | None:
    found = re.match(r"\d*\.\d+", cell)
    return float(found[0]) if found else None


def _part_asked(row: dict[str, Any]) -> str:
    return str(row.get("scope") or row.get("corpus") or "")


def _part_of(identity: str, parts: list[str]) -> str:
    """The part a document belongs to: its id begins with the part's name, or is an address on a host that carries the name.

    >>> _part_of("beads/bd-1", ["beadloom", "beads"]), _part_of("https://docs.python.org/3/x", ["python", "react"])
    ('beads', 'python')
    """
    if not parts:
        return ""
    host = urlsplit(identity).hostname
    if host is None:
        first = identity.split("/")[0]
        return first if first in parts else ""
    return next((part for part in parts if part in host.split(".")), "")


def _itself(row: dict[str, Any]) -> str | None:
    """A question with a title of its own is a held-out document: found in the corpus, it would answer itself."""
    return row["_id"] if "title" in row else None


def _allowed(path: Path) -> dict[str, tuple[str, ...]]:
    """Documents allowed per query: each line has the query's id and one list."""
    if not path.exists():
        return {}
    return {row["_id"]: tuple(next(value for value in row.values() if isinstance(value, list))) for row in _rows(path)}


def _edges(path: Path, known: set[str]) -> tuple[tuple[str, str, str], ...]:
    """Links between two documents, each once; a kind that dowse has no word for is an error, not a loss."""
    if not path.exists():
        return ()
    rows = (line.split("\t")[:3] for line in path.read_text("utf-8").splitlines() if line)
    found = {(source, target, _EDGE_KINDS[kind]) for source, target, kind in rows if source in known and target in known}
    return tuple(sorted(found))


def _grades(path: Path) -> dict[str, dict[str, int]]:
    grades: dict[str, dict[str, int]] = {}
    for line in path.read_text("utf-8").splitlines():
        query, document, grade = line.split("\t")[:3]
        grades.setdefault(query, {})[document] = int(grade)
    return grades


def _rows(path: Path) -> Iterator[dict[str, Any]]:
    with path.open(encoding="utf-8") as lines:
        for line in lines:
            if line.strip():
                yield json.loads(line)
