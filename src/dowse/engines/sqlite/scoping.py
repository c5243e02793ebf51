"""Which records may answer? A scope becomes a mask over all records, before anything is ranked."""

import json
from collections.abc import Callable, Hashable

import numpy as np
from numpy.typing import NDArray

from dowse.engines.sqlite.columns import Columns
from dowse.engines.sqlite.driver import Connection, value
from dowse.engines.sqlite.ground import DELETED
from dowse.model.reach import Reach
from dowse.model.request import Scope

Mask = NDArray[np.bool_]
# More ways to ask for kinds and spaces than surfaces declare; users may ask for any.
_MOST_LABELLED = 64


class MaskSelection:
    """Records that may answer, as a mask by id. ``everything``: every record that can be found, so nothing needs masking."""

    __slots__ = ("_size", "everything", "mask")

    def __init__(self, mask: Mask, *, everything: bool = False, size: int | None = None) -> None:
        self.mask = mask
        self.everything = everything
        self._size = size

    @property
    def size(self) -> int:
        if self._size is None:
            self._size = int(np.count_nonzero(self.mask))
        return self._size


def scope_mask(
    connection: Connection, columns: Columns, scope: Scope, folds: tuple[str, ...] = (), within: Mask | None = None
) -> Mask:
    """True for every record in scope and for every one of the folded kinds whose parent is; as if there were only ``within``."""
    mask = columns.column("state") == DELETED if scope.deleted else columns.live.copy()
    if scope.kinds:
        mask &= of_labels(connection, columns, scope.kinds)[columns.column("kind")]
    if scope.spaces:
        mask &= of_labels(connection, columns, scope.spaces)[columns.column("space")]
    if scope.folder is not None:
        mask &= _mask_of(columns, connection, f"{_SUBTREE} union {_FOLDER}", (scope.folder, scope.folder, _after(scope.folder)))
    elif scope.ancestor is not None:
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
        folded = of_labels(connection, columns, folds)[columns.column("kind")] & columns.live
        mask |= folded & mask[columns.column("parent")]
        if within is not None:
            mask &= within
    return mask


def everything(columns: Columns) -> MaskSelection:
    return columns.once("everything", lambda: MaskSelection(columns.live, everything=True, size=columns.count))


def of_kinds(connection: Connection, columns: Columns, kinds: tuple[str, ...]) -> MaskSelection:
    """Every live record of some kinds. Every search asks for the same few, so it is kept with the columns."""

    def make(start: int, stop: int) -> Mask:
        mask: Mask = (
            columns.stretch("live", start, stop) & of_labels(connection, columns, kinds)[columns.stretch("kind", start, stop)]
        )
        return mask

    return _kept(columns, ("kinds", kinds), make)


def with_facet(connection: Connection, columns: Columns, name: str, values: tuple[object, ...]) -> MaskSelection:
    """Every live record with a facet; kept as those of some kinds are."""

    def make(start: int, stop: int) -> Mask:
        return columns.stretch("live", start, stop) & _having(connection, columns, name, values)[start:stop]

    return _kept(columns, ("live", name, values), make)


def _kept(columns: Columns, name: Hashable, make: Callable[[int, int], Mask]) -> MaskSelection:
    if not columns.has_room:
        return MaskSelection(make(0, columns.size))
    return columns.once(("selection", name), lambda: MaskSelection(columns.by_row(name, make), size=columns.size_of(name)))


def reach_mask(connection: Connection, columns: Columns, reach: Reach) -> Mask:
    """True for every record someone sees. Kept with the columns, as far as there is room: the next request asks it again."""

    def make() -> Mask:
        mask: Mask = columns.column("state") != 0
        if reach.kinds:
            mask &= of_labels(connection, columns, reach.kinds)[columns.column("kind")]
        if reach.spaces:
            mask &= of_labels(connection, columns, reach.spaces)[columns.column("space")]
        if reach.under:
            mask &= _subtrees(connection, columns, reach.under)
        return mask

    return columns.once(reach, make) if columns.has_room else make()


_SUBTREE = """
    with recursive subtree (key) as (
      values (?)
      union
      select record.key from record join subtree on record.parent = subtree.key
    )
    select id from record where key in (select key from subtree)
"""


# Everything whose key begins so: up to what follows it in the order of keys, which are compared byte by byte.
_FOLDER = "select id from record where key >= ? and key < ?"


def _after(folder: str) -> str:
    return folder[:-1] + chr(ord(folder[-1]) + 1)


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
    accepted = """
        select record from facet where name = ? and value in (select value from json_each(?)) and record >= ? and record < ?
    """

    def make(start: int, stop: int) -> Mask:
        mask = np.zeros(stop - start, np.bool_)
        found = connection.execute(accepted, (name, _list(values), start, stop))
        mask[np.fromiter((row[0] for row in found), np.int64) - start] = True
        return mask

    return columns.by_row(("facet", name, values), make) if columns.has_room else make(0, columns.size)


def _mask_of(columns: Columns, connection: Connection, sql: str, bindings: tuple[object, ...]) -> Mask:
    mask = np.zeros(columns.size, np.bool_)
    found = np.fromiter((row[0] for row in connection.execute(sql, bindings)), np.int64)
    mask[found] = True
    return mask


def of_labels(connection: Connection, columns: Columns, names: tuple[str, ...]) -> Mask:
    """For every number of a kind or space whether it is one of these. Kept from one commit to the next: numbers are given once."""
    most: int = columns.once("labels", lambda: value(connection, "select max(id) from label") or 0)
    kept = columns.ground.labels
    table = kept.get(names)
    # One that tells of later labels as well is as good.
    if table is None or len(table) <= most:
        table = np.zeros(1 + most, np.bool_)
        found = connection.execute("select id from label where name in (select value from json_each(?))", (_list(names),))
        table[[number for (number,) in found]] = True
        if len(kept) >= _MOST_LABELLED:
            kept.clear()
        kept[names] = table
    return table


def _list(values: tuple[object, ...]) -> str:
    return json.dumps(values)
