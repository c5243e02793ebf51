"""Is what was exported and imported again the same? Everything of a record but its version, and every edge."""

import io
import tempfile
from dataclasses import replace
from pathlib import Path
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

import dowse
from dowse.app.workspace import Workspace
from dowse.model.record import Edge, Record

any_text = st.text(st.characters(exclude_categories=["Cs"]), max_size=40)
some_text = any_text.filter(str.strip)
keys = st.sampled_from(["task-1", "task-2", "Reed", "é/ü", "day one", "@elsewhere"])
moments = st.floats(0, 2e9, allow_nan=False)
facets = st.one_of(
    st.text('ab\n"\\é', max_size=5), st.booleans(), st.integers(-(2**53), 2**53), st.floats(allow_nan=False, allow_infinity=False)
)

items = st.fixed_dictionaries(
    {"kind": st.just("item"), "key": keys, "title": any_text, "updated": moments},
    optional={
        "summary": some_text,
        "role": st.sampled_from(["work", "queue"]),
        "tags": st.lists(some_text, max_size=3),
        "space": any_text,
        "deleted": st.booleans(),
    },
)
pages = st.fixed_dictionaries(
    {"kind": st.just("page"), "key": keys, "title": any_text, "updated": moments},
    optional={"content": st.sampled_from(["See [[Reed]] and [[task-1]].", "[[day one|a day]]"]) | some_text, "space": any_text},
)
links = st.tuples(
    st.just("link"), keys, keys, st.sampled_from(["links_to", "blocks"]), st.dictionaries(st.sampled_from("abc"), facets)
)
unlinks = st.tuples(st.just("unlink"), keys, keys, st.just("links_to"))
deletes = st.tuples(st.just("delete"), keys)


def everything(workspace: Workspace) -> list[Record | Edge]:
    with workspace.embedding.view() as view:
        return [replace(item, version=0) if isinstance(item, Record) else item for item in view.scan()]


def perform(workspace: Workspace, step: Any) -> None:
    known = {item.key for item in everything(workspace) if isinstance(item, Record)}
    match step:
        case dict():
            workspace.put(step)
        case ("link", source, target, kind, given_facets) if source != target and {source, target} <= known:
            workspace.link(source, target, kind, **given_facets)
        case ("unlink", source, target, kind) if {source, target} <= known:
            workspace.unlink(source, target, kind)
        case ("delete", key) if key in known:
            workspace.delete(key, recursive=True)


@settings(max_examples=40)
@given(st.lists(items | pages | links | unlinks | deletes, max_size=15))
def test_what_is_exported_and_imported_is_the_same_in_all_but_the_versions(steps: list[Any]) -> None:
    with tempfile.TemporaryDirectory() as folder, dowse.open(":memory:", model="none") as workspace:
        for step in steps:
            perform(workspace, step)
        out = io.StringIO()
        workspace.export(out)
        lines = Path(folder) / "lines.jsonl"
        lines.write_bytes(out.getvalue().encode())
        with dowse.open(":memory:", model="none") as again:
            again.import_file(lines)
            assert everything(again) == everything(workspace)
            other = io.StringIO()
            again.export(other)
            assert other.getvalue() == out.getvalue()


def test_an_edge_that_was_taken_from_a_text_stays_away() -> None:
    with dowse.open(":memory:") as workspace, dowse.open(":memory:") as again, tempfile.TemporaryDirectory() as folder:
        workspace.put(kind="page", key="reed", title="Reed", content="See [[tide]].")
        workspace.put(kind="page", key="tide", title="Tide")
        workspace.unlink("reed", "tide", "links_to")
        lines = Path(folder) / "lines.jsonl"
        with lines.open("w", encoding="utf-8") as out:
            workspace.export(out)
        again.import_file(lines)
        assert again.neighbours("reed") == ()
