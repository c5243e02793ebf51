"""Which questions can be made of a workspace that holds the answers? From documentation, from headings, from links of tasks."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from hashlib import blake2b

from dowse.errors import InvalidRequest
from dowse.model.benching import Question
from dowse.model.record import Edge, Record
from dowse.ports import View
from dowse.text.sentences import sentence_ends
from dowse.text.suggesting import did_you_mean

HEADINGS = "headings"
# Fewer words than these ask for a name, not a question.
_FEWEST_WORDS = 4
# A longer first sentence is a specification; nobody types it.
_LONGEST = 200
# A section with less text than this points elsewhere.
_LEAST_TEXT = 80


def invent(view: View, sources: Iterable[str], limit: int) -> tuple[Question, ...]:
    """Up to ``limit`` questions from each source; always the same ones of the same records."""
    wanted = tuple(dict.fromkeys(sources))
    for name in wanted:
        if name not in SOURCES:
            raise InvalidRequest(f"Questions cannot be made from {name!r}. {did_you_mean(name, SOURCES)}")
    if limit < 1:
        raise InvalidRequest(f"limit is {limit}; it must be 1 or more.")
    records, edges = _everything(view)
    return tuple(question for name in wanted for question in _SOURCES[name](records, edges)[:limit])


def _everything(view: View) -> tuple[list[Record], list[Edge]]:
    """All that is live, in an order that has nothing to do with what is near what: the first hundred are a fair sample."""
    records: list[Record] = []
    edges: list[Edge] = []
    for item in view.scan():
        if isinstance(item, Edge):
            edges.append(item)
        elif not item.deleted and not item.is_placeholder:
            records.append(item)
    return sorted(records, key=lambda record: (_shuffled(record.key), record.key)), edges


def _shuffled(key: str) -> bytes:
    return blake2b(key.encode("utf-8", "replace"), digest_size=8).digest()


def _docstrings(records: list[Record], _: list[Edge]) -> list[Question]:
    """What the first sentence of its documentation says → the definition, without that documentation."""
    documented = [record for record in records if record.kind == "symbol" and not record.facets.get("test")]
    asked = ((record, _first_sentence(record)) for record in documented)
    return [Question(text, (record.key,), without=("doc",), source="docstrings") for record, text in _telling(asked)]


def _first_sentence(record: Record) -> str:
    doc = record.fields.get("doc", "").strip()
    sentence = " ".join(doc[: next(iter(sentence_ends(doc)), len(doc))].split())
    # In some languages documentation begins with the name of what it describes.
    own, _, rest = sentence.partition(" ")
    return rest if own.strip("`*:") == record.title else sentence


def _headings(records: list[Record], _: list[Edge]) -> list[Question]:
    """A heading with the one above it → the section. Its words stand there, so this asks for something known."""
    sections = [record for record in records if record.kind == "section" and len(record.fields.get("content", "")) >= _LEAST_TEXT]
    asked = ((record, _with_heading_above(record)) for record in sections)
    return [Question(text, (record.key,), source=HEADINGS) for record, text in _telling(asked, fewest=2)]


def _with_heading_above(record: Record) -> str:
    above = [part.strip() for part in record.fields.get("breadcrumb", "").split(">")]
    above = [part for part in above if part and part != record.title]
    return " ".join([*above[-1:], record.title])


def _tasks(records: list[Record], edges: list[Edge]) -> list[Question]:
    """A task's title → the tasks it is linked to, without the task itself: its links would lead straight to them."""
    items = {record.key: record for record in records if record.kind == "item"}
    linked: dict[str, set[str]] = {}
    for edge in edges:
        if edge.source in items and edge.target in items and edge.source != edge.target:
            linked.setdefault(edge.source, set()).add(edge.target)
            linked.setdefault(edge.target, set()).add(edge.source)
    made: list[Question] = []
    expected: set[str] = set()
    asked: set[str] = set()
    for record, title in _telling((record, record.title) for record in items.values() if record.key in linked):
        answers = linked[record.key] - asked
        # A task that another question expects must stay.
        if answers and record.key not in expected:
            made.append(Question(title, tuple(sorted(answers)), itself=record.key, source="tasks"))
            asked.add(record.key)
            expected |= answers
    return made


def _telling(asked: Iterable[tuple[Record, str]], fewest: int = _FEWEST_WORDS) -> Iterator[tuple[Record, str]]:
    """Texts that are questions of a sort, each said of one record alone."""
    fitting = [(record, text) for record, text in asked if len(text.split()) >= fewest and len(text) <= _LONGEST]
    counts = Counter(text.casefold() for _, text in fitting)
    return ((record, text) for record, text in fitting if counts[text.casefold()] == 1)


_SOURCES: dict[str, Callable[[list[Record], list[Edge]], list[Question]]] = {
    "docstrings": _docstrings,
    HEADINGS: _headings,
    "tasks": _tasks,
}
SOURCES = tuple(_SOURCES)
