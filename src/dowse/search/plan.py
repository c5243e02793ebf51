"""What was asked → what will be done. After this nothing is left to decide."""

from dowse.errors import InvalidRequest, InvalidScope
from dowse.model.declaring import replace
from dowse.model.ranking import LEAST_SHARE
from dowse.model.request import ANYWHERE, Front, Fusion, Intent, Lane, ListPlan, Mode, Plan, Scope, SearchRequest
from dowse.model.schema import Schema
from dowse.model.surface import Surface
from dowse.model.terms import Query
from dowse.search.alike import LOOKED_AT
from dowse.search.deriving import Derived
from dowse.search.intent import describes
from dowse.search.retrieve import ENOUGH
from dowse.search.weigh import wanted
from dowse.search.window import WINDOW
from dowse.text.suggesting import is_encodable


def plan(request: SearchRequest, query: Query, intent: Intent, surface: Surface, schema: Schema, *, lacking: str = "") -> Plan:
    """Resolves a request against a surface. ``lacking``: why nothing can be found by meaning, if so."""
    mode = request.mode or surface.mode
    if mode not in surface.lists:
        raise InvalidRequest(f"{surface.name} has no mode {mode.value!r}; it has {', '.join(m.value for m in surface.lists)}.")
    limit, offset = check_limit(request.limit, surface.limit, surface), check_offset(request.offset)
    fronted = _is_front_enough(request, surface, offset + limit)
    asked = (fronted, mode, intent, _is_told(query), lacking)
    lists, degraded = _chosen(surface.lists[mode], asked)
    if not lists:
        # Asked for meaning alone, and there is none to be had: words answer, and the page says so.
        lists, _ = _chosen(surface.lists[Mode.KEYWORD], asked)
    scope = within_surface(request.scope, surface, schema)
    return Plan(
        query=query,
        scope=scope,
        intent=intent,
        mode=mode,
        lists=lists,
        fusion=surface.fusion,
        limit=limit,
        offset=offset,
        min_score=surface.min_score if request.min_score is None else request.min_score,
        expansion=request.expansion or surface.expansion,
        fold_kinds=surface.fold_kinds,
        nearness=surface.nearness,
        boosts=wanted(surface.boosts, query),
        gathering=surface.gathering,
        spreading=surface.spreading,
        nesting=surface.nesting,
        normalise=surface.normalise,
        degraded=degraded,
        explain=request.explain,
        count=_countable(request.count, schema) if request.count else (),
    )


def _countable(names: tuple[str, ...], schema: Schema) -> tuple[str, ...]:
    known = ("kind", "space", "tag", *_facets(tuple(schema.kinds), schema))
    for name in names:
        if name not in known:
            raise InvalidRequest(f"Hits cannot be counted by {name!r}; they can by {', '.join(known)}.")
    return names


def check_limit(limit: int | None, default: int, surface: Surface) -> int:
    if limit is None:
        return default
    if not 1 <= limit <= surface.limit_max:
        raise InvalidRequest(f"{surface.limit_name} is {limit}; it must be from 1 to {surface.limit_max}.")
    return limit


def check_offset(offset: int) -> int:
    if offset < 0:
        raise InvalidRequest(f"offset is {offset}; it must be 0 or more.")
    return offset


def check_scope(scope: Scope, schema: Schema) -> None:
    """Refuses what cannot exist. A scope is never silently ignored."""
    if not (scope.kinds or scope.spaces or scope.tags or scope.facets):
        return
    for kind in scope.kinds:
        if kind not in schema.kinds:
            raise InvalidScope(f"There is no kind {kind!r}; kinds are {', '.join(sorted(schema.kinds))}.")
    for text in (*scope.spaces, *scope.tags, *(value for values in scope.facets.values() for value in values)):
        if isinstance(text, str) and not is_encodable(text):
            raise InvalidScope(f"{text!a} is no valid Unicode.")
    kinds = scope.kinds or tuple(schema.kinds)
    for facet, values in scope.facets.items():
        declared = [schema.kinds[kind] for kind in kinds if facet in schema.kinds[kind].filters]
        # Kinds with facets of any name must be asked for outright: else a slip of the pen would find nothing, silently.
        is_open = any(schema.kinds[kind].open_facets for kind in scope.kinds)
        if not declared and not is_open:
            raise InvalidScope(f"No record here has a facet {facet!r}; facets are {', '.join(_facets(kinds, schema))}.")
        choices = {choice for kind in declared for choice in kind.choices.get(facet, ())}
        for value in values:
            if choices and value not in choices:
                raise InvalidScope(f"{facet} cannot be {value!r}; it is one of {', '.join(sorted(choices))}.")


def _facets(kinds: tuple[str, ...], schema: Schema) -> list[str]:
    return sorted({facet for kind in kinds for facet in schema.kinds[kind].filters})


def within_surface(scope: Scope, surface: Surface, schema: Schema) -> Scope:
    for kind in scope.kinds:
        if surface.kinds and kind in schema.kinds and kind not in surface.kinds:
            raise InvalidScope(f"{surface.name} does not search the kind {kind!r}; it searches {', '.join(surface.kinds)}.")
    narrowed = scope if scope.kinds or not surface.kinds else replace(scope, kinds=surface.kinds)
    if narrowed is not ANYWHERE:
        check_scope(narrowed, schema)
    return narrowed


def wants_meaning(request: SearchRequest, query: Query, intent: Intent, surface: Surface) -> bool:
    """Whether a list by meaning runs, if the query can be understood."""
    mode = request.mode or surface.mode
    # Nothing but stop words, on a surface that leaves them out, means nothing.
    for item in surface.lists.get(mode, ()) if query.terms else ():
        if item.lane is Lane.VECTORS and _is_meant(item, mode, intent, _is_told(query)):
            return True
    return False


def _is_told(query: Query) -> bool:
    """Whether the query says what it looks for, however few or many its words are, instead of naming it."""
    return query.is_prose or describes(query.text)


def _is_meant(item: ListPlan, mode: Mode, intent: Intent, is_told: bool) -> bool:
    """Whether a list by meaning has something to say: not where the query names something."""
    return mode is not Mode.AUTO or intent is not Intent.KEYWORD or (item.prose and is_told)


def _is_front_enough(request: SearchRequest, surface: Surface, end: int) -> bool:
    """Whether nobody asks for more than the hits that are looked at closely, which every page within them is made of."""
    told = request.explain or request.count or surface.normalise or surface.fold_kinds or request.expansion or surface.expansion
    least = surface.min_score if request.min_score is None else request.min_score
    looked_at = surface.fusion is Fusion.SCORE and surface.gathering is not None and end <= WINDOW - LOOKED_AT
    return looked_at and not told and not least > 0


def _runnable(
    lists: tuple[ListPlan, ...], mode: Mode, intent: Intent, is_told: bool, lacking: str
) -> tuple[tuple[ListPlan, ...], tuple[str, ...]]:
    """Leaves out the vector list where it cannot run (and says so), or where the query names something and needs none."""
    kept = []
    degraded: tuple[str, ...] = ()
    for item in lists:
        if item.lane is Lane.VECTORS:
            if not _is_meant(item, mode, intent, is_told):
                continue
            if lacking:
                degraded = (lacking,)
                continue
        kept.append(item)
    return tuple(kept), degraded


# What of a request decides which lists run: whether their front is enough, how it is asked, what it asks, whether it is prose, and
# why nothing can be found by meaning.
_Asked = tuple[bool, Mode, Intent, bool, str]


_Lists = tuple[ListPlan, ...]
_FRONT = Front(WINDOW, ENOUGH)


def _chosen(lists: _Lists, asked: _Asked) -> tuple[_Lists, tuple[str, ...]]:
    """The lists of a surface that run, and what is degraded for those that do not."""
    known = _CHOSEN.of(lists)
    if asked not in known:
        if len(known) >= _MOST_WAYS:
            known.clear()
        fronted, mode, intent, is_told, lacking = asked
        known[asked] = _runnable(_admitting(lists, fronted), mode, intent, is_told, lacking)
    return known[asked]


# Why nothing can be found by meaning is told in many words.
_MOST_WAYS = 64
_CHOSEN = Derived[_Lists, dict[_Asked, tuple[_Lists, tuple[str, ...]]]](lambda _: {})


def _admitting(lists: _Lists, fronted: bool) -> _Lists:
    """The lists with the share a record must hold, and whether the front of them is enough.

    A list that only adds may add little, and is read whole; what it adds to is admitted by others.
    """
    front = _FRONT if fronted else None
    return tuple(
        [
            item if item.bonus else replace(item, least=LEAST_SHARE, front=front if item.lane is Lane.STEMS else None)
            for item in lists
        ]
    )
