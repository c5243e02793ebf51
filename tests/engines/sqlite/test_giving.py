"""What a term gives: worked out for each kind of record at once, it is what the formula says for each record by itself."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dowse.engines.sqlite import giving
from dowse.engines.sqlite.giving import MANY, Formula, Held


@st.composite
def holders(draw: st.DrawFn) -> tuple[Held, int]:
    """From nobody to so many that most are alike; as they are read, or packed."""
    chance = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    size = draw(st.sampled_from((70, 6000, 60_000)))
    ids = np.flatnonzero(chance.random(size) < draw(st.sampled_from((0.0, 0.01, 0.05, 0.07, 0.9))))
    most, longest = draw(st.sampled_from((1, 3, 12, 300))), draw(st.sampled_from((1, 40, 900, 70_000)))
    frequencies = chance.integers(1, most + 1, len(ids)).astype(np.float64)
    if draw(st.booleans()):
        # As where columns weigh differently, and where one weighs nothing.
        frequencies *= chance.choice((0.0, 0.5, 1.0), len(ids))
    exact = chance.integers(0, 2, len(ids)).astype(np.uint8) if draw(st.booleans()) else None
    held = Held(ids, frequencies, chance.integers(1, longest + 1, len(ids)).astype(np.uint32), exact)
    # Maybe packed when there were fewer.
    return held.packed(size) if draw(st.booleans()) else held, size * draw(st.sampled_from((1, 2)))


formulas = st.builds(
    Formula, st.floats(0, 1), st.floats(0.5, 500), st.floats(0.1, 3), st.floats(0.001, 15), st.sampled_from((0.0, 0.7))
)


@settings(max_examples=150, deadline=None)
@given(holders(), formulas)
def test_a_term_gives_each_record_what_the_formula_says(of: tuple[Held, int], how: Formula) -> None:
    held, size = of
    found = giving.given(held, how, size)
    frequencies, lengths = held.frequencies.astype(np.float64), held.lengths.astype(np.float64)
    plain = frequencies * ((how.k1 + 1) * how.tells) / ((lengths * how.b / how.mean + (1 - how.b)) * how.k1 + frequencies)
    if held.exact is not None:
        plain = plain + held.exact * how.exact
    gifts = plain.astype(np.float32)
    assert found.ids.tolist() == held.ids.tolist()
    assert found.gifts.tolist() == gifts.tolist()
    assert found.most == gifts.max(initial=0.0)
    if found.bits is None:
        assert found.to_many == (np.sort(gifts)[-MANY] if len(gifts) >= MANY else 0.0)


@settings(max_examples=100, deadline=None)
@given(holders(), formulas)
def test_compiled_and_not_are_the_same_to_the_last_bit(of: tuple[Held, int], how: Formula) -> None:
    if giving.compiled is None:
        pytest.skip("nothing is compiled here")
    held, size = of
    found = giving.given(held, how, size)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(giving, "compiled", None)
        plain = giving.given(held._replace(marks=None), how, size)
    assert found.gifts.tobytes() == plain.gifts.tobytes()
    assert (found.most, found.to_many, found.tells) == (plain.most, plain.to_many, plain.tells)
    if found.bits is None or found.starts is None or plain.bits is None or plain.starts is None:
        assert found.bits is plain.bits is None
        return
    # What was marked beforehand has room for more records.
    shared = len(plain.bits)
    assert found.bits[:shared].tobytes() == plain.bits.tobytes()
    assert found.starts[: len(plain.starts)].tolist() == plain.starts.tolist()
    assert not found.bits[shared:].any()


@given(holders())
def test_marks_tell_who_holds_a_term_and_how_many_are_below(of: tuple[Held, int]) -> None:
    held, size = of
    bits, starts = giving.marked(held.ids.astype(np.int32), size)
    mask = np.unpackbits(bits, bitorder="little")
    assert np.flatnonzero(mask).tolist() == held.ids.tolist()
    assert starts.tolist() == [int(mask[:end].sum()) for end in range(0, len(mask) + 1, 64)]


def test_what_cannot_be_is_refused() -> None:
    if giving.compiled is None:
        pytest.skip("only what is compiled must be told")
    ones, how = np.ones(3, np.uint8), (0.75, 10.0, 0.25, 1.2, 2.0, 0.0)
    with pytest.raises(ValueError, match="one number for every record"):
        giving.compiled.give(ones, np.ones(2, np.uint16), None, how, 0)
    with pytest.raises(TypeError):
        giving.compiled.give(ones, np.ones(3, np.int64), None, how, 0)
    with pytest.raises(TypeError):
        giving.compiled.give(np.ones(3, np.uint16), np.ones(3, np.uint16), None, how, 0)
    for ids in ([3, 9], [-1, 3]):
        with pytest.raises(ValueError, match="ascending"):
            giving.compiled.mark(np.array(ids, np.int32), 8)
