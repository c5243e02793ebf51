"""Which records may answer? A scope becomes a mask over all records, before anything is ranked."""

import json
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dowse.engines.sqlite.columns import DELETED, Columns
from dowse.engines.sqlite.driver import Connection
from dowse.model.reach import Reach
from dowse.model.request import Scope

Mask = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class MaskSelection:
    """Records that may answer, as a mask by id. ``everything``: every record that can be found, so nothing needs masking."""

    mask: Mask
    everything: bool = False

    @property
    def size(self) -> int:
        return int(np.count_nonzero(self.mask))


def scope_mask(
    connection: Connection, columns: Columns, scope: Scope, folds: tuple[str, ...] = (), within: Mask | None = None
) -> Mask:
    """True for every record in scope and for every one of the folded kinds whose parent is; as if there were only ``within``."""
    mask = columns.column("state") == DELETED if scope.deleted else columns.live.copy()
    if scope.kinds:
        mask &= labelled(columns.column("kind"), labels(connection, scope.kinds))
    if scope.spaces:
        mask &= labelled(columns.column("space"), labels(connection, scope.spaces))
    if scope.ancestor is not None:
        mask &= _mask_of(columns, connection, _SUBTREE, (scope.ancestor,))
    if scope.keys is not None:
        mask &= _mask_of(
            columns, connection, "select id from record where key in (select value from json_each(?))", (_list(scope.keys),)
        )
    if scope.parents is not None:
        mask &= _mask_of(
            columns, connection, "select id from record where parent in (select value from json_each(?))", (_list(scope.parents),)
        )
    if scope.tags:
        mask &= _mask_of(
            columns, connection, "select record from tag where name in (select value from json_each(?))", (_list(scope.tags),)
        )
    for name, values in sorted(scope.facets.items()):
        mask &= _having(connection, columns, name, values)
    if within is not None:
        mask &= within
    if folds:
        folded = labelled(columns.column("kind"), labels(connection, folds)) & columns.live
        mask |= folded & mask[columns.column("parent")]
        if within is not None:
            mask &= within
    return mask


def kinds_mask(connection: Connection, columns: Columns, kinds: tuple[str, ...]) -> Mask:
    """True for every live record of some kinds. Every search asks for the same few, so it is kept with the columns."""

    def make() -> Mask:
        return columns.live & labelled(columns.column("kind"), labels(connection, kinds))

    return columns.once(f"kinds {kinds!r}", make) if columns.has_room else make()


def reach_mask(connection: Connection, columns: Columns, reach: Reach) -> Mask:
    """True for every record someone sees. Kept with the columns, as far as there is room: the next request asks it again."""

    def make() -> Mask:
        mask: Mask = columns.column("state") != 0
        if reach.kinds:
            mask &= labelled(columns.column("kind"), labels(connection, reach.kinds))
        if reach.spaces:
            mask &= labelled(columns.column("space"), labels(connection, reach.spaces))
        if reach.under:
            mask &= _subtrees(connection, columns, reach.under)
        return mask

    return columns.once(f"reach {reach!r}", make) if columns.has_room else make()


_SUBTREE = """
    with recursive subtree (key) as (
      values (?)
      union
      select record.key from record join subtree on record.parent = subtree.key
    )
    select id from record where key in (select key from subtree)
"""


def _subtrees(connection: Connection, columns: Columns, roots: tuple[str, ...]) -> Mask:
    """Some records and all below them, level by level: for large subtrees many times faster than asking for each child."""
    wanted = _list(roots)
    seeds = """
        select id from record where key in (select value from json_each(?))
        union select id from record where parent in (select value from json_each(?))
    """
    mask = _mask_of(columns, connection, seeds, (wanted, wanted))
    parent = columns.column("parent")
    while True:
        grown = mask | mask[parent]
        if np.array_equal(grown, mask):
            return mask
        mask = grown


def _having(connection: Connection, columns: Columns, name: str, values: tuple[object, ...]) -> Mask:
    """Records with a facet. What searches ask for again and again is kept with the columns, as far as there is room."""
    accepted = "select record from facet where name = ? and value in (select value from json_each(?))"

    def make() -> Mask:
        return _mask_of(columns, connection, accepted, (name, _list(values)))

    return columns.once(f"facet {name} {values}", make) if columns.has_room else make()


def _mask_of(columns: Columns, connection: Connection, sql: str, bindings: tuple[object, ...]) -> Mask:
    mask = np.zeros(columns.size, np.bool_)
    found = np.fromiter((row[0] for row in connection.execute(sql, bindings)), np.int64)
    mask[found] = True
    return mask


def labelled(numbers: NDArray[np.uint32], wanted: list[int]) -> Mask:
    """For each record whether its label is one of the wanted: labels are few, so each is looked up."""
    table = np.zeros(1 + max(int(numbers.max(initial=0)), *wanted, 0), np.bool_)
    table[wanted] = True
    return table[numbers]


def labels(connection: Connection, names: tuple[str, ...]) -> list[int]:
    return [
        row[0] for row in connection.execute("select id from label where name in (select value from json_each(?))", (_list(names),))
    ]


def _list(values: tuple[object, ...]) -> str:
    return json.dumps(values)
