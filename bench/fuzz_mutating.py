"""How is a new input made of old ones? A few small changes at random places, a piece of another input, a word of the format."""

import random
from collections.abc import Callable, Sequence

# Bytes that mean something to some parser: ends, quotes, brackets, marks, halves of characters.
_TELLING = b"\x00\x01\t\n\r\x1b !\"#$%&'()*+,-./0:;<=>?@[\\]^_`{|}~\x7f\x80\xbf\xc2\xe2\xed\xf0\xf4\xff"
# Characters that fold, combine, turn round, join, or are none.
_ODD = (
    "\u0000 \u00ad \u0130 \u0131 \u017f \u0300 \u0345 \u0600 \u0f71 \u1100 \u1e9e \u200b \u200d \u202e \u2028 \u3000"
    " \ud800 \udfff \ufb03 \ufdfa \ufeff \uffff \U0001d7d9 \U0001f468 \U000e0041 \U0010ffff"
)
ODD = tuple(character.encode("utf-8", "surrogatepass") for character in _ODD.split(" "))
_NUMBERS = tuple(
    b"""0 -0 1 -1 255 65536 2147483648 -9223372036854775809 18446744073709551616 1e308 1e999 -1e-400 0x10 1_000 NaN
    Infinity .5 5.""".split()
)
_MOST_CHANGES = 6
_LONGEST_REPEAT = 400


def mutated(rng: random.Random, pool: Sequence[bytes], words: Sequence[bytes], longest: int) -> bytes:
    """An input like those of the pool; now and then one of nothing but chance."""
    if rng.random() < 0.02:
        return rng.randbytes(rng.randint(0, 64))
    data = bytearray(rng.choice(pool))
    for _ in range(rng.randint(1, _MOST_CHANGES)):
        rng.choice(_CHANGES)(rng, data, pool, words)
    return bytes(data[:longest])


_Change = Callable[[random.Random, bytearray, Sequence[bytes], Sequence[bytes]], None]


def _place(rng: random.Random, data: bytearray) -> int:
    return rng.randint(0, len(data))


def _span(rng: random.Random, data: bytearray) -> slice:
    start = _place(rng, data)
    return slice(start, min(len(data), start + int(rng.expovariate(1 / 12)) + 1))


def _flip(rng: random.Random, data: bytearray, _: Sequence[bytes], __: Sequence[bytes]) -> None:
    if data:
        data[rng.randrange(len(data))] ^= 1 << rng.randrange(8)


def _overwrite(rng: random.Random, data: bytearray, _: Sequence[bytes], __: Sequence[bytes]) -> None:
    if data:
        data[rng.randrange(len(data))] = rng.choice(_TELLING)


def _insert(rng: random.Random, data: bytearray, _: Sequence[bytes], __: Sequence[bytes]) -> None:
    at = _place(rng, data)
    data[at:at] = rng.choice((bytes([rng.choice(_TELLING)]), rng.choice(ODD), rng.choice(_NUMBERS)))


def _leave_out(rng: random.Random, data: bytearray, _: Sequence[bytes], __: Sequence[bytes]) -> None:
    del data[_span(rng, data)]


def _repeat(rng: random.Random, data: bytearray, _: Sequence[bytes], __: Sequence[bytes]) -> None:
    span = _span(rng, data)
    data[span.start : span.start] = bytes(data[span]) * rng.choice((1, 2, 3, 8, _LONGEST_REPEAT // max(1, span.stop - span.start)))


def _move(rng: random.Random, data: bytearray, _: Sequence[bytes], __: Sequence[bytes]) -> None:
    span = _span(rng, data)
    piece = bytes(data[span])
    del data[span]
    at = _place(rng, data)
    data[at:at] = piece


def _cut_short(rng: random.Random, data: bytearray, _: Sequence[bytes], __: Sequence[bytes]) -> None:
    if rng.random() < 0.3:
        del data[_place(rng, data) :]


def _say(rng: random.Random, data: bytearray, _: Sequence[bytes], words: Sequence[bytes]) -> None:
    if words:
        span = slice(_place(rng, data), 0) if rng.random() < 0.5 else _span(rng, data)
        data[span.start : max(span.start, span.stop)] = rng.choice(words)


def _borrow(rng: random.Random, data: bytearray, pool: Sequence[bytes], _: Sequence[bytes]) -> None:
    other = bytearray(rng.choice(pool))
    span = _span(rng, other) if rng.random() < 0.7 else slice(_place(rng, other), len(other))
    at = _place(rng, data)
    data[at : at + (span.stop - span.start if rng.random() < 0.5 else 0)] = other[span]


_CHANGES: tuple[_Change, ...] = (_flip, _overwrite, _insert, _leave_out, _repeat, _move, _cut_short, _say, _say, _borrow)
