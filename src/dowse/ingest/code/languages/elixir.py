"""How is Elixir read? Everything in it is a call, so its words for definitions are looked for by name."""

from dowse.ingest.code.language import Found, Language

# A function's clauses follow each other; those after this many make a second symbol of it. Each costs the start a moment.
_MOST_CLAUSES = 6
# How many of @spec, @impl and the like may stand between a function and its @doc.
_MOST_ATTRIBUTES = 3

_DEFINES = '"def" "defp" "defmacro" "defmacrop" "defguard" "defguardp" "defdelegate"'


def _head(capture: str) -> str:
    """What a definition with parameters defines: ``f(x)``, or that with a guard."""
    call = f"(call target: (identifier) @{capture})"
    return f'[{call} (binary_operator left: {call} operator: "when")]'


def _later_clauses() -> str:
    """Patterns that make the clauses after a function's first part of it: one for each number of them."""
    return "\n".join(
        f"((call target: (identifier) @_define (arguments . {_head('name')})) @function"
        + " . (comment)* . (call)" * between
        + f" . (comment)* . (call target: (identifier) @_again (arguments . {_head('_same')})) @outer"
        + f" (#eq? @name @_same) (#eq? @_define @_again) (#any-of? @_define {_DEFINES}))"
        for between in range(_MOST_CLAUSES - 1)
    )


def _docs() -> str:
    return "\n".join(
        '(do_block (unary_operator operator: "@" operand: (call target: (identifier) @_doc (arguments [(string) (sigil)] @doc)))'
        + " . (unary_operator)" * between
        + f' . (call target: (identifier) @_define) @function (#eq? @_doc "doc") (#any-of? @_define {_DEFINES}))'
        for between in range(_MOST_ATTRIBUTES + 1)
    )


_QUERY = f"""
(call target: (identifier) @_define (arguments . (alias) @name) (do_block) @body
  (#eq? @_define "defmodule")) @module
(call target: (identifier) @_define (arguments . (alias) @name) (do_block) @body
  (#eq? @_define "defprotocol")) @interface
(call target: (identifier) @_define (arguments . (alias) @implements (keywords (pair value: (alias) @name))) (do_block) @body
  (#eq? @_define "defimpl")) @scope
(call target: (identifier) @_define (do_block (unary_operator operand: (call
    target: (identifier) @_doc (arguments [(string) (sigil)] @doc))))
  (#eq? @_define "defmodule")
  (#eq? @_doc "moduledoc")) @module
(call target: (identifier) @_define (do_block (unary_operator operand: (call
    target: (identifier) @_doc (arguments [(string) (sigil)] @doc))))
  (#eq? @_define "defprotocol")
  (#eq? @_doc "moduledoc")) @interface
(call target: (identifier) @_define (do_block (call target: (identifier) @_use (arguments . (alias) @implements)))
  (#eq? @_define "defmodule")
  (#any-of? @_use "use" "defimpl")) @module
(call target: (identifier) @_define (do_block (unary_operator operand: (call
    target: (identifier) @_behaviour (arguments . (alias) @implements))))
  (#eq? @_define "defmodule")
  (#eq? @_behaviour "behaviour")) @module

(call target: (identifier) @_define (arguments . [(identifier) @name {_head("name")}]) (#any-of? @_define {_DEFINES})) @function
(call target: (identifier) @_define (do_block) @body (#any-of? @_define {_DEFINES})) @function
(call target: (identifier) @_define (arguments . (_) . "," @body . (keywords)) (#any-of? @_define {_DEFINES})) @function
{_later_clauses()}
{_docs()}
(call target: (identifier) @testing (arguments . (string (quoted_content) @name)) (do_block) @body
  (#eq? @testing "test")) @function
(unary_operator operator: "@" operand: (call target: (identifier) @_callback
    (arguments (binary_operator left: (call target: (identifier) @name))))
  (#any-of? @_callback "callback" "macrocallback")) @function
(unary_operator operator: "@" operand: (call target: (identifier) @_type
    (arguments (binary_operator left: [(identifier) @name (call target: (identifier) @name)])))
  (#any-of? @_type "type" "typep" "opaque")) @type
(do_block (unary_operator operator: "@" operand: (call target: (identifier) @name (arguments))) @constant
  (#not-match? @name "^(doc|moduledoc|typedoc|spec|impl|type|typep|opaque|(macro)?callback|optional_callbacks|behaviour)$")
  (#not-match? @name "^(deprecated|derive|enforce_keys|dialyzer|compile|(before|after)_compile|external_resource|on_.*|vsn)$")
  (#not-match? @name "^((module|describe)?tag)$"))

(call target: [(identifier) @call (dot left: (alias) right: (identifier) @call)])
(call target: (dot right: (identifier) @call) (arguments))

(call target: (identifier) @_import (arguments . (alias) @from)
  (#any-of? @_import "alias" "import" "use" "require")) @import
(call target: (identifier) @_import (arguments . (dot left: (alias) @from right: (tuple (alias) @item)))
  (#any-of? @_import "alias" "import" "use" "require")) @import
(comment) @comment
((unary_operator operator: "@" operand: (call target: (identifier) @_about)) @attribute
  (#any-of? @_about "doc" "typedoc" "spec" "impl" "deprecated" "dialyzer" "tag"))
"""

# What the language is made of, its types, and what everything is made with.
_QUIET = frozenset(
    """def defp defmacro defmacrop defguard defguardp defdelegate defmodule defprotocol defimpl defstruct defexception
    defoverridable alias import use require quote unquote unquote_splicing if unless case cond with for fn receive try raise
    reraise throw rescue catch super self send spawn spawn_link exit apply abs div rem round trunc max min hd tl elem put_elem
    length tuple_size map_size byte_size inspect to_string is_nil is_atom is_binary is_integer is_float is_number is_list is_map
    is_tuple is_function is_boolean is_pid is_struct not in and or match? put_in get_in update_in pop_in struct struct! dbg then
    tap binding node make_ref sigil_s sigil_r test describe assert refute assert_raise assert_receive setup setup_all
    doc moduledoc typedoc spec impl type typep opaque callback macrocallback behaviour deprecated derive tag
    atom integer float number binary boolean term any map list tuple keyword pid reference function timeout module no_return none
    non_neg_integer pos_integer nonempty_list iodata charlist struct t get put new""".split()
)

_HIDDEN = ("defp ", "defmacrop ", "defguardp ", "@typep ", "test ")


def _resolve(path: str, module: str, items: tuple[str, ...]) -> tuple[tuple[str, ...], ...]:  # noqa: ARG001
    """Modules by their names, wherever their files are."""
    return tuple((f"{module}.{item}",) for item in items) or ((module,),)


def _exported(found: Found, listed: frozenset[str]) -> bool:  # noqa: ARG001
    return found.kind != "constant" and not found.signature.startswith(_HIDDEN)


LANGUAGE = Language(
    name="elixir",
    family="elixir",
    grammar="tree_sitter_elixir",
    query=_QUERY,
    resolve=_resolve,
    exported=_exported,
    import_words=frozenset({"alias", "import", "use", "require", "as", "as:", "only", "only:", "except", "except:"}),
    quiet=_QUIET,
    extensions=(".ex",),
)
