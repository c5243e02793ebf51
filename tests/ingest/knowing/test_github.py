from typing import Any

from dowse.ingest.knowing.github import issue
from dowse.ingest.knowing.issue import Issue, Note

ROW: dict[str, Any] = {
    "number": 12,
    "title": "Login fails",
    "body": "On Mondays.",
    "state": "OPEN",
    "labels": [{"name": "bug"}, {"name": "priority: high"}],
    "assignees": [{"login": "ann"}, {"login": "bob"}],
    "milestone": {"title": "v2"},
    "url": "https://example.org/o/r/issues/12",
    "comments": [{"author": {"login": "eve"}, "body": "Me too.", "url": "https://example.org/c/1"}, {"body": ""}],
}


def made(**more: object) -> Issue:
    found = issue({**ROW, **more}, named=False)
    assert found is not None
    return found


def test_an_issue_keeps_its_labels_people_milestone_and_address() -> None:
    found = made()
    assert (found.title, found.description, found.summary, found.tags) == (
        "Login fails",
        "On Mondays.",
        "Milestone: v2",
        ("bug", "priority: high"),
    )
    assert found.facets == {
        "role": "queue",
        "status": "open",
        "type": "issue",
        "number": 12,
        "url": "https://example.org/o/r/issues/12",
        "assignee": "ann, bob",
        "priority": "high",
    }


def test_comments_become_notes_with_their_authors() -> None:
    assert made().notes == (Note("comment-1", "Me too.", "eve", "https://example.org/c/1"),)


def test_the_number_of_comments_is_no_comment() -> None:
    assert made(comments=3).notes == ()


def test_what_graphql_puts_below_nodes_is_read() -> None:
    found = made(labels={"nodes": [{"name": "web"}]}, comments={"nodes": [{"body": "Hm."}]})
    assert (found.tags, found.notes[0].body) == (("web",), "Hm.")


def test_a_closed_issue_is_done_whatever_its_labels_say() -> None:
    assert made(state="closed", labels=["blocked"]).facets["role"] == "terminal"


def test_a_label_can_tell_the_role_of_an_open_issue() -> None:
    assert made(labels=["status: in progress"]).facets["role"] == "work"
    assert made(labels=["blocked"]).facets["role"] == "blocked"


def test_a_pull_request_is_told_by_its_properties_and_is_under_review() -> None:
    assert (made(pull_request={}).facets["type"], made(pull_request={}).facets["role"]) == ("pull request", "review")
    assert made(headRefName="fix", isDraft=True).facets["role"] == "work"
    assert made(headRefName="fix", state="MERGED").facets["role"] == "terminal"


def test_a_label_is_a_priority_only_if_it_says_so() -> None:
    assert made(labels=["P1"]).facets["priority"] == "high"
    assert made(labels=["1", "a", "major"]).facets["priority"] == ""


def test_an_object_without_a_state_is_an_issue_only_by_its_address_or_the_name_of_its_file() -> None:
    bare = {"number": 1, "title": "A", "body": "B"}
    assert issue(bare, named=False) is None
    assert issue(bare, named=True) is not None
    assert issue({**bare, "html_url": "https://example.org/o/r/pull/1"}, named=False) is not None


def test_an_object_without_a_number_or_a_title_is_no_issue() -> None:
    for wrong in ({"number": "12"}, {"number": 0}, {"number": True}, {"title": ""}, {"title": ["x"]}):
        assert issue({**ROW, **wrong}, named=True) is None


def test_values_of_the_wrong_shape_are_left_out() -> None:
    found = made(labels="x", assignees=[3, {}], milestone=[], body={"a": 1}, comments=[None, 7, []])
    assert (found.tags, found.description, found.summary, found.notes) == (("x",), "", "", ())
