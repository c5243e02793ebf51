"""The command as a user meets it: exit codes, errors, signals, and what is not loaded."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from running_cli import ROOT, Cli, start

import dowse

HEAVY = ("numpy", "apsw", "rich", "argparse", "json", "dataclasses", "asyncio", "importlib.metadata", "uuid", "difflib")


# What a search for a word has no use for: what writes, what other commands tell, what colours, and what is only slow to load.
UNWANTED = (
    *(
        "rich",
        "pygments",
        "asyncio",
        "importlib.metadata",
        "http.client",
        "ssl",
        "uuid",
        "hashlib",
        "secrets",
        "tempfile",
        "shutil",
    ),
    *("shutil", "logging", "difflib", "statistics", "subprocess", "textwrap", "html", "datetime", "decimal", "random", "zipfile"),
    *("starlette", "uvicorn", "mcp", "pydantic", "opensearchpy"),
    *("dowse.model.change", "dowse.model.library", "dowse.model.benching", "dowse.model.modelling", "dowse.model.token"),
    *("dowse.model.evidence", "dowse.app.transfer", "dowse.app.measuring", "dowse.app.gathering", "dowse.app.resembling"),
    *("dowse.app.guarded_view", "dowse.app.guarded_changes", "dowse.app.quoting", "dowse.app.packing", "dowse.app.adding"),
    *("dowse.engines.sqlite.applying", "dowse.engines.sqlite.examining", "dowse.engines.sqlite.repairing"),
    *("dowse.engines.opensearch.engine", "dowse.engines.memory", "dowse.embed.static", "dowse.embed.picking"),
    *("dowse.ingest", "dowse.present.tables", "dowse.present.terminal", "dowse.shells.cli.helping", "dowse.shells.cli.completing"),
)


def loaded_after(*arguments: str) -> set[str]:
    code = (
        "import contextlib, io, sys\n"
        "from dowse.shells.cli.main import run\n"
        "with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):\n"
        f"    run({list(arguments)!r})\n"
        "print('\\n'.join(sys.modules))"
    )
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "src")}
    return set(
        subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True).stdout.split()
    )


def test_the_version_is_printed(cli: Cli) -> None:
    assert cli("--version").out == f"dowse {dowse.__version__}\n"


def test_the_version_loads_nothing_heavy() -> None:
    assert not loaded_after("--version") & set(HEAVY)


def test_help_loads_neither_the_engine_nor_the_terminal_library() -> None:
    assert not loaded_after("--help") & {"numpy", "apsw", "rich", "asyncio", "dowse.app.workspace"}


def test_a_missing_workspace_is_told_before_the_engine_is_loaded() -> None:
    assert not loaded_after("get", "task-17") & {"numpy", "apsw", "rich"}


@pytest.mark.usefixtures("sample")
def test_a_search_for_json_loads_neither_the_terminal_library_nor_an_event_loop() -> None:
    loaded = loaded_after("search", "retry", "--json")
    assert "numpy" in loaded
    assert not loaded & {"rich", "asyncio", "importlib.metadata", "http.client", "ssl", "dowse.shells.cli.helping"}


@pytest.mark.usefixtures("sample")
def test_a_search_loads_nothing_that_it_does_not_use() -> None:
    numpy_alone = subprocess.run(
        [sys.executable, "-c", "import numpy, sys; print('\\n'.join(sys.modules))"], capture_output=True, text=True, check=True
    )
    assert sorted(loaded_after("search", "retry") & set(UNWANTED) - set(numpy_alone.stdout.split())) == []


def test_python_dash_m_dowse_is_the_command() -> None:
    process = start("--version", stdout=subprocess.PIPE)
    assert process.communicate()[0] == f"dowse {dowse.__version__}\n"


def test_without_arguments_the_overview_is_shown(cli: Cli) -> None:
    assert cli().out == cli("--help").out == cli("help").out
    assert "usage: dowse COMMAND" in cli().out


def test_an_unknown_command_names_the_close_one(cli: Cli) -> None:
    ran = cli("serch", "retry")
    assert ran.code == 2
    assert ran.err == "dowse: There is no command 'serch'. Did you mean 'search'?\n"


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (("search", "retry"), 0),
        (("search", "zzzz"), 0),
        (("search", ""), 2),
        (("search",), 2),
        (("search", "retry", "--limit", "many"), 2),
        (("search", "retry", "--limit", "0"), 2),
        (("search", "retry", "--nonsense"), 2),
        (("search", "retry", "--surface", "itmes"), 2),
        (("search", "retry", "--kind", "itme"), 2),
        (("search", "retry", "--param", "nonsense"), 2),
        (("search", "retry", "--param", "nonsense=1"), 2),
        (("search", "retry", "--under", "nowhere"), 3),
        (("search-files", "x", "--graph", "sounds"), 2),
        (("neighbours", "task-17", "--direction", "sideways"), 2),
        (("get", "nothing-like-it"), 3),
        (("get", "task-1"), 3),
        (("put", "item", "--key", "task-17", "--title", "x", "--expected", "0"), 4),
        (("delete", "task-17"), 4),
        (("put", "itme", "--title", "x"), 2),
        (("import", "nothing.jsonl"), 3),
        (("export", "nowhere/out.jsonl"), 6),
        (("--workspace", "none.dowse", "get", "task-17"), 3),
        (("--project", "nowhere", "get", "task-17"), 3),
        (("completion", "csh"), 2),
        (("--nonsense",), 2),
    ],
)
@pytest.mark.usefixtures("sample")
def test_the_exit_code_says_what_went_wrong(cli: Cli, arguments: tuple[str, ...], code: int) -> None:
    ran = cli(*arguments)
    assert ran.code == code
    assert ran.err.startswith("dowse: ") == (code != 0)
    assert "Traceback" not in ran.err


def test_a_file_that_is_no_workspace_is_a_storage_error(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "letter.txt").write_text("Dear reader, this is no database. " * 100)
    ran = cli("--workspace", "letter.txt", "status")
    assert ran.code == 6
    assert "not a dowse workspace" in ran.err


def test_with_json_an_error_is_json_on_stderr(cli: Cli) -> None:
    ran = cli("get", "task-17", "--json")
    assert (ran.code, ran.out) == (3, "")
    error = json.loads(ran.err)["error"]
    assert error["code"] == "not_found"
    assert error["message"].startswith("There is no workspace in ")


def test_with_json_a_usage_error_is_json_too(cli: Cli) -> None:
    assert json.loads(cli("search", "--json").err)["error"]["code"] == "invalid_request"


@pytest.mark.usefixtures("sample")
def test_a_reader_that_stops_reading_ends_the_command_quietly(cli: Cli) -> None:
    cli("put", "page", "--title", "Long", "--set", f"content={'water ' * 60_000}")
    process = start("export", stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert process.stdout is not None
    assert process.stderr is not None
    process.stdout.readline()
    process.stdout.close()
    said = process.stderr.read()
    process.stderr.close()
    assert (process.wait(), said) == (141, "")


def test_an_interrupt_ends_the_command_without_a_traceback() -> None:
    process = start("import", "-", stdin=subprocess.PIPE, stderr=subprocess.PIPE)
    assert process.stderr is not None
    assert process.stdin is not None
    assert "made a new workspace" in process.stderr.readline()
    process.send_signal(signal.SIGINT)
    said = process.stderr.read()
    process.stdin.close()
    process.stderr.close()
    assert (process.wait(), said) == (130, "dowse: interrupted\n")
