"""Is every file survived and told of, however broken, while the good ones beside it are found?"""

import json
import os
import shutil
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from indexed import edges, opened, records, run, write
from markdown_it import MarkdownIt
from yaml.constructor import BaseConstructor

from dowse.app import recording
from dowse.app.workspace import Workspace
from dowse.domains.everything import SCHEMA
from dowse.ingest import reading
from dowse.model.run import IndexProgress, Summary
from dowse.ports import Engine

GOOD = {"good.py": "def good_gull() -> int:\n    return 1\n", "zz/good.md": "# A good page\n\nThe lighthouse blinks.\n"}
Indexed = Callable[..., Summary]


def test_readers_are_made_ready_for_each_kind_of_file_the_commonest_first(monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[str] = []
    monkeypatch.setattr(reading, "extract_from", lambda _space, path, _data, _modified: read.append(path))
    for _ in reading.make_ready(["c.md", "a.py", "b.py", "x.unknown", "no ending", "Makefile"]):
        pass
    assert read[0] == "a.py"
    assert {"c.md", "x.unknown"} <= set(read)
    assert "b.py" not in read


@pytest.mark.parametrize("path", ["a.py", "a.md", "a.ipynb", "a.pdf", "a.json", "a.unknown", "Makefile", "a.yaml"])
def test_whatever_the_kind_making_its_reader_ready_does_not_fail(path: str) -> None:
    assert list(reading.make_ready([path])) == [None]


@pytest.fixture
def engine() -> Iterator[Engine]:
    with opened() as engine:
        yield engine


@pytest.fixture
def indexed(engine: Engine, tmp_path: Path) -> Indexed:
    """Indexes a project with these files beside good ones, and sees to it that those are found."""

    def index(files: Mapping[str, str | bytes], **options: Any) -> Summary:
        write(tmp_path, {**GOOD, **files})
        summary = run(engine, tmp_path, **options)
        for record in records(engine).values():
            recording.check(record, SCHEMA)
        assert found(engine, "good_gull")[0] == "acme:good.py#good_gull"
        assert found(engine, "lighthouse blinks")[0] == "acme:zz/good.md#a-good-page"
        return summary

    return index


def found(engine: Engine, query: str) -> list[str]:
    return [hit.record.key for hit in Workspace(engine).search(query).hits]


def problems(summary: Summary) -> dict[str, str]:
    return {message.path: message.text for message in summary.problems}


def left_out(summary: Summary) -> dict[str, str]:
    return {message.path: message.text for message in summary.left_out}


class TestBroken:
    def test_a_text_that_ends_within_a_character_is_read_up_to_there(self, engine: Engine, indexed: Indexed) -> None:
        summary = indexed({"cut.md": "# Plover\n\nA dotterel in the caf\u00e9".encode()[:-1]})
        assert problems(summary) == {"cut.md": "1 character not valid in utf-8, replaced"}
        assert found(engine, "dotterel")[0].startswith("acme:cut.md")

    def test_a_single_line_of_ten_megabytes_is_told_and_found_by_its_path(self, engine: Engine, indexed: Indexed) -> None:
        summary = indexed({"line.txt": b"a" * 10_000_000})
        assert left_out(summary) == {"line.txt": "too large: 9.5 MiB, the limit is 2 MiB"}
        assert found(engine, "line.txt")[0] == "acme:line.txt"

    def test_a_single_line_that_is_just_not_too_large_is_found(self, engine: Engine, indexed: Indexed) -> None:
        summary = indexed({"line.txt": b"sandpiper " + b"a" * 1_000_000})
        assert (problems(summary), left_out(summary)) == ({}, {})
        assert found(engine, "sandpiper")[0].startswith("acme:line.txt")

    @pytest.mark.parametrize(
        ("path", "content", "told"),
        [
            ("deep.py", "plover = " + "(" * 5000 + ")" * 5000, None),
            ("deep.json", "[" * 50_000, None),
            ("deep.md", "plover\n\n" + "> " * 3000 + "x\n" + "- " * 3000 + "y\n", None),
            ("deep.html", "<div>" * 50_000 + "plover", "opens too many tags"),
            (
                "arch/deep.yaml",
                "nodes:\n- {id: plover, kind: service, summary: s}\nx: " + "{a: " * 5000,
                "nested more than 50 levels",
            ),
            ("front.md", "---\na: " + "[" * 5000 + "\n---\n# Plover\n", "nested more than 50 levels"),
            ("deep.ipynb", '{"cells": ' + "[" * 50_000 + "]" * 50_000 + "}", "not a valid notebook"),
        ],
    )
    def test_deep_nesting_is_survived_and_told_where_it_costs_something(
        self, engine: Engine, indexed: Indexed, path: str, content: str, told: str | None
    ) -> None:
        summary = indexed({path: content})
        assert f"acme:{path}" in records(engine)
        assert list(problems(summary)) == ([path] if told else [])
        assert told is None or told in problems(summary)[path]

    def test_functions_within_functions_far_too_deep_are_survived(self, engine: Engine, indexed: Indexed) -> None:
        indexed({"nested.py": "".join(f"{' ' * depth}def f{depth}():\n" for depth in range(120)) + " " * 120 + "plover()\n"})
        assert found(engine, "plover")[0].startswith("acme:nested.py")

    def test_a_stray_nul_is_taken_out_and_told(self, engine: Engine, indexed: Indexed) -> None:
        summary = indexed({"nul.py": b"def dotterel() -> str:\n    return 'a\0b'\n"})
        assert problems(summary) == {"nul.py": "1 NUL character removed"}
        assert found(engine, "dotterel")[0] == "acme:nul.py#dotterel"

    def test_links_that_lead_in_circles_are_told_and_not_followed(self, engine: Engine, indexed: Indexed, tmp_path: Path) -> None:
        (tmp_path / "a").mkdir()
        (tmp_path / "a" / "up").symlink_to(tmp_path, target_is_directory=True)
        (tmp_path / "self").symlink_to("self")
        (tmp_path / "one").symlink_to("two")
        (tmp_path / "two").symlink_to("one")
        summary = indexed({})
        assert sorted(left_out(summary)) == ["a/up", "one", "self", "two"]
        assert all("symlink loop" in text for text in left_out(summary).values())
        assert not [key for key in records(engine) if "/up" in key]

    @pytest.mark.parametrize(
        "content",
        [
            '{"cells": [{"cell_type": "code", "source": "dotterel"',
            '{"cells": "dotterel"}',
            '["dotterel"]',
            '{"cells": [5, "dotterel"]}',
        ],
    )
    def test_an_invalid_notebook_is_told_and_found_by_its_text(self, engine: Engine, indexed: Indexed, content: str) -> None:
        summary = indexed({"bad.ipynb": content})
        assert problems(summary)["bad.ipynb"].startswith("not a valid notebook: ")
        assert found(engine, "dotterel")[0].startswith("acme:bad.ipynb")

    def test_front_matter_that_is_no_yaml_is_told_and_the_document_is_found(self, engine: Engine, indexed: Indexed) -> None:
        summary = indexed({"bad.md": "---\ntitle: [unclosed\nfoo: : :\n---\n# Plover\n\nA dotterel.\n"})
        assert problems(summary)["bad.md"].startswith("the front matter cannot be read: ")
        assert found(engine, "dotterel")[0] == "acme:bad.md#plover"

    def test_an_architecture_that_is_no_yaml_is_told_with_the_line_and_found_by_its_text(
        self, engine: Engine, indexed: Indexed
    ) -> None:
        summary = indexed({"arch/bad.yaml": "nodes:\n- id: dotterel\n  kind: service\n summary: [\n"})
        assert problems(summary)["arch/bad.yaml"].startswith("line 4: not valid YAML")
        assert found(engine, "dotterel")[0].startswith("acme:arch/bad.yaml")

    def test_imports_in_a_circle_are_edges_like_others(self, engine: Engine, indexed: Indexed) -> None:
        summary = indexed({"a.py": "import b\nimport a\n", "b.py": "import c\n", "c.py": "import a\nfrom b import *\n"})
        assert problems(summary) == {}
        assert edges(engine) == {
            ("acme:a.py", "imports", "acme:b.py"),
            ("acme:b.py", "imports", "acme:c.py"),
            ("acme:c.py", "imports", "acme:a.py"),
            ("acme:c.py", "imports", "acme:b.py"),
        }

    def test_a_folder_that_vanishes_while_it_is_walked_is_told(
        self, indexed: Indexed, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        scandir = os.scandir

        def vanishing(path: str) -> Any:
            if str(path).endswith("gone/"):
                shutil.rmtree(path)
            return scandir(path)

        def listing(path: str) -> Any:
            return vanishing(f"{path}/") if str(path).endswith("gone") else scandir(path)

        write(tmp_path, {"gone/a.py": "x = 1\n"})
        with monkeypatch.context() as patched:
            patched.setattr(os, "scandir", listing)
            summary = indexed({})
        assert left_out(summary)["gone/"].startswith("vanished")

    def test_a_folder_that_vanishes_before_its_files_are_read_is_told(
        self, engine: Engine, indexed: Indexed, tmp_path: Path
    ) -> None:
        def remove(progress: IndexProgress) -> None:
            if progress.files:
                shutil.rmtree(tmp_path / "m", ignore_errors=True)

        summary = indexed({f"m/{number:02}.txt": "dotterel" for number in range(60)}, report=remove, jobs=1)
        assert left_out(summary)["m/59.txt"] == "vanished"
        assert "acme:m/59.txt" not in records(engine)
        assert run(engine, tmp_path).left_out == ()
        assert found(engine, "dotterel") == []

    def test_a_file_that_does_not_rest_is_read_as_it_is_and_told_and_read_again(
        self, engine: Engine, indexed: Indexed, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        with monkeypatch.context() as patched:
            patched.setattr(os, "fstat", _appending(tmp_path / "log.txt", "dotterel\n", times=1000))
            summary = indexed({"log.txt": "plover\n"})
        assert problems(summary) == {"log.txt": "it changed while it was read; it will be read again next time"}
        assert found(engine, "plover")[0].startswith("acme:log.txt")
        write(tmp_path, {"log.txt": "sandpiper\n"})
        assert problems(run(engine, tmp_path)) == {}
        assert found(engine, "sandpiper")[0].startswith("acme:log.txt")

    def test_a_file_that_changes_once_while_it_is_read_is_read_whole(
        self, engine: Engine, indexed: Indexed, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        with monkeypatch.context() as patched:
            patched.setattr(os, "fstat", _appending(tmp_path / "log.txt", "dotterel\n", times=1))
            summary = indexed({"log.txt": "plover\n"})
        assert problems(summary) == {}
        assert found(engine, "dotterel")[0].startswith("acme:log.txt")


def _appending(path: Path, text: str, times: int) -> Callable[[int], os.stat_result]:
    """Someone writes to the file whenever it is looked at, so many times."""
    fstat, left = os.fstat, [times]

    def look(descriptor: int) -> os.stat_result:
        looks = fstat(descriptor)
        if left[0] > 0 and path.exists() and os.path.samestat(looks, path.stat()):
            left[0] -= 1
            with path.open("a") as file:
                file.write(text)
        return looks

    return look


class TestWithoutText:
    def test_a_binary_file_is_found_by_its_path(self, engine: Engine, indexed: Indexed) -> None:
        summary = indexed({"assets/dotterel.dat": bytes(range(256)) * 20})
        assert records(engine)["acme:assets/dotterel.dat"].kind == "file"
        assert found(engine, "dotterel.dat")[0] == "acme:assets/dotterel.dat"
        assert summary.skipped == {"binary": 1}

    def test_a_binary_file_is_not_read_again_while_it_stays(self, engine: Engine, indexed: Indexed, tmp_path: Path) -> None:
        indexed({"dotterel.dat": bytes(range(256)) * 20})
        summary = run(engine, tmp_path)
        assert (summary.unchanged, summary.changed, summary.added) == (3, 0, 0)

    def test_an_empty_file_is_found_by_its_path(self, engine: Engine, indexed: Indexed) -> None:
        indexed({"dotterel.py": "", "sandpiper.md": "", "plover.txt": "", "knot.yaml": ""})
        for path in ("dotterel.py", "sandpiper.md", "plover.txt", "knot.yaml"):
            assert found(engine, path)[0] == f"acme:{path}"


class TestFailing:
    @pytest.fixture
    def _broken_parser(self, monkeypatch: pytest.MonkeyPatch) -> None:
        def fail(*_: object) -> None:
            raise IndexError("a fault in the parser")

        monkeypatch.setattr(MarkdownIt, "parse", fail)

    @pytest.mark.usefixtures("_broken_parser")
    def test_a_file_whose_reader_fails_is_told_and_found_by_its_text(self, engine: Engine, tmp_path: Path) -> None:
        write(tmp_path, {"bad.md": "# Plover\n\nA dotterel.\n\n- [ ] feed the knot\n", "good.py": GOOD["good.py"]})
        summary = run(engine, tmp_path)
        assert problems(summary) == {
            "bad.md": "one of its readers failed (IndexError: a fault in the parser); its text is found all the same"
        }
        assert found(engine, "dotterel")[0].startswith("acme:bad.md")
        assert found(engine, "good_gull")[0] == "acme:good.py#good_gull"

    def test_a_file_that_one_of_two_readers_fails_on_is_what_the_other_makes_of_it(
        self, engine: Engine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def fail(*_: object) -> None:
            raise IndexError("a fault in the parser")

        monkeypatch.setattr(BaseConstructor, "check_data", fail)
        write(tmp_path, {"arch/bad.yaml": "nodes:\n- {id: dotterel, kind: service, summary: a wader}\n"})
        summary = run(engine, tmp_path)
        assert list(problems(summary)) == ["arch/bad.yaml"]
        assert found(engine, "dotterel")[0].startswith("acme:arch/bad.yaml")
        assert summary.records == len(records(engine))


class TestPlaces:
    def test_issues_that_beads_keeps_in_its_hidden_folder_are_found(self, engine: Engine, indexed: Indexed) -> None:
        issue = {"id": "bd-7", "title": "Ring the dotterel", "status": "open", "priority": 1, "issue_type": "task"}
        indexed({".beads/issues.jsonl": json.dumps(issue) + "\n"})
        assert [record.title for record in records(engine).values() if record.kind == "item"] == ["Ring the dotterel"]

    def test_names_that_are_no_valid_unicode_are_shown_and_found(self, engine: Engine, indexed: Indexed, tmp_path: Path) -> None:
        with open(os.fsencode(tmp_path) + b"/caf\xe9.md", "wb") as file:
            file.write(b"# Dotterel\n")
        indexed({})
        assert found(engine, "dotterel")[0].startswith("acme:caf\\xe9.md")
