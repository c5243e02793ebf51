"""How is C++ read?"""

from dowse.ingest.code.language import CONTAINERS, Found, Language, SymbolKind
from dowse.ingest.code.languages import c

# A function's own declarator, below what makes its result a pointer or a reference. A pattern with three ends is ready in two
# thirds of the time that three patterns take.
_WRAPPED = "declarator: [{0} (pointer_declarator declarator: {0}) (reference_declarator {0})]"
_NAME = "[(identifier) @name (operator_name) @name (destructor_name) @name (template_function name: (identifier) @name)]"
_PLAIN = (
    "(function_declarator declarator: [(identifier) @name (field_identifier) @name (operator_name) @name (destructor_name) @name])"
)
_QUALIFIED = f"(qualified_identifier scope: (_) @owner name: {_NAME})"
_OUTSIDE = f"(function_declarator declarator: [{_QUALIFIED} (qualified_identifier name: {_QUALIFIED})])"
# What a testing library's macro declares looks like a function that is called as the macro.
_NO_TEST = '(#not-match? @name "^(TYPED_)?TEST(_F|_P)?$")'

# One without a body here must be written by whoever inherits.
_FUNCTIONS = f"""
(function_definition {_WRAPPED.format(_PLAIN)} body: (_) @body {_NO_TEST}) @function
(function_definition {_WRAPPED.format(_OUTSIDE)} body: (_) @body) @function
(field_declaration {_WRAPPED.format(_PLAIN)} default_value: (number_literal) ";" @body) @function
"""

_QUERY = """
(function_definition
  declarator: (function_declarator
    declarator: (identifier) @_macro
    parameters: (parameter_list . (parameter_declaration type: (_) @owner) . (parameter_declaration type: (_) @name) .))
  body: (_) @body (#match? @_macro "^(TYPED_)?TEST(_F|_P)?$")) @function @testing
(function_definition declarator: (operator_cast type: (_) @name) body: (_) @body) @function
(function_definition (field_initializer_list) @body) @function
(template_declaration (function_definition) @function) @outer
(class_specifier
  name: [(type_identifier) @name (template_type name: (_) @name) (qualified_identifier scope: (_) @owner name: (_) @name)]
  body: (_) @body) @class
(struct_specifier name: [(template_type name: (_) @name) (qualified_identifier scope: (_) @owner name: (_) @name)]
  body: (_) @body) @class
([(class_specifier (base_class_clause [(type_identifier) (qualified_identifier) (template_type)] @extends))
  (struct_specifier (base_class_clause [(type_identifier) (qualified_identifier) (template_type)] @extends))] @class)
(template_declaration [(class_specifier) (struct_specifier)] @class) @outer
(alias_declaration name: (type_identifier) @name ";" @body) @type
(template_declaration (alias_declaration) @type) @outer
(type_definition type: [(qualified_identifier) (template_type)] declarator: (type_identifier) @name ";" @body) @type
(concept_definition name: (identifier) @name) @type
(field_declaration (type_qualifier) @_const declarator: (field_identifier) @name default_value: (_) ";" @body
  (#match? @_const "^const")) @constant
(namespace_definition name: (_) @package)
(namespace_definition body: (declaration_list (namespace_definition name: (_) @name body: (_) @body) @module))
(call_expression function: [
  (identifier) @call
  (template_function name: (identifier) @call)
  (field_expression field: [(field_identifier) @call (template_method name: (field_identifier) @call)])])
(call_expression function: (qualified_identifier
  scope: (_) @_scope
  name: [
    (identifier) @call
    (template_function name: (identifier) @call)
    (qualified_identifier name: [(identifier) @call (template_function name: (identifier) @call)])])
  (#not-eq? @_scope "std"))
(new_expression type: [(type_identifier) @call (qualified_identifier name: (type_identifier) @call)])
(compound_literal_expression type: (type_identifier) @call)
(comment) @comment
[(attribute_specifier) (attribute_declaration)] @attribute
"""

# No other file sees what stands in a namespace without a name. In C++ everything else is seen unless it is static, so
# that the mark is put on the few that are hidden.
_HIDDEN = """
(namespace_definition !name body: (declaration_list
  [(function_definition) (template_declaration (function_definition))] @function @exported))
(namespace_definition !name body: (declaration_list [(class_specifier) (struct_specifier)] @class @exported))
(namespace_definition !name body: (declaration_list (enum_specifier) @enum @exported))
(namespace_definition !name body: (declaration_list (declaration) @constant @exported))
(namespace_definition !name body: (declaration_list (alias_declaration) @type @exported))
"""

# What containers, strings, streams and smart pointers answer to.
_QUIET = c.QUIET | frozenset(
    """push_back emplace_back pop_back push_front pop_front emplace insert erase clear size empty begin end cbegin cend rbegin rend
    front back at find count contains reserve resize capacity data c_str str substr append length swap get reset release lock
    unlock load store move forward make_unique make_shared make_pair make_tuple tie first second what min max sort to_string
    stoi stod getline static_cast dynamic_cast reinterpret_cast const_cast decltype value value_or has_value push pop top
    string vector pair map set unique_ptr shared_ptr optional function string_view lock_guard unique_lock thread join detach
    runtime_error logic_error invalid_argument out_of_range exception EXPECT_EQ EXPECT_NE EXPECT_TRUE EXPECT_FALSE EXPECT_LT
    EXPECT_GT EXPECT_LE EXPECT_GE EXPECT_THROW ASSERT_EQ ASSERT_NE ASSERT_TRUE ASSERT_FALSE REQUIRE CHECK""".split()
)


def _exported(found: Found, listed: frozenset[str]) -> bool:  # noqa: ARG001
    if found.parent is not None and found.parent.kind in CONTAINERS - {SymbolKind.MODULE}:
        return found.parent.exported
    hidden = "static" in found.signature.split() and found.kind in (SymbolKind.FUNCTION, SymbolKind.CONSTANT)
    return not (found.marked or hidden)


LANGUAGE = Language(
    name="cpp",
    family="c",
    grammar="tree_sitter_cpp",
    query=_FUNCTIONS + c.CONSTANTS + c.PROTOTYPES + c.TYPES + c.MACROS + c.INCLUDES + _QUERY + _HIDDEN,
    resolve=c.resolve_include,
    exported=_exported,
    import_words=frozenset({"include", "#include"}),
    own=("this->",),
    quiet=_QUIET,
    extensions=(".cpp", ".cc", ".cxx", ".hpp", ".h"),
    places=c.PLACES,
    separator="::",
)
