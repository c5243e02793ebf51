"""What else of the same file answers? Its hits speak for each other, and all but the best stand back for other files."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from dowse.model.request import Gathering, Scope, Texts
from dowse.ports import View
from dowse.search.joining import is_in
from dowse.search.window import Floats, Ids, Window, having, of_kinds

# What the others of a file add is at most what its best hit has: a file answers by what it says, not by how much there is of it. On
# judged code the bound costs nothing, half of it .008 (docs/ranking.md).
_MOST = 1.0


class _Gathered(NamedTuple):
    """The places of the hits of files with several, file by file and in each the best first; where each file begins among them; and
    the number of each hit in its file, from 0. ``files``: that of every hit of the window, 0 where it has none.
    """

    places: Ids
    starts: Ids
    numbers: Floats
    files: Ids

    @property
    def sizes(self) -> Ids:
        return np.diff(np.append(self.starts, len(self.places)))


def gather(view: View, window: Window, gathering: Gathering) -> Window:
    """Adds to the hits of a file what the others there are worth, then damps each but the best; less so in texts."""
    if not view.may_hold(gathering.kinds):
        return window
    found = _by_file(view, window, gathering)
    if not len(found.places):
        return window
    added = np.repeat(_said_together(window, found, gathering, gathering.share), found.sizes)
    texts = gathering.texts
    read = _are_texts(view, window, found.files, texts) if texts is not None else None
    if texts is None or read is None or not read[found.places].any():
        return _moved(window, found, added, gathering.repeat)
    return _texts_moved(window, found, gathering, texts, read, added)


def _texts_moved(
    window: Window, found: _Gathered, gathering: Gathering, texts: Texts, read: NDArray[np.bool_], added: Floats
) -> Window:
    """As ``_moved``, but for hits that are ``read`` as pieces of a text.

    Among themselves texts count by their best pieces, and long ones little more than short ones. The more else answers, the more
    all but the best of a text stand back for it; and beside it the best text counts for as much as it would by the rule for files.
    """
    scores, sizes = window.scores[found.places], found.sizes
    others = 1.0 - np.count_nonzero(read) / len(read)
    tops = np.repeat(scores[found.starts], sizes)
    spoken = np.repeat(_said_together(window, found, gathering, texts.share), sizes)
    in_text = read[found.places]
    lifted = spoken + (1.0 - others) * texts.pull * (tops - scores)
    moved = _moved(
        window,
        found,
        np.where(in_text, lifted, added),
        np.where(in_text, gathering.repeat**others, gathering.repeat),
    )
    if not others:
        return moved
    alone = float(window.scores[read].max())
    as_file, as_text = (max(alone, float((tops + more)[in_text].max())) for more in (added, spoken))
    at = np.flatnonzero(read) if as_file > as_text > 0 else found.places[:0]
    return moved.moved("text beside others", at, factors=as_file / (as_text or 1.0))


def _said_together(window: Window, found: _Gathered, gathering: Gathering, share: float) -> Floats:
    """For each file what its further hits add to each of them."""
    scores, numbers = window.scores[found.places], found.numbers
    best = float(window.scores.max()) or 1.0
    # A hit counts by its share of the best one of all: many weak ones are many chances, not much evidence.
    counts = (numbers > 0) & (numbers < gathering.members)
    worths = np.where(counts, share**numbers * scores**2 / best, 0.0)
    return np.minimum(np.add.reduceat(worths, found.starts), _MOST * scores[found.starts])


def _moved(window: Window, found: _Gathered, added: Floats, repeat: Floats | float) -> Window:
    """``repeat``: what a hit keeps of what the one before it in its file kept."""
    order = np.argsort(found.places)
    gathered = window.moved("same file", found.places[order], added[order])
    factors = repeat**found.numbers
    again = order[factors[order] != 1.0]
    return gathered.moved("file already shown", found.places[again], factors=factors[again])


def _by_file(view: View, window: Window, gathering: Gathering) -> _Gathered:
    """What only a link led to is no hit of its file."""
    files = np.asarray(view.containers(window.handles, gathering.kinds), np.int64)
    if window.via:
        files[is_in(np.array(sorted(window.via), np.int64), window.handles)] = 0
    if not files.any():
        return _Gathered(files[:0], files[:0], window.scores[:0], files)
    ranked = window.ranked(view)
    ranked = ranked[files[ranked] > 0]
    places = ranked[np.argsort(files[ranked], kind="stable")]
    begins = np.ones(len(places), np.bool_)
    np.not_equal(files[places[1:]], files[places[:-1]], out=begins[1:])
    starts = np.flatnonzero(begins)
    sizes = np.diff(np.append(starts, len(places)))
    several = np.repeat(sizes > 1, sizes)
    numbers = np.arange(len(places)) - np.repeat(starts, sizes)
    return _Gathered(places[several], np.flatnonzero(begins[several]), numbers[several].astype(np.float64), files)


def _are_texts(view: View, window: Window, files: Ids, texts: Texts) -> NDArray[np.bool_]:
    """Which hits of the window are pieces of a text, by their file or by themselves."""
    told = _are_among(view, of_kinds(texts.kinds), files)
    if texts.facet:
        told |= _are_among(view, having(texts.facet, texts.values), window.handles) & (files > 0)
    return told


def _are_among(view: View, scope: Scope, handles: Ids) -> NDArray[np.bool_]:
    some = view.select(scope)
    return (
        is_in(np.unique(np.asarray(view.among(some, handles), np.int64)), handles)
        if some.size
        else np.zeros(len(handles), np.bool_)
    )
