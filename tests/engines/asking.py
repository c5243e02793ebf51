"""How the contract suite writes to an engine and asks it."""

from collections.abc import Iterable

from dowse.model.change import Applied, Put
from dowse.model.ranking import Ranking
from dowse.model.record import Edge, Record
from dowse.model.request import Lane, ListPlan, Scope
from dowse.model.terms import Clause, Query, Term
from dowse.ports import Direction, Engine, View
from dowse.text.folding import fold
from dowse.text.words import plain_words

EVERYWHERE = Scope()
WORD_LANES = (Lane.STEMS, Lane.WORDS, Lane.NAMES, Lane.PREFIX)


def page(key: str, title: str = "", body: str = "", **more: object) -> Record:
    return Record(key, "page", title, {"body": body} if body else {}, **more)  # type: ignore[arg-type]


def note(key: str, body: str, parent: str) -> Record:
    return Record(key, "note", "", {"body": body}, parent=parent)


def put(engine: Engine, *records: Record) -> Applied:
    return engine.apply([Put(record) for record in records])


def asked(text: str, *, prefix: bool = False) -> Query:
    """Every word of the text is a term; the text as a whole is the string to look for."""
    return Query(text, tuple(Term((word,), prefix=prefix) for word in plain_words(text)), literals=(fold(text),))


def scores(
    engine: Engine, query: str | Query, lane: Lane = Lane.STEMS, scope: Scope = EVERYWHERE, **plan: object
) -> dict[str, float]:
    """What one list says, best first; equals by key."""
    with engine.view() as view:
        listed = ListPlan("list", lane, **plan)  # type: ignore[arg-type]
        ranking = view.match(asked(query) if isinstance(query, str) else query, listed, view.select(scope))
        found = by_key(view, ranking)
    return dict(sorted(found.items(), key=lambda item: (-item[1], item[0])))


def by_key(view: View, ranking: Ranking) -> dict[str, float]:
    records = view.fetch(ranking.handles)
    return {record.key: float(score) for record, score in zip(records, ranking.scores, strict=True)}


def found(engine: Engine, query: str | Query, lane: Lane = Lane.STEMS, scope: Scope = EVERYWHERE) -> list[str]:
    return list(scores(engine, query, lane, scope))


def coverage(engine: Engine, query: str | Query, lane: Lane = Lane.STEMS) -> dict[str, float]:
    with engine.view() as view:
        query = asked(query) if isinstance(query, str) else query
        ranking = view.match(query, ListPlan("list", lane), view.select(EVERYWHERE))
        return dict(zip((r.key for r in view.fetch(ranking.handles)), map(float, ranking.coverage), strict=True))


def selected(engine: Engine, scope: Scope = EVERYWHERE, clause: Clause | None = None, folds: tuple[str, ...] = ()) -> list[str]:
    """The keys a scope and a filter admit."""
    with engine.view() as view:
        within = view.select(scope, clause, folds)
        ranking = view.recent(within)
        keys = sorted(record.key for record in view.fetch(ranking.handles))
        assert within.size == len(keys)
        return keys


def get(engine: Engine, key: str) -> Record | None:
    with engine.view() as view:
        return view.find([key]).get(key)


def edges(engine: Engine, keys: Iterable[str], direction: Direction, *kinds: str) -> list[Edge]:
    with engine.view() as view:
        return view.edges(list(keys), direction, kinds)


def everything(engine: Engine) -> list[Record | Edge]:
    with engine.view() as view:
        return list(view.scan())
