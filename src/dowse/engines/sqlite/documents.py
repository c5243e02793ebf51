"""Which words does a record have, and in which column does each stand? What the lanes store of it."""

from functools import lru_cache
from typing import NamedTuple

from dowse.model.record import Record
from dowse.model.schema import COLUMNS, Column, Kind, Schema
from dowse.text.folding import is_word_character
from dowse.text.words import analyse

_COUNTED = tuple(COLUMNS.index(column) for column in (Column.TITLE, Column.BODY, Column.TAGS, Column.ALTERNATES))
_ALTERNATES, _TAIL, _TAIL_ALTERNATES = (
    COLUMNS.index(column) for column in (Column.ALTERNATES, Column.TAIL, Column.TAIL_ALTERNATES)
)


class _Step(NamedTuple):
    """A field of a kind, as it is asked of every record."""

    label: str
    place: int
    named: bool
    ranked: int | None


class Document(NamedTuple):
    """A record as the lanes store it: words joined by spaces, a column each."""

    columns: tuple[str, ...]
    name: str
    name_alternates: str

    def words(self) -> set[str]:
        found: set[str] = set()
        for text in (*self.columns, self.name, self.name_alternates):
            found.update(text.split())
        return found

    @property
    def length(self) -> int:
        """What BM25 takes for the length: the words that rank."""
        # Every record that is written passes here.
        columns, words = self.columns, 0
        for place in _COUNTED:
            if text := columns[place]:
                words += text.count(" ") + 1
        return words

    @property
    def name_length(self) -> int:
        return _count(self.name)


_known_steps: dict[str, tuple[Kind, tuple[_Step, ...]]] = {}

# Names repeat: all that a file holds has its path.
_remembered = lru_cache(maxsize=4096)(analyse)


def make_document(schema: Schema, record: Record) -> Document:
    """The words of a record, column by column."""
    # Every record passes here: places instead of names, and no list where there is one text.
    texts = [""] * len(COLUMNS)
    name = name_alternates = ""
    for label, place, named, ranked in _steps(schema.kinds[record.kind]):
        text = record.text(label)
        if not text:
            continue
        tail = ""
        if ranked is not None and len(text) > ranked:
            text, tail = _split_at(text, ranked)
        plain, alternates = _remembered(text) if named else analyse(text)
        texts[place] = _joined(texts[place], plain)
        if alternates:
            texts[_ALTERNATES] = _joined(texts[_ALTERNATES], alternates)
        if tail:
            rest = analyse(tail)
            texts[_TAIL] = _joined(texts[_TAIL], rest.plain)
            texts[_TAIL_ALTERNATES] = _joined(texts[_TAIL_ALTERNATES], rest.alternates)
        if named:
            name, name_alternates = _joined(name, plain), _joined(name_alternates, alternates)
    return Document(tuple(texts), name, name_alternates)


def _steps(kind: Kind) -> tuple[_Step, ...]:
    known, steps = _known_steps.get(kind.name, (None, ()))
    if known is not kind:
        steps = tuple(_Step(one.name, COLUMNS.index(one.column), one.named, one.ranked) for one in kind.fields)
        _known_steps[kind.name] = kind, steps
    return steps


def _joined(one: str, other: str) -> str:
    return f"{one} {other}" if one and other else one or other


def _split_at(text: str, length: int) -> tuple[str, str]:
    """Cuts after ``length`` characters, but never inside a word: a word cut in two would not be found."""
    end = length
    while end < len(text) and (is_word_character(text[end]) or text[end] == "_"):
        end += 1
    return text[:end], text[end:]


def _count(text: str) -> int:
    return text.count(" ") + 1 if text else 0
