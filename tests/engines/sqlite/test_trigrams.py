"""Whichever threes of a string are asked for: no word that contains the string may be without them."""

from hypothesis import given
from hypothesis import strategies as st

from dowse.engines.sqlite.trigrams import LENGTH, telling


@given(st.text(min_size=LENGTH), st.text(), st.text())
def test_whatever_contains_a_string_contains_what_tells_it(text: str, before: str, after: str) -> None:
    found = telling(text)
    assert 0 < len(found) <= 2
    assert all(len(three) == LENGTH and three in before + text + after for three in found)


def test_what_few_words_hold_is_asked_for_before_what_many_do() -> None:
    assert "ion" not in telling("connection")
    assert telling("xing") == ["xin", "ing"]
