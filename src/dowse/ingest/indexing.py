"""How does a project become records, and stay true to it? Compare, read what changed, write it in batches, settle the names.

Each batch is one commit that holds records and the files they came from, so a run that is stopped anywhere goes on from there.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from dowse.ingest.collecting import seldom
from dowse.ingest.comparing import Difference, compare
from dowse.ingest.linking import Linker
from dowse.ingest.reading import ReadFile, Task, reader_of
from dowse.ingest.walking import Limits, Reason, Skipped, walk
from dowse.ingest.working import Readers, reading
from dowse.model.change import Change, Delete, DropSource, Put, PutSource, Rename, Restamp
from dowse.model.run import IndexProgress, Message, Stage, Summary
from dowse.model.source import Source, Stamp
from dowse.ports import Engine, View

# Records in one commit: a reader waits for none, and a stop loses no more than a second's work. With fewer, words and segments of
# the lanes are looked at more often.
_BATCH = 4000
# Files whose names are settled in one commit.
_SETTLED_AT_ONCE = 200
# How many messages a summary keeps. Ten thousand files with the same fault are one finding.
_MESSAGES = 200


Report = Callable[[IndexProgress], None]

# What a user would ask about: folders of tools and ignored files are as the user wants them.
_TOLD = (Reason.TOO_LARGE, Reason.UNREADABLE, Reason.VANISHED, Reason.LOOP, Reason.OUTSIDE, Reason.SPECIAL, Reason.SECRET)


@dataclass(frozen=True, slots=True)
class Project:
    """A folder whose files become the records of a space. ``excludes`` are patterns as in .gitignore.

    ``hides``: what looks like a key or token is left out of the records.
    """

    space: str
    root: Path
    excludes: tuple[str, ...] = ()
    hides: bool = False
    limits: Limits = field(default_factory=Limits)


def look(view: View, project: Project, *, afresh: bool = False) -> Difference:
    """What must be read for the records to be true to the files."""
    found = walk(project.root, excludes=project.excludes, limits=project.limits)
    return compare(found, view.stamps(project.space), afresh=afresh, hides=project.hides)


def index(
    engine: Engine,
    project: Project,
    *,
    clock: Callable[[], float],
    afresh: bool = False,
    jobs: int | None = None,
    dry_run: bool = False,
    report: Report | None = None,
) -> Summary:
    """Brings the records of a space in line with the files of its project."""
    started = clock()
    run = _Run(engine, project, report or _silent, dry_run)
    run.report(IndexProgress(Stage.LOOKING))
    with engine.view() as view:
        difference = look(view, project, afresh=afresh)
    tasks = run.tasks(difference, afresh=afresh)
    with seldom(), reading(tasks, jobs, None if dry_run else engine.preparer()) as readers:
        run.read(readers.files(), difference)
        if not dry_run:
            run.settle(readers)
    run.report(run.progress(Stage.DONE))
    return run.summary(difference, clock() - started)


def dropping(view: View, space: str, paths: Sequence[str]) -> list[Change]:
    """The changes that take files, and what was made of them, out of a space. What someone purged already is no error."""
    keys = list(dict.fromkeys(key for source in view.sources(space, paths) for key in source.keys))
    there = [key for key, handle in zip(keys, view.handles(keys), strict=True) if handle is not None]
    return [*(Delete(key, purge=True) for key in there), *(DropSource(space, path) for path in paths)]


@dataclass(slots=True)
class _Run:
    """One run over a project: what was counted so far."""

    engine: Engine
    project: Project
    report: Report
    dry_run: bool
    counts: Counter[str] = field(default_factory=Counter)
    totals: Counter[str] = field(default_factory=Counter)
    skipped: list[Skipped] = field(default_factory=list)
    problems: list[Message] = field(default_factory=list)
    last: str = ""

    def tasks(self, difference: Difference, *, afresh: bool) -> list[Task]:
        """What looks changed and is to be read."""
        known, vaults = difference.known, difference.vaults
        tasks = []
        for entry in difference.read:
            reader = reader_of(entry.path, vaults, hides=self.project.hides)
            stamp = known.get(entry.path)
            digest = stamp.digest if stamp is not None and stamp.reader == reader and not afresh else ""
            tasks.append(Task(self.project.space, entry, reader, digest, vaults, self.project.hides))
        self.totals.update(files=len(tasks), bytes=difference.bytes)
        return tasks

    def read(self, chunks: Iterable[list[ReadFile]], difference: Difference) -> None:
        """Writes what was read and is changed. Files that are gone go last: one of them may have moved."""
        gone = dict.fromkeys(difference.gone)
        for batch in _batches(self._counted(chunks)):
            self._write(batch, gone, difference.known)
        for paths in _sliced(list(gone), _SETTLED_AT_ONCE):
            self._drop(paths)

    def settle(self, readers: Readers) -> None:
        """Makes edges of what files say of each other, until every reference is settled."""
        self._settle_beside(readers)
        linker = Linker(self.project.space)
        while True:
            with self.engine.view() as view:
                waiting = view.unsettled(self.project.space, _SETTLED_AT_ONCE)
                changes = linker.changes(view, waiting)
            if not waiting:
                return
            self._link(changes)

    def _settle_beside(self, readers: Readers) -> None:
        """As far as other processes are there for it: they look up what names mean while this one writes."""
        opening = self.engine.opening() if readers.are_others else None
        if opening is None:
            return
        with self.engine.view() as view:
            paths = sorted(view.stamps(self.project.space))
        for files in readers.settled(opening, self.project.space, list(_sliced(paths, _SETTLED_AT_ONCE))):
            self._link([change for settled in files for change in settled.changes()])

    def _link(self, changes: Sequence[Change]) -> None:
        if changes:
            self.counts["edges"] += self.engine.apply(changes).edges
            self.report(self.progress(Stage.LINKING))

    def progress(self, stage: Stage) -> IndexProgress:
        counts, totals = self.counts, self.totals
        return IndexProgress(stage, counts["read"], totals["files"], counts["bytes"], totals["bytes"], counts["records"], self.last)

    def summary(self, difference: Difference, seconds: float) -> Summary:
        skipped = [*difference.skipped, *self.skipped]
        told = [Message(item.path, _why(item)) for item in skipped if item.reason in _TOLD]
        return Summary(
            space=self.project.space,
            root=str(self.project.root),
            files=difference.unchanged + len(difference.read),
            unchanged=difference.unchanged + self.counts["same"],
            added=self.counts["added"],
            changed=self.counts["changed"],
            moved=self.counts["moved"],
            gone=self.counts["gone"],
            bytes=self.counts["bytes"],
            records=self.counts["records"],
            edges=self.counts["edges"],
            skipped=dict(sorted(Counter(str(item.reason) for item in skipped).items())),
            left_out=tuple(told[:_MESSAGES]),
            problems=tuple(self.problems[:_MESSAGES]),
            seconds=seconds,
            dry_run=self.dry_run,
        )

    def _counted(self, chunks: Iterable[list[ReadFile]]) -> Iterator[ReadFile]:
        for chunk in chunks:
            for file in chunk:
                self.counts.update(read=1, bytes=file.stamp.size)
                self.last = file.path
                # Some readers begin with the path, which the message has already.
                self.problems += [Message(file.path, text.removeprefix(file.path).lstrip(": ")) for text in file.problems]
                if file.skipped is not None:
                    self.skipped.append(file.skipped)
                yield file
            self.report(self.progress(Stage.READING))

    def _write(self, files: Sequence[ReadFile], gone: dict[str, None], known: Mapping[str, Stamp]) -> None:
        """One commit: what was read of some files. A file with the content of one that is gone is that one, moved."""
        moves = _moves(files, gone, known)
        wanted = [moves.get(file.path, file.path) for file in files]
        with self.engine.view() as view:
            stored = {source.path: source for source in view.sources(self.project.space, wanted)}
            changes: list[Change] = []
            for file, came_from in zip(files, wanted, strict=True):
                changes += self._changes(view, file, stored.get(came_from))
                self.counts[_what_happened(file, stored.get(came_from))] += 1
        for place in moves.values():
            del gone[place]
        self._apply(changes)

    def _changes(self, view: View, file: ReadFile, old: Source | None) -> list[Change]:
        space, extract = self.project.space, file.extract
        if extract is None:
            # Of a file that cannot be read, what was known stays; it is tried again next time.
            return [Restamp(space, file.path, file.stamp)] if file.skipped is None else []
        keys = tuple(dict.fromkeys(record.key for record in extract.records))
        changes: list[Change] = []
        links = old.links if old is not None else ()
        if old is not None:
            names = _new_names(old, file.path, keys)
            there = dict(zip(old.keys, view.handles(old.keys), strict=True))
            changes += [Delete(key, purge=True) for key in old.keys if there[key] is not None and names.get(key, key) not in keys]
            renamed = tuple((key, new) for key, new in names.items() if there[key] is not None and new in keys)
            changes += [Rename(renamed)] if renamed else []
            changes += [DropSource(space, old.path)] if old.path != file.path else []
            links = tuple(edge for edge in (link.renamed(names) for link in old.links) if edge.source in keys)
        made = file.prepared or (None,) * len(extract.records)
        changes += [Put(record, prepared=item) for record, item in zip(extract.records, made, strict=True)]
        changes.append(PutSource(Source(space, file.path, file.stamp, keys, extract.defines, extract.refers, links)))
        return changes

    def _drop(self, paths: Sequence[str]) -> None:
        with self.engine.view() as view:
            changes = dropping(view, self.project.space, paths)
        self._apply(changes)
        self.counts["gone"] += len(paths)

    def _apply(self, changes: Sequence[Change]) -> None:
        if self.dry_run:
            self.counts["records"] += sum(isinstance(change, Put) for change in changes)
        elif changes:
            self.counts["records"] += self.engine.apply(changes).records


def _moves(files: Iterable[ReadFile], gone: Iterable[str], known: Mapping[str, Stamp]) -> dict[str, str]:
    """For files that were elsewhere before: where."""
    left: dict[str, list[str]] = {}
    for path in sorted(gone, reverse=True):
        left.setdefault(known[path].digest, []).append(path)
    moves = {}
    for file in files:
        if file.extract is not None and file.path not in known and left.get(file.stamp.digest):
            moves[file.path] = left[file.stamp.digest].pop()
    return moves


def _new_names(old: Source, path: str, keys: Sequence[str]) -> dict[str, str]:
    """What the records of a moved file are called now: the same part of the file at its new place."""
    if old.path == path:
        return {}
    before, after = f"{old.space}:{old.path}", f"{old.space}:{path}"
    wanted = set(keys)
    moved = {key: after + key.removeprefix(before) for key in old.keys if key == before or key.startswith(f"{before}#")}
    return {key: new for key, new in moved.items() if new in wanted}


def _what_happened(file: ReadFile, old: Source | None) -> str:
    if file.extract is None:
        return "same" if file.skipped is None else "unreadable"
    if old is None:
        return "added"
    return "changed" if old.path == file.path else "moved"


def _why(item: Skipped) -> str:
    return f"{item.reason}: {item.detail}" if item.detail else str(item.reason)


def _batches(files: Iterable[ReadFile]) -> Iterator[list[ReadFile]]:
    batch: list[ReadFile] = []
    records = 0
    for file in files:
        batch.append(file)
        records += len(file.extract.records) if file.extract is not None else 1
        if records >= _BATCH:
            yield batch
            batch, records = [], 0
    if batch:
        yield batch


def _sliced(items: Sequence[str], size: int) -> Iterator[Sequence[str]]:
    return (items[start : start + size] for start in range(0, len(items), size))


def _silent(progress: IndexProgress) -> None:
    del progress
