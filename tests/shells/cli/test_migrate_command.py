"""Copying a workspace on the command line: what is said, and what is refused."""

import json
from pathlib import Path

from running_cli import SAMPLE, Cli

import dowse


def sample(folder: Path) -> str:
    path = folder / "old.dowse"
    with dowse.open(path, model="none") as workspace:
        workspace.import_file(SAMPLE)
    return str(path)


def test_a_workspace_is_copied_and_the_copy_is_proved(cli: Cli, tmp_path: Path) -> None:
    ran = cli("migrate", sample(tmp_path), "new.dowse")
    assert ran.code == 0
    assert "Both hold the same" in ran.out
    assert "comparing" in ran.err
    assert cli("--workspace", "new.dowse", "search", "how are retries capped").code == 0


def test_as_json_it_tells_what_was_copied(cli: Cli, tmp_path: Path) -> None:
    told = json.loads(cli("migrate", sample(tmp_path), "new.dowse", "--json").out)
    assert told["records"] > 0
    assert told["target"] == "new.dowse"
    assert not told["resumed"]


def test_a_target_that_holds_something_is_refused(cli: Cli, tmp_path: Path) -> None:
    old = sample(tmp_path)
    assert cli("migrate", old, "new.dowse").code == 0
    ran = cli("migrate", old, "new.dowse")
    assert ran.code != 0
    assert "Name one that is empty" in ran.err


def test_what_is_not_there_and_what_is_the_same_is_refused(cli: Cli, tmp_path: Path) -> None:
    assert "There is no workspace" in cli("migrate", "nowhere.dowse", "new.dowse").err
    old = sample(tmp_path)
    assert "the same workspace" in cli("migrate", old, old).err


def test_a_cluster_that_cannot_be_reached_is_named_without_its_secret(cli: Cli, tmp_path: Path) -> None:
    ran = cli("migrate", sample(tmp_path), "opensearch://ann:hush@127.0.0.1:9/team")
    assert ran.code != 0
    assert "opensearch://127.0.0.1:9/team" in ran.err
    assert "hush" not in ran.err + ran.out
