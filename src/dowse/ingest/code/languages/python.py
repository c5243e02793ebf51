"""How is Python read?"""

import sys

from dowse.ingest.code.language import Found, Language
from dowse.ingest.code.paths import distinct, each, folder

_QUERY = """
(class_definition
  superclasses: (argument_list [(identifier) (attribute)] @extends)
  (#match? @extends "(^|[.])(Str|Int)?(Enum|Flag)$")) @enum
(class_definition
  superclasses: (argument_list [(identifier) @extends (attribute) @extends (subscript value: (_) @extends)])
  (#match? @extends "(^|[.])Protocol$")) @interface
(class_definition name: (identifier) @name body: (block) @body) @class
(class_definition
  superclasses: (argument_list [(identifier) @extends (attribute) @extends (subscript value: (_) @extends)])) @class
(class_definition body: (block . (expression_statement . (string) @doc))) @class
(function_definition name: (identifier) @name body: (block) @body) @function
(function_definition body: (block . (expression_statement . (string) @doc))) @function
(type_alias_statement left: (type [(identifier) @name (generic_type (identifier) @name)])) @type
(module (expression_statement (assignment left: (identifier) @name)) @constant
  (#match? @name "^_{0,2}[A-Z][A-Z0-9_]*$"))
(class_definition body: (block (expression_statement (assignment left: (identifier) @name)) @constant)
  (#match? @name "^_{0,2}[A-Z][A-Z0-9_]*$"))
(call function: [(identifier) @call (attribute attribute: (identifier) @call)])
(import_statement name: [(dotted_name) @from (aliased_import name: (dotted_name) @from)]) @import
(import_from_statement module_name: (_) @from) @import
(import_from_statement name: [(dotted_name) @item (aliased_import name: (dotted_name) @item)]) @import
(future_import_statement) @import
(module (expression_statement (assignment left: (identifier) @_all right: (_ (string (string_content) @export))))
  (#eq? @_all "__all__"))
(module . (comment)* . (expression_statement . (string) @filedoc))
(comment) @comment
(decorator) @attribute
"""

_FILES = (".py", "/__init__.py")
_WITHIN = "within"

# The builtins, and what strings, lists, dicts, files, loggers and mocks answer to.
_QUIET = frozenset(
    """abs all any ascii bin bool breakpoint bytearray bytes callable chr classmethod compile complex delattr dict dir divmod
    enumerate eval exec filter float format frozenset getattr globals hasattr hash hex id input int isinstance issubclass iter
    len list locals map max memoryview min next object oct open ord pow print property range repr reversed round set setattr
    slice sorted staticmethod str sum super tuple type vars zip __import__ __init__ __new__
    BaseException Exception ArithmeticError AssertionError AttributeError EOFError FileNotFoundError ImportError IndexError
    KeyError KeyboardInterrupt LookupError NotImplementedError OSError OverflowError PermissionError RuntimeError
    StopIteration SyntaxError SystemExit TimeoutError TypeError UnicodeDecodeError ValueError ZeroDivisionError
    DeprecationWarning RuntimeWarning UserWarning
    append extend insert remove pop clear index count sort reverse copy add discard update union intersection difference get
    items keys values setdefault popitem join split rsplit strip lstrip rstrip replace startswith endswith lower upper title
    capitalize encode decode find rfind splitlines partition rpartition isdigit isalpha isalnum isspace zfill ljust rjust
    removeprefix removesuffix translate casefold group groups start end span match search fullmatch finditer findall sub
    read write readline readlines writelines close flush seek tell fileno debug info warning error exception critical
    assertEqual assertTrue assertFalse assertRaises assertIn assertIs assertIsNone assertIsInstance""".split()
)


def _resolve(path: str, module: str, items: tuple[str, ...]) -> tuple[tuple[str, ...], ...]:
    """A module by its file, or by the package that holds it; what is taken from a module may be one itself."""
    dots = len(module) - len(module.lstrip("."))
    parts = [part.strip() for part in module[dots:].split(".") if part.strip()]
    if dots:
        folders = folder(path).strip("/").split("/") if "/" in path else []
        if dots - 1 > len(folders):
            return ()
        roots = ["/" + "".join(f"{part}/" for part in folders[: len(folders) - dots + 1])]
    elif len(parts) == 1:
        # A lone name at the end of some path is mostly another module of that name: json.py is not what json means.
        roots = list(distinct(["/", "/src/", folder(path)]))
    else:
        # A project may be the package itself: then its own name is not part of any path.
        roots = [""] if parts[0] in sys.stdlib_module_names else ["", _WITHIN]
    stems = [("/" + "/".join(parts[1:]) if root == _WITHIN else root + "/".join(parts)).removesuffix("/") for root in roots]
    whole = each(stems, _FILES if stems != [""] else ())
    if not dots and len(parts) > 1 and not items:
        whole += each(["/".join(parts[:-1])], _FILES)
    # Classes begin with a capital, modules hardly ever.
    inner = () if module in sys.stdlib_module_names else [item for item in items if item.islower()]
    submodules = [each([f"{stem}/{item}" for stem in stems], _FILES) for item in inner]
    return tuple(distinct([*names, *whole]) for names in submodules or [()]) + ((whole,) if len(submodules) < len(items) else ())


def _exported(found: Found, listed: frozenset[str]) -> bool:
    if found.parent is not None:
        return found.parent.exported and (not found.name.startswith("_") or found.name.endswith("__"))
    return found.name in listed if listed else not found.name.startswith("_")


LANGUAGE = Language(
    name="python",
    family="python",
    grammar="tree_sitter_python",
    query=_QUERY,
    resolve=_resolve,
    exported=_exported,
    own=("self.", "cls."),
    quiet=_QUIET,
    extensions=(".py",),
)
