"""Which commands are there, and what can be typed after each? Made from the operations, and a few of the shell's own."""

from typing import Any

from dowse.app.operations import OPERATIONS, Group, Operation, OperationParameter, Type
from dowse.model.declaring import dataclass

SHELLS = ("bash", "zsh", "fish")
# Commands of two words, by the first; the operations begin with it.
FAMILIES = {
    "library": "Libraries: documentation from where it is, made findable.",
    "model": "Models: what gives records their vectors, so that they are found by meaning.",
    "token": "Tokens: who else may use the workspace, for what, and until when.",
}


@dataclass(frozen=True, slots=True)
class Argument:
    """One thing to type. ``flag`` empty: it stands alone. ``metavar`` empty: a switch. ``pairs``: NAME=VALUE."""

    name: str
    flag: str
    metavar: str
    about: str
    choices: tuple[str, ...] = ()
    many: bool = False
    pairs: bool = False
    optional: bool = False


@dataclass(frozen=True, slots=True)
class Command:
    name: str
    summary: str
    group: Group
    arguments: tuple[Argument, ...]
    examples: tuple[str, ...]
    operation: Operation | None = None

    @property
    def positionals(self) -> tuple[Argument, ...]:
        return tuple(argument for argument in self.arguments if not argument.flag)

    @property
    def options(self) -> tuple[Argument, ...]:
        return tuple(argument for argument in self.arguments if argument.flag)


COMMON = (
    Argument("workspace", "--workspace", "PATH", "the workspace file; default: DOWSE_WORKSPACE, else the nearest one"),
    Argument("project", "--project", "DIR", "look for the workspace from this folder upward; default: the current one"),
    Argument("json", "--json", "", "JSON on stdout, errors as JSON on stderr"),
    Argument("help", "--help", "", "show this help"),
)


def _argument(parameter: OperationParameter) -> Argument:
    word = parameter.one or parameter.name
    stands_alone = parameter.required or parameter.type in (Type.FOLDER, Type.INPUT) or parameter.name == "library"
    about = parameter.about
    if parameter.default not in (None, (), False) and parameter.type is not Type.OBJECT:
        about += f"; default: {parameter.default}"
    return Argument(
        name=parameter.name,
        flag="" if stands_alone else f"--{word.replace('_', '-')}",
        metavar=_metavar(parameter, word),
        about=about,
        choices=parameter.choices,
        # Words that people say need no quotes around them.
        many=parameter.type in (Type.STRINGS, Type.OBJECT) or (stands_alone and parameter.name in ("query", "task", "text")),
        pairs=parameter.type is Type.OBJECT,
        optional=parameter.type in (Type.OUTPUT, Type.FOLDER) or (stands_alone and not parameter.required),
    )


def _metavar(parameter: OperationParameter, word: str) -> str:
    match parameter.type:
        case Type.BOOLEAN:
            return ""
        case Type.INTEGER | Type.NUMBER:
            return "N"
        case Type.ID:
            return "ID" if parameter.name in ("key", "under", "parent") else parameter.name.upper()
        case Type.OBJECT:
            return "NAME=VALUE"
        case Type.INPUT | Type.OUTPUT:
            return "FILE"
        case Type.FOLDER:
            return "DIR"
    return word.upper()


def _command(operation: Operation) -> Command:
    arguments = tuple(_argument(item) for item in operation.parameters if item.type is not Type.REPORT)
    family, _, member = operation.name.partition("_")
    name = f"{family} {member}" if family in FAMILIES else operation.name.replace("_", "-")
    examples = tuple(_example(name, arguments, values) for values in operation.examples)
    return Command(name, operation.summary, operation.group, arguments, examples, operation)


def _example(name: str, arguments: tuple[Argument, ...], values: Any) -> str:
    """The command line that gives these values."""
    words = ["dowse", name]
    for argument in sorted(arguments, key=lambda item: bool(item.flag)):
        if argument.name not in values:
            continue
        value = values[argument.name]
        pairs = [f"{left}={right}" for left, right in value.items()] if argument.pairs else None
        for item in pairs or (value if isinstance(value, tuple) else (value,)):
            words += [argument.flag] if argument.flag else []
            words += [_quoted(str(item))] if argument.metavar else []
    return " ".join(words)


def _quoted(text: str) -> str:
    return f'"{text}"' if any(character in text for character in " []*|") else text


_INIT = Command(
    "init",
    "Make a new workspace in a folder, kept out of version control.",
    Group.CARE,
    (Argument("folder", "", "DIR", "default: the current folder", optional=True),),
    ("dowse init",),
)
_WATCH = Command(
    "watch",
    "Keep the projects of the workspace up to date while you work, until interrupted.",
    Group.WRITE,
    (
        Argument(
            "folder", "", "DIR", "a project to index first; default: those that are known, else the current folder", optional=True
        ),
    ),
    ("dowse watch",),
)
_SURFACES = Argument(
    "surfaces", "--surface", "NAME", "also offer the tools of this surface under its own names; all: of every one", many=True
)
_SERVE = Command(
    "serve",
    "Serve the workspace: a page to search in, REST and MCP over HTTP, until interrupted.",
    Group.CARE,
    (
        Argument("host", "--host", "ADDRESS", "where to listen; beyond this machine, callers need tokens; default: 127.0.0.1"),
        Argument("port", "--port", "N", "the port; 0: any that is free; default: 3697"),
        Argument("roots", "--root", "DIR", "a folder whose files callers may name; default: the projects", many=True),
        Argument("hosts", "--allow-host", "NAME", "a name this server is reached by, beside its address", many=True),
        Argument("origins", "--allow-origin", "ORIGIN", "a web origin whose pages may call this server", many=True),
        _SURFACES,
        Argument("helpers", "--helpers", "N", "processes that may help when many ask at once; default: auto, every core but one"),
        Argument("watch", "--watch", "", "keep the projects up to date meanwhile"),
        Argument("browse", "--open", "", "open the page in a browser"),
    ),
    ("dowse serve --open", "dowse serve --host 0.0.0.0 --allow-host search.example.org"),
)
_MCP = Command(
    "mcp",
    "Serve a coding agent over standard input and output, as an MCP server.",
    Group.CARE,
    (
        _SURFACES,
        Argument("tokens", "--tokens", "N", "the most text in one answer, in tokens; default: 8000"),
        Argument("read_only", "--read-only", "", "leave out the tools that write"),
        Argument("still", "--no-watch", "", "do not follow changes of files while serving"),
    ),
    ("dowse mcp", "dowse mcp --surface items --surface notes"),
)
_AGENTS = Argument("agents", "", "AGENT", "a coding agent; default: every one found on this machine", optional=True, many=True)
_DRY_RUN = Argument("dry_run", "--dry-run", "", "show what would be changed, and change nothing")
_HERE = Argument("here", "--here", "", "in the project's own files, for everyone who works on it, instead of your own")
_INSTALL = Command(
    "install",
    "Register dowse with the coding agents on this machine.",
    Group.CARE,
    (_AGENTS, _HERE, _SURFACES, Argument("force", "--force", "", "replace an entry of the same name that differs"), _DRY_RUN),
    ("dowse install --dry-run", "dowse install cursor codex", "dowse install claude-code --here"),
)
_UNINSTALL = Command(
    "uninstall",
    "Take dowse out of the settings of coding agents.",
    Group.CARE,
    (_AGENTS, _HERE, _DRY_RUN),
    ("dowse uninstall",),
)
_COMPLETION = Command(
    "completion",
    "Print a script that completes dowse commands in your shell.",
    Group.CARE,
    (Argument("shell", "", "SHELL", "your shell", choices=SHELLS),),
    ('eval "$(dowse completion bash)"', "dowse completion fish > ~/.config/fish/completions/dowse.fish"),
)

_MIGRATE = Command(
    "migrate",
    "Copy a workspace into an empty one, to a cluster or back; an interrupted copy goes on where it stopped.",
    Group.CARE,
    (
        Argument("source", "", "SOURCE", "a file, or opensearch://host,host/name"),
        Argument("target", "", "TARGET", "a file, or opensearch://host,host/name; made if it is not there"),
    ),
    ("dowse migrate .dowse/workspace.dowse opensearch://search-1,search-2/team",),
)

_OWN = (_MIGRATE, _WATCH, _SERVE, _MCP, _INSTALL, _UNINSTALL, _INIT, _COMPLETION)
COMMANDS: dict[str, Command] = {command.name: command for command in (*map(_command, OPERATIONS.values()), *_OWN)}
