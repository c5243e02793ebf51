"""Which declared reasons move a hit? What each adds, then the factors, on the hits of the window."""

from collections.abc import Callable, Mapping, Sequence

import numpy as np

from dowse.model.ranking import Handles, Signal
from dowse.model.request import Boost, Gathering, Plan, Scope
from dowse.model.terms import Query
from dowse.ports import View
from dowse.search.joining import is_in
from dowse.search.window import Window
from dowse.text.folding import fold
from dowse.text.naming import defining, file_words, names_in, parts_of, share_named
from dowse.text.stopwords import STOP_WORDS

# Texts that are read to see what they define: the first pages.
_READ = 50
# Seconds, and days.
_DAY = 86_400.0
_MONTH = 30.0


def weigh(view: View, window: Window, plan: Plan) -> Window:
    """The window after every reason that applies."""
    for boost in sorted(plan.boosts, key=lambda item: item.factor != 1.0):
        window = _moved(window, boost, _strengths(view, window, boost, plan))
    return window


def wanted(boosts: Sequence[Boost], query: Query) -> tuple[Boost, ...]:
    """The reasons that count for a query: who asks for tests wants tests."""
    words = {word for term in query.terms for word in term.words}
    return tuple(boost for boost in boosts if words.isdisjoint(boost.unless))


def _moved(window: Window, boost: Boost, strengths: Mapping[int, float]) -> Window:
    if not strengths:
        return window
    concerned = np.array(sorted(strengths), np.int64)
    concerned = concerned[is_in(window.handles, concerned)]
    at = np.searchsorted(window.handles, concerned)
    added = boost.add * np.array([strengths[handle] for handle in concerned.tolist()])
    scores = window.scores.copy()
    scores[at] = (scores[at] + added) * boost.factor
    signals = dict(window.signals)
    for handle, more in zip(concerned.tolist(), added.tolist(), strict=True):
        signals[handle] = (*signals.get(handle, ()), Signal(boost.name, boost.factor, more))
    return window.rescored(scores, signals)


def _strengths(view: View, window: Window, boost: Boost, plan: Plan) -> Mapping[int, float]:
    """For each hit how much the reason holds; hits it does not hold for are left out."""
    strengths = _TESTS[boost.when](view, window, boost, plan)
    return {handle: strengths[handle] for handle in _having(view, boost, list(strengths))} if boost.facet else strengths


def _having(view: View, boost: Boost, handles: Handles) -> list[int]:
    """Those of the records that have the facet. Where no record has it, nobody needs to look."""
    having = view.select(Scope(facets={boost.facet: boost.values}))
    return [int(handle) for handle in view.among(having, handles)] if having.size and len(handles) else []


def _always(view: View, window: Window, boost: Boost, plan: Plan) -> Mapping[int, float]:
    del plan
    return dict.fromkeys(_having(view, boost, window.handles), 1.0)


def _titled(view: View, window: Window, boost: Boost, plan: Plan) -> Mapping[int, float]:
    del boost
    named = fold(plan.query.text).strip()
    titles = zip(window.handles.tolist(), view.names(window.handles), strict=True)
    return {handle: 1.0 for handle, (_, title) in titles if fold(title).strip() == named}


def _defining(view: View, window: Window, boost: Boost, plan: Plan) -> Mapping[int, float]:
    del view, boost, plan
    return window.named


def _defining_text(view: View, window: Window, boost: Boost, plan: Plan) -> Mapping[int, float]:
    """Hits whose text defines what a question names: code that nobody took apart says so in its own words."""
    del boost
    named = names_in(plan.query.text)
    if not named or len(plan.query.text.split()) == 1:
        return {}
    pattern = defining(named)
    best = window.handles[window.ranked(view, _READ)]
    records = zip(best.tolist(), view.fetch(best), strict=True)
    return {handle: 1.0 for handle, record in records if any(map(pattern.search, record.fields.values()))}


def _recent(view: View, window: Window, boost: Boost, plan: Plan) -> Mapping[int, float]:
    """Half as much for every month that others changed later, in whole days: the order of writing within a day tells nothing."""
    del plan
    ranking = view.recent(view.select(Scope(kinds=boost.kinds)), window.handles)
    handles, days = np.asarray(ranking.handles, np.int64), np.asarray(ranking.scores, np.float64) // _DAY
    if not len(days) or days.min() == days.max():
        return {}
    return dict(zip(handles.tolist(), np.exp2((days - days.max()) / _MONTH).tolist(), strict=True))


def _in_named_file(view: View, window: Window, boost: Boost, plan: Plan) -> Mapping[int, float]:
    """How much of its file's name the query says, squared: half a name is a word that happens to be in it."""
    del boost
    said = set(parts_of(plan.query.text)) - STOP_WORDS
    kinds = (plan.gathering or Gathering((), 0, 0, 0)).kinds
    containers = [int(handle) for handle in view.containers(window.handles, kinds)]
    files = sorted({handle for handle in containers if handle})
    shares = {
        file: share_named(file_words(key.rpartition(":")[2] if key.endswith(title) else title), said) ** 2
        for file, (key, title) in zip(files, view.names(files), strict=True)
    }
    named = {file: share for file, share in shares.items() if share}
    return {handle: named[file] for handle, file in zip(window.handles.tolist(), containers, strict=True) if file in named}


_TESTS: Mapping[str, Callable[[View, Window, Boost, Plan], Mapping[int, float]]] = {
    "facet": _always,
    "title": _titled,
    "definition": _defining,
    "defining text": _defining_text,
    "file name": _in_named_file,
    "recent": _recent,
}
