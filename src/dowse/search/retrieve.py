"""What does each list say? The only stage that asks the engine to match."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from dowse.errors import EmbeddingFailed, StorageError
from dowse.model.declaring import dataclass, replace
from dowse.model.ranking import Ranking
from dowse.model.request import Front, Intent, Lane, ListPlan, Mode, Plan
from dowse.model.terms import Query
from dowse.ports import Selection, View
from dowse.search.deriving import Derived
from dowse.search.joining import is_in, joined
from dowse.search.meaning import Meaning

# With fewer complete records than this the page would look empty although the workspace knows more: lists that fill up run,
# and records that hold most of the query are admitted. Fixed, so that ``limit`` never changes an answer.
ENOUGH = 20
SHORTEST_SUBSTRING = 3
# Strings of one character and of two that a search for strings takes: where there are 100,000 records, each of one character takes
# 0.6 seconds and each of two 0.03, so that none of these searches takes longer than ten. No sentence has as many.
MOST_SHORT = {1: 8, 2: 100}
# How many records meaning alone may bring. Fixed; past these, cosines of a good model and of chance look alike.
NEAREST = 200
# No list is bound to queries of up to more tokens than this.
MOST_BOUND = 100
# A shorter beginning fits too many words to mean any of them.
_SHORTEST_PREFIX = 3

Ids = NDArray[np.int64]
Floats = NDArray[np.float64]
_NOBODY, _NOTHING = np.empty(0, np.int64), np.empty(0)


@dataclass(frozen=True, slots=True)
class Retrieved:
    """A list that ran, and its answer."""

    plan: ListPlan
    ranking: Ranking


def retrieve(
    view: View, plan: Plan, within: Selection, meaning: Meaning, named: Sequence[int] = ()
) -> tuple[tuple[Retrieved, ...], tuple[str, ...]]:
    """Runs the lists of the plan, those that fill up only if needed; and says of each that could not run why not.

    ``named``: records that are looked at whatever the lists say.
    """
    turns = _turns(plan.lists, len(plan.query.literals))
    failed: list[str] = []
    found = _run_fronts(view, plan, turns, within, meaning, failed, named)
    # A letter or two stand in every text.
    if turns.filling and any(len(literal) >= SHORTEST_SUBSTRING for literal in plan.query.literals) and _complete(found) < ENOUGH:
        # What several lists find together is told from all that each of them finds.
        found = [Retrieved(item.plan, _whole(item.ranking)) for item in found]
        found += _run_all(view, plan, turns.filling, within, meaning, failed)
    if plan.mode is Mode.AUTO and plan.intent is Intent.KEYWORD and not plan.query.is_prose:
        found = _worded(found)
    missed = [item.ranking.lacking for item in found if item.ranking.lacking]
    return tuple(found), (*failed, *dict.fromkeys(missed)) if missed else tuple(failed)


def _worded(found: list[Retrieved]) -> list[Retrieved]:
    """Two words that stand nowhere are a name that nobody uses, and to a transformer any letters are close to something."""
    by_words = [item for item in found if item.plan.lane is not Lane.VECTORS]
    return found if any(len(item.ranking.handles) for item in by_words) else by_words


class _Turns(NamedTuple):
    """The lists that run, in their turn: whole ones, those of which the front is enough, and those that fill up."""

    whole: tuple[ListPlan, ...]
    fronted: tuple[ListPlan, ...]
    filling: tuple[ListPlan, ...]
    order: tuple[int, ...]
    """The order in which they are told, of the whole and the fronted ones as they ran."""


_Lists = tuple[ListPlan, ...]
_TURNS = Derived[_Lists, dict[int, _Turns]](lambda _: {})


def _turns(lists: _Lists, tokens: int) -> _Turns:
    known = _TURNS.of(lists)
    # More tokens than any list is bound to make no difference.
    number = min(tokens, MOST_BOUND + 1)
    if number not in known:
        running = [item for item in lists if item.tokens is None or tokens <= item.tokens]
        asked = [item for item in running if not item.fills]
        whole, fronted = [item for item in asked if item.front is None], [item for item in asked if item.front is not None]
        ran = [item.name for item in (*whole, *fronted)]
        order = tuple([ran.index(item.name) for item in asked])
        known[number] = _Turns(tuple(whole), tuple(fronted), tuple([item for item in running if item.fills]), order)
    return known[number]


def _run_fronts(
    view: View,
    plan: Plan,
    turns: _Turns,
    within: Selection,
    meaning: Meaning,
    failed: list[str],
    named: Sequence[int],
) -> list[Retrieved]:
    """Lists of which the front is enough come last: whom the others name is looked at as well, wherever it stands in them."""
    found = _run_all(view, plan, turns.whole, within, meaning, failed)
    if not turns.fronted:
        return found
    also, gains = _also(found, named)
    asked = [
        replace(item, front=Front(item.front.wanted, item.front.enough, also, gains if item.weight == 1.0 else gains / item.weight))
        for item in turns.fronted
        if item.front is not None
    ]
    found += _run_all(view, plan, asked, within, meaning, failed)
    if failed:
        order = [item.name for item in plan.lists]
        return sorted(found, key=lambda item: order.index(item.plan.name))
    return [found[place] for place in turns.order]


def _also(found: Sequence[Retrieved], named: Sequence[int]) -> tuple[Ids, Floats]:
    """Whom other lists name, ascending, and what they give each."""
    if not named and len(found) == 1 and found[0].plan.bonus:
        ranking = found[0].ranking
        return np.asarray(ranking.handles, np.int64), found[0].plan.weight * np.asarray(ranking.scores, np.float64)
    # What is close in meaning, or called so, is looked at wherever it stands.
    told = [
        (
            np.asarray(item.ranking.handles, np.int64),
            item.plan.weight * np.asarray(item.ranking.scores) if item.plan.bonus else None,
        )
        for item in found
        if len(item.ranking.handles)
    ]
    if not named and not told:
        return _NOBODY, _NOTHING
    also = joined((named, *(handles for handles, _ in told)))
    gains = np.zeros(len(also))
    for handles, gained in told:
        gains[np.searchsorted(also, handles)] += np.inf if gained is None else gained
    gains[np.searchsorted(also, named)] = np.inf
    return also, gains


def _run_all(
    view: View, plan: Plan, lists: Sequence[ListPlan], within: Selection, meaning: Meaning, failed: list[str]
) -> list[Retrieved]:
    """A list that cannot run does not take the others along; if none can, the error is the answer."""
    found = []
    for item in lists:
        try:
            found.append(_run(view, plan, item, within, meaning))
        except (StorageError, EmbeddingFailed) as error:
            failed.append(f"{item.name}: {error}")
            if len(failed) == len(plan.lists):
                raise
    return found


def _run(view: View, plan: Plan, item: ListPlan, within: Selection, meaning: Meaning) -> Retrieved:
    if item.lane is Lane.VECTORS:
        nearest = (
            view.nearest(meaning.vector, within, NEAREST, meaning.floor) if meaning.vector is not None else Ranking((), (), ())
        )
        return Retrieved(item, nearest)
    query = with_open_end(plan.query) if item.lane is Lane.PREFIX else plan.query
    ranking = view.match(query, item, within)
    return Retrieved(item, _only_complete(ranking) if item.lane is Lane.SUBSTRING else ranking)


def listing(ranking: Ranking, wanted: Ids) -> Ranking:
    """The list with some further records (given in ascending order), as far as it found them."""
    behind = ranking.unlisted
    missing = wanted[~is_in(ranking.handles, wanted)] if behind is not None else wanted[:0]
    if behind is None or not len(missing):
        return ranking
    found = behind.of(missing)
    handles = np.concatenate((ranking.handles, found.handles))
    order = np.argsort(handles)
    left = replace(
        behind,
        count=behind.count - len(found.handles),
        complete=behind.complete - int(np.count_nonzero(found.coverage >= 1.0)),
    )
    return replace(
        ranking,
        handles=handles[order],
        scores=np.concatenate((ranking.scores, found.scores))[order],
        coverage=np.concatenate((ranking.coverage, found.coverage))[order],
        unlisted=left,
    )


def _whole(ranking: Ranking) -> Ranking:
    return ranking if ranking.unlisted is None else ranking.unlisted.whole()


def _only_complete(ranking: Ranking) -> Ranking:
    """Most texts contain the letters of some short word somewhere: a string search means all of its strings."""
    kept = np.flatnonzero(np.asarray(ranking.coverage) >= 1.0)
    return replace(
        ranking,
        handles=np.asarray(ranking.handles)[kept],
        scores=np.asarray(ranking.scores)[kept],
        coverage=np.asarray(ranking.coverage)[kept],
    )


def with_open_end(query: Query) -> Query:
    """The query with its last word as the beginning of a word."""
    last = next((term for term in reversed(query.terms) if term.required), None)
    if last is None or last.is_phrase or last.prefix or len(last.words[0]) < _SHORTEST_PREFIX:
        return query
    opened = replace(last, prefix=True)
    return replace(query, terms=tuple(opened if term is last else term for term in query.terms))


def complete_of(ranking: Ranking) -> int:
    """How many records a list finds that hold everything."""
    if ranking.whole is not None:
        return ranking.whole
    listed = int(np.count_nonzero(np.asarray(ranking.coverage) >= 1.0))
    return listed + (ranking.unlisted.complete if ranking.unlisted is not None else 0)


def _complete(found: list[Retrieved]) -> int:
    """How many records some list finds complete. One list with enough of them settles it."""
    most = max([complete_of(item.ranking) for item in found], default=0)
    if most >= ENOUGH or len(found) < 2:
        return most
    return len(joined([np.asarray(item.ranking.handles)[np.asarray(item.ranking.coverage) >= 1.0] for item in found]))
