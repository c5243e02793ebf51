"""How many of some records have which value? For the counts beside a search."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from dowse.engines.sqlite import rows
from dowse.engines.sqlite.columns import Columns
from dowse.engines.sqlite.driver import Connection, value
from dowse.engines.sqlite.ground import DELETED

Handles = NDArray[np.int64]
Counts = dict[str, int]

# What every record has exactly one of stands in the columns, as the number of a label.
_LABELLED = ("kind", "space")
# Up to this many records are asked for their values one by one; for more, all values are read once for this generation.
_FEW = 4000
_TAGS = "select name as value, record from tag"
_FACETS = "select value, record from facet where name = ?"


def counts(connection: Connection, columns: Columns, handles: Handles, name: str) -> Counts:
    """Counts by value of the kind, the space, the tags or a facet."""
    if name in _LABELLED:
        return _labelled(connection, columns.of(name, handles))
    pairs, bindings = (_TAGS, ()) if name == "tag" else (_FACETS, (name,))
    if len(handles) <= _FEW:
        found = _asked(connection, handles, pairs, bindings)
    else:
        found = _looked_up(connection, columns, handles, pairs, bindings)
    return _truths(connection, name, found) if found.keys() <= {"0", "1"} else found


class Held(NamedTuple):
    """How many records a store holds: by kind those that are not deleted, and the deleted ones; and in how many spaces."""

    records: Counts
    deleted: int
    spaces: int


def counted(connection: Connection, columns: Columns) -> Held:
    """By the columns: the records themselves are a hundred times as much to read."""
    state = columns.column("state")
    there, gone = np.flatnonzero((state != 0) & (state != DELETED)), np.flatnonzero(state == DELETED)
    spaces = len(_labelled(connection, columns.column("space")[state != 0]))
    return Held(dict(sorted(_labelled(connection, columns.column("kind")[there]).items())), len(gone), spaces)


def counted_in_truth(connection: Connection) -> Held:
    """The same where there are no columns, because the search index is missing."""
    return Held(
        dict(connection.execute("select kind, count(*) from record where not deleted group by kind order by kind")),
        value(connection, "select count(*) from record where deleted"),
        value(connection, "select count(distinct space) from record"),
    )


def _labelled(connection: Connection, numbers: NDArray[np.uint32]) -> Counts:
    found = np.bincount(numbers)
    present = np.flatnonzero(found)
    sql = "select id, name from label where id in (select value from json_each(?))"
    names = dict(connection.execute(sql, (rows.dump(present.tolist()),)))
    return {names.get(int(number), ""): int(found[number]) for number in present}


def _asked(connection: Connection, handles: Handles, pairs: str, bindings: tuple[str, ...]) -> Counts:
    grouped = f"select cast(value as text), count(*) from ({pairs}) where record in (select value from json_each(?)) group by 1"
    return dict(connection.execute(grouped, (*bindings, rows.dump(handles.tolist()))))


def _looked_up(connection: Connection, columns: Columns, handles: Handles, pairs: str, bindings: tuple[str, ...]) -> Counts:
    def values() -> NDArray[np.object_]:
        found = connection.execute(f"select distinct cast(value as text) from ({pairs}) order by 1", bindings)
        return np.array([text for (text,) in found], np.object_)

    def holders() -> NDArray[np.int64]:
        numbers = {text: number for number, text in enumerate(named.tolist())}
        found = connection.execute(f"select cast(value as text), record from ({pairs})", bindings)
        return np.array([(numbers[text], holder) for text, holder in found], np.int64).reshape(-1, 2)

    what = " ".join((pairs, *bindings))
    named = columns.once(f"values {what}", values) if columns.has_room else values()
    held = columns.once(f"holders {what}", holders) if columns.has_room else holders()
    chosen = np.zeros(columns.size, np.bool_)
    chosen[handles] = True
    found = np.bincount(held[chosen[held[:, 1]], 0], minlength=len(named))
    return {str(named[number]): int(found[number]) for number in np.flatnonzero(found)}


def _truths(connection: Connection, name: str, found: Counts) -> Counts:
    """SQLite keeps true as 1; the record itself still knows which it was."""
    holder = value(connection, "select record from facet where name = ? limit 1", (name,))
    if not any(isinstance(record.facets.get(name), bool) for record in rows.by_id(connection, [holder]).values()):
        return found
    return {"true" if text == "1" else "false": count for text, count in found.items()}
