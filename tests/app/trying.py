"""A workspace in which every record has words of its own, calls of every operation, and what a caller is told by one."""

import io
import json
import re
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import dowse
from dowse.app.answering import answer
from dowse.app.operations import OPERATIONS
from dowse.app.permissions import Capability
from dowse.app.workspace import Workspace
from dowse.domains.everything import SURFACES
from dowse.errors import DowseError
from dowse.model.record import Record

MARKER = re.compile(r"zq[a-z0-9]+")
ALL = frozenset(Capability)

Call = dict[str, Any]
Calls = Callable[["Place"], Iterator[Call]]


class Place:
    """Where everything lies that calls name."""

    def __init__(self, folder: Path) -> None:
        self.workspace = folder / "test.dowse"
        self.open, self.vault, self.outside = (folder / f"zq{name}folder" for name in ("open", "vault", "outside"))
        self.lines = self.outside / "lines.jsonl"
        self.questions = self.outside / "questions.jsonl"
        self.backup = self.outside / "backup.dowse"
        self.keys: tuple[str, ...] = ()

    def named(self) -> Iterator[str]:
        """Every key, the beginning of every key, and one that nobody has."""
        yield from self.keys
        yield from sorted({key[:5] for key in self.keys} | {key[:-1] for key in self.keys})
        yield "nobody-has-this"


def made_in(folder: Path) -> Place:
    """Two projects in a workspace, a folder outside of it, and two of everything else."""
    made = Place(folder)
    for name in ("open", "vault", "outside"):
        folder = getattr(made, name)
        folder.mkdir()
        (folder / f"zq{name}guide.md").write_text(
            f"# Zq{name}heading tide\n\nThe tide turns, zq{name}sentence.\n\n## More tide\n\nzq{name}more\n"
        )
        (folder / f"zq{name}code.py").write_text(
            f'def zq{name}turning():\n    """Turns the tide for zq{name}doc and all of us."""\n'
        )
    made.lines.write_text(json.dumps({"kind": "page", "key": "imported", "title": "zqoutsidelines"}) + "\n")
    made.questions.write_text(json.dumps({"query": "tide", "expected": ["zqvaultitem"]}) + "\n")
    with dowse.open(made.workspace) as workspace:
        fill(workspace, made)
        workspace.backup(made.backup)
        with workspace.embedding.view() as view:
            made.keys = tuple(item.key for item in view.scan() if isinstance(item, Record))
    return made


def fill(workspace: Workspace, place: Place) -> None:
    """Two of everything: one in the space that some see, one in another; and links across."""
    for space in ("open", "vault"):
        workspace.index(getattr(place, space), space=space)
        own: dict[str, Any] = {"space": space}
        workspace.put(kind="item", key=f"zq{space}root", title=f"zq{space}roottitle tide", summary=f"zq{space}rootsum", **own)
        workspace.put(
            kind="item", key=f"zq{space}item", title=f"zq{space}itemtitle tide", parent=f"zq{space}root", role="work", **own
        )
        workspace.put(
            kind="note",
            key=f"zq{space}note",
            body=f"tide zq{space}notebody",
            parent=f"zq{space}item",
            facets={"noteKey": "n"},
            **own,
        )
        workspace.put(
            kind="page",
            key=f"zq{space}page",
            title=f"zq{space}pagetitle",
            content=f"The tide, zq{space}pagetext",
            tags=[f"zq{space}tag"],
            **own,
        )
        workspace.put(
            kind="page", key=f"zq{space}below", title="Same tide", content="The same tide", parent=f"zq{space}page", **own
        )
        workspace.put(kind="skill", key=f"zq{space}skill", title=f"zq{space}skilltitle tide", description="turn the tide", **own)
        workspace.put(kind="node", key=f"zq{space}node", title=f"zq{space}nodetitle tide", facets={"kind": "service"}, **own)
        workspace.put(kind="page", key=f"zq{space}gone", title=f"zq{space}gonetitle tide", **own)
        workspace.delete(f"zq{space}gone")
        snippets = [{"title": f"zq{space}snippet tide", "content": f"tide zq{space}snippettext", "type": "info"}]
        workspace.index_library({"key": f"/zq{space}lib/kit", "title": f"zq{space}library tide"}, snippets, version="v1")
    # A part whose whole is elsewhere, a whole whose part is elsewhere, and ways through what is elsewhere.
    workspace.put(kind="item", key="zqopenchild", title="tide", parent="zqvaultitem", space="open")
    workspace.put(kind="item", key="zqvaultchild", title="zqvaultchildtitle tide", parent="zqopenitem", space="vault")
    for source, target in (("open", "vault"), ("vault", "open")):
        workspace.link(f"zq{source}item", f"zq{target}item", "blocks", because="tide")
        workspace.link(f"zq{source}page", f"zq{target}page", "links_to")
    workspace.link("zqvaultitem", "zqopenskill", "uses")
    workspace.add_token("zqholder", spaces=["zqtokenspace"])


def by_key(name: str = "key", **more: Any) -> Calls:
    return lambda place: ({name: key, **more} for key in place.named())


def calls(*given: Call) -> Calls:
    return lambda _: iter(given)


def searches(**more: Any) -> Calls:
    texts = (
        "tide",
        "zqvaultsentence",
        "zqvault*",
        "the same tide",
        "zqopenitem",
        '"zqvaultpagetext"',
        "turn the tide in zqvaultitem",
    )
    return calls(*({"query": text, **more} for text in texts))


def writes(place: Place) -> Iterator[Call]:
    for key in (*place.keys, "zqnew"):
        yield {"kind": "page", "key": key, "title": "Mine", "space": "open"}
        yield {"kind": "item", "key": key, "title": "Mine", "space": "open", "parent": "zqopenroot"}
        yield {"kind": "item", "key": key, "title": "Mine", "space": "open", "parent": "zqvaultroot"}
        yield {"kind": "item", "key": key, "title": "Mine", "space": "vault"}
    yield {"kind": "page", "key": "zqopenpage", "space": "open", "set": {"content": "[[zqvaultpage]]"}}


def changes(place: Place) -> Iterator[Call]:
    for key in place.named():
        yield {"key": key, "title": "Mine"}
        yield {"key": key, "space": "vault"}
        yield {"key": key, "space": "open"}
        yield {"key": key, "parent": "zqvaultroot"}
        yield {"key": key, "parent": "zqopenroot"}


def pairs(place: Place) -> Iterator[Call]:
    some = [key for key in place.keys if key.endswith(("item", "page", "skill"))]
    for source in (*some, "nobody-has-this"):
        for target in (*some, "nobody-has-this"):
            yield {"source": source, "target": target, "kind": "blocks"}


def notes(place: Place) -> Iterator[Call]:
    yield {"text": "tide", "title": "zqvaultpagetitle", "space": "vault"}
    yield {"text": "tide", "title": "zqvaultpagetitle", "space": "open"}
    for key in place.named():
        yield {"text": "tide", "title": "New", "space": "open", "about": [key]}
        yield {"text": "tide", "title": "New", "kind": "note", "parent": key}


def tasks(place: Place) -> Iterator[Call]:
    yield from ({"task": "turn the tide"}, {"task": "turn the tide", "tokens": 200}, {"task": "zqvaultitem tide"})
    for key in place.keys:
        yield {"task": "turn the tide", "under": key}


def listings(place: Place) -> Iterator[Call]:
    yield from ({}, {"deleted": True}, {"kinds": ["item"]}, {"spaces": ["vault"]}, {"tags": ["zqvaulttag"]})
    yield {"facets": {"role": "work"}}
    for key in place.named():
        yield {"under": key}
        yield {"parent": key}


EVERY: dict[str, Calls] = {
    "search": lambda place: (
        call
        for made in (
            searches(explain=True, limit=100),
            searches(mode="substring"),
            searches(count=["kind", "space", "tag", "role"]),
            searches(spaces=["vault"]),
            searches(kinds=["item"]),
            calls(
                *({"query": "tide", "under": key} for key in place.keys),
                *({"query": "tide", "surface": name} for name in SURFACES),
                {"query": "tide", "fresh": True},
                {"query": "tide", "facets": {"role": "work"}},
                {"query": "tide", "tags": ["zqvaulttag"]},
            ),
        )
        for call in made(place)
    ),
    "search_files": lambda place: (call for graph in ("files", "code", "docs") for call in searches(graph=graph)(place)),
    "recall": searches(),
    "why_not": lambda place: ({"key": key, "query": text} for key in place.named() for text in ("tide", "zqvaultpagetext")),
    "resolve_library": calls({"name": "kit"}, {"name": "zqvault"}, {"name": "/zqvaultlib/kit"}, {"name": "x", "query": "tide"}),
    "query_docs": lambda place: (
        {"library": key, "query": "tide", **more} for key in place.named() for more in ({}, {"version": "v1"}, {"version": "v2"})
    ),
    "context": tasks,
    "similar": by_key(),
    "related": by_key(),
    "get": by_key(),
    "list": listings,
    "tree": by_key(),
    "backlinks": by_key(),
    "neighbours": by_key(depth=3),
    "surfaces": calls({}),
    "kinds": calls({}),
    "put": writes,
    "update": changes,
    "delete": lambda place: (
        {"key": key, **more} for key in place.named() for more in ({}, {"recursive": True}, {"recursive": True, "purge": True})
    ),
    "restore": by_key(),
    "link": pairs,
    "unlink": pairs,
    "tag": by_key(add=["mine"]),
    "rename_tag": calls({"old": "zqvaulttag", "new": "mine"}),
    "import": lambda place: iter([{"path": str(place.lines)}]),
    "remember": notes,
    "index": lambda place: iter(
        [
            {"folder": str(place.vault)},
            {"folder": str(place.vault), "dry_run": True},
            {"folder": str(place.vault), "space": "open"},
            {"folder": str(place.open), "afresh": True},
            {"folder": str(place.outside), "space": "zqouter"},
        ]
    ),
    "projects": calls({}),
    "forget": calls({"space": "vault"}, {"space": "nothing"}, {"space": "open"}),
    "library_add": lambda place: iter([{"source": str(place.vault)}, {"source": str(place.vault), "id": "/zqvaultlib/kit"}]),
    "library_list": calls({}),
    "library_update": lambda place: iter([{}, *({"library": key} for key in place.named())]),
    "library_remove": by_key("library"),
    "status": calls({}),
    "doctor": calls({}, {"repair": True}),
    "backup": lambda place: iter([{"path": str(place.outside / "copy.dowse")}]),
    "restore_backup": lambda place: iter(
        {"path": str(path), "force": True} for path in (place.backup, place.workspace, place.outside / "no-such-copy")
    ),
    "reindex": calls({}),
    "export": calls({}),
    "embed": calls({}),
    "model_list": calls({}),
    "model_add": calls({"name": "no-such-model"}),
    "model_use": calls({"model": "none"}, {"model": "no-such-model"}),
    "bench": lambda place: iter([{"file": str(place.questions), "lists": True}, {"sources": ("docstrings", "headings", "tasks")}]),
    "token_add": calls({"name": "another"}, {"name": "zqholder"}),
    "token_list": calls({}),
    "token_revoke": calls({"id": "zqholder"}),
}
"""How every operation is tried. One that is missing here fails the first test."""


def tried(workspace: Workspace, name: str, given: Mapping[str, Any]) -> tuple[str, DowseError | None]:
    """What the caller is told: the answer as every shell gives it and what was written, or the error."""
    operation, out = OPERATIONS[name], io.StringIO()
    writes_out = name == "export" or (name == "bench" and "file" not in given)
    values = operation.check({**given, **({"out": out} if writes_out else {})})
    try:
        result = operation.run(workspace, values)
        told = answer(operation, values, result, workspace)
    except DowseError as error:
        return f"{type(error).__name__}: {error}", error
    return json.dumps(told, ensure_ascii=False) + out.getvalue(), None


def markers(value: object) -> set[str]:
    return set(MARKER.findall(value if isinstance(value, str) else json.dumps(value, ensure_ascii=False).lower()))
