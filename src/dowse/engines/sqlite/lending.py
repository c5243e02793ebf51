"""Who reads the columns of which commit? They are lent to one snapshot after the other, and brought up to date in between.

Two grounds are enough: while the newest is read, whoever comes later lays what changed over it, and as soon as the other is free it
becomes the newest. So a commit costs the next reader what changed, however many records there are.
"""

import threading
from collections.abc import Iterator
from contextlib import contextmanager

from dowse.engines.sqlite.columns import Columns, read_blocks, read_changes, read_columns
from dowse.engines.sqlite.driver import Connection
from dowse.engines.sqlite.ground import Ground
from dowse.engines.sqlite.lanes import Lanes

_GROUNDS = 2


class Lender:
    """Shared by all threads of a process. What was lent is given back, for nothing is changed while anyone reads it."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._lanes = -1
        self._grounds: list[Ground] = []
        self._newest: Columns | None = None

    def lend(self, connection: Connection, lanes: Lanes, generation: int) -> Columns:
        """The columns as a snapshot of this generation sees them."""
        with self._lock:
            columns = self._newest
            if columns is None or columns.generation != generation or lanes.number != self._lanes:
                before, columns = self._newest, self._at(connection, lanes, generation)
                if before is not None and before is not self._newest:
                    before.matchers.clear()
            columns.ground.users += 1
            return columns

    def take_back(self, columns: Columns) -> None:
        with self._lock:
            columns.ground.users -= 1
            # What matches queries against columns holds them: nobody would let go of either before Python looks for such circles.
            if columns is not self._newest:
                columns.matchers.clear()

    @contextmanager
    def lent(self, connection: Connection, lanes: Lanes, generation: int) -> Iterator[Columns]:
        columns = self.lend(connection, lanes, generation)
        try:
            yield columns
        finally:
            self.take_back(columns)

    def _at(self, connection: Connection, lanes: Lanes, generation: int) -> Columns:
        newest = self._newest if lanes.number == self._lanes else None
        if newest is None:
            columns = read_columns(connection, lanes.columns, generation)
            # Who began before the lanes were made again is alone with the old ones.
            if lanes.number >= self._lanes:
                self._lanes, self._grounds, self._newest = lanes.number, [columns.ground], columns
            return columns
        if generation == newest.generation:
            return newest
        if generation < newest.generation:
            return self._earlier(connection, lanes, generation)
        self._newest = self._later(connection, lanes, generation, newest)
        return self._newest

    def _later(self, connection: Connection, lanes: Lanes, generation: int, newest: Columns) -> Columns:
        free = [ground for ground in self._grounds if not ground.users]
        if not free and len(self._grounds) < _GROUNDS:
            free = [newest.ground.copy()]
            self._grounds += free
        if free:
            ground = max(free, key=lambda ground: ground.generation)
            ground.advance(generation, read_changes(connection, lanes.columns, ground.generation))
            return Columns(generation, ground)
        changed = dict(read_changes(connection, lanes.columns, newest.generation))
        return Columns(generation, newest.ground, {**newest.changed, **changed})

    def _earlier(self, connection: Connection, lanes: Lanes, generation: int) -> Columns:
        """For who began before another's write and comes only now."""
        for ground in self._grounds:
            if ground.generation <= generation:
                return Columns(generation, ground, dict(read_changes(connection, lanes.columns, ground.generation)))
            blocks = ground.changed_after(generation)
            if blocks is not None:
                return Columns(generation, ground, dict(read_blocks(connection, lanes.columns, blocks)))
        return read_columns(connection, lanes.columns, generation)
