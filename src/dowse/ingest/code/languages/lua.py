"""How is Lua read?"""

from dowse.ingest.code.language import Found, Language
from dowse.ingest.code.paths import beside, distinct, each, folder

# Lua has tables only. One whose name is written like a type's is taken for a class, and what is written `Boat.dock` belongs
# to it; any other stands for the module itself, as the usual `M`, and its name would say nothing.
_TYPE = '"^[A-Z][A-Za-z0-9]*[a-z]"'

_QUERY = f"""
(function_declaration name: (identifier) @name) @function
(function_declaration name: (dot_index_expression field: (identifier) @name)) @function
(function_declaration name: (method_index_expression method: (identifier) @name)) @method
(function_declaration body: (block) @body) @function
(function_declaration
  name: [(dot_index_expression table: (_) @owner) (method_index_expression table: (_) @owner)]
  (#match? @owner "(^|[.])[A-Z][A-Za-z0-9]*[a-z][A-Za-z0-9]*$")) @function
(chunk (assignment_statement
  (variable_list . name: [(identifier) @name (dot_index_expression field: (identifier) @name)] .)
  (expression_list . value: (function_definition))) @function)
(chunk (assignment_statement (expression_list . value: (function_definition body: (block) @body))) @function)
(chunk (assignment_statement
  (variable_list . name: (dot_index_expression table: (_) @owner) .)
  (expression_list . value: (function_definition))) @function
  (#match? @owner {_TYPE}))
(chunk (variable_declaration (assignment_statement
  (variable_list . name: (identifier) @name .)
  (expression_list . value: (function_definition)))) @function)
(chunk (variable_declaration (assignment_statement
  (expression_list . value: (function_definition body: (block) @body)))) @function)
(chunk (_ (expression_list (table_constructor
  (field name: (identifier) @name value: (function_definition)) @function))))
(chunk (_ (expression_list (table_constructor
  (field value: (function_definition body: (block) @body)) @function))))
(chunk (variable_declaration (assignment_statement (expression_list (table_constructor
  (field name: (identifier) @name value: (function_definition)) @function)))))

(chunk (_ (variable_list . name: (identifier) @name .) (expression_list . value: (table_constructor) @body .)) @class
  (#match? @name {_TYPE}))
(chunk (variable_declaration (assignment_statement
  (variable_list . name: (identifier) @name .)
  (expression_list . value: (table_constructor) @body .))) @class
  (#match? @name {_TYPE}))
(chunk (variable_declaration (assignment_statement
  (variable_list . name: (identifier) @name .)
  (expression_list . value: (function_call name: (identifier) @_set arguments: (arguments
    . (_) . (table_constructor (field name: (identifier) @_index value: (_) @extends)))) @body .))) @class
  (#match? @name {_TYPE})
  (#eq? @_set "setmetatable")
  (#eq? @_index "__index"))
(chunk (variable_declaration (assignment_statement
  (variable_list . name: (identifier) @name .)
  (expression_list . value: (function_call
    name: (method_index_expression table: (_) @extends method: (identifier) @_extend)) @body .))) @class
  (#match? @name {_TYPE})
  (#any-of? @_extend "extend" "subclass"))
(chunk (variable_declaration (assignment_statement
  (variable_list . name: (identifier) @name .)
  (expression_list . value: (function_call name: (identifier) @_class) @body .))) @class
  (#match? @name {_TYPE})
  (#eq? @_class "class"))
(chunk (variable_declaration (assignment_statement
  (expression_list . value: (function_call name: (identifier) @_class arguments: (arguments (identifier) @extends)) .))) @class
  (#eq? @_class "class"))
(chunk (function_call name: (identifier) @_set arguments: (arguments
  . (identifier) @name . (table_constructor (field name: (identifier) @_index value: (_) @extends)))) @scope
  (#eq? @_set "setmetatable")
  (#eq? @_index "__index"))

(chunk (variable_declaration (assignment_statement (variable_list name: (identifier) @name))) @constant
  (#match? @name "^_*[A-Z][A-Z0-9_]+$"))
(chunk (assignment_statement
  (variable_list name: [(identifier) @name (dot_index_expression field: (identifier) @name)])) @constant
  (#match? @name "^_*[A-Z][A-Z0-9_]+$"))
(chunk (assignment_statement (variable_list name: (dot_index_expression table: (identifier) @owner))) @constant
  (#match? @owner {_TYPE}))

(function_call name: [
  (identifier) @call
  (dot_index_expression field: (identifier) @call)
  (method_index_expression method: (identifier) @call)])

(variable_declaration (assignment_statement (expression_list value: (function_call
  name: (identifier) @_load arguments: (arguments . (string content: (string_content) @from) .))))
  (#any-of? @_load "require" "dofile")) @import
(assignment_statement (variable_list name: (dot_index_expression)) (expression_list value: (function_call
  name: (identifier) @_load arguments: (arguments . (string content: (string_content) @from) .)) @import)
  (#any-of? @_load "require" "dofile"))
([(chunk (function_call name: (identifier) @_load arguments: (arguments . (string content: (string_content) @from) .)) @import)
  (block (function_call name: (identifier) @_load arguments: (arguments . (string content: (string_content) @from) .)) @import)
  (arguments (function_call name: (identifier) @_load arguments: (arguments . (string content: (string_content) @from) .)) @import)
  (field (function_call name: (identifier) @_load arguments: (arguments . (string content: (string_content) @from) .)) @import)
  (dot_index_expression table: (function_call
    name: (identifier) @_load arguments: (arguments . (string content: (string_content) @from) .)) @import)
  (method_index_expression table: (function_call
    name: (identifier) @_load arguments: (arguments . (string content: (string_content) @from) .)) @import)
  (return_statement (expression_list (function_call
    name: (identifier) @_load arguments: (arguments . (string content: (string_content) @from) .)) @import))]
  (#any-of? @_load "require" "dofile"))
(comment) @comment
"""

_FILES = (".lua", "/init.lua")

# The functions of the language and of its libraries, and those of the usual test runner.
_QUIET = frozenset(
    """assert collectgarbage dofile error getmetatable ipairs load loadfile loadstring next pairs pcall print rawequal rawget
    rawlen rawset require select setmetatable setfenv getfenv tonumber tostring type unpack xpcall class extend
    byte char find format gmatch gsub len lower match rep reverse sub upper concat insert move pack remove sort
    abs ceil cos exp floor fmod huge log max min modf pi random randomseed sin sqrt tan
    close flush lines open popen read seek tmpfile write clock date difftime execute exit getenv rename time tmpname
    create resume running status wrap yield traceback describe it before_each after_each setup teardown are equal same""".split()
)


def _resolve(path: str, module: str, items: tuple[str, ...]) -> tuple[tuple[str, ...], ...]:  # noqa: ARG001
    """A file or a folder's init file, from the root or wherever the path of modules may begin."""
    if module.endswith(".lua"):
        return (distinct([beside(path, module), beside("", module)]),)
    stem = module.replace(".", "/").strip("/")
    if "/" in stem:
        return (each([stem], _FILES),)
    # A lone name at the end of some path is mostly another module of that name.
    return (each([root + stem for root in (folder(path), "/", "/src/", "/lua/")], _FILES),) if stem else ()


def _exported(found: Found, listed: frozenset[str]) -> bool:  # noqa: ARG001
    """What is not local; a local class is, for a module hands out its classes."""
    if found.name.startswith("_"):
        return False
    return found.kind == "class" or not found.signature.startswith("local ")


LANGUAGE = Language(
    name="lua",
    family="lua",
    grammar="tree_sitter_lua",
    query=_QUERY,
    resolve=_resolve,
    exported=_exported,
    import_words=frozenset({"local", "require", "dofile", "="}),
    own=("self:", "self."),
    quiet=_QUIET,
    extensions=(".lua",),
)
