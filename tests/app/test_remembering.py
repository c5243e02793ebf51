"""Is a question asked twice answered once, and never from an older commit?"""

import pytest

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
        pages.put(name, page(name))
    pages.get("a")
    pages.put("c", page("c"))
    assert [pages.get(name) is not None for name in "abc"] == [True, False, True]


def test_a_page_with_much_text_is_not_kept() -> None:
    pages = RememberedPages()
    pages.put("long", page("x" * 300_000))
    assert pages.get("long") is None
