"""Does someone at a terminal see whose a token is, what it opens, and its secret once?"""

import io

from dowse.model.token import NewToken, Token
from dowse.present.tables import render
from dowse.present.terminal import console

PLAIN = Token("1a2b3c4d", "laptop", ("SearchUse", "Read"), (), (), (), 0.0)
NARROW = Token("5e6f7a8b", "ci\x1b[31m", ("Write",), ("saltmarsh",), ("task-1",), ("page", "item"), 0.0, 43_200.0, expired=True)


def shown(value: object) -> str:
    stream = io.StringIO()
    console(stream).print(render(value))
    return stream.getvalue()


def test_the_secret_stands_alone_on_its_line() -> None:
    text = shown(NewToken("dws_" + "x" * 43, PLAIN))
    assert text.splitlines()[-1] == "dws_" + "x" * 43
    assert "laptop" in text.splitlines()[0]
    assert "SearchUse, Read of everything" in text


def test_the_list_says_what_each_token_opens_until_when() -> None:
    text = shown((PLAIN, NARROW))
    first, second = text.splitlines()[1:]
    assert ("everything" in first, "until revoked" in first) == (True, True)
    assert "spaces saltmarsh; under task-1; kinds page, item" in second
    assert "expired 1970-01-01" in second
    assert "\x1b" not in text


def test_a_revoked_token_is_named() -> None:
    assert shown(PLAIN).startswith("laptop is revoked")
