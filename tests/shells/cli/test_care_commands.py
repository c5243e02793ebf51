"""Backups, restores and repairs from a command line, also where the workspace cannot be opened."""

from pathlib import Path

from running_cli import Cli

UNWELL, CONFLICT, MISSING = 6, 4, 3


def test_a_backup_says_what_it_holds_and_restores_it(cli: Cli, sample: Path) -> None:
    made = cli("backup", "monday.dowse", "--json").json
    assert (made["records"], made["digest"][:7]) == (67, "sha256:")
    cli("delete", "task-30", "--purge")
    restored = cli("restore-backup", "monday.dowse", "--force", "--json").json
    assert (restored["digest"], restored["kept"]) == (made["digest"], f"{sample}.before-restore")
    assert cli("get", "task-30").code == 0


def test_for_a_person_it_is_one_line(cli: Cli, sample: Path) -> None:
    assert sample.exists()
    assert cli("backup", "monday.dowse").out.startswith("monday.dowse holds 67 records and")
    assert f"kept at {sample}.before-restore" in cli("restore-backup", "monday.dowse", "--force").out.replace("\n", "")


def test_what_would_be_replaced_is_named_first(cli: Cli, sample: Path) -> None:
    assert sample.exists()
    cli("backup", "monday.dowse")
    ran = cli("restore-backup", "monday.dowse")
    assert (ran.code, "The workspace holds 67 records" in ran.err) == (CONFLICT, True)


def test_a_backup_becomes_a_workspace_where_there_is_none(cli: Cli, sample: Path, tmp_path: Path) -> None:
    assert sample.exists()
    cli("backup", "monday.dowse")
    assert cli("restore-backup", "monday.dowse", "--workspace", str(tmp_path / "new.dowse")).code == 0
    assert cli("get", "task-30", "--workspace", str(tmp_path / "new.dowse")).code == 0


def test_a_damaged_workspace_is_named_and_repaired(cli: Cli, sample: Path) -> None:
    whole = sample.read_bytes()
    sample.write_bytes(whole[: len(whole) * 9 // 10])
    assert cli("search", "retries").code == UNWELL
    ran = cli("doctor")
    assert (ran.code, "is damaged" in " ".join(ran.out.split())) == (UNWELL, True)
    repaired = cli("doctor", "--repair", "--json").json
    assert {"kept", "saved"} <= {finding["name"] for finding in repaired}
    assert cli("doctor").code == 0
    assert cli("search", "retries").code == 0
    assert len(list(sample.parent.glob("*.damaged"))) == 1


def test_doctor_and_restore_say_where_there_is_nothing(cli: Cli, tmp_path: Path) -> None:
    assert cli("doctor", "--workspace", str(tmp_path / "none.dowse")).code == MISSING
    assert cli("restore-backup", "none.dowse", "--workspace", str(tmp_path / "none.dowse")).code == MISSING
    assert list(tmp_path.iterdir()) == []
