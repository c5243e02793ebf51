"""Which files does a project have? Every file below its root in the order of their paths, and what was left out."""

import errno
import os
import stat
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NamedTuple

from dowse.ingest.walking.entry import Entry, Limits, Reason, Skipped, measured, shown
from dowse.ingest.walking.excluded import (
    KEPT_BY_TOOLS,
    excluded_by_content,
    excluded_file,
    excluded_folder,
    is_secret,
    kinds_of,
)
from dowse.ingest.walking.ignoring import RULE_FILES, Ignoring, Rules, Verdict, matchable, read_rules
from dowse.ingest.walking.patterns import parse_patterns
from dowse.ingest.walking.repository import enclosing, exclude_files, is_worktree, users_exclude_file

_LARGE_FORMATS = (".pdf", ".ipynb")
# What these say of a file is that its content is not worth reading, not that it is none of the project's.
_UNREAD = frozenset({Reason.BINARY, Reason.MINIFIED, Reason.GENERATED})


@dataclass(frozen=True, slots=True)
class _Folder:
    """A folder to go into: as it is shown, opened, and compared with rules. The last two end with a separator."""

    path: str
    location: str
    place: str
    rules: Ignoring
    chosen: bool = False
    """Someone asked for it, so that what lies in it does not exclude it."""


class _Candidate(NamedTuple):
    """Something in a folder, with its path and its name each as shown or given, and as rules are compared with them."""

    path: str
    name: str
    place: str
    comparable: str
    is_folder: bool


_Item = Entry | Skipped | _Folder


@dataclass(frozen=True, slots=True)
class _Walk:
    """What does not change on the way."""

    root: str
    limits: Limits
    environment: Mapping[str, str]


def walk(
    root: Path,
    *,
    limits: Limits = Limits(),  # noqa: B008 - it cannot change
    excludes: Sequence[str] = (),
    environment: Mapping[str, str] = os.environ,
) -> Iterator[Entry | Skipped]:
    """Goes through a project. ``excludes`` are patterns as in .gitignore that go before all other rules.

    The ``environment`` says where the user's git settings are. Nothing on the way is fatal: what cannot be read, or is
    gone by the time it would be, is reported as such.
    """
    real = os.path.realpath(root)
    session = _Walk(real, limits, environment)
    pending = [iter(_items(_start(session, excludes), session))]
    while pending:
        for item in pending[-1]:
            if isinstance(item, _Folder):
                pending.append(iter(_items(item, session)))
                break
            yield item
        else:
            pending.pop()


def _start(session: _Walk, excludes: Sequence[str]) -> _Folder:
    """The root, under the rules that stand above it up to the root of its repository."""
    top = enclosing(session.root) or session.root
    above = os.path.relpath(session.root, top)
    names = [] if above == os.curdir else above.split(os.sep)
    # A path below the root is longer by this when it is compared with rules.
    place = "".join(f"{matchable(name)}/" for name in names)
    given = matchable("\n".join(excludes))
    rules = Ignoring(
        excludes=(Rules(parse_patterns(given), "excludes", len(place)),) if excludes else (),
        repository=_repository_rules(top, 0, session),
    )
    base, location = "", top
    for depth, name in enumerate(names):
        rules = _with_rule_files(rules, RULE_FILES, location, "../" * (len(names) - depth), len(base))
        base, location = f"{base}{matchable(name)}/", os.path.join(location, name)
    return _Folder("", session.root, place, rules)


def _repository_rules(top: str, base: int, session: _Walk) -> tuple[Rules, ...]:
    is_repository = os.path.lexists(os.path.join(top, ".git"))
    files = exclude_files(top, session.environment) if is_repository else users_exclude_file(session.environment)
    found = (read_rules(file, shown(os.path.basename(file)), base) for file in files)
    return tuple(rules for rules in found if rules is not None)


def _with_rule_files(rules: Ignoring, names: Sequence[str], location: str, path: str, base: int) -> Ignoring:
    for name in names:
        read = read_rules(os.path.join(location, name), path + name, base)
        rules = rules if read is None else rules.below(name, read)
    return rules


def _items(folder: _Folder, session: _Walk) -> list[_Item]:
    """What is in a folder, in order. If there is a reason not to look into it, the folder itself."""
    try:
        with os.scandir(folder.location) as listing:
            entries = {entry.name: entry for entry in listing}
    except OSError as error:
        return [_unread(folder.path or "./", error)]
    is_root = folder.path == ""
    exclusion = None if is_root or folder.chosen else _excluded_inside(folder, entries)
    if exclusion is not None:
        return [exclusion]
    rules = folder.rules
    if not is_root and ".git" in entries:
        rules = rules.anew(_repository_rules(folder.location, len(folder.place), session))
    present = [name for name in RULE_FILES if name in entries and entries[name].is_file(follow_symlinks=False)]
    rules = _with_rule_files(rules, present, folder.location, folder.path, len(folder.place))
    return _judged(folder, rules, entries, session)


def _excluded_inside(folder: _Folder, entries: Mapping[str, "os.DirEntry[str]"]) -> Skipped | None:
    exclusion = excluded_by_content(entries)
    if exclusion is not None:
        return Skipped(folder.path, *exclusion)
    if ".git" in entries and is_worktree(folder.location):
        return Skipped(folder.path, Reason.WORKTREE, "another working tree of a repository")
    return None


def _judged(folder: _Folder, rules: Ignoring, entries: Mapping[str, "os.DirEntry[str]"], session: _Walk) -> list[_Item]:
    kinds = kinds_of(entries)
    items: list[tuple[str, _Item]] = []
    for name, entry in entries.items():
        is_folder = entry.is_dir(follow_symlinks=False)
        path = folder.path + shown(name) + ("/" if is_folder else "")
        comparable = matchable(name)
        candidate = _Candidate(path, name, folder.place + comparable, comparable, is_folder)
        skipped, verdict = _ruled(candidate, rules)
        chosen = verdict is not None and verdict.pattern.is_particular
        if skipped is None and not chosen:
            exclusion = excluded_folder(name, entries, kinds) if is_folder else excluded_file(name)
            skipped = Skipped(path, *exclusion) if exclusion else None
        if verdict is None and (skipped is None or not is_folder):
            skipped = _ignored(candidate, rules) or skipped
        if skipped is not None and skipped.reason in _UNREAD and not is_folder:
            items.append((path, _known_by_path(skipped, entry)))
        elif skipped is not None:
            items.append((path, skipped))
        elif is_folder:
            items.append((path, _Folder(path, entry.path, candidate.place + "/", rules, chosen)))
        else:
            items.append((path, _file(path, entry, session)))
    # Folders end with a slash here, which makes this the order of all paths below as well.
    return [item for _, item in sorted(items, key=lambda item: item[0])]


def _ruled(candidate: _Candidate, rules: Ignoring) -> tuple[Skipped | None, Verdict | None]:
    """Why it is left out whatever customs say, or else the rule for dowse that wants it."""
    path, name, place, comparable, is_folder = candidate
    if name in KEPT_BY_TOOLS:
        return Skipped(path, Reason.REPOSITORY), None
    verdict = rules.excluded(place, comparable, is_folder)
    if verdict is not None and verdict.ignores:
        return Skipped(path, Reason.EXCLUDED, str(verdict)), None
    verdict = verdict or rules.chosen(place, comparable, is_folder)
    if verdict is not None and verdict.ignores:
        return Skipped(path, Reason.IGNORED, str(verdict)), None
    # `!.*` was not written with passwords in mind.
    if is_secret(name) and (verdict is None or not verdict.pattern.spells_a_name):
        return Skipped(path, Reason.SECRET), None
    return None, verdict


def _ignored(candidate: _Candidate, rules: Ignoring) -> Skipped | None:
    verdict = rules.ignored(candidate.place, candidate.comparable, candidate.is_folder)
    return Skipped(candidate.path, Reason.IGNORED, str(verdict)) if verdict is not None and verdict.ignores else None


def _file(path: str, entry: "os.DirEntry[str]", session: _Walk) -> Entry | Skipped:
    try:
        status = entry.stat(follow_symlinks=False)
    except OSError as error:
        return _unread(path, error)
    if stat.S_ISLNK(status.st_mode):
        return _link(path, entry.path, session.root)
    if not stat.S_ISREG(status.st_mode):
        return Skipped(path, Reason.SPECIAL, "a pipe, socket or device")
    limit = session.limits.document if path.lower().endswith(_LARGE_FORMATS) else session.limits.text
    if status.st_size > limit:
        detail = f"{measured(status.st_size)}, the limit is {measured(limit)}"
        return Skipped(path, Reason.TOO_LARGE, detail, status.st_size, status.st_mtime_ns)
    return Entry(path, entry.path, status.st_size, status.st_mtime_ns)


def _known_by_path(skipped: Skipped, entry: "os.DirEntry[str]") -> Skipped:
    """A file of the project that is not read, as it looks; a link or a pipe is no such file."""
    try:
        status = entry.stat(follow_symlinks=False)
    except OSError as error:
        return _unread(skipped.path, error)
    return replace(skipped, size=status.st_size, modified=status.st_mtime_ns) if stat.S_ISREG(status.st_mode) else skipped


def _link(path: str, location: str, root: str) -> Skipped:
    """A link is never followed: what is inside the root is found anyway, and what is outside is not the project's."""
    try:
        target = os.path.realpath(location, strict=True)
    except OSError as error:
        if error.errno == errno.ELOOP:
            return Skipped(path, Reason.LOOP, "leads to itself")
        return Skipped(path, Reason.UNREADABLE, "a link that leads nowhere")
    if target != root and not target.startswith(os.path.join(root, "")):
        return Skipped(path, Reason.OUTSIDE, "leads out of the project")
    if location.startswith(os.path.join(target, "")):
        return Skipped(path, Reason.LOOP, "leads to a folder it is in")
    within = os.path.relpath(target, root).replace(os.sep, "/")
    return Skipped(path, Reason.SYMLINK, f"found as {shown(within)}")


def _unread(path: str, error: OSError) -> Skipped:
    gone = isinstance(error, FileNotFoundError | NotADirectoryError)
    return Skipped(path, Reason.VANISHED if gone else Reason.UNREADABLE, error.strerror or "")
