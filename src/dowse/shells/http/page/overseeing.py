"""What does the workspace hold, is it fresh, and is it well?"""

from typing import Any

from dowse.app.operations import OPERATIONS
from dowse.app.workspace import Workspace
from dowse.model.page import Listing
from dowse.model.record import Record
from dowse.model.run import Freshness
from dowse.ports import Finding, Status
from dowse.present.answers import answer_json
from dowse.shells.http.page.places import brief
from dowse.version import __version__

# Kinds whose titles make good first questions, in this order.
_ASKED_FOR = ("page", "symbol", "item", "section", "knowledge", "node", "snippet", "codefile")
_EXAMPLES = 5
_LONGEST_EXAMPLE = 44
_TITLES = 40
# The latest records: looked at, shown, and shown of one kind, so that a commit to the code does not hide the day's notes.
_LOOKED_AT, _RECENT, _OF_ONE_KIND = 200, 8, 3


def overview(workspace: Workspace) -> dict[str, Any]:
    """What someone sees who has not asked yet."""
    latest: Listing = OPERATIONS["list"].perform(workspace, {"limit": _LOOKED_AT})
    return {**status(workspace), "recent": _recent(latest.records), "examples": _examples(workspace)}


def status(workspace: Workspace) -> dict[str, Any]:
    """What is here and how fresh it is."""
    now: Status = OPERATIONS["status"].perform(workspace, {})
    projects: tuple[Freshness, ...] = OPERATIONS["projects"].perform(workspace, {})
    return {
        "status": {**answer_json(now), "embedding": _embedding(now)},
        "projects": [answer_json(item) for item in projects],
        "version": __version__,
        "caller": {
            "name": workspace.principal.name,
            "capabilities": sorted(item.value for item in workspace.principal.capabilities),
        },
    }


def health(workspace: Workspace) -> list[dict[str, Any]]:
    """Every check with its result; looks at everything, so it takes a moment."""
    found: tuple[Finding, ...] = OPERATIONS["doctor"].perform(workspace, {})
    return [answer_json(item) for item in found]


def _embedding(now: Status) -> dict[str, Any]:
    state = now.embedding
    return {
        "model": state.profile.name if state.profile is not None else state.specification,
        "dimension": state.profile.dimension if state.profile is not None else 0,
        "done": state.done,
        "waiting": state.waiting,
        "failure": state.failure,
    }


def _recent(latest: tuple[Record, ...]) -> list[dict[str, Any]]:
    shown: list[Record] = []
    for record in latest:
        if sum(other.kind == record.kind for other in shown) < _OF_ONE_KIND and len(shown) < _RECENT:
            shown.append(record)
    return [{**brief(record), "updated": record.updated} for record in shown]


def _examples(workspace: Workspace) -> list[str]:
    """Questions that have an answer here: what one of the latest records of each kind is called, in two words rather than one."""
    examples: list[str] = []
    for kind in _ASKED_FOR:
        found: Listing = OPERATIONS["list"].perform(workspace, {"kinds": (kind,), "limit": _TITLES})
        titles = [record.title for record in found.records if 3 < len(record.title) <= _LONGEST_EXAMPLE]
        telling = [
            title
            for title in titles
            if len(title.replace("_", " ").split()) > 1 and not title.startswith("_") and not title.isupper()
        ]
        examples += [title for title in (*telling, *titles) if title not in examples][:1]
    return examples[:_EXAMPLES]
