"""A walk finds what people wrote, in order, and says why it left out the rest."""

import os
import shutil
import socket
from collections.abc import Mapping
from pathlib import Path

import pytest

from dowse.ingest.walking import Entry, Limits, Reason, Skipped, walk


def test_files_come_in_the_order_of_their_paths(tmp_path: Path) -> None:
    _plant(tmp_path, "b.py", "a/z.py", "a.py", "a/b/c.py", "a-b/x.py", "B.py", ".git/HEAD")

    paths = [item.path for item in walk(tmp_path, environment={})]

    assert paths == [".git/", "B.py", "a-b/x.py", "a.py", "a/b/c.py", "a/z.py", "b.py"]


def test_an_entry_says_where_how_large_and_how_old_a_file_is(tmp_path: Path) -> None:
    file = tmp_path / "src/a.py"
    _plant(tmp_path, "src/a.py")
    file.write_text("print()\n")
    os.utime(file, ns=(5_000_000_001, 7_000_000_003))

    (entry,) = walk(tmp_path, environment={})

    assert entry == Entry("src/a.py", str(file), 8, 7_000_000_003)


def test_a_gitignore_counts_without_a_repository(tmp_path: Path) -> None:
    _plant(tmp_path, "a.py", "a.tmp", "logs/x.txt")
    _rules(tmp_path, ".gitignore", "*.tmp", "logs/")

    assert _found(tmp_path) == ["a.py"]
    assert _skipped(tmp_path)["logs/"] == Skipped("logs/", Reason.IGNORED, ".gitignore:2: logs/")


def test_a_nested_gitignore_can_bring_a_file_back(tmp_path: Path) -> None:
    _plant(tmp_path, "a.log", "sub/a.log", "sub/b.log")
    _rules(tmp_path, ".gitignore", "*.log")
    _rules(tmp_path / "sub", ".gitignore", "!b.log")

    assert _found(tmp_path) == ["sub/b.log"]


def test_a_file_below_an_ignored_folder_cannot_be_brought_back(tmp_path: Path) -> None:
    _plant(tmp_path, "logs/keep.txt")
    _rules(tmp_path, ".gitignore", "logs/", "!logs/keep.txt")

    assert _found(tmp_path) == []


def test_rules_above_the_root_apply_up_to_the_root_of_the_repository(tmp_path: Path) -> None:
    _plant(tmp_path, "repo/.git/HEAD", "repo/pkg/a.py", "repo/pkg/a.tmp", "repo/pkg/sub/b.py", "repo/pkg/c.md")
    _rules(tmp_path, ".gitignore", "*.md")
    _rules(tmp_path / "repo", ".gitignore", "*.tmp", "/pkg/sub", "/sub")

    assert _found(tmp_path / "repo/pkg") == ["a.py", "c.md"]
    assert _skipped(tmp_path / "repo/pkg")["sub/"].detail == "../.gitignore:2: pkg/sub"


def test_the_exclude_files_of_git_count(tmp_path: Path) -> None:
    _plant(tmp_path, "repo/.git/HEAD", "repo/a.py", "repo/a.mine", "repo/a.ours")
    _rules(tmp_path / "repo/.git/info", "exclude", "*.ours")
    _rules(tmp_path / "home/.config/git", "ignore", "*.mine")

    assert _found(tmp_path / "repo", {"HOME": str(tmp_path / "home")}) == ["a.py"]


def test_a_dowseignore_wins_over_a_gitignore(tmp_path: Path) -> None:
    _plant(tmp_path, "notes/a.md", "notes/sub/b.md", "drafts/c.md")
    _rules(tmp_path, ".gitignore", "notes/", "!drafts/")
    _rules(tmp_path, ".dowseignore", "!notes/", "drafts/")

    assert _found(tmp_path) == ["notes/a.md", "notes/sub/b.md"]


def test_an_ignore_file_wins_over_a_gitignore_and_loses_to_a_dowseignore(tmp_path: Path) -> None:
    _plant(tmp_path, "a.txt", "b.txt", "c.txt")
    _rules(tmp_path, ".gitignore", "a.txt")
    _rules(tmp_path, ".ignore", "!a.txt", "b.txt", "c.txt")
    _rules(tmp_path, ".dowseignore", "!c.txt")

    assert _found(tmp_path) == ["a.txt", "c.txt"]


def test_what_the_caller_excludes_stays_out(tmp_path: Path) -> None:
    _plant(tmp_path, "a.py", "gen/a.py", "deep/gen/a.py")
    _rules(tmp_path, ".dowseignore", "!gen/")

    assert [item.path for item in walk(tmp_path, excludes=["/gen"], environment={}) if isinstance(item, Entry)] == [
        "a.py",
        "deep/gen/a.py",
    ]


def test_a_dowseignore_brings_back_what_is_left_out_by_custom(tmp_path: Path) -> None:
    _plant(tmp_path, "node_modules/ours/a.js", ".hidden/a.md", "env/pyvenv.cfg", "env/a.py", "yarn.lock")
    _rules(tmp_path, ".dowseignore", "!node_modules/", "!.hidden/", "!/env/", "!yarn.lock")

    assert _found(tmp_path) == [".hidden/a.md", "env/a.py", "env/pyvenv.cfg", "node_modules/ours/a.js", "yarn.lock"]


def test_a_rule_that_wants_all_folders_does_not_mean_those_left_out_by_custom(tmp_path: Path) -> None:
    _plant(tmp_path, "docs/a.md", "docs/a.py", "node_modules/b/README.md", ".hidden/c.md")
    _rules(tmp_path, ".gitignore", "docs/")
    _rules(tmp_path, ".dowseignore", "*", "!*/", "!*.md")

    assert _found(tmp_path) == ["docs/a.md"]


def test_a_secret_comes_back_only_by_its_name(tmp_path: Path) -> None:
    _plant(tmp_path, ".env", ".env.example", ".diary", ".git/config")
    _rules(tmp_path, ".dowseignore", "!**", "!.*")
    assert _found(tmp_path) == [".diary", ".dowseignore"]

    _rules(tmp_path, ".dowseignore", "!.env.example", "!.git")
    assert _found(tmp_path) == [".env.example"]


def test_an_environment_a_cache_and_a_bare_repository_are_known_by_what_is_in_them(tmp_path: Path) -> None:
    _plant(tmp_path, "py/pyvenv.cfg", "py/lib/a.py", "tmp/CACHEDIR.TAG", "tmp/b.py", "x/HEAD", "x/refs/a", "x/objects/b")

    reasons = {path: skipped.reason for path, skipped in _skipped(tmp_path).items()}

    assert reasons == {"py/": Reason.VENDORED, "tmp/": Reason.GENERATED, "x/": Reason.REPOSITORY}


def test_the_root_is_walked_whatever_it_is_called_or_holds(tmp_path: Path) -> None:
    _plant(tmp_path, "node_modules/pyvenv.cfg", "node_modules/a.js")

    assert _found(tmp_path / "node_modules") == ["a.js", "pyvenv.cfg"]


def test_a_large_file_is_reported_with_its_size(tmp_path: Path) -> None:
    for name in ("a.txt", "a.pdf", "b.pdf"):
        (tmp_path / name).write_bytes(b"x" * (3000 if name == "b.pdf" else 1500))

    items = list(walk(tmp_path, limits=Limits(text=1024, document=2048), environment={}))

    left_out = [(item.path, item.reason, item.detail, item.size) for item in items[1:] if isinstance(item, Skipped)]
    assert left_out == [
        ("a.txt", Reason.TOO_LARGE, "1.5 KiB, the limit is 1 KiB", 1500),
        ("b.pdf", Reason.TOO_LARGE, "2.9 KiB, the limit is 2 KiB", 3000),
    ]
    assert isinstance(items[0], Entry)


def test_links_are_reported_and_never_followed(tmp_path: Path) -> None:
    _plant(tmp_path, "root/real/a.py", "elsewhere/b.py")
    root = tmp_path / "root"
    (root / "file.py").symlink_to("real/a.py")
    (root / "folder").symlink_to("real")
    (root / "out").symlink_to("../elsewhere")
    (root / "out.py").symlink_to(tmp_path / "elsewhere/b.py")
    (root / "nowhere").symlink_to("missing")

    assert _found(root) == ["real/a.py"]
    assert _skipped(root) == {
        "file.py": Skipped("file.py", Reason.SYMLINK, "found as real/a.py"),
        "folder": Skipped("folder", Reason.SYMLINK, "found as real"),
        "nowhere": Skipped("nowhere", Reason.UNREADABLE, "a link that leads nowhere"),
        "out": Skipped("out", Reason.OUTSIDE, "leads out of the project"),
        "out.py": Skipped("out.py", Reason.OUTSIDE, "leads out of the project"),
    }


def test_a_folder_whose_name_only_begins_like_the_root_is_outside(tmp_path: Path) -> None:
    _plant(tmp_path, "root/a.py", "root-old/b.py")
    (tmp_path / "root/link").symlink_to("../root-old")

    assert _skipped(tmp_path / "root")["link"].reason is Reason.OUTSIDE


def test_links_that_go_round_in_circles_do_not_hang(tmp_path: Path) -> None:
    _plant(tmp_path, "a/b/c.py")
    (tmp_path / "a/b/up").symlink_to("../..")
    (tmp_path / "one").symlink_to("two")
    (tmp_path / "two").symlink_to("one")

    assert _found(tmp_path) == ["a/b/c.py"]
    assert {skipped.reason for skipped in _skipped(tmp_path).values()} == {Reason.LOOP}


def test_a_root_that_is_a_link_is_walked(tmp_path: Path) -> None:
    _plant(tmp_path, "real/a.py")
    (tmp_path / "link").symlink_to("real")

    assert _found(tmp_path / "link") == ["a.py"]


def test_a_linked_rule_file_is_not_read(tmp_path: Path) -> None:
    _plant(tmp_path, "root/a.py")
    _rules(tmp_path, "rules", "*.py")
    (tmp_path / "root/.gitignore").symlink_to("../rules")

    assert _found(tmp_path / "root") == ["a.py"]


def test_pipes_and_sockets_are_never_opened(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    os.mkfifo(tmp_path / "pipe")
    os.mkfifo(tmp_path / ".gitignore")
    monkeypatch.chdir(tmp_path)  # the path of a socket must be short
    with socket.socket(socket.AF_UNIX) as server:
        server.bind("socket")
        skipped = _skipped(tmp_path)

    assert (skipped["pipe"].reason, skipped["socket"].reason) == (Reason.SPECIAL, Reason.SPECIAL)


def test_a_folder_that_vanishes_on_the_way_is_reported(tmp_path: Path) -> None:
    _plant(tmp_path, "a/1.py", "b/2.py", "c/3.py")
    items = walk(tmp_path, environment={})

    first = next(items)
    shutil.rmtree(tmp_path / "b")
    rest = list(items)

    assert first.path == "a/1.py"
    assert [(item.path, getattr(item, "reason", None)) for item in rest] == [("b/", Reason.VANISHED), ("c/3.py", None)]


def test_a_root_that_does_not_exist_is_reported(tmp_path: Path) -> None:
    (item,) = walk(tmp_path / "missing", environment={})

    assert isinstance(item, Skipped)
    assert (item.path, item.reason) == ("./", Reason.VANISHED)


def test_a_folder_that_cannot_be_opened_is_reported(tmp_path: Path) -> None:
    _plant(tmp_path, "z.py")
    _dig(tmp_path, "d" * 250, 17)

    *_, buried, last = walk(tmp_path, environment={})

    assert isinstance(buried, Skipped)
    assert (buried.reason, buried.detail) == (Reason.UNREADABLE, "File name too long")
    assert last.path == "z.py"


@pytest.mark.skipif(os.geteuid() == 0, reason="nothing is forbidden to root")
def test_a_forbidden_folder_is_reported(tmp_path: Path) -> None:
    _plant(tmp_path, "closed/a.py")
    (tmp_path / "closed").chmod(0)
    try:
        assert _skipped(tmp_path)["closed/"].reason is Reason.UNREADABLE
    finally:
        (tmp_path / "closed").chmod(0o700)


def test_a_name_that_is_no_unicode_is_shown_and_can_be_opened(tmp_path: Path) -> None:
    odd = os.path.join(os.fsencode(tmp_path), b"caf\xe9.py")
    for name in (odd, os.path.join(os.fsencode(tmp_path), b"caf\\xe9.py")):
        with open(name, "wb") as file:
            file.write(name[-7:])

    entries = [item for item in walk(tmp_path, environment={}) if isinstance(item, Entry)]

    assert [entry.path for entry in entries] == ["caf\\x5cxe9.py", "caf\\xe9.py"]
    assert Path(entries[1].location).read_bytes() == b"caf\xe9.py"[-7:]


def test_rules_reach_names_that_are_no_unicode(tmp_path: Path) -> None:
    with open(os.path.join(os.fsencode(tmp_path), b"caf\xe9.py"), "wb"):
        pass
    (tmp_path / ".gitignore").write_bytes(b"caf\xe9.*\n")

    assert _skipped(tmp_path)["caf\\xe9.py"].detail == ".gitignore:1: caf\\xe9.*"


def test_another_worktree_is_left_out_and_a_submodule_is_walked(tmp_path: Path) -> None:
    _plant(tmp_path, ".git/HEAD", "tree/a.py", "module/b.py", "nested/.git/HEAD", "nested/c.py")
    (tmp_path / "tree/.git").write_text("gitdir: /somewhere/.git/worktrees/tree\n")
    (tmp_path / "module/.git").write_text("gitdir: ../.git/modules/module\n")

    assert _found(tmp_path) == ["module/b.py", "nested/c.py"]
    assert _skipped(tmp_path)["tree/"].reason is Reason.WORKTREE


def test_a_worktree_as_the_root_is_walked_under_the_rules_of_its_repository(tmp_path: Path) -> None:
    _plant(tmp_path, "main/.git/worktrees/tree/HEAD", "tree/a.py", "tree/a.ours")
    (tmp_path / "main/.git/worktrees/tree/commondir").write_text("../..\n")
    (tmp_path / "tree/.git").write_text(f"gitdir: {tmp_path}/main/.git/worktrees/tree\n")
    _rules(tmp_path / "main/.git/info", "exclude", "*.ours")

    assert _found(tmp_path / "tree") == ["a.py"]


def test_the_rules_of_git_start_anew_in_a_nested_repository(tmp_path: Path) -> None:
    _plant(tmp_path, ".git/HEAD", "a.log", "nested/.git/HEAD", "nested/a.log", "nested/a.own", "nested/a.no")
    _rules(tmp_path, ".gitignore", "*.log")
    _rules(tmp_path, ".dowseignore", "*.no")
    _rules(tmp_path / "nested/.git/info", "exclude", "/a.own")

    assert _found(tmp_path) == ["nested/a.log"]


def _plant(root: Path, *paths: str) -> None:
    for path in paths:
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text("")


def _rules(folder: Path, name: str, *lines: str) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / name).write_text("\n".join(lines) + "\n")


def _found(root: Path, environment: Mapping[str, str] | None = None) -> list[str]:
    return [item.path for item in walk(root, environment=environment or {}) if isinstance(item, Entry)]


def _skipped(root: Path) -> dict[str, Skipped]:
    return {item.path: item for item in walk(root, environment={}) if isinstance(item, Skipped)}


def _dig(folder: Path, name: str, depth: int) -> None:
    """Folders in folders, deeper than a path can say."""
    here = os.open(folder, os.O_RDONLY)
    for _ in range(depth):
        os.mkdir(name, dir_fd=here)
        below = os.open(name, os.O_RDONLY, dir_fd=here)
        os.close(here)
        here = below
    os.close(here)
