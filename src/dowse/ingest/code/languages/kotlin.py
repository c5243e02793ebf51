"""How is Kotlin read?"""

import re

from dowse.ingest.code.language import Found, Language

# A property that computes is read as a method; one that only holds a value is part of its class.
_QUERY = """
(class_declaration "interface" name: (identifier) @name (class_body)? @body) @interface
(class_declaration "interface" (delegation_specifiers (delegation_specifier (user_type) @extends))) @interface
(class_declaration name: (identifier) @name (enum_class_body) @body) @enum
(class_declaration "class" name: (identifier) @name (class_body)? @body) @class
(class_declaration "class" (delegation_specifiers (delegation_specifier (constructor_invocation . (user_type) @extends)))) @class
(class_declaration "class" (delegation_specifiers (delegation_specifier
  [(user_type) @implements (explicit_delegation . (user_type) @implements)]))) @class
(object_declaration name: (identifier) @name (class_body)? @body) @class
(object_declaration (delegation_specifiers (delegation_specifier (constructor_invocation . (user_type) @extends)))) @class
(object_declaration (delegation_specifiers (delegation_specifier (user_type) @implements))) @class
(function_declaration name: (identifier) @name (function_body)? @body) @function
(function_declaration [(user_type) @owner (nullable_type (user_type) @owner)] . "." . name: (identifier)) @function
(property_declaration (variable_declaration (identifier) @name) (getter) @body) @function
(property_declaration [(user_type) @owner (nullable_type (user_type) @owner)] . "." . (variable_declaration) (getter)) @function
(property_declaration (modifiers (property_modifier) @_const) (variable_declaration (identifier) @name)
  (#eq? @_const "const")) @constant
(source_file (property_declaration "val" (variable_declaration (identifier) @name)) @constant)
(type_alias type: (identifier) @name) @type
(package_header (qualified_identifier) @package)
(import (qualified_identifier) @from) @import
(import "*" @item) @import
(call_expression . [
  (identifier) @call
  (navigation_expression (identifier) @call .)
  (unary_expression argument: (identifier) @call)])
[(line_comment) (block_comment)] @comment
[(annotation) (file_annotation)] @attribute
"""

# What collections, strings, scopes and flows answer to, and the words of testing libraries.
_QUIET = frozenset(
    """println print require requireNotNull check checkNotNull error TODO listOf mutableListOf mapOf mutableMapOf setOf mutableSetOf
    arrayOf emptyList emptyMap emptySet hashMapOf arrayListOf sequenceOf buildList buildString to let run apply also with takeIf
    takeUnless use lazy repeat map mapNotNull mapIndexed flatMap filter filterNot filterNotNull forEach forEachIndexed first
    firstOrNull last lastOrNull single find any all none count sum sumOf max min maxBy minBy maxOrNull minOrNull sortedBy sorted
    sortedWith groupBy associate associateBy associateWith partition zip fold reduce joinToString toList toSet toMap
    toMutableList toTypedArray asSequence take drop distinct reversed contains containsKey isEmpty isNotEmpty isNullOrEmpty
    isBlank isNullOrBlank orEmpty getOrPut getOrNull getOrDefault getOrElse put get set add addAll remove removeAll clear size
    indexOf substring substringBefore substringAfter split trim replace startsWith endsWith lowercase uppercase format toInt
    toLong toDouble toString equals hashCode copy invoke launch async await withContext runBlocking collect emit delay
    IllegalArgumentException IllegalStateException Exception RuntimeException UnsupportedOperationException Pair Triple
    StringBuilder append assertEquals assertTrue assertFalse assertNull assertNotNull assertFailsWith shouldBe every verify
    mockk coEvery""".split()
)

# What stands before it is said of the whole; a constructor or a setter may be more private.
_KEYWORD = re.compile(r"\b(?:class|interface|object|fun|val|var|typealias)\b")


def _resolve(path: str, module: str, items: tuple[str, ...]) -> tuple[tuple[str, ...], ...]:  # noqa: ARG001
    """What is named by its full name, else what holds it. Of a whole package, nothing; of all of an object, the object."""
    holder, _, last = module.rpartition(".")
    if module.startswith(("kotlin.", "kotlinx.", "java.", "javax.")):
        return ()
    if "*" in items:
        return ((module,),) if last[:1].isupper() else ()
    return ((module, holder) if holder.rpartition(".")[2][:1].isupper() else (module,),)


def _exported(found: Found, listed: frozenset[str]) -> bool:  # noqa: ARG001
    """All but what is private, or internal to its module; each only if what holds it is."""
    if found.parent is not None and not found.parent.exported:
        return False
    return not {"private", "internal"} & set(_KEYWORD.split(found.signature, maxsplit=1)[0].split())


def _tests(found: Found) -> bool:
    return any(line.startswith(("@Test", "@ParameterizedTest")) for line in found.attributes.split("\n"))


LANGUAGE = Language(
    name="kotlin",
    family="jvm",
    grammar="tree_sitter_kotlin",
    query=_QUERY,
    resolve=_resolve,
    exported=_exported,
    tests=_tests,
    import_words=frozenset({"import", "as"}),
    own=("this.",),
    quiet=_QUIET,
    extensions=(".kt", ".java"),
)
