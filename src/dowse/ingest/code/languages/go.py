"""How is Go read?"""

from dowse.ingest.code.language import Found, Language
from dowse.ingest.code.paths import distinct

_QUERY = """
(function_declaration name: (identifier) @name body: (_) @body) @function
(method_declaration
  receiver: (parameter_list (parameter_declaration type: [
    (type_identifier) @owner (generic_type type: (type_identifier) @owner)
    (pointer_type [(type_identifier) @owner (generic_type type: (type_identifier) @owner)])]))
  name: (field_identifier) @name body: (_) @body) @method
(type_declaration "type" . (type_spec name: (type_identifier) @name type: (struct_type (_) @body))) @class
(type_declaration "(" (type_spec name: (type_identifier) @name type: (struct_type (_) @body)) @class)
(type_declaration "type" . (type_spec type: (struct_type (field_declaration_list (field_declaration !name type: [
  (type_identifier) @extends (qualified_type) @extends (generic_type type: (_) @extends)]))))) @class
(type_declaration "type" . (type_spec name: (type_identifier) @name type: (interface_type "{" @body))) @interface
(type_declaration "(" (type_spec name: (type_identifier) @name type: (interface_type "{" @body)) @interface)
(type_declaration "type" . (type_spec type: (interface_type (type_elem [(type_identifier) (qualified_type)] @extends)))) @interface
(type_declaration "type" . [(type_spec name: (type_identifier) @name) (type_alias name: (type_identifier) @name)]) @type
(type_declaration "(" [(type_spec name: (type_identifier) @name) (type_alias name: (type_identifier) @name)] @type)
(source_file (const_declaration "const" . (const_spec name: (identifier) @name)) @constant)
(source_file (const_declaration "(" (const_spec name: (identifier) @name) @constant))
(source_file (var_declaration "var" . (var_spec name: (identifier) @name)) @constant)
(source_file (var_declaration (var_spec_list (var_spec name: (identifier) @name) @constant)))
(call_expression function: [(identifier) @call (selector_expression field: (field_identifier) @call)])
(composite_literal type: [(type_identifier) @call (qualified_type name: (type_identifier) @call)])
(package_clause (package_identifier) @package)
(import_declaration [
  (import_spec path: (interpreted_string_literal (_) @from))
  (import_spec_list (import_spec path: (interpreted_string_literal (_) @from)))]) @import
(import_declaration [
  (import_spec name: (package_identifier) @item)
  (import_spec_list (import_spec name: (package_identifier) @item))]) @import
(comment) @comment
"""

# The builtins, and what fmt, errors, testing and the like answer to.
_QUIET = frozenset(
    """append cap clear close complex copy delete imag len make max min new panic print println real recover string int int8
    int16 int32 int64 uint uint8 uint16 uint32 uint64 float32 float64 byte rune bool error any Error Errorf Fatal Fatalf
    Print Printf Println Sprint Sprintf Sprintln Fprint Fprintf Fprintln String Log Logf Helper Run Parallel Cleanup Skip
    Lock Unlock RLock RUnlock Add Done Wait Close Read Write Get Set Len Len Less Swap Is As Unwrap Context WithCancel
    Background Now Since Sub Before After Sleep Join Split Contains HasPrefix HasSuffix TrimSpace Replace ToLower ToUpper
    Itoa Atoi ParseInt Marshal Unmarshal Equal NoError DeepEqual""".split()
)


def _resolve(path: str, module: str, items: tuple[str, ...]) -> tuple[tuple[str, ...], ...]:  # noqa: ARG001
    """A package is a folder: the file of it that has its name, or says what it is."""
    parts = [part for part in module.split("/") if part]
    if len(parts) < 2:
        return ()
    # The host, and for the big ones the account, are part of no path.
    parts = parts[1:] if "." in parts[0] else parts
    name = parts[-1] if not parts[-1].startswith("v") or not parts[-1][1:].isdigit() or len(parts) == 1 else parts[-2]
    ends = ["/".join(parts[at:]) for at in range(len(parts))]
    return (distinct(f"{end}/{file}.go" for end in ends for file in (name, "doc")),)


def _exported(found: Found, listed: frozenset[str]) -> bool:  # noqa: ARG001
    return found.name[:1].isupper() and all(owner[:1].isupper() for owner in found.owners)


LANGUAGE = Language(
    name="go",
    family="go",
    grammar="tree_sitter_go",
    query=_QUERY,
    resolve=_resolve,
    exported=_exported,
    import_words=frozenset({"import", "package", "const", "var", "type"}),
    quiet=_QUIET,
    by_package=True,
    extensions=(".go",),
)
