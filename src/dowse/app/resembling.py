"""What is like a record, and what else has to do with it? Its passages say what it means; where they do not, its words."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

import numpy as np

from dowse.app import walking
from dowse.domains.everything import EVERYTHING
from dowse.errors import InvalidRequest
from dowse.model.page import Hit, Page, Related, Relation
from dowse.model.passage import Vectors
from dowse.model.record import Edge, Record
from dowse.model.request import Lane, ListPlan, Mode, Scope, SearchRequest
from dowse.model.schema import Schema
from dowse.model.surface import Grammar
from dowse.model.terms import Query, Term
from dowse.ports import Direction, View
from dowse.search.illustrate import Illustrator
from dowse.search.pipeline import search
from dowse.search.plan import check_limit, check_scope
from dowse.text.stopwords import LIGHT_WORDS, STOP_WORDS
from dowse.text.words import plain_words

BY_WORDS = "vectors: this record has none, so what is like it was looked for by its title and its rarest words"

# Words are as they stand here: nothing in a record's text is meant as syntax.
_PLAIN = replace(EVERYTHING, grammar=Grammar.PLAIN)
_WORD = ListPlan("word", Lane.STEMS)
# How many words of a record are counted, from its beginning, and how many of the rarest are looked for.
_COUNTED = 60
_RAREST = 12
_SHORTEST = 3
# Asked for beyond what is shown, because some of the closest are the record's own parts; then twice as many, and so on.
_SPARE = 20
# Records beside one that are worth comparing with it.
_BESIDE = 500


def similar(view: View, record: Record, schema: Schema, *, limit: int, kinds: tuple[str, ...] = ()) -> Page:
    """A page of the records closest to one. Left out: itself, its parts, what it is part of, and what says the same once more."""
    check_limit(limit, limit, _PLAIN)
    scope = Scope(kinds=kinds)
    check_scope(scope, schema)
    vector = _meaning(view, record)
    if vector is None:
        return _by_words(view, record, schema, scope, limit)
    found = _closest(view, record, vector, scope, limit)
    handles = [handle or 0 for handle in view.handles([other.key for other, _ in found])]
    order = sorted(range(len(handles)), key=handles.__getitem__)
    told = zip(order, view.passages(vector, [handles[at] for at in order]), strict=True)
    passages = {found[at][0].key: passage for at, passage in told}
    illustrator = Illustrator(Query(""), {}, _PLAIN, literal=False)
    hits = tuple(
        Hit(other, score, rank, illustrator.excerpt(other, schema.kinds[other.kind], passages[other.key]), ("vectors",))
        for rank, (other, score) in enumerate(found, 1)
    )
    waiting = view.embedding.waiting
    partial = (f"vectors: {waiting:,} passages have none yet",) if waiting else ()
    return Page(hits, len(hits), 0, limit, lists=("vectors",), degraded=partial, generation=view.generation, updated=view.updated)


def related(view: View, record: Record, schema: Schema, limit: int) -> Related:
    """Everything that has to do with a record, each once, with every reason. ``limit``: of each reason."""
    if limit < 1:
        raise InvalidRequest(f"limit is {limit}; it must be 1 or more.")
    around = walking.neighbours(view, record.key, Direction.ALL, (), 1)
    backlinks = [(item.record, f"{_verb(item.edge)} this") for item in around if not item.forward]
    links = [(item.record, f"this {_verb(item.edge)} it") for item in around if item.forward]
    beside = [(item, "stands beside it") for item in _siblings(view, record, limit)]
    alike = similar(view, record, schema, limit=min(limit, _PLAIN.limit_max))
    close = [(hit.record, "says something alike") for hit in alike.hits]
    scores = {hit.record.key: hit.score for hit in alike.hits} if "vectors" in alike.lists else {}
    return Related(record.key, _merged([*backlinks[:limit], *links[:limit], *beside, *close], scores), alike.degraded)


def _verb(edge: Edge) -> str:
    return edge.kind.replace("_", " ")


def _merged(found: Iterable[tuple[Record, str]], scores: dict[str, float]) -> tuple[Relation, ...]:
    relations: dict[str, Relation] = {}
    for record, why in found:
        known = relations.get(record.key)
        reasons = (why,) if known is None else tuple(dict.fromkeys((*known.why, why)))
        relations[record.key] = Relation(record, reasons, scores.get(record.key))
    return tuple(relations.values())


def _meaning(view: View, record: Record) -> Vectors | None:
    """The middle of its passages; None if they say nothing."""
    (handle,) = view.handles([record.key])
    rows = view.meanings([handle])[0] if handle is not None and not record.deleted else None
    if rows is None or not len(rows):
        return None
    middle = np.asarray(rows, np.float32).mean(axis=0)
    length = float(np.linalg.norm(middle))
    return middle / length if length else None


def _closest(view: View, record: Record, vector: Vectors, scope: Scope, limit: int) -> list[tuple[Record, float]]:
    profile = view.embedding.profile
    within = view.select(scope)
    own = view.select(Scope(ancestor=record.key))
    above = {item.key for item in _above(view, record)}
    wanted = limit + _SPARE
    while True:
        ranking = view.nearest(vector, within, wanted, profile.floor if profile is not None else 0.0)
        scores = np.asarray(ranking.scores, np.float64)
        handles = np.asarray(ranking.handles, np.int64)
        others = [at for at in _best_first(view, handles, scores) if not view.holds(own, int(handles[at]))]
        records = view.fetch([int(handles[at]) for at in others])
        pairs = [(item, float(scores[at])) for item, at in zip(records, others, strict=True) if item.key not in above]
        kept = _apart(view, [(item, score) for item, score in pairs if item.key != record.key])
        if len(kept) >= limit or len(handles) < wanted:
            return kept[:limit]
        wanted *= 2


def _best_first(view: View, handles: Vectors, scores: Vectors) -> list[int]:
    """Places, the highest score first; equals in the order of their keys."""
    keyed = np.searchsorted(handles, np.asarray(view.order(handles), np.int64))
    return [int(at) for at in keyed[np.argsort(-scores[keyed], kind="stable")]]


def _apart(view: View, found: Sequence[tuple[Record, float]]) -> list[tuple[Record, float]]:
    """Without what is part of, or contains, something that stands before it: it would say the same once more."""
    kept: list[tuple[Record, float]] = []
    keys: set[str] = set()
    containers: set[str] = set()
    for record, score in found:
        above = {item.key for item in _above(view, record)}
        if keys.isdisjoint(above) and record.key not in containers:
            kept.append((record, score))
            keys.add(record.key)
            containers |= above
    return kept


def _above(view: View, record: Record) -> list[Record]:
    """What it is part of, the nearest first."""
    found: list[Record] = []
    seen = {record.key}
    parent = record.parent
    while parent is not None and parent not in seen:
        seen.add(parent)
        there = view.find([parent])
        if parent not in there:
            break
        found.append(there[parent])
        parent = there[parent].parent
    return found


def _siblings(view: View, record: Record, limit: int) -> list[Record]:
    """Records below the same one: the closest in meaning first, where that is known, else by title."""
    if record.parent is None:
        return []
    beside = np.asarray(view.recent(view.select(Scope(parents=(record.parent,)))).handles, np.int64)
    names = view.names(beside)
    titled = sorted((title, key, int(handle)) for handle, (key, title) in zip(beside, names, strict=True) if key != record.key)
    handles = np.sort(np.array([handle for _, _, handle in titled[:_BESIDE]], np.int64))
    vector = _meaning(view, record)
    close = dict(zip(handles.tolist(), view.similarity(vector, handles), strict=True)) if vector is not None else {}
    best = sorted(titled[:_BESIDE], key=lambda item: -float(close.get(item[2], 0.0)))
    return view.fetch([handle for _, _, handle in best[:limit]])


def _by_words(view: View, record: Record, schema: Schema, scope: Scope, limit: int) -> Page:
    text = " ".join([record.title, *_rarest(view, record)]).strip()
    if not text:
        return Page((), 0, 0, limit, degraded=(BY_WORDS,), generation=view.generation, updated=view.updated)
    wanted = min(limit + _SPARE, _PLAIN.limit_max)
    page = search(view, SearchRequest(text, scope, Mode.KEYWORD, limit=wanted), _PLAIN, schema)
    own = view.select(Scope(ancestor=record.key))
    above = {item.key for item in _above(view, record)} | {record.key}
    handles = view.handles([hit.record.key for hit in page.hits])
    others = [
        hit
        for hit, handle in zip(page.hits, handles, strict=True)
        if hit.record.key not in above and handle is not None and not view.holds(own, handle)
    ]
    hits = tuple(replace(hit, rank=rank) for rank, hit in enumerate(others[:limit], 1))
    return replace(page, hits=hits, total=len(hits), limit=limit, degraded=(BY_WORDS,))


def _rarest(view: View, record: Record) -> list[str]:
    """The words of a record that the fewest others have. One that nobody else has would find nothing."""
    words = dict.fromkeys(word for text in record.fields.values() for word in plain_words(text))
    telling = [word for word in words if len(word) >= _SHORTEST and word not in STOP_WORDS | LIGHT_WORDS][:_COUNTED]
    everywhere = view.select(Scope())
    counted = [(len(view.match(Query(word, (Term((word,)),)), _WORD, everywhere).handles), word) for word in telling]
    return [word for count, word in sorted(counted) if count > 1][:_RAREST]
