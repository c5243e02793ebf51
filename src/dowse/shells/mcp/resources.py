"""What can be read by address? Every record, and what the workspace, its kinds and its surfaces are."""

import re
from typing import TYPE_CHECKING
from urllib.parse import quote, unquote

from dowse.app.operations import OPERATIONS
from dowse.errors import NotFound
from dowse.shells.mcp.defaults import status_answer
from dowse.shells.mcp.operating import plain
from dowse.shells.mcp.reading import read
from dowse.shells.mcp.tool import Call

if TYPE_CHECKING:
    from dowse.app.workspace import Workspace

MARKDOWN = "text/markdown"
TEMPLATE = "dowse://record/{key}"
STATUS = "dowse://status"
# The address, and what stands there. Kinds and surfaces come from the declarations of the operations that tell them.
LISTED = {
    STATUS: ("status", "What the index holds, and how fresh it is"),
    "dowse://kinds": ("kinds", "The kinds of records, with their fields and facets"),
    "dowse://surfaces": ("surfaces", "The ways to search, with their parameters"),
}
_RECORD = re.compile(r"dowse://record/(?P<key>.+)", re.DOTALL)
_SUGGESTED = 20


def address(key: str) -> str:
    """Where a record can be read.

    >>> address("acme:src/a.py#run")
    'dowse://record/acme%3Asrc%2Fa.py%23run'
    """
    return f"dowse://record/{quote(key, safe='')}"


def read_resource(call: Call, uri: str) -> str:
    """The text at an address, as far as there is room; it ends with the call that gives the rest."""
    matched = _RECORD.fullmatch(uri)
    if matched:
        return read(call, [call.workspace.get(unquote(matched["key"])).key]).text
    if uri == STATUS:
        return status_answer(call).text
    if uri not in LISTED:
        raise NotFound(f"Nothing stands at {uri!r}. There are {', '.join(LISTED)} and {TEMPLATE}.")
    operation = OPERATIONS[LISTED[uri][0]]
    return f"```\n{plain(operation.perform(call.workspace, {}))}\n```"


def complete_key(workspace: "Workspace", typed: str) -> list[str]:
    """Keys that someone who has typed so much may mean: those of the best hits for it."""
    if not typed.strip():
        return []
    return [hit.record.key for hit in workspace.search(typed, limit=_SUGGESTED).hits]
