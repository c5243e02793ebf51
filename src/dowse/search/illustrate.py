"""What does the reader see of a hit? The stretch of the field that shows best why it matched."""

from collections.abc import Mapping, Sequence

from dowse.model.declaring import replace
from dowse.model.page import Excerpt
from dowse.model.passage import Passage
from dowse.model.record import Record
from dowse.model.schema import Column, Kind
from dowse.model.surface import Surface
from dowse.model.terms import Query, Term
from dowse.text.excerpting import Match, choose, find_literals, find_words
from dowse.text.stopwords import LIGHT_WORDS, STOP_WORDS

# Letters of a string that is too short to be marked beside others.
_SHORT = 2
_SHOWN = (Column.BODY, Column.TITLE, Column.TAGS)

# What a word is worth that says nothing by itself: it is marked only where no other word of the query stands.
_SMALL = 0.1
_SMALL_WORDS = STOP_WORDS | LIGHT_WORDS


class Illustrator:
    """Makes excerpts for the hits of one query."""

    def __init__(self, query: Query, forms: Mapping[Term, frozenset[str]], surface: Surface, *, literal: bool) -> None:
        self._surface = surface
        self._forms: dict[str, int] = {}
        self._weights: list[float] = []
        for term in query.terms:
            for word in sorted(forms[term]):
                self._forms.setdefault(word, len(self._weights))
            self._weights.append(self._worth(term))
        # Strings are marked where substring search ran, and serve as a last resort for what only it can find. A string of two
        # letters stands within half of all words, and says something only where it is all that was asked.
        self._literal = literal
        self._literals = [text for text in query.literals if len(text) > _SHORT or len(query.literals) == 1]
        self._first_literal = len(self._weights)
        self._weights.extend(1.0 for _ in self._literals)

    def excerpt(self, record: Record, kind: Kind, close: Passage | None = None) -> Excerpt:
        """The best window of the text that holds most of the query; where none holds any, of the passage close in meaning."""
        texts, paths = self._field_names(kind)
        best = self._best(record, texts)
        if best is None and close is not None and close.field != "title" and record.text(close.field):
            return self._beginning(record.text(close.field), close)
        best = best or self._best(record, paths)
        if best is None:
            every = [*texts, *paths]
            name = next((name for name in every if record.text(name)), every[0])
            return self._window(record.text(name), name, [])
        return self._window(record.text(best[0]), *best)

    def _best(self, record: Record, names: Sequence[str]) -> tuple[str, list[Match]] | None:
        """The field that holds most of the query, and where; the first that holds any, if the surface says in which order."""
        found: tuple[float, str, list[Match]] | None = None
        for name in names:
            matches = self._matches(record.text(name))
            worth = sum(self._weights[term] for term in {match.term for match in matches})
            if matches and (found is None or worth > found[0]):
                found = (worth, name, matches)
                if self._surface.excerpt_fields:
                    break
        return found[1:] if found is not None else None

    def _matches(self, text: str) -> list[Match]:
        if not text:
            return []
        found = find_words(text, self._forms)
        found = [match for match in found if self._weights[match.term] > _SMALL] or found
        if self._literal or not found:
            found += find_literals(text, self._literals, self._first_literal)
        return found

    def _beginning(self, text: str, close: Passage) -> Excerpt:
        """A passage found by its meaning alone is shown from its beginning: no word of it stands out."""
        shown = self._window(text[close.start : close.end], close.field, [])
        start, end = shown.start + close.start, shown.end + close.start
        before, after = bool(text[:start].strip()), bool(text[end:].strip())
        return replace(shown, start=start, end=end, cut_before=before, cut_after=after)

    def _window(self, text: str, name: str, matches: Sequence[Match]) -> Excerpt:
        window = choose(text, matches, self._weights, self._surface.marks.words)
        shown = text[window.start : window.end]
        trimmed = shown.strip()
        start = window.start + len(shown) - len(shown.lstrip())
        marks = tuple((a - start, b - start) for a, b in window.marks)
        end = start + len(trimmed)
        return Excerpt(name, trimmed, marks, start, end, bool(text[:start].strip()), bool(text[end:].strip()))

    def _field_names(self, kind: Kind) -> tuple[list[str], list[str]]:
        """Texts before titles; and apart from them paths, which the reader sees anyway. A surface may have an order of its own."""
        own = [field.name for field in kind.fields]
        if self._surface.excerpt_fields:
            return [name for name in self._surface.excerpt_fields if name in own] or own, []
        ordered = sorted(kind.fields, key=lambda field: _SHOWN.index(field.column))
        paths = [field.name for field in ordered if field.named and field.column is Column.BODY]
        return [field.name for field in ordered if field.name not in paths], paths

    @staticmethod
    def _worth(term: Term) -> float:
        """Longer words tell more; what an excerpt shows first."""
        length = max(map(len, term.words))
        return _SMALL if _SMALL_WORDS.issuperset(term.words) else 1.0 + min(length, 20) / 20
