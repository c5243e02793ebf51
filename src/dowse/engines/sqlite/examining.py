"""Is the file sound, and do the lanes say what the records say?"""

from collections.abc import Callable, Iterable, Iterator

import numpy as np

from dowse.engines.embedding import cut
from dowse.engines.sqlite import keeping, lanes, rows
from dowse.engines.sqlite.checking import check_of
from dowse.engines.sqlite.columns import LIVE, Columns, read_columns
from dowse.engines.sqlite.documents import make_document
from dowse.engines.sqlite.driver import REFUSED, Connection, generation_of, reading, stem_words, value
from dowse.errors import DowseError
from dowse.model.record import Record
from dowse.model.schema import Schema
from dowse.ports import Finding

# Enough that what went wrong for many records is seen; a second at most.
_SAMPLE = 1000
# What making the index again does not make again.
TRUTH = ("meta", "record", "tag", "facet", "edge", "source", "source_name")
# What reading bytes that nobody wrote may end in.
UNREADABLE = (REFUSED, DowseError, ArithmeticError, LookupError, TypeError, ValueError)
_REBUILD = "dowse reindex"
_COMPARE = "compare with a backup, then dowse reindex"
_REPAIR = "dowse doctor --repair, or dowse restore-backup"


def examine(connection: Connection, schema: Schema) -> tuple[Finding, ...]:
    """Every check with its result; a failed one says what repairs it."""
    with reading(connection):
        return tuple(_checks(connection, schema))


def lost_log() -> Finding:
    return Finding("log", False, "the file with the last changes (-wal) was taken away: they may be lost", "dowse restore-backup")


def damaged_truth(connection: Connection) -> tuple[str, ...]:
    """The tables of the truth that cannot be trusted, each looked at as a whole."""
    return tuple(table for table in TRUTH if not _is_sound(connection, table))


def _is_sound(connection: Connection, table: str) -> bool:
    try:
        return not _disagreements(connection, table)
    except REFUSED:
        return False


def _disagreements(connection: Connection, table: str) -> list[str]:
    return [row[0] for row in connection.execute(f"pragma integrity_check('{table}')") if row[0] != "ok"][:5]


def _checks(connection: Connection, schema: Schema) -> Iterator[Finding]:
    yield from _guarded("file", lambda: [_file_check(connection)], _REPAIR)
    yield from _guarded("index", lambda: _index_checks(connection, schema), _REBUILD)
    yield from _guarded("meaning", lambda: _meaning_checks(connection, schema), _REBUILD)
    yield from _guarded("edges", lambda: [_edge_check(connection)], _REPAIR)


def _guarded(name: str, check: Callable[[], Iterable[Finding]], repair: str) -> Iterator[Finding]:
    """One check that cannot be made is a finding, and the others are made all the same."""
    try:
        yield from check()
    except UNREADABLE as error:
        yield Finding(name, False, f"cannot be looked at ({error})", repair)


def _no_numbers(connection: Connection) -> list[str]:
    """What everything is counted from; a row of it may be whole, and its value of another kind."""
    found = connection.execute(
        "select name from meta where name in ('generation', 'updated') and typeof(value) not in ('integer', 'real') order by name"
    )
    return [name for (name,) in found]


def _file_check(connection: Connection) -> Finding:
    damage = [row[0] for row in connection.execute("pragma quick_check(5)") if row[0] != "ok"]
    # That looks at pages alone; whether an index names what its table holds takes longer, and is asked of the truth.
    damage = damage or [told for table in TRUTH for told in _disagreements(connection, table)]
    damage = damage or [f"the {name} of the workspace is no number" for name in _no_numbers(connection)]
    told = " ".join("; ".join(damage).split())
    return Finding("file", not damage, told or "every page is readable", _REPAIR if damage else "")


def _index_checks(connection: Connection, schema: Schema) -> Iterator[Finding]:
    current = lanes.current(connection)
    there = {name for (name,) in connection.execute("select name from sqlite_schema where type = 'table'")}
    missing = ["all of it"] if current is None else [name for name in lanes.tables(current) if name not in there]
    if current is None or missing:
        yield Finding("index", False, f"the search index is missing: {', '.join(missing)}", _REBUILD)
        return
    stored = value(connection, "select value from meta where name = 'fingerprint'")
    yield Finding("index", stored == lanes.fingerprint(schema), f"lanes {current.number}, fingerprint {stored}", _REBUILD)
    others = lanes.numbers(connection) - {current.number}
    told = f"lanes {', '.join(map(str, sorted(others)))} were built and are not in use" if others else "nothing is left of old ones"
    yield Finding("left over", not others, told, _REBUILD if others else "")
    yield from _guarded("lanes", lambda: _lane_checks(connection, schema, current), _REBUILD)


def _lane_checks(connection: Connection, schema: Schema, current: lanes.Lanes) -> Iterator[Finding]:
    generation = generation_of(connection)
    columns = read_columns(connection, current.columns, generation, None)
    live = value(
        connection,
        "select count(*) from record where not deleted and substr(key, 1, 1) <> '@' and facets not like '%\"placeholder\":true%'",
    )
    for name, sources in (("words", current.text), ("names", current.names)):
        count = value(connection, f"select count(*) from {sources[0].table}_docsize")
        yield Finding(f"lane {name}", count == live, f"{count} of {live} records", _REBUILD)
    yield Finding("columns", columns.count == live, f"{columns.count} of {live} records", _REBUILD)
    yield _attribute_check(connection, columns)
    yield _vocabulary_check(connection, current)
    changed = [record.key for identity, record in rows.every(connection) if not _is_as_written(columns, identity, record)]
    yield Finding("records", not changed, _told_changed(changed), _COMPARE if changed else "")
    if not live:
        yield Finding("content", True, "the workspace is empty")
        return
    wrong = [
        record.key
        for identity, record in _sample(connection)
        if not _agrees(connection, schema, current, columns, identity, record)
    ]
    detail = f"differs for {', '.join(wrong[:3])}" if wrong else "a sample of records is found by its own words"
    yield Finding("content", not wrong, detail, _REBUILD if wrong else "")


def _attribute_check(connection: Connection, columns: Columns) -> Finding:
    """Whether the packed numbers of each record are those of its row: a wrong one leads into another kind, space or record."""
    found = connection.execute(
        """
        select record.id, record.key, kind.id, space.id, record.updated from record
        left join label kind on kind.name = record.kind left join label space on space.name = record.space
        """
    )
    kinds, spaces, times, parents = kept = [columns.column(name) for name in ("kind", "space", "updated", "parent")]
    vacant = np.ones(columns.size, np.bool_)
    wrong = []
    for identity, key, *expected in found:
        vacant[identity : identity + 1] = False
        leads_on = identity < columns.size and parents[identity] < columns.size
        if not leads_on or [kinds[identity], spaces[identity], times[identity]] != expected:
            wrong.append(key)
    # Where there is no record there is nothing; but it is looked at with all others.
    wrong += ["a record that does not exist"] * any(column[vacant].any() for column in kept)
    detail = f"differ for {', '.join(wrong[:3])}" if wrong else "as the records say"
    return Finding("attributes", not wrong, detail, _REBUILD if wrong else "")


def _vocabulary_check(connection: Connection, current: lanes.Lanes) -> Finding:
    """Whether each word has its stem, and whether all of them are found by both."""
    stored = dict(connection.execute(f"select word, stem from {current.vocabulary} order by word"))
    wrong = [word for word, stem in zip(stored, stem_words(connection, list(stored)), strict=True) if stored[word] != stem]
    wrong = wrong or _disagreements(connection, current.vocabulary)
    detail = f"differs for {', '.join(wrong[:3])}" if wrong else f"{len(stored)} words with their stems"
    return Finding("vocabulary", not wrong, detail, _REBUILD if wrong else "")


def _is_as_written(columns: Columns, identity: int, record: Record) -> bool:
    return identity < columns.size and int(columns.column("check")[identity]) == check_of(record)


def _told_changed(keys: list[str]) -> str:
    if not keys:
        return "every record is as it was written"
    more = f" and {len(keys) - 3} more" if len(keys) > 3 else ""
    return f"the bytes of a record, or of the index, changed without anyone writing: {', '.join(keys[:3])}{more}"


def _sample(connection: Connection) -> Iterator[rows.Stored]:
    ids = [
        i
        for (i,) in connection.execute(
            "select id from record where not deleted order by id * 2654435761 % 4294967296 limit ?", (_SAMPLE,)
        )
    ]
    return iter(rows.by_id(connection, ids).items())


def _agrees(connection: Connection, schema: Schema, current: lanes.Lanes, columns: Columns, identity: int, record: Record) -> bool:
    if record.is_placeholder:
        return True
    document = make_document(schema, record)
    if columns.column("state")[identity] != LIVE or int(columns.column("words")[identity]) != document.length:
        return False
    words = sorted(document.words(), key=lambda word: (-len(word), word))[:3]
    for word in words:
        # By number and word at once: to go through all places of a common word, for each record anew, would take minutes.
        found = any(
            value(connection, f"select 1 from {source.table} where {source.table} match ? and rowid = ?", (f'"{word}"', identity))
            for source in (*current.text, *current.names)
        )
        known = value(connection, f"select count(*) from {current.vocabulary} where word = ?", (word,))
        if not found or not known:
            return False
    return True


def _meaning_checks(connection: Connection, schema: Schema) -> Iterator[Finding]:
    """Nothing to say where there is no model."""
    noted = keeping.embedding(connection)
    if noted.profile is None:
        return
    lost = value(connection, "select count(*) from passage where record not in (select id from record)")
    wrong = [
        record.key for identity, record in _sample(connection) if _passages(connection, identity) != cut(schema, record).digests
    ]
    detail = f"{lost} of no record" if lost else f"differ for {', '.join(wrong[:3])}" if wrong else "as the texts say"
    yield Finding("passages", not lost and not wrong, detail, _REBUILD if lost or wrong else "")
    misplaced = len(keeping.misplaced(connection, noted.profile.dimension))
    told = f"{misplaced} are not where they should be" if misplaced else f"{noted.done} of {noted.profile.name}"
    yield Finding("vectors", not misplaced, told, _REBUILD if misplaced else "")
    waiting = value(connection, "select count(*) from passage where waiting")
    # Not a fault: whoever embeds next goes on with them.
    told = f"{waiting} passages wait for a vector" if waiting else "every passage has its vector"
    agrees = waiting == noted.waiting
    yield Finding("embedding", agrees, told if agrees else f"{told}, but {noted.waiting} are noted", "" if agrees else _REBUILD)


def _passages(connection: Connection, identity: int) -> tuple[bytes, ...]:
    stored = connection.execute("select digest from passage where record = ? order by number", (identity,))
    return tuple(digest for (digest,) in stored)


def _edge_check(connection: Connection) -> Finding:
    dangling = value(
        connection,
        "select count(*) from edge where not exists (select 1 from record where key = source)"
        " or not exists (select 1 from record where key = target)",
    )
    # Not a fault: an edge may be written before its ends are, and a wiki link may name a page nobody wrote yet.
    return Finding(
        "edges", True, f"{dangling} edges wait for a record that does not exist" if dangling else "every edge has both ends"
    )
