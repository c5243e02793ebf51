"""How is Swift read?"""

import re

from dowse.ingest.code.language import Found, Language

# A property that computes is read as a method; one that only holds a value is part of its type. The first of what a class
# inherits from is its superclass if it has one, and the language does not say whether it has.
_QUERY = """
(class_declaration declaration_kind: "extension" name: (_) @name body: (_) @body) @scope
(class_declaration declaration_kind: "extension" (inheritance_specifier inherits_from: (_) @implements)) @scope
(class_declaration declaration_kind: "enum" name: (type_identifier) @name body: (_) @body) @enum
(class_declaration declaration_kind: "enum" (inheritance_specifier inherits_from: (_) @implements)) @enum
(class_declaration declaration_kind: ["class" "struct" "actor"] name: (type_identifier) @name body: (_) @body) @class
(class_declaration declaration_kind: ["struct" "actor"] (inheritance_specifier inherits_from: (_) @implements)) @class
(class_declaration declaration_kind: "class"
  name: (_) . (type_parameters)? . (inheritance_specifier inherits_from: (_) @extends)) @class
(class_declaration declaration_kind: "class"
  (inheritance_specifier) (inheritance_specifier inherits_from: (_) @implements)) @class
(protocol_declaration name: (type_identifier) @name body: (_) @body) @interface
(protocol_declaration (inheritance_specifier inherits_from: (_) @extends)) @interface
(protocol_function_declaration name: (simple_identifier) @name) @method
(function_declaration "func" . _ @name body: (_)? @body) @function
(init_declaration "init" @name body: (_)? @body) @method
(deinit_declaration "deinit" @name body: (_) @body) @method
(subscript_declaration "subscript" @name (computed_property) @body) @method
(property_declaration
  name: (pattern bound_identifier: (simple_identifier) @name) computed_value: (computed_property) @body) @function
(source_file (property_declaration (value_binding_pattern) @_let name: (pattern bound_identifier: (simple_identifier) @name))
  @constant (#eq? @_let "let"))
(property_declaration (modifiers (property_modifier) @_static) (value_binding_pattern) @_let
  name: (pattern bound_identifier: (simple_identifier) @name)
  (#eq? @_static "static") (#eq? @_let "let")) @constant
(typealias_declaration name: (type_identifier) @name) @type
(import_declaration (identifier) @from) @import
(call_expression . [
  (simple_identifier) @call
  (navigation_expression suffix: (navigation_suffix suffix: (simple_identifier) @call))
  (prefix_expression target: (simple_identifier) @call)])
[(comment) (multiline_comment)] @comment
(attribute) @attribute
"""

# What collections, strings, optionals and views answer to, and the words of testing libraries.
_QUIET = frozenset(
    """print debugPrint dump fatalError precondition preconditionFailure assert assertionFailure min max abs zip stride type init
    String Int Double Float Bool Array Dictionary Set Data Date URL Error NSError UUID append insert remove removeAll removeFirst
    removeLast removeValue contains first last map compactMap flatMap filter reduce forEach sorted sort reversed enumerated
    joined split components prefix suffix dropFirst dropLast index firstIndex count isEmpty hasPrefix hasSuffix lowercased
    uppercased trimmingCharacters replacingOccurrences description hash encode decode container async sync addObserver
    removeObserver post lock unlock withLock resume cancel sink store assign receive eraseToAnyPublisher frame padding
    background foregroundColor font onAppear XCTAssert XCTAssertEqual XCTAssertNotNil XCTAssertNil XCTAssertTrue XCTAssertFalse
    XCTAssertThrowsError XCTFail XCTUnwrap expectation fulfill wait waitForExpectations""".split()
)

# What stands before it is said of the whole; a setter may be more private.
_KEYWORD = re.compile(r"\b(?:class|struct|enum|actor|protocol|func|var|let|init|subscript|typealias)\b")


def _resolve(path: str, module: str, items: tuple[str, ...]) -> tuple[tuple[str, ...], ...]:  # noqa: ARG001
    """A definition that is named. A whole module is no record: what it holds is found by its names."""
    last = module.rpartition(".")[2]
    return ((last,),) if last != module and last[:1].isupper() else ()


def _exported(found: Found, listed: frozenset[str]) -> bool:  # noqa: ARG001
    """All but what is private; each only if what holds it is."""
    if found.parent is not None and not found.parent.exported:
        return False
    return not {"private", "fileprivate"} & set(_KEYWORD.split(found.signature, maxsplit=1)[0].split())


def _tests(found: Found) -> bool:
    return any(line.startswith(("@Test", "@Suite")) for line in found.attributes.split("\n"))


LANGUAGE = Language(
    name="swift",
    family="swift",
    grammar="tree_sitter_swift",
    query=_QUERY,
    resolve=_resolve,
    exported=_exported,
    tests=_tests,
    import_words=frozenset({"import"}),
    own=("self.",),
    quiet=_QUIET,
    extensions=(".swift",),
)
