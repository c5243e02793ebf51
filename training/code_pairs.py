"""Which sentences of a source file say what which of its code does?

Four kinds: a documentation comment and the code it stands before, the name of a test and its body, an error message and the
lines around it, the name of a function and its body. What is the query is taken out of the passage, so that the words alone
do not give it away.
"""

import ast
import re
from collections.abc import Callable, Iterator
from typing import NamedTuple

CODE_LIMIT = 1_400
LINE_LIMIT = 45


class Pair(NamedTuple):
    kind: str
    query: str
    passage: str


_SLASHES = """
js mjs cjs jsx ts tsx mts java kt kts scala groovy swift m mm go rs c h cc cpp cxx hpp hh cs php zig dart d vala sol fs
""".split()
_HASHES = "rb rake pl pm sh bash bats r ex exs jl nim tcl cmake nix py".split()
_DASHES = "hs lhs lua sql".split()
_SEMICOLONS = "el lisp clj scm".split()
_STARS = "ml mli".split()

_C = r"^[ \t]*(?:/\*[*!]*(?P<block>[^/](?:(?!\*/).){10,1500}?)\*/[ \t]*\n|(?P<lines>(?:[ \t]*//[/!]?[^\n]*\n){1,30}))"
_HASH = r"^(?P<lines>(?:[ \t]*#(?!!)[^\n]*\n){1,30})|^[ \t]*@(?:module|type)?doc ~?S?\"{3}\n(?P<block>.{10,3000}?)\"{3}\n"
_DASH = r"^(?P<lines>(?:[ \t]*--[^\n]*\n){1,30})|\{-\s?\|(?P<block>.{10,2000}?)-\}\n"
COMMENTS = {
    **dict.fromkeys(_SLASHES, re.compile(_C, re.M | re.S)),
    **dict.fromkeys(_HASHES, re.compile(_HASH, re.M | re.S)),
    **dict.fromkeys(_DASHES, re.compile(_DASH, re.M | re.S)),
    **dict.fromkeys(_SEMICOLONS, re.compile(r"^(?P<lines>(?:[ \t]*;.*\n){1,30})(?P<block>)", re.M)),
    **dict.fromkeys(_STARS, re.compile(r"^[ \t]*\(\*\*?(?P<block>.{10,1500}?)\*\)[ \t]*\n(?P<lines>)", re.M | re.S)),
}

_MARK = re.compile(r"^[ \t]*(?:///?!?|/\*+!?|\*+|#+['!]?|--+[ \t]*[|^]?|;+|%+)?[ \t]?", re.M)
_TAGS = re.compile(r"<[^>\n]{1,80}>|\{@\w+ ([^}]*)\}|\[`?([^\]\n]{1,60})`?\]\([^)\n]*\)|\\[a-z]+ ")
_LEGAL = re.compile(r"copyright|licen[sc]e|all rights|spdx|eslint|pylint|noqa|todo|fixme|generated|\$id", re.I)
_SENTENCE = re.compile(r"(?<=[a-z0-9)`'\"])[.!?](?:\s|$)|\n\s*\n|\n\s*(?:@|:param|Args:|Parameters|Returns?:|Example)")
_TEST = re.compile(
    r"""^[ \t]*(?:it|test|describe|context|specify|scenario|should|testcase|Feature|@test)\b[ (]+["'`]([^"'`\n]{12,140})["'`]""",
    re.M,
)
_ERROR = re.compile(
    r"""\b(?:raise|throw|panic|die|croak|error|fatal|warn\w*|log\w*|abort|Errorf|bail|fail|fprintf|printf|print)!?\b"""
    r"""[^"'\n]{0,60}["']([^"'\n]{22,150})["']""",
    re.M | re.I,
)
_DEFINED = re.compile(
    r"^[ \t]*(?:(?:export|public|private|protected|internal|static|async|pub(?:\([a-z]+\))?|abstract|final|override|default|open"
    r"|inline|local|const)\s+)*"
    r"(?:def|defp|function|func|fn|fun|sub|class|struct|interface|trait|module|object|enum|protocol|extension)\s+"
    r"(?:\([^)\n]{1,40}\)\s*)?([A-Za-z_]\w{5,})",
    re.M,
)
_OTHER = re.compile(r"[^A-Za-z ]+")
_PARTS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")


def code_pairs(path: str, text: str, wanted: Callable[[str], bool]) -> Iterator[Pair]:
    """The pairs of a source file, of the kinds that are wanted."""
    ending = path.rsplit(".", 1)[-1].lower()
    if ending in ("py", "pyi") and wanted("doc"):
        yield from _python(path, text)
    if ending in COMMENTS:
        if wanted("doc") or wanted("comment"):
            yield from _commented(path, text, COMMENTS[ending])
        for kind, found in (("test", _tests), ("error", _errors), ("name", _named)):
            if wanted(kind):
                yield from found(path, text)


def first_sentence(text: str) -> str:
    """The first sentence of a comment without its marks; empty if it is no sentence about code."""
    text = _TAGS.sub(lambda match: match[1] or match[2] or " ", text).strip()
    if not text or text[0] in "@\\:" or _LEGAL.search(text[:300]):
        return ""
    sentence = " ".join(_SENTENCE.split(text, maxsplit=1)[0].split())[:300]
    found = re.findall(r"[A-Za-z]{2,}", sentence)
    return sentence if 3 <= len(found) <= 45 and mostly_letters(sentence, 0.8) else ""


def mostly_letters(text: str, share: float) -> bool:
    return len(_OTHER.sub("", text)) >= share * len(text)


def _python(path: str, text: str) -> Iterator[Pair]:
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return
    lines = text.split("\n")
    for node in _definitions(tree):
        if isinstance(node.body[0], ast.Expr):
            documentation = ast.get_docstring(node)
            sentence = first_sentence(documentation) if documentation else ""
            if sentence:
                start, end = node.body[0].lineno - 1, node.body[0].end_lineno or 0
                rest = _SENTENCE.split(documentation or "", maxsplit=1)[1:]
                body = lines[node.lineno - 1 : start] + rest + lines[end : min(node.end_lineno or end, end + LINE_LIMIT)]
                yield Pair("doc", sentence, _passage(path, "\n".join(body)))


def _definitions(tree: ast.Module | ast.ClassDef) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef]:
    for node in tree.body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            yield node
        if isinstance(node, ast.ClassDef):
            yield from _definitions(node)


def _commented(path: str, text: str, comments: re.Pattern[str]) -> Iterator[Pair]:
    for match in comments.finditer(text):
        comment = _MARK.sub("", match["lines"] or match["block"] or "")
        sentence = first_sentence(comment)
        code = _block(text, match.end()) if sentence else ""
        if len(code) > 40:
            rest = "".join(_SENTENCE.split(comment.strip(), maxsplit=1)[1:])[:400]
            yield Pair("doc" if len(code) > 200 else "comment", sentence, _passage(path, f"{rest}\n{code}" if rest else code))


def _tests(path: str, text: str) -> Iterator[Pair]:
    for match in _TEST.finditer(text):
        body = _block(text, text.find("\n", match.end()) + 1, inside=True)
        if len(body) > 60:
            yield Pair("test", match[1], _passage(path, body))


def _errors(path: str, text: str) -> Iterator[Pair]:
    for match in _ERROR.finditer(text):
        message = " ".join(re.sub(r"%[\w.]+|\{[^}]*\}|\\\w|\$\w+|<[^>]*>", " ", match[1]).split())
        if len(re.findall(r"[a-z]{3,}", message)) >= 4:
            before, after = text.rfind("\n", 0, max(0, match.start() - 350)) + 1, text.find("\n", match.end() + 250)
            around = text[before : match.start(1)] + text[match.end(1) : after if after > 0 else len(text)]
            yield Pair("error", message, _passage(path, around))


def _named(path: str, text: str) -> Iterator[Pair]:
    for match in _DEFINED.finditer(text):
        name = " ".join(_PARTS.findall(match[1])).lower()
        if " " in name:
            block = _block(text, match.start())
            if len(block) > 120:
                yield Pair("name", name, _passage(path, block.replace(match[1], "_")))


def _passage(path: str, code: str) -> str:
    """Half of the passages have the path in front, as in an index; which half depends on the path alone."""
    return f"{path}\n{code}"[:CODE_LIMIT] if len(path) % 2 else code[:CODE_LIMIT]


def _block(text: str, start: int, inside: bool = False) -> str:
    """The code from here to the end of what begins here, told by its indentation."""
    taken: list[str] = []
    margin = -1
    for line in text[start : start + 3 * CODE_LIMIT].split("\n"):
        bare = line.strip()
        if not bare:
            if margin < 0:
                return ""
            taken.append("")
            continue
        indent = len(line) - len(line.lstrip())
        if margin < 0:
            margin = max(indent, 1) if inside else indent
        elif indent < margin or (indent == margin and not taken[-1] and not inside):
            break
        taken.append(line)
        if len(taken) >= LINE_LIMIT or (indent == margin and len(taken) > 2 and bare[0] in "})]" and not inside):
            break
    return "\n".join(taken).strip()
