"""Is the file sound, and do the lanes say what the records say?"""

from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from functools import partial

import numpy as np

from dowse.engines.embedding import cut
from dowse.engines.sqlite import keeping, lanes, rows
from dowse.engines.sqlite.checking import check_of
from dowse.engines.sqlite.columns import Columns, read_columns
from dowse.engines.sqlite.documents import Document, make_document
from dowse.engines.sqlite.driver import REFUSED, Connection, connect_plainly, generation_of, reading, stem_words, value
from dowse.engines.sqlite.ground import LIVE
from dowse.engines.sqlite.migrating import migrate
from dowse.errors import DowseError
from dowse.model.record import Record
from dowse.model.schema import Schema
from dowse.ports import Finding

# Enough that what went wrong for many records is seen; a second at most.
_SAMPLE = 1000
# Of a record's words in each table, so many are looked for.
_WORDS = 2
# Numbers that are noted beside the records, where there are any.
_COUNTS = ("flushed", "lanes", "vectors_done", "vectors_since", "vectors_waiting")
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
    """What everything is counted from; a row of it may be whole, and its value of another kind, or not there."""
    stored = dict(connection.execute("select name, value from meta"))
    counts = [name for name in _COUNTS if name in stored and not _is_count(stored[name])]
    if not _is_count(stored.get("generation")):
        counts.append("generation")
    return [*counts, *(["updated"] if not isinstance(stored.get("updated"), int | float) else [])]


def _is_count(stored: object) -> bool:
    return isinstance(stored, int) and stored >= 0


def _missing(connection: Connection, make: Callable[[Connection], None]) -> list[str]:
    """The tables and indexes that a new file would have, and this one has not."""
    names = "select name from sqlite_schema order by name"
    with closing(connect_plainly(":memory:")) as new:
        make(new)
        wanted = [name for (name,) in new.execute(names)]
    there = {name for (name,) in connection.execute(names)}
    return [name for name in wanted if name not in there]


def _file_check(connection: Connection) -> Finding:
    damage = [row[0] for row in connection.execute("pragma quick_check(5)") if row[0] != "ok"]
    damage = damage or [f"{name} is missing" for name in _missing(connection, lambda new: migrate(new, "a new one"))]
    # That looks at pages and names alone; whether an index names what its table holds takes longer, and is asked of the truth.
    damage = damage or [told for table in TRUTH for told in _disagreements(connection, table)]
    damage = damage or [f"the {name} of the workspace is no number" for name in _no_numbers(connection)]
    told = " ".join("; ".join(damage).split())
    return Finding("file", not damage, told or "every page is readable", _REPAIR if damage else "")


def _index_checks(connection: Connection, schema: Schema) -> Iterator[Finding]:
    current = lanes.current(connection)
    missing = ["all of it"] if current is None else _missing(connection, partial(lanes.create, lanes=current))
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
    columns = read_columns(connection, current.columns, generation)
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
    yield _record_check(connection, columns)
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
    wrong = wrong or _disagreements(connection, current.vocabulary) or _not_contained(connection, current)
    detail = f"differs for {', '.join(wrong[:3])}" if wrong else f"{len(stored)} words with their stems"
    return Finding("vocabulary", not wrong, detail, _REBUILD if wrong else "")


def _not_contained(connection: Connection, current: lanes.Lanes) -> list[str]:
    """Words of a sample that are not found by a part of them."""
    sample = connection.execute(
        f"select id, word from {current.vocabulary} where length(word) >= 3 order by id * 2654435761 % 4294967296 limit ?",
        (_SAMPLE,),
    )
    found = f"select 1 from {current.contains} where {current.contains} match ? and rowid = ?"
    return [word for identity, word in list(sample) if not value(connection, found, (f'"{word[:3]}"', identity))]


def _record_check(connection: Connection, columns: Columns) -> Finding:
    gone, changed = columns.live.copy(), []
    for identity, record in rows.every(connection):
        gone[identity : identity + 1] = False
        if not _is_as_written(columns, identity, record):
            changed.append(record.key)
    told = [f"{np.count_nonzero(gone)} that the index knows are gone"] if gone.any() else []
    told += [_told_changed(changed)] if changed else []
    return Finding("records", not told, "; ".join(told) or "every record is as it was written", _COMPARE if told else "")


def _is_as_written(columns: Columns, identity: int, record: Record) -> bool:
    return identity < columns.size and int(columns.column("check")[identity]) == check_of(record)


def _told_changed(keys: list[str]) -> str:
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
    return all(_is_in(connection, current, source, identity, texts) for source, texts in _told_by(document, current))


def _told_by(document: Document, current: lanes.Lanes) -> Iterator[tuple[lanes.Source, str]]:
    """What each table of a lane must hold of a record."""
    for source in current.text:
        yield source, " ".join(document.columns[place] for place, _ in source.columns)
    for source in current.names:
        yield source, f"{document.name} {document.name_alternates}"


def _is_in(connection: Connection, current: lanes.Lanes, source: lanes.Source, identity: int, texts: str) -> bool:
    words = sorted(set(texts.split()), key=lambda word: (-len(word), word))[:_WORDS]
    # Without a row here FTS5 does not take a record out again.
    if words and not value(connection, f"select 1 from {source.table}_docsize where id = ?", (identity,)):
        return False
    # By number and word at once: to go through all places of a common word, for each record anew, would take minutes.
    found = f"select 1 from {source.table} where {source.table} match ? and rowid = ?"
    known = f"select 1 from {current.vocabulary} where word = ?"
    return all(value(connection, found, (f'"{word}"', identity)) and value(connection, known, (word,)) for word in words)


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
    if value(connection, "select 1 from passage_free where id in (select id from passage)"):
        yield Finding("passages", False, "a place is called free and is not", _REBUILD)
    waiting, done = next(connection.execute("select ifnull(sum(waiting), 0), ifnull(sum(not waiting), 0) from passage"))
    # Not a fault: whoever embeds next goes on with them.
    told = f"{waiting} passages wait for a vector" if waiting else "every passage has its vector"
    agrees = (waiting, done) == (noted.waiting, noted.done)
    otherwise = f"{told}, but it is noted that {noted.waiting} wait and {noted.done} have one"
    yield Finding("embedding", agrees, told if agrees else otherwise, "" if agrees else _REBUILD)


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
