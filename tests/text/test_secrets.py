import pytest
from hypothesis import given
from hypothesis import strategies as st

from dowse.text.secrets import SHOWN, without_secrets

# Put together here, so that no scanner takes this file for a leak.
_LETTERS = "Ab3dEf6hIj9lMn2pQr5tUv8xYz1bCd4fGh7j"


@pytest.mark.parametrize(
    "secret",
    [
        "AKIA" + "ABCDEFGHIJKLMNOP",
        "ghp_" + _LETTERS,
        "github_pat_" + _LETTERS * 2,
        "glpat-" + _LETTERS[:20],
        "xoxb-" + "123456789012-abcdef",
        "xoxp-" + "123456789012-abcdef",
        "sk-" + _LETTERS,
        "sk-proj-" + _LETTERS,
        "sk_live_" + _LETTERS[:24],
        "AIza" + _LETTERS[:35],
        "npm_" + _LETTERS,
    ],
)
def test_a_well_known_key_is_replaced_and_what_is_around_it_stays(secret: str) -> None:
    assert without_secrets(f'token = "{secret}"  # ours') == f'token = "{SHOWN}"  # ours'


@pytest.mark.parametrize("kind", ["RSA ", "EC ", "OPENSSH ", ""])
def test_a_private_key_goes_as_a_whole(kind: str) -> None:
    block = f"-----BEGIN {kind}PRIVATE KEY-----\nMIIE\nabc\n-----END {kind}PRIVATE KEY-----"
    assert without_secrets(f"before\n{block}\nafter") == f"before\n{SHOWN}\n\n\n\nafter"


def test_a_private_key_that_never_ends_goes_to_the_end_of_the_text() -> None:
    assert without_secrets("-----BEGIN " + "PRIVATE KEY-----\nMIIE\nabc") == SHOWN + "\n\n"


@pytest.mark.parametrize(
    "text",
    [
        "sk-learn-compatible-estimators-and-more",
        "AKIA is how such keys begin",
        "ghp_short",
        "a digest: 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
        "-----BEGIN PUBLIC KEY-----",
        "xoxo",
    ],
)
def test_what_only_looks_a_little_like_a_key_stays(text: str) -> None:
    assert without_secrets(text) == text


@given(st.text())
def test_any_text_can_be_looked_at_twice_with_the_same_result(text: str) -> None:
    once = without_secrets(text)
    assert without_secrets(once) == once
