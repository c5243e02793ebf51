"""What completes commands in a shell? Scripts written from the commands."""

from collections.abc import Iterator

from dowse.shells.cli.commands import COMMANDS, COMMON, Argument, Command

_PATHS = ("PATH", "DIR", "FILE")


def script(shell: str) -> str:
    return {"bash": _bash, "zsh": _zsh, "fish": _fish}[shell]()


def _arguments(command: Command) -> tuple[Argument, ...]:
    return (*command.arguments, *COMMON)


def _flags(command: Command) -> Iterator[tuple[str, str]]:
    return ((argument.flag, argument.about) for argument in _arguments(command) if argument.flag)


def _words(command: Command) -> str:
    alone = [choice for argument in command.positionals for choice in argument.choices]
    return " ".join([*alone, *(argument.flag for argument in _arguments(command) if argument.flag)])


def _choices() -> Iterator[tuple[str, str, str]]:
    """Command, flag and what may follow it."""
    for command in COMMANDS.values():
        for argument in command.options:
            if argument.choices:
                yield command.name, argument.flag, " ".join(argument.choices)


def _bash() -> str:
    files = "|".join(f"*:{argument.flag}" for argument in COMMON if argument.metavar in _PATHS)
    return "\n".join(
        [
            "# Completion of dowse for bash.",
            "_dowse() {",
            '    local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]} command="" words="" word',
            '    for word in "${COMP_WORDS[@]:1:COMP_CWORD-1}"; do',
            "        case $word in -*) ;; *) command=$word; break ;; esac",
            "    done",
            '    case "$command:$previous" in',
            f'        {files}) COMPREPLY=($(compgen -f -- "$current")); return ;;',
            *(f'        {name}:{flag}) words="{words}" ;;' for name, flag, words in _choices()),
            "    esac",
            '    if [ -z "$words" ]; then case "$command" in',
            f'        "") words="{" ".join(COMMANDS)}" ;;',
            *(f'        {command.name}) words="{_words(command)}" ;;' for command in COMMANDS.values()),
            "    esac; fi",
            '    COMPREPLY=($(compgen -W "$words" -- "$current"))',
            "}",
            "complete -o default -F _dowse dowse",
            "",
        ]
    )


def _zsh() -> str:
    def described(pairs: Iterator[tuple[str, str]]) -> str:
        return " ".join(_single(f"{left}:{right.replace(':', ',')}") for left, right in pairs)

    files = "|".join(f"*:{argument.flag}" for argument in COMMON if argument.metavar in _PATHS)
    return "\n".join(
        [
            "#compdef dowse",
            "_dowse() {",
            "    local -a rows",
            "    if (( CURRENT == 2 )); then",
            f"        rows=({described((command.name, command.summary) for command in COMMANDS.values())})",
            "        _describe command rows",
            "        return",
            "    fi",
            '    case "${words[2]}:${words[CURRENT-1]}" in',
            f"        {files}) _files; return ;;",
            *(f"        {name}:{flag}) compadd {words}; return ;;" for name, flag, words in _choices()),
            "    esac",
            '    case "${words[2]}" in',
            *(f"        {command.name}) rows=({described(_flags(command))}) ;;" for command in COMMANDS.values()),
            "    esac",
            "    _describe option rows",
            "    _files",
            "}",
            "compdef _dowse dowse",
            "",
        ]
    )


def _fish() -> str:
    lines = ["# Completion of dowse for fish."]
    for command in COMMANDS.values():
        lines.append(f"complete -c dowse -n __fish_use_subcommand -f -a {command.name} -d {_single(command.summary)}")
        for argument in _arguments(command):
            if not argument.flag:
                continue
            takes = f" -x -a {_single(' '.join(argument.choices))}" if argument.choices else " -r" if argument.metavar else ""
            seen = f"'__fish_seen_subcommand_from {command.name}'"
            lines.append(f"complete -c dowse -n {seen} -l {argument.flag[2:]}{takes} -d {_single(argument.about)}")
    return "\n".join(lines) + "\n"


def _single(text: str) -> str:
    """In single quotes, as every shell reads them."""
    return "'" + text.replace("'", "'\\''") + "'"
