"""How is Zig read?"""

from dowse.ingest.code.language import Found, Language
from dowse.ingest.code.paths import beside, distinct

# What is only another name for something elsewhere is no constant.
_ALIAS = '"^@(import|cImport|This)|^[a-z_]+([.][A-Za-z_]+)+$"'

_QUERY = f"""
(variable_declaration . (identifier) @name
  [(struct_declaration "{{" @body) (union_declaration "{{" @body) (opaque_declaration "{{" @body)]) @class
(variable_declaration . (identifier) @name [(enum_declaration "{{" @body) (error_set_declaration "{{" @body)]) @enum
(function_declaration name: (identifier) @name type: (builtin_type) @_type
  body: (block (expression_statement (return_expression [(struct_declaration) (union_declaration)]))) @body
  (#eq? @_type "type")) @class
(function_declaration name: (identifier) @name) @function
(function_declaration body: (block) @body) @function
(function_declaration ["pub" "export"] @exported) @function
(source_file (variable_declaration "const" (identifier) @name (_) @_value .) @constant (#not-match? @_value {_ALIAS}))
(_ (container_field)? (variable_declaration "pub" "const" (identifier) @name (_) @_value .) @constant
  (#not-match? @_value {_ALIAS}))
(variable_declaration "pub" @exported) @constant
(test_declaration "test" @testing (string (string_content) @name) (block) @body) @function

(call_expression function: [(identifier) @call (field_expression member: (identifier) @call)])

(variable_declaration (builtin_function (builtin_identifier) @_import (arguments (string (string_content) @from)))
  (#eq? @_import "@import")) @import
(variable_declaration (field_expression
    object: (builtin_function (builtin_identifier) @_import (arguments (string (string_content) @from))))
  (#eq? @_import "@import")) @import
(using_namespace_declaration (builtin_function (builtin_identifier) @_import (arguments (string (string_content) @from)))
  (#eq? @_import "@import")) @import
(comment) @comment
"""

# What the standard library's containers, allocators, writers and tests answer to.
_QUIET = frozenset(
    """init deinit alloc free create destroy dupe realloc append appendSlice appendAssumeCapacity pop items put get getPtr remove
    contains count clear reset iterator next toOwnedSlice ensureTotalCapacity resize insert orderedRemove swapRemove
    print println write writeAll writeByte read readAll readByte flush close open writer reader format allocPrint bufPrint
    expect expectEqual expectError expectEqualStrings expectEqualSlices eql len copy copyForwards indexOf startsWith endsWith
    split tokenize trim panic assert warn err info debug log min max abs cast parseInt parseFloat allocator lock unlock wait
    signal spawn join exit sleep""".split()
)


def _resolve(path: str, module: str, items: tuple[str, ...]) -> tuple[tuple[str, ...], ...]:  # noqa: ARG001
    """A file beside the importing one; else a module of the build, whose root has its name or the usual one."""
    if module in ("std", "builtin", "root"):
        return ()
    if module.endswith((".zig", ".zon")):
        return (distinct([beside(path, module)]),)
    return (distinct([f"/src/{module}.zig", f"/{module}.zig", f"{module}/root.zig", f"{module}/{module}.zig"]),)


def _exported(found: Found, listed: frozenset[str]) -> bool:  # noqa: ARG001
    return found.marked and (found.parent is None or found.parent.exported)


LANGUAGE = Language(
    name="zig",
    family="zig",
    grammar="tree_sitter_zig",
    query=_QUERY,
    resolve=_resolve,
    exported=_exported,
    import_words=frozenset({"const", "pub", "@import", "usingnamespace", "=", "import"}),
    own=("self.", "Self."),
    quiet=_QUIET,
    extensions=(".zig",),
)
