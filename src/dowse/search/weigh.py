"""Which declared reasons move a hit? What each adds, then the factors, on the hits of the window."""

from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache

import numpy as np

from dowse.model.request import Boost, Gathering, Plan
from dowse.model.terms import Query
from dowse.ports import View
from dowse.search.deriving import Derived
from dowse.search.intent import asks_how
from dowse.search.joining import is_in, joined
from dowse.search.window import Floats, Ids, Window, having, of_kinds
from dowse.text.folding import fold
from dowse.text.naming import defining, file_words, names_in, parts_of, said_in
from dowse.text.stopwords import STOP_WORDS

# Texts that are read to see what they define: the first pages.
_READ = 50
# Seconds, and days.
_DAY = 86_400.0
_MONTH = 30.0
# Among more words than one types, a file's name stands by chance: the more of them, the less it tells (docs/ranking.md).
_TYPED = 12
# Trust is told from 0 to this.
_MOST_TRUSTED = 10.0

# The places of the hits a reason holds for, ascending, and how much it holds for each.
_Strengths = tuple[Ids, Floats]
_NOWHERE = np.empty(0, np.int64)
_NOTHING = np.empty(0)


def weigh(view: View, window: Window, plan: Plan) -> Window:
    """The window after every reason that applies."""
    for boost in _ADDED_FIRST.of(view.concerning(plan.boosts)):
        at, strengths = _TESTS[boost.when](view, window, boost, plan)
        if len(at) and boost.facet and boost.when != "facet":
            at, strengths = _narrowed(view, window, boost, plan, at, strengths)
        if len(at):
            window = window.moved(boost.name, at, boost.add * strengths, boost.factor)
    return window


_Boosts = tuple[Boost, ...]
_ADDED_FIRST = Derived[_Boosts, _Boosts](lambda boosts: tuple(sorted(boosts, key=lambda item: item.factor != 1.0)))
_SWITCHES = Derived[_Boosts, frozenset[str]](lambda boosts: frozenset([word for boost in boosts for word in boost.unless]))


def wanted(boosts: _Boosts, query: Query) -> tuple[Boost, ...]:
    """The reasons that count for a query: who asks for tests wants tests."""
    words = [word for term in query.terms for word in term.words]
    if _SWITCHES.of(boosts).isdisjoint(words):
        return boosts
    return tuple([boost for boost in boosts if not boost.unless or set(boost.unless).isdisjoint(words)])


def _narrowed(view: View, window: Window, boost: Boost, plan: Plan, at: Ids, strengths: Floats) -> _Strengths:
    """Those of the hits that have the facet, too."""
    kept = is_in(_having(view, window, boost, plan)[0], at)
    return at[kept], strengths[kept]


def _having(view: View, window: Window, boost: Boost, plan: Plan) -> _Strengths:
    """The hits that have the facet. Where no record has it, nobody needs to look."""
    del plan
    some = view.select(having(boost.facet, boost.values))
    if not some.size:
        return _NOWHERE, _NOTHING
    at = np.searchsorted(window.handles, np.asarray(view.among(some, window.handles), np.int64))
    return at, np.ones(len(at))


def _titled(view: View, window: Window, boost: Boost, plan: Plan) -> _Strengths:
    del boost
    named = fold(plan.query.text).strip()
    return _holding(fold(title).strip() == named for _, title in view.names(window.handles))


def _defining(view: View, window: Window, boost: Boost, plan: Plan) -> _Strengths:
    del view, boost, plan
    if not window.named:
        return _NOWHERE, _NOTHING
    named = sorted(window.named)
    handles = np.array(named, np.int64)
    there = is_in(window.handles, handles)
    return np.searchsorted(window.handles, handles[there]), np.array([window.named[handle] for handle in named])[there]


def _defining_text(view: View, window: Window, boost: Boost, plan: Plan) -> _Strengths:
    """Hits whose text defines what a question names: code that nobody took apart says so in its own words."""
    del boost
    named = names_in(plan.query.text) if len(plan.query.text.split()) > 1 else ()
    if not named:
        return _NOWHERE, _NOTHING
    pattern = defining(named)
    best = np.sort(window.ranked(view, _READ))
    records = view.fetch(window.handles[best])
    at, strengths = _holding(any(map(pattern.search, record.fields.values())) for record in records)
    return best[at], strengths


def _recent(view: View, window: Window, boost: Boost, plan: Plan) -> _Strengths:
    """Half as much for every month that others changed later, in whole days: the order of writing within a day tells nothing."""
    del plan
    ranking = view.recent(view.select(of_kinds(boost.kinds)), window.handles)
    if len(ranking.handles) < 2:
        return _NOWHERE, _NOTHING
    times = np.asarray(ranking.scores, np.float64)
    first, last = times.item(times.argmin()) // _DAY, times.item(times.argmax()) // _DAY
    if first == last:
        return _NOWHERE, _NOTHING
    days = times // _DAY
    return np.searchsorted(window.handles, np.asarray(ranking.handles, np.int64)), np.exp2((days - last) / _MONTH)


def _trusted(view: View, window: Window, boost: Boost, plan: Plan) -> _Strengths:
    """How much less the library of a hit is trusted than the most trusted one that answers."""
    del plan
    containers = np.asarray(view.containers(window.handles, boost.kinds), np.int64)
    if not containers.any():
        return _NOWHERE, _NOTHING
    at = np.flatnonzero(containers)
    libraries = joined((containers[at],))
    if len(libraries) < 2:
        return _NOWHERE, _NOTHING
    trusts = np.array([float(str(record.facets.get("trust") or 0.0)) for record in view.fetch(libraries)])
    less = (trusts - trusts.max()) / _MOST_TRUSTED
    strengths = less[np.searchsorted(libraries, containers[at])]
    return at[strengths < 0], strengths[strengths < 0]


def _instructing(view: View, window: Window, boost: Boost, plan: Plan) -> _Strengths:
    """The hits of the kinds that tell people what to do, where the query asks that."""
    if not asks_how(plan.query.text):
        return _NOWHERE, _NOTHING
    telling = view.among(view.select(of_kinds(boost.kinds)), window.handles)
    at = np.searchsorted(window.handles, np.asarray(telling, np.int64))
    return at, np.ones(len(at))


def _in_named_file(view: View, window: Window, boost: Boost, plan: Plan) -> _Strengths:
    """How much of its file's name the query says, squared: half a name is a word that happens to be in it.

    Of a report only the headline counts. Somewhere below it stand the words of most files' names.
    """
    del boost
    kinds = (plan.gathering or Gathering((), 0, 0, 0)).kinds
    containers = np.asarray(view.containers(window.handles, kinds), np.int64)
    if not containers.any():
        return _NOWHERE, _NOTHING
    files = joined((containers[containers > 0],))
    words = frozenset(parts_of(plan.query.headline or plan.query.text)) - STOP_WORDS
    says, tells = said_in(words), min(1.0, _TYPED / max(len(words), 1))
    shares = np.array([0.0, *(tells * says(_file_words(*name)) ** 2 for name in view.names(files.tolist()))])
    strengths = shares[np.where(containers > 0, 1 + np.searchsorted(files, containers), 0)]
    at = np.flatnonzero(strengths)
    return at, strengths[at]


@lru_cache(maxsize=8192)
def _file_words(key: str, title: str) -> tuple[str, ...]:
    return file_words(key.rpartition(":")[2] if key.endswith(title) else title)


def _holding(tests: Iterable[bool]) -> _Strengths:
    at = np.flatnonzero(np.fromiter(tests, np.bool_))
    return at, np.ones(len(at))


_TESTS: Mapping[str, Callable[[View, Window, Boost, Plan], _Strengths]] = {
    "facet": _having,
    "title": _titled,
    "definition": _defining,
    "defining text": _defining_text,
    "file name": _in_named_file,
    "how to": _instructing,
    "recent": _recent,
    "trust": _trusted,
}
