import json
from pathlib import Path

import pytest
from running_cli import Cli

GUIDE = "# Kit\n\n## Launch\n\nTo launch it, call launch.\n\n```python\nlaunch()\n```\n"


@pytest.fixture
def kit(tmp_path: Path) -> Path:
    folder = tmp_path / "kit"
    folder.mkdir()
    (folder / "README.md").write_text(GUIDE)
    return folder


@pytest.mark.usefixtures("kit")
def test_a_library_is_added_listed_asked_updated_and_removed(cli: Cli) -> None:
    added = cli("library", "add", "kit", "--stars", "9")
    assert added.code == 0
    assert "/local/kit" in added.out
    assert "1 snippets of 1 files (1 read, 0 known already); 1 written, 0 removed" in added.out
    assert "/local/kit: 1 of 1 files, 1 snippets" in added.err
    listed = cli("library", "list").out
    assert listed.split()[:3] == ["ID", "TITLE", "VERSIONS"]
    assert "indexed" in listed
    assert cli("resolve-library", "kit").out.startswith("1. kit\n   Library ID: /local/kit\n")
    asked = cli("query-docs", "/local/kit", "launch").out
    assert asked == "### Launch\n*Kit > Launch*\n```python\n# To launch it, call launch.\nlaunch()\n```\n"
    assert "nothing changed" in cli("library", "update", "/local/kit").out
    assert cli("library", "remove", "/local/kit").out == "snippets: 1\n"
    assert cli("library", "list").err == "There are none yet.\n"


@pytest.mark.usefixtures("kit")
def test_json_tells_everything_and_nothing_else(cli: Cli) -> None:
    added = cli("library", "add", "kit", "--json")
    assert (added.json["library"], added.json["versions"][0]["parsed"]) == ("/local/kit", 1)
    (entry,) = cli("library", "list", "--json").json
    assert (entry["defaultVersion"], entry["state"], entry["ready"]) == ("", "indexed", True)
    (updated,) = cli("library", "update", "--json").json
    assert (updated["changed"], updated["error"]) == (False, "")
    assert cli("library", "remove", "/local/kit", "--json").json == {"snippets": 1}


@pytest.mark.usefixtures("kit")
def test_the_words_may_be_joined_and_options_may_stand_before_them(cli: Cli) -> None:
    assert cli("library-add", "kit").code == 0
    assert json.loads(cli("--json", "library", "list").out)[0]["library"] == "/local/kit"


def test_the_first_word_alone_shows_what_can_follow(cli: Cli) -> None:
    ran = cli("library")
    assert ran.code == 0
    assert ran.out == cli("library", "--help").out == cli("help", "library").out
    for name in ("library add", "library list", "library update", "library remove"):
        assert f"  {name} " in ran.out


def test_a_wrong_second_word_is_told_with_the_right_one(cli: Cli) -> None:
    ran = cli("library", "ad", "x")
    assert ran.code == 2
    assert "Did you mean 'library add'?" in ran.err


def test_an_unknown_source_is_told(cli: Cli) -> None:
    ran = cli("library", "add", "nowhere-at-all")
    assert ran.code == 3
    assert "nowhere-at-all is no folder, file, git repository or installed package here" in ran.err
