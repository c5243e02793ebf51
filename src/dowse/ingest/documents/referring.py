"""What do the links and mentions of a section refer to, by the names others define?"""

import posixpath
import re
from collections.abc import Iterator
from pathlib import PurePosixPath
from urllib.parse import unquote

from dowse.domains.pages import slug
from dowse.ingest.documents.outline import Link, Section, anchor_of
from dowse.ingest.extract import SourceFile
from dowse.model.source import Reference

PAGE_FAMILY = "page"
"""Names that only documents define: pages by their titles, labels by their names."""

_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:|//")
_EXTENSIONS = frozenset(
    "adoc bash bat c cc cfg cjs clj conf cpp cs css csv cxx dart env ex exs go gradle graphql h hpp hs htm html hxx ini ipynb java "
    "js json jsonc jsonl jsx kt kts lock lua m md mdx mjs mk mm php pl proto ps1 py pyi pyx r rb rs rst sass scala scss sh sql "
    "svelte swift tf toml ts tsx txt vue xml yaml yml zig zsh".split()
)
_INDEXES = ("README.md", "index.md", "index.mdx", "index.rst", "README.rst")
_FILE = re.compile(r"(?:\./|\.\./|/)*[\w.@+-]+(?:/[\w.@+-]+)*/?")
_LINE_NUMBER = re.compile(r"(?::\d+){1,2}$|#L\d+(?:-L?\d+)?$")
_SYMBOL = re.compile(r"(?:(?:self|this|cls)\.)?([A-Za-z_$][\w$]*(?:(?:\.|::|->|#)[A-Za-z_$][\w$]*)*)!?(\([^()]*\))?;?")
_SEPARATOR = re.compile(r"::|->|#")
_LETTERS = re.compile(r"[^\W\d_]")
# Shorter names are those of variables; what is a word of English is too often just that.
_FEWEST_LETTERS = 4
_LONGEST = 200
_VALUES = frozenset(("true", "false", "none", "null", "undefined", "self", "this", "todo", "fixme"))


def references(file: SourceFile, section: Section, key: str) -> tuple[Reference, ...]:
    """What a section refers to, each thing once and in order of appearance."""
    found = [reference for link in section.links for reference in _link(file, section, key, link)]
    found += [reference for mention in section.mentions for reference in _mention(file, key, mention)]
    return tuple(dict.fromkeys(found))


def _link(file: SourceFile, section: Section, key: str, link: Link) -> Iterator[Reference]:
    target = unquote(link.target.strip())
    if link.wiki:
        names = _wiki_names(file, link)
        family = "" if names[:1] and names[0].startswith("/") else PAGE_FAMILY
        kind = "links_to"
    elif target.startswith("ref:"):
        names, kind, family = (target,), "references", PAGE_FAMILY
    elif not target or _SCHEME.match(target):
        return
    else:
        names, kind, family = _path_names(file, target), "references", ""
    own = f"/{file.path}#{section.anchor}"
    if names and names[0] != own:
        yield Reference(key, kind, names, family)


def _wiki_names(file: SourceFile, link: Link) -> tuple[str, ...]:
    """A page by its slug or title; by the last part of a path too, since pages are known by their files' names as well."""
    page, _, heading = link.target.partition("#")
    if not page.strip():
        return (f"/{file.path}#{anchor_of(heading)}",) if heading else ()
    title = link.text.partition("#")[0]
    slugs = [slug(page), slug(title), slug(PurePosixPath(page.strip()).stem)]
    return tuple(dict.fromkeys(f"page:{name}" for name in slugs if name))


def _path_names(file: SourceFile, target: str) -> tuple[str, ...]:
    path, _, anchor = target.partition("#")
    path = path.partition("?")[0]
    if not path:
        return tuple(dict.fromkeys((f"/{file.path}#{anchor}", f"/{file.path}#{anchor.lower()}"))) if anchor else ()
    place = _resolved(file.path, path)
    if not place:
        return ()
    candidates = _candidates(place, file.path)
    parts = [f"{name}#{form}" for name in candidates for form in (anchor, anchor.lower())] if anchor else []
    # A path from the root may be meant from that of the documentation.
    ending = [candidates[0].lstrip("/")] if path.startswith("/") and "/" in place else []
    return tuple(dict.fromkeys((*parts, *candidates, *ending)))


def _resolved(base: str, path: str) -> str:
    """The path from the root of the project, or nothing where it leads out of it."""
    joined = path.lstrip("/") if path.startswith("/") else posixpath.join(posixpath.dirname(base), path)
    place = posixpath.normpath(joined)
    return "" if place in (".", "..") or place.startswith("../") else place


def _candidates(place: str, base: str) -> tuple[str, ...]:
    """A path without an extension may be a folder, or a page as sites name it."""
    if PurePosixPath(place).suffix.lstrip(".").lower() in _EXTENSIONS:
        return (f"/{place}",)
    own = PurePosixPath(base).suffix
    return (f"/{place}", f"/{place}{own}", *(f"/{place}/{index}" for index in _INDEXES))


def _mention(file: SourceFile, key: str, mention: str) -> Iterator[Reference]:
    mention = mention.strip()
    if not mention or len(mention) > _LONGEST or "://" in mention:
        return
    path = _LINE_NUMBER.sub("", mention)
    if _is_path(path):
        if names := _file_names(file, path):
            yield Reference(key, "references", names)
    elif names := _symbol_names(mention):
        yield Reference(key, "documents", names)


def _is_path(text: str) -> bool:
    if not _FILE.fullmatch(text) or not _LETTERS.search(text):
        return False
    name = PurePosixPath(text).name
    return "/" in text.rstrip("/") or text.endswith("/") or PurePosixPath(name).suffix.lstrip(".").lower() in _EXTENSIONS


def _file_names(file: SourceFile, path: str) -> tuple[str, ...]:
    near = _resolved(file.path, path)
    far = posixpath.normpath(path.lstrip("/"))
    if far.startswith(".."):
        return (f"/{near}",) if near else ()
    names = (*((f"/{near}",) if near else ()), f"/{far}", far)
    return tuple(dict.fromkeys(name for name in names if name not in ("/.", ".")))


def _symbol_names(mention: str) -> tuple[str, ...]:
    match = _SYMBOL.fullmatch(mention)
    if match is None:
        return ()
    name, called = _SEPARATOR.sub(".", match[1]), match[2] is not None
    if len(_LETTERS.findall(name)) < _FEWEST_LETTERS or name.lower() in _VALUES or not (called or _is_distinctive(name)):
        return ()
    parts = name.split(".")
    shorter = [".".join(parts[-2:])] if len(parts) > 2 else []
    last = [parts[-1]] if len(parts[-1]) >= _FEWEST_LETTERS and _is_distinctive(parts[-1]) else []
    return tuple(dict.fromkeys((name, *shorter, *last)))


def _is_distinctive(name: str) -> bool:
    """Whether a name is no plain word: it has capitals, a dot or an underscore."""
    return not name.islower() or "." in name or "_" in name.strip("_")
