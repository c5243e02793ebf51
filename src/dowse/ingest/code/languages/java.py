"""How is Java read?"""

from dowse.ingest.code.language import Found, Language, SymbolKind

_QUERY = """
(class_declaration name: (identifier) @name body: (_) @body) @class
(class_declaration superclass: (superclass [(type_identifier) @extends (scoped_type_identifier) @extends
  (generic_type . (_) @extends)])) @class
(class_declaration interfaces: (super_interfaces (type_list [(type_identifier) @implements (scoped_type_identifier) @implements
  (generic_type . (_) @implements)]))) @class
(record_declaration name: (identifier) @name body: (_) @body) @class
(record_declaration interfaces: (super_interfaces (type_list [(type_identifier) @implements (scoped_type_identifier) @implements
  (generic_type . (_) @implements)]))) @class
(interface_declaration name: (identifier) @name body: (_) @body) @interface
(interface_declaration (extends_interfaces (type_list [(type_identifier) @extends (scoped_type_identifier) @extends
  (generic_type . (_) @extends)]))) @interface
(annotation_type_declaration name: (identifier) @name body: (_) @body) @interface
(enum_declaration name: (identifier) @name body: (_) @body) @enum
(enum_declaration interfaces: (super_interfaces (type_list [(type_identifier) @implements (scoped_type_identifier) @implements
  (generic_type . (_) @implements)]))) @enum
(method_declaration name: (identifier) @name body: (_) @body) @method
(method_declaration name: (identifier) @name) @method
(constructor_declaration name: (identifier) @name body: (_) @body) @method
(compact_constructor_declaration name: (identifier) @name body: (_) @body) @method
(annotation_type_element_declaration name: (identifier) @name) @method
(field_declaration declarator: (variable_declarator name: (identifier) @name) (#match? @name "^[A-Z][A-Z0-9_]*$")) @constant
(constant_declaration declarator: (variable_declarator name: (identifier) @name)) @constant
(object_creation_expression (class_body) @inner)
(method_invocation name: (identifier) @call)
(object_creation_expression type: [(type_identifier) @call (generic_type . (type_identifier) @call)
  (scoped_type_identifier (type_identifier) @call .)])
(package_declaration (_) @package)
(import_declaration (_) @from) @import
(import_declaration (asterisk) @item) @import
[(line_comment) (block_comment)] @comment
[(marker_annotation) (annotation)] @attribute
"""

# What objects, strings, collections, streams, optionals and builders answer to.
_QUIET = frozenset(
    """String Object Integer Long Double Boolean List Map Set Arrays Collections Objects Math System Optional Stream Collectors
    Thread StringBuilder ArrayList HashMap HashSet LinkedHashMap LinkedList TreeMap IllegalArgumentException
    IllegalStateException NullPointerException RuntimeException UnsupportedOperationException Exception IOException
    equals hashCode toString getClass compareTo clone wait notify notifyAll length charAt substring indexOf lastIndexOf
    contains startsWith endsWith trim strip split replace replaceAll toLowerCase toUpperCase format isEmpty isBlank matches
    chars valueOf join concat get put add remove set size clear containsKey containsValue addAll removeAll putAll
    getOrDefault computeIfAbsent keySet values entrySet getKey getValue iterator hasNext next stream map filter collect
    forEach flatMap reduce sorted distinct limit skip findFirst findAny anyMatch allMatch noneMatch toList toArray orElse
    orElseThrow orElseGet isPresent ifPresent of ofNullable empty asList copyOf append insert build builder println print
    printf log info warn error debug trace parseInt parseLong min max abs close read write flush run apply accept test call
    requireNonNull name ordinal getName getMessage getCause printStackTrace assertEquals assertTrue assertFalse
    assertNotNull assertNull assertThrows assertThat isEqualTo when thenReturn verify mock any eq""".split()
)


def _resolve(path: str, module: str, items: tuple[str, ...]) -> tuple[tuple[str, ...], ...]:  # noqa: ARG001
    """The class by its full name; of a static import, which names a member, the class that holds it."""
    if module.startswith(("java.", "javax.")):
        return ()
    if "*" in items:
        return ((module,),) if module.rpartition(".")[2][:1].isupper() else ()
    holder, _, last = module.rpartition(".")
    return ((module, holder) if holder.rpartition(".")[2][:1].isupper() and last else (module,),)


def _exported(found: Found, listed: frozenset[str]) -> bool:  # noqa: ARG001
    """What is public, and members of interfaces, which always are; each only if what holds it is."""
    if found.parent is not None and not found.parent.exported:
        return False
    words = found.signature.partition("(")[0].split()
    held_by_interface = found.parent is not None and found.parent.kind == SymbolKind.INTERFACE
    return "public" in words or (held_by_interface and "private" not in words)


def _tests(found: Found) -> bool:
    return any(line.startswith(("@Test", "@ParameterizedTest", "@RepeatedTest")) for line in found.attributes.split("\n"))


LANGUAGE = Language(
    name="java",
    family="jvm",
    grammar="tree_sitter_java",
    query=_QUERY,
    resolve=_resolve,
    exported=_exported,
    tests=_tests,
    import_words=frozenset({"import", "static", "package"}),
    own=("this.",),
    quiet=_QUIET,
    extensions=(".java", ".kt"),
)
