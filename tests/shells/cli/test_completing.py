import shutil
import subprocess

import pytest
from running_cli import Cli

from dowse.domains.everything import SURFACES
from dowse.shells.cli.commands import COMMANDS, SHELLS


@pytest.mark.parametrize("shell", SHELLS)
def test_the_script_of_a_shell_names_every_command_flag_and_surface(cli: Cli, shell: str) -> None:
    script = cli("completion", shell).out
    for command in COMMANDS.values():
        assert command.name in script
        for option in command.options:
            assert option.flag in script or f"-l {option.flag[2:]}" in script
    assert " ".join(SURFACES) in script


@pytest.mark.parametrize("shell", SHELLS)
def test_the_script_is_valid_where_the_shell_is_here_to_say_so(cli: Cli, shell: str) -> None:
    if shutil.which(shell) is None:
        pytest.skip(f"{shell} is not installed")
    script = cli("completion", shell).out
    assert subprocess.run([shell, "-n"], input=script, text=True, capture_output=True).stderr == ""


def complete(script: str, *words: str) -> set[str]:
    line = f"COMP_WORDS=({' '.join(words)}); COMP_CWORD={len(words) - 1}; _dowse; printf '%s\\n' \"${{COMPREPLY[@]}}\""
    return set(subprocess.run(["bash", "-c", f"{script}\n{line}"], text=True, capture_output=True, check=True).stdout.split())


@pytest.mark.skipif(shutil.which("bash") is None, reason="bash is not installed")
def test_bash_completes_commands_flags_and_choices(cli: Cli) -> None:
    script = cli("completion", "bash").out
    assert complete(script, "dowse", "se") == {"search", "search-files", "serve"}
    assert complete(script, "dowse", "search", "--ki") == {"--kind"}
    assert complete(script, "dowse", "search", "retry", "--surface", "pag") == {"pages"}
    assert "page" in complete(script, "dowse", "put", "pa")
