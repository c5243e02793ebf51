"""What is a reader given, and what does it give? A file in; records and names out."""

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from dowse.ingest.keying import cut
from dowse.model.record import Record
from dowse.model.source import Definition, Reference


@dataclass(frozen=True, slots=True)
class SourceFile:
    """A file of a project. ``path`` is relative to the project, with ``/`` between its parts, and always valid Unicode."""

    space: str
    path: str
    language: str
    text: str
    modified: float = 0.0
    data: bytes = field(default=b"", repr=False)
    """The bytes as they are on disk, for formats that are no text."""

    @property
    def key(self) -> str:
        """The key of the record that stands for the file itself.

        >>> SourceFile("acme", "src/a.py", "python", "").key
        'acme:src/a.py'
        """
        return cut(f"{self.space}:{self.path}")

    def part(self, name: str) -> str:
        """The key of a record that stands for a part of the file.

        >>> SourceFile("acme", "src/a.py", "python", "").part("Router.route")
        'acme:src/a.py#Router.route'
        """
        return cut(f"{self.space}:{self.path}#{name}")


@dataclass(frozen=True, slots=True)
class Extract:
    """What was found in a file. ``problems`` are for the user to read; they never stop an indexing run.

    Names in ``defines`` and ``refers`` are, besides the names of symbols: ``/docs/a.md`` the file at just that path,
    ``a.md`` or ``docs/a.md`` a file whose path ends so, ``/docs/a.md#usage`` a part of a file. A file's own path is
    defined for every reader by the caller.
    """

    records: tuple[Record, ...] = ()
    defines: tuple[Definition, ...] = ()
    refers: tuple[Reference, ...] = ()
    problems: tuple[str, ...] = ()

    def __reduce__(self) -> tuple[Any, ...]:
        # Names go from process to process by the hundred thousand: plain tuples take a third of the time.
        defines, refers = [tuple(name) for name in self.defines], [tuple(name) for name in self.refers]
        return _restored, (self.records, defines, refers, self.problems)


def _restored(
    records: tuple[Record, ...], defines: list[tuple[Any, ...]], refers: list[tuple[Any, ...]], problems: tuple[str, ...]
) -> Extract:
    return Extract(records, tuple(map(_definition, defines)), tuple(map(_reference, refers)), problems)


# As ``_make`` does it, which is written in Python.
_definition: Callable[[tuple[Any, ...]], Definition] = partial(tuple.__new__, Definition)
_reference: Callable[[tuple[Any, ...]], Reference] = partial(tuple.__new__, Reference)


Reader = Callable[[SourceFile], Extract]
