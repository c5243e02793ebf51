"""What must be said of a programming language so that one extractor can read it?"""

from collections.abc import Callable
from dataclasses import dataclass, field
from enum import StrEnum


class SymbolKind(StrEnum):
    """What a definition is. The first eight are captures of a language's query as well."""

    FUNCTION = "function"
    METHOD = "method"
    CLASS = "class"
    INTERFACE = "interface"
    TYPE = "type"
    ENUM = "enum"
    CONSTANT = "constant"
    MODULE = "module"
    BLOCK = "block"
    """A piece of a file that is read without a grammar."""


CONTAINERS = frozenset({SymbolKind.CLASS, SymbolKind.INTERFACE, SymbolKind.ENUM, SymbolKind.TYPE, SymbolKind.MODULE})
"""Definitions inside these are symbols of their own; inside any other they are part of its body."""


@dataclass(slots=True)
class Found:
    """A definition in a file. Places are bytes of the source. Filled in step by step while the file is read."""

    kind: str
    head: int
    """Where the declaration itself begins, after its decorators."""
    start: int
    """Where its text begins: its decorators, or whatever else belongs to it."""
    end: int
    body: int
    """Where the body begins; the end if there is none."""
    names: list[str] = field(default_factory=list)
    """All names it declares."""
    owners: list[str] = field(default_factory=list)
    """The type it belongs to without standing inside it; one or none."""
    extends: list[str] = field(default_factory=list)
    implements: list[str] = field(default_factory=list)
    docs: list[tuple[int, int]] = field(default_factory=list)
    """Doc strings inside the body."""
    comments: list[tuple[int, int]] = field(default_factory=list)
    """Comments right before it."""
    marked: bool = False
    """The query said that it is exported."""
    testing: bool = False
    """The query said that it is a test."""
    parent: "Found | None" = None
    members: list["Found"] = field(default_factory=list)
    qualified: str = ""
    key: str = ""
    attributes: str = ""
    """Decorators, annotations and attributes as written."""
    signature: str = ""
    exported: bool = False
    test: bool = False
    line: int = 0
    line_end: int = 0

    @property
    def name(self) -> str:
        """The first of its names."""
        return self.names[0]

    @property
    def outer(self) -> int:
        """Where the first comment begins that belongs to it, or it begins itself."""
        return min(self.start, self.comments[0][0]) if self.comments else self.start


@dataclass(frozen=True, slots=True)
class Import:
    """A statement that names another file or package: ``modules`` as written, ``items`` what is taken from it."""

    start: int
    end: int
    modules: tuple[str, ...]
    items: tuple[str, ...]


Resolve = Callable[[str, str, tuple[str, ...]], tuple[tuple[str, ...], ...]]
"""From the path of the file, a module as written and what is taken from it: the names each thing imported may have."""


def resolve_nothing(path: str, module: str, items: tuple[str, ...]) -> tuple[tuple[str, ...], ...]:  # noqa: ARG001
    return ()


def is_marked(found: Found, listed: frozenset[str]) -> bool:
    """Exported if the query says so, or a list of exports names it; a member if what holds it is."""
    return found.marked or (found.parent.exported if found.parent is not None else found.name in listed)


def is_never_a_test(found: Found) -> bool:  # noqa: ARG001
    return False


@dataclass(frozen=True, slots=True)
class Language:
    """How a language is read. ``query`` is a tree-sitter query whose captures are explained in ``outline``."""

    name: str
    family: str
    grammar: str
    """The Python module that holds the grammar."""
    query: str
    function: str = "language"
    """The function of that module that gives the grammar."""
    resolve: Resolve = resolve_nothing
    exported: Callable[[Found, frozenset[str]], bool] = is_marked
    """Whether a definition can be used elsewhere, given the names the file itself lists as exported (``@export``)."""
    tests: Callable[[Found], bool] = is_never_a_test
    """Whether a definition outside test files is a test all the same."""
    import_words: frozenset[str] = frozenset({"import", "from", "as"})
    """The words of an import statement that are not worth finding; with ``package`` or the like, those of a package's too."""
    own: tuple[str, ...] = ()
    """What stands right before the name in a call of a method of the same object, as ``self.``."""
    quiet: frozenset[str] = frozenset()
    """Names whose calls say nothing about this project: builtins and methods that everything has."""
    by_package: bool = False
    """Whether a call is written with the name of its package, as ``tide.Level()``, not only with that of a type."""
    extensions: tuple[str, ...] = ()
    """How files end that such a file may test."""
    places: frozenset[str] = frozenset()
    """The nodes that ``@place`` may be."""
    separator: str = "."
    """What stands between the parts of a package's name."""
