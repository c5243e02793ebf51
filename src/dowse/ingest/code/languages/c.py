"""How is C read?"""

from dowse.ingest.code.language import Found, Language, SymbolKind
from dowse.ingest.code.paths import beside, distinct

# Where constants and prototypes are those of the file. Within a function they are its own.
PLACES = frozenset({"translation_unit", "preproc_ifdef", "preproc_if", "preproc_else", "declaration_list"})

CONSTANTS = """
((_ (declaration (type_qualifier) @_const
  declarator: (init_declarator declarator: [
    (identifier) @name
    (array_declarator declarator: (identifier) @name)
    (array_declarator declarator: (array_declarator declarator: (identifier) @name))
    (pointer_declarator declarator: (identifier) @name)
    (pointer_declarator (type_qualifier) declarator: (identifier) @name)
    (pointer_declarator declarator: (array_declarator declarator: (identifier) @name))])
  ";" @body) @constant) @place
  (#match? @_const "^const"))
(_ (enum_specifier !name body: (enumerator_list (enumerator name: (identifier) @name))) @constant) @place
"""
"""Constants of a file, in C and C++."""

PROTOTYPES = """
(_ (declaration . (type_qualifier)* . type: (_)
  declarator: [
    (function_declarator declarator: (identifier) @export)
    (pointer_declarator declarator: (function_declarator declarator: (identifier) @export))])) @place
((_ (declaration (storage_class_specifier) @_extern
  declarator: [
    (function_declarator declarator: (identifier) @export)
    (pointer_declarator declarator: (function_declarator declarator: (identifier) @export))])) @place
  (#eq? @_extern "extern"))
"""
"""A prototype is a promise: calls mean the definition, which it would hide. Its file lists it as exported."""

TYPES = """
([(struct_specifier name: (type_identifier) @name body: (_) @body)
  (union_specifier name: (type_identifier) @name body: (_) @body)] @class)
(type_definition
  type: [(struct_specifier name: (_) body: (_) @body) (union_specifier name: (_) body: (_) @body)] @class
  declarator: [(type_identifier) @name (pointer_declarator declarator: (type_identifier) @name)]) @outer
(enum_specifier name: (type_identifier) @name body: (_) @body) @enum
(type_definition type: (enum_specifier name: (_) body: (_) @body) @enum declarator: (type_identifier) @name) @outer
(type_definition
  type: [(struct_specifier !name body: (_)) (union_specifier !name body: (_))]
  declarator: [(type_identifier) @name (pointer_declarator declarator: (type_identifier) @name)]
  ";" @body) @class
(type_definition type: (enum_specifier !name body: (_)) declarator: (type_identifier) @name ";" @body) @enum
(type_definition
  type: [(primitive_type) (sized_type_specifier) (type_identifier)]
  declarator: [
    (type_identifier) @name
    (primitive_type) @name
    (pointer_declarator declarator: (type_identifier) @name)
    (array_declarator declarator: (type_identifier) @name)
    (function_declarator declarator: (parenthesized_declarator (pointer_declarator declarator: (type_identifier) @name)))
    (pointer_declarator declarator: (function_declarator
      declarator: (parenthesized_declarator (pointer_declarator declarator: (type_identifier) @name))))]
  ";" @body) @type
(type_definition
  type: [(struct_specifier name: (_) @_tag !body) (union_specifier name: (_) @_tag !body) (enum_specifier name: (_) @_tag !body)]
  declarator: [(type_identifier) @name (pointer_declarator declarator: (type_identifier) @name)]
  ";" @body
  (#not-eq? @name @_tag)) @type
"""
"""Structs, unions, enums and typedefs, in C and C++. A typedef that only repeats the tag of a struct would hide the struct."""

MACROS = """
(preproc_def name: (identifier) @name value: (preproc_arg)) @constant
(preproc_function_def name: (identifier) @name value: (preproc_arg)? @body) @function
"""

INCLUDES = """
(preproc_include path: [(system_lib_string) @from (string_literal (string_content) @from)]) @import
"""

_FUNCTIONS = """
(function_definition declarator: (function_declarator declarator: (identifier) @name) body: (_) @body) @function
(function_definition
  declarator: (pointer_declarator declarator: (function_declarator declarator: (identifier) @name)) body: (_) @body) @function
(function_definition
  declarator: (pointer_declarator declarator: (pointer_declarator declarator: (function_declarator declarator: (identifier) @name)))
  body: (_) @body) @function
"""

# What a header holds is for others, even if it is static or a macro.
_HEADER = """
(preproc_ifdef name: (identifier) @_guard . (preproc_def name: (identifier) @_defined)
  [(function_definition) (preproc_function_def)] @function @exported (#eq? @_guard @_defined))
(preproc_ifdef name: (identifier) @_guard . (preproc_def name: (identifier) @_defined)
  [(declaration) (preproc_def)] @constant @exported (#eq? @_guard @_defined))
(translation_unit . (comment)* . (preproc_call argument: (preproc_arg) @_once)
  [(function_definition) (preproc_function_def)] @function @exported (#eq? @_once "once"))
(translation_unit . (comment)* . (preproc_call argument: (preproc_arg) @_once)
  [(declaration) (preproc_def)] @constant @exported (#eq? @_once "once"))
(linkage_specification body: (declaration_list [(function_definition) (preproc_function_def)] @function @exported))
(linkage_specification body: (declaration_list [(declaration) (preproc_def)] @constant @exported))
"""

_REST = """
(call_expression function: [(identifier) @call (field_expression field: (field_identifier) @call)])
(comment) @comment
[(attribute_specifier) (attribute_declaration)] @attribute
"""

# Headers of every C compiler and system: a file of such a name in the project is hardly ever what is meant.
_SYSTEM = frozenset(
    f"<{name}.h>"
    for name in """assert complex ctype errno fenv float inttypes iso646 limits locale math setjmp signal stdalign stdarg stdatomic
    stdbool stddef stdint stdio stdlib stdnoreturn string strings tgmath threads time uchar wchar wctype unistd fcntl pthread poll
    dirent dlfcn netdb termios sched semaphore syslog utime pwd grp glob regex getopt libgen malloc memory windows winsock2 io
    direct process conio""".split()
)

QUIET = frozenset(
    """printf fprintf sprintf snprintf vprintf vfprintf vsnprintf puts fputs putchar fputc putc getc getchar fgetc fgets scanf
    sscanf fscanf fopen fclose fread fwrite fseek ftell fflush feof ferror perror remove rename malloc calloc realloc free
    alloca exit abort atexit getenv system atoi atol atof strtol strtoul strtod strtoull rand srand qsort bsearch memcpy
    memmove memset memcmp memchr strlen strcpy strncpy strcat strncat strcmp strncmp strcasecmp strchr strrchr strstr strtok
    strdup strndup strerror isalpha isdigit isalnum isspace isupper islower toupper tolower abs labs fabs floor ceil round
    sqrt pow sin cos tan exp log fmin fmax time clock difftime localtime gmtime strftime assert static_assert offsetof
    va_start va_end va_arg va_copy open close read write lseek stat errno sizeof defined setjmp longjmp signal""".split()
)
"""What the standard library of C has."""


def resolve_include(path: str, module: str, items: tuple[str, ...]) -> tuple[tuple[str, ...], ...]:  # noqa: ARG001
    """A header in quotes lies beside the file or on the way compilers search, one in angle brackets on that way only."""
    if module in _SYSTEM:
        return ()
    name = module.strip("<> ")
    if module.startswith("<"):
        # C++ has no ending on its own headers.
        return ((name,),) if "." in name else ()
    return (distinct([beside(path, name), "" if name.startswith(".") else name]),)


def _exported(found: Found, listed: frozenset[str]) -> bool:  # noqa: ARG001
    if found.parent is not None:
        return found.parent.exported
    if found.signature.startswith("#"):
        return found.marked
    hidden = "static" in found.signature.split() and found.kind in (SymbolKind.FUNCTION, SymbolKind.CONSTANT)
    return found.marked or not hidden


LANGUAGE = Language(
    name="c",
    family="c",
    grammar="tree_sitter_c",
    query=CONSTANTS + PROTOTYPES + TYPES + MACROS + INCLUDES + _FUNCTIONS + _HEADER + _REST,
    resolve=resolve_include,
    exported=_exported,
    import_words=frozenset({"include", "#include"}),
    quiet=QUIET,
    extensions=(".c", ".h"),
    places=PLACES,
)
