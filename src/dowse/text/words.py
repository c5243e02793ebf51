"""Which words does a text hold? One answer for the index, the query and the excerpt.

A *run* is a stretch of letters, digits and underscores. Its *plain words* are what stands between underscores, folded.
Its *alternates* are the other ways people type it: the parts of ``getUserById`` (get user by id) and the whole of
``get_user_by_id`` (getuserbyid). Text of scripts without spaces becomes overlapping pairs of characters.
"""

import re
from collections.abc import Callable, Iterator
from functools import cache, lru_cache
from typing import NamedTuple

from dowse.text.folding import fold, fold_with_offsets, is_word_character, strip_marks

try:
    from dowse.text import _words as compiled
except ImportError:
    compiled = None  # type: ignore[assignment]  # no compiler was there when dowse was installed

# Bumped whenever the same text would give other words: stored lanes with another number are rebuilt.
ANALYSIS_VERSION = 3

# FTS5 cuts tokens at 32 kB and a vocabulary of base64 lines helps nobody. Longer words are stored as overlapping pieces,
# so that every string of up to LONGEST_WORD // 2 characters still stands whole in one piece.
LONGEST_WORD = 128
# A joined identifier longer than this is machine-made; nobody types it.
_LONGEST_WHOLE = 80
# Enough for the vocabulary of a large project; past it the memo starts again, so memory stays bounded.
_MEMO_LIMIT = 400_000
_MEMO_RUN_LENGTH = 64

# By what does not belong to one: a set up to the last character takes milliseconds to compile, which every command would wait for.
_RUNS = re.compile(r"[^\x00-/:-@\[-^`{-\x7f]+")
# For each ASCII character: itself where it belongs to a run, else a space.
_ASCII_RUNS = "".join(chr(code) if chr(code).isalnum() or chr(code) == "_" else " " for code in range(128))
_SIMPLE = re.compile(r"[A-Z]?[a-z]+|[A-Z]+|[0-9]+")
_ASCII_SEGMENTS = re.compile(r"[0-9A-Za-z]+")
_ASCII_PARTS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+")
# Scripts written without spaces (Chinese, Japanese, Thai, Lao, Khmer, Burmese) and Korean, whose words carry endings.
_PAIRED = (
    "[\u0e00-\u0eff\u1000-\u109f\u1100-\u11ff\u1780-\u17ff\u3005-\u3007\u3040-\u30ff\u3130-\u318f\u31f0-\u31ff"
    "\u3400-\u4dbf\u4e00-\u9fff\ua960-\ua97f\uac00-\ud7ff\uf900-\ufaff\U00020000-\U0003ffff]+"
)


class Analysis(NamedTuple):
    """A text as the lanes store it: words joined by single spaces."""

    plain: str
    alternates: str


class Span(NamedTuple):
    """One word where it stands in the text."""

    start: int
    end: int
    word: str


class Compound(NamedTuple):
    """A run as a query sees it. ``plain`` is how a text that says the same holds it; ``whole`` is empty for a simple word."""

    plain: tuple[str, ...]
    parts: tuple[str, ...]
    whole: str


class _Memo(dict[str, str]):
    """What was made of runs seen before: words joined by spaces."""

    __slots__ = ("_make",)

    def __init__(self, make: Callable[[str], list[str]]) -> None:
        self._make = make

    def __missing__(self, run: str) -> str:
        words = " ".join(self._make(run))
        if len(run) <= _MEMO_RUN_LENGTH:
            self[run] = words
        return words


_spans: dict[str, tuple[Span, ...]] = {}


def analyse(text: str) -> Analysis:
    """What the lanes index.

    >>> analyse("call getUserById, then set_name()")
    Analysis(plain='call getuserbyid then set name', alternates='get user by id setname')
    >>> analyse("東京都 café")
    Analysis(plain='東京 京都 cafe', alternates='')
    """
    if compiled is not None and text.isascii():
        return Analysis._make(compiled.analyse_ascii(text))
    return analyse_plainly(text)


def analyse_plainly(text: str) -> Analysis:
    """The same in Python alone."""
    if len(_plain) + len(_alternates) > _MEMO_LIMIT:
        _plain.clear()
        _alternates.clear()
    if text.isascii():
        found = text.translate(_ASCII_RUNS).split()
        plain = _ascii_plain(found)
    else:
        found = _RUNS.findall(text)
        plain = " ".join(filter(None, map(_plain.__getitem__, found)))
    return Analysis(plain, " ".join(filter(None, map(_alternates.__getitem__, found))))


def plain_words(text: str) -> list[str]:
    """The plain words of a text, in order.

    >>> plain_words("{{age:34}} naïve")
    ['age', '34', 'naive']
    """
    return analyse(text).plain.split()


@lru_cache(maxsize=4096)
def compounds(text: str) -> tuple[Compound, ...]:
    """Each run of a query with its parts and, if it is an identifier, its whole.

    >>> for compound in compounds("getUserById get_name retry"):
    ...     print(compound.plain, compound.parts, repr(compound.whole))
    ('getuserbyid',) ('get', 'user', 'by', 'id') 'getuserbyid'
    ('get', 'name') ('get', 'name') 'getname'
    ('retry',) ('retry',) ''
    """
    found = []
    for match in _RUNS.finditer(text):
        for piece in _split_scripts(match[0]):
            words = _plain_words(piece)
            if not words:
                continue
            parts = [part for segment in piece.split("_") for part in _segment_parts(segment)]
            whole = "".join(words)
            if is_paired(words[0]) or len(parts) < 2 or len(whole) > _LONGEST_WHOLE:
                found.append(Compound(tuple(words), tuple(words), ""))
            else:
                found.append(Compound(tuple(words), tuple(parts), whole))
    return tuple(found)


def spans(text: str) -> Iterator[Span]:
    """Every plain word, part and whole with the place where it stands; what an excerpt marks.

    >>> [(span.start, span.end, span.word) for span in spans("a getName")]
    [(0, 1, 'a'), (2, 9, 'getname'), (2, 5, 'get'), (5, 9, 'name')]
    """
    for match in _RUNS.finditer(text):
        start = match.start()
        for span in run_spans(match[0]):
            yield Span(start + span.start, start + span.end, span.word)


def run_spans(run: str) -> tuple[Span, ...]:
    """The words of one run, as places in it."""
    known = _spans.get(run)
    if known is None:
        known = tuple(_run_spans(run, 0))
        if len(run) <= _MEMO_RUN_LENGTH:
            if len(_spans) >= _MEMO_LIMIT // 4:
                _spans.clear()
            _spans[run] = known
    return known


def plain_spans(text: str) -> Iterator[Span]:
    """Every plain word with the place where it stands.

    >>> [span.word for span in plain_spans("get_userName 東京都")]
    ['get', 'username', '東京', '京都']
    """
    for match in _RUNS.finditer(text):
        for offset, segment in _segments(match[0]):
            yield from _plain_segment_spans(segment, match.start() + offset)


def is_paired(word: str) -> bool:
    """Whether the word is of a script that is indexed by pairs of characters."""
    return not word.isascii() and _paired().match(fold(word)) is not None


@cache
def _paired() -> re.Pattern[str]:
    # On first need: it takes milliseconds to compile, and most texts hold no such character.
    return re.compile(_PAIRED)


def runs(text: str) -> Iterator[re.Match[str]]:
    """The stretches of word characters and underscores, as an excerpt counts words."""
    return _RUNS.finditer(text)


def _run_spans(run: str, start: int) -> Iterator[Span]:
    segments = list(_segments(run))
    for offset, segment in segments:
        yield from _plain_segment_spans(segment, start + offset)
        parts = _segment_pieces(segment)
        if len(parts) > 1 and not is_paired(segment):
            at = start + offset
            for part in parts:
                yield Span(at, at + len(part), fold(part))
                at += len(part)
    if len(segments) > 1 and len(run) <= _LONGEST_WHOLE and not any(is_paired(segment) for _, segment in segments):
        yield Span(start, start + len(run), "".join(fold(segment) for _, segment in segments))


def _plain_segment_spans(segment: str, begin: int) -> Iterator[Span]:
    if is_paired(segment):
        folded, offsets = fold_with_offsets(segment)
        width = min(2, len(folded))
        for at in range(len(folded) - width + 1):
            yield Span(begin + offsets[at], begin + offsets[at + width - 1] + 1, folded[at : at + width])
        return
    # Cut after folding, as the index does: a letter may fold to two.
    folded, offsets = fold_with_offsets(segment)
    for offset, piece in _pieces(folded):
        if piece:
            end = offset + len(piece)
            yield Span(begin + offsets[offset], begin + max(offsets[end - 1] + 1, offsets[end]), piece)


def _segments(run: str) -> Iterator[tuple[int, str]]:
    """The stretches of word characters of one script kind within a run, with their offsets.

    A character is of the script it folds to; one that folds to nothing belongs to what it follows.
    """
    if run.isascii():
        yield from ((match.start(), match[0]) for match in _ASCII_SEGMENTS.finditer(run))
        return
    start = 0
    kind: bool | None = None
    for position, character in enumerate(run):
        now: bool | None = None
        if _is_word(character):
            folded = fold(character)
            now = is_paired(folded) if folded else kind
        if now != kind:
            if kind is not None:
                yield start, run[start:position]
            start, kind = position, now
    if kind is not None:
        yield start, run[start:]


def _is_word(character: str) -> bool:
    return character.isalnum() if character.isascii() else is_word_character(character)


def _split_scripts(run: str) -> list[str]:
    """A query run cut where the script changes and at characters that are no word; underscores stay."""
    if run.isascii():
        return [run]
    pieces: list[str] = []
    end = -1
    for offset, segment in _segments(run):
        joins = pieces and offset == end + 1 and run[end] == "_" and not is_paired(segment)
        if joins and not is_paired(pieces[-1]):
            pieces[-1] += "_" + segment
        else:
            pieces.append(segment)
        end = offset + len(segment)
    return pieces


def _plain_words(run: str) -> list[str]:
    if run.isascii():
        words = run.lower().split("_")
        if len(run) <= LONGEST_WORD:
            return [word for word in words if word]
        return [piece for word in words if word for _, piece in _pieces(word)]
    found = []
    for _, segment in _segments(run):
        folded = fold(segment)
        if is_paired(segment):
            found.extend(_pairs(folded))
        else:
            found.extend(piece for _, piece in _pieces(folded) if piece)
    return found


def _ascii_plain(found: list[str]) -> str:
    """As run by run, but for all at once: most texts are ASCII, and most of the time goes here."""
    plain = " ".join(found).lower()
    if "_" in plain:
        plain = " ".join(plain.replace("_", " ").split())
    if len(plain) > LONGEST_WORD and max(map(len, found)) > LONGEST_WORD:
        return " ".join([piece for word in plain.split() for _, piece in _pieces(word)])
    return plain


def _pairs(folded: str) -> list[str]:
    return [folded] if len(folded) < 2 else [folded[at : at + 2] for at in range(len(folded) - 1)]


def _pieces(word: str) -> Iterator[tuple[int, str]]:
    if len(word) <= LONGEST_WORD:
        yield 0, word
        return
    step = LONGEST_WORD // 2
    for at in range(0, len(word) - step, step):
        yield at, word[at : at + LONGEST_WORD]


def _alternate_words(run: str) -> list[str]:
    # Most runs are words in one piece; they are told by looking at them once.
    if len(run) > _LONGEST_WHOLE or _SIMPLE.fullmatch(run):
        return []
    if run.isascii():
        return _ascii_alternates(run)
    every = [segment for _, segment in _segments(run)]
    segments = [segment for segment in every if not is_paired(segment)]
    found = []
    for segment in segments:
        parts = _segment_parts(segment)
        if len(parts) > 1:
            found.extend(parts)
    # What stands on both sides of another script is no identifier.
    if 1 < len(segments) == len(every) and "_" in run.strip("_"):
        found.append("".join(fold(segment) for segment in segments))
    return list(filter(None, found))


def _ascii_alternates(run: str) -> list[str]:
    segments = [segment for segment in run.split("_") if segment]
    found = []
    for segment in segments:
        parts = _ASCII_PARTS.findall(segment)
        if len(parts) > 1:
            found += [part.lower() for part in parts]
    if len(segments) > 1:
        found.append("".join(segments).lower())
    return found


def _segment_parts(segment: str) -> list[str]:
    return [fold(part) for part in _segment_pieces(segment)]


def _segment_pieces(segment: str) -> list[str]:
    """``HTTPServer2`` → HTTP, Server, 2."""
    if segment.isascii():
        return _ASCII_PARTS.findall(segment)
    pieces: list[str] = []
    start = 0
    stripped = strip_marks(segment)
    if len(stripped) != len(segment):  # a mark stands by itself, or a ligature opens: such words are not identifiers
        return [segment]
    for at in range(1, len(segment)):
        before, here = stripped[at - 1], stripped[at]
        if (before.islower() and here.isupper()) or before.isdigit() != here.isdigit():
            pieces.append(segment[start:at])
            start = at
    pieces.append(segment[start:])
    return pieces


_plain = _Memo(_plain_words)
_alternates = _Memo(_alternate_words)
