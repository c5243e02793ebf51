"""Is damage told as damage? A workspace in which some bytes are not what was written, opened, searched, read and examined."""

import shutil
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import dowse
from bench.fuzz_campaign import Campaign, Given, Try, chosen, declared, expect
from bench.fuzz_queries import sample_workspace
from dowse.app.workspace import Workspace
from dowse.errors import DowseError

_PLACES = 6
_KINDS = 5
_PAGE = 4096
_QUERIES = ("retry courier", '"retry budget"', "retr*", "how are alerts brought to people", "tide -courier")
# What anyone may do with a workspace whose file has gone bad.
_USES: tuple[Callable[[Workspace], object], ...] = (
    *((lambda workspace, query=query: workspace.search(query)) for query in _QUERIES),
    lambda workspace: workspace.search("courier", surface="items", mode="text"),
    lambda workspace: workspace.search("ourie", mode="substring"),
    lambda workspace: workspace.search("courier", mode="vector"),
    lambda workspace: workspace.search("tide", kinds=["page"], explain=True),
    lambda workspace: workspace.get("task-17"),
    lambda workspace: workspace.list(limit=100),
    lambda workspace: workspace.tree("task-10"),
    lambda workspace: workspace.neighbours("task-17"),
    lambda workspace: workspace.why_not("task-17", "tide"),
    lambda workspace: workspace.search_files("courier"),
    lambda workspace: workspace.status(),
    lambda workspace: workspace.update("task-17", title="Cap them"),
    lambda workspace: workspace.projects(),
)


def samples() -> Sequence[bytes]:
    return [
        chosen(kind, 1, *((kind * 37 + step * 11 + part * 5) % 256 for part in range(6)))
        for kind in range(_KINDS)
        for step in range(24)
    ]


@contextmanager
def ready(folder: Path) -> Iterator[Try]:
    whole = folder / "whole.dowse"
    with sample_workspace(whole) as workspace:
        copy = folder / "copy.dowse"
        copy.unlink(missing_ok=True)
        workspace.backup(copy)
    # A backup is laid out anew; the file itself has free pages and lanes as a life of writing left them.
    original = whole.read_bytes()
    shutil.rmtree(folder / "damaged", ignore_errors=True)
    (folder / "damaged").mkdir()
    yield lambda data: _use(folder / "damaged" / "damaged.dowse", damaged(original, data))


def damaged(original: bytes, data: bytes) -> bytes:
    """The same bytes but for a few, as the input says."""
    given = Given(data)
    changed = bytearray(original)
    kind = given.number(_KINDS)
    for _ in range(1 + given.number(_PLACES)):
        at = ((given.number(256) << 16) | (given.number(256) << 8) | given.number(256)) % len(changed)
        page = at - at % _PAGE
        if kind == 0:
            changed[at] ^= 1 << given.number(8)
        elif kind == 1:
            changed[at] = given.number(256)
        elif kind == 2:
            length = 1 + given.number(64)
            changed[at : at + length] = bytes(
                (given.number(256) + step * 7) % 256 for step in range(min(length, len(changed) - at))
            )
        elif kind == 3:
            # The head of a page says what follows.
            changed[page + at % 12] = given.number(256)
        else:
            changed[page : page + _PAGE] = bytes(_PAGE) if given.chance(2) else changed[_PAGE : 2 * _PAGE]
    return bytes(changed)


def _use(path: Path, content: bytes) -> None:
    for beside in ("-wal", "-shm"):
        path.with_name(path.name + beside).unlink(missing_ok=True)
    path.write_bytes(content)
    try:
        workspace = dowse.open(path)
    except DowseError as error:
        declared(error)
        return
    with workspace:
        for use in _USES:
            try:
                use(workspace)
            except DowseError as error:
                declared(error)
        findings = _examined(workspace)
        expect(bool(findings), "the doctor has nothing to say")


def _examined(workspace: Workspace) -> tuple[object, ...]:
    try:
        return workspace.doctor()
    except DowseError as error:
        declared(error)
        return (error,)


CAMPAIGN = Campaign("damage", "a workspace whose bytes changed", samples, ready, longest=64)
