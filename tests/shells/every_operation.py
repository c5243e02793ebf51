"""Every operation with values to perform it with, for tests that hold shells and schemas against each other.

In an order in which each can be performed on the sample records, one after the other.
"""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from dowse.app.operations import OPERATIONS

ROOT = Path(__file__).resolve().parents[2]
SAMPLE = ROOT / "docs" / "sample.jsonl"
QUESTIONS = '{"query": "cap the retries", "expected": ["task-17"]}\n{"query": "on call", "expected": ["on-call-handbook"]}\n'
SOURCE = '"""How long to wait."""\n\n\ndef pause(attempt):\n    """The seconds before the next attempt."""\n    return 2**attempt\n'

Values = dict[str, Any]

CALLS: dict[str, tuple[Values, ...]] = {
    "search": (
        {"query": "how are retries capped"},
        {"query": "retry", "kinds": ["item"], "limit": 5, "explain": True},
        {"query": "courier", "surface": "architecture", "kinds": ["service"]},
        {"query": "retries", "surface": "items", "facets": {"role": "work"}, "explain": True},
        {"query": "retries", "surface": "docs", "parameters": {"repositoryId": "/saltmarsh/tidekit", "versionId": "v1"}},
        {"query": "retries", "count": ["kind", "space", "tag"], "limit": 1},
        {"query": "nothing has such words zzzqqq"},
        {"query": "gauge", "mode": "keyword", "spaces": ["saltmarsh"], "offset": 1, "limit": 2},
    ),
    "search_files": ({"query": "courier.py", "graph": "code"}, {"query": "courier"}),
    "recall": ({"query": "cut a release"},),
    "why_not": ({"key": "task-17", "query": "retry budget"}, {"key": "task-17", "query": "zzzqqq"}),
    "resolve_library": ({"name": "tidekit", "query": "subscribe to a gauge"},),
    "query_docs": ({"library": "/saltmarsh/tidekit", "query": "subscribe to a gauge", "version": "v1"},),
    "context": ({"task": "cap the retries of the courier"}, {"task": "why are retries capped", "tokens": 300, "kinds": ["page"]}),
    "similar": ({"key": "task-17"}, {"key": "retry-policy", "kinds": ["item"], "limit": 3}),
    "related": ({"key": "task-17"},),
    "get": ({"key": "task-17"}, {"key": "retry-pol"}),
    "list": ({"kinds": ["item"], "facets": {"role": "work"}}, {"limit": 3, "offset": 2}),
    "tree": ({"key": "task-10"}, {"key": "task-10", "depth": 1}),
    "backlinks": ({"key": "retry-policy"},),
    "neighbours": ({"key": "task-17", "direction": "outgoing", "kinds": ["blocks"]}, {"key": "task-17", "depth": 2}),
    "surfaces": ({},),
    "kinds": ({},),
    "library_list": ({},),
    "status": ({},),
    "doctor": ({},),
    "model_list": ({},),
    "put": (
        {"kind": "item", "key": "task-40", "title": "Cap the retries", "set": {"role": "queue"}},
        {"kind": "page", "title": "On call again", "tags": ["a", "b"], "set": {"content": "See [[Retry policy]]."}},
    ),
    "update": ({"key": "task-17", "set": {"role": "review"}},),
    "link": ({"source": "task-40", "target": "task-18", "kind": "blocks"},),
    "unlink": ({"source": "task-40", "target": "task-18", "kind": "blocks"},),
    "tag": ({"key": "task-40", "add": ["urgent"]}, {"key": "task-40", "remove": ["urgent"]}),
    "rename_tag": ({"old": "reliability", "new": "sturdiness"},),
    "remember": ({"text": "Retries are capped at five.", "about": ["retry-policy"]},),
    "delete": ({"key": "task-30"},),
    "restore": ({"key": "task-30"},),
    "import": ({"path": str(SAMPLE), "skip_bad": True},),
    "index": ({"folder": "project", "dry_run": True}, {"folder": "project", "space": "harbour", "jobs": 1}),
    "projects": ({},),
    "forget": ({"space": "harbour"},),
    "library_add": ({"source": "project", "id": "/acme/rocket", "stars": 12},),
    "library_update": ({"library": "/acme/rocket"},),
    "library_remove": ({"library": "/acme/rocket"},),
    "embed": ({},),
    "model_use": ({"model": "none"}, {"model": "static"}),
    "reindex": ({},),
    "export": ({},),
    "backup": ({"path": "monday.dowse"},),
    "bench": ({"file": "questions.jsonl", "lists": True, "worst": 1}, {"sources": ["tasks"], "limit": 2}),
    "token_add": ({"name": "laptop"}, {"name": "ci", "capabilities": ["SearchUse", "Write"], "spaces": ["saltmarsh"], "days": 90}),
    "token_list": ({},),
    "token_revoke": ({"id": "laptop"},),
}
# What no two runs share: when, how long, where, and secrets.
_OWN = frozenset(
    {"updated", "seconds", "indexed", "root", "location", "bytes", "secret", "created", "expires", "id", "rate", "origin", "digest"}
)
# Needs another machine, where models come from, or a workspace that nobody has open; and so has no call.
ELSEWHERE = frozenset({"model_add", "restore_backup"})


def calls() -> Iterator[tuple[str, Values]]:
    """Every operation with its values, in order."""
    assert CALLS.keys() | ELSEWHERE == OPERATIONS.keys()
    for name, several in CALLS.items():
        for values in several:
            yield name, values


def prepare(folder: Path) -> None:
    """Makes the files that the calls name, in the folder they are performed in."""
    (folder / "project").mkdir()
    (folder / "project" / "pausing.py").write_text(SOURCE, encoding="utf-8")
    (folder / "project" / "README.md").write_text(
        "# Pausing\n\nHow long to wait.\n\n## Growing\n\nTwice as long each time.\n", encoding="utf-8"
    )
    (folder / "questions.jsonl").write_text(QUESTIONS, encoding="utf-8")


def comparable(value: Any) -> Any:
    """An answer without what no two runs share."""
    if isinstance(value, dict):
        own = _OWN | {"id"} if "expired" in value else _OWN
        return {name: None if name in own else comparable(item) for name, item in value.items()}
    if isinstance(value, list):
        return [comparable(item) for item in value]
    if isinstance(value, str) and value.startswith("{"):
        return comparable(json.loads(value))
    return value
