"""Keyword or semantic: every rule, and that earlier rules win."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dowse.model.request import Intent
from dowse.search.intent import describes, intent

QUESTION = "how are the retries capped"


@pytest.mark.requirement("I-03")
@pytest.mark.parametrize(
    "text",
    [
        *("", "   ", "\n\t"),
        *(f'"{QUESTION}"', f"'{QUESTION}'", f'  "{QUESTION}"  '),
        *("pros AND cons of it", "this OR that thing", "all but NOT this one", "one NEAR the other"),
        *("notes of the 2024-05-01 meeting", "notes of the 2024/05/01 meeting"),
        *("retry", "retry cap", "retry, cap!"),
        *("my-page-slug", "a-b", "release-2024-notes"),
        *("東京", "再試行", "再試行数", "ทดสอ", "재시도 횟수"),
    ],
)
def test_what_names_something_is_keyword(text: str) -> None:
    assert intent(text) is Intent.KEYWORD


@pytest.mark.requirement("I-03")
@pytest.mark.parametrize(
    "text",
    [
        QUESTION,
        "pros and cons of it",
        "this or that or not",
        "ANDROID ORACLE NOTES NEARBY",
        "see 24-05-01 and more",
        "see 2024-05/01 and more",
        "number 12024-05-011 is no date",
        '"half quoted words here',
        '"one" and then "two',
        "my-page-slug is what we want",
        "再試行の上限を教えて",
        "การทดสอบระบบ",
    ],
)
def test_what_asks_something_is_semantic(text: str) -> None:
    assert intent(text) is Intent.SEMANTIC


@pytest.mark.requirement("I-03")
def test_a_pair_of_quotes_must_be_the_same_kind() -> None:
    assert intent(f"\"{QUESTION}'") is Intent.SEMANTIC


@pytest.mark.requirement("I-03")
@given(st.text())
def test_any_text_has_an_intent_and_blanks_around_it_do_not_matter(text: str) -> None:
    assert intent(text) is intent(f"  {text}\n")


@pytest.mark.parametrize("text", ["cache eviction", "Cache eviction?", "dead-letter queue", "don't panic", "재시도 횟수"])
def test_two_plain_words_describe_what_is_looked_for(text: str) -> None:
    assert describes(text)


@pytest.mark.parametrize(
    "text",
    [
        *("", "eviction", "how caches evict"),
        *('"cache eviction"', "NOT eviction", "cache -eviction"),
        *("useState hook", "log_level info", "retry 3"),
    ],
)
def test_a_name_a_sign_or_another_number_of_words_does_not(text: str) -> None:
    assert not describes(text)
