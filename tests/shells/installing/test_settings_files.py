"""Is somebody else's file safe with us?"""

import os
import stat
from pathlib import Path

import pytest
from a_computer import needs_permissions

from dowse.errors import StorageError
from dowse.shells.installing import settings_files
from dowse.shells.installing.agents import Format


def rewrite(path: Path, text: str) -> None:
    settings_files.save(settings_files.load(path, Format.JSON), text)


def test_the_first_state_is_kept_beside_the_file_and_later_ones_do_not_replace_it(tmp_path: Path) -> None:
    path = tmp_path / "mcp.json"
    path.write_text("first")
    rewrite(path, "second")
    rewrite(path, "third")
    assert (path.read_text(), (tmp_path / "mcp.json.bak").read_text()) == ("third", "first")


def test_a_new_file_is_made_with_its_folders_and_without_a_backup(tmp_path: Path) -> None:
    path = tmp_path / "a" / "b" / "mcp.json"
    rewrite(path, "new")
    assert [item.name for item in path.parent.iterdir()] == ["mcp.json"]


@needs_permissions
def test_permissions_stay_as_they_were_also_on_the_backup(tmp_path: Path) -> None:
    path = tmp_path / "mcp.json"
    path.write_text("secret")
    path.chmod(0o600)
    rewrite(path, "more")
    assert {stat.S_IMODE(item.stat().st_mode) for item in tmp_path.iterdir()} == {0o600}


def test_a_link_stays_a_link_and_what_it_leads_to_is_changed(tmp_path: Path) -> None:
    real, link = tmp_path / "dotfiles" / "mcp.json", tmp_path / "mcp.json"
    real.parent.mkdir()
    real.write_text("old")
    link.symlink_to(real)
    rewrite(link, "new")
    assert link.is_symlink()
    assert real.read_text() == "new"


@needs_permissions
def test_a_read_only_file_is_refused_and_stays(tmp_path: Path) -> None:
    path = tmp_path / "mcp.json"
    path.write_text("kept")
    path.chmod(0o444)
    with pytest.raises(StorageError, match="read-only"):
        rewrite(path, "new")
    assert (path.read_text(), os.listdir(tmp_path)) == ("kept", ["mcp.json"])


def test_a_file_that_changed_since_it_was_read_is_not_written_over(tmp_path: Path) -> None:
    path = tmp_path / "mcp.json"
    path.write_text("read")
    file = settings_files.load(path, Format.JSON)
    path.write_text("saved by the agent")
    with pytest.raises(StorageError, match="changed by another program"):
        settings_files.save(file, "ours")
    assert path.read_text() == "saved by the agent"
    assert not (tmp_path / ".mcp.json.dowse").exists()


def test_a_byte_order_mark_stays(tmp_path: Path) -> None:
    path = tmp_path / "mcp.json"
    path.write_bytes(b"\xef\xbb\xbf{}")
    file = settings_files.load(path, Format.JSON)
    assert file.text == "{}"
    settings_files.save(file, "[]")
    assert path.read_bytes() == b"\xef\xbb\xbf[]"


def test_what_is_not_utf_8_is_refused_with_its_line(tmp_path: Path) -> None:
    path = tmp_path / "mcp.json"
    path.write_bytes(b"{\n\xff}")
    with pytest.raises(StorageError, match="line 2: not UTF-8"):
        _ = settings_files.load(path, Format.JSON).text


def test_an_edit_that_would_not_mean_what_was_asked_is_refused() -> None:
    with pytest.raises(StorageError):
        settings_files.put("mcp_servers = { a = { command = 'a' } }", Format.TOML, ("mcp_servers", "dowse"), {"command": "d"})


def test_a_toml_value_that_is_no_table_is_refused() -> None:
    with pytest.raises(StorageError):
        settings_files.put("mcp_servers = 5", Format.TOML, ("mcp_servers", "dowse"), {"command": "d"})


def test_the_difference_names_the_file_and_shows_what_changes(tmp_path: Path) -> None:
    path = tmp_path / "mcp.json"
    path.write_text("a\nb\n")
    assert settings_files.difference(settings_files.load(path, Format.JSON), "a\nc\n").split("\n") == [
        f"--- {path}",
        f"+++ {path}",
        "@@ -1,2 +1,2 @@",
        " a",
        "-b",
        "+c",
    ]
