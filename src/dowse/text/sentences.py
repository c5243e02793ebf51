"""Where can a long text be cut so that each part still reads? At the ends of sentences, with some overlap."""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Sequence

Span = tuple[int, int]

_END = re.compile(r"(?<=[.!?…])[\"')\]’”»*_]*\s+|[。！？｡]+[」』）”’]*\s*|\n[ \t]*\n\s*")
_ABBREVIATIONS = frozenset(
    "al approx art bzw ca cf ch col dept dr ed eds e.g eg eq esp est et etc ex fig figs gen hr i.e ie inc jr ltd mr mrs "
    "ms no nos nr op p pp prof rev sec sect sr st u.a usw viz vol vols vs z.b".split()
)
# How far back a word is looked at to tell whether it is an abbreviation.
_LONGEST_WORD = 12


def sentence_ends(text: str) -> list[int]:
    """The places where the next sentence or paragraph begins.

    >>> text = "See e.g. Dr. Who on p. 3. It costs 3.14 in all! Yes"
    >>> [text[:end].split()[-1] for end in sentence_ends(text)]
    ['3.', 'all!']
    """
    return [match.end() for match in _END.finditer(text) if match.end() < len(text) and _is_end(text, match)]


def split(text: str, limit: int, overlap: int, whole: Sequence[Span] = ()) -> list[Span]:
    """The text in stretches of at most ``limit`` characters, each beginning up to ``overlap`` before the last one ended.

    Every character is in some stretch. No cut falls inside a span of ``whole`` (sorted, apart): one that is longer than the limit
    makes a longer stretch.

    >>> [("One two. Three four. Five six.")[a:b] for a, b in split("One two. Three four. Five six.", 22, 12)]
    ['One two. Three four. ', 'Three four. Five six.']
    """
    ends = _outside(sentence_ends(text), whole) if len(text) > limit else []
    starts = [span[0] for span in whole]
    spans: list[Span] = []
    start = done = 0
    while len(text) - start > limit:
        cut = _cut(text, start, done, limit, ends, whole, starts)
        if cut <= done and start < done:
            # What comes next does not fit behind the overlap.
            start = done
            continue
        spans.append((start, cut))
        start, done = _begin(start, cut, overlap, ends), cut
    if done < len(text) or not spans:
        spans.append((start, len(text)))
    return spans


def _is_end(text: str, match: re.Match[str]) -> bool:
    before = text[match.start() - 1] if match.start() else ""
    if before not in (".", "…") or "\n\n" in match[0]:
        return True
    following = text[match.end()]
    # Sentences begin with a capital, a digit or a script that has no case.
    if following.islower():
        return False
    word = text[max(0, match.start() - _LONGEST_WORD) : match.start() - 1].split()[-1:]
    name = word[0].lstrip("(\"'[*_").lower() if word else ""
    return name not in _ABBREVIATIONS and not (len(name) == 1 and name.isalpha())


def _outside(ends: list[int], whole: Sequence[Span]) -> list[int]:
    kept: list[int] = []
    at = 0
    for end in ends:
        while at < len(whole) and whole[at][1] <= end:
            at += 1
        if at == len(whole) or end <= whole[at][0]:
            kept.append(end)
    return sorted({*kept, *(place for span in whole for place in span)} - {0})


def _cut(text: str, start: int, done: int, limit: int, ends: list[int], whole: Sequence[Span], starts: list[int]) -> int:
    """The last good place within the limit; with none, a line, a word, or any place, but never inside a whole."""
    least = max(start, done)
    found = bisect_right(ends, start + limit) - 1
    # A sentence end in the first quarter would leave a crumb; a line end further on is better.
    if found >= 0 and ends[found] > max(least, start + limit // 4):
        return ends[found]
    cut = max(text.rfind("\n", least, start + limit) + 1, 0)
    if cut <= least:
        cut = text.rfind(" ", least, start + limit) + 1
    if cut <= least:
        cut = start + limit
    span = _around(cut, whole, starts)
    if span is None:
        return cut
    return span[0] if span[0] > least else done if start < done and span[0] >= done else min(span[1], len(text))


def _around(place: int, whole: Sequence[Span], starts: list[int]) -> Span | None:
    number = bisect_left(starts, place) - 1
    return whole[number] if number >= 0 and whole[number][0] < place < whole[number][1] else None


def _begin(start: int, cut: int, overlap: int, ends: list[int]) -> int:
    """Where the next stretch begins: at the first sentence of the overlap, or at the cut."""
    found = bisect_left(ends, max(cut - overlap, start + 1))
    return min(ends[found], cut) if found < len(ends) else cut
