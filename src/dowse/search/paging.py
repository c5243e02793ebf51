"""What does the caller get of an answer? A page: records, excerpts, and what every list said, of the hits that are shown alone."""

from collections.abc import Mapping, Sequence
from dataclasses import field
from typing import NamedTuple

import numpy as np

from dowse.model.declaring import dataclass
from dowse.model.page import Hit, Page, Step
from dowse.model.passage import Passage
from dowse.model.ranking import Handles, ListScore, Signal
from dowse.model.record import Record
from dowse.model.request import Lane, Plan, SearchRequest
from dowse.model.schema import Schema
from dowse.model.surface import Surface
from dowse.model.terms import Query
from dowse.ports import View
from dowse.search.fold import Folded
from dowse.search.fuse import contributions, ranks
from dowse.search.illustrate import Illustrator
from dowse.search.joining import is_in, joined
from dowse.search.listing import browse
from dowse.search.meaning import Meaning
from dowse.search.plan import check_limit, check_offset, within_surface
from dowse.search.retrieve import Retrieved, listing
from dowse.search.window import Window, settle

# Values of one facet that are counted: more than anyone would choose from.
MOST_COUNTED = 50


class Place(NamedTuple):
    """One hit to be: the answering record, the record that matched, and its score."""

    handle: int
    part: int
    score: float
    signals: tuple[Signal, ...] = ()
    meant: float | None = None
    """What the list by meaning gave it, where that is not its weight times the cosine."""
    unworded: bool = False
    """Its words were too few to count."""
    via: tuple[Step, ...] = ()
    copies: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Answer:
    """A search before it is illustrated: who stands where, and why."""

    plan: Plan
    lists: tuple[Retrieved, ...]
    admitted: Folded
    """Everyone who answers, as the lists left them."""
    places: tuple[Place, ...]
    total: int
    meaning: Meaning
    passing: bool = False
    window: Window | None = None
    corrected: Mapping[str, str] = field(default_factory=dict)
    """Words that stand nowhere, and what was looked for instead."""

    @property
    def folded(self) -> Folded:
        """Everyone who answers, in the order that holds for every page. A page within the window does without it."""
        return self.admitted if self.window is None else settle(self.admitted, self.window)


def page(view: View, answer: Answer, surface: Surface, schema: Schema) -> Page:
    plan = answer.plan
    forms = view.forms(plan.query.terms)
    literal = any(item.plan.lane is Lane.SUBSTRING for item in answer.lists)
    illustrator = Illustrator(plan.query, forms, surface, literal=literal)
    records = view.fetch([place.handle for place in answer.places])
    parts = view.fetch([place.part for place in answer.places]) if plan.fold_kinds else records
    parents = _companions(view, records, surface)
    explained = _explain(view, answer) if plan.explain else {}
    passages = _passages(view, answer)
    matched = _matched_in(answer)
    hits = []
    for number, (place, record, part) in enumerate(zip(answer.places, records, parts, strict=True)):
        excerpt = illustrator.excerpt(part, schema.kinds[part.kind], passages.get(place.part))
        hits.append(
            Hit(
                record=record,
                score=place.score,
                rank=plan.offset + number + 1,
                excerpt=excerpt,
                matched_in=matched[number],
                lists=explained.get(place.part, ()) if not place.via else (),
                signals=place.signals,
                via=place.via,
                parent=parents.get(record.key),
                part=part if place.part != place.handle else None,
                copies=tuple(key for key, _ in view.names(place.copies)) if place.copies else (),
            )
        )
    return Page(
        hits=tuple(hits),
        total=answer.total,
        offset=plan.offset,
        limit=plan.limit,
        relaxed=answer.admitted.fused.relaxed,
        truncated=any(item.ranking.truncated for item in answer.lists),
        intent=plan.intent.value,
        lists=tuple(item.plan.name for item in answer.lists),
        degraded=plan.degraded,
        ignored=plan.query.ignored,
        corrected=answer.corrected,
        passing=answer.passing,
        generation=view.generation,
        updated=view.updated,
        counts=_counts(view, answer.folded.fused.handles, plan.count) if plan.count else None,
    )


def listed(view: View, request: SearchRequest, surface: Surface, schema: Schema) -> Page:
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


def empty(request: SearchRequest, surface: Surface) -> Page:
    limit = check_limit(request.limit, surface.limit, surface)
    return Page((), 0, check_offset(request.offset), limit)


def _counts(view: View, handles: Handles, names: tuple[str, ...]) -> dict[str, dict[str, int]]:
    counted = {}
    for name in names:
        found = sorted(view.counts(handles, name).items(), key=lambda item: (-item[1], item[0]))
        counted[name] = dict(found[:MOST_COUNTED])
    return counted


def _passages(view: View, answer: Answer) -> dict[int, Passage]:
    """For each hit of the page the passage that is closest to what the query means, where lists by meaning ran."""
    if answer.meaning.vector is None:
        return {}
    parts = sorted({place.part for place in answer.places if not place.via})
    found = zip(parts, view.passages(answer.meaning.vector, parts), strict=True)
    return {part: passage for part, passage in found if passage is not None}


def _matched_in(answer: Answer) -> list[tuple[str, ...]]:
    """For each hit of the page the lists that name it."""
    parts = np.array([0 if place.via else place.part for place in answer.places], np.int64)
    wanted = joined((parts[parts > 0],))
    told = [(item.plan.name, np.asarray(listing(item.ranking, wanted).handles, np.int64)) for item in answer.lists]
    named = [(name, is_in(handles, parts).tolist()) for name, handles in told]
    return [tuple(name for name, there in named if there[at]) for at in range(len(parts))]


def _explain(view: View, answer: Answer) -> dict[int, tuple[ListScore, ...]]:
    """For each part on the page what every list said of it."""
    meant = {place.part: place.meant for place in answer.places if place.meant is not None}
    unworded = {place.part for place in answer.places if place.unworded}
    wanted = [place.part for place in answer.places]
    found: dict[int, list[ListScore]] = {handle: [] for handle in wanted}
    ceiling = answer.admitted.fused.ceiling if answer.plan.normalise else 1.0
    for item in answer.lists:
        places = ranks(item, view.order)
        shares = contributions(item, answer.plan.fusion, view.order, answer.admitted.fused.unit)
        for handle in wanted:
            at = _index(item.ranking.handles, handle)
            if at is not None:
                share = float(shares[at]) / (ceiling or 1.0)
                if item.plan.lane is Lane.VECTORS:
                    share = meant.get(handle, share)
                elif handle in unworded:
                    share = 0.0
                found[handle].append(ListScore(item.plan.name, int(places[at]), float(item.ranking.scores[at]), share))
    return {handle: tuple(items) for handle, items in found.items()}


def _index(handles: Handles, handle: int) -> int | None:
    array = np.asarray(handles)
    at = int(np.searchsorted(array, handle))
    return at if at < len(array) and array[at] == handle else None


def _companions(view: View, records: Sequence[Record], surface: Surface) -> dict[str, Record]:
    """For each record the one it brings along: its parent, or the library its space belongs to."""
    if not surface.companion:
        return {}
    by_space = surface.companion == "space"
    wanted = {record.key: record.space.partition("@")[0] if by_space else record.parent or "" for record in records}
    found = view.find(set(wanted.values()))
    return {key: found[companion] for key, companion in wanted.items() if companion in found}
