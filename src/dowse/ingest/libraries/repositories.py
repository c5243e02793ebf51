"""Which files does a git repository hold at a version? Read from its objects: nothing is checked out, run or fetched unasked."""

import os
import re
import subprocess
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from dowse.errors import InvalidRequest, NotFound, StorageError
from dowse.ingest.libraries import versions
from dowse.ingest.libraries.configs import Config
from dowse.ingest.libraries.material import GITHUB, LARGEST_FILE, LOCAL, Edition, LibraryFile, Material
from dowse.ingest.libraries.offering import Offer, config_of, described, documents, plain_name
from dowse.ingest.walking import shown

# Nobody waits longer for a clone without looking what is wrong.
_SECONDS = 600
_PROTOCOLS = "https:http:ssh:git:file"
_URL = re.compile(r"(?:https?|ssh|git|file)://|[\w.-]+@[\w.-]+:[^/]", re.IGNORECASE)
_HOST_AND_PATH = re.compile(r"(?:\w+://)?(?:[^@/]*@)?([^/:]+)(?::\d+)?[/:](.+?)(?:\.git)?/*$")
_LINK, _SUBMODULE = "120000", "160000"
_HEAD = "refs/dowse/head"


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which versions: these tags, or so many of the newest; with neither, what is current and what the library itself names."""

    tags: tuple[str, ...] = ()
    newest: int = 0


def is_url(text: str) -> bool:
    """Whether git would fetch it from somewhere.

    >>> [is_url(text) for text in ("https://example.org/a/b", "git@example.org:a/b.git", "docs/guide", "ext::sh -c id")]
    [True, True, False, False]
    """
    return _URL.match(text) is not None


def is_repository(path: Path) -> bool:
    """Whether a folder is a working copy or a bare repository."""
    bare = (path / "HEAD").is_file() and (path / "objects").is_dir() and (path / "refs").is_dir()
    return bare or (path / ".git").exists()


@contextmanager
def repository(place: str, wanted: Wanted, environment: Mapping[str, str] = os.environ) -> Iterator[Material]:
    """A repository at a path or a URL. What is fetched goes into a temporary folder and with it."""
    with ExitStack() as stack:
        if is_url(place):
            where = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="dowse-git-")))
            git = _Git(where, environment)
            tags = _fetch(git, place, wanted)
        else:
            git = _Git(Path(place), environment)
            tags = tuple(git.text("for-each-ref", "--format=%(refname:strip=2)", "refs/tags").split())
        objects = stack.enter_context(_objects(git))
        yield _material(place, git, objects, tags, wanted)


class _Git:
    """The git command in one repository."""

    def __init__(self, where: Path, environment: Mapping[str, str]) -> None:
        self._where = where
        self._environment = {
            "GIT_SSH_COMMAND": "ssh -oBatchMode=yes",
            **{name: value for name, value in environment.items() if name not in ("GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE")},
            "GIT_TERMINAL_PROMPT": "0",
            "GIT_ALLOW_PROTOCOL": _PROTOCOLS,
            "GIT_NO_LAZY_FETCH": "1",
            "GIT_OPTIONAL_LOCKS": "0",
            "LC_ALL": "C",
        }

    def command(self, *arguments: str) -> list[str]:
        safe = ("-c", f"core.hooksPath={os.devnull}", "-c", "core.fsmonitor=false", "-c", "fetch.recurseSubmodules=false")
        return ["git", "-C", str(self._where), *safe, *arguments]

    def run(self, *arguments: str) -> bytes:
        try:
            done = subprocess.run(
                self.command(*arguments),
                env=self._environment,
                stdin=subprocess.DEVNULL,
                capture_output=True,
                timeout=_SECONDS,
            )
        except FileNotFoundError as error:
            raise StorageError("The git command is not here; install git to read repositories.") from error
        except subprocess.TimeoutExpired as error:
            raise StorageError(f"git {arguments[0]} did not finish within {_SECONDS} seconds.") from error
        if done.returncode:
            raise _Refused(done.stderr.decode("utf-8", "replace").strip())
        return done.stdout

    def text(self, *arguments: str) -> str:
        return self.run(*arguments).decode("utf-8", "replace")

    def start(self, *arguments: str) -> "subprocess.Popen[bytes]":
        return subprocess.Popen(
            self.command(*arguments),
            env=self._environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )


class _Refused(StorageError):
    """Git did not do it, and said why."""


def _fetch(git: _Git, url: str, wanted: Wanted) -> tuple[str, ...]:
    """Fetches the commits that are wanted without their history; returns all tags that are there."""
    try:
        listed = git.text("ls-remote", "--tags", "--refs", "--", url)
        tags = tuple(line.partition("refs/tags/")[2] for line in listed.splitlines() if "refs/tags/" in line)
        git.run("init", "--quiet", "--bare")
        chosen = _chosen(url, tags, wanted)
        refs = [f"refs/tags/{tag}:refs/tags/{tag}" for tag in chosen] or [f"HEAD:{_HEAD}"]
        _fetch_refs(git, url, refs)
        if not chosen:
            config = config_of(_tree(git, _HEAD, None))
            named = [tag for name in config.versions if (tag := versions.find(name, tags)) is not None]
            _fetch_refs(git, url, [f"refs/tags/{tag}:refs/tags/{tag}" for tag in named])
    except _Refused as error:
        said = str(error).splitlines()
        raise NotFound(f"The repository {url} cannot be read: {said[-1] if said else 'git says nothing more'}.") from error
    return tags


def _fetch_refs(git: _Git, url: str, refs: Sequence[str]) -> None:
    if refs:
        git.run("fetch", "--quiet", "--depth=1", "--no-tags", "--no-recurse-submodules", "--", url, *refs)


def _material(place: str, git: _Git, objects: "_Objects", tags: tuple[str, ...], wanted: Wanted) -> Material:
    owner, name, source = _names(place, git)
    chosen = _chosen(place, tags, wanted)
    offers: list[tuple[str, Offer]] = []
    config: Config | None = None
    if not chosen:
        current = documents(_tree(git, _HEAD if is_url(place) else "HEAD", objects))
        config = current.config
        offers.append(("", current))
        chosen = tuple(_tag(place, version, tags) for version in config.versions)
    offers += [(tag, documents(_tree(git, f"refs/tags/{tag}", objects), config)) for tag in chosen]
    first = offers[0][1]
    return Material(
        name=plain_name(name),
        title=first.config.title or name,
        editions=tuple(Edition(version, offer.files) for version, offer in offers),
        owner=owner,
        source=source,
        description=first.description or described(first.files),
        rules=first.config.rules,
    )


def _chosen(place: str, tags: tuple[str, ...], wanted: Wanted) -> tuple[str, ...]:
    """The tags that are wanted, the newest first."""
    if wanted.newest:
        found = versions.newest(tags, wanted.newest)
        if not found:
            raise NotFound(f"{place} has no tags that name a version.")
        return found
    chosen = [_tag(place, version, tags) for version in wanted.tags]
    return tuple(dict.fromkeys(sorted(chosen, key=lambda tag: (versions.order_of(tag) or ((), False, ()), tag), reverse=True)))


def _tag(place: str, version: str, tags: tuple[str, ...]) -> str:
    found = versions.find(version, tags)
    if found is None:
        known = ", ".join(versions.newest(tags, 5) or tags[:5]) or "none"
        raise NotFound(f"{place} has no tag {version!r}; its newest are {known}.")
    return found


def _tree(git: _Git, commit: str, objects: "_Objects | None") -> dict[str, LibraryFile]:
    try:
        listed = git.run("ls-tree", "-r", "-z", "--long", "--full-tree", f"{commit}^{{commit}}")
    except _Refused as error:
        if commit in ("HEAD", _HEAD):
            said = str(error).splitlines()[-1:]
            raise NotFound(f"The repository holds no commit that can be read yet: {' '.join(said)}.") from error
        raise
    tree = {}
    for line in listed.split(b"\0"):
        head, tab, name = line.partition(b"\t")
        if not tab:
            continue
        mode, _, blob, size = head.decode("ascii").split()
        if mode not in (_LINK, _SUBMODULE) and size.isdigit() and int(size) <= LARGEST_FILE:
            path = shown(os.fsdecode(name))
            tree[path] = LibraryFile(path, blob, _Load(git, objects, blob))
    return tree


@dataclass(frozen=True, slots=True)
class _Load:
    """Reads a blob when it is needed."""

    git: _Git
    objects: "_Objects | None"
    blob: str

    def __call__(self) -> bytes:
        return self.objects.read(self.blob) if self.objects is not None else self.git.run("cat-file", "blob", self.blob)


class _Objects:
    """Blobs by id, through one git process for all of them."""

    def __init__(self, process: "subprocess.Popen[bytes]") -> None:
        self._in: IO[bytes] | None = process.stdin
        self._out: IO[bytes] | None = process.stdout

    def read(self, blob: str) -> bytes:
        assert self._in is not None
        assert self._out is not None
        try:
            self._in.write(f"{blob}\n".encode())
            self._in.flush()
            header = self._out.readline().split()
            if len(header) != 3 or header[1] != b"blob":
                raise StorageError(f"The repository lacks the object {blob}.")
            data = self._out.read(int(header[2]))
            self._out.read(1)
        except BrokenPipeError as error:
            raise StorageError("git stopped while a repository was read.") from error
        return data


@contextmanager
def _objects(git: _Git) -> Iterator[_Objects]:
    process = git.start("cat-file", "--batch")
    try:
        yield _Objects(process)
    finally:
        for stream in (process.stdin, process.stdout):
            if stream is not None:
                stream.close()
        process.wait(timeout=_SECONDS)


def _names(place: str, git: _Git) -> tuple[str, str, str]:
    """Owner, name and source of a repository, by its address or by where it was cloned from."""
    address = place
    if not is_url(place):
        address = _remote(git)
        if not address:
            path = Path(place).resolve()
            return LOCAL, path.name.removesuffix(".git"), LOCAL
    if address.lower().startswith("file:"):
        return LOCAL, re.sub(r"\.git$", "", address.rstrip("/").rpartition("/")[2]), LOCAL
    match = _HOST_AND_PATH.match(address)
    if match is None:
        raise InvalidRequest(f"{address!r} is no address of a repository.")
    parts = [part for part in match[2].split("/") if part]
    owner = plain_name("-".join(parts[:-1])) if len(parts) > 1 else LOCAL
    return owner, parts[-1], GITHUB if match[1].lower().removeprefix("www.") == "github.com" else LOCAL


def _remote(git: _Git) -> str:
    try:
        address = git.text("config", "--get", "remote.origin.url").strip()
    except _Refused:
        return ""
    return address if is_url(address) and not address.lower().startswith("file:") else ""
