"""How much are some records: how many of each kind, with which edges, in how many spaces?"""

import numpy as np
from numpy.typing import NDArray

from dowse.engines.sqlite.columns import DELETED, Columns
from dowse.engines.sqlite.counting import counts
from dowse.engines.sqlite.driver import Connection
from dowse.model.reach import Tally


def tally(connection: Connection, columns: Columns, mask: NDArray[np.bool_]) -> Tally:
    """Counts over the records of a mask; edges count where both ends are among them."""
    deleted = columns.column("state") == DELETED
    kept = np.flatnonzero(mask & ~deleted)
    return Tally(
        records=dict(sorted(counts(connection, columns, kept, "kind").items())),
        deleted=int(np.count_nonzero(mask & deleted)),
        edges=_edges(connection, mask),
        spaces=len(counts(connection, columns, np.flatnonzero(mask), "space")),
    )


def _edges(connection: Connection, mask: NDArray[np.bool_]) -> dict[str, int]:
    found: dict[str, int] = {}
    ends = connection.execute(
        "select edge.kind, source.id, target.id from edge join record source on source.key = edge.source"
        " join record target on target.key = edge.target"
    )
    for kind, source, target in ends:
        if mask[source] and mask[target]:
            found[kind] = found.get(kind, 0) + 1
    return dict(sorted(found.items()))
