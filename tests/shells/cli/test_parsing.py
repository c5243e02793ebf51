import pytest

from dowse.errors import InvalidRequest
from dowse.shells.cli import parsing
from dowse.shells.cli.commands import COMMANDS


def values(*arguments: str) -> dict[str, object]:
    return parsing.parse(COMMANDS[arguments[0]], arguments[1:])[1]


def test_only_what_was_typed_is_handed_over() -> None:
    assert values("search", "retry") == {"query": "retry"}


def test_a_flag_given_twice_gives_both() -> None:
    assert values("search", "x", "--kind", "item", "--kind", "note")["kinds"] == ["item", "note"]


def test_names_and_values_become_an_object() -> None:
    assert values("search", "x", "--param", "scope.role=work", "--param", "limit=3")["parameters"] == {
        "scope.role": "work",
        "limit": "3",
    }


def test_a_value_may_hold_an_equals_sign_and_be_empty() -> None:
    assert parsing.pairs("--set", ["a=b=c", "d="]) == {"a": "b=c", "d": ""}


@pytest.mark.parametrize("text", ["plain", "=x", ":=1", "a:={"])
def test_a_malformed_pair_is_refused(text: str) -> None:
    with pytest.raises(InvalidRequest, match="--set"):
        parsing.pairs("--set", [text])


def test_flags_cannot_be_shortened() -> None:
    with pytest.raises(InvalidRequest, match="--lim"):
        values("search", "x", "--lim", "3")


def test_what_follows_two_dashes_is_never_an_option() -> None:
    assert values("search", "--limit", "2", "--", "-x", "--json") == {"query": "-x --json", "limit": "2"}


def test_words_and_options_may_be_mixed() -> None:
    assert values("why-not", "task-17", "retry", "--mode", "text", "budget") == {
        "key": "task-17",
        "query": "retry budget",
        "mode": "text",
    }
