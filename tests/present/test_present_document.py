"""Is rendered Markdown safe to show? Whatever it says, nothing of it runs and nothing is fetched."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from selectolax.lexbor import LexborHTMLParser

from dowse.present.document import render

_ALLOWED = {
    *(
        "p",
        "a",
        "strong",
        "em",
        "code",
        "pre",
        "span",
        "ul",
        "ol",
        "li",
        "h3",
        "h4",
        "h5",
        "h6",
        "blockquote",
        "hr",
        "br",
        "s",
        "div",
    ),
    *("table", "thead", "tbody", "tr", "th", "td", "html", "head", "body", "-text", "mark"),
}
_ATTRIBUTES = {"href", "rel", "target", "class", "title", "data-page", "tabindex", "role", "aria-label", "start"}
HARM = (
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "[a](javascript:alert(1))",
    "[a](JaVaScRiPt:alert(1))",
    "[a](&#106;avascript:alert(1))",
    "[a](data:text/html,<script>alert(1)</script>)",
    "[a](vbscript:x)",
    "![a](https://elsewhere.example/pixel.png)",
    "![a](javascript:alert(1))",
    '[a](https://x.example "\\" onmouseover=alert(1) x=\\"")',
    "<javascript:alert(1)>",
    "<https://x.example/\"onmouseover='alert(1)'>",
    "[[x|javascript:alert(1)]]",
    "[[<img src=x onerror=alert(1)>]]",
    "```html\n</code></pre><script>alert(1)</script>\n```",
    '``` " onclick=alert(1)\ncode\n```',
    "| <b onclick=alert(1)>a</b> |\n|---|\n| <svg onload=alert(1)> |",
    "<!-- --><iframe src=//x.example></iframe>",
    "# <style>*{display:none}</style>",
)


def check(made: str) -> None:
    for node in LexborHTMLParser(made).root.traverse(include_text=False):  # type: ignore[union-attr]
        assert node.tag in _ALLOWED, made
        assert set(node.attributes) <= _ATTRIBUTES, made
        target = node.attributes.get("href")
        assert target is None or re.match(r"(https?:|mailto:|\?open=)", target, re.IGNORECASE), made


@pytest.mark.parametrize("text", HARM)
def test_what_means_harm_is_shown_as_text(text: str) -> None:
    check(render(text))


@given(
    st.lists(st.sampled_from([*HARM, "text", "\n\n", "> ", "- ", "**", "`", "[", "](", ")", "&lt;", "\\", "|"]), max_size=8).map(
        "".join
    )
)
def test_nothing_harmful_comes_of_harmless_pieces(text: str) -> None:
    check(render(text))


def test_an_image_is_told_and_not_fetched() -> None:
    assert render("![the pier](https://elsewhere.example/pier.png)") == '<p><span class="image">the pier</span></p>\n'


def test_a_link_into_the_project_is_told_and_leads_nowhere() -> None:
    assert '<a class="elsewhere" title="../ranking.md">how</a>' in render("[how](../ranking.md)")


def test_a_wiki_link_names_its_page() -> None:
    assert '<a href="?open=retry-policy" data-page="retry-policy">How we retry</a>' in render("[[How we retry|retry-policy]]")


def test_wiki_brackets_in_code_stay_as_they_are() -> None:
    assert render("`[[a]]`") == "<p><code>[[a]]</code></p>\n"


def test_a_fence_is_coloured_in_its_language() -> None:
    assert '<span class="k">return</span>' in render("```python\nreturn 5\n```")


def test_columns_of_a_table_stand_on_their_side_without_a_style_in_the_markup() -> None:
    made = render("| a | b |\n|---|--:|\n| 1 | 2 |")
    assert '<td class="right">2</td>' in made
    assert "style" not in made


def test_headings_stand_below_those_of_the_page() -> None:
    assert render("# One\n\n#### Four") == "<h3>One</h3>\n<h6>Four</h6>\n"


def test_a_very_long_text_is_cut_and_says_so() -> None:
    made = render("word " * 60_000)
    assert made.endswith("<p>…</p>\n")
    assert len(made) < 210_000
