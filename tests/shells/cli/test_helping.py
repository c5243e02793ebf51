import pytest
from running_cli import ROOT, Cli

from dowse.app.operations import Group
from dowse.shells.cli.commands import COMMANDS
from dowse.shells.cli.helping import manual


def test_the_overview_groups_every_command_and_shows_a_session(cli: Cli) -> None:
    out = cli("--help").out
    for group in Group:
        assert f"\n{group.value}:\n" in out
    for command in COMMANDS.values():
        assert f"  {command.name} " in out
    assert out.count("  $ dowse ") == 3


@pytest.mark.parametrize("name", COMMANDS)
def test_the_help_of_a_command_ends_with_examples(cli: Cli, name: str) -> None:
    ran = cli(name, "--help")
    assert ran.code == 0
    assert ran.out == cli("help", name).out
    examples = ran.out.partition("\nexamples:\n")[2]
    assert examples.startswith("  $ ")
    assert f"dowse {name}" in examples


def test_help_fits_a_terminal() -> None:
    assert all(len(line) <= 110 for line in manual().splitlines() if not line.startswith(("|", "Made")))


def test_the_manual_is_current() -> None:
    assert (ROOT / "docs" / "cli.md").read_text(encoding="utf-8") == manual(), "python -m dowse.shells.cli.helping > docs/cli.md"
