"""How well does each record match? BM25 over the postings of a lane, for all records at once.

The formula is FTS5's: ``idf · f·(k1+1) / (f + k1·(1 - b + b·length/mean))`` with f the weighted number of occurrences. Only the
inverse document frequency differs: ``ln(1 + (N - n + .5)/(n + .5))`` instead of a logarithm that turns negative for words in half
of the records and is then cut off; in a small workspace that would make most words worthless.
"""

import math
from collections.abc import Callable, Sequence
from typing import cast

import numpy as np
from numpy.typing import NDArray

from dowse.engines.sqlite import rows
from dowse.engines.sqlite.columns import Columns
from dowse.engines.sqlite.driver import Connection, stem_words
from dowse.engines.sqlite.giving import Asked, Formula, Given, Held, given
from dowse.engines.sqlite.lanes import Lanes, Source
from dowse.engines.sqlite.nearness import nearness
from dowse.engines.sqlite.postings import PostingsCache, PostingsReader
from dowse.engines.sqlite.scoping import Mask
from dowse.engines.sqlite.summing import rank, rank_some
from dowse.engines.sqlite.tallying import Postings, among
from dowse.model.ranking import COMMON, Handles, Ranking, Unlisted
from dowse.model.record import Record
from dowse.model.request import Lane, ListPlan
from dowse.model.schema import COLUMNS, PLAIN_COLUMNS, Schema
from dowse.model.terms import Clause, Either, Must, Not, Query, Term
from dowse.text.containing import Demand, count_in, demand
from dowse.text.spelling import slips, spelt_like
from dowse.text.words import is_paired

_PLAIN_NUMBERS = tuple(COLUMNS.index(column) for column in PLAIN_COLUMNS)
_NAME_WEIGHTS = (1.0, 1.0)
# The last resort reads texts one by one; past this many it stops and the answer says so.
SCAN_LIMIT = 20_000
# A letter or two stand in most words of the vocabulary; to read the postings of so many takes longer than to read the texts.
MOST_WORDS = 20_000

# A word's stem never changes, so all snapshots share what was worked out; a bound, not a tuning.
_STEMS_KEPT = 50_000
_stems: dict[str, str] = {}

Ids = NDArray[np.int64]
Values = NDArray[np.float64]


class Matcher:
    """Matches queries against one snapshot."""

    def __init__(
        self, connection: Connection, schema: Schema, lanes: Lanes, columns: Columns, cache: PostingsCache, flushed: int
    ) -> None:
        self._connection = connection
        self._schema = schema
        self._lanes = lanes
        self._columns = columns
        self._cache = cache
        self._postings = PostingsReader(connection, lanes, columns.generation, flushed, cache)
        self._state = (lanes.number, columns.generation)
        self._cut = False

    def match(self, query: Query, plan: ListPlan, within: Mask | None) -> Ranking:
        self._cut = False
        if plan.lane is Lane.SUBSTRING:
            asked = [(self._containing(literal, plan), 1.0, 1.0) for literal in query.literals]
        else:
            held = self._occurrences_of(query.terms, plan)
            asked = [(item, term.weight, 1.0 if term.required else 0.0) for item, term in zip(held, query.terms, strict=True)]
        return self._rank(asked, plan, within)

    def near(self, query: Query, plan: ListPlan, handles: Ids) -> Values:
        """What the closeness of the query's words is worth in each of some records, given in ascending order."""
        words = []
        known = self._cache.shortcuts(self._state, Lane.STEMS)
        for term, held in zip(query.terms, self._occurrences_of(query.terms, plan), strict=True):
            if term.required and len(held.ids) <= COMMON and len(term.words) == 1:
                name = term if term.exact or term.prefix or term.columns else term.words
                places = known.get(name)
                if places is None:
                    places = self._postings.places(self._lanes.text, *self._relation(term, term.words[0]))
                    known[name] = places
                words.append((places, term.weight * held.tells))
        return nearness(handles, words, self._columns.size)

    def holders(self, clause: Clause) -> Mask:
        """The records for which a clause holds."""
        match clause:
            case Must(clauses):
                return np.asarray(np.logical_and.reduce([self.holders(part) for part in clauses]), np.bool_)
            case Either(clauses):
                return np.asarray(np.logical_or.reduce([self.holders(part) for part in clauses]), np.bool_)
            case Not(part):
                return ~self.holders(part)
            case _:
                mask = np.zeros(self._columns.size, np.bool_)
                mask[self._term_postings(clause, self._lanes.text).records()] = True
                return mask

    def forms(self, term: Term) -> frozenset[str]:
        """The words that count as this term."""
        words = list(term.words)
        last = words.pop() if term.prefix else None
        found: set[str] = set()
        for word in words:
            found.add(word)
            if not term.is_phrase:
                found.update(self._postings.family(*self._relation(term, word)).words)
        if last is not None:
            found.update(self._postings.family("prefix", last).words)
        return frozenset(found)

    def misspelt(self, query: Query, plan: ListPlan) -> dict[str, list[str]]:
        """The words of a query that stand nowhere, not even within another, with those spelt like them."""
        held = zip(query.terms, self._occurrences_of(query.terms, plan), strict=True)
        absent = [term.words[0] for term, given in held if term.may_be_misspelt and not len(given.ids)]
        found = {word: spelt_like(word, self._postings.words_like(word, most)) for word in absent if (most := slips(word))}
        return {word: others for word, others in found.items() if others and not self._is_within(word)}

    def _is_within(self, word: str) -> bool:
        """Whether some record holds a word that contains this one."""
        return len(self._postings.read(self._lanes.text, "contains", word).cells) > 0

    def _occurrences_of(self, terms: Sequence[Term], plan: ListPlan) -> list[Given]:
        """Of each term what it gives; of those asked for lately it is known what lies in the cache for them.

        Noted by the words: most terms are nothing else, and these are looked up much faster.
        """
        known = self._cache.shortcuts(self._state, (plan.lane, plan.column_weights, plan.k1, plan.b, plan.exact))
        held: list[Given] = []
        for term in terms:
            name = term if term.exact or term.prefix or term.columns else term.words
            found = known.get(name)
            if found is None:
                found = self._occurrences(term, plan)
                # Only what lies in the cache, which sees to how much that is.
                if not (term.is_phrase or term.columns or term.prefix):
                    known[name] = found
            held.append(found)
        return held

    def _occurrences(self, term: Term, plan: ListPlan) -> Given:
        """The records that hold the term, and what it gives each at a weight of one."""
        names = plan.lane is Lane.NAMES
        sources = self._lanes.names if names else self._lanes.text
        weights = _NAME_WEIGHTS if names else plan.column_weights
        stemmed = plan.lane is not Lane.WORDS
        if term.is_phrase or self._is_wide(term):
            ids = self._term_postings(term, sources).records()
            return self._given(ids, np.ones(len(ids)), plan)
        if term.columns:
            return self._given(*self._term_postings(term, sources, stemmed=stemmed).frequencies(weights), plan)
        relation, text = self._relation(term, term.words[0], stemmed=stemmed)

        exact = term.words[0] if plan.exact and relation == "stem" else None

        def read() -> Held:
            coarse = all(len({weights[number] for number, _ in source.columns}) == 1 for source in sources)
            postings = self._postings.read(sources, relation, text, coarse=coarse, keep=exact)
            ids, frequencies = postings.frequencies(weights)
            as_typed = None
            if exact is not None:
                as_typed = among(ids, self._postings.read(sources, "word", exact, coarse=coarse).records())
            return Held(ids, frequencies, self._columns.of(_length(plan), ids), as_typed)

        def make() -> Given:
            return self._given_of(self._held((sources[0].table, weights, exact), relation, text, read), plan)

        return self._remember((sources[0].table, relation, text, weights, plan.k1, plan.b, exact, plan.exact), make)

    def _held(self, key: tuple[object, ...], relation: str, text: str, read: Callable[[], Held]) -> Held:
        """Who holds a family of words. That lasts longer than what it gives: each commit changes how many records there are."""
        state = self._postings.family(relation, text).state
        cached = self._cache.get(("held", relation, text, *key), state)
        if cached is None:
            cached = read()
            # Where nobody writes, what is made of it lasts as long.
            if self._cache.commits:
                held = cached = cached.packed(self._columns.size)
                self._cache.put(("held", relation, text, *key), state, held, held.nbytes)
        return cast(Held, cached)

    def _remember(self, key: tuple[object, ...], make: Callable[[], Given]) -> Given:
        """What a term gives each record holds until the next commit: lengths, means and postings are then the same."""
        cached = self._cache.get(key, self._state)
        if cached is None:
            made = cached = make()
            self._cache.put(key, self._state, made, made.nbytes, made=True)
        return cast(Given, cached)

    def _is_wide(self, term: Term) -> bool:
        """Whether a beginning fits so many words that FTS5 finds the records faster than their postings are read one by one."""
        return term.prefix and not term.is_phrase and len(self._postings.family("prefix", term.words[0]).words) > MOST_WORDS

    def _relation(self, term: Term, word: str, *, stemmed: bool = True) -> tuple[str, str]:
        if term.prefix:
            return "prefix", word
        if len(word) == 1 and is_paired(word):
            return "contains", word
        if term.exact or not stemmed:
            return "word", word
        return "stem", self._stem(word)

    def _stem(self, word: str) -> str:
        stem = _stems.get(word)
        if stem is None:
            if len(_stems) >= _STEMS_KEPT:
                _stems.clear()
            stem = _stems[word] = stem_words(self._connection, [word])[0]
        return stem

    def _term_postings(self, term: Term, sources: tuple[Source, ...], *, stemmed: bool = True) -> Postings:
        names = sources == self._lanes.names
        if term.is_phrase or self._is_wide(term):
            columns = term.columns or (PLAIN_COLUMNS if term.is_phrase else COLUMNS)
            readable = ("name",) if names else tuple(str(column) for column in columns)
            return self._postings.phrase(sources, term.words, readable, prefix=term.prefix)
        postings = self._postings.read(sources, *self._relation(term, term.words[0], stemmed=stemmed))
        if term.columns and not names:
            # Alternates are not told apart by where they come from, so a named column answers with its words as they stand.
            numbers = [COLUMNS.index(column) for column in term.columns]
            postings = postings.only(numbers)
        return postings

    def _given(self, ids: Ids, frequencies: Values, plan: ListPlan) -> Given:
        return self._given_of(Held(ids, frequencies, self._columns.of(_length(plan), ids)), plan)

    def _given_of(self, held: Held, plan: ListPlan) -> Given:
        """What a term of weight one gives each record that holds it so often: BM25 of one word."""
        tells = idf(self._columns.count, len(held.ids))
        how = Formula(plan.b, self._columns.mean(_length(plan)), plan.k1, tells, plan.exact * tells)
        return given(held, how, self._columns.size)

    def _rank(self, asked: Sequence[Asked], plan: ListPlan, within: Mask | None) -> Ranking:
        """Adds up what each term gives each record."""
        least, size, cut = plan.least, self._columns.size, self._cut
        ids, scores, coverage, more, more_whole, entire = rank(asked, least, size, within, plan.front)
        if not more:
            return Ranking(ids, scores, coverage, cut, whole=entire)

        def of(handles: Handles) -> Ranking:
            wanted = np.asarray(handles, np.int64)
            return Ranking(*rank_some(asked, least, wanted if within is None else wanted[within[wanted]])[:3], cut)

        def whole() -> Ranking:
            return Ranking(*rank(asked, least, size, within, None)[:3], cut)

        return Ranking(ids, scores, coverage, cut, unlisted=Unlisted(more, more_whole, of, whole), whole=entire)

    def _containing(self, literal: str, plan: ListPlan) -> Given:
        """The records that contain a string, and how often."""
        wanted = demand(literal)
        if not wanted.certain or len(self._postings.family("contains", wanted.literal).words) > MOST_WORDS:
            return self._given(*self._verify(wanted, self._candidates(wanted) & self._columns.live), plan)

        def read() -> Given:
            postings = self._postings.read(self._lanes.text, "contains", wanted.literal)
            return self._given(*postings.only(_PLAIN_NUMBERS).frequencies([1.0] * len(COLUMNS)), plan)

        return self._remember(("containing", wanted.literal, plan.k1, plan.b), read)

    def _candidates(self, wanted: Demand) -> Mask:
        mask = np.ones(self._columns.size, np.bool_)
        for piece in wanted.pieces:
            if len(self._postings.family(piece.place, piece.text).words) > MOST_WORDS:
                continue
            postings = self._postings.read(self._lanes.text, piece.place, piece.text)
            holders = np.zeros(self._columns.size, np.bool_)
            holders[postings.only(_PLAIN_NUMBERS).records()] = True
            mask &= holders
        return mask

    def _verify(self, wanted: Demand, candidates: Mask) -> tuple[Ids, Values]:
        ids, counts = [], []
        places = np.flatnonzero(candidates)
        if len(places) > SCAN_LIMIT:
            self._cut = True
        for some in _slices(places[:SCAN_LIMIT]):
            for identity, record in rows.holding(self._connection, some.tolist(), wanted.literal):
                count = sum(count_in(wanted.literal, text) for text in _texts(self._schema, record))
                if count:
                    ids.append(identity)
                    counts.append(count)
        return np.asarray(ids, np.int64), np.asarray(counts, np.float64)


def _length(plan: ListPlan) -> str:
    return "names" if plan.lane is Lane.NAMES else "words"


def idf(records: int, holders: int) -> float:
    """How much a word tells: the rarer, the more."""
    return math.log(1 + (records - holders + 0.5) / (holders + 0.5))


def _texts(schema: Schema, record: Record) -> list[str]:
    """What can be found of a record: the texts its kind declares, as in the lanes."""
    return [record.text(field.name) for field in schema.kinds[record.kind].fields]


def _slices(ids: Ids, size: int = 500) -> list[Ids]:
    return [ids[start : start + size] for start in range(0, len(ids), size)]
