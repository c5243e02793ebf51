"""Which part of a text shows best why it matched?"""

import re
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from dowse.text.folding import fold_with_offsets
from dowse.text.words import is_paired, run_spans, runs

# A text is looked at this far; nobody reads an excerpt from the tenth megabyte, and a page must not wait for it.
_FARTHEST = 400_000
# A string without a break counts as one word per so many characters.
_LONGEST_SHOWN = 40
_ENDLESS = re.compile(rf"[A-Za-z0-9_]{{{_LONGEST_SHOWN + 1}}}")

# Weights that differ by less than a millionth are the same.
_PRECISION = 1_000_000


class Match(NamedTuple):
    """A stretch of text that counts as one term of the query."""

    start: int
    end: int
    term: int


class Window(NamedTuple):
    """The chosen stretch and what to mark in it, as places in the whole text."""

    start: int
    end: int
    marks: tuple[tuple[int, int], ...]


def find_words(text: str, forms: Mapping[str, int]) -> list[Match]:
    """Where the words stand. ``forms`` maps each word that counts to the number of its term."""
    found = []
    for at, run in _speaking(text[:_FARTHEST], forms):
        for start, end, word in run_spans(run):
            if word in forms:
                found.append(Match(at + start, at + end, forms[word]))
    return found


def _speaking(text: str, forms: Mapping[str, int]) -> list[tuple[int, str]]:
    """The runs that may hold one of the words, in order. In plain text only those are looked at where a word's letters stand."""
    if not text.isascii():
        return [(run.start(), run[0]) for run in runs(text)]
    lowered = text.lower()
    joined = lowered.replace("_", "") if "_" in lowered else lowered
    found: set[int] = set()
    places: list[tuple[int, int]] = []
    across = False
    for form in forms:
        if form not in joined:
            continue
        places = places or _places(text)
        across = across or (joined is not lowered and joined.count(form) > lowered.count(form))
        at = lowered.find(form)
        while at >= 0:
            number = bisect_right(places, (at, len(text))) - 1
            found.add(number)
            at = lowered.find(form, places[number][1])
    if across:
        # One stands somewhere across underscores: get_name is also getname.
        found.update(number for number, (start, end) in enumerate(places) if text.find("_", start, end) >= 0)
    return [(places[number][0], text[slice(*places[number])]) for number in sorted(found)]


@lru_cache(maxsize=8)
def _places(text: str) -> list[tuple[int, int]]:
    """Where the runs stand. Asked for twice of each text that is shown: to find words in it, and to choose the stretch."""
    return [match.span() for match in runs(text)]


def find_literals(text: str, literals: Sequence[str], first: int = 0) -> list[Match]:
    """Where folded strings stand. They count as terms from ``first`` on."""
    folded, offsets = fold_with_offsets(text[:_FARTHEST])
    found = []
    for number, literal in enumerate(literals, first):
        at = folded.find(literal)
        while literal and at >= 0:
            end = at + len(literal)
            found.append(Match(offsets[at], max(offsets[end - 1] + 1, offsets[end]) if end < len(offsets) else len(text), number))
            at = folded.find(literal, end)
    return found


def choose(text: str, matches: Sequence[Match], weights: Sequence[float], words: int) -> Window:
    """The window of about ``words`` words with the most weight of different terms, then most matches; the earliest of equals."""
    places = _word_places(text[:_FARTHEST])
    if len(places) <= words:
        return Window(0, len(text), merge(matches)) if len(text) <= _FARTHEST else Window(0, _FARTHEST, merge(matches))
    if not matches:
        return Window(_line_start(text, places[0][0]), places[words - 1][1], ())
    ordered = sorted(matches)
    first, last = _best_span(ordered, places, weights, words)
    start, end = _centre(places, first, last, words)
    begin = 0 if start == 0 else places[start][0]
    finish = len(text) if end == len(places) and len(text) <= _FARTHEST else places[end - 1][1]
    # A match that is longer than the window is marked as far as it is shown.
    inside = [
        Match(max(match.start, begin), min(match.end, finish), match.term)
        for match in ordered
        if match.start < finish and match.end > begin
    ]
    return Window(begin, finish, merge(inside))


def merge(matches: Sequence[Match]) -> tuple[tuple[int, int], ...]:
    """Marks that touch or overlap become one."""
    joined: list[tuple[int, int]] = []
    for start, end, _ in sorted(matches):
        if joined and start <= joined[-1][1]:
            joined[-1] = (joined[-1][0], max(joined[-1][1], end))
        else:
            joined.append((start, end))
    return tuple(joined)


def _word_places(text: str) -> list[tuple[int, int]]:
    """Words as a reader counts them: unspaced scripts in pairs of characters, endless strings in pieces."""
    return _places(text) if text.isascii() and not _ENDLESS.search(text) else list(_cut_places(text))


def _cut_places(text: str) -> Iterator[tuple[int, int]]:
    for match in runs(text):
        start, end = match.span()
        if end - start <= _LONGEST_SHOWN and match[0].isascii():
            yield start, end
            continue
        step = _LONGEST_SHOWN if match[0].isascii() or not any(map(is_paired, match[0])) else 2
        for at in range(start, end, step):
            yield at, min(at + step, end)


def _best_span(matches: list[Match], places: list[tuple[int, int]], weights: Sequence[float], words: int) -> tuple[int, int]:
    """The first and last word of the best group of matches that fits the window."""
    far = places[-1][1] + 1
    numbers = [max(0, bisect_right(places, (match.start, far)) - 1) for match in matches]
    best, best_worth = (numbers[0], numbers[0]), (-1, 0)
    # Whole numbers, so that adding and taking away weights in another order cannot tip the choice.
    whole = [round(weight * _PRECISION) for weight in weights]
    counts = [0] * len(weights)
    worth = 0
    left = 0
    for right, match in enumerate(matches):
        if not counts[match.term]:
            worth += whole[match.term]
        counts[match.term] += 1
        while numbers[right] - numbers[left] >= words:
            leaving = matches[left].term
            counts[leaving] -= 1
            if not counts[leaving]:
                worth -= whole[leaving]
            left += 1
        if (worth, right - left) > best_worth:
            best, best_worth = (numbers[left], numbers[right]), (worth, right - left)
    return best


def _centre(places: list[tuple[int, int]], first: int, last: int, words: int) -> tuple[int, int]:
    spare = words - (last - first + 1)
    start = max(0, first - spare // 3)
    end = min(len(places), start + words)
    return max(0, end - words), end


def _line_start(text: str, place: int) -> int:
    return 0 if not text[:place].strip() else place
