"""How is a value put into JSON with comments, or taken out, so that every other character stays?

The text is read into values that remember where they stand; an edit cuts and inserts there. Libraries that read comments exist, but
they write a file anew.
"""

import json
import re
from dataclasses import dataclass
from typing import Any

from dowse.errors import StorageError

# Deeper than any settings file, and far from what the interpreter's stack holds.
_DEEPEST = 200
_DEFAULT_INDENT = "  "
_SPACE = " \t\r\n"
_TRIVIA = re.compile(r"(?:[ \t\r\n]+|//[^\n]*|/\*.*?\*/)*", re.DOTALL)
_STRING = re.compile(r'"(?:[^"\\\x00-\x1f]|\\.)*"')
_SCALAR = re.compile(r"(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)(?![\w.])")
_COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)

Keys = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Node:
    """A value and where it stands; ``members`` only of an object."""

    start: int
    end: int
    value: Any
    members: "tuple[Member, ...] | None" = None

    def member(self, key: str) -> "Member | None":
        """Of several with one key the last, as every JSON parser has it."""
        return next((item for item in reversed(self.members or ()) if item.key == key), None)


@dataclass(frozen=True, slots=True)
class Member:
    key: str
    start: int
    node: Node


def read(text: str) -> Any:
    """The value of the text, an empty object if there is nothing but comments.

    >>> read('{"a": [1, 2,], /* why */ "b": null}')
    {'a': [1, 2], 'b': None}
    """
    root = _parse(text)
    return {} if root is None else root.value


def put(text: str, path: Keys, value: Any) -> str:
    """The text with the value at that path, objects on the way to it made as needed.

    >>> print(put('{"a": 1 // one\\n}', ("b",), 2))
    {"a": 1, // one
      "b": 2
    }
    """
    newline = "\r\n" if "\r\n" in text else "\n"
    node = _parse(text)
    if node is None:
        return _lines_of(text, newline) + _render(_nested(path, value), "", _DEFAULT_INDENT, newline) + newline
    unit = _indent_unit(text, node)
    for depth, key in enumerate(path):
        if node.members is None:
            raise StorageError(f"line {_line(text, node.start)}: {'.'.join(path[:depth]) or 'the whole'} is not an object.")
        member = node.member(key)
        if member is None:
            return _insert(text, node, (key, _nested(path[depth + 1 :], value)), unit, newline)
        node = member.node
    return text[: node.start] + _render(value, _indent_at(text, node.start), unit, newline) + text[node.end :]


def drop(text: str, path: Keys) -> str:
    """The text without what is at that path.

    >>> drop('{"a": 1, "b": 2}', ("b",))
    '{"a": 1}'
    """
    node = _parse(text)
    for key in path[:-1]:
        inner = node.member(key) if node else None
        node = inner.node if inner else None
    if node is None or node.member(path[-1]) is None:
        return text
    # The key may stand there more than once.
    return drop(_without(text, node, path[-1]), path)


def _parse(text: str) -> Node | None:
    start = _skip(text, 0)
    if start == len(text):
        return None
    node = _value(text, start, 0)
    end = _skip(text, node.end)
    if end != len(text):
        raise _unexpected(text, end, "the end")
    return node


def _value(text: str, at: int, depth: int) -> Node:
    if depth > _DEEPEST:
        raise StorageError(f"line {_line(text, at)}: nested more than {_DEEPEST} deep.")
    match text[at : at + 1]:
        case "{":
            return _object(text, at, depth)
        case "[":
            return _array(text, at, depth)
        case '"':
            return _string(text, at)
    scalar = _SCALAR.match(text, at)
    if scalar is None:
        raise _unexpected(text, at, "a value")
    return Node(at, scalar.end(), json.loads(scalar[0]))


def _string(text: str, at: int) -> Node:
    found = _STRING.match(text, at)
    if found is None:
        raise _unexpected(text, at, "a string")
    try:
        return Node(at, found.end(), json.loads(found[0]))
    except json.JSONDecodeError as error:
        raise StorageError(f"line {_line(text, at)}: a string has an escape that JSON does not know.") from error


def _object(text: str, start: int, depth: int) -> Node:
    members = []
    at = _skip(text, start + 1)
    while text[at : at + 1] != "}":
        key = _string(text, at)
        colon = _skip(text, key.end)
        if text[colon : colon + 1] != ":":
            raise _unexpected(text, colon, "':'")
        value = _value(text, _skip(text, colon + 1), depth + 1)
        members.append(Member(key.value, at, value))
        at = _next(text, value.end, "}")
    return Node(start, at + 1, {item.key: item.node.value for item in members}, tuple(members))


def _array(text: str, start: int, depth: int) -> Node:
    values = []
    at = _skip(text, start + 1)
    while text[at : at + 1] != "]":
        value = _value(text, at, depth + 1)
        values.append(value.value)
        at = _next(text, value.end, "]")
    return Node(start, at + 1, values)


def _next(text: str, end: int, close: str) -> int:
    """Where the next member starts, or the bracket that closes; a comma may stand before either."""
    at = _skip(text, end)
    if text[at : at + 1] == ",":
        return _skip(text, at + 1)
    if text[at : at + 1] != close:
        raise _unexpected(text, at, f"',' or '{close}'")
    return at


def _insert(text: str, node: Node, member: tuple[str, Any], unit: str, newline: str) -> str:
    key, value = member
    closing = _indent_at(text, node.start)
    written = f"{json.dumps(key, ensure_ascii=False)}: "
    inside_end = _trimmed(text, node.end - 1)
    if not node.members:
        body = newline + closing + unit + written + _render(value, closing + unit, unit, newline)
        return text[:inside_end] + body + newline + closing + text[node.end - 1 :]
    first, last = node.members[0], node.members[-1]
    comma = text[_skip(text, last.node.end)] == ","
    if "\n" in text[node.start : node.end]:
        indent = _indent_at(text, first.start) if _starts_line(text, first.start) else closing + unit
        body = newline + indent + written + _render(value, indent, unit, newline)
    else:
        body = " " + written + json.dumps(value, ensure_ascii=False)
    head = text[:inside_end] if comma else text[: last.node.end] + "," + text[last.node.end : inside_end]
    return head + body + ("," if comma else "") + text[inside_end:]


def _without(text: str, node: Node, key: str) -> str:
    members = node.members or ()
    index = max(place for place, item in enumerate(members) if item.key == key)
    member = members[index]
    start, end = _trimmed(text, member.start), member.node.end
    comma = _skip(text, end)
    if text[comma] == ",":
        end = comma + 1
    before = members[index - 1].node.end if index else node.start
    if "\n" in text[start : member.start] and _needs_its_line(text, before, member, end):
        start, end = member.start, len(text) - len(text[end:].lstrip(" \t"))
    head, tail = text[:start], text[end:]
    if len(members) == 1 and start == node.start + 1 and not text[end : node.end - 1].strip():
        tail = text[node.end - 1 :]
    if index and text[comma] != ",":
        between = _skip(text, before)
        head = head[:between] + head[between + 1 :]
    return head + tail


def _needs_its_line(text: str, before: int, member: Member, end: int) -> bool:
    """Whether what follows on the member's line may not go up to the line above: it would become a comment, or is one."""
    above = _COMMENT.findall(text, before, member.start)
    follows = text[end:].lstrip(" \t")[:1]
    return follows == "/" or (bool(above) and above[-1].startswith("//") and follows not in "\r\n")


def _render(value: Any, indent: str, unit: str, newline: str) -> str:
    if not isinstance(value, dict) or not value:
        return json.dumps(value, ensure_ascii=False)
    deeper = indent + unit
    lines = (
        f"{deeper}{json.dumps(key, ensure_ascii=False)}: {_render(item, deeper, unit, newline)}" for key, item in value.items()
    )
    return "{" + newline + f",{newline}".join(lines) + newline + indent + "}"


def _nested(path: Keys, value: Any) -> Any:
    for key in reversed(path):
        value = {key: value}
    return value


def _indent_unit(text: str, root: Node) -> str:
    first = root.members[0] if root.members else None
    return (_indent_at(text, first.start) if first and _starts_line(text, first.start) else "") or _DEFAULT_INDENT


def _indent_at(text: str, at: int) -> str:
    """The white space that the line begins with."""
    line = text[text.rfind("\n", 0, at) + 1 : at]
    return line[: len(line) - len(line.lstrip(" \t"))]


def _starts_line(text: str, at: int) -> bool:
    return not text[text.rfind("\n", 0, at) + 1 : at].strip()


def _trimmed(text: str, end: int) -> int:
    """Where the last character before ``end`` ends that is no white space."""
    while end and text[end - 1] in _SPACE:
        end -= 1
    return end


def _skip(text: str, at: int) -> int:
    found = _TRIVIA.match(text, at)
    return found.end() if found else at


def _lines_of(text: str, newline: str) -> str:
    return text if not text or text.endswith("\n") else text + newline


def _line(text: str, at: int) -> int:
    return text.count("\n", 0, at) + 1


def _unexpected(text: str, at: int, wanted: str) -> StorageError:
    found = repr(text[at]) if at < len(text) else "the end"
    return StorageError(f"line {_line(text, at)}: {wanted} was expected, {found} found.")
