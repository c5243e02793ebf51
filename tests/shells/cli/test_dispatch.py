"""Which workspace is meant, and does every operation answer?"""

import shlex
import shutil
from pathlib import Path

import pytest
from running_cli import ROOT, SAMPLE, Cli

from dowse.app.operations import OPERATIONS
from dowse.shells.cli.commands import COMMANDS
from dowse.shells.cli.parsing import parse

# What runs until it is interrupted is run by tests that interrupt it; here it is read.
LASTING = ("watch", "serve", "mcp")
# Its example names a cluster; test_migrate_command copies between files.
ELSEWHERE = ("migrate",)
EXAMPLES = [
    (name, example) for name, command in COMMANDS.items() if name not in (*LASTING, *ELSEWHERE) for example in command.examples
]


def test_init_makes_a_workspace_that_version_control_ignores(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "project").mkdir()
    assert cli("init", "project").out.startswith("Made a new workspace at ")
    assert (tmp_path / "project" / ".dowse" / "workspace.dowse").is_file()
    assert (tmp_path / "project" / ".dowse" / ".gitignore").read_text() == "*\n"


def test_init_again_keeps_what_is_there(cli: Cli) -> None:
    cli("put", "page", "--key", "kept", "--title", "Kept")
    assert cli("init").out.startswith("There is a workspace already at ")
    assert cli("get", "kept").code == 0


@pytest.mark.usefixtures("sample")
def test_the_nearest_workspace_upward_is_used(cli: Cli, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "a" / "b").mkdir(parents=True)
    monkeypatch.chdir(tmp_path / "a" / "b")
    assert cli("get", "task-17").code == 0


def test_a_named_workspace_beats_the_environment_and_the_environment_beats_the_folder(
    cli: Cli, sample: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cli("--workspace", "other.dowse", "put", "page", "--key", "elsewhere", "--title", "Elsewhere")
    assert cli("get", "elsewhere").code == 3
    monkeypatch.setenv("DOWSE_WORKSPACE", "other.dowse")
    assert cli("get", "elsewhere").code == 0
    assert cli("get", "task-17").code == 3
    assert cli("get", "task-17", "--workspace", str(sample)).code == 0


def test_a_reading_command_makes_nothing(cli: Cli, tmp_path: Path) -> None:
    assert cli("list").code == 3
    assert cli("list", "--workspace", "none.dowse").code == 3
    assert list(tmp_path.iterdir()) == []


def test_a_mistyped_writing_command_makes_nothing(cli: Cli, tmp_path: Path) -> None:
    assert cli("put", "page", "--expected", "soon").code == 2
    assert list(tmp_path.iterdir()) == []


def test_surfaces_and_kinds_need_no_workspace(cli: Cli) -> None:
    assert "scope.ancestorId" in cli("surfaces").out
    assert "noteKey" in cli("kinds").out


def test_every_operation_is_a_command() -> None:
    assert {command.operation.name for command in COMMANDS.values() if command.operation} == set(OPERATIONS)


def have_model(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The files of a model lie there already, so that nothing is downloaded."""
    folder.mkdir(parents=True)
    (folder / "model.onnx").write_bytes(b"a model")
    (folder / "tokenizer.json").write_text("{}")
    monkeypatch.setenv("DOWSE_MODELS", str(folder.parent))


@pytest.mark.parametrize("name", LASTING)
def test_the_examples_of_what_lasts_can_be_read(name: str) -> None:
    for example in COMMANDS[name].examples:
        _, values = parse(COMMANDS[name], shlex.split(example)[2:])
        assert len(values) == example.count(" --") - max(example.count("--surface") - 1, 0)


@pytest.mark.usefixtures("sample")
@pytest.mark.parametrize(("name", "example"), EXAMPLES)
def test_every_example_of_the_help_works(
    cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, example: str
) -> None:
    (tmp_path / "docs").mkdir()
    shutil.copy(SAMPLE, tmp_path / "docs")
    if name == "restore":
        cli("delete", "task-30")
    if name == "token revoke":
        cli("token", "add", "laptop")
    if name == "bench":
        (tmp_path / "questions.jsonl").write_text('{"query": "how are retries capped", "expected": ["retry-policy"]}\n')
    if name == "model add":
        have_model(tmp_path / "models" / "snowflake-arctic-embed-m-v2.0", monkeypatch)
    if name == "restore-backup":
        cli("backup", "monday.dowse")
    if name == "forget":
        cli("index", "docs", "--space", "saltmarsh")
    if name in ("install", "uninstall"):
        monkeypatch.setattr(Path, "home", lambda: tmp_path)
    ran = cli(*(["completion", "bash"] if name == "completion" else shlex.split(example)[1:]))
    assert (ran.code, "Nothing" in ran.err) == (0, False)


def test_values_can_be_text_json_and_files(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "body.md").write_text("From a file.")
    cli("put", "library", "--key", "/a/b", "--set", "stars:=12", "--set", "source=github", "--set", "description=@body.md")
    record = cli("get", "/a/b", "--json").json
    assert (record["facets"]["stars"], record["facets"]["source"]) == (12, "github")
    assert record["fields"]["description"] == "From a file."


def test_a_record_is_written_changed_tagged_linked_deleted_and_restored(cli: Cli) -> None:
    cli("put", "item", "--key", "aaaa1", "--title", "One", "--tag", "net", "--set", "role=queue")
    cli("put", "item", "--key", "bbbb1", "--title", "Two")
    assert cli("update", "aaaa", "--set", "role=work", "--json").json["facets"] == {"role": "work"}
    assert cli("tag", "aaaa", "--add", "new", "--remove", "net", "--json").json["tags"] == ["new"]
    assert cli("rename-tag", "new", "old", "--json").json == {"renamed": 1}
    assert cli("link", "aaaa", "bbbb", "blocks").out == "aaaa1 blocks → bbbb1\n"
    assert cli("unlink", "aaaa", "bbbb", "blocks", "--json").json == {"removed": True}
    assert cli("delete", "aaaa", "--json").json == {"deleted": 1}
    assert cli("search", "one", "--json").json["total"] == 0
    assert cli("list", "--deleted", "--json").json["total"] == 1
    assert cli("restore", "aaaa1", "--json").json["deleted"] is False


def test_the_commands_of_the_readme_work(cli: Cli, tmp_path: Path) -> None:
    shutil.copytree(ROOT / "src" / "dowse" / "search", tmp_path / "search")
    (tmp_path / "courier.py").write_text("def deliver() -> None: ...\n")
    commands = [line[2:] for line in (ROOT / "README.md").read_text().splitlines() if line.startswith("$ dowse")]
    assert len(commands) == 7
    for command in commands:
        ran = cli(*shlex.split(command)[1:])
        assert (ran.code, bool(ran.out)) == (0, True), command


def test_the_python_of_the_readme_works(capsys: pytest.CaptureFixture[str]) -> None:
    code = (ROOT / "README.md").read_text().split("```python\n")[1].split("```")[0]
    exec(code, {})
    assert capsys.readouterr().out == "1 Retries Retries are capped at five.\n"


def test_the_demo_shows_every_family_of_surfaces(capsys: pytest.CaptureFixture[str]) -> None:
    import runpy

    demo = runpy.run_path(str(ROOT / "docs" / "demo.py"))
    assert demo["main"]() == 0
    shown = capsys.readouterr().out
    for words in (
        "--surface items",
        "query-docs",
        "--surface architecture",
        "--surface pages",
        "code_search",
        "why-not",
        "--explain",
    ):
        assert words in shown
