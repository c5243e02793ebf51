"""Which part of a text shows best why it matched?"""

from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from dowse.text.folding import fold_with_offsets
from dowse.text.words import is_paired, run_spans, runs

# A text is looked at this far; nobody reads an excerpt from the tenth megabyte, and a page must not wait for it.
_FARTHEST = 400_000
# A string without a break counts as one word per so many characters.
_LONGEST_SHOWN = 40


@dataclass(frozen=True, slots=True)
class Match:
    """A stretch of text that counts as one term of the query."""

    start: int
    end: int
    term: int


@dataclass(frozen=True, slots=True)
class Window:
    """The chosen stretch and what to mark in it, as places in the whole text."""

    start: int
    end: int
    marks: tuple[tuple[int, int], ...]


def find_words(text: str, forms: Mapping[str, int]) -> list[Match]:
    """Where the words stand. ``forms`` maps each word that counts to the number of its term."""
    found = []
    for run in runs(text[:_FARTHEST]):
        for start, end, word in run_spans(run[0]):
            if word in forms:
                at = run.start()
                found.append(Match(at + start, at + end, forms[word]))
    return found


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
    places = list(_word_places(text[:_FARTHEST]))
    if len(places) <= words:
        return Window(0, len(text), merge(matches)) if len(text) <= _FARTHEST else Window(0, _FARTHEST, merge(matches))
    if not matches:
        return Window(_line_start(text, places[0][0]), places[words - 1][1], ())
    ordered = sorted(matches, key=lambda match: (match.start, match.end))
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
    for match in sorted(matches, key=lambda match: (match.start, match.end)):
        if joined and match.start <= joined[-1][1]:
            joined[-1] = (joined[-1][0], max(joined[-1][1], match.end))
        else:
            joined.append((match.start, match.end))
    return tuple(joined)


def _word_places(text: str) -> Iterator[tuple[int, int]]:
    """Words as a reader counts them: unspaced scripts in pairs of characters, endless strings in pieces."""
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
    starts = [place[0] for place in places]
    numbers = [max(0, bisect_right(starts, match.start) - 1) for match in matches]
    best, best_worth = (numbers[0], numbers[0]), (-1.0, 0)
    counts: dict[int, int] = {}
    worth = 0.0
    left = 0
    for right, match in enumerate(matches):
        if not counts.get(match.term):
            worth += weights[match.term]
        counts[match.term] = counts.get(match.term, 0) + 1
        while numbers[right] - numbers[left] >= words:
            leaving = matches[left].term
            counts[leaving] -= 1
            if not counts[leaving]:
                worth -= weights[leaving]
            left += 1
        # Rounded, so that adding and taking away weights in another order cannot tip the choice.
        if (round(worth, 6), right - left) > best_worth:
            best, best_worth = (numbers[left], numbers[right]), (round(worth, 6), right - left)
    return best


def _centre(places: list[tuple[int, int]], first: int, last: int, words: int) -> tuple[int, int]:
    spare = words - (last - first + 1)
    start = max(0, first - spare // 3)
    end = min(len(places), start + words)
    return max(0, end - words), end


def _line_start(text: str, place: int) -> int:
    return 0 if not text[:place].strip() else place
