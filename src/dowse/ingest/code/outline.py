"""What does a source file define, call and import, and where? One query over its tree, put in order.

Every pattern of a language's query has exactly one capture that says what its matches stand for:

    @function @method @class @interface @type @enum @constant @module    a definition; the whole declaration
    @scope      holds definitions without being one: its @name qualifies them (Rust's impl, Swift's extension)
    @inner      definitions inside of it are none: it is a function without a name (a callback)
    @call       the name of what is called (the name alone, without its receiver)
    @import     a whole import statement, with @from for the module as written and @item for each thing taken from it
    @comment    a comment; right before a definition it is the definition's documentation
    @attribute  a decorator, annotation or attribute, which belongs to the definition that follows or holds it
    @package    the name of the package or namespace that all of the file belongs to
    @export     a name that the file lists as exported
    @filedoc    the file's own documentation, where that is no comment

and beside a definition these say more about it:

    @name       its name; several for several, the first counts
    @body       where the signature ends; without it the whole declaration is the signature
    @owner      the type it belongs to, if it stands outside of it
    @outer      a node around it that belongs to it (export statement)
    @doc        documentation inside of it
    @extends, @implements    a base's name
    @exported, @testing      anything: it is exported, or a test

and beside anything:

    @place      what it must stand in: a node of one of the language's places. As a pattern for each, a query takes long to compile.

Patterns that match the same node add up; the first in the query that names a kind decides it.
"""

from bisect import bisect_right
from dataclasses import dataclass, field
from typing import TypeVar

import tree_sitter

from dowse.ingest.code.grammars import Grammar
from dowse.ingest.code.language import CONTAINERS, Found, Import, SymbolKind

_KINDS = frozenset(SymbolKind) - {SymbolKind.BLOCK} | {"scope", "inner"}
_HOLDS = CONTAINERS | {"scope"}

# Captures whose texts are kept, and where.
_TEXTS = {"name": "names", "owner": "owners", "extends": "extends", "implements": "implements"}

# Matches that may be open at once. Patterns over neighbours open one a neighbour, and their number squared is the time; real files
# need few: 2,270 of them in ten languages gave the same matches with this limit as without.
_OPEN_MATCHES = 256

Captures = dict[str, list[tree_sitter.Node]]
Span = tuple[int, int]
Item = TypeVar("Item")


@dataclass(slots=True)
class Outline:
    """What was found in a file, each list in the order of the source."""

    source: bytes
    symbols: list[Found] = field(default_factory=list)
    """Definitions, those inside others after the one that holds them; scopes among them."""
    imports: list[Import] = field(default_factory=list)
    calls: list[Span] = field(default_factory=list)
    comments: list[Span] = field(default_factory=list)
    attributes: list[Span] = field(default_factory=list)
    exports: list[str] = field(default_factory=list)
    package: str = ""
    package_spans: list[Span] = field(default_factory=list)
    docs: list[Span] = field(default_factory=list)
    _letters: str | None = None
    """The whole source, where every byte is a letter of its own."""

    def __post_init__(self) -> None:
        if self.source.isascii():
            self._letters = self.source.decode("ascii")

    def text(self, start: int, end: int) -> str:
        if self._letters is not None:
            return self._letters[start:end]
        # A place inside a character is the grammar's slip; the rest of the text is still worth having.
        return self.source[start:end].decode("utf-8", "replace")


def outline(source: bytes, root: tree_sitter.Node, grammar: Grammar) -> Outline:
    """Everything the query finds below ``root``, with each definition inside the one that holds it."""
    found = Outline(source)
    calls, comments, roles, places = found.calls, found.comments, grammar.roles, grammar.language.places
    defined: dict[Span, tuple[int, Found]] = {}
    imported: dict[Span, tuple[list[str], list[str]]] = {}
    for pattern, captures in tree_sitter.QueryCursor(grammar.query, match_limit=_OPEN_MATCHES).matches(root):
        role = roles[pattern]
        if places and "place" in captures and captures["place"][0].type not in places:
            continue
        if role == "call":
            calls.append(captures["call"][0].byte_range)
        elif role == "comment":
            comments.append(captures["comment"][0].byte_range)
        elif role in _KINDS:
            _define(found, defined, role, pattern, captures)
        elif role == "import":
            modules, items = imported.setdefault(_span(captures["import"][0]), ([], []))
            modules += _new(_texts(found, captures.get("from", [])), modules)
            items += _new(_texts(found, captures.get("item", [])), items)
        else:
            _note(found, role, captures[role][0])
    found.imports = [Import(*span, tuple(modules), tuple(items)) for span, (modules, items) in sorted(imported.items())]
    for spans in (found.calls, found.comments, found.attributes):
        spans.sort()
    named = (one for _, one in defined.values() if one.names or one.kind == "inner")
    _nest(found, sorted(named, key=lambda one: (one.start, -one.end)))
    return found


def _define(found: Outline, defined: dict[Span, tuple[int, Found]], kind: str, pattern: int, captures: Captures) -> None:
    """Adds what a match says to the definition at its node."""
    node = captures[kind][0]
    span = _span(node)
    first, one = defined.get(span, (pattern, None))
    if one is None:
        one = Found(kind, head=span[0], start=span[0], end=span[1], body=span[1])
        defined[span] = (pattern, one)
    elif pattern < first:
        one.kind = kind
        defined[span] = (pattern, one)
    for capture, nodes in captures.items():
        if capture == kind:
            continue
        if capture in _TEXTS:
            known: list[str] = getattr(one, _TEXTS[capture])
            known += _new(_texts(found, nodes), known)
        elif capture == "body":
            one.body = min(one.body, nodes[0].start_byte)
        elif capture == "doc":
            one.docs += _new([_span(node) for node in nodes], one.docs)
        elif capture == "outer":
            one.start = min(one.start, nodes[0].start_byte)
            one.end = max(one.end, nodes[0].end_byte)
        elif capture == "exported":
            one.marked = True
        elif capture == "testing":
            one.testing = True


def _note(found: Outline, role: str, node: tree_sitter.Node) -> None:
    if role == "attribute":
        found.attributes.append(_span(node))
    elif role == "package":
        found.package = found.package or _texts(found, [node])[0]
        found.package_spans.append(_span(node))
    elif role == "export":
        found.exports.append(_texts(found, [node])[0])
    elif role == "filedoc":
        found.docs.append(_span(node))


def _nest(found: Outline, definitions: list[Found]) -> None:
    """Puts each definition into the one around it; what stands inside a function stays part of the function."""
    leading = sorted(
        [(end, start, True) for start, end in found.comments] + [(end, start, False) for start, end in found.attributes]
    )
    around: list[Found] = []
    for one in definitions:
        while around and around[-1].end <= one.start:
            around.pop()
        if around and (around[-1].kind not in _HOLDS or one.end > around[-1].end):
            continue
        around.append(one)
        if one.kind == "inner":
            continue
        if leading:
            _take_leading(found.source, one, leading)
        if len(around) > 1:
            one.parent = around[-2]
            one.parent.members.append(one)
        found.symbols.append(one)
    found.symbols.sort(key=lambda one: (one.outer, -one.end))


def _take_leading(source: bytes, one: Found, leading: list[tuple[int, int, bool]]) -> None:
    """Gives a definition the decorators and comments on the lines right before it."""
    edge = one.start
    at = bisect_right(leading, (edge, edge, True))
    while at > 0:
        at -= 1
        end, start, is_comment = leading[at]
        gap = source[end:edge]
        if gap.strip() or gap.count(b"\n") + (source[end - 1 : end] == b"\n") > 1:
            break
        if is_comment:
            if source[source.rfind(b"\n", 0, start) + 1 : start].strip():
                break
            one.comments.insert(0, (start, end))
        else:
            one.start = start
        edge = start


def _span(node: tree_sitter.Node) -> Span:
    return node.byte_range


def _texts(found: Outline, nodes: list[tree_sitter.Node]) -> list[str]:
    return [found.text(*node.byte_range) for node in nodes]


def _new(items: list[Item], known: list[Item]) -> list[Item]:
    if not known and len(items) == 1:
        return items
    return [item for item in dict.fromkeys(items) if item not in known]
