"""Which passages fill a budget best? The best hits, none twice, no file at the cost of the others; then what they link to."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from dowse.app.quoting import Quote
from dowse.model.declaring import dataclass
from dowse.model.evidence import EvidencePack, LeftOut, Piece
from dowse.model.page import Excerpt
from dowse.model.record import Record
from dowse.present.evidence import evidence_text, opening, piece_text
from dowse.text.tokens import CHARACTERS_PER_TOKEN, tokens_of
from dowse.text.words import plain_words

# One file may take a third of the budget while hits of others wait: three files are a picture, one is a file that could be read.
_FILE_SHARE = 1 / 3
# At first a piece gets at most a quarter, so that there are four at least; what is left over goes to those that were cut.
_PIECE_SHARE = 1 / 4
# A hit with less than half of the best score may be beside the point: some fifteen lines show whether it is.
SURE = 1 / 2
_UNSURE_PIECE = 800
# So many tokens of the budget for each of those: ten by default, that the good ones are not lost among them.
_TOKENS_PER_UNSURE = 600
_LEAST_UNSURE = 3
# Less than this of a record that is longer is a crumb: a heading would take as much.
_LEAST_PIECE = 240
# All hits but the first few leave so much to what those link to; what that does not need, they get in the end.
_LEFT_TO_LINKS = 0.15
_FIRST = 3
# What links lead to may take a quarter at most: hits answered the question, these only lie beside the answer.
_REACHED_SHARE = 1 / 4
# Why a hit is left out that holds words of the task, but hardly what was asked for.
WEAK = "much weaker than the best"
_NO_ROOM = "no room"
# For the list of what was left out.
_MANIFEST_SHARE = 0.08
_LEAST_MANIFEST = 70
# Two texts that share so many of their words say the same; shorter ones are alike by chance.
_SAME_WORDS = 0.9
_TELLING = 12
# More than there ever are: what a piece takes is known before its number is.
_ANY_NUMBER = 99
_SEPARATOR = 2


@dataclass(frozen=True, slots=True)
class Candidate:
    """A record that may be a piece. ``ways``: how it was reached, as the keys it was reached from and words."""

    record: Record
    score: float
    focus: Excerpt | None = None
    found_by: tuple[str, ...] = ()
    ways: tuple[tuple[str, str], ...] = ()
    same: tuple[str, ...] = ()

    @property
    def path(self) -> str:
        return self.record.path


Quoting = Callable[[Candidate, int], Quote]
"""The candidate in at most so many characters."""


@dataclass(frozen=True, slots=True)
class _Chosen:
    """``said``: its text as it is compared, without line breaks, and its words."""

    candidate: Candidate
    quote: Quote
    cost: int
    said: tuple[str, frozenset[str]]


@dataclass(frozen=True, slots=True)
class _Refused:
    """``by``: the chosen one that says it already."""

    candidate: Candidate
    why: str
    by: str = ""


class Packer:
    """Fills a budget. Whoever comes first has the better claim."""

    def __init__(self, task: str, tokens: int, degraded: tuple[str, ...], quoting: Quoting) -> None:
        self._task, self._tokens, self._degraded, self._quoting = task, tokens, degraded, quoting
        self._budget = tokens * CHARACTERS_PER_TOKEN
        manifest = max(_LEAST_MANIFEST, int(self._budget * _MANIFEST_SHARE))
        self._room = self._budget - len(opening(task, degraded)) - manifest - 2 * _SEPARATOR
        self._chosen: list[_Chosen] = []
        self._refused: list[_Refused] = []
        self._sure = 0.0
        self._kept = int(self._budget * _LEFT_TO_LINKS)

    def sure(self) -> dict[str, float]:
        """What was chosen so far and is worth going on from, with its score."""
        return {item.candidate.record.key: item.candidate.score for item in self._chosen if item.candidate.score >= self._sure}

    @property
    def considered(self) -> frozenset[str]:
        """Everything there was a decision about, and what is the same."""
        every = [*(item.candidate for item in self._chosen), *(item.candidate for item in self._refused)]
        return frozenset(key for one in every for key in (one.record.key, *one.same))

    def refuse(self, candidates: Iterable[Candidate], why: str) -> None:
        self._refused += [_Refused(candidate, why) for candidate in candidates]

    def add_hits(self, candidates: Sequence[Candidate], best: float) -> None:
        """Chooses among hits: first with every file's share, then those that had to wait."""
        self._sure = SURE * best
        candidates = self._without_many_unsure(candidates)
        waiting = [candidate for candidate in candidates if not self._add(candidate, self._piece_room(candidate), shared=True)]
        self._add_or_refuse(waiting)

    def add_reached(self, candidates: Sequence[Candidate]) -> dict[str, float]:
        """Chooses among what links lead to, as far as their share goes; returns the scores of the chosen."""
        before = len(self._chosen)
        self._add_or_refuse(candidates)
        return {item.candidate.record.key: item.candidate.score for item in self._chosen[before:]}

    def pack(self, generation: int, updated: float) -> EvidencePack:
        """The pieces, numbered: hits by their score, then what was reached."""
        self._fill_up()
        order = sorted(self._chosen, key=lambda item: (bool(item.candidate.ways), -item.candidate.score, item.candidate.record.key))
        numbers = {item.candidate.record.key: number for number, item in enumerate(order, 1)}
        pieces = tuple(_counted(_piece(item.candidate, item.quote, numbers)) for item in order)
        left_out = tuple(self._left_out(item, numbers) for item in sorted(self._refused, key=lambda item: item.why == WEAK))
        made = EvidencePack(self._task, self._tokens, 0, pieces, left_out, self._degraded, generation, updated)
        return replace(made, used=tokens_of(evidence_text(made)))

    @property
    def _reached_room(self) -> int:
        return int(self._budget * _REACHED_SHARE) - sum(item.cost for item in self._chosen if item.candidate.ways)

    def _without_many_unsure(self, candidates: Sequence[Candidate]) -> list[Candidate]:
        sure = [candidate for candidate in candidates if candidate.score >= self._sure]
        unsure = [candidate for candidate in candidates if candidate.score < self._sure]
        most = max(_LEAST_UNSURE, self._tokens // _TOKENS_PER_UNSURE)
        self.refuse(unsure[most:], WEAK)
        return [*sure, *unsure[:most]]

    def _piece_room(self, candidate: Candidate) -> int:
        most = max(int(self._budget * _PIECE_SHARE), _LEAST_PIECE)
        return most if candidate.score >= self._sure else min(most, _UNSURE_PIECE)

    def _add(self, candidate: Candidate, most: int, *, shared: bool = False) -> bool:
        """Whether there is nothing more to do about it: it is chosen, or said already. ``shared``: not beyond its file's share."""
        is_later = not candidate.ways and len(self._chosen) >= _FIRST
        room = min(most, self._room - self._kept if is_later else self._room)
        if shared:
            room = min(room, self._share_left(candidate))
        quote = self._fitted(candidate, room)
        if quote is None:
            return False
        said = _said(quote)
        by = self._said_by(candidate, said)
        if by is not None:
            self._refused.append(by)
            return True
        trimmed = self._trimmed(candidate, quote)
        if trimmed is None:
            return True
        self._take(_Chosen(candidate, trimmed, _cost(candidate, trimmed), said))
        return True

    def _fitted(self, candidate: Candidate, room: int) -> Quote | None:
        """As much of it as fits with its heading; None if that is nothing worth reading."""
        around = _cost(candidate, Quote("", (10**6, 10**6 + 1), "x" * 12, whole=True))
        quote = self._quoting(candidate, max(room - around, 1))
        if _cost(candidate, quote) <= room and (quote.whole or len(quote.text) >= _LEAST_PIECE):
            return quote
        return None

    def _share_left(self, candidate: Candidate) -> int:
        if not candidate.path:
            return self._room
        place = (candidate.record.space, candidate.path)
        used = sum(item.cost for item in self._chosen if (item.candidate.record.space, item.candidate.path) == place)
        return int(self._budget * _FILE_SHARE) - used if used else self._room

    def _said_by(self, candidate: Candidate, said: tuple[str, frozenset[str]]) -> _Refused | None:
        text, words = said
        for item in self._chosen:
            key = item.candidate.record.key
            if candidate.record.key in item.candidate.same:
                return _Refused(candidate, "said by", key)
            if len(words) >= _TELLING and text in item.said[0]:
                return _Refused(candidate, "inside", key)
            if len(words) >= _TELLING and len(words & item.said[1]) >= _SAME_WORDS * len(words | item.said[1]):
                return _Refused(candidate, "said by", key)
        return None

    def _trimmed(self, candidate: Candidate, quote: Quote) -> Quote | None:
        """Without the lines of its file that stand in another piece; None if those are all."""
        for item in self._chosen:
            other = item.quote
            same_file = (item.candidate.record.space, item.candidate.path) == (candidate.record.space, candidate.path)
            if not same_file or quote.rows is None or other.rows is None or quote.lines is None or other.lines is None:
                continue
            if other.lines[0] <= quote.lines[0] and quote.lines[1] <= other.lines[1]:
                self._refused.append(_Refused(candidate, "inside", item.candidate.record.key))
                return None
            if other.lines[0] <= quote.lines[0] <= other.lines[1]:
                quote = quote.after(other.lines[1])
        return quote

    def _take(self, chosen: _Chosen) -> None:
        self._chosen.append(chosen)
        self._room -= chosen.cost

    def _fill_up(self) -> None:
        """Gives what room is left to whom there was none for, then to pieces that were cut."""
        self._kept = 0
        waiting = [item.candidate for item in self._refused if item.why == _NO_ROOM]
        self._refused = [item for item in self._refused if item.why != _NO_ROOM]
        self._add_or_refuse(waiting)
        self._widen()

    def _add_or_refuse(self, candidates: Iterable[Candidate]) -> None:
        for candidate in candidates:
            most = self._piece_room(candidate)
            if not self._add(candidate, min(most, self._reached_room) if candidate.ways else most):
                self._refused.append(_Refused(candidate, _NO_ROOM))

    def _widen(self) -> None:
        """Gives what is left to pieces that were cut, the best first."""
        for number, item in enumerate(self._chosen):
            if item.quote.whole or item.quote.rows is not None or item.candidate.score < self._sure:
                continue
            wider = self._fitted(item.candidate, min(item.cost + self._room, int(self._budget * _FILE_SHARE)))
            if wider is not None and len(wider.text) > len(item.quote.text):
                changed = _Chosen(item.candidate, wider, _cost(item.candidate, wider), _said(wider))
                self._room += item.cost - changed.cost
                self._chosen[number] = changed

    def _left_out(self, refused: _Refused, numbers: dict[str, int]) -> LeftOut:
        record = refused.candidate.record
        tokens = tokens_of("\n".join(record.fields.values()))
        why = f"{refused.why} [{numbers[refused.by]}]" if refused.by else refused.why
        return LeftOut(record.key, record.title, f"{why}: {tokens} tokens" if why == _NO_ROOM else why, tokens)


def _said(quote: Quote) -> tuple[str, frozenset[str]]:
    text = " ".join(quote.text.split())
    return text, frozenset(plain_words(text))


def _cost(candidate: Candidate, quote: Quote) -> int:
    """What a piece takes as text, whatever its number will be."""
    own = {candidate.record.key: _ANY_NUMBER}
    known = [own, own | {key: _ANY_NUMBER for key, _ in candidate.ways}] if candidate.ways else [own]
    return max(len(piece_text(_piece(candidate, quote, numbers))) for numbers in known) + _SEPARATOR


def _piece(candidate: Candidate, quote: Quote, numbers: dict[str, int]) -> Piece:
    record = candidate.record
    return Piece(
        number=numbers[record.key],
        key=record.key,
        kind=record.kind,
        title=record.title,
        path=candidate.path,
        lines=quote.lines,
        language=quote.language,
        text=quote.text,
        why=_why(candidate, numbers),
        score=None if candidate.ways else candidate.score,
        tokens=0,
    )


def _counted(piece: Piece) -> Piece:
    return replace(piece, tokens=tokens_of(piece_text(piece)))


def _why(candidate: Candidate, numbers: dict[str, int]) -> tuple[str, ...]:
    if candidate.ways:
        told = tuple(f"{words} [{numbers[key]}]" for key, words in candidate.ways if key in numbers)
        return told or ("linked to what was found",)
    return (f"found by {', '.join(candidate.found_by)}",) if candidate.found_by else ("found",)
