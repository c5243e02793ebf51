"""Is the file sound, and do the lanes say what the records say?"""

from collections.abc import Iterator

from dowse.engines.embedding import cut
from dowse.engines.sqlite import keeping, lanes, rows
from dowse.engines.sqlite.columns import LIVE, Columns, read_columns
from dowse.engines.sqlite.driver import Connection, reading, value
from dowse.model.record import Record
from dowse.model.schema import Schema
from dowse.ports import Finding

_SAMPLE = 200


def examine(connection: Connection, schema: Schema) -> tuple[Finding, ...]:
    """Every check with its result; a failed one says what repairs it."""
    with reading(connection):
        return tuple(_checks(connection, schema))


def _checks(connection: Connection, schema: Schema) -> Iterator[Finding]:
    damage = [row[0] for row in connection.execute("pragma quick_check(5)") if row[0] != "ok"]
    yield Finding("file", not damage, "; ".join(damage) or "every page is readable", "restore a backup" if damage else "")
    current = lanes.current(connection)
    missing = current is None or not value(
        connection, "select count(*) from sqlite_schema where name = ?", (current.text[0].table,)
    )
    if current is None or missing:
        yield Finding("index", False, "the search index is missing", "dowse reindex")
        return
    stored = value(connection, "select value from meta where name = 'fingerprint'")
    yield Finding("index", stored == lanes.fingerprint(schema), f"lanes {current.number}, fingerprint {stored}", "dowse reindex")
    yield from _lane_checks(connection, schema, current)
    yield from _meaning_checks(connection, schema)
    yield _edge_check(connection)


def _lane_checks(connection: Connection, schema: Schema, current: lanes.Lanes) -> Iterator[Finding]:
    generation = value(connection, "select value from meta where name = 'generation'")
    columns = read_columns(connection, current.columns, generation, None)
    live = value(
        connection,
        "select count(*) from record where not deleted and substr(key, 1, 1) <> '@' and facets not like '%\"placeholder\":true%'",
    )
    for name, sources in (("words", current.text), ("names", current.names)):
        count = value(connection, f"select count(*) from {sources[0].table}_docsize")
        yield Finding(f"lane {name}", count == live, f"{count} of {live} records", "dowse reindex")
    yield Finding("columns", columns.count == live, f"{columns.count} of {live} records", "dowse reindex")
    if not live:
        yield Finding("content", True, "the workspace is empty")
        return
    wrong = [
        record.key
        for identity, record in _sample(connection)
        if not _agrees(connection, schema, current, columns, identity, record)
    ]
    detail = f"differs for {', '.join(wrong[:3])}" if wrong else "a sample of records is found by its own words"
    yield Finding("content", not wrong, detail, "dowse reindex" if wrong else "")


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
    document = lanes.make_document(schema, record)
    if columns.column("state")[identity] != LIVE or int(columns.column("words")[identity]) != document.length:
        return False
    words = sorted(document.words(), key=lambda word: (-len(word), word))[:3]
    for word in words:
        holds = "select count(*) from {} where term = ? and doc = ?"
        found = any(
            value(connection, holds.format(source.instances), (word, identity)) for source in (*current.text, *current.names)
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
    yield Finding("passages", not lost and not wrong, detail, "dowse reindex" if lost or wrong else "")
    misplaced = len(keeping.misplaced(connection, noted.profile.dimension))
    told = f"{misplaced} are not where they should be" if misplaced else f"{noted.done} of {noted.profile.name}"
    yield Finding("vectors", not misplaced, told, "dowse reindex" if misplaced else "")
    waiting = value(connection, "select count(*) from passage where waiting")
    # Not a fault: whoever embeds next goes on with them.
    told = f"{waiting} passages wait for a vector" if waiting else "every passage has its vector"
    agrees = waiting == noted.waiting
    yield Finding(
        "embedding", agrees, told if agrees else f"{told}, but {noted.waiting} are noted", "" if agrees else "dowse reindex"
    )


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
