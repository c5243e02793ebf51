"""Why does a record stand where it stands, or not at all?"""

import numpy as np

from dowse.model.declaring import replace
from dowse.model.ranking import Explanation, ListScore
from dowse.model.record import Record
from dowse.model.request import Lane, Plan, Scope, SearchRequest
from dowse.model.schema import Schema
from dowse.model.surface import Surface
from dowse.ports import Embedder, View
from dowse.search.paging import Place
from dowse.search.pipeline import rank
from dowse.search.retrieve import ENOUGH, Retrieved


def why_not(
    view: View, key: str, request: SearchRequest, surface: Surface, schema: Schema, embedder: Embedder | None = None
) -> Explanation:
    """The first reason that keeps a record from the answer, or its place in it."""
    record = view.find([key]).get(key)
    if record is None:
        return Explanation(key, False, f"No record has the id {key!r}.")
    if record.deleted:
        return Explanation(key, False, "The record is deleted. Restore it to find it again.")
    if record.is_placeholder:
        return Explanation(key, False, "The record is a placeholder; it only carries edges.")
    answer = rank(view, replace(request, offset=0, limit=surface.limit_max, explain=True), surface, schema, embedder)
    plan = answer.plan
    outside = _outside(view, record, plan)
    if outside:
        return Explanation(key, False, outside)
    handle = view.handles([key])[0]
    assert handle is not None
    missing = _missing(view, handle, plan)
    lists = _lists(answer.lists, handle)
    # A part is answered by its parent, if anything in it matches.
    answering = int(view.parents([handle], plan.fold_kinds)[0]) if plan.fold_kinds and lists else handle
    shown = next((number for number, place in enumerate(answer.places) if place.handle == answering), None)
    if shown is not None:
        return _shown(key, answer.places[shown], shown + 1, answer.total, lists, missing)
    instead = next((place.handle for place in answer.places if answering in place.copies), None)
    if instead is not None:
        ((other, _),) = view.names([instead])
        reason = f"{other!r} answers for it: it says the same, or stands within it."
        return Explanation(key, False, reason, lists=lists, missing=missing)
    fused = answer.folded.fused
    at = np.flatnonzero(fused.handles == answering)
    if not len(at):
        return Explanation(key, False, _unadmitted(missing, lists, plan, fused.relaxed), lists=lists, missing=missing)
    score, tier = fused.scores[at[0]], fused.tiers[at[0]]
    better = int(np.count_nonzero((fused.tiers < tier) | ((fused.tiers == tier) & (fused.scores > score))))
    if plan.expansion is not None:
        reason = f"It matches at place {better + 1}; only the best {plan.expansion.seeds} matches and what is near them answer."
        return Explanation(key, False, reason, score=float(score), lists=lists, missing=missing)
    reason = f"It is hit {better + 1} of {len(fused.handles)}.{_lacks(missing)}"
    return Explanation(key, True, reason, rank=better + 1, score=float(score), lists=lists, missing=missing)


def _shown(key: str, place: Place, rank: int, total: int, lists: tuple[ListScore, ...], missing: tuple[str, ...]) -> Explanation:
    if place.via:
        first, last = place.via[0], place.via[-1]
        start = first.edge.source if first.forward else first.edge.target
        reason = f"It is hit {rank}, reached from {start!r} along {last.edge.kind}."
        return Explanation(key, True, reason, rank=rank, score=place.score, signals=place.signals)
    reason = f"It is hit {rank} of {total}.{_lacks(missing)}"
    return Explanation(key, True, reason, rank=rank, score=place.score, lists=lists, signals=place.signals, missing=missing)


def _lacks(missing: tuple[str, ...]) -> str:
    return f" It lacks {', '.join(missing)}; records with every word stand before it." if missing else ""


def _outside(view: View, record: Record, plan: Plan) -> str:
    """Which part of the scope or the filter leaves the record out."""
    handle = view.handles([record.key])[0]
    assert handle is not None
    scope = plan.scope
    parts = {
        f"its kind is {record.kind}, not {' or '.join(scope.kinds)}": Scope(kinds=scope.kinds),
        f"its space is {record.space!r}, not {' or '.join(map(repr, scope.spaces))}": Scope(spaces=scope.spaces),
        f"it is not below {scope.ancestor!r}": Scope(ancestor=scope.ancestor),
        "it is not one of the records asked for": Scope(keys=scope.keys),
        "its parent is not the one asked for": Scope(parents=scope.parents),
        f"it has none of the tags {', '.join(scope.tags)}": Scope(tags=scope.tags),
        **{
            f"its {name} is {record.facets.get(name)!r}, not {' or '.join(map(repr, values))}": Scope(facets={name: values})
            for name, values in scope.facets.items()
        },
    }
    for reason, part in parts.items():
        if not view.holds(view.select(part, None, plan.fold_kinds), handle):
            return f"Out of scope: {reason}."
    if plan.query.filter is not None and not view.holds(view.select(Scope(), plan.query.filter), handle):
        return "The query excludes it: a phrase, field, AND or NOT of the query does not hold for it."
    return ""


def _missing(view: View, handle: int, plan: Plan) -> tuple[str, ...]:
    """The words of the query that the record does not hold in any list."""
    everywhere = view.select(Scope())
    by_words = [item for item in plan.lists if item.lane is not Lane.VECTORS]
    lacking = []
    for term in plan.query.terms:
        alone = replace(plan.query, terms=(term,), literals=term.words)
        if term.required and not any(handle in np.asarray(view.match(alone, item, everywhere).handles) for item in by_words):
            lacking.append(str(term))
    return tuple(lacking)


def _lists(lists: tuple[Retrieved, ...], handle: int) -> tuple[ListScore, ...]:
    found = []
    for item in lists:
        handles = np.asarray(item.ranking.handles)
        at = np.flatnonzero(handles == handle)
        if len(at):
            scores = np.asarray(item.ranking.scores)
            raw = float(scores[at[0]])
            found.append(ListScore(item.plan.name, int(np.count_nonzero(scores > raw)) + 1, raw, item.plan.weight * raw))
    return tuple(found)


def _unadmitted(missing: tuple[str, ...], lists: tuple[ListScore, ...], plan: Plan, relaxed: bool) -> str:
    if not plan.query.terms and not any(item.lane is Lane.SUBSTRING for item in plan.lists):
        return "The query has no words to look for."
    if not lists:
        return f"It holds none of the words: {', '.join(missing) or plan.query.text}."
    if missing and not relaxed:
        return f"It lacks {', '.join(missing)}; at least {ENOUGH} records hold every word, so those answer."
    if missing:
        return f"It lacks {', '.join(missing)}, which is most of what the query asks for."
    return f"Its score is below the least that counts, {plan.min_score}."
