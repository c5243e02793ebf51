"""Which names of a package's private modules do its public ones pass on? Those are what its users import."""

import ast
from collections.abc import Iterator, Mapping
from functools import cache

from dowse.ingest.libraries.material import LARGEST_FILE, LibraryFile

# A module that passes on what another passes on; nobody goes deeper.
_DEEPEST = 8

Names = dict[str, str]
"""Each name with the module that users import it from."""


def passed_on(tree: Mapping[str, LibraryFile], public: Mapping[str, LibraryFile]) -> dict[str, Names]:
    """For each private module by path what public ones pass on of it. Of several that do, the shortest name counts."""
    package = _Package(tree)
    found: dict[str, Names] = {}
    for path in sorted(public, key=lambda path: (len(_dotted(path)), _dotted(path), path)):
        for name, source in package.imported(path):
            place = package.defining(source, name)
            if place is not None and place[0] not in public:
                found.setdefault(place[0], {}).setdefault(place[1], _dotted(path))
    return found


class _Package:
    """The modules of a package, each parsed when it is asked for."""

    def __init__(self, tree: Mapping[str, LibraryFile]) -> None:
        self._tree = tree
        self._parsed = cache(self._parse)

    def imported(self, path: str) -> Iterator[tuple[str, str]]:
        """What a module takes from others for its users: in a package everything without an underscore, elsewhere what it lists."""
        module = self._parsed(path)
        listed = _listed(module)
        is_package = path.endswith("/__init__.py")
        for node in _imports(module):
            source = self._source(path, node)
            for alias in node.names if source is not None else ():
                name = alias.asname or alias.name
                if alias.name == "*":
                    yield from ((inner, str(source)) for inner in self._all(str(source)) if listed is None or inner in listed)
                elif name in listed if listed is not None else is_package and not name.startswith("_"):
                    yield alias.name, str(source)

    def defining(self, path: str, name: str, depth: int = 0) -> tuple[str, str] | None:
        """The module that makes a name, and what it is called there."""
        module = self._parsed(path)
        if depth > _DEEPEST or name in _made(module):
            return (path, name) if depth <= _DEEPEST else None
        for node in _imports(module):
            source = self._source(path, node)
            for alias in node.names if source is not None else ():
                if name == (alias.asname or alias.name):
                    return self.defining(str(source), alias.name, depth + 1)
                if alias.name == "*" and name in self._all(str(source)):
                    return self.defining(str(source), name, depth + 1)
        return None

    def _all(self, path: str, depth: int = 0) -> frozenset[str]:
        """What a star takes from a module."""
        module = self._parsed(path)
        listed = _listed(module)
        if listed is not None:
            return listed
        found = set(_made(module))
        for node in _imports(module):
            source = self._source(path, node)
            for alias in node.names:
                if alias.name != "*":
                    found.add(alias.asname or alias.name)
                elif source is not None and depth < _DEEPEST:
                    found |= self._all(source, depth + 1)
        return frozenset(name for name in found if not name.startswith("_"))

    def _source(self, path: str, node: ast.ImportFrom) -> str | None:
        """The file that is imported from, if it is one of the package."""
        folders = path.split("/")[:-1]
        if node.level > len(folders) + 1:
            return None
        base = folders[: len(folders) - node.level + 1] if node.level else _root(path)
        place = "/".join([*base, *(node.module.split(".") if node.module else [])])
        return next((found for found in (f"{place}.py", f"{place}/__init__.py") if found in self._tree), None)

    def _parse(self, path: str) -> ast.Module:
        data = self._tree[path].load()
        try:
            return ast.parse(data) if len(data) <= LARGEST_FILE else ast.Module([], [])
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            # Written for another Python, or for nobody.
            return ast.Module([], [])


def _imports(module: ast.Module) -> Iterator[ast.ImportFrom]:
    """What a module imports whenever it is imported, or if something holds."""
    waiting: list[ast.stmt] = list(module.body)
    while waiting:
        node = waiting.pop(0)
        if isinstance(node, ast.ImportFrom):
            yield node
        elif isinstance(node, ast.If):
            waiting[:0] = [*node.body, *node.orelse]
        elif isinstance(node, ast.Try):
            waiting[:0] = [*node.body, *(inner for handler in node.handlers for inner in handler.body), *node.orelse]


def _made(module: ast.Module) -> frozenset[str]:
    found = set()
    for node in module.body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            found.add(node.name)
        elif isinstance(node, ast.Assign):
            found |= {target.id for target in node.targets if isinstance(target, ast.Name)}
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            found.add(node.target.id)
    return frozenset(found)


def _listed(module: ast.Module) -> frozenset[str] | None:
    """What ``__all__`` says, where it is a plain list."""
    for node in module.body:
        if isinstance(node, ast.Assign) and any(isinstance(target, ast.Name) and target.id == "__all__" for target in node.targets):
            items = node.value.elts if isinstance(node.value, ast.List | ast.Tuple) else ()
            names = [item.value for item in items if isinstance(item, ast.Constant) and isinstance(item.value, str)]
            return frozenset(names) if names and len(names) == len(items) else None
    return None


def _root(path: str) -> list[str]:
    """The folder from which absolute names are spelled."""
    return path.split("/")[:1] if path.startswith(("src/", "lib/")) else []


def _dotted(path: str) -> str:
    parts = path.removesuffix(".pyi").removesuffix(".py").split("/")
    parts = parts[1:] if parts[0] in ("src", "lib") and len(parts) > 1 else parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" and len(parts) > 1 else parts)
