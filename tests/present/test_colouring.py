"""Is coloured code safe to show, and still the same code?"""

import html
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dowse.present.colouring import colour, is_coloured

_TAG = re.compile(r'</?(?:span|mark)(?: class="[a-z]")?>')


def seen(lines: tuple[str, ...]) -> str:
    return html.unescape("\n".join(_TAG.sub("", line) for line in lines))


@given(st.text(), st.sampled_from(["python", "html", "javascript", "rust", "nonsense", ""]))
def test_whatever_the_text_its_characters_are_shown_as_they_are(code: str, language: str) -> None:
    assert seen(colour(code, language)) == code


@given(st.text(alphabet="ab<>&\"'\n </script>"), st.data())
def test_marks_stand_where_they_should_and_every_line_is_whole(code: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(code)))
    end = data.draw(st.integers(start, len(code)))
    lines = colour(code, "python", ((start, end),) if end > start else ())
    assert seen(lines) == code
    marked = "".join(html.unescape(_TAG.sub("", part)) for line in lines for part in re.findall("<mark>(.*?)</mark>", line))
    assert marked == code[start:end].replace("\n", "")
    for line in lines:
        assert line.count("<span") == line.count("</span>")
        assert line.count("<mark>") == line.count("</mark>")


def test_nothing_of_the_code_becomes_markup() -> None:
    harm = "x = '</span></pre><script>alert(1)</script>' # <img src=x onerror=alert(1)>"
    (line,) = colour(harm, "python")
    assert _TAG.sub("", line).count("<") == 0


def test_keywords_strings_and_comments_have_their_colours() -> None:
    (line,) = colour("return 'five'  # attempts", "python")
    assert line == '<span class="k">return</span> <span class="s">&#x27;five&#x27;</span>  <span class="c"># attempts</span>'


@pytest.mark.parametrize("language", ["python", "typescript", "csharp", "shell", "go", "tsx", "kotlin", "elixir", "zig"])
def test_the_languages_that_are_taken_apart_have_colours(language: str) -> None:
    assert is_coloured(language)


def test_a_text_too_long_to_colour_is_shown_plain() -> None:
    lines = colour("return\n" * 20_000, "python")
    assert lines[0] == "return"
    assert len(lines) == 20_001
