"""Is a JSON object an issue or a pull request of GitHub, and what does it say?"""

import re

from dowse.ingest.knowing.issue import Issue, Note
from dowse.ingest.knowing.loose import Given, first, given, items, line, text, unique
from dowse.ingest.knowing.statuses import priority_of, role_of

_STATES = frozenset({"open", "closed", "merged"})
_ADDRESS = re.compile(r"/(issues|pull|pulls)/\d+")
# A label is a priority only if it says so: "1" and "A" may mean anything.
_PRIORITY = re.compile(r"^(?:priority|prio|severity)\b|^P[0-4]\b|^(?:urgent|critical)$", re.IGNORECASE)
_PULL = ("pull_request", "headRefName", "head", "mergedAt", "merged_at", "isDraft", "baseRefName")


def issue(row: Given, *, named: bool) -> Issue | None:
    """The issue; None if the object is something else. ``named``: the file's name says that it holds issues."""
    number, title = row.get("number"), line(row.get("title"))
    if not isinstance(number, int) or isinstance(number, bool) or not 0 < number < 10**9 or not title:
        return None
    url, state = line(first(row, "html_url", "url")), line(row.get("state")).lower()
    if state not in _STATES and not _ADDRESS.search(url) and not (named and first(row, "body", "labels", "url")):
        return None
    labels = _names(row.get("labels"))
    pull = any(name in row for name in _PULL) or "/pull/" in url
    facets: dict[str, str | int] = {
        "role": _role(row, state, labels, pull),
        "status": state or "open",
        "type": "pull request" if pull else "issue",
        "number": number,
        "url": url,
        "assignee": ", ".join(_names(row.get("assignees")) or _names(row.get("assignee"))),
        "priority": _priority(labels),
    }
    milestone = line(first(given(row.get("milestone")), "title", "name")) or line(row.get("milestone"))
    summary = f"Milestone: {milestone}" if milestone else ""
    body = text(row.get("body"))
    return Issue(str(number), f"#{number}", title, body, summary, labels, facets, notes=_comments(row.get("comments")))


def _role(row: Given, state: str, labels: tuple[str, ...], pull: bool) -> str:
    if state in ("closed", "merged"):
        return "terminal"
    told = [role for role in (role_of(label.rpartition(":")[2]) for label in labels) if role in ("work", "review", "blocked")]
    if told:
        return told[0]
    draft = first(row, "isDraft", "draft") is True
    return "queue" if not pull else "work" if draft else "review"


def _priority(labels: tuple[str, ...]) -> str:
    said = (priority_of(label.replace("severity", "priority")) for label in labels if _PRIORITY.match(label))
    return next((level for level in said if level), "")


def _names(value: object) -> tuple[str, ...]:
    """Labels and people are objects with a name, or names; GraphQL puts them below ``nodes``."""
    if isinstance(given(value).get("nodes"), list):
        value = given(value)["nodes"]
    return unique(line(first(given(member), "name", "login")) or line(member) for member in items(value))


def _comments(value: object) -> tuple[Note, ...]:
    """REST gives their number only, which is no list and so none."""
    if isinstance(given(value).get("nodes"), list):
        value = given(value)["nodes"]
    made = []
    for position, member in enumerate(items(value), 1):
        said = given(member)
        author = _names(first(said, "author", "user"))
        if text(said.get("body")):
            url = line(first(said, "html_url", "url"))
            made.append(Note(f"comment-{position}", text(said.get("body")), ", ".join(author), url))
    return tuple(made)
