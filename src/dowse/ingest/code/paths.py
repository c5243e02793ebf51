"""Which paths may an import mean? Pieces that the languages' own rules are made of."""

from collections.abc import Iterable
from posixpath import normpath


def folder(path: str) -> str:
    """The folder a file is in, with a slash at both ends.

    >>> folder("src/a.py"), folder("a.py")
    ('/src/', '/')
    """
    head, mark, _ = path.rpartition("/")
    return f"/{head}/" if mark else "/"


def beside(path: str, relative: str) -> str:
    """The exact path that ``relative`` means in a file at ``path``; empty if it leads out of the project.

    >>> beside("src/web/a.js", "../b.js"), beside("a.js", "../b.js")
    ('/src/b.js', '')
    """
    parts: list[str] = folder(path).strip("/").split("/") if folder(path) != "/" else []
    for part in relative.split("/"):
        if part == "..":
            if not parts:
                return ""
            parts.pop()
        elif part not in ("", "."):
            parts.append(part)
    return normpath("/" + "/".join(parts))


def each(stems: Iterable[str], endings: Iterable[str]) -> tuple[str, ...]:
    """Every stem with every ending, without repeats; empty stems make none.

    >>> each(["/a", "/b"], [".py", "/__init__.py"])
    ('/a.py', '/a/__init__.py', '/b.py', '/b/__init__.py')
    """
    endings = tuple(endings)
    return tuple(dict.fromkeys(stem + ending for stem in stems if stem for ending in endings))


def distinct(names: Iterable[str]) -> tuple[str, ...]:
    """The names in order, each once, none empty."""
    return tuple(dict.fromkeys(name for name in names if name))
