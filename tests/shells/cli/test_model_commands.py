"""Models on the command line: listed, chosen, downloaded; vectors made with progress; what is alike, shown."""

import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from running_cli import Cli, on_terminal, start

import dowse
from dowse.model.change import Put
from dowse.model.record import Record

PATIENCE = 120


def test_the_models_are_listed_also_where_there_is_no_workspace(cli: Cli) -> None:
    ran = cli("model", "list")
    assert ran.code == 0
    first = next(row for row in ran.out.splitlines() if "static" in row)
    assert first.split()[:3] == ["in", "use", "static"]
    assert "get it with: dowse model add snowflake-arctic-embed-m-v2.0" in ran.out
    assert not Path(".dowse").exists()


@pytest.mark.usefixtures("sample")
def test_the_models_as_json_say_which_is_in_use(cli: Cli) -> None:
    listed = cli("model", "list", "--json").json
    assert (listed[0]["specification"], listed[0]["used"]) == ("static", True)
    assert {"specification", "name", "where", "bytes", "licence", "used"} == set(listed[0])


@pytest.mark.usefixtures("sample")
def test_a_workspace_told_to_use_no_model_says_so_in_every_answer_until_told_otherwise(cli: Cli) -> None:
    assert "search is by words alone" in cli("model", "use", "none").out
    assert "none: search is by words alone" in cli("status").out
    assert "vectors: no embedding model is set up" in cli("search", "how are retries capped").err
    ran = cli("model", "use", "static")
    assert "passages have their vectors" in ran.out
    assert "vectors: " not in cli("search", "how are retries capped").err


@pytest.mark.usefixtures("sample")
def test_a_model_that_is_not_there_says_how_to_get_it(cli: Cli, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("DOWSE_MODELS", str(tmp_path / "models"))
    ran = cli("model", "use", "snowflake-arctic-embed-xs")
    assert (ran.code, ran.out) == (8, "")
    assert "dowse model add snowflake-arctic-embed-xs" in ran.err
    assert "static" in cli("status", "--json").json["embedding"]["specification"]


def test_an_unknown_model_cannot_be_downloaded(cli: Cli) -> None:
    ran = cli("model", "add", "magic")
    assert ran.code == 8
    assert "there is no known model 'magic'" in ran.err


@pytest.mark.usefixtures("sample")
def test_a_model_named_by_the_environment_goes_before_the_chosen_one_and_that_is_said(
    cli: Cli, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DOWSE_MODEL", "static")
    assert "static was named from outside (DOWSE_MODEL)" in cli("model", "use", "none").out


@pytest.mark.usefixtures("sample")
def test_embedding_says_the_model_how_many_and_how_fast(cli: Cli) -> None:
    cli("model", "use", "none")
    cli("model", "use", "static")
    ran = cli("embed")
    assert "nothing to embed; all " in ran.out
    told = cli("embed", "--json").json
    assert (told["made"], told["waiting"]) == (0, 0)
    assert told["done"] > 20


@pytest.fixture
def waiting(tmp_path: Path) -> Path:
    """A workspace with three thousand passages that wait for their vectors."""
    path = tmp_path / ".dowse" / "workspace.dowse"
    path.parent.mkdir()
    with dowse.open(path, model="none") as workspace:
        workspace.apply(Put(Record(f"page-{number}", "page", f"Page {number} of the log")) for number in range(3000))
    return path


@pytest.mark.skipif(sys.platform == "win32", reason="pseudo-terminals are a thing of Unix")
@pytest.mark.usefixtures("waiting")
def test_on_a_terminal_a_bar_shows_how_many_passages_have_their_vectors() -> None:
    answer, shown = on_terminal("embed", columns=120)
    assert "3,000 texts embedded in " in answer
    assert "/3000" in shown
    assert "passages" in shown


@pytest.mark.usefixtures("waiting")
def test_embedding_what_waits_tells_its_progress(cli: Cli) -> None:
    ran = cli("embed")
    assert "3,000 texts embedded in " in ran.out
    assert "all 3,000 passages have their vectors" in ran.out
    assert "% of 3,000 passages have their vectors" in ran.err


@pytest.mark.usefixtures("sample")
def test_the_status_tells_the_model_and_how_far_it_is(cli: Cli) -> None:
    (row,) = [row for row in cli("status").out.splitlines() if row.startswith("model")]
    assert "passages have their vectors" in row
    told = cli("status", "--json").json["embedding"]
    assert told["profile"]["swift"]
    assert (told["waiting"], told["failure"], told["specification"]) == (0, "", "static")


@pytest.mark.usefixtures("sample")
def test_what_is_alike_looks_like_the_hits_of_a_search(cli: Cli) -> None:
    ran = cli("similar", "retry-policy", "--limit", "3")
    assert ran.code == 0
    assert ran.out.startswith(" 1. ")
    assert "retry-policy  " not in ran.out
    shaped = cli("similar", "retry-policy", "--limit", "3", "--json").json
    assert [hit["rank"] for hit in shaped["hits"]] == [1, 2, 3]
    assert shaped["lists"] == ["vectors"]


@pytest.mark.usefixtures("sample")
def test_what_has_to_do_with_a_record_is_a_table_that_says_why(cli: Cli) -> None:
    ran = cli("related", "task-17")
    assert ran.out.splitlines()[0].split() == ["WHY", "ID", "KIND", "TITLE", "ALIKE"]
    assert "says something alike" in ran.out
    assert "records have to do with task-17" in ran.err
    relations = cli("related", "task-17", "--json").json["relations"]
    assert {"record", "why", "score"} == set(relations[0])


@pytest.mark.usefixtures("sample")
def test_nothing_alike_is_said_and_no_error(cli: Cli) -> None:
    ran = cli("similar", "task-17", "--kind", "library")
    assert ran.code == 0
    assert ran.out or "Nothing is like" in ran.err


def test_importing_with_a_model_out_of_reach_works_and_says_what_is_left(
    cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DOWSE_MODEL", "http://127.0.0.1:9/v1#away")
    (tmp_path / "a.jsonl").write_text('{"kind": "page", "key": "tides", "title": "How the tides work"}\n')
    ran = cli("import", "a.jsonl")
    assert ran.code == 0
    assert "Wrote 1 records" in ran.out
    assert "cannot be reached" in ran.err
    assert "'dowse embed' makes them" in ran.err
    found = cli("search", "how the tides work")
    assert "tides" in found.out
    assert "cannot be reached" in found.err


@pytest.mark.parametrize(
    ("arguments", "loads"),
    [
        (["--version"], False),
        (["get", "task-17"], False),
        (["list"], False),
        (["search", "retry"], False),
        (["search", "retryCap", "budget"], False),
        (["search", "retry", "budget"], True),
        (["search", "how", "are", "retries", "capped"], True),
    ],
)
@pytest.mark.usefixtures("sample")
def test_the_model_is_loaded_only_for_what_needs_it(arguments: list[str], loads: bool) -> None:
    script = (
        "import sys; from dowse.shells.cli.main import run; run(sys.argv[1:]);"
        "print('dowse.embed.static' in sys.modules, file=sys.stderr)"
    )
    source = str(Path(dowse.__file__).parents[1])
    ran = subprocess.run(
        [sys.executable, "-c", script, *arguments],
        env={**os.environ, "PYTHONPATH": source},
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=True,
    )
    assert ran.stderr.splitlines()[-1] == str(loads)


@pytest.mark.skipif(sys.platform == "win32", reason="signals are a thing of Unix")
def test_an_interrupt_while_embedding_keeps_what_was_made(tmp_path: Path) -> None:
    import signal

    path = tmp_path / ".dowse" / "workspace.dowse"
    path.parent.mkdir()
    with dowse.open(path, model="none") as workspace:
        long = {"content": "A line of the log. " * 40}
        workspace.apply(Put(Record(f"page-{number}", "page", f"Page {number}", fields=long)) for number in range(4000))
    process = start("embed", stderr=subprocess.PIPE, stdout=subprocess.PIPE)
    assert process.stderr is not None
    process.stderr.readline()
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=PATIENCE)
    with dowse.open(path) as workspace:
        state = workspace.status().embedding
        assert state.done > 0
        assert workspace.embed().waiting == 0


def test_a_model_is_downloaded_with_progress_and_then_listed_as_here(
    cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DOWSE_MODELS", str(tmp_path / "models"))
    with hub() as address:
        monkeypatch.setenv("DOWSE_HUB", address)
        ran = cli("model", "add", "snowflake-arctic-embed-xs")
    assert ran.code == 0
    assert "dowse model use onnx:snowflake-arctic-embed-xs" in ran.out
    assert "snowflake-arctic-embed-xs: 100% of 9,000 bytes" in ran.err
    listed = {item["name"]: item["where"] for item in cli("model", "list", "--json").json}
    assert listed["snowflake-arctic-embed-xs"] == str(tmp_path / "models" / "snowflake-arctic-embed-xs")


def test_a_hub_out_of_reach_is_an_error_that_says_so(cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DOWSE_MODELS", str(tmp_path / "models"))
    monkeypatch.setenv("DOWSE_HUB", "http://127.0.0.1:9")
    ran = cli("model", "add", "snowflake-arctic-embed-xs", "--json")
    assert ran.code == 8
    assert '"code": "embedding_failed"' in ran.err


@contextmanager
def hub() -> Iterator[str]:
    """The address of a hub whose files are all the same."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("Content-Length", "9000")
            self.end_headers()
            self.wfile.write(b"x" * 9000)

        def log_message(self, format: str, *arguments: object) -> None:
            """Nobody reads it."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
