import pytest

from dowse.ingest.documents.front import read_front


def lines(text: str) -> list[str]:
    return text.split("\n")


def test_yaml_between_dashes_is_front_matter() -> None:
    front = read_front(lines("---\ntitle: Guide\ndraft: true\n---\nText"), "a.md")
    assert (front.values, front.first) == ({"title": "Guide", "draft": True}, 5)


def test_toml_between_plus_signs_is_front_matter() -> None:
    assert read_front(lines('+++\ntitle = "Guide"\nweight = 3\n+++\n'), "a.md").values == {"title": "Guide", "weight": 3}


def test_a_byte_order_mark_does_not_hide_front_matter() -> None:
    assert read_front(lines("\ufeff---\na: 1\n---"), "a.md").values == {"a": 1}


def test_text_between_two_rules_is_no_front_matter() -> None:
    front = read_front(lines("---\nJust a sentence.\n---\nMore."), "a.md")
    assert (front.values, front.first, front.problems) == ({}, 1, ())


def test_front_matter_that_is_never_closed_is_text() -> None:
    assert read_front(lines("---\ntitle: Guide\n\nText"), "a.md").values == {}


@pytest.mark.parametrize(
    "text",
    [
        "---\ntitle: [open\n---\n",
        "---\nwhen: 2024-13-45\n---\n",
        "---\ncount: " + "1" * 5000 + "\n---\n",
        "---\n" + "[" * 5000 + "\n---\n",
        "---\n" + "- " * 5000 + "x\n---\n",
        "---\na: &a {b: 1}\nc: {<<: *a}\n---\n",
        "+++\ntitle = \n+++\n",
    ],
)
def test_front_matter_that_cannot_be_read_is_a_problem_and_stays_as_text(text: str) -> None:
    front = read_front(lines(text), "docs/a.md")
    assert (front.values, front.first) == ({}, 1)
    assert front.problems[0].startswith("docs/a.md: the front matter cannot be read: ")


def test_a_problem_says_in_which_line_it_is() -> None:
    assert "in line 3" in read_front(lines("---\na: 1\nb: c: d\n---"), "a.md").problems[0]


@pytest.mark.parametrize("value", ["!!bool x", "!!int ''", "!!timestamp x", "!!float z"])
def test_a_tag_that_does_not_fit_its_value_is_a_problem_and_no_crash(value: str) -> None:
    front = read_front(["---", f"a: {value}", "---", "text"], "a.md")
    assert (len(front.problems), "a" in front.values) == (1, False)
