"""Two models as one: what is close is what both say together, each with its share."""

from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dowse.embed.paired import SHARE, PairedEmbedder
from dowse.engines.quantising import cosines, quantise, question, scales_of
from dowse.model.passage import Profile, Vectors


class Told:
    """A model that says of each text what it was told to. ``trust``: how long the row of a query is."""

    def __init__(
        self, name: str, says: dict[str, Sequence[float]], *, trust: float = 1.0, floor: float = 0.0, unrelated: float = 0.0
    ):
        self.says = {text: np.array(row, np.float32) for text, row in says.items()}
        self.profile = Profile(name, len(next(iter(says.values()))), floor, f"{name}-1", unrelated=unrelated)
        self.closed = False
        self._trust = trust

    def embed(self, texts: Sequence[str], *, query: bool = False) -> Vectors:
        if not texts:
            return np.zeros((0, self.profile.dimension), np.float32)
        rows = np.stack([self.says[text] for text in texts])
        lengths = np.linalg.norm(rows, axis=1, keepdims=True)
        return rows / np.where(lengths > 0, lengths, 1) * (self._trust if query else 1.0)

    def close(self) -> None:
        self.closed = True


def pair(chosen: Told, beside: Told) -> PairedEmbedder:
    return PairedEmbedder(chosen, beside)


def lengths(rows: Vectors) -> list[float]:
    return np.linalg.norm(rows, axis=1).tolist()


@given(st.integers(0, 2**32 - 1))
def test_its_cosine_is_the_sum_of_both_each_with_its_share(seed: int) -> None:
    chance = np.random.default_rng(seed)
    one, other = ({text: chance.normal(size=size) for text in "qp"} for size in (6, 3))
    chosen, beside = Told("one", one), Told("other", other)
    (asked,), (passage,) = pair(chosen, beside).embed(["q"], query=True), pair(chosen, beside).embed(["p"])
    each = [(model.embed(["q"]) @ model.embed(["p"]).T).item() for model in (chosen, beside)]
    assert asked @ passage == pytest.approx((1 - SHARE) * each[0] + SHARE * each[1], abs=1e-5)
    # As a store keeps it, a byte a number.
    values = quantise(passage[None], 9)
    kept = question(asked, 9)
    assert kept is not None
    assert cosines(kept, values, scales_of(values))[0] == pytest.approx(asked @ passage, abs=0.02)


def test_the_model_beside_tells_apart_what_the_chosen_one_cannot() -> None:
    chosen = Told("chosen", {"asked": (1, 0), "first": (1, 1), "second": (1, 1)})
    beside = Told("beside", {"asked": (1, 0), "first": (0, 1), "second": (1, 0)})
    asked, first, second = pair(chosen, beside).embed(["asked", "first", "second"])
    assert asked @ second > asked @ first
    assert lengths([asked, first, second]) == pytest.approx([1, 1, 1])


def test_what_the_chosen_model_does_not_understand_has_no_vector() -> None:
    chosen, beside = Told("chosen", {"noise": (0, 0)}), Told("beside", {"noise": (1, 0)})
    for query in (False, True):
        assert not pair(chosen, beside).embed(["noise"], query=query).any()


def test_what_only_the_chosen_model_understands_is_told_by_it_alone() -> None:
    chosen, beside = Told("chosen", {"q": (1, 0), "p": (1, 1)}), Told("beside", {"q": (0, 0), "p": (0, 0)})
    (asked,), (passage,) = pair(chosen, beside).embed(["q"], query=True), pair(chosen, beside).embed(["p"])
    assert asked @ passage == pytest.approx(np.sqrt(0.5))


def test_a_query_is_trusted_as_far_as_the_chosen_model_trusts_it() -> None:
    chosen, beside = Told("chosen", {"q": (1, 0)}, trust=0.5), Told("beside", {"q": (1, 0)}, trust=0.1)
    assert lengths(pair(chosen, beside).embed(["q"], query=True)) == pytest.approx([0.5])


def test_of_no_texts_there_are_no_rows() -> None:
    both = pair(Told("chosen", {"a": (1, 0)}), Told("beside", {"a": (1, 0, 0)}))
    assert both.embed([]).shape == (0, 5)


def test_its_profile_is_the_chosen_ones_with_what_changes() -> None:
    chosen, beside = Told("chosen", {"a": (1, 0)}, floor=0.6, unrelated=0.5), Told("beside", {"a": (1, 0, 0)}, floor=0.1)
    both = pair(chosen, beside).profile
    assert (both.name, both.dimension, both.swift) == ("chosen + beside", 5, False)
    assert (both.floor, both.unrelated) == pytest.approx(((1 - SHARE) * 0.6 + SHARE * 0.1, (1 - SHARE) * 0.5))
    assert both.fingerprint not in {chosen.profile.fingerprint, beside.profile.fingerprint}


def test_its_fingerprint_changes_with_either_model_and_with_their_shares() -> None:
    one, other, third = (Told(name, {"a": (1, 0)}) for name in ("one", "other", "third"))
    found = {
        PairedEmbedder(one, other).profile.fingerprint,
        PairedEmbedder(third, other).profile.fingerprint,
        PairedEmbedder(one, third).profile.fingerprint,
        PairedEmbedder(one, other, share=0.5).profile.fingerprint,
    }
    assert len(found) == 4


def test_both_are_closed() -> None:
    chosen, beside = Told("chosen", {"a": (1, 0)}), Told("beside", {"a": (1, 0)})
    pair(chosen, beside).close()
    assert chosen.closed
    assert beside.closed
