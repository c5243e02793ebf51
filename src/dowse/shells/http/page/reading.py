"""What does the page show of one record? Where it stands, what it says, and what hangs below it."""

from typing import Any

from dowse.app.lining import first_line
from dowse.app.operations import OPERATIONS
from dowse.app.workspace import Workspace
from dowse.model.page import Branch, Listing
from dowse.model.record import Record
from dowse.present.colouring import colour
from dowse.present.document import facts, render
from dowse.shells.http.page.excerpts import is_code, language_of
from dowse.shells.http.page.places import ancestors, brief, file_of, line_of

# A tree is shown whole if it has no more records than this; of many parts, so many are shown.
_BRANCHES = 300
# A browser lays out so many lines of code without a pause.
_LINES = 3000
# Fields that stand elsewhere: in the head, or beside it.
_ELSEWHERE = ("title", "path", "breadcrumb", "tags")
# Fields that hold words rather than sentences.
_WORDS = ("exports", "imports", "triggers")
# Facts that the head tells already.
_TOLD = ("path", "line", "lineEnd", "slug", "refId", "noteKey", "symbolKind", "role")


def read(workspace: Workspace, key: str, *, at_home: bool) -> dict[str, Any]:
    """The record as the preview shows it. ``at_home``: the caller sits at this machine, so files can be opened."""
    record: Record = OPERATIONS["get"].perform(workspace, {"key": key})
    above = ancestors(workspace, record)
    is_work = record.kind == "item"
    branch = _widest(workspace, [*above, record]) if is_work else _branch(workspace, record.key, 1)
    below = _below(branch, [_BRANCHES])
    return {
        **brief(record),
        "lineEnd": record.facets.get("lineEnd"),
        "tags": list(record.tags),
        "updated": record.updated,
        "crumbs": [brief(item) for item in above],
        "blocks": _blocks(workspace, record, is_whole=is_work or not branch.children),
        "facts": facts({name: value for name, value in record.facets.items() if name not in _TOLD and value is not False}),
        "below": [] if is_work else below["children"],
        "tree": below if is_work and (branch.children or above) else None,
        "file": file_of(workspace, record) if at_home else None,
    }


def _widest(workspace: Workspace, chain: list[Record]) -> Branch:
    """The tree of the highest task in a chain that is small enough to be seen as a whole; else the last one's first level."""
    for record in chain:
        inside: Listing = OPERATIONS["list"].perform(workspace, {"under": record.key, "limit": 1})
        if inside.total <= _BRANCHES:
            return _branch(workspace, record.key, None)
    return _branch(workspace, chain[-1].key, 1)


def _branch(workspace: Workspace, key: str, depth: int | None) -> Branch:
    branch: Branch = OPERATIONS["tree"].perform(workspace, {"key": key, "depth": depth})
    return branch


def _blocks(workspace: Workspace, record: Record, *, is_whole: bool) -> list[dict[str, Any]]:
    blocks: list[dict[str, Any]] = []
    fields = [field.name for field in workspace.schema.kinds[record.kind].fields if field.name not in _ELSEWHERE]
    for name in fields:
        text = record.text(name)
        if not text.strip() or (record.kind == "symbol" and name == "signature"):
            continue
        if is_code(record, name):
            start = first_line(record, workspace.schema.kinds[record.kind], text, has_parts=not is_whole)
            blocks.append(_code(record, name, start))
        elif name in _WORDS:
            blocks.append({"name": name, "words": [word for word in text.replace(",", " \n").split() if word]})
        else:
            blocks.append({"name": name, "html": render(text)})
    # Sentences before lists of words.
    return sorted(blocks, key=lambda block: "words" in block)


def _code(record: Record, name: str, start: int | None) -> dict[str, Any]:
    """Code with its signature before it. Lines are numbered where they are known: nothing in between may be missing."""
    text = record.text(name)
    length = text.count("\n") + 1
    signature = record.text("signature") if record.kind == "symbol" else ""
    return {
        "name": name,
        "language": language_of(record),
        "head": list(colour(signature, language_of(record))) if signature else [],
        "headLine": line_of(record),
        "code": list(colour(text, language_of(record))[:_LINES]),
        "more": max(0, length - _LINES),
        "start": start,
    }


def _below(branch: Branch, left: list[int]) -> dict[str, Any]:
    """A branch in brief. ``left`` counts how many more are shown, over the whole tree."""
    children = []
    for child in sorted(branch.children, key=lambda item: (line_of(item.record) or 0, item.record.title, item.record.key)):
        if left[0] <= 0:
            break
        left[0] -= 1
        children.append(_below(child, left))
    return {**brief(branch.record), "children": children}
