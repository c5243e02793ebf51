"""How is TypeScript read?"""

from dataclasses import replace

from dowse.ingest.code.languages.javascript import LANGUAGE as JAVASCRIPT
from dowse.ingest.code.languages.javascript import SHARED_QUERY

_QUERY = (
    """
(class_declaration name: (type_identifier) @name body: (_) @body) @class
(abstract_class_declaration name: (type_identifier) @name body: (_) @body) @class
(class_declaration (class_heritage (extends_clause value: [(identifier) (member_expression)] @extends))) @class
(abstract_class_declaration (class_heritage (extends_clause value: [(identifier) (member_expression)] @extends))) @class
(class_declaration (class_heritage (implements_clause
  [(type_identifier) @implements (nested_type_identifier) @implements (generic_type name: (_) @implements)]))) @class
(abstract_class_declaration (class_heritage (implements_clause
  [(type_identifier) @implements (nested_type_identifier) @implements (generic_type name: (_) @implements)]))) @class
(interface_declaration name: (type_identifier) @name body: (_) @body) @interface
(interface_declaration (extends_type_clause
  [(type_identifier) @extends (nested_type_identifier) @extends (generic_type name: (_) @extends)])) @interface
(type_alias_declaration name: (type_identifier) @name) @type
(enum_declaration name: (identifier) @name body: (_) @body) @enum
(internal_module name: (_) @name body: (_) @body) @module
(module name: [(identifier) @name (nested_identifier) @name (string (string_fragment) @name)] body: (_) @body) @module
(function_signature name: (identifier) @name) @function
(abstract_method_signature name: (_) @name) @function
(internal_module body: (statement_block (lexical_declaration (variable_declarator name: (identifier) @name)) @constant))
(class_body (public_field_definition
  name: (_) @name value: [(arrow_function body: (_) @body) (function_expression body: (_) @body)]) @function)
(class_body (public_field_definition "static" name: (property_identifier) @name) @constant (#match? @name "^[A-Z][A-Z0-9_]*$"))
"""
    + SHARED_QUERY
    + """
(ambient_declaration (lexical_declaration (variable_declarator name: (identifier) @name)) @constant)
(ambient_declaration (_) @constant) @outer @exported
"""
)

LANGUAGE = replace(JAVASCRIPT, name="typescript", grammar="tree_sitter_typescript", function="language_typescript", query=_QUERY)
