"""Records in and out."""

import io
import json
import sys
from pathlib import Path

import pytest
from running_cli import SAMPLE, Cli, on_terminal

from dowse.app.transfer import BATCH


def write(path: Path, count: int, bad: int | None = None) -> None:
    lines = [json.dumps({"kind": "page", "key": f"p{number}", "title": f"Page {number}"}) for number in range(count)]
    if bad is not None:
        lines[bad] = "{not json"
    path.write_text("\n".join(lines) + "\n")


def test_an_import_makes_the_workspace_and_says_so(cli: Cli, tmp_path: Path) -> None:
    ran = cli("import", str(SAMPLE))
    assert ran.out == "Wrote 67 records and 22 edges, from 84 lines.\n"
    assert "made a new workspace at " in ran.err
    assert (tmp_path / ".dowse" / ".gitignore").read_text() == "*\n"


def test_progress_is_on_stderr_and_the_summary_on_stdout(cli: Cli, tmp_path: Path) -> None:
    write(tmp_path / "many.jsonl", 2 * BATCH)
    ran = cli("import", "many.jsonl", "--json")
    assert ran.json["records"] == 2 * BATCH
    assert ran.json["skipped"] == ran.json["resumedAt"] == 0
    assert [line.split()[0] for line in ran.err.splitlines() if "%" in line][-1] == "100%"


def test_an_import_that_failed_half_way_goes_on_where_it_stopped(cli: Cli, tmp_path: Path) -> None:
    write(tmp_path / "many.jsonl", BATCH + 10, bad=BATCH + 5)
    stopped = cli("import", "many.jsonl")
    assert stopped.code == 2
    assert f"many.jsonl, line {BATCH + 6}: not valid JSON" in stopped.err
    ran = cli("import", "many.jsonl", "--skip-bad")
    assert "goes on where an earlier import of this file stopped" in ran.err
    assert ran.out == f"Wrote 9 records and 0 edges, from {BATCH + 10:,} lines; left out 1 bad lines.\n"


@pytest.mark.skipif(sys.platform == "win32", reason="pseudo-terminals are a thing of Unix")
def test_on_a_terminal_a_bar_shows_bytes_and_records(tmp_path: Path) -> None:
    write(tmp_path / "many.jsonl", BATCH)
    answer, shown = on_terminal("import", "many.jsonl", columns=120)
    assert answer == f"Wrote {BATCH:,} records and 0 edges, from {BATCH:,} lines.\n"
    assert f"{BATCH:,} records" in shown
    assert "kB" in shown


def test_restart_begins_at_the_first_line(cli: Cli, tmp_path: Path) -> None:
    write(tmp_path / "many.jsonl", BATCH + 10, bad=BATCH + 5)
    cli("import", "many.jsonl")
    ran = cli("import", "many.jsonl", "--skip-bad", "--restart", "--json")
    assert (ran.json["resumedAt"], ran.json["skipped"]) == (0, 1)


def test_standard_input_can_be_imported(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b'{"kind": "page", "key": "a", "title": "A"}\n')))
    assert cli("import", "-").out == "Wrote 1 records and 0 edges, from 1 lines.\n"
    assert cli("get", "a").code == 0


@pytest.mark.usefixtures("sample")
def test_what_is_exported_can_be_imported_and_is_the_same(cli: Cli, tmp_path: Path) -> None:
    everything = cli("export")
    assert cli("export", "all.jsonl").out == "records: 67, edges: 22\n"
    assert (tmp_path / "all.jsonl").read_text(encoding="utf-8") == everything.out
    assert "records: 67" in everything.err
    assert cli("--workspace", "copy.dowse", "import", "all.jsonl").code == 0
    assert cli("--workspace", "copy.dowse", "export").out == everything.out


@pytest.mark.usefixtures("sample")
def test_an_export_that_fails_leaves_no_half_file(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    assert cli("export", "folder").code == 6
    assert not list(tmp_path.glob("*.part"))
