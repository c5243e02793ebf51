"""Can an agent read just what it needs, and all of it?"""

import re
from pathlib import Path
from typing import Any

import pytest
from running_mcp import call, text_of

from dowse.app.workspace import Workspace


def _read(workspace: Workspace, *keys: str, **options: Any) -> Any:
    result = call(workspace, "get", keys=list(keys), **options)
    assert not result.is_error, text_of(result)
    return result


def _titles(result: Any) -> list[str]:
    return [record["title"] for record in result.structured_content["records"]]


def test_a_line_of_a_file_means_the_definition_it_stands_in(indexed: Workspace) -> None:
    assert _titles(_read(indexed, "courier.py:8")) == ["capped_backoff"]
    assert _titles(_read(indexed, "courier.py:17")) == ["deliver"]


def test_lines_are_numbered_as_in_the_file(indexed: Workspace, project: Path) -> None:
    lines = (project / "courier.py").read_text(encoding="utf-8").splitlines()
    shown = dict(re.findall(r"^ *(\d+)\| (.*)$", text_of(_read(indexed, "courier.py:17")), re.MULTILINE))
    assert shown
    assert all(lines[int(number) - 1] == line for number, line in shown.items())


def test_some_lines_mean_every_definition_among_them(indexed: Workspace) -> None:
    assert _titles(_read(indexed, "courier.py:6-12")) == ["capped_backoff", "Courier"]


def test_some_lines_of_one_definition_mean_just_those(indexed: Workspace, project: Path) -> None:
    lines = (project / "courier.py").read_text(encoding="utf-8").split("\n")
    result = _read(indexed, "courier.py:16-17")
    assert result.structured_content["records"][0]["fields"] == {"body": "\n".join(lines[15:17])}
    assert f"   16| {lines[15]}" in text_of(result)
    assert lines[18] not in text_of(result)


def test_a_document_answers_with_the_sections_within_its_sections(indexed: Workspace) -> None:
    text = text_of(_read(indexed, "guide.md"))
    assert "- 1-3 Delivery (section)\n-   5-7 Retries (section)" in text


@pytest.mark.parametrize("name", ["courier.py#L8", "courier.py:8:5", "./courier.py:8"])
def test_places_are_understood_as_tools_write_them(indexed: Workspace, name: str) -> None:
    assert _titles(_read(indexed, name)) == ["capped_backoff"]


def test_a_place_may_be_absolute(indexed: Workspace, project: Path) -> None:
    assert _titles(_read(indexed, f"{project.resolve()}/courier.py:8")) == ["capped_backoff"]


def test_a_path_that_several_projects_have_means_the_file_in_each(indexed: Workspace, tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.mkdir()
    (other / "courier.py").write_text("def elsewhere():\n    return 1\n", encoding="utf-8")
    indexed.index(other, jobs=1)
    assert [record["space"] for record in _read(indexed, "courier.py").structured_content["records"]] == ["other", "saltmarsh"]


def test_a_file_answers_with_its_outline(indexed: Workspace) -> None:
    text = text_of(_read(indexed, "courier.py"))
    assert "- 6-8 `def capped_backoff(attempt: int) -> float` (function)" in text
    assert "- 11-22 class Courier (class)" in text


def test_several_are_read_at_once_and_each_once(indexed: Workspace) -> None:
    assert _titles(_read(indexed, "courier.py:8", "courier.py:7", "guide.md")) == ["capped_backoff", "Delivery"]


def test_one_key_may_be_given_as_a_text(sample: Workspace) -> None:
    assert _titles(call(sample, "get", keys="task-17")) == ["Cap the retries of the courier"]


@pytest.mark.parametrize("name", ["nowhere.py:3", "/etc/passwd", "/etc/passwd:1", "../courier.py"])
def test_a_file_that_is_not_indexed_is_not_read(indexed: Workspace, name: str) -> None:
    result = call(indexed, "get", keys=[name])
    assert result.is_error
    assert text_of(result).startswith("not_found: No record has the id")


def _walked(workspace: Workspace, keys: list[str], tokens: int) -> tuple[dict[str, str], list[str], int]:
    """The fields and parts of everything, put together from the pages, as each answer says how to go on."""
    fields: dict[str, str] = {}
    parts: list[str] = []
    following: dict[str, Any] | None = {"keys": keys}
    pages = 0
    while following is not None:
        result = call(workspace, "get", room=tokens, **following)
        assert len(text_of(result)) <= 4 * tokens
        for record in result.structured_content["records"]:
            for name, text in record["fields"].items():
                fields[f"{record['key']} {name}"] = fields.get(f"{record['key']} {name}", "") + text
            parts += [part["key"] for part in record.get("contains", ())]
        following = result.structured_content["next"]
        if following is not None:
            assert f"Go on with get(keys={following['keys']!r}".replace("'", '"') in text_of(result)
        pages += 1
    return fields, parts, pages


@pytest.mark.parametrize("line", ["one line of prose that says number {}", "x" * 9000 + "{}", "äöü „{}“ \t»", ""])
def test_the_pages_of_a_huge_record_make_up_the_whole(workspace: Workspace, line: str) -> None:
    content = "\n".join(line.format(number) for number in range(900))[:60_000]
    workspace.put(kind="page", key="huge", title="Huge", content=content)
    workspace.put(kind="page", key="after", title="After", content="the last one")
    fields, _, pages = _walked(workspace, ["huge", "after"], 1000)
    assert fields["huge content"] == content
    assert fields["after content"] == "the last one"
    assert pages > 1 or not content.strip()


def test_a_long_outline_comes_in_pages_too(workspace: Workspace) -> None:
    workspace.put(kind="item", key="root", title="Root")
    keys = [f"child-{number:03}" for number in range(120)]
    for key in keys:
        workspace.put(kind="item", key=key, title=f"The task called {key}", parent="root")
    _, parts, pages = _walked(workspace, ["root"], 1000)
    assert parts == keys
    assert pages > 1


def test_keys_of_the_wrong_kind_are_refused(sample: Workspace) -> None:
    for keys in ([], [3], {"a": 1}, ["task-17"] * 51):
        result = call(sample, "get", keys=keys)
        assert result.is_error
        assert text_of(result).startswith("invalid_request: keys ")
    result = call(sample, "get", keys=["task-17"], offset=-1)
    assert text_of(result) == "invalid_request: offset must be a whole number, 0 or more, not -1."
