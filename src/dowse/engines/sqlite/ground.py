"""What is known of every record as of one commit, as arrays in memory, and how does that become what another commit says?

Where it lies: a million records take tens of megabytes, and a write changes a few of their blocks. So whoever reads is counted, and
only where nobody does is the ground brought up to date; who reads another commit meanwhile lays a few blocks over it (``columns``).
"""

from collections import deque
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dowse.engines.sqlite.driver import Garbled

# Small enough that a one-record write stays a few pages, large enough that a million records are read in a few thousand rows.
BLOCK = 256
ROW = np.dtype(
    [
        ("updated", "<f8"),
        ("kind", "<u4"),
        ("space", "<u4"),
        ("parent", "<u4"),
        ("words", "<u4"),
        ("names", "<u4"),
        ("state", "<u4"),
        ("check", "<u4"),
    ]
)
BLOCK_BYTES = BLOCK * ROW.itemsize
NO_ROWS = bytes(BLOCK_BYTES)

# What a row stands for. Zero: no record has this id.
LIVE = 1
DELETED = 2
PLACEHOLDER = 3

# Arrays derived from the rows: masks of the kinds and facets that searches ask for.
MOST_KEPT = 48
# When there are more than this, those leave that were not asked for the longest.
_COMFORTABLE = 36
# Keys and titles of records that searches came across: some megabytes at most.
_MOST_NAMES = 50_000
# Blocks that are put together at once: what fits into the processor's cache is not fetched twice.
_AT_ONCE = 128
# What every search looks at: to put blocks together takes longer than to take one attribute more out of them.
_TOGETHER = frozenset({"live", "kind", "words", "names", "updated"})
# Commits whose changes are remembered, for who reads an older one than lies here.
_MOST_STEPS = 200
# Room for as many more records as one in so many, so that an array is not copied with every block that comes.
_SLACK = 16


@dataclass(slots=True)
class Derived:
    """An array with a place for every record, and maybe some for more. ``stale``: the blocks in which it is not right.

    ``counts``: for each block how many of its places are not zero, once anyone asked.
    """

    array: NDArray[Any]
    stale: set[int]
    asked: int = 0
    counts: NDArray[np.int64] | None = None


@dataclass(slots=True)
class Ground:
    """All rows as of one commit. ``users``: how many read it, or what lies over it; changed by none but its lender."""

    generation: int
    blocks: list[bytes]
    users: int = 0
    names: dict[int, tuple[str, str]] = field(default_factory=dict)
    """Key and title of records that were asked for, by id."""
    labels: dict[tuple[str, ...], NDArray[np.bool_]] = field(default_factory=dict)
    """For kinds or spaces that were asked for which numbers they have."""
    _columns: dict[str, NDArray[Any]] = field(default_factory=dict)
    _derived: dict[Hashable, Derived] = field(default_factory=dict)
    _totals: dict[str, int] = field(default_factory=dict)
    _steps: deque[tuple[int, tuple[int, ...]]] = field(default_factory=lambda: deque(maxlen=_MOST_STEPS))
    _turn: int = 0

    @property
    def size(self) -> int:
        return len(self.blocks) * BLOCK

    def column(self, name: str) -> NDArray[Any]:
        known = self._columns.get(name)
        if known is None:
            together = name in _TOGETHER and _TOGETHER.isdisjoint(self._columns)
            self._columns.update(self._laid_out(sorted(_TOGETHER) if together else [name]))
            known = self._columns[name]
        return known[: self.size]

    def total(self, name: str) -> int:
        """The sum of an attribute."""
        if name not in self._totals:
            self._totals[name] = int(self.column(name).sum(dtype=np.int64))
        return self._totals[name]

    def difference(self, name: str, block: int, data: bytes) -> int:
        """By how much the total would be more, were the block this one."""
        old = self.blocks[block] if block < len(self.blocks) else NO_ROWS
        return _sum(name, data) - _sum(name, old)

    def derived(self, name: Hashable) -> Derived | None:
        """What was kept under a name; nothing where most of it is stale."""
        known = self._derived.get(name)
        if known is None or len(known.stale) * 2 > len(self.blocks):
            return None
        known.asked = self._turn
        return known

    def keep(self, name: Hashable, array: NDArray[Any], stale: set[int]) -> None:
        kept = np.zeros(_with_room(len(array)), array.dtype)
        kept[: len(array)] = array
        self._derived[name] = Derived(kept, stale, self._turn)

    @property
    def kept(self) -> int:
        return len(self._derived)

    def learn(self, names: Mapping[int, tuple[str, str]]) -> None:
        if len(self.names) + len(names) > _MOST_NAMES:
            self.names = {}
        self.names.update(names)

    def changed_after(self, generation: int) -> tuple[int, ...] | None:
        """The blocks that changed between an older commit and this one. None: that was too long ago."""
        found: set[int] = set()
        for before, blocks in reversed(self._steps):
            found.update(blocks)
            if before <= generation:
                return tuple(sorted(found))
        return None

    def advance(self, generation: int, changes: Sequence[tuple[int, bytes]]) -> None:
        """Becomes what a later commit says. Only while nobody reads it."""
        for name in self._totals:
            self._totals[name] += sum(self.difference(name, block, data) for block, data in changes)
        last = max((block for block, _ in changes), default=-1)
        self.blocks += [NO_ROWS] * (last + 1 - len(self.blocks))
        for block, data in changes:
            self.blocks[block] = data
            for identity in range(block * BLOCK, (block + 1) * BLOCK):
                self.names.pop(identity, None)
        for name, array in self._columns.items():
            array = self._columns[name] = grown(array, self.size)
            for block, data in changes:
                array[block * BLOCK : (block + 1) * BLOCK] = attribute(rows_of(data), name)
        self._outdate({block for block, _ in changes})
        self._steps.append((self.generation, tuple(block for block, _ in changes)))
        self.generation = generation

    def copy(self) -> "Ground":
        """One that nobody reads. Others may be reading this one, and adding to it what they need."""
        return Ground(
            self.generation,
            self.blocks.copy(),
            0,
            self.names.copy(),
            self.labels.copy(),
            {name: array.copy() for name, array in self._columns.copy().items()},
            # First what is stale, then the array: it may become right in between, but not wrong.
            {name: Derived(stale=set(item.stale), array=item.array.copy()) for name, item in self._derived.copy().items()},
            self._totals.copy(),
            self._steps.copy(),
        )

    def _outdate(self, blocks: set[int]) -> None:
        self._turn += 1
        for item in self._derived.values():
            item.stale |= blocks
        if len(self._derived) > _COMFORTABLE:
            latest = sorted(self._derived.items(), key=lambda item: item[1].asked)
            self._derived = dict(latest[-_COMFORTABLE:])

    def _laid_out(self, names: Sequence[str]) -> dict[str, NDArray[Any]]:
        found = {name: np.zeros(_with_room(self.size), attribute(rows_of(NO_ROWS), name).dtype) for name in names}
        for start in range(0, len(self.blocks), _AT_ONCE):
            rows = np.frombuffer(b"".join(self.blocks[start : start + _AT_ONCE]), ROW)
            for name, array in found.items():
                array[start * BLOCK : start * BLOCK + len(rows)] = attribute(rows, name)
        return found


def attribute(rows: NDArray[np.void], name: str) -> NDArray[Any]:
    """One attribute of some rows. What is ``live`` follows from their states."""
    found: NDArray[Any] = rows["state"] == LIVE if name == "live" else rows[name]
    return found


def rows_of(block: bytes) -> NDArray[np.void]:
    return np.frombuffer(block, ROW)


def whole(block: bytes) -> bytes:
    if len(block) != BLOCK_BYTES:
        raise Garbled("a block of what is known of every record is not as long as it was")
    return block


def grown(array: NDArray[Any], size: int) -> NDArray[Any]:
    """The same with room for so many, zero where there was none. Room that nobody uses takes no memory."""
    if len(array) >= size:
        return array
    longer = np.zeros(_with_room(size), array.dtype)
    longer[: len(array)] = array
    return longer


def _with_room(size: int) -> int:
    return size + size // _SLACK + BLOCK


def _sum(name: str, block: bytes) -> int:
    return int(attribute(rows_of(block), name).sum(dtype=np.int64))
