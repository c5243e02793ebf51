"""Who reads a workspace, and since when? One look at the file tells a question whether anything changed since the one before."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from dowse.engines.sqlite import keeping
from dowse.engines.sqlite.driver import Connection, Garbled, connect
from dowse.engines.sqlite.lanes import Lanes
from dowse.errors import StorageError

# What is noted of the file, read together, for each reading costs.
NOTED = ("lanes", "generation", "flushed", "updated", *keeping.NOTED)
_STATE = f"select name, value from meta where name in ({', '.join('?' * len(NOTED))})"
# Of several rows the first is taken and the others wait: so long SQLite keeps the moment for all that this connection reads, and
# nobody has to begin a transaction and end it.
_LOOK = "select 1 from meta"


class Snapshot(NamedTuple):
    """What a moment of the file is known by: its lanes, its last commit and the last commit that changed every word; and what else
    was noted of it (``NOTED``).
    """

    lanes: Lanes
    generation: int
    flushed: int
    noted: Mapping[str, Any]


class Reader:
    """A connection that one question after the other reads with."""

    def __init__(self, path: str, connection: Connection | None = None) -> None:
        self._path = path
        self.connection = connect(path) if connection is None else connection
        self._held: Any = None
        self._version = -1
        self._snapshot: Snapshot | None = None

    def begin(self) -> Snapshot:
        """The file as it is now; it stays so for this connection until the end. As long as nobody writes, it is the very same."""
        self._held = self.connection.execute(_LOOK)
        version = self.connection.data_version()
        if version != self._version or self._snapshot is None:
            self._snapshot = self._read()
            self._version = version
        return self._snapshot

    def end(self) -> None:
        held, self._held = self._held, None
        if held is not None:
            held.close(True)

    def close(self) -> None:
        self.connection.close()

    def _read(self) -> Snapshot:
        state: dict[str, Any] = dict(self.connection.execute(_STATE, NOTED))
        if state.get("lanes") is None:
            raise StorageError(f"{self._path} has no search index. Run 'dowse reindex'.")
        if not isinstance(state["lanes"], int):
            # It becomes a part of names, and whatever else stands there would be run.
            raise Garbled("the lanes of the workspace is no number")
        return Snapshot(Lanes(state["lanes"]), state["generation"], state.get("flushed") or 0, state)
