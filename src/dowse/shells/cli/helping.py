"""What does help say? Written from the commands, so that it is the same on every Python and in the manual."""

import textwrap
from collections.abc import Iterable

from dowse.app.operations import Group
from dowse.shells.cli.commands import COMMANDS, COMMON, FAMILIES, Argument, Command
from dowse.shells.cli.exits import MEANINGS
from dowse.version import __version__

_WIDTH = 96
_COLUMN = 24
_SESSION = """\
  $ dowse import docs/sample.jsonl
  $ dowse search "how are retries capped"
  $ dowse why-not task-17 "retry budget"
"""
_PAIRS = "NAME=VALUE is text; NAME:=VALUE is JSON (stars:=12); NAME=@FILE reads a file, NAME=@- standard input."


def overview() -> str:
    """The help of ``dowse`` itself."""
    parts = [
        f"dowse {__version__}: finds anything a software project knows.\n",
        "usage: dowse COMMAND [OPTIONS]\n",
        _SESSION,
    ]
    for group in Group:
        rows = ((command.name, command.summary) for command in COMMANDS.values() if command.group is group)
        parts.append(_section(group.value, rows))
    parts.append(_section("options of every command", _rows(COMMON)))
    parts.append("'dowse COMMAND --help' shows a command with examples.\n")
    return "\n".join(parts)


def help_of(command: Command) -> str:
    """The help of one command, or of all that share a first word."""
    if command.name in FAMILIES:
        return _family(command)
    parts = [f"{command.summary}\n", f"{_usage(command)}\n"]
    if command.positionals:
        parts.append(_section("arguments", _rows(command.positionals)))
    if command.options:
        parts.append(_section("options", _rows(command.options)))
    if any(argument.pairs for argument in command.arguments):
        parts.append(f"{_PAIRS}\n")
    parts.append(_section("options of every command", _rows(COMMON)))
    parts.append("examples:\n" + "".join(f"  $ {example}\n" for example in command.examples))
    return "\n".join(parts)


def manual() -> str:
    """docs/cli.md, whole."""
    parts = [
        "# The command line\n\nMade by `python -m dowse.shells.cli.helping > docs/cli.md`; a test checks that it is current.\n",
        _block(overview()),
        *(f"## dowse {command.name}\n\n{_block(help_of(command))}" for command in COMMANDS.values()),
        "## Exit codes\n\n| code | meaning |\n|---|---|\n" + "".join(f"| {code} | {text} |\n" for code, text in MEANINGS.items()),
    ]
    return "\n".join(parts)


def _family(family: Command) -> str:
    members = [command for command in COMMANDS.values() if command.name.startswith(f"{family.name} ")]
    parts = [
        f"{family.summary}\n",
        f"usage: dowse {family.name} COMMAND [OPTIONS]\n",
        _section("commands", ((command.name, command.summary) for command in members)),
        f"'dowse {family.name} COMMAND --help' shows a command with examples.\n",
    ]
    return "\n".join(parts)


def _block(text: str) -> str:
    return f"```text\n{text}```\n"


def _usage(command: Command) -> str:
    words = ["usage: dowse", command.name]
    for argument in command.positionals:
        word = argument.metavar + ("..." if argument.many else "")
        words.append(f"[{word}]" if argument.optional else word)
    for argument in command.options:
        words.append(f"[{argument.flag}{' ' * bool(argument.metavar)}{argument.metavar}]{'...' * argument.many}")
    # Wrapped between the brackets, never inside them.
    glued = " ".join(word.replace(" ", "\0") if word.startswith("[") else word for word in words)
    return textwrap.fill(glued, _WIDTH, subsequent_indent=" " * 8, break_long_words=False, break_on_hyphens=False).replace(
        "\0", " "
    )


def _rows(arguments: Iterable[Argument]) -> Iterable[tuple[str, str]]:
    for argument in arguments:
        about = argument.about
        if argument.choices:
            about += f" ({', '.join(argument.choices)})"
        if argument.flag and argument.many:
            about += "; may be repeated"
        yield f"{argument.flag} {argument.metavar}".strip(), about


def _section(title: str, rows: Iterable[tuple[str, str]]) -> str:
    lines = [f"{title}:\n"]
    for left, right in rows:
        wrapped = textwrap.wrap(right, _WIDTH - _COLUMN, break_on_hyphens=False) or [""]
        first = f"  {left:<{_COLUMN - 3}} " if len(left) < _COLUMN - 2 else f"  {left}\n{' ' * _COLUMN}"
        lines.append(f"{first}{wrapped[0]}".rstrip() + "\n")
        lines += [f"{' ' * _COLUMN}{more}\n" for more in wrapped[1:]]
    return "".join(lines)


if __name__ == "__main__":
    print(manual(), end="")
