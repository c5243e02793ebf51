"""What does a package say in its source? The public declarations with their signatures and what is written about them."""

import ast
import re
import textwrap
from collections.abc import Iterator, Mapping
from pathlib import PurePosixPath

from dowse.ingest.code import read_code
from dowse.ingest.extract import SourceFile
from dowse.ingest.libraries.pieces import CODE, INFO, Piece
from dowse.model.record import Record
from dowse.text.sentences import split

_LONGEST = 4000
_FEWEST_MODULE_WORDS = 4
# A declaration that was written on many lines is told on one.
_AFTER_OPENING, _BEFORE_CLOSING = re.compile(r"\( "), re.compile(r",? \)")
_SETTER = re.compile(r"^\s*@[\w.]+\.(?:setter|deleter)\s*$", re.MULTILINE)
# Of a class, what makes one.
_MAKER = ".__init__"
# In a file of declarations these are what they hold.
_TYPES = ("interface", "type", "enum", "class", "struct")


def pieces(text: str, path: str, language: str, passed_on: Mapping[str, str] | None = None) -> Iterator[Piece]:
    """The module's own words, then each public declaration that is documented, or that a file of declarations makes.

    A class tells how it is made, and without a word of its own that is what is said of it. ``passed_on``: of a private module these
    names alone, each as what the module that passes it on calls it.
    """
    module = _module(path)
    records = read_code(SourceFile("", path, language, text)).records
    makers = {_name(record).removesuffix(_MAKER): record for record in records if _name(record).endswith(_MAKER)}
    for record in records:
        if record.kind == "codefile":
            yield from () if passed_on else _about(record, path, module)
            continue
        home = passed_on.get(_name(record).partition(".")[0]) if passed_on else module
        maker = makers.get(_name(record)) if record.facets.get("symbolKind") == "class" else None
        if home is not None and _is_public(record) and (record.text("doc") or path.endswith(".d.ts") or maker is not None):
            yield from _declared(record, path, home, language, maker)


def _about(record: Record, path: str, module: str) -> Iterator[Piece]:
    doc = record.text("doc").strip()
    if len(doc.split()) < _FEWEST_MODULE_WORDS:
        return
    for number, (start, end) in enumerate(split(doc, _LONGEST, 200), 1):
        place = "module/info" if number == 1 else f"module/info~{number}"
        yield Piece(path, place, INFO, module, doc[start:end].strip(), module, line=1)


def _declared(record: Record, path: str, module: str, language: str, maker: Record | None) -> Iterator[Piece]:
    name = record.key.partition("#")[2]
    qualified = _name(record)
    content = _python(record, maker) if language == "python" else _typed(record)
    if not content.strip():
        return
    yield Piece(
        path,
        f"{name}/api",
        CODE,
        f"{module}.{qualified}" if module else qualified,
        content if len(content) <= _LONGEST else f"{content[: _LONGEST - 1]}…",
        " > ".join(part for part in (module, *qualified.split(".")[:-1]) if part),
        language,
        int(record.facets.get("line", 0)),
        int(record.facets.get("lineEnd", 0)),
    )


def _python(record: Record, maker: Record | None) -> str:
    """The declaration with its docstring, as it is written in a stub; of a class also how it is made."""
    doc = record.text("doc").replace('"""', "'''").strip()
    quoted = f'"""{doc}"""' if "\n" not in doc else f'"""{doc}\n"""'
    made = f"{_signature(maker)}: ..." if maker is not None else ""
    inside = "\n".join(part for part in (quoted if doc else "", made) if part)
    return f"{_signature(record)}:\n{textwrap.indent(inside, '    ')}"


def _signature(record: Record) -> str:
    told = record.text("signature")
    return _whole(record) if told.endswith("…") else _AFTER_OPENING.sub("(", _BEFORE_CLOSING.sub(")", told))


def _whole(record: Record) -> str:
    """A signature that was too long for a line of an outline."""
    try:
        made = ast.parse(textwrap.dedent(record.text("body"))).body[0]
    except (SyntaxError, ValueError, RecursionError, MemoryError, IndexError):
        return record.text("signature")
    if not isinstance(made, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        return record.text("signature")
    made.body, made.decorator_list = [ast.Pass()], []
    return ast.unparse(made).removesuffix("pass").rstrip().removesuffix(":")


def _name(record: Record) -> str:
    """What it is called in its file."""
    return record.key.partition("#")[2].partition("~")[0]


def _typed(record: Record) -> str:
    whole = record.text("body") if record.facets.get("symbolKind") in _TYPES else record.text("signature")
    doc = record.text("doc").strip()
    if not doc:
        return textwrap.dedent(whole)
    comment = f"/** {doc} */" if "\n" not in doc else "/**\n" + textwrap.indent(doc, " * ", lambda _: True) + "\n */"
    return f"{comment}\n{textwrap.dedent(whole)}"


def _is_public(record: Record) -> bool:
    name = record.key.partition("#")[2]
    if "~" in name and _SETTER.match(record.text("body")):
        return False
    if record.facets.get("test") or not record.facets.get("exported") or record.facets.get("symbolKind") in ("module", "block"):
        return False
    return not any(part.startswith("_") for part in name.split("."))


def _module(path: str) -> str:
    """The name a module is imported by.

    >>> _module("src/kit/flight/__init__.py"), _module("kit/api.pyi"), _module("types/index.d.ts")
    ('kit.flight', 'kit.api', 'types/index')
    """
    pure = PurePosixPath(path)
    if pure.suffix not in (".py", ".pyi"):
        return path.removesuffix(".d.ts")
    parts = [*pure.parent.parts, pure.stem]
    parts = parts[1:] if parts[0] in ("src", "lib") else parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" and len(parts) > 1 else parts)
