"""Which parser and query read a language? Loaded when the first file of the language comes, then kept."""

import re
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from pkgutil import iter_modules

import tree_sitter

from dowse.ingest.code import languages
from dowse.ingest.code.language import Language, SymbolKind

NAMES = frozenset(module.name for module in iter_modules(languages.__path__))
"""The languages that have a declaration: each is a module of its name in ``languages``."""

_ROLES = frozenset({*SymbolKind, "scope", "inner", "import", "call", "comment", "attribute", "package", "export", "filedoc"})
_CAPTURE = re.compile(r"@([\w.]+)")
_STRING = re.compile(r'"(?:[^"\\]|\\.)*"|;.*')


@dataclass(frozen=True, slots=True)
class Grammar:
    """All that is needed to read a file. ``roles`` has, for each pattern of the query, what its matches stand for."""

    language: Language
    parser: tree_sitter.Parser
    query: tree_sitter.Query
    roles: tuple[str, ...]


@cache
def load(name: str) -> Grammar:
    """The grammar of a language. Importing twenty of them at once would cost every start of the program."""
    language: Language = import_module(f"dowse.ingest.code.languages.{name}").LANGUAGE
    grammar = tree_sitter.Language(getattr(import_module(language.grammar), language.function)())
    query = tree_sitter.Query(grammar, language.query)
    return Grammar(language, tree_sitter.Parser(grammar), query, _roles(query, language))


def _roles(query: tree_sitter.Query, language: Language) -> tuple[str, ...]:
    """What the matches of each pattern stand for: the one capture of each that names a role."""
    source = language.query.encode()
    roles: list[str] = []
    for pattern in range(query.pattern_count):
        text = source[query.start_byte_for_pattern(pattern) : query.end_byte_for_pattern(pattern)].decode()
        used = {capture for capture in _CAPTURE.findall(_STRING.sub("", text)) if capture in _ROLES}
        if len(used) != 1:
            raise ValueError(f"One capture must say what a match stands for, not {sorted(used)}: {language.name}, {text}")
        roles += used
    return tuple(roles)
