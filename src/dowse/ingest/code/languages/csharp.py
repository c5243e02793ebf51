"""How is C# read?"""

from dowse.ingest.code.language import Found, Language, SymbolKind

# A list of bases does not say which is a class. By custom the names of interfaces, and of nothing else, begin so.
_BASE = '(#not-match? @extends "^([A-Za-z_]+[.])*I[A-Z]")'
_INTERFACE = '(#match? @implements "^([A-Za-z_]+[.])*I[A-Z]")'
_BASES = "".join(
    f"""
({type_}_declaration (base_list [(identifier) (qualified_name) (generic_name)] @extends {_BASE})) @class
({type_}_declaration (base_list [(identifier) (qualified_name) (generic_name)] @implements {_INTERFACE})) @class
({type_}_declaration (base_list (primary_constructor_base_type type: (_) @extends))) @class
"""
    for type_ in ("class", "record", "struct")
)

# A property that computes is read as a method; one that only holds a value is part of its class.
_QUERY = """
(class_declaration name: (identifier) @name body: (_) @body) @class
(record_declaration name: (identifier) @name body: (_)? @body) @class
(record_declaration ";" @body) @class
(struct_declaration name: (identifier) @name body: (_) @body) @class
(interface_declaration name: (identifier) @name body: (_) @body) @interface
(interface_declaration (base_list [(identifier) (qualified_name) (generic_name)] @extends)) @interface
(enum_declaration name: (identifier) @name body: (_) @body) @enum
(delegate_declaration name: (identifier) @name ";" @body) @type
(method_declaration name: (identifier) @name body: (_)? @body) @method
(method_declaration ";" @body) @method
(constructor_declaration name: (identifier) @name body: (_)? @body) @method
(constructor_declaration (constructor_initializer) @body) @method
(destructor_declaration "~" name: (identifier) @name body: (_)? @body) @method
(operator_declaration operator: _ @name body: (_)? @body) @method
(conversion_operator_declaration type: (_) @name body: (_)? @body) @method
(indexer_declaration "this" @name accessors: (_)? @body value: (_)? @body) @method
(property_declaration name: (identifier) @name value: (arrow_expression_clause) @body) @method
(property_declaration name: (identifier) @name accessors: (accessor_list (accessor_declaration body: (_))) @body) @method
(global_statement (local_function_statement name: (identifier) @name body: (_) @body) @function)
(field_declaration (modifier) @_const (variable_declaration (variable_declarator name: (identifier) @name)) ";" @body
  (#eq? @_const "const")) @constant
(field_declaration (modifier) @_static (modifier) @_readonly
  (variable_declaration (variable_declarator name: (identifier) @name)) ";" @body
  (#eq? @_static "static") (#eq? @_readonly "readonly")) @constant
(file_scoped_namespace_declaration name: (_) @package)
(namespace_declaration name: (_) @package)
(namespace_declaration body: (declaration_list (namespace_declaration name: (_) @name body: (_) @body) @module))
(invocation_expression function: [
  (identifier) @call
  (generic_name . (identifier) @call)
  (member_access_expression name: [(identifier) @call (generic_name . (identifier) @call)])
  (conditional_access_expression (member_binding_expression name: [(identifier) @call (generic_name . (identifier) @call)]))])
(object_creation_expression type: [
  (identifier) @call
  (generic_name . (identifier) @call)
  (qualified_name name: [(identifier) @call (generic_name . (identifier) @call)])])
(using_directive [(identifier) (qualified_name) (generic_name)] @from .) @import
(using_directive ["static" name: (_)] @item) @import
(comment) @comment
(attribute_list) @attribute
"""

# What objects, strings, tasks, collections, queries and loggers answer to, and the exceptions that everybody throws.
_QUIET = frozenset(
    """nameof typeof sizeof default Equals GetHashCode ToString GetType ReferenceEquals CompareTo Dispose DisposeAsync
    ConfigureAwait GetAwaiter GetResult FromResult WhenAll WhenAny Run Delay Wait Invoke BeginInvoke Add AddRange Remove
    RemoveAt Clear Contains ContainsKey TryGetValue TryAdd Count Insert IndexOf ToList ToArray ToDictionary ToHashSet Select
    SelectMany Where First FirstOrDefault Single SingleOrDefault Last LastOrDefault Any All OrderBy OrderByDescending ThenBy
    GroupBy Sum Min Max Average Aggregate Distinct Concat Take Skip Cast OfType AsEnumerable AsQueryable Join Split Trim
    TrimStart TrimEnd Substring Replace StartsWith EndsWith ToLower ToUpper ToLowerInvariant ToUpperInvariant Format
    IsNullOrEmpty IsNullOrWhiteSpace Append AppendLine Parse TryParse WriteLine Write ReadLine Read Close Flush LogDebug
    LogInformation LogWarning LogError LogTrace Push Pop Peek Enqueue Dequeue MoveNext GetEnumerator CopyTo Length
    Exception ArgumentException ArgumentNullException ArgumentOutOfRangeException InvalidOperationException
    NotImplementedException NotSupportedException ObjectDisposedException List Dictionary HashSet StringBuilder
    ThrowIfNull True False Equal NotEqual Null NotNull Throws AreEqual IsTrue IsFalse IsNull IsNotNull""".split()
)
_TEST_ATTRIBUTES = ("[Fact", "[Theory", "[Test]", "[TestCase", "[TestMethod", "[DataTestMethod")


def _resolve(path: str, module: str, items: tuple[str, ...]) -> tuple[tuple[str, ...], ...]:  # noqa: ARG001
    """A type that is named, or whose members are taken. A namespace is no record: what it holds is found by its names."""
    return ((module.removeprefix("global::"),),) if items and not module.startswith("System.") else ()


def _exported(found: Found, listed: frozenset[str]) -> bool:  # noqa: ARG001
    """What is public or for heirs, and members of interfaces; each only if what holds it is."""
    if found.kind == SymbolKind.MODULE:
        return True
    if found.parent is not None and not found.parent.exported:
        return False
    words = found.signature.partition("(")[0].split()
    held_by_interface = found.parent is not None and found.parent.kind == SymbolKind.INTERFACE
    return "public" in words or ("private" not in words and ("protected" in words or held_by_interface))


def _tests(found: Found) -> bool:
    return any(line.startswith(_TEST_ATTRIBUTES) for line in found.attributes.split("\n"))


LANGUAGE = Language(
    name="csharp",
    family="csharp",
    grammar="tree_sitter_c_sharp",
    query=_QUERY + _BASES,
    resolve=_resolve,
    exported=_exported,
    tests=_tests,
    import_words=frozenset({"using", "static", "global", "=", "summary", "remarks", "para"}),
    own=("this.",),
    quiet=_QUIET,
    extensions=(".cs",),
)
