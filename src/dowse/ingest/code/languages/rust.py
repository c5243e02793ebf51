"""How is Rust read?"""

import re

from dowse.ingest.code.language import Found, Language, SymbolKind
from dowse.ingest.code.paths import distinct, each, folder

_QUERY = """
(function_item name: (identifier) @name body: (_) @body) @function
(function_signature_item name: (identifier) @name) @function
(macro_definition name: (identifier) @name) @function
(struct_item name: (type_identifier) @name body: (field_declaration_list) @body) @class
(struct_item name: (type_identifier) @name) @class
(union_item name: (type_identifier) @name body: (_) @body) @class
(enum_item name: (type_identifier) @name body: (_) @body) @enum
(trait_item name: (type_identifier) @name body: (_) @body) @interface
(trait_item bounds: (trait_bounds [(type_identifier) @extends (scoped_type_identifier) @extends
  (generic_type type: (_) @extends)])) @interface
(impl_item type: [(type_identifier) @name (generic_type type: (_) @name) (scoped_type_identifier name: (_) @name)
  (reference_type type: (type_identifier) @name)] body: (_) @body) @scope
(impl_item trait: [(type_identifier) @implements (scoped_type_identifier) @implements (generic_type type: (_) @implements)]) @scope
(mod_item name: (identifier) @name body: (_) @body) @module
(type_item name: (type_identifier) @name) @type
(const_item name: (identifier) @name) @constant
(static_item name: (identifier) @name) @constant
(call_expression function: [
  (identifier) @call (scoped_identifier name: (identifier) @call) (field_expression field: (field_identifier) @call)
  (generic_function function: [
    (identifier) @call (scoped_identifier name: (identifier) @call) (field_expression field: (field_identifier) @call)])])
(struct_expression name: [(type_identifier) @call (scoped_type_identifier name: (type_identifier) @call)])
(macro_invocation macro: [(identifier) @call (scoped_identifier name: (identifier) @call)])
(use_declaration argument: (_) @from) @import
(mod_item name: (identifier) @from @item !body) @import
[(line_comment) (block_comment)] @comment
(attribute_item) @attribute
"""

_FILES = (".rs", "/mod.rs")
# A file of one of these names is the module of its folder, not one inside of it.
_ROOTS = frozenset({"mod.rs", "lib.rs", "main.rs"})
_OUTSIDE = frozenset({"std", "core", "alloc", "proc_macro", "test"})
_GROUP = re.compile(r"^(?P<before>[^{}]*)\{(?P<inside>.*)\}$", re.DOTALL)

# The macros of the standard library, and what options, results, iterators, strings and vectors answer to.
_QUIET = frozenset(
    """println print eprintln eprint format vec panic assert assert_eq assert_ne debug_assert matches todo unimplemented
    unreachable write writeln dbg include_str env concat Some None Ok Err Box Vec String Rc Arc Option Result Default drop
    Self HashMap HashSet BTreeMap
    new default clone into from as_ref as_mut as_str to_string to_owned to_vec unwrap unwrap_or unwrap_or_else
    unwrap_or_default expect ok err is_some is_none is_ok is_err ok_or ok_or_else map map_err and_then or_else filter collect
    iter iter_mut into_iter next enumerate zip rev fold any all find position take skip chain flat_map flatten cloned copied
    sum count min max push pop insert remove get get_mut contains contains_key entry or_insert or_insert_with or_default len
    is_empty clear extend with_capacity push_str chars bytes lines split trim starts_with ends_with replace parse join sort
    sort_by sort_by_key dedup retain drain borrow borrow_mut lock read write_all flush eq ne cmp partial_cmp hash fmt deref
    try_into try_from as_bytes as_slice first last windows chunks keys values info warn error debug trace""".split()
)


def _resolve(path: str, module: str, items: tuple[str, ...]) -> tuple[tuple[str, ...], ...]:
    """The file of each module that is used, or of the one that holds what is used."""
    if items:
        return (each([_module_folder(path) + module], _FILES),)
    # A module of tests sees all of the file that holds it by this.
    if module == "super::*":
        return ()
    return tuple(names for parts in _uses(module) if (names := _use(path, parts)))


def _uses(text: str) -> list[list[str]]:
    """Every path that a tree of uses names: ``a::{b, c::d}`` is ``a::b`` and ``a::c::d``."""
    found: list[list[str]] = []
    waiting = [("", text)]
    while waiting:
        before, rest = waiting.pop(0)
        match = _GROUP.match(rest.strip())
        if match is None:
            parts = (before + rest).partition(" as ")[0].split("::")
            found.append([part.strip() for part in parts if part.strip() and part.strip() != "*"])
        else:
            waiting[:0] = [(before + match["before"], part) for part in _split(match["inside"]) if part.strip()]
    return found


def _split(text: str) -> list[str]:
    """The parts between commas that stand in no braces."""
    parts, depth = [""], 0
    for character in text:
        depth += (character == "{") - (character == "}")
        if character == "," and not depth:
            parts.append("")
        else:
            parts[-1] += character
    return parts


def _use(path: str, parts: list[str]) -> tuple[str, ...]:
    """Where a path of modules may be; the last parts of it may be things in a file rather than files."""
    parts = parts[:-1] if parts[1:] and parts[-1] == "self" else parts
    if not parts or parts[0] in _OUTSIDE:
        return ()
    base = _module_folder(path)
    if parts[0] == "crate":
        roots, rest = [_crate_folder(path)], parts[1:]
    elif parts[0] in ("self", "super"):
        while parts and parts[0] in ("self", "super"):
            base = folder(base.strip("/")) if parts[0] == "super" else base
            parts = parts[1:]
        roots, rest = [base], parts
    else:
        rest = [part for part in parts[1:] if not part[:1].isupper()]
        own = each([base + parts[0]], _FILES) if parts[0] != "crate" else ()
        crates = distinct([parts[0].replace("_", "-"), parts[0]])
        inside = [f"{crate}/src/{'/'.join(rest[:count])}" for count in range(len(rest), 0, -1) for crate in crates]
        return distinct([*own, *each(inside, _FILES), *(f"{crate}/src/lib.rs" for crate in crates)])
    rest = [part for part in rest if not part[:1].isupper()]
    stems = [root + "/".join(rest[:count]) for root in roots for count in range(len(rest), 0, -1)]
    return each(stems, _FILES) or tuple(f"{root}{name}" for root in roots for name in ("mod.rs", "lib.rs"))


def _module_folder(path: str) -> str:
    """The folder in which the modules of a file's module are."""
    name = path.rpartition("/")[2]
    return folder(path) if name in _ROOTS else f"{folder(path)}{name.removesuffix('.rs')}/"


def _crate_folder(path: str) -> str:
    head, mark, _ = f"/{path}".rpartition("/src/")
    return f"{head}/src/" if mark else folder(path)


def _exported(found: Found, listed: frozenset[str]) -> bool:  # noqa: ARG001
    """What is ``pub``; what a trait has, or is written for one, as the trait itself."""
    if found.parent is not None and found.parent.kind == SymbolKind.INTERFACE:
        return found.parent.exported
    if found.parent is not None and found.parent.kind == "scope" and found.parent.implements:
        return True
    return found.signature.startswith("pub") or "#[macro_export]" in found.attributes


def _tests(found: Found) -> bool:
    return any(re.match(r"#\[(?:\w+::)?test\b|#\[cfg\(test\)|#\[rstest", line) for line in found.attributes.split("\n"))


LANGUAGE = Language(
    name="rust",
    family="rust",
    grammar="tree_sitter_rust",
    query=_QUERY,
    resolve=_resolve,
    exported=_exported,
    tests=_tests,
    import_words=frozenset({"use", "as", "pub", "mod"}),
    own=("self.", "Self::"),
    quiet=_QUIET,
    extensions=(".rs",),
)
