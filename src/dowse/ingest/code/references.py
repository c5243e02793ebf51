"""What does a source file define for others, and what of others does it use?"""

import re
from collections.abc import Iterator
from functools import lru_cache

from dowse.ingest.code.language import CONTAINERS, Found, Language, SymbolKind
from dowse.ingest.code.outline import Outline
from dowse.ingest.code.subjects import subject_files, subject_names
from dowse.ingest.code.symbols import simple
from dowse.ingest.extract import SourceFile
from dowse.model.source import Definition, Reference

# A type's name begins with a capital: what is called on it is called by its qualified name. Both are read backwards from the call,
# where they are found or not at once; a search for an end begins at every word before it.
_ON_TYPE = re.compile(rb"(?:\.|::|>-|\\)(\w*[A-Z])(?!\w)")
_ON_ANYTHING = re.compile(rb"\.(\w+)")
_SEPARATORS = frozenset({b".", b":", b">", b"\\", b"#", b"@"})
# No name of a type is longer; the look back from a call ends here.
_FARTHEST = 80
# What stands for the object itself, whatever the language calls it.
_OWN = b"self"
_VERSION = re.compile(r"v\d+")
_TYPES = CONTAINERS - {SymbolKind.MODULE}

Placed = tuple[int, Reference]


def definitions(found: Outline, language: Language) -> tuple[Definition, ...]:
    """Every symbol by its name, by that after each of its holders' names, and by its name in its package."""
    package = found.package.replace(language.separator, ".")
    named: dict[tuple[str, str], None] = {}
    known: set[str] = set()
    for one in found.symbols:
        # Of several with one full name, as overloads are, the first stands for all: a name should mean one thing.
        if one.kind == "scope" or one.qualified in known:
            continue
        known.add(one.qualified)
        for name in one.names:
            full = one.qualified if name == one.name else f"{one.qualified.removesuffix(one.name)}{name}"
            parts = full.split(".")
            # A constructor that is called as its class must not be taken for it.
            shortest = len(parts) - (2 if len(parts) > 1 and parts[-1] == parts[-2] else 1)
            for at in range(shortest, -1, -1):
                named[".".join(parts[at:]), one.key] = None
            if package:
                named[f"{package}.{full}", one.key] = None
    return tuple([Definition(name, key, language.family) for name, key in named])


def references(found: Outline, file: SourceFile, language: Language, is_test_file: bool) -> tuple[Reference, ...]:
    """Imports, bases, calls and what is tested, in the order of the source, each once."""
    placed = [
        *_imports(found, file, language),
        *_bases(found, file, language),
        *_calls(found, file, language),
        *_tests(found, language),
    ]
    if is_test_file and (names := subject_files(file.path, language.extensions)):
        placed.append((0, Reference(file.key, "tests", names)))
    placed.sort(key=lambda pair: pair[0])
    return tuple(dict.fromkeys(reference for _, reference in placed))


def _imports(found: Outline, file: SourceFile, language: Language) -> Iterator[Placed]:
    own = f"/{file.path}"
    for entry in found.imports:
        for module in entry.modules:
            for names in language.resolve(file.path, module, entry.items):
                names = tuple(name for name in names if name != own)
                if names:
                    # Paths belong to no language.
                    yield entry.start, Reference(file.key, "imports", names, "" if "/" in names[0] else language.family)


def _bases(found: Outline, file: SourceFile, language: Language) -> Iterator[Placed]:
    keys = {one.qualified: one.key for one in reversed(found.symbols) if one.kind != "scope"}
    for one in found.symbols:
        if not (one.extends or one.implements):
            continue
        for kind, bases in (("extends", one.extends), ("implements", one.implements)):
            for base in bases:
                names = _base_names(base)
                if names and names[-1] != one.name:
                    yield one.head, Reference(one.key or keys.get(one.qualified, file.key), kind, names, language.family)


def _base_names(base: str) -> tuple[str, ...]:
    """A base as written, dotted, then its last part alone."""
    last = simple(base)
    dotted = ".".join(part for part in re.split(r"::|\.|\\", re.sub(r"[<\[(].*", "", base, flags=re.DOTALL).strip()) if part)
    return tuple(dict.fromkeys(name for name in (dotted, last) if name))


def _calls(found: Outline, file: SourceFile, language: Language) -> Iterator[Placed]:
    """Calls, each from the innermost symbol that holds it; what every program calls is left out."""
    source = found.source
    own = tuple(prefix.encode() for prefix in language.own)
    quiet = _encoded(language.quiet)
    packages = _packages(found) if language.by_package else frozenset()
    waiting = [one for one in found.symbols if one.kind != "scope"][::-1]
    around: list[Found] = []
    seen: set[tuple[str, bytes, bytes]] = set()
    for start, end in found.calls:
        while waiting and waiting[-1].start <= start:
            around.append(waiting.pop())
        while around and around[-1].end <= start:
            around.pop()
        name, receiver = source[start:end], b""
        if source[start - 1 : start] in _SEPARATORS:
            before = source[max(0, start - _FARTHEST) : start]
            receiver = _OWN if own and before.endswith(own) else _receiver(before, packages)
        if receiver in quiet or (name in quiet and not receiver):
            continue
        holder = around[-1] if around else None
        key = holder.key if holder is not None else file.key
        if (key, receiver, name) in seen:
            continue
        seen.add((key, receiver, name))
        is_certain = name in quiet or receiver in packages
        names = _call_names(name.decode("utf-8", "replace"), receiver.decode("utf-8", "replace"), holder, is_certain)
        if names:
            yield start, Reference(key, "calls", names, language.family)


@lru_cache(maxsize=64)
def _encoded(names: frozenset[str]) -> frozenset[bytes]:
    """Once a language: it is the same for every file of it."""
    return frozenset(name.encode() for name in names)


def _packages(found: Outline) -> frozenset[bytes]:
    """The names by which a file calls the packages it imports."""
    names = [item for entry in found.imports for item in entry.items]
    for entry in found.imports:
        for module in entry.modules:
            parts = [part for part in module.split("/") if not _VERSION.fullmatch(part)]
            names += parts[-1:]
    return frozenset(name.encode() for name in names)


def _receiver(before: bytes, packages: frozenset[bytes]) -> bytes:
    """The type or package that is named right before a call; nothing if that is a variable."""
    match = (_ON_ANYTHING if packages else _ON_TYPE).match(before[::-1])
    if match is None:
        return b""
    named = match[1][::-1]
    return named if named in packages or named[:1].isupper() else b""


def _call_names(name: str, receiver: str, holder: Found | None, is_certain: bool) -> tuple[str, ...]:
    """The names a call may mean: after its type or package where the source says which, then alone unless that is certain."""
    type_ = _type_around(holder) if receiver == _OWN.decode() else receiver
    if type_:
        qualified = f"{type_}.{name}"
        if holder is not None and qualified == holder.qualified:
            return ()
        return (qualified,) if is_certain else (qualified, name)
    return () if is_certain or (holder is not None and name == holder.name) else (name,)


def _type_around(one: Found | None) -> str:
    """The qualified name of the type whose member this is."""
    while one is not None:
        if one.owners:
            return one.qualified.removesuffix(f".{one.name}")
        if one.kind in _TYPES or one.kind == "scope":
            return one.qualified
        one = one.parent
    return ""


def _tests(found: Outline, language: Language) -> Iterator[Placed]:
    for one in found.symbols:
        if one.test and one.kind in (SymbolKind.FUNCTION, SymbolKind.METHOD, SymbolKind.CLASS):
            names = subject_names(one.name, one.kind == SymbolKind.CLASS)
            if names:
                yield one.head, Reference(one.key, "tests", names, language.family)
