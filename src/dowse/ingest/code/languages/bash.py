"""How is Bash read, and the other shells that are written like it?"""

from posixpath import normpath

from dowse.ingest.code.language import Found, Language
from dowse.ingest.code.paths import beside, distinct

# Only what is sourced by a path is known: `source "$file"` may mean anything.
_QUERY = """
(function_definition name: (word) @name body: (_) @body) @function
(program (declaration_command "readonly" [(variable_assignment name: (variable_name) @name) (variable_name) @name]) @constant)
(program (declaration_command (word) @_flag (variable_assignment name: (variable_name) @name)) @constant
  (#match? @_flag "^-[a-zA-Z]*r"))
(program (declaration_command (variable_assignment name: (variable_name) @name)) @constant
  (#match? @name "^_*[A-Z][A-Z0-9_]*$")
  (#not-match? @name "^(PATH|IFS|LANG|LC_ALL)$"))
(program (variable_assignment name: (variable_name) @name) @constant
  (#match? @name "^_*[A-Z][A-Z0-9_]*$")
  (#not-match? @name "^(PATH|IFS|LANG|LC_ALL)$"))
(command name: (command_name (word) @call) (#match? @call "^[A-Za-z_][A-Za-z0-9_:.-]*$"))
(command name: (command_name (word) @_trap) . argument: (word) @call
  (#eq? @_trap "trap")
  (#match? @call "^[A-Za-z_][A-Za-z0-9_:.-]*$"))
(command name: (command_name (word) @_source) . argument: [(word) (raw_string)] @from
  (#any-of? @_source "source" ".")
  (#not-match? @from "^'?[/~]")) @import
(command name: (command_name (word) @_source) . argument: (string . (string_content) @from .)
  (#any-of? @_source "source" ".")
  (#not-match? @from "^[/~]")) @import
(command name: (command_name (word) @_source) . argument: (string
    . [(simple_expansion) (expansion) (command_substitution)] . (string_content) @from .)
  (#any-of? @_source "source" ".")) @import
(command name: (command_name (word) @_source) . argument: (concatenation
    . [(simple_expansion) (expansion) (string) (command_substitution)] . (word) @from .)
  (#any-of? @_source "source" ".")) @import
(comment) @comment
"""

# The builtins, and the programs that every system has.
_QUIET = frozenset(
    """alias bg bind break builtin caller cd command compgen complete continue declare dirs disown echo enable eval exec exit
    export false fc fg getopts hash help history jobs kill let local logout mapfile popd printf pushd pwd read readarray
    readonly return set shift shopt source suspend test times trap true type typeset ulimit umask unalias unset wait
    awk basename bash bc cat chmod chown cmp comm cp curl cut date dd df diff dirname docker du env expr file find git grep
    egrep fgrep gawk gunzip gzip head hostname id install jq ln ls make md5sum mkdir mkfifo mktemp mount mv nproc od paste
    patch perl ps python python3 readlink realpath rm rmdir rsync scp sed seq sh sha256sum sleep sort ssh stat stty sudo
    systemctl tail tar tee timeout touch tput tr tty umount uname uniq unzip wc wget which whoami xargs yes zip""".split()
)


def _resolve(path: str, module: str, items: tuple[str, ...]) -> tuple[tuple[str, ...], ...]:  # noqa: ARG001
    """A path beside the script or below the root; one after a variable, wherever it fits."""
    written = module.strip("'\"")
    relative = written.lstrip("/")
    if not relative or relative.endswith("/"):
        return ()
    names = [beside(path, relative), beside("", relative)]
    # Where "$here/../lib/log.sh" leads depends on the variable; its end does not.
    return (distinct([*names, normpath(relative).replace("../", "")] if written.startswith("/") else names),)


def _exported(found: Found, listed: frozenset[str]) -> bool:  # noqa: ARG001
    return not found.name.startswith("_")


LANGUAGE = Language(
    name="bash",
    family="bash",
    grammar="tree_sitter_bash",
    query=_QUERY,
    resolve=_resolve,
    exported=_exported,
    import_words=frozenset({"source", "."}),
    quiet=_QUIET,
    extensions=(".sh", ".bash", ""),
)
