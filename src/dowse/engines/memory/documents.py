"""How does the memory engine read a record? As its words by column, and as the texts themselves."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from dowse.model.record import Record
from dowse.model.schema import COLUMNS, Column, Schema
from dowse.model.terms import Term
from dowse.text.folding import is_word_character
from dowse.text.words import analyse

# The columns of the names lane: words as they stand, and what was derived from them.
NAMES = ("name", "name_alternates")


@dataclass(frozen=True, slots=True)
class Document:
    """A record as a search reads it: its words by column (the two of the names lane too), and the texts themselves."""

    columns: Mapping[str, list[str]]
    texts: tuple[str, ...]

    def words(self, columns: Iterable[str]) -> list[str]:
        return [word for column in columns for word in self.columns[column]]


def read(schema: Schema, record: Record) -> Document:
    """The words of a record, column by column."""
    columns: dict[str, list[str]] = {name: [] for name in (*COLUMNS, *NAMES)}
    declared = schema.kinds[record.kind].fields
    for part in declared:
        text = record.text(part.name)
        end = len(text) if part.ranked is None else _word_end(text, part.ranked)
        ranked, tail = analyse(text[:end]), analyse(text[end:])
        columns[part.column] += ranked.plain.split()
        columns[Column.ALTERNATES] += ranked.alternates.split()
        columns[Column.TAIL] += tail.plain.split()
        columns[Column.TAIL_ALTERNATES] += tail.alternates.split()
        if part.named:
            for name, words in zip(NAMES, ranked, strict=True):
                columns[name] += words.split()
    return Document(columns, tuple(record.text(part.name) for part in declared))


EMPTY = Document({name: [] for name in (*COLUMNS, *NAMES)}, ())


def stands_in(phrase: Term, document: Document, columns: Iterable[str]) -> bool:
    """Whether the words of a phrase stand next to each other in a column; the last of an open one may go on."""
    *before, end = phrase.words
    for words in (document.columns[column] for column in columns):
        for at in range(len(words) - len(before)):
            last = words[at + len(before)]
            ends = last.startswith(end) if phrase.prefix else last == end
            if ends and words[at : at + len(before)] == before:
                return True
    return False


def _word_end(text: str, place: int) -> int:
    """The first place from here on that is not inside a word."""
    while place < len(text) and (is_word_character(text[place]) or text[place] == "_"):
        place += 1
    return place


def values_of(record: Record, name: str) -> Iterable[str]:
    """What a record has of a kind of value; several only of tags."""
    if name in ("kind", "space"):
        return (record.kind if name == "kind" else record.space,)
    if name == "tag":
        return record.tags
    value = record.facets.get(name)
    if value is None:
        return ()
    return (str(value).lower() if isinstance(value, bool) else str(value),)
