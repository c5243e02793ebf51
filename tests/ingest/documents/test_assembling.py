from dowse.ingest.documents.assembling import Draft, Heading, assemble, from_lines, well_formed
from dowse.ingest.documents.outline import Example


def nothing(_: str) -> tuple[tuple[()], tuple[()]]:
    return (), ()


def test_anchors_are_unique_in_a_file() -> None:
    drafts = [Draft(title, 1) for title in ("Usage", "Usage", "Usage-1", "Usage", "!")]
    assert [section.anchor for section in assemble("a.md", drafts, {}).sections] == [
        "usage",
        "usage-1",
        "usage-1-1",
        "usage-2",
        "section",
    ]


def test_text_before_the_first_heading_takes_no_anchor_from_a_heading() -> None:
    drafts = [Draft("", 0, text="Lead."), Draft("Top", 1)]
    assert [section.anchor for section in assemble("a.md", drafts, {}).sections] == ["top-1", "top"]


def test_the_anchor_a_document_gives_is_cleaned_of_what_keys_are_made_of() -> None:
    assert assemble("a.md", [Draft("A", 1, "x~2/code#y")], {}).sections[0].anchor == "x-2-code-y"


def test_the_trail_names_the_headings_above() -> None:
    drafts = [Draft("Guide", 1), Draft("Install", 2), Draft("Linux", 4), Draft("Use", 2), Draft("More", 1)]
    trails = [section.trail for section in assemble("a.md", drafts, {}).sections]
    assert trails == [(), ("Guide",), ("Guide", "Install"), ("Guide",), ()]


def test_the_title_is_that_of_the_front_matter_then_the_first_heading_then_the_file() -> None:
    heading = [Draft("Guide", 2)]
    assert assemble("docs/a.md", heading, {"title": "Manual"}).title == "Manual"
    assert assemble("docs/a.md", heading, {"title": ["no", "text"]}).title == "Guide"
    assert assemble("docs/a.md", [], {}).title == "a.md"


def test_a_section_ends_where_the_next_heading_begins() -> None:
    lines = ["# A", "", "one", "", "# B", "two", ""]
    first, second = from_lines(lines, [Heading("A", 1, 1, 2), Heading("B", 1, 5, 6)], [], nothing)
    assert (first.line, first.line_end, first.text) == (1, 3, "one")
    assert (second.line, second.line_end, second.text) == (5, 6, "two")


def test_a_heading_too_long_for_a_title_is_kept_in_the_text() -> None:
    title = "word " * 200
    draft = from_lines([f"# {title}", "x"], [Heading(title, 1, 1, 2)], [], nothing)[0]
    assert len(draft.title) <= 300
    assert draft.text == f"# {title}\nx"


def test_an_example_belongs_to_the_section_it_stands_in() -> None:
    lines = ["# A", "x", "# B", "```", "y", "```"]
    headings = [Heading("A", 1, 1, 2), Heading("B", 1, 3, 4)]
    first, second = from_lines(lines, headings, [Example("", "y", 4, 6)], nothing)
    assert (first.examples, len(second.examples)) == ([], 1)


def test_half_a_character_is_replaced() -> None:
    assert well_formed("\ud83d\ude00 \udc00").encode().decode() == "😀 \ufffd"
