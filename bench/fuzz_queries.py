"""Does any text at all get an answer? The parser and the whole search, on every surface, in every mode, over every kind."""

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import dowse
from bench.fuzz_campaign import ROOT, Campaign, Given, Try, chosen, declared, expect
from dowse.app.workspace import Workspace
from dowse.domains.everything import SURFACES
from dowse.errors import DowseError
from dowse.model.request import Mode
from dowse.present.library import snippets_text
from dowse.present.shape import shape

SAMPLE = ROOT / "docs" / "sample.jsonl"
_SURFACES = sorted(SURFACES)
_MODES = (None, *(mode.value for mode in Mode))
_LIMITS = (None, 1, 5, 20, 100, 0, -1, 101, 1 << 70)
_OFFSETS = (0, 1, 7, -1, 1 << 40, 1 << 70)
# The values that a parameter of each type is tried with; the last ones are wrong on purpose.
_VALUES: dict[str, Sequence[Any]] = {
    "string": ("alerts", "saltmarsh", "v1", "\ud800", "", 5),
    "id": ("task-10", "task", "/saltmarsh/tidekit", "nothing", "", None, "\ud800abcd", ["task-10"]),
    "integer": (1, 2, 0, -1, 1 << 70, True, 1.5),
    "number": (0.5, 0, 1, -1, float("nan"), float("inf"), 1 << 2000, "1"),
    "boolean": (True, False, 0, "true"),
    "strings": (["item"], ["saltmarsh", "x"], ["courier", ""], [], "page", [5], ["\ud800"]),
    "facets": ({"role": "work"}, {"role": ["work", "queue"]}, {}, {"x": None}, {"x": [[]]}, {"x": 1 << 70}, {"x": {}}, []),
}
_QUERIES = """
how are retries capped
"retry budget" OR (courier AND NOT alert*)
-alert title:courier "dead letter"~3 +tide
getUserById snake_case_name kebab-case HTTPServer2
src/harbour/courier.py:42
(((((a OR b) AND c) NOT d
"unclosed phrase and field:"
AND OR NOT ( ) " * : -
naïve café straße ΑΒΓ İstanbul ﬃ １２３
検索 エンジン поиск ค้นหา 검색
task-17 task-10 /saltmarsh/tidekit
the of and to
a* b* c*
C++ C# .NET node.js
""".strip().splitlines()
_WORDS = tuple(
    """AND OR NOT " ( ) * - + : ~ ^ title: name: path: kind: content:( "courier" retr* ( ( ) ) -" "" \\ / . _ ' ` { } [ ]
    NEAR( near/3 task-17 courier retry 検索 é İ""".encode().split()
)


def samples() -> Sequence[bytes]:
    texts = [chosen(number % len(_SURFACES), number % len(_MODES), 0, 0, 0, 0, then=text) for number, text in enumerate(_QUERIES)]
    every = [
        chosen(number, mode, 1, 0, 3, 1, 0, then="retry courier") for number in range(len(_SURFACES)) for mode in range(len(_MODES))
    ]
    return [*texts, *every]


@contextmanager
def ready(folder: Path) -> Iterator[Try]:
    with sample_workspace(folder / "queries.dowse") as workspace:
        yield lambda data: _ask(workspace, data)


@contextmanager
def sample_workspace(path: Path) -> Iterator[Workspace]:
    """The records of the documentation, which are of every kind, with vectors."""
    path.unlink(missing_ok=True)
    for beside in ("-wal", "-shm"):
        path.with_name(path.name + beside).unlink(missing_ok=True)
    with dowse.open(path) as workspace:
        workspace.import_file(SAMPLE)
        workspace.embed()
        yield workspace


def _ask(workspace: Workspace, data: bytes) -> None:
    given = Given(data)
    surface = given.choice(_SURFACES)
    parameters = _parameters(given, surface)
    query = None if given.chance(60) else given.text()
    try:
        page = workspace.search(query, surface=surface, **parameters)
    except DowseError as error:
        declared(error)
        return
    expect(page.total >= len(page.hits), "a page has more hits than there are")
    keys = [hit.record.key for hit in page.hits]
    expect(len(keys) == len(set(keys)), f"a record is there twice: {keys}")
    # Whoever asks over a wire gets it as JSON in UTF-8.
    json.dumps(shape(page, workspace.surface(surface)), ensure_ascii=False).encode()
    if surface == "docs":
        snippets_text(page, workspace.get("/saltmarsh/tidekit"), 500)
    if query is not None and keys and given.number(2) == 0:
        with suppress(DowseError):
            workspace.why_not(keys[-1], query, surface=surface, **parameters)


def _parameters(given: Given, surface: str) -> dict[str, Any]:
    known = SURFACES[surface].parameters
    found: dict[str, Any] = {}
    for parameter in known:
        if parameter.into == "mode":
            mode = given.choice(_MODES)
            found |= {parameter.name: mode} if mode is not None else {}
        elif parameter.into == "limit":
            found |= {parameter.name: limit} if (limit := given.choice(_LIMITS)) is not None else {}
        elif parameter.into == "offset":
            found |= {parameter.name: offset} if (offset := given.choice(_OFFSETS)) else {}
        elif parameter.required:
            found[parameter.name] = "/saltmarsh/tidekit"
    for _ in range(given.number(4) % 3):
        parameter = given.choice(known)
        # A second model would be loaded for this; that is tried elsewhere.
        if parameter.into != "rescore":
            found[parameter.name] = given.choice(parameter.choices or _VALUES[parameter.type])
    return found


CAMPAIGN = Campaign("queries", "any text, on every surface and in every mode", samples, ready, _WORDS, longest=11_000)
