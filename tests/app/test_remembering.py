"""Is a question asked twice answered once, and never from an older commit?"""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dowse.app.remembering import RememberedPages
from dowse.app.workspace import Workspace
from dowse.model.page import Excerpt, Hit, Page
from dowse.model.record import Record


def page(text: str) -> Page:
    record = Record("a", "page", fields={"content": text})
    return Page((Hit(record, 1.0, 1, Excerpt("content", text)),), 1, 0, 10)


def test_the_same_question_gives_the_same_page(workspace: Workspace) -> None:
    workspace.put(kind="page", title="Retries")
    assert workspace.search("retries") is workspace.search("retries")


@pytest.mark.requirement("T-03")
def test_after_a_write_the_same_question_is_answered_anew(workspace: Workspace) -> None:
    workspace.put(kind="page", title="Retries")
    assert workspace.search("retries").total == 1
    workspace.put(kind="page", title="More retries")
    assert workspace.search("retries").total == 2


def test_another_page_of_the_same_question_is_another_page(workspace: Workspace) -> None:
    for number in range(3):
        workspace.put(kind="page", title=f"Retries {number}")
    first, second = workspace.search("retries", limit=1), workspace.search("retries", limit=1, offset=1)
    assert first.hits[0].record.key != second.hits[0].record.key


def test_the_page_asked_for_longest_ago_is_forgotten_first() -> None:
    pages = RememberedPages(limit=2)
    for name in "ab":
        pages.put(1, name, page(name))
    pages.get(1, "a")
    pages.put(1, "c", page("c"))
    assert [pages.get(1, name) is not None for name in "abc"] == [True, False, True]


def test_a_page_with_much_text_is_not_kept() -> None:
    pages = RememberedPages()
    pages.put(1, "long", page("x" * 300_000))
    assert pages.get(1, "long") is None


def test_pages_of_an_older_commit_are_let_go_and_never_come_back() -> None:
    pages = RememberedPages()
    pages.put(1, "a", page("a"))
    pages.put(2, "b", page("b"))
    pages.put(1, "c", page("c"))
    assert [pages.get(1, name) for name in "abc"] == [None, None, None]
    assert len(pages) == 1


@given(st.lists(st.tuples(st.integers(1, 3), st.integers(0, 5), st.integers(0, 60)), max_size=60))
def test_whatever_is_asked_no_more_is_kept_than_is_allowed(asked: list[tuple[int, int, int]]) -> None:
    pages = RememberedPages(limit=4, characters=100)
    newest = 0
    expected: dict[int, int] = {}
    for generation, question, size in asked:
        pages.put(generation, question, page("x" * size))
        if generation > newest:
            newest, expected = generation, {}
        if generation == newest:
            expected.pop(question, None)
            expected[question] = size
            while len(expected) > 4 or sum(expected.values()) > 100:
                del expected[next(iter(expected))]
        assert {number for number in range(6) if pages.get(newest, number) is not None} == set(expected)
        # Asking is using: put them back in the order in which they were remembered.
        for number in expected:
            pages.get(newest, number)
        assert pages.characters == sum(expected.values())
