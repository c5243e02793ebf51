"""Seen words: what of some texts is new."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dowse.text.seen import PlainSeenWords, compiled, none_seen

WORDS = st.one_of(
    st.sampled_from(["a", "b", "get", "user", "東京", "café", "x" * 9000]),
    st.text(st.characters(categories=["L", "N"]), min_size=1, max_size=20),
)
TEXTS = st.lists(st.lists(WORDS, max_size=30).map(" ".join), max_size=8)


@pytest.mark.parametrize("seen", [none_seen, PlainSeenWords])
def test_a_word_is_new_once(seen: Any) -> None:
    words = seen()
    assert sorted(words.take(["to be or not", "", "to be"])) == ["be", "not", "or", "to"]
    assert sorted(words.take(["not to be named", "by any"])) == ["any", "by", "named"]
    assert words.take(["to be", "named"]) == []
    assert len(words) == 7


@pytest.mark.skipif(compiled is None, reason="there is no compiler")
@given(st.lists(TEXTS, max_size=4))
def test_what_is_compiled_finds_the_same_words_new(batches: list[list[str]]) -> None:
    ours, plain = compiled.SeenWords(), PlainSeenWords()
    for texts in batches:
        assert sorted(ours.take(texts)) == sorted(plain.take(texts))
        assert len(ours) == len(plain)


def test_a_hundred_thousand_words_are_each_new_once() -> None:
    words = none_seen()
    texts = [" ".join(f"w{number}" for number in range(start, start + 5000)) for start in range(0, 100_000, 2500)]
    assert sorted(words.take(texts)) == sorted(f"w{number}" for number in range(102_500))
    assert words.take(texts) == []


@pytest.mark.skipif(compiled is None, reason="there is no compiler")
@pytest.mark.parametrize("wrong", [("a", "b"), "a b", None, [b"a"], ["a", 1], ["\ud800"]])
def test_what_is_compiled_refuses_what_is_no_list_of_texts(wrong: Any) -> None:
    with pytest.raises((TypeError, UnicodeEncodeError)):
        compiled.SeenWords().take(wrong)
