"""The read path, top to bottom: parse → intent → plan → retrieve → fuse → fold → weigh → expand → cut → illustrate."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from dowse.errors import InvalidQuery
from dowse.model.page import Hit, Page, Step
from dowse.model.ranking import Handles, ListScore, Signal
from dowse.model.record import Record
from dowse.model.request import Lane, Mode, Plan, SearchRequest
from dowse.model.schema import Schema
from dowse.model.surface import Blank, Surface
from dowse.model.terms import Query
from dowse.ports import Direction, Selection, View
from dowse.search.cut import cut
from dowse.search.expand import expand
from dowse.search.fold import Folded, fold
from dowse.search.fuse import contributions, fuse, ranks
from dowse.search.illustrate import Illustrator
from dowse.search.intent import intent
from dowse.search.listing import browse
from dowse.search.parse import parse
from dowse.search.plan import check_limit, check_offset, plan, within_surface
from dowse.search.retrieve import SHORTEST_SUBSTRING, Retrieved, retrieve
from dowse.search.weigh import WINDOW, telling, weigh


@dataclass(frozen=True, slots=True)
class Answer:
    """A search before it is illustrated: who stands where, and why."""

    plan: Plan
    lists: tuple[Retrieved, ...]
    folded: Folded
    places: tuple["Place", ...]
    total: int


@dataclass(frozen=True, slots=True)
class Place:
    """One hit to be: the answering record, the record that matched, and its score."""

    handle: int
    part: int
    score: float
    signals: tuple[Signal, ...] = ()
    via: tuple[Step, ...] = ()


def search(view: View, request: SearchRequest, surface: Surface, schema: Schema, *, vectors: bool = False) -> Page:
    """One page of the answer."""
    if request.query is None and surface.lists_all:
        return _listed(view, request, surface, schema)
    if not (request.query or "").strip():
        if surface.blank is Blank.ERROR:
            raise InvalidQuery("The query is blank. Type at least one word.")
        return _empty(request, surface)
    answer = rank(view, request, surface, schema, vectors=vectors)
    return _page(view, answer, surface, schema)


def rank(view: View, request: SearchRequest, surface: Surface, schema: Schema, *, vectors: bool = False) -> Answer:
    """Who stands where on the page, without reading a single text for it."""
    text = request.query or ""
    query = parse(text, surface.grammar, keep_lone_stop_words=surface.lone_stop_words)
    resolved = plan(request, query, intent(text), surface, schema, vectors=vectors)
    _refuse_short(resolved, surface)
    within = view.select(resolved.scope, query.filter, resolved.fold_kinds)
    lists, failed = retrieve(view, resolved, within)
    resolved = replace(resolved, degraded=(*resolved.degraded, *failed)) if failed else resolved
    fused = fuse(lists, resolved.fusion, view.order)
    if resolved.normalise and fused.ceiling:
        fused = replace(fused, scores=fused.scores / fused.ceiling)
    if resolved.min_score > 0:
        fused = fused.at(np.flatnonzero(fused.scores >= resolved.min_score))
    folded = fold(fused, view, resolved.fold_kinds)
    if resolved.expansion is not None:
        places = _expanded(view, folded, resolved, schema, within)
        return Answer(resolved, lists, folded, tuple(places[resolved.offset : resolved.offset + resolved.limit]), len(places))
    resolved = replace(resolved, boosts=telling(view, resolved.boosts)) if resolved.boosts else resolved
    if not resolved.boosts and not _nearness_tells(resolved):
        places = _cut(view, folded, resolved.offset, resolved.limit)
    else:
        places = _weighed(view, folded, resolved)
    return Answer(resolved, lists, folded, tuple(places), len(folded.fused.handles))


def _refuse_short(plan: Plan, surface: Surface) -> None:
    short = all(len(token) < SHORTEST_SUBSTRING for token in plan.query.literals)
    if plan.mode is Mode.SUBSTRING and surface.substring_needs_trigram and short:
        raise InvalidQuery(
            f"Substring search needs a token of at least {SHORTEST_SUBSTRING} characters; {plan.query.text.strip()!r} has none."
            " Type more, or use another mode."
        )


def _cut(view: View, folded: Folded, offset: int, limit: int) -> list[Place]:
    fused = folded.fused
    at = cut(fused.handles, fused.scores, fused.tiers, view.order, offset, limit)
    return [Place(int(fused.handles[i]), int(folded.parts[i]), float(fused.scores[i])) for i in at]


def _nearness_tells(plan: Plan) -> bool:
    return plan.nearness > 0 and sum(term.required and not term.is_phrase for term in plan.query.terms) > 1


def _weighed(view: View, folded: Folded, plan: Plan) -> list[Place]:
    """The window in its weighed order, and behind it the rest as it was."""
    end = plan.offset + plan.limit
    window = _nearer(view, _window(view, folded), plan)
    places = _boosted(view, window, plan)
    rest = _cut(view, folded, max(WINDOW, plan.offset), end - max(WINDOW, plan.offset)) if end > WINDOW else []
    return places + rest


def _window(view: View, folded: Folded) -> Folded:
    """The best hits, in ascending order of handle."""
    fused = folded.fused
    at = np.sort(cut(fused.handles, fused.scores, fused.tiers, view.order, 0, WINDOW))
    return Folded(fused.at(at), folded.parts[at])


def _nearer(view: View, folded: Folded, plan: Plan) -> Folded:
    """Adds what it is worth that the words stand close together in the record that matched."""
    text = next((item for item in plan.lists if item.lane is Lane.STEMS), None)
    if text is None or not _nearness_tells(plan) or not len(folded.parts):
        return folded
    order = np.argsort(folded.parts)
    near = np.empty(len(order))
    near[order] = np.asarray(view.near(plan.query, text, folded.parts[order]))
    return replace(folded, fused=replace(folded.fused, scores=folded.fused.scores + plan.nearness * near))


def _boosted(view: View, window: Folded, plan: Plan) -> list[Place]:
    """The part of the window that is on the page, after every declared reason."""
    fused = window.fused
    weighed = weigh(view, fused.handles, fused.scores.tolist(), plan.boosts, plan.query)
    moved = replace(window, fused=replace(fused, scores=np.array([item.score for item in weighed])))
    places = _cut(view, moved, plan.offset, min(plan.offset + plan.limit, WINDOW) - plan.offset)
    signals = {int(handle): item.signals for handle, item in zip(fused.handles, weighed, strict=True) if item.signals}
    return [replace(place, signals=signals[place.handle]) if place.handle in signals else place for place in places]


def _expanded(view: View, folded: Folded, plan: Plan, schema: Schema, within: Selection) -> list[Place]:
    """The best hits, and behind them their neighbours: a neighbour never takes a hit's place, whatever the limit."""
    assert plan.expansion is not None
    seeds = _cut(view, folded, 0, plan.expansion.seeds)
    records = view.fetch([place.handle for place in seeds])
    scores = {record.key: place.score for record, place in zip(records, seeds, strict=True)}
    reached = expand(scores, lambda keys: view.edges(keys, Direction.ALL), schema.edges, plan.expansion, plan.min_score)
    handles = view.handles([item.key for item in reached])
    neighbours = [
        Place(handle, handle, item.score, via=item.via)
        for item, handle in zip(reached, handles, strict=True)
        if handle is not None and view.holds(within, handle)
    ]
    return [*seeds, *neighbours]


def _page(view: View, answer: Answer, surface: Surface, schema: Schema) -> Page:
    plan = answer.plan
    forms = view.forms(plan.query.terms)
    literal = any(item.plan.lane is Lane.SUBSTRING for item in answer.lists)
    illustrator = Illustrator(plan.query, forms, surface, literal=literal)
    records = view.fetch([place.handle for place in answer.places])
    parts = view.fetch([place.part for place in answer.places]) if plan.fold_kinds else records
    parents = _companions(view, records, surface)
    explained = _explain(view, answer) if plan.explain else {}
    hits = []
    for number, (place, record, part) in enumerate(zip(answer.places, records, parts, strict=True)):
        excerpt = illustrator.excerpt(part, schema.kinds[part.kind])
        hits.append(
            Hit(
                record=record,
                score=place.score,
                rank=plan.offset + number + 1,
                excerpt=excerpt,
                matched_in=_matched_in(answer.lists, place),
                lists=explained.get(place.part, ()) if not place.via else (),
                signals=place.signals,
                via=place.via,
                parent=parents.get(record.key),
                part=part if place.part != place.handle else None,
            )
        )
    return Page(
        hits=tuple(hits),
        total=answer.total,
        offset=plan.offset,
        limit=plan.limit,
        relaxed=answer.folded.fused.relaxed,
        truncated=any(item.ranking.truncated for item in answer.lists),
        intent=plan.intent.value,
        lists=tuple(item.plan.name for item in answer.lists),
        degraded=plan.degraded,
        ignored=plan.query.ignored,
        generation=view.generation,
        updated=view.updated,
    )


def _matched_in(lists: Sequence[Retrieved], place: Place) -> tuple[str, ...]:
    return tuple(item.plan.name for item in lists if not place.via and _index(item.ranking.handles, place.part) is not None)


def _explain(view: View, answer: Answer) -> dict[int, tuple[ListScore, ...]]:
    """For each part on the page what every list said of it."""
    wanted = [place.part for place in answer.places]
    found: dict[int, list[ListScore]] = {handle: [] for handle in wanted}
    ceiling = answer.folded.fused.ceiling if answer.plan.normalise else 1.0
    for item in answer.lists:
        places = ranks(item, view.order)
        shares = contributions(item, answer.plan.fusion, view.order)
        for handle in wanted:
            at = _index(item.ranking.handles, handle)
            if at is not None:
                share = float(shares[at]) / (ceiling or 1.0)
                found[handle].append(ListScore(item.plan.name, int(places[at]), float(item.ranking.scores[at]), share))
    return {handle: tuple(items) for handle, items in found.items()}


def _index(handles: Handles, handle: int) -> int | None:
    array = np.asarray(handles)
    at = int(np.searchsorted(array, handle))
    return at if at < len(array) and array[at] == handle else None


def _listed(view: View, request: SearchRequest, surface: Surface, schema: Schema) -> Page:
    """No query: everything in scope, latest first."""
    limit = check_limit(request.limit, surface.list_limit, surface)
    listing = browse(view, within_surface(request.scope, surface, schema), schema, limit, request.offset)
    parents = _companions(view, listing.records, surface)
    illustrator = Illustrator(Query(""), {}, surface, literal=False)
    hits = tuple(
        Hit(
            record,
            0.0,
            request.offset + at,
            illustrator.excerpt(record, schema.kinds[record.kind]),
            parent=parents.get(record.key),
        )
        for at, record in enumerate(listing.records, 1)
    )
    return Page(hits, listing.total, request.offset, limit, generation=view.generation, updated=view.updated)


def _companions(view: View, records: Sequence[Record], surface: Surface) -> dict[str, Record]:
    """For each record the one it brings along: its parent, or the library its space belongs to."""
    if not surface.companion:
        return {}
    by_space = surface.companion == "space"
    wanted = {record.key: record.space.partition("@")[0] if by_space else record.parent or "" for record in records}
    found = view.find(set(wanted.values()))
    return {key: found[companion] for key, companion in wanted.items() if companion in found}


def _empty(request: SearchRequest, surface: Surface) -> Page:
    limit = check_limit(request.limit, surface.limit, surface)
    return Page((), 0, check_offset(request.offset), limit)


__all__ = ["Answer", "Place", "rank", "search"]
