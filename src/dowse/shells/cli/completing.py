"""What completes commands in a shell? Scripts written from the commands."""

from collections.abc import Iterator

from dowse.shells.cli.commands import COMMANDS, COMMON, FAMILIES, Argument, Command

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


def _first_words() -> Iterator[tuple[str, str]]:
    """What can stand after ``dowse``, with what it does."""
    yield from ((command.name, command.summary) for command in COMMANDS.values() if " " not in command.name)
    yield from FAMILIES.items()


def _members(family: str) -> Iterator[tuple[str, str]]:
    """What can stand after the first of two words."""
    names = ((command.name.partition(" "), command.summary) for command in COMMANDS.values())
    return ((second, summary) for (first, space, second), summary in names if space and first == family)


def _bash() -> str:
    files = "|".join(f"*:{argument.flag}" for argument in COMMON if argument.metavar in _PATHS)
    return "\n".join(
        [
            "# Completion of dowse for bash.",
            "_dowse() {",
            '    local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]} command="" words="" word',
            '    for word in "${COMP_WORDS[@]:1:COMP_CWORD-1}"; do',
            "        case $word in",
            "            -*) ;;",
            *(f'            {family}) if [ -z "$command" ]; then command={family}; else break; fi ;;' for family in FAMILIES),
            '            *) command="${command:+$command }$word"; break ;;',
            "        esac",
            "    done",
            '    case "$command:$previous" in',
            f'        {files}) COMPREPLY=($(compgen -f -- "$current")); return ;;',
            *(f'        "{name}:{flag}") words="{words}" ;;' for name, flag, words in _choices()),
            "    esac",
            '    if [ -z "$words" ]; then case "$command" in',
            f'        "") words="{" ".join(name for name, _ in _first_words())}" ;;',
            *(f'        {family}) words="{" ".join(name for name, _ in _members(family))}" ;;' for family in FAMILIES),
            *(f'        "{command.name}") words="{_words(command)}" ;;' for command in COMMANDS.values()),
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
            '    local command="${words[2]}"',
            "    if (( CURRENT == 2 )); then",
            f"        rows=({described(_first_words())})",
            "        _describe command rows",
            "        return",
            "    fi",
            *(
                f"    if [[ $command == {family} ]]; then if (( CURRENT == 3 )); then rows=({described(_members(family))});"
                ' _describe command rows; return; fi; command="$command ${words[3]}"; fi'
                for family in FAMILIES
            ),
            '    case "$command:${words[CURRENT-1]}" in',
            f"        {files}) _files; return ;;",
            *(f'        "{name}:{flag}") compadd {words}; return ;;' for name, flag, words in _choices()),
            "    esac",
            '    case "$command" in',
            *(f'        "{command.name}") rows=({described(_flags(command))}) ;;' for command in COMMANDS.values()),
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
    for name, about in _first_words():
        lines.append(f"complete -c dowse -n __fish_use_subcommand -f -a {name} -d {_single(about)}")
    for family in FAMILIES:
        names = " ".join(name for name, _ in _members(family))
        alone = _single(f"__fish_seen_subcommand_from {family}; and not __fish_seen_subcommand_from {names}")
        lines += [f"complete -c dowse -n {alone} -f -a {name} -d {_single(about)}" for name, about in _members(family)]
    for command in COMMANDS.values():
        lines.append(f"# {command.name}")
        seen = _single("; and ".join(f"__fish_seen_subcommand_from {word}" for word in command.name.split()))
        for argument in _arguments(command):
            if not argument.flag:
                continue
            takes = f" -x -a {_single(' '.join(argument.choices))}" if argument.choices else " -r" if argument.metavar else ""
            lines.append(f"complete -c dowse -n {seen} -l {argument.flag[2:]}{takes} -d {_single(argument.about)}")
    return "\n".join(lines) + "\n"


def _single(text: str) -> str:
    """In single quotes, as every shell reads them."""
    return "'" + text.replace("'", "'\\''") + "'"
