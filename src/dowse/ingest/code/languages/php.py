"""How is PHP read?"""

from dowse.ingest.code.language import Found, Language
from dowse.ingest.code.paths import beside, distinct

# Older projects, and the first file of any, name files; the rest name classes.
_REQUIRES = "".join(
    f"""
({keyword}_expression [(string (string_content) @from) (encapsed_string . (string_content) @from .)]) @import
({keyword}_expression (binary_expression
  right: [(string (string_content) @from) (encapsed_string . (string_content) @from .)])) @import
"""
    for keyword in ("require", "require_once", "include", "include_once")
)

_QUERY = """
(class_declaration name: (name) @name body: (_) @body) @class
(class_declaration (base_clause [(name) (qualified_name)] @extends)) @class
(class_declaration (class_interface_clause [(name) (qualified_name)] @implements)) @class
(class_declaration body: (declaration_list (use_declaration [(name) (qualified_name)] @extends))) @class
(trait_declaration name: (name) @name body: (_) @body) @class
(trait_declaration body: (declaration_list (use_declaration [(name) (qualified_name)] @extends))) @class
(interface_declaration name: (name) @name body: (_) @body) @interface
(interface_declaration (base_clause [(name) (qualified_name)] @extends)) @interface
(enum_declaration name: (name) @name body: (_) @body) @enum
(enum_declaration (class_interface_clause [(name) (qualified_name)] @implements)) @enum
(method_declaration name: (name) @name body: (_)? @body) @method
(method_declaration ";" @body) @method
(function_definition name: (name) @name body: (_) @body) @function
(const_declaration (const_element . (name) @name) ";" @body) @constant
(namespace_definition name: (namespace_name) @package)
(namespace_use_declaration (namespace_use_clause . [(name) (qualified_name)] @from)) @import
(namespace_use_declaration (namespace_name) @from) @import
(namespace_use_declaration body: (namespace_use_group (namespace_use_clause . (_) @item))) @import
(function_call_expression function: [(name) @call (qualified_name (name) @call)])
(member_call_expression name: (name) @call)
(nullsafe_member_call_expression name: (name) @call)
(scoped_call_expression name: (name) @call)
(object_creation_expression [(name) @call (qualified_name (name) @call)])
(comment) @comment
(attribute_list) @attribute
"""

# Functions of the language, and what everybody's objects answer to.
_QUIET = frozenset(
    """array_map array_filter array_merge array_keys array_values array_key_exists array_push array_pop array_shift array_unshift
    array_slice array_splice array_unique array_reverse array_search array_sum array_column array_diff array_combine array_walk
    array_reduce array_flip in_array count is_array is_string is_int is_null is_bool is_callable is_object is_numeric isset empty
    unset strlen strpos strrpos substr str_replace str_repeat str_contains str_starts_with str_ends_with strtolower strtoupper
    ucfirst lcfirst trim ltrim rtrim explode implode sprintf printf vsprintf number_format preg_match preg_match_all preg_replace
    preg_split preg_quote json_encode json_decode serialize unserialize var_dump var_export print_r define defined constant
    function_exists class_exists method_exists property_exists get_class call_user_func call_user_func_array func_get_args
    file_get_contents file_put_contents file_exists is_file is_dir mkdir unlink fopen fclose fread fwrite dirname basename
    realpath time date microtime strtotime usleep sleep max min abs floor ceil round rand mt_rand random_int intval floatval
    strval boolval settype usort ksort asort sort uasort uksort iterator_to_array spl_object_hash md5 sha1 hash uniqid compact
    extract range __construct __toString __get __set __call InvalidArgumentException RuntimeException LogicException Exception
    assertSame assertEquals assertTrue assertFalse assertNull assertCount assertInstanceOf expectException""".split()
)


def _resolve(path: str, module: str, items: tuple[str, ...]) -> tuple[tuple[str, ...], ...]:
    """A class by its full name, or a file by where it lies. A name without a namespace is the language's own."""
    if "/" in module or module.endswith((".php", ".inc")):
        return (distinct([beside(path, module), module.lstrip("./")]),)
    names = [f"{module}\\{item}" for item in items] or [module]
    return tuple((name.strip("\\").replace("\\", "."),) for name in names if "\\" in name.strip("\\"))


def _exported(found: Found, listed: frozenset[str]) -> bool:  # noqa: ARG001
    """All but what is private, if what holds it is exported."""
    if found.parent is not None and not found.parent.exported:
        return False
    return "private" not in found.signature.partition("(")[0].split()


def _tests(found: Found) -> bool:
    return "#[Test]" in found.attributes


LANGUAGE = Language(
    name="php",
    family="php",
    grammar="tree_sitter_php",
    function="language_php",
    query=_QUERY + _REQUIRES,
    resolve=_resolve,
    exported=_exported,
    tests=_tests,
    import_words=frozenset({"use", "as", "function", "const", "require", "require_once", "include", "include_once", "once", "."}),
    own=("$this->", "self::", "static::", "parent::"),
    quiet=_QUIET,
    extensions=(".php",),
    separator="\\",
)
