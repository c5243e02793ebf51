"""How is JavaScript read, and what of it holds for TypeScript as well?"""

from dowse.ingest.code.language import Found, Language
from dowse.ingest.code.paths import beside, distinct, each

# Where a declaration stands that the rest of the project can see: in the file itself, exported or not.
SHARED_QUERY = """
(program (lexical_declaration (variable_declarator
  name: (identifier) @name
  value: [(arrow_function body: (_) @body) (function_expression body: (_) @body) (generator_function body: (_) @body)])) @function)
(program (variable_declaration (variable_declarator
  name: (identifier) @name
  value: [(arrow_function body: (_) @body) (function_expression body: (_) @body) (generator_function body: (_) @body)])) @function)
(export_statement declaration: (lexical_declaration (variable_declarator
  name: (identifier) @name
  value: [(arrow_function body: (_) @body) (function_expression body: (_) @body) (generator_function body: (_) @body)])) @function)
(program (lexical_declaration (variable_declarator name: (identifier) @name value: (class body: (_) @body))) @class)
(function_declaration name: (identifier) @name body: (_) @body) @function
(generator_function_declaration name: (identifier) @name body: (_) @body) @function
(method_definition name: (_) @name body: (_) @body) @function
(expression_statement (assignment_expression
  left: (member_expression
    object: (member_expression object: (identifier) @owner property: (property_identifier) @_prototype)
    property: (property_identifier) @name)
  right: [(function_expression body: (_) @body) (arrow_function body: (_) @body)])
  (#eq? @_prototype "prototype")) @function
(expression_statement (assignment_expression
  left: (member_expression object: [(identifier) (member_expression)] @exported property: (property_identifier) @name)
  right: [(function_expression body: (_) @body) (arrow_function body: (_) @body)])
  (#any-of? @exported "exports" "module.exports")) @function
(expression_statement (assignment_expression
  left: (member_expression object: (identifier) @owner property: (property_identifier) @name)
  right: [(function_expression body: (_) @body) (arrow_function body: (_) @body)])
  (#match? @owner "^[A-Z]")) @function
(program (lexical_declaration "const" (variable_declarator name: (identifier) @name value: (_) @_value)) @constant
  (#not-match? @_value "^(await )?(require|import)\\\\("))
(export_statement declaration: (lexical_declaration (variable_declarator name: (identifier) @name)) @constant)
(export_statement declaration: (_) @constant) @outer @exported
(arguments [(arrow_function) (function_expression)] @inner)
(call_expression function: [(identifier) @call (member_expression property: (_) @call)])
(new_expression constructor: [(identifier) @call (member_expression property: (_) @call)])
(import_statement source: (string (string_fragment) @from)) @import
(export_statement source: (string (string_fragment) @from)) @import
(lexical_declaration (variable_declarator value: (call_expression
  function: (identifier) @_require arguments: (arguments (string (string_fragment) @from))))
  (#eq? @_require "require")) @import
(variable_declaration (variable_declarator value: (call_expression
  function: (identifier) @_require arguments: (arguments (string (string_fragment) @from))))
  (#eq? @_require "require")) @import
(call_expression function: (import) arguments: (arguments (string (string_fragment) @from))) @import
(export_statement !source (export_clause (export_specifier name: (identifier) @export)))
(export_statement value: (identifier) @export)
(assignment_expression left: (member_expression) @_module
  right: [(identifier) @export (object [(shorthand_property_identifier) @export (pair key: (property_identifier) @export)])]
  (#eq? @_module "module.exports"))
(comment) @comment
(decorator) @attribute
"""

# A tag with a capital is a component, which is called by it.
MARKUP_QUERY = """
(jsx_opening_element name: (identifier) @call (#match? @call "^[A-Z]"))
(jsx_self_closing_element name: (identifier) @call (#match? @call "^[A-Z]"))
"""

_QUERY = (
    """
(class_declaration name: (identifier) @name body: (_) @body) @class
(class_declaration (class_heritage [(identifier) (member_expression)] @extends)) @class
(class_body (field_definition property: (_) @name value: [(arrow_function body: (_) @body) (function_expression body: (_) @body)])
  @function)
(class_body (field_definition "static" property: (property_identifier) @name) @constant (#match? @name "^[A-Z][A-Z0-9_]*$"))
"""
    + SHARED_QUERY
    + MARKUP_QUERY
)

_EXTENSIONS = (".ts", ".tsx", ".js", ".jsx", ".mjs", ".cjs", ".d.ts", ".vue")
_INDEXES = ("/index.ts", "/index.tsx", "/index.js", "/index.jsx")

# Globals, what arrays, strings, maps, promises and the page answer to, and the words of test runners.
QUIET = frozenset(
    """require Math JSON Reflect Intl
    parseInt parseFloat isNaN isFinite setTimeout clearTimeout setInterval clearInterval setImmediate queueMicrotask
    fetch alert encodeURIComponent decodeURIComponent structuredClone Array Object String Number Boolean Symbol BigInt Date
    RegExp Map Set WeakMap WeakSet Promise Proxy Error TypeError RangeError SyntaxError URL URLSearchParams Uint8Array Buffer
    AbortController FormData Headers Request Response
    push pop shift unshift slice splice concat join map filter reduce reduceRight forEach find findIndex findLast some every
    includes indexOf lastIndexOf flat flatMap fill sort reverse at keys values entries has get set add delete clear split trim
    trimStart trimEnd replace replaceAll match matchAll test exec startsWith endsWith padStart padEnd toLowerCase toUpperCase
    charAt charCodeAt codePointAt substring substr repeat localeCompare normalize toString valueOf toFixed toISOString getTime
    hasOwnProperty call apply bind then catch finally resolve reject all allSettled race log warn error info debug trace
    stringify parse assign freeze create defineProperty getOwnPropertyNames fromEntries isArray from of isInteger floor ceil
    round max min abs random now addEventListener removeEventListener querySelector querySelectorAll getElementById
    createElement appendChild setAttribute getAttribute preventDefault stopPropagation on off once emit next describe it test
    expect beforeEach afterEach beforeAll afterAll toBe toEqual toBeDefined toHaveBeenCalled""".split()
)
IMPORT_WORDS = frozenset("import from as export default type typeof const let var require await".split())


def resolve(path: str, module: str, items: tuple[str, ...]) -> tuple[tuple[str, ...], ...]:  # noqa: ARG001
    """A file beside the importing one, or one below ``src`` for the customary alias; packages are not of the project."""
    module = module.partition("?")[0]
    if module.startswith("."):
        stem = beside(path, module)
    elif module.startswith(("@/", "~/", "#/")):
        stem = f"src/{module[2:]}"
    elif module.startswith("/"):
        stem = module
    else:
        return ()
    if not stem:
        return ()
    if stem == "/":
        return (_INDEXES,)
    whole = (stem,) if "." in stem.rpartition("/")[2] else ()
    # TypeScript writes the name of the file that will be compiled to.
    bare = stem.removesuffix(".js").removesuffix(".jsx").removesuffix(".mjs")
    return (distinct([*whole, *each([bare], (*_EXTENSIONS, *_INDEXES))]),)


def exported(found: Found, listed: frozenset[str]) -> bool:
    """What is marked or listed; members that are not private of what is."""
    if found.parent is not None:
        return (
            found.parent.exported and not found.name.startswith("#") and not found.signature.startswith(("private ", "protected "))
        )
    return found.marked or found.name in listed or bool(found.owners and found.owners[0] in listed)


LANGUAGE = Language(
    name="javascript",
    family="js",
    grammar="tree_sitter_javascript",
    query=_QUERY,
    resolve=resolve,
    exported=exported,
    import_words=IMPORT_WORDS,
    own=("this.", "this.#"),
    quiet=QUIET,
    extensions=(".js", ".jsx", ".mjs", ".cjs", ".ts", ".tsx"),
)
