"""How does text become findable here? The words of a record, column by column, as they stand and as stems."""

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import NamedTuple

from dowse.engines.opensearch.mapping import NAMES, NO_PAD, PAD
from dowse.model.record import Record
from dowse.model.schema import COLUMNS, Column, Schema
from dowse.text.folding import fold, is_word_character
from dowse.text.words import analyse

# The columns whose words make a record long: those that rank.
_COUNTED = (Column.TITLE, Column.BODY, Column.TAGS, Column.ALTERNATES)
# The words that a large project uses again and again; past it the memo starts again, so memory stays bounded: some 10 MB.
_STEMS_KEPT = 50_000

StemAll = Callable[[Sequence[str]], list[str]]


class Lanes(NamedTuple):
    """A record as a search reads it: for each column that has any its words and their stems, and the texts themselves."""

    words: dict[str, str]
    stems: dict[str, str]
    grams: tuple[str, ...]
    length: int
    name_length: int

    def vocabulary(self) -> dict[str, str]:
        """Every word with its stem."""
        found: dict[str, str] = {}
        for column, text in self.words.items():
            found.update(zip(text.split(), self.stems[column].split(), strict=True))
        return found


class Stemmer:
    """The stem of each word, worked out once. ``stem_all`` is handed over, so that all engines stem alike."""

    def __init__(self, stem_all: StemAll) -> None:
        self._stem_all = stem_all
        self._known: dict[str, str] = {}

    def __call__(self, words: Sequence[str]) -> list[str]:
        known = self._known
        missing = [word for word in dict.fromkeys(words) if word not in known]
        if missing:
            if len(known) > _STEMS_KEPT:
                # Another thread may read the old ones still.
                known = self._known = {}
                missing = list(dict.fromkeys(words))
            known.update(zip(missing, self._stem_all(missing), strict=True))
        return [known[word] for word in words]

    def one(self, word: str) -> str:
        return self([word])[0]


def make_lanes(schema: Schema, record: Record, stemmer: Stemmer) -> Lanes:
    words = words_of(schema, record)
    stems = {column: " ".join(stemmer(text.split())) for column, text in words.items()}
    given = [record.text(field.name) for field in schema.kinds[record.kind].fields]
    texts = tuple(searchable(text) + PAD * 2 for text in given if text)
    length = sum(count(words.get(column, "")) for column in _COUNTED)
    return Lanes(words, stems, texts, length, count(words.get(NAMES[0], "")))


def searchable(text: str) -> str:
    """A text as strings are looked for in it."""
    return fold(text).replace(PAD, NO_PAD)


def words_of(schema: Schema, record: Record) -> dict[str, str]:
    """The words of a record, by column; columns without any are left out."""
    found: dict[str, list[str]] = {name: [] for name in (*COLUMNS, *NAMES)}
    for declared in schema.kinds[record.kind].fields:
        text = record.text(declared.name)
        if not text:
            continue
        tail = ""
        if declared.ranked is not None and len(text) > declared.ranked:
            text, tail = _split_at(text, declared.ranked)
        plain, alternates = _remembered(text) if declared.named else analyse(text)
        found[declared.column].append(plain)
        found[Column.ALTERNATES].append(alternates)
        if tail:
            rest = analyse(tail)
            found[Column.TAIL].append(rest.plain)
            found[Column.TAIL_ALTERNATES].append(rest.alternates)
        if declared.named:
            found[NAMES[0]].append(plain)
            found[NAMES[1]].append(alternates)
    joined = {str(column): " ".join(filter(None, texts)) for column, texts in found.items()}
    return {column: text for column, text in joined.items() if text}


# Names repeat: all that a file holds has its path.
_remembered = lru_cache(maxsize=4096)(analyse)


def count(text: str) -> int:
    return text.count(" ") + 1 if text else 0


def _split_at(text: str, length: int) -> tuple[str, str]:
    """Cuts after ``length`` characters, but never inside a word: a word cut in two would not be found."""
    end = length
    while end < len(text) and (is_word_character(text[end]) or text[end] == "_"):
        end += 1
    return text[:end], text[end:]
