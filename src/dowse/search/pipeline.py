"""The read path: parse → intent → plan → retrieve → fuse → fold → look → weigh → spread → echo → gather → expand → cut → show."""

from collections.abc import Mapping, Sequence

import numpy as np

from dowse.errors import InvalidQuery
from dowse.model.declaring import replace
from dowse.model.page import Page
from dowse.model.request import Boost, Fusion, Mode, Plan, SearchRequest
from dowse.model.schema import Schema
from dowse.model.surface import Blank, Surface
from dowse.model.terms import Query
from dowse.ports import Direction, Embedder, Selection, View
from dowse.search.alike import fold_alike
from dowse.search.correct import corrected, corrections
from dowse.search.cut import cut
from dowse.search.define import definitions
from dowse.search.deriving import Derived
from dowse.search.echo import echo
from dowse.search.expand import expand
from dowse.search.fold import Folded, fold
from dowse.search.fuse import fuse
from dowse.search.gather import gather
from dowse.search.intent import intent
from dowse.search.joining import is_in
from dowse.search.meaning import NOT_ASKED, Meaning, understand
from dowse.search.paging import Answer, Place, empty, listed, page
from dowse.search.parse import parse
from dowse.search.plan import plan, wants_meaning
from dowse.search.rescore import rescore
from dowse.search.retrieve import MOST_SHORT, SHORTEST_SUBSTRING, Retrieved, retrieve
from dowse.search.spread import spread
from dowse.search.weigh import weigh
from dowse.search.window import Window, by_meaning, look, nearness_tells, settle


def search(
    view: View,
    request: SearchRequest,
    surface: Surface,
    schema: Schema,
    embedder: Embedder | None = None,
    second: Embedder | None = None,
) -> Page:
    """One page of the answer. Without an embedder, by words alone. ``second``: scores the best hits anew."""
    if request.query is None and surface.lists_all:
        return listed(view, request, surface, schema)
    if not (request.query or "").strip():
        if surface.blank is Blank.ERROR:
            raise InvalidQuery("The query is blank. Type at least one word.")
        return empty(request, surface)
    answer = rank(view, request, surface, schema, embedder, second)
    return page(view, answer, surface, schema)


def rank(
    view: View,
    request: SearchRequest,
    surface: Surface,
    schema: Schema,
    embedder: Embedder | None = None,
    second: Embedder | None = None,
    *,
    as_typed: bool = False,
) -> Answer:
    """Who stands where on the page, without reading a single text for it. ``as_typed``: no word is taken for another."""
    text = request.query or ""
    query = parse(text, surface.grammar, keep_lone_stop_words=surface.lone_stop_words)
    resolved, meaning = _planned(view, request, query, surface, schema, embedder)
    if resolved.mode is Mode.SUBSTRING:
        _refuse_short(resolved, surface)
    within = view.select(resolved.scope, query.filter, resolved.fold_kinds)
    named = _named(view, resolved)
    lists, failed = retrieve(view, resolved, within, meaning, sorted(named))
    resolved = replace(resolved, degraded=(*resolved.degraded, *failed)) if failed else resolved
    if resolved.mode in surface.corrects and not as_typed and (meant := corrections(view, query, lists, within)):
        asked = replace(request, query=corrected(text, meant))
        return replace(rank(view, asked, surface, schema, embedder, second, as_typed=True), corrected=meant)
    fused = fuse(lists, resolved.fusion, view.order)
    if resolved.normalise and fused.ceiling:
        fused = replace(fused, scores=fused.scores / fused.ceiling)
    if resolved.min_score > 0:
        fused = fused.at(np.flatnonzero(fused.scores >= resolved.min_score))
    folded = fold(fused, view, resolved.fold_kinds)
    if resolved.expansion is not None:
        places = _expanded(view, folded, resolved, schema, within)
        shown = tuple(places[resolved.offset : resolved.offset + resolved.limit])
        return Answer(resolved, lists, folded, shown, len(places), meaning, meaning.passing or bool(failed))
    window = _weighed(view, folded, resolved, lists, meaning, named, schema, within, second)
    if window is not None and window.lacking:
        resolved = replace(resolved, degraded=(*resolved.degraded, window.lacking))
    passing = meaning.passing or bool(failed) or (window is not None and bool(window.lacking))
    if window is None:
        places = _cut(view, folded, resolved.offset, resolved.limit)
        return Answer(resolved, lists, folded, tuple(places), len(folded.parts), meaning, passing)
    behind = folded.fused.behind.count if folded.fused.behind is not None else 0
    total = len(folded.parts) + behind + len(window.via) - len(window.gone)
    places = _in_window(view, window, resolved)
    if len(places) < min(resolved.limit, total - resolved.offset):
        places = [
            _placed(window, resolved.explain, place.handle, place.part, place.score)
            for place in _cut(view, settle(folded, window), resolved.offset, resolved.limit)
        ]
    return Answer(resolved, lists, folded, tuple(places), total, meaning, passing, window)


def _planned(
    view: View, request: SearchRequest, query: Query, surface: Surface, schema: Schema, embedder: Embedder | None
) -> tuple[Plan, Meaning]:
    """The plan, and what the query means where the plan asks for that. What cannot be had is left out, and said."""
    wanted = intent(query.text)
    if not wants_meaning(request, query, wanted, surface):
        return plan(request, query, wanted, surface, schema), NOT_ASKED
    meaning = understand(query, view, embedder)
    resolved = plan(request, query, wanted, surface, schema, lacking=meaning.lacking)
    return replace(resolved, degraded=(*resolved.degraded, meaning.partial)) if meaning.partial else resolved, meaning


def _named(view: View, plan: Plan) -> dict[int, float]:
    """Who is called what the query names, where that counts."""
    counts = plan.fusion is Fusion.SCORE and _NAMES_TELL.of(plan.boosts)
    return definitions(view, plan.query) if counts else {}


_NAMES_TELL = Derived[tuple[Boost, ...], bool](lambda boosts: any(boost.when == "definition" for boost in boosts))


def _refuse_short(plan: Plan, surface: Surface) -> None:
    lengths = [len(token) for token in plan.query.literals]
    if surface.substring_needs_trigram and all(length < SHORTEST_SUBSTRING for length in lengths):
        raise InvalidQuery(
            f"Substring search needs a token of at least {SHORTEST_SUBSTRING} characters; {plan.query.text.strip()!r} has none."
            " Type more, or use another mode."
        )
    for length, most in MOST_SHORT.items():
        if lengths.count(length) > most:
            raise InvalidQuery(
                f"Substring search takes at most {most} tokens of length {length}, not {lengths.count(length)}: each stands in"
                " most texts. Put what belongs together between quotes, or use another mode."
            )


def _in_window(view: View, window: Window, plan: Plan) -> list[Place]:
    """The page as far as it lies within the window, which stands before everything else."""
    offset, limit = plan.offset, plan.limit
    shown = window.ranked(view, offset + limit + len(window.gone), last=True)
    if window.gone:
        shown = shown[~is_in(np.array(sorted(window.gone), np.int64), window.handles[shown])]
    shown = shown[offset : offset + limit]
    handles, scores = window.handles[shown].tolist(), window.scores[shown].tolist()
    parts = handles if window.parts is window.handles else window.parts[shown].tolist()
    if not (plan.explain or window.via or window.gone):
        return list(map(Place, handles, parts, scores))
    return [_placed(window, plan.explain, *item) for item in zip(handles, parts, scores, strict=True)]


def _cut(view: View, folded: Folded, offset: int, limit: int) -> list[Place]:
    fused = folded.fused
    at = cut(fused.handles, fused.scores, fused.tiers, view.order, offset, limit)
    found = zip(fused.handles[at].tolist(), folded.parts[at].tolist(), fused.scores[at].tolist(), strict=True)
    return [Place(*item) for item in found]


def _placed(window: Window, explained: bool, handle: int, part: int, score: float) -> Place:
    """A hit with what the window knows of it."""
    return Place(
        handle,
        part,
        score,
        signals=window.signals(handle) if explained else (),
        meant=window.meant.get(handle),
        unworded=handle in window.unworded,
        via=window.via.get(handle, ()),
        copies=tuple(gone for gone, answering in window.gone.items() if answering == handle),
    )


def _weighed(
    view: View,
    folded: Folded,
    plan: Plan,
    lists: Sequence[Retrieved],
    meaning: Meaning,
    named: Mapping[int, float],
    schema: Schema,
    within: Selection,
    second: Embedder | None = None,
) -> Window | None:
    """The best hits after everything that speaks for or against them; None where the surface has nothing to say."""
    telling = plan.boosts or plan.gathering or plan.spreading or nearness_tells(plan) or meaning.vector is not None
    if plan.fusion is Fusion.RRF or not telling:
        return None
    meant = by_meaning(lists)
    window = look(view, folded, plan, lists, meant, meaning, named)
    close = meant.plan if meant is not None else None
    if second is not None and close is not None:
        window = rescore(view, window, close, plan.query, meaning, second)
    if plan.boosts:
        window = weigh(view, window, plan)
    if plan.spreading is not None:
        window = spread(view, window, folded.fused, plan.spreading, schema.edges, within)
    if close is not None:
        window = echo(view, window, close, meaning, plan.gathering.kinds if plan.gathering is not None else ())
    if plan.gathering is not None:
        window = gather(view, window, plan.gathering)
    if plan.nesting is not None:
        window = fold_alike(view, window, plan.nesting)
    return window


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
