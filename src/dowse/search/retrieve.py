"""What does each list say? The only stage that asks the engine to match."""

from dataclasses import dataclass, replace

import numpy as np

from dowse.errors import EmbeddingFailed, StorageError
from dowse.model.ranking import Ranking
from dowse.model.request import Lane, ListPlan, Plan
from dowse.model.terms import Query
from dowse.ports import Selection, View
from dowse.search.joining import joined
from dowse.search.meaning import Meaning

# With fewer complete records than this the page would look empty although the workspace knows more: lists that fill up run,
# and records that hold most of the query are admitted. Fixed, so that ``limit`` never changes an answer.
ENOUGH = 20
SHORTEST_SUBSTRING = 3
# How many records meaning alone may bring. Fixed; past these, cosines of a good model and of chance look alike.
NEAREST = 200
# A shorter beginning fits too many words to mean any of them.
_SHORTEST_PREFIX = 3


@dataclass(frozen=True, slots=True)
class Retrieved:
    """A list that ran, and its answer."""

    plan: ListPlan
    ranking: Ranking


def retrieve(view: View, plan: Plan, within: Selection, meaning: Meaning) -> tuple[tuple[Retrieved, ...], tuple[str, ...]]:
    """Runs the lists of the plan, those that fill up only if needed; and says of each that could not run why not."""
    tokens = len(plan.query.literals)
    lists = [item for item in plan.lists if item.tokens is None or tokens <= item.tokens]
    failed: list[str] = []
    found = _run_all(view, plan, [item for item in lists if not item.fills], within, meaning, failed)
    filling = [item for item in lists if item.fills]
    # A letter or two stand in every text.
    telling = any(len(literal) >= SHORTEST_SUBSTRING for literal in plan.query.literals)
    if filling and telling and _complete(found) < ENOUGH:
        found += _run_all(view, plan, filling, within, meaning, failed)
    return tuple(found), tuple(failed)


def _run_all(
    view: View, plan: Plan, lists: list[ListPlan], within: Selection, meaning: Meaning, failed: list[str]
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


def _complete(found: list[Retrieved]) -> int:
    """How many records some list finds complete. One list with enough of them settles it."""
    handles = [np.asarray(item.ranking.handles)[np.asarray(item.ranking.coverage) >= 1.0] for item in found]
    most = max(map(len, handles), default=0)
    return most if most >= ENOUGH or len(handles) < 2 else len(joined(handles))
