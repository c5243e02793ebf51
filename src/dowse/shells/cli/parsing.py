"""How does a command line become values? One parser per command, made from its arguments."""

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NoReturn

from dowse.app.operations import Group
from dowse.errors import InvalidRequest
from dowse.shells.cli.commands import COMMANDS, COMMON, FAMILIES, Argument, Command
from dowse.text.suggesting import did_you_mean

# No command line can hold this character, so it can mark what must not be read as an option.
_WORD = "\0"


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        raise InvalidRequest(f"{message[0].upper()}{message[1:]}. See '{self.prog} --help'.")


class _Unasked(argparse.HelpFormatter):
    """Help is written elsewhere. argparse makes one of these for every argument, and would load much to learn a width."""

    def __init__(self, prog: str) -> None:
        super().__init__(prog, width=80)


def split(arguments: Sequence[str]) -> tuple[str | None, list[str]]:
    """The command's name and the rest; what stands before the name counts as if it stood behind it.

    >>> split(["--workspace", "w.dowse", "search", "retry"])
    ('search', ['--workspace', 'w.dowse', 'retry'])
    >>> split(["library", "add", "rich"]), split(["library-add", "rich"]), split(["library"])
    (('library add', ['rich']), ('library add', ['rich']), ('library', ['--help']))
    """
    taking = {argument.flag for argument in COMMON if argument.metavar}
    at = 0
    while at < len(arguments) and arguments[at].startswith("-"):
        at += 2 if arguments[at] in taking else 1
    if at >= len(arguments):
        return None, list(arguments)
    return _joined(arguments[at], [*arguments[:at], *arguments[at + 1 :]])


def _joined(name: str, rest: list[str]) -> tuple[str, list[str]]:
    """A name of two words as one, also where a hyphen joins them; the first alone asks for help."""
    family, hyphen, member = name.partition("-")
    if hyphen and f"{family} {member}" in COMMANDS:
        return f"{family} {member}", rest
    if name not in FAMILIES:
        return name, rest
    second, others = split(rest)
    return (name, [*others, "--help"]) if second is None else (f"{name} {second}", others)


def find(name: str) -> Command:
    if name in FAMILIES:
        return Command(name, FAMILIES[name], Group.WRITE, (), ())
    if name not in COMMANDS:
        raise InvalidRequest(f"There is no command {name!r}. {did_you_mean(name, COMMANDS)}")
    return COMMANDS[name]


def parse(command: Command, arguments: Sequence[str]) -> tuple[argparse.Namespace, dict[str, Any]]:
    """The common options, and the values of the command's own arguments that were given."""
    given = parser(command).parse_intermixed_args(_protected(arguments))
    values = {}
    for argument in command.arguments:
        value = getattr(given, argument.name)
        if value is None or value is False or value == []:
            continue
        if argument.pairs:
            value = pairs(argument.flag, value)
        elif not argument.flag:
            value = (" ".join(value) if argument.many else value).replace(_WORD, "")
        values[argument.name] = value
    return given, values


def _protected(arguments: Sequence[str]) -> list[str]:
    """What follows ``--`` is never an option, whatever it looks like (argparse loses sight of that when words are mixed)."""
    if "--" not in arguments:
        return list(arguments)
    at = list(arguments).index("--")
    return [*arguments[:at], *(_WORD + argument for argument in arguments[at + 1 :])]


def parser(command: Command) -> argparse.ArgumentParser:
    made = _Parser(prog=f"dowse {command.name}", add_help=False, allow_abbrev=False, formatter_class=_Unasked)
    for argument in (*command.arguments, *COMMON):
        _add(made, argument)
    return made


def _add(made: argparse.ArgumentParser, argument: Argument) -> None:
    if not argument.flag:
        nargs = ("*" if argument.optional else "+") if argument.many else "?" if argument.optional else None
        made.add_argument(argument.name, metavar=argument.metavar, nargs=nargs)
    elif not argument.metavar:
        flags = ["-h"] if argument.flag == "--help" else []
        made.add_argument(*flags, argument.flag, dest=argument.name, action="store_true")
    elif argument.many:
        made.add_argument(argument.flag, dest=argument.name, action="append")
    else:
        made.add_argument(argument.flag, dest=argument.name)


def pairs(flag: str, texts: Sequence[str]) -> dict[str, Any]:
    """``NAME=TEXT``, ``NAME:=JSON`` and ``NAME=@FILE`` as an object; a name given twice has both values.

    >>> pairs("--set", ["role=work", "stars:=12", "tag=a", "tag=b"])
    {'role': 'work', 'stars': 12, 'tag': ['a', 'b']}
    """
    found: dict[str, Any] = {}
    for text in texts:
        name, equals, value = text.partition("=")
        if not equals or not name.strip(":"):
            raise InvalidRequest(f"{flag} takes NAME=VALUE, not {text!r}.")
        read = _json(flag, text, value) if name.endswith(":") else _text(value)
        name = name.removesuffix(":")
        if name in found:
            found[name] = [*(found[name] if isinstance(found[name], list) else [found[name]]), read]
        else:
            found[name] = read
    return found


def _json(flag: str, text: str, value: str) -> Any:
    try:
        return json.loads(value)
    except ValueError as error:
        raise InvalidRequest(f"{flag} {text}: what follows ':=' is not valid JSON ({error}).") from error


def _text(value: str) -> str:
    if value == "@-":
        return sys.stdin.read()
    if value.startswith("@"):
        return Path(value[1:]).read_text(encoding="utf-8")
    return value
