"""How is Ruby read?"""

from dowse.ingest.code.language import Found, Language
from dowse.ingest.code.paths import beside, each

# A comment may stand between the head of a definition and its body.
_QUERY = """
(assignment left: (constant) @name
  right: (call receiver: (constant) @_maker method: (identifier) @_make block: (_)? @body)
  (#match? @_maker "^(Struct|Data|Class|Module)$") (#match? @_make "^(new|define)$")) @class
(class name: [(constant) @name (scope_resolution scope: (_)? @owner name: (constant) @name)] body: (_)? @body) @class
(class superclass: (superclass [(constant) (scope_resolution)] @extends)) @class
(class (comment) @body) @class
(class body: (body_statement (call
    method: (identifier) @_mix arguments: (argument_list [(constant) (scope_resolution)] @implements)))
  (#match? @_mix "^(include|prepend|extend)$")) @class
(module name: [(constant) @name (scope_resolution scope: (_)? @owner name: (constant) @name)] body: (_)? @body) @module
(module (comment) @body) @module
(module body: (body_statement (call
    method: (identifier) @_mix arguments: (argument_list [(constant) (scope_resolution)] @implements)))
  (#match? @_mix "^(include|prepend|extend)$")) @module
(method name: (_) @name body: (_)? @body) @function
(method (comment) @body) @function
(singleton_method name: (_) @name body: (_)? @body) @function
(singleton_method (comment) @body) @function
(program (assignment left: (constant) @name) @constant)
(body_statement (assignment left: (constant) @name) @constant)
(call method: [(identifier) (constant)] @call)
(call receiver: [(constant) @call (scope_resolution name: (constant) @call)] method: (identifier) @_new (#eq? @_new "new"))
(call method: (identifier) @item arguments: (argument_list (string (string_content) @from))
  (#match? @item "^(require|require_relative|load|autoload)$")) @import
(comment) @comment
"""

# A method is seen unless it stands below or behind the word private, so that the mark is put on those that are hidden.
_HIDDEN = """
(body_statement (identifier) @_private (method) @function @exported (#eq? @_private "private"))
(call method: (identifier) @_private arguments: (argument_list (method) @function @exported) (#eq? @_private "private"))
"""

# What objects, strings, arrays, hashes and classes answer to, and the words of testing libraries.
_QUIET = frozenset(
    """require require_relative load autoload include extend prepend attr_reader attr_writer attr_accessor private public protected
    private_constant module_function alias_method define_method raise puts print p pp format sprintf lambda proc loop catch throw
    new initialize class is_a? kind_of? instance_of? respond_to? nil? freeze frozen? dup clone tap then send public_send __send__
    method methods instance_variable_get instance_variable_set instance_eval class_eval inspect to_s to_sym to_i to_f to_a to_h
    to_str to_proc hash eql? equal? call yield each each_with_index each_with_object each_pair map flat_map select filter reject
    find detect inject reduce sum min max sort sort_by group_by partition zip first last push pop shift unshift append concat
    join split strip chomp gsub sub match match? scan start_with? end_with? include? empty? any? all? none? size length count
    key? keys values fetch dig merge merge! delete delete_if compact uniq flatten reverse upcase downcase capitalize times upto
    step abs round floor ceil freeze sleep exit open read write close gets binding block_given? caller warn at_exit
    describe context it before after let subject expect eq to not_to be assert assert_equal assert_nil assert_raises refute
    StandardError ArgumentError RuntimeError NotImplementedError TypeError KeyError Struct Hash Array String
    Integer Float""".split()
)


def _resolve(path: str, module: str, items: tuple[str, ...]) -> tuple[tuple[str, ...], ...]:
    """A file next to this one, or one below a folder that Ruby looks into. A lone name is mostly a gem's."""
    stem = module.removesuffix(".rb")
    if "require_relative" in items or stem.startswith("."):
        return (each([beside(path, stem)], [".rb"]),)
    return (each([f"/lib/{stem}", stem if "/" in stem else ""], [".rb"]),)


def _exported(found: Found, listed: frozenset[str]) -> bool:  # noqa: ARG001
    return not found.marked and (found.parent is None or found.parent.exported)


LANGUAGE = Language(
    name="ruby",
    family="ruby",
    grammar="tree_sitter_ruby",
    query=_QUERY + _HIDDEN,
    resolve=_resolve,
    exported=_exported,
    import_words=frozenset({"require", "require_relative", "relative", "load", "autoload"}),
    own=("self.", "self&."),
    quiet=_QUIET,
    extensions=(".rb",),
)
