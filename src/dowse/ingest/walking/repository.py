"""Where does git keep what it knows about a folder? Its root, its exclude files, and whether it is a worktree."""

import os
import re
from collections.abc import Mapping

# A `.git` file is one line with a path in it.
_LONGEST_POINTER = 8192
_SETTING = re.compile(r"\s*excludesfile\s*=\s*(.*?)\s*", re.IGNORECASE)
_SECTION = re.compile(r"\s*\[\s*([^\]\"\s]+)\s*(\"[^\"]*\")?\s*\](.*)")


def enclosing(folder: str) -> str | None:
    """The nearest folder, from this one upwards, that is the root of a repository."""
    while True:
        if os.path.lexists(os.path.join(folder, ".git")):
            return folder
        above = os.path.dirname(folder)
        if above == folder:
            return None
        folder = above


def is_worktree(folder: str) -> bool:
    """Whether the folder is a further working tree of a repository that lives elsewhere; a submodule is not."""
    return "worktrees" in _pointer(folder).replace("\\", "/").split("/")[:-1]


def exclude_files(root: str, environment: Mapping[str, str]) -> tuple[str, ...]:
    """The files with rules that are not in the tree, the one that wins first. They may not exist."""
    kept = _kept_in(root)
    return (os.path.join(kept, "info", "exclude"), *users_exclude_file(environment, os.path.join(kept, "config")))


def users_exclude_file(environment: Mapping[str, str], repository_config: str = "") -> tuple[str, ...]:
    """The user's own rules for all repositories: as configured, or where git looks by default."""
    home = environment.get("HOME") or environment.get("USERPROFILE") or ""
    config = environment.get("XDG_CONFIG_HOME") or (os.path.join(home, ".config") if home else "")
    settings = [os.path.join(config, "git", "config")] if config else []
    settings += [os.path.join(home, ".gitconfig")] if home else []
    settings += [repository_config] if repository_config else []
    for file in reversed(settings):
        value = _excludes_setting(file)
        if value is not None:
            expanded = os.path.join(home, value[2:]) if value.startswith("~/") else value
            return (expanded,) if os.path.isabs(expanded) else ()
    return (os.path.join(config, "git", "ignore"),) if config else ()


def _kept_in(root: str) -> str:
    """The folder that all worktrees of a repository share."""
    pointer = _pointer(root)
    own = os.path.join(root, pointer) if pointer else os.path.join(root, ".git")
    common = _read(os.path.join(own, "commondir")).strip()
    return os.path.join(own, common) if common else own


def _pointer(folder: str) -> str:
    file = os.path.join(folder, ".git")
    if not os.path.isfile(file):
        return ""
    label, colon, path = _read(file).partition(":")
    return path.strip() if colon and label == "gitdir" else ""


def _excludes_setting(file: str) -> str | None:
    """The last ``core.excludesFile`` of a configuration file. Files that it includes are not looked at."""
    found = None
    core = False
    for line in _read(file, limit=1024 * 1024).splitlines():
        section = _SECTION.fullmatch(line)
        if section:
            core = section[1].lower() == "core" and section[2] is None
            line = section[3]
        setting = _SETTING.fullmatch(line) if core else None
        if setting:
            found = _unquoted(setting[1])
    return found


def _unquoted(value: str) -> str:
    quoted = re.match(r'"((?:\\.|[^"\\])*)"', value)
    plain = quoted[1] if quoted else re.split(r"\s*[#;]", value, maxsplit=1)[0]
    return re.sub(r"\\(.)", r"\1", plain)


def _read(file: str, limit: int = _LONGEST_POINTER) -> str:
    # Opening a pipe would wait for a writer.
    if not os.path.isfile(file):
        return ""
    try:
        with open(file, "rb") as opened:
            return os.fsdecode(opened.read(limit))
    except (OSError, ValueError):  # a path with a NUL in it is a ValueError
        return ""
