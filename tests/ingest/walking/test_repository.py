"""Git's own settings say where more rules are."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from dowse.ingest.walking.repository import enclosing, exclude_files, is_worktree, users_exclude_file


def test_the_users_rules_are_where_git_looks_by_default() -> None:
    assert users_exclude_file({"HOME": "/h"}) == ("/h/.config/git/ignore",)
    assert users_exclude_file({"HOME": "/h", "XDG_CONFIG_HOME": "/x"}) == ("/x/git/ignore",)
    assert users_exclude_file({}) == ()


@pytest.mark.parametrize(
    ("setting", "expected"),
    [
        ("[core]\n\texcludesFile = ~/mine\n", "{home}/mine"),
        ('[core]\nexcludesfile = "/a b/c#d" ; note\n', "/a b/c#d"),
        ("[CORE]\nExcludesFile=/x # note\n", "/x"),
        ("[core] excludesfile = /y\n", "/y"),
        ("[core]\nexcludesfile = /one\n[user]\nexcludesfile = /no\n[core]\nexcludesfile = /two\n", "/two"),
        ('[core "x"]\nexcludesfile = /no\n', "{home}/.config/git/ignore"),
        ("[core\nexcludesfile\n\0", "{home}/.config/git/ignore"),
    ],
)
def test_the_users_rules_are_where_the_settings_say(tmp_path: Path, setting: str, expected: str) -> None:
    (tmp_path / ".gitconfig").write_text(setting)

    assert users_exclude_file({"HOME": str(tmp_path)}) == (expected.format(home=tmp_path),)


def test_the_users_own_settings_go_before_those_in_the_config_folder(tmp_path: Path) -> None:
    (tmp_path / ".config/git").mkdir(parents=True)
    (tmp_path / ".config/git/config").write_text("[core]\nexcludesfile = /far\n")
    assert users_exclude_file({"HOME": str(tmp_path)}) == ("/far",)

    (tmp_path / ".gitconfig").write_text("[core]\nexcludesfile = /near\n")
    assert users_exclude_file({"HOME": str(tmp_path)}) == ("/near",)


def test_the_settings_of_a_repository_go_before_those_of_the_user(tmp_path: Path) -> None:
    (tmp_path / ".gitconfig").write_text("[core]\nexcludesfile = /user\n")
    (tmp_path / "repo/.git").mkdir(parents=True)
    (tmp_path / "repo/.git/config").write_text("[core]\nexcludesfile = /repository\n")

    assert exclude_files(str(tmp_path / "repo"), {"HOME": str(tmp_path)})[1:] == ("/repository",)


def test_the_root_of_a_repository_is_found_from_below(tmp_path: Path) -> None:
    (tmp_path / "repo/.git").mkdir(parents=True)
    (tmp_path / "repo/a/b").mkdir(parents=True)

    assert enclosing(str(tmp_path / "repo/a/b")) == str(tmp_path / "repo")


@pytest.mark.parametrize(
    ("pointer", "expected"),
    [
        ("gitdir: /r/.git/worktrees/x\n", True),
        ("gitdir: ../.bare/worktrees/x\n", True),
        ("gitdir: ../.git/modules/worktrees\n", False),
        ("gitdir: ../.git/modules/x\n", False),
        ("nonsense", False),
        ("", False),
    ],
)
def test_a_worktree_is_told_from_a_submodule(tmp_path: Path, pointer: str, expected: bool) -> None:
    (tmp_path / ".git").write_text(pointer)

    assert is_worktree(str(tmp_path)) is expected


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="pipes with names are there on POSIX alone")
@pytest.mark.parametrize("name", ["config", "commondir", "info/exclude"])
def test_a_pipe_among_gits_own_files_is_not_waited_for(tmp_path: Path, name: str) -> None:
    (tmp_path / ".git" / "info").mkdir(parents=True)
    os.mkfifo(tmp_path / ".git" / name)
    (tmp_path / "a.md").write_text("# A\n")
    # In a process of its own, which can be ended: whoever waits for a pipe hears nothing.
    program = "import sys; from dowse.ingest.walking import walk; print([item.path for item in walk(sys.argv[1])])"
    done = subprocess.run([sys.executable, "-c", program, str(tmp_path)], capture_output=True, text=True, check=False, timeout=120)
    assert "a.md" in done.stdout, done.stderr
