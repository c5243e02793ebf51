"""Does every file become records or a report? Every format that is read, changed until it is broken, and bytes that are none."""

import re
import shutil
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

import dowse
from bench.fuzz_campaign import Campaign, Given, Try, Wrong, chosen, declared, expect
from bench.fuzz_samples import files, library_files
from dowse.app import recording
from dowse.app.workspace import Workspace
from dowse.domains.everything import SCHEMA
from dowse.engines.sqlite.preparing import prepare
from dowse.errors import DowseError
from dowse.ingest import reading
from dowse.ingest.decoding import decode
from dowse.ingest.extract import Extract, SourceFile
from dowse.ingest.libraries.archives import archive
from dowse.ingest.libraries.configs import read_config
from dowse.ingest.libraries.llms import llms
from dowse.ingest.libraries.material import Edition, LibraryFile, given
from dowse.ingest.libraries.offering import npm_package, python_package
from dowse.ingest.libraries.reading import read_pieces
from dowse.ingest.recognising import recognise
from dowse.ingest.walking.ignoring import Rules, matchable
from dowse.ingest.walking.patterns import parse_patterns

Made = TypeVar("Made")

_VAULTS = ("vault/",)
_NO_EDITIONS: tuple[Edition, ...] = ()
_FAILED = re.compile(r"reader(?:s)? failed \(")
_NAMES = ("a.log", "keep.log", "build", "only-here", "draft1.md", "cache", "x", "naïve name", "a" * 60, "aaaaaaaaaaaaaaaaaaaaab")
# What makes a format itself, in bytes; the changes draw on them.
_WORDS = tuple(
    rb"""--- +++ ``` ~~~ # ## === ---- .... |=== [[ ]] ]( ![ <!-- --> <h1> </h1> <pre> <script> </ <? <![CDATA[ &# ; .. ::
    :ref:` `` ** __ - [ ] - [x] {"cells": "source": "cell_type": "title": "number": "state": null true \u0000 \ud800 {{ }}
    [[[ ((( *** &a *a <<: !!python/object | >- def class fn func import from return if ( ) { } [ ] ; => -> :: # // /* */ "
    ' \ #! /Type /Pages /Kids /Length stream endstream obj endobj xref trailer %PDF- startxref status: id: kind: nodes:
    apiVersion: depends_on: !* **/ [!a-z] [[:alpha:]]""".split()
)


def samples() -> Sequence[bytes]:
    paths = _paths()
    own = [chosen(number, 0, 0, then=data) for number, data in enumerate({**files(), **library_files()}.values())]
    # Each once more, read as a library's file and through a whole index.
    again = [chosen(number, 1, 11, then=files()[path]) for number, path in enumerate(paths) if path in files()]
    return [*own, *again]


@contextmanager
def ready(folder: Path) -> Iterator[Try]:
    with closing(_Trial(folder)) as trial:
        yield trial


class _Trial:
    """A workspace is made anew now and then, so that it does not grow for as long as the campaign lasts."""

    _MOST_INDEXED = 2000

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._paths = _paths()
        self._project = folder / "project"
        self._workspace: Workspace | None = None
        self._indexed = 0

    def __call__(self, data: bytes) -> None:
        chooser = Given(data)
        path = chooser.choice(self._paths)
        as_library, whole = chooser.chance(2), chooser.chance(12)
        content = chooser.rest()
        if path in _SPECIAL:
            _SPECIAL[path](self._folder, path, content)
            return
        self._extract(path, content)
        if as_library:
            self._as_library(path, content)
        if whole:
            self._index(path, content)

    def close(self) -> None:
        if self._workspace is not None:
            self._workspace.close()

    def _extract(self, path: str, data: bytes) -> None:
        extract, skipped = reading.extract_from("space", path, data, 1000.0, _VAULTS)
        _expect_no_fault(extract.problems, lambda: _again(path, data))
        expect(bool(extract.records), "neither records nor a word about why")
        _expect_sound(extract)
        if skipped is not None:
            expect(bool(skipped.reason), "left out without a reason")

    def _as_library(self, path: str, data: bytes) -> None:
        pieces, problems = read_pieces(given(path, data))
        _expect_no_fault(problems, lambda: _library_again(path, data))
        for piece in pieces:
            piece.content.encode()

    def _index(self, path: str, data: bytes) -> None:
        """The way through everything: walk, read, write, link."""
        if self._workspace is None or self._indexed >= self._MOST_INDEXED:
            self._begin()
        assert self._workspace is not None
        self._indexed += 1
        place = self._project / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(data)
        try:
            self._workspace.index(self._project, space="project", jobs=1)
            faults = [item for item in self._workspace.doctor() if not item.ok] if self._indexed % 50 == 0 else []
            expect(not faults, f"the doctor found {faults}")
        finally:
            place.unlink()

    def _begin(self) -> None:
        self.close()
        shutil.rmtree(self._project, ignore_errors=True)
        self._project.mkdir(parents=True)
        for name in ("formats.dowse", "formats.dowse-wal", "formats.dowse-shm"):
            (self._folder / name).unlink(missing_ok=True)
        self._workspace = dowse.open(self._folder / "formats.dowse", model="none")
        self._indexed = 0


def _paths() -> list[str]:
    return [*files(), *library_files()]


def _expect_no_fault(problems: Sequence[str], again: Callable[[], None]) -> None:
    """A reader that failed is told as a problem of the file, so that nobody else is held up; it is our fault all the same."""
    told = next((problem for problem in problems if _FAILED.search(problem)), None)
    if told is not None:
        again()
        raise Wrong(told)


def _again(path: str, data: bytes) -> None:
    """Reads once more without the net, so that the failure tells its place."""
    file = SourceFile("space", path, recognise(path, data[:1024]), "", 1000.0, data)
    file = file if file.language == "pdf" else replace(file, text=decode(data, path).text)
    for reader in reading._readers(file, _VAULTS):
        reader(file)


def _library_again(path: str, data: bytes) -> None:
    from dowse.ingest.libraries.reading import _parsed

    _parsed(recognise(path, data[:1024]), decode(data, path).text, data, path)


def _expect_sound(extract: Extract) -> None:
    """Every record fits its kind and can be written; every name can be."""
    keys = [record.key for record in extract.records]
    expect(len(keys) == len(set(keys)), "two records of a file have one key")
    for record in extract.records:
        recording.check(record, SCHEMA)
        prepare(SCHEMA, None, [record])
    for definition in extract.defines:
        f"{definition.name}{definition.key}".encode()
    for reference in extract.refers:
        f"{reference.source}{reference.kind}{''.join(reference.names)}".encode()


def _llms(folder: Path, name: str, data: bytes) -> None:
    place = folder / "site" / name
    place.parent.mkdir(exist_ok=True)
    place.write_bytes(data)
    for edition in _refused_or(lambda: llms(str(place)).editions, _NO_EDITIONS):
        for file in edition.files:
            read_pieces(file)


def _config(_: Path, name: str, data: bytes) -> None:
    _refused_or(lambda: bool(read_config(name, data)), False)


def _metadata(_: Path, __: str, data: bytes) -> None:
    _refused_or(lambda: python_package({"kit/__init__.py": given("kit/__init__.py", b'"""Kit."""\n')}, data).name, "")


def _npm(_: Path, name: str, data: bytes) -> None:
    tree: dict[str, LibraryFile] = {
        name: given(name, data),
        "index.d.ts": given("index.d.ts", b"export interface A { b: string }\n"),
    }
    _refused_or(lambda: npm_package(tree).name, "")


def _archive(folder: Path, name: str, data: bytes) -> None:
    place = folder / name
    place.write_bytes(data)
    for edition in _refused_or(lambda: archive(place).editions, _NO_EDITIONS):
        for file in edition.files:
            read_pieces(file)


def _ignore(_: Path, name: str, data: bytes) -> None:
    patterns = tuple(parse_patterns(data.decode("latin-1")))
    rules = Rules(patterns, name)
    for each in _NAMES:
        known = matchable(each)
        for path in (known, f"docs/deep/{known}", f"a/b/c/{known}"):
            verdict = rules.verdict(path, known, folder=False)
            expect(verdict is None or bool(str(verdict)), "a rule decided and cannot be named")


_SPECIAL: dict[str, Callable[[Path, str, bytes], None]] = {
    "llms.txt": _llms,
    "dowse.library.toml": _config,
    "dowse.library.json": _config,
    "context7.json": _config,
    "METADATA": _metadata,
    "package.json": _npm,
    "kit.whl": _archive,
    "kit.tar.gz": _archive,
    ".gitignore": _ignore,
    ".dowseignore": _ignore,
}


def _refused_or(read: Callable[[], Made], otherwise: Made) -> Made:
    try:
        return read()
    except DowseError as error:
        declared(error)
        return otherwise


CAMPAIGN = Campaign("formats", "every format of files that is read", samples, ready, _WORDS, longest=6000)
