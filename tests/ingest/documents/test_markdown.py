from dowse.ingest.documents.markdown import outline
from dowse.ingest.documents.outline import Link, Outline


def titles(read: Outline) -> list[tuple[int, str]]:
    return [(section.level, section.title) for section in read.sections]


def test_headings_become_sections_with_their_lines() -> None:
    read = outline("# Guide\n\nWelcome.\n\n## Install\n\nRun it.\n", "guide.md")
    assert [(s.title, s.level, s.line, s.line_end, s.text) for s in read.sections] == [
        ("Guide", 1, 1, 3, "Welcome."),
        ("Install", 2, 5, 7, "Run it."),
    ]


def test_underlined_headings_count() -> None:
    read = outline("Guide\n=====\n\nA\n\nInstall\n-------\nB\n", "a.md")
    assert [(s.level, s.title, s.line, s.text) for s in read.sections] == [(1, "Guide", 1, "A"), (2, "Install", 6, "B")]


def test_text_before_the_first_heading_is_a_section_of_level_0() -> None:
    assert titles(outline("Hello.\n\n# Guide\n", "a.md")) == [(0, "Guide"), (1, "Guide")]


def test_a_heading_inside_a_fence_is_none() -> None:
    read = outline("# A\n\n```sh\n# a comment\n```\n", "a.md")
    assert titles(read) == [(1, "A")]


def test_headings_in_lists_and_quotes_open_no_section() -> None:
    assert titles(outline("# A\n\n> # Quoted\n\n- # Listed\n", "a.md")) == [(1, "A")]


def test_a_heading_is_shown_without_its_markup() -> None:
    read = outline("# The **new** `Router.route()` of [dowse](x.md) ![logo](y.png) #\n", "a.md")
    assert read.title == "The new Router.route() of dowse logo"


def test_a_heading_may_name_its_own_anchor() -> None:
    section = outline("## Set up {#setup}\n", "a.md").sections[0]
    assert (section.title, section.anchor) == ("Set up", "setup")


def test_headings_written_as_tags_count() -> None:
    read = outline('<div align="center">\n<h1 id="top">Dowse</h1>\n</div>\n\nFinds things.\n', "a.md")
    assert titles(read)[-1] == (1, "Dowse")
    assert read.sections[-1].text == "</div>\n\nFinds things."


def test_a_tag_heading_with_words_beside_it_is_text() -> None:
    assert titles(outline("<h1>One</h1> and more\n", "a.md")) == [(0, "a.md")]


def test_a_fence_is_an_example_with_its_language_and_title() -> None:
    example = outline('# A\n\n```py title="app.py"\nx = 1\n\ny = 2\n```\n', "a.md").sections[0].examples[0]
    assert (example.language, example.code, example.line, example.line_end, example.title) == (
        "python",
        "x = 1\n\ny = 2",
        3,
        7,
        "app.py",
    )


def test_a_fence_in_a_list_is_an_example_without_its_indent() -> None:
    example = outline("1. Run\n\n   ```sh\n   dowse index\n   ```\n", "a.md").sections[0].examples[0]
    assert (example.language, example.code) == ("bash", "dowse index")


def test_links_are_found_in_all_their_forms() -> None:
    text = '[a](one.md "T") [b][ref] [ref][] ![c](<a b.png>) <a href="two.md">d</a> [e](f(x).md)\n\n[ref]: three.md\n'
    targets = [link.target for link in outline(text, "a.md").sections[0].links]
    assert targets == ["one.md", "three.md", "three.md", "a b.png", "two.md", "f(x).md"]


def test_wiki_links_are_told_apart() -> None:
    links = outline("[[Home]] [[The Router|router]] [[Guide#Install]]", "a.md").sections[0].links
    assert links == (Link("Home", "Home", True), Link("router", "The Router", True), Link("Guide#Install", "Guide#Install", True))


def test_code_holds_no_links_and_no_mentions() -> None:
    section = outline("`[a](b.md)`\n\n```\n[c](d.md) `e`\n```\n", "a.md").sections[0]
    assert (section.links, section.mentions) == ((), ("[a](b.md)",))


def test_mentions_are_code_spans_in_text_headings_and_links() -> None:
    section = outline("# `route`\n\nUse `` a`b `` or [`Router`](r.md).\n", "a.md").sections[0]
    assert section.mentions == ("route", "a`b", "Router")


def test_front_matter_is_no_text_but_keeps_the_lines() -> None:
    read = outline("---\ntitle: Manual\n---\n\n# Guide\n\nText\n", "a.md")
    assert (read.title, read.front, read.sections[0].line) == ("Manual", {"title": "Manual"}, 5)
    assert titles(read) == [(1, "Guide")]


def test_invalid_front_matter_stays_as_text_and_makes_no_heading() -> None:
    read = outline("---\ntitle: a: b\n---\n# Guide\n", "a.md")
    assert titles(read) == [(0, "Guide"), (1, "Guide")]
    assert "title: a: b" in read.sections[0].text
    assert len(read.problems) == 1


def test_mdx_tags_do_not_hide_what_stands_between_them() -> None:
    text = "import Tabs from 'tabs'\n\n# Guide\n\n<Tabs>\n```js\na()\n```\n## Inside\n</Tabs>\n\n        <Deep>text</Deep>\n"
    read = outline(text, "a.mdx", mdx=True)
    assert titles(read) == [(0, "Guide"), (1, "Guide"), (2, "Inside")]
    assert [(e.language, e.code) for s in read.sections for e in s.examples] == [("javascript", "a()")]


def test_windows_line_ends_count_as_lines() -> None:
    assert [section.line for section in outline("# A\r\n\r\nx\r\n# B\r\n", "a.md").sections] == [1, 4]


def test_tables_stay_as_written() -> None:
    assert outline("# A\n\n| a | b |\n|---|---|\n| 1 | ~~2~~ |\n", "a.md").sections[0].text.endswith("| 1 | ~~2~~ |")
