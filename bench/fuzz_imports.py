"""Is a bad line of an import told, and nothing of it written? JSON lines with everything wrong that can be."""

import io
import json
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path

import dowse
from bench.fuzz_campaign import Campaign, Given, Try, chosen, declared, expect
from bench.fuzz_queries import SAMPLE
from bench.fuzz_renewing import Renewed
from dowse.app.workspace import Workspace
from dowse.errors import DowseError
from dowse.model.record import Record

_WORDS = tuple(
    rb"""{"key": "kind": "item" "page" "node" "snippet" "title": "fields": {"facets": {"tags": ["space": "parent": "updated":
    "deleted": true "type": "edge" "source": "target": "delete" "purge" "unlink" "blocks" null NaN Infinity -Infinity
    1e999 99999999999999999999999 "\ud800" "\u0000" "\udc00\ud800" [[[[[[[[ {"a":{"a":{"a": \ufeff "k1" "k2" "role":
    "work" "priority": "content": "summary":""".split()
)
_ODD = (
    b'{"key": "k1", "kind": "page", "title": "One", "content": "See [[Two]] and [[One]].", "updated": 1e308}\n',
    b'{"key": "k1", "key": "k2", "kind": "item", "title": "Twice", "role": "work", "role": "queue"}\n',
    b'{"key": "k2", "kind": "item", "parent": "k2", "title": "Own parent"}\n{"key": "k2", "kind": "page", "title": "Other kind"}\n',
    b'{"type": "edge", "source": "k1", "target": "k2", "kind": "blocks", "weight": 1e999, "n": 123456789012345678901234567890}\n',
    b'{"type": "delete", "key": "k1", "purge": true}\n{"type": "unlink", "source": "k1", "target": "k2", "kind": "blocks"}\n',
    b'{"key": "k3", "kind": "item", "title": "\\ud800", "summary": "\\udc00 half"}\n\xff\xfe\x00{\n',
    b'{"key": "k4", "kind": "node", "title": "n", "facets": {"x": 9007199254740993, "kind": "service", "refId": "a"}}\n',
    b'\xef\xbb\xbf{"key": "k5", "kind": "note", "title": "with a mark", "parent": "task-10"}\r\n\r\n   \n',
    b'{"key": "k6", "kind": "page", "title": 5, "tags": 7, "updated": "yesterday"}\n[1, 2]\n"text"\n5\nnull\n',
    b"[" * 3000 + b"\n",
    b'{"a":' * 3000 + b"\n",
    b'{"key": "k7", "kind": "page", "title": "long", "content": "' + b"tide " * 1000 + b'"}\n',
)
# After so many inputs the workspace is made anew.
_MOST = 400
_EXAMINED = 20


def samples() -> Sequence[bytes]:
    lines = SAMPLE.read_bytes().splitlines(keepends=True)
    whole = [chosen(number % 2, then=b"".join(lines[number : number + 6])) for number in range(0, len(lines), 6)]
    return [*whole, *(chosen(number % 2, then=odd) for number, odd in enumerate(_ODD))]


@contextmanager
def ready(folder: Path) -> Iterator[Try]:
    with closing(_Trial(folder)) as trial:
        yield trial


class _Trial:
    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._workspace = Renewed(self._opened, _MOST)

    def __call__(self, data: bytes) -> None:
        workspace = self._workspace.take()
        given = Given(data)
        skip_bad = given.chance(2)
        path = self._folder / "import.jsonl"
        path.write_bytes(given.rest())
        before = _keys(workspace)
        try:
            done = workspace.import_file(path, skip_bad=skip_bad, restart=True)
        except DowseError as error:
            declared(error)
            expect(not skip_bad, f"bad lines were to be left out, and yet: {error}")
        else:
            expect(skip_bad or done.skipped == 0, "a line was left out that nobody asked to leave out")
        self._expect_sound(workspace, before)

    def close(self) -> None:
        self._workspace.close()

    def _expect_sound(self, workspace: Workspace, before: frozenset[str]) -> None:
        """Whatever came, the next import is as good as any, and everything can be read and written out."""
        good, title = self._folder / "good.jsonl", f"Good {self._workspace.count}"
        good.write_text(json.dumps({"key": "good", "kind": "page", "title": title, "content": "quaywalk"}) + "\n")
        workspace.import_file(good, restart=True)
        expect(workspace.get("good").title == title, "a good import after a bad one is lost")
        expect("good" in [hit.record.key for hit in workspace.search("quaywalk", mode="keyword").hits], "it is not found")
        for key in sorted(_keys(workspace) - before)[:5]:
            json.dumps(workspace.get(key).title).encode()
        if self._workspace.count % _EXAMINED == 0:
            out = io.StringIO()
            workspace.export(out)
            # Only a line feed ends a line of JSON; some other characters do so for Python.
            for line in out.getvalue().removesuffix("\n").split("\n"):
                json.loads(line.encode())
            faults = [item for item in workspace.doctor() if not item.ok]
            expect(not faults, f"the doctor found {faults}")

    @contextmanager
    def _opened(self) -> Iterator[Workspace]:
        for name in ("imports.dowse", "imports.dowse-wal", "imports.dowse-shm"):
            (self._folder / name).unlink(missing_ok=True)
        with dowse.open(self._folder / "imports.dowse", model="none") as workspace:
            workspace.import_file(SAMPLE)
            yield workspace


def _keys(workspace: Workspace) -> frozenset[str]:
    with workspace.embedding.view() as view:
        return frozenset(item.key for item in view.scan() if isinstance(item, Record))


CAMPAIGN = Campaign("imports", "JSON lines: records, edges, deletions", samples, ready, _WORDS)
