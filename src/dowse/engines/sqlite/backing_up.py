"""How does a workspace outlive its disk? A copy of one moment, made while everyone works on, and proved to hold the same."""

import glob
import hashlib
import json
import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

from dowse.engines.sqlite.driver import (
    APPLICATION_ID,
    Connection,
    connect,
    connect_plainly,
    generation_of,
    reading,
    translated,
    value,
    writing,
)
from dowse.engines.sqlite.migrating import migrate, refuse_newer
from dowse.engines.sqlite.packing import unpack
from dowse.errors import Conflict, NotAWorkspace, NotFound, StorageError
from dowse.ports import Backup, Copying

Report = Callable[[Copying], None]

# Pages that are copied at once: some milliseconds, after which whoever watches hears how far it is.
_PAGES = 2000
# Everything that nothing else can make again, in an order that does not depend on where it lies in the file.
_TRUTH = (
    "select key, kind, space, parent, title, fields, facets, updated, deleted, version,"
    " (select json_group_array(name) from (select name from tag where tag.record = record.id order by name))"
    " from record order by key",
    "select source, kind, target, facets from edge order by source, kind, target",
    "select name, value from meta where substr(name, 1, 5) = 'mark:' order by name",
    "select space, path, size, modified, digest, reader, settled, content, links from source order by space, path",
)
# Where the texts stand in the first of them.
_FIELDS = 5
# What a restore puts in the place of everything, in an order in which each row finds what it refers to.
_TABLES = (
    "record",
    "record_free",
    "tag",
    "facet",
    "edge",
    "source",
    "source_name",
    "passage",
    "passage_free",
    "sketch",
    "vector",
)
# The name of the row in which a copy says what it holds.
_NOTE = "backup"
# What SQLite keeps beside a file while it is open.
SIDES = ("-wal", "-shm", "-journal")


def contents(connection: Connection, location: str) -> Backup:
    """What a snapshot holds, counted and digested."""
    return Backup(
        path=location,
        records=value(connection, "select count(*) from record"),
        edges=value(connection, "select count(*) from edge"),
        bytes=value(connection, "select page_count * page_size from pragma_page_count, pragma_page_size"),
        generation=generation_of(connection),
        digest=_digest(connection),
    )


def back_up(connection: Connection, target: Path, report: Report | None = None) -> Backup:
    """Copies the snapshot of one moment to a file that has its name only when it is whole.

    Readers and writers go on: the copy is of the moment it began, however long it takes.
    """
    if target.exists():
        raise Conflict(f"There is a file {target} already. Name another, or take it away first.")
    if not target.parent.is_dir():
        raise NotFound(f"There is no folder {target.parent} for the copy.")
    with aside(target) as part:
        with reading(connection):
            whole = contents(connection, str(target))
            _copy(connection, part, report)
        _note(part, whole)
        made = verified(part)
        if made.digest != whole.digest:
            raise StorageError(f"The copy does not hold what {connection.filename} holds, so it is not kept. Try another disk.")
        publish(part, target)
    return replace(made, path=str(target))


def copy_in(source: Path, part: Path, report: Report | None = None) -> Backup:
    """Copies a backup to a file of ours, brings that to the newest version, and says what it holds.

    The backup itself is only read. What it notes of itself must be what it holds.
    """
    whole = verified(source)
    with closing(connect(str(source), read_only=True)) as connection, translated(str(source)), reading(connection):
        _copy(connection, part, report)
    with closing(connect(str(part))) as connection, translated(str(part)):
        migrate(connection, str(part))
        connection.execute("delete from meta where name = ?", (_NOTE,))
        if _digest(connection) != whole.digest:
            raise StorageError(f"What was read of {source} is not what it holds. Check the disk, then try again.")
        connection.pragma("journal_mode", "delete")
    return whole


def verified(path: Path) -> Backup:
    """What a copy holds, after a look at all of it; refuses one that is damaged or holds something else than it says."""
    if not path.is_file():
        raise NotFound(f"There is no file {path}.")
    with closing(connect(str(path), read_only=True)) as connection, translated(str(path)), reading(connection):
        _refuse_foreign(connection, path)
        refuse_newer(connection, str(path))
        damage = [row[0] for row in connection.execute("pragma integrity_check(3)") if row[0] != "ok"]
        if damage:
            raise NotAWorkspace(f"{path} is damaged ({'; '.join(damage)}). Use another backup.")
        whole = contents(connection, str(path))
        noted = json.loads(value(connection, "select value from meta where name = ?", (_NOTE,)) or "{}")
    # Another generation: it was used as a workspace since, which is nobody's fault and makes it no worse.
    if noted.get("generation") == whole.generation and noted["digest"] != whole.digest:
        raise NotAWorkspace(f"{path} does not hold what it held when it was made: its bytes changed. Use another backup.")
    return whole


@contextmanager
def aside(target: Path) -> Iterator[Path]:
    """A name beside the target for a file that is not whole yet; whatever is left of it goes.

    So does what a process left that was killed over it: nobody else would ever take it away.
    """
    beginning = f"{target.name}.part"
    for left in target.parent.glob(f"{glob.escape(beginning)}*"):
        number = left.name.removeprefix(beginning).partition("-")[0]
        if number.isdigit() and not _is_alive(int(number)):
            left.unlink(missing_ok=True)
    part = target.with_name(f"{beginning}{os.getpid()}")
    try:
        yield part
    finally:
        for side in ("", *SIDES):
            with suppress(FileNotFoundError):
                os.unlink(f"{part}{side}")


def publish(part: Path, target: Path) -> None:
    """Gives a whole file its name, for good: the bytes and the name are on the disk before anyone relies on them."""
    _flush(part)
    os.replace(part, target)
    if os.name == "posix":
        _flush(target.parent)


def free_name(path: Path, suffix: str) -> Path:
    """A name beside a file that nothing has yet."""
    names = (path.with_name(f"{path.name}.{suffix}{f'-{number}' if number else ''}") for number in range(1_000_000))
    return next(name for name in names if not name.exists())


def replace_contents(connection: Connection, other: Path, keep: Callable[[], Any], finish: Callable[[int], Any]) -> None:
    """Puts what another file holds in the place of everything, in one transaction.

    ``keep`` is called when nobody else can write any more, ``finish`` with the generation this is: it makes what is derived.
    """
    connection.execute("attach ? as other", (str(other),))
    try:
        with writing(connection):
            keep()
            theirs, ours = (generation_of(connection, name) for name in ("other", "main"))
            # Later than both: whoever has read either knows that it is old.
            generation = max(theirs, ours) + 1
            _replace_tables(connection, generation)
            finish(generation)
    finally:
        connection.execute("detach other")


def _replace_tables(connection: Connection, generation: int) -> None:
    for table in reversed(_TABLES):
        connection.execute(f"delete from main.{table}")
    for table in _TABLES:
        connection.execute(f"insert into main.{table} select * from other.{table}")
    # How the lanes here are made stays; everything else is theirs.
    own = "('generation', 'lanes', 'fingerprint', 'flushed')"
    connection.execute(f"delete from main.meta where name not in {own}")
    connection.execute(f"insert into main.meta select * from other.meta where name not in {own}")
    connection.execute("update main.meta set value = ? where name = 'generation'", (generation,))
    connection.execute("update main.sketch set changed = ?", (generation,))
    connection.execute("insert or replace into main.meta values ('vectors_since', ?)", (generation,))


def _copy(connection: Connection, part: Path, report: Report | None) -> None:
    """Inside a snapshot, so that it is not begun again whenever someone writes."""
    size = connection.pragma("page_size")
    with translated(str(part)), closing(connect_plainly(str(part))) as copy:
        with copy.backup("main", connection, "main") as backup:
            while not backup.done:
                backup.step(_PAGES)
                if report is not None:
                    report(Copying((backup.page_count - backup.remaining) * size, backup.page_count * size))
        # One file and nothing beside it, which can be sent and put away.
        copy.pragma("journal_mode", "delete")


def _note(part: Path, whole: Backup) -> None:
    with translated(str(part)), closing(connect_plainly(str(part))) as copy:
        noted = json.dumps({"generation": whole.generation, "digest": whole.digest})
        copy.execute("insert or replace into meta values (?, ?)", (_NOTE, noted))


def _digest(connection: Connection) -> str:
    whole = hashlib.sha256()
    for sql in _TRUTH:
        # A backup of an older version may lack a table, which then is empty.
        missing = " from source " in sql and not value(connection, "select 1 from sqlite_schema where name = 'source'")
        found = () if missing else connection.execute(sql)
        _feed(whole, map(_as_said, found) if " from record " in sql else found)
    return f"sha256:{whole.hexdigest()}"


def _as_said(row: tuple[Any, ...]) -> tuple[Any, ...]:
    """The row of a record with its texts as they read, compressed or not: both hold the same."""
    return (*row[:_FIELDS], *unpack(row[0], *row[_FIELDS : _FIELDS + 2]), *row[_FIELDS + 2 :])


def _feed(whole: "hashlib._Hash", found: Iterable[tuple[Any, ...]]) -> None:
    whole.update(b"table\n")
    for row in found:
        whole.update(repr(row).encode("utf-8", "surrogatepass") + b"\n")


def _refuse_foreign(connection: Connection, path: Path) -> None:
    if connection.pragma("application_id") != APPLICATION_ID or not value(
        connection, "select count(*) from sqlite_schema where name = 'meta'"
    ):
        raise NotAWorkspace(f"{path} is a SQLite database, but neither a dowse workspace nor a backup of one.")


def _is_alive(process: int) -> bool:
    if os.name != "posix":
        # There, asking would end it.
        return True
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except OSError:
        # It is someone else's, or cannot be asked about here.
        return True
    return True


def _flush(path: Path) -> None:
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
