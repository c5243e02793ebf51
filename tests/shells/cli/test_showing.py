"""What a person sees."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from running_cli import Cli, start

pytestmark = pytest.mark.usefixtures("sample")
ESCAPE = "\x1b"


def test_a_search_lists_rank_title_kind_place_score_and_a_marked_excerpt(cli: Cli) -> None:
    first, excerpt = cli("search", "jitter").out.splitlines()[:2]
    assert first.startswith(" 1. task-17#note/plan  note  saltmarsh  ")
    assert "with «jitter» so that" in excerpt


def test_a_title_that_matched_is_marked_itself(cli: Cli) -> None:
    assert cli("search", "drift").out.startswith(" 1. Gauge clocks «drift»  knowledge  know-gauge-clocks")


def test_explain_shows_each_lists_rank_raw_score_and_share(cli: Cli) -> None:
    lines = [line.split() for line in cli("search", "jitter", "--explain", "--limit", "1").out.splitlines()[2:]]
    lists = [line for line in lines if line[1] == "rank"]
    assert lists
    assert {(line[3], line[5]) for line in lists} == {("raw", "share")}
    assert [line[:2] for line in lines if line not in lists] == [["every", "word"]]


def test_the_answer_is_on_stdout_and_messages_are_on_stderr(cli: Cli) -> None:
    ran = cli("search", "how are retries capped", "--limit", "2")
    assert "hits" not in ran.out
    assert "; next page: --offset 2" in ran.err
    assert "not looked for: how, are" in ran.err


def test_what_an_answer_lacks_is_said_on_stderr(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DOWSE_MODEL", "none")
    assert "vectors: no embedding model is set up" in cli("search", "how are retries capped").err


def test_a_surface_without_pages_says_to_raise_the_limit(cli: Cli) -> None:
    assert "for more raise --limit" in cli("search", "gauge", "--surface", "architecture", "--limit", "1").err


def test_nothing_found_says_what_was_searched_and_what_to_try(cli: Cli) -> None:
    ran = cli("search", "unfindable zzqq", "--kind", "item")
    assert (ran.code, ran.out) == (0, "")
    for words in ("'unfindable zzqq'", "kinds item", "fewer or other words", "--mode substring", "dowse why-not ID"):
        assert words in ran.err


def test_a_query_that_would_steer_the_terminal_is_shown_escaped(cli: Cli) -> None:
    shown = cli("search", "xqzv\u202e\x07").err
    assert "xqzv\\u202e\\x07" in shown
    assert not {"\u202e", "\x07"} & set(shown)


def test_an_offset_past_the_end_says_how_many_there_are(cli: Cli) -> None:
    assert "No hits from offset 50 on; there are 2." in cli("search", "jitter", "--offset", "50").err


def test_words_of_a_query_need_no_quotes(cli: Cli) -> None:
    assert cli("search", "gauge", "clocks", "--json").json["hits"] == cli("search", "gauge clocks", "--json").json["hits"]


def test_options_may_stand_before_the_command_and_between_words(cli: Cli, sample: Path) -> None:
    wanted = cli("search", "gauge clocks", "--limit", "1", "--json").out
    assert cli("--json", "--workspace", str(sample), "search", "gauge", "--limit=1", "clocks").out == wanted


def test_a_query_that_looks_like_an_option_follows_two_dashes(cli: Cli) -> None:
    assert cli("search", "--json", "--", "-surge tide").code == 0


@pytest.mark.parametrize("arguments", [("search", "jitter"), ("tree", "task-17"), ("search", "jitter", "--json"), ("export",)])
def test_a_terminal_that_knows_few_characters_is_no_error(arguments: tuple[str, ...]) -> None:
    process = start(*arguments, stdout=subprocess.PIPE, stderr=subprocess.PIPE, environment={"PYTHONIOENCODING": "ascii"})
    _, said = process.communicate()
    assert (process.returncode, "Traceback" in said) == (0, False)


def test_a_library_nobody_knows_is_told(cli: Cli) -> None:
    assert cli("resolve-library", "zzqq").err == "Nothing: no library goes by 'zzqq' or speaks of it.\n"


def test_a_tree_is_drawn(cli: Cli) -> None:
    assert cli("tree", "task-17").out.splitlines()[0] == "Cap the retries of the courier  item  task-17  work"
    assert "└── " in cli("tree", "task-17").out


def test_a_list_is_a_table_with_the_true_total(cli: Cli) -> None:
    ran = cli("list", "--kind", "item", "--limit", "2")
    assert ran.out.split()[:3] == ["ID", "KIND", "TITLE"]
    assert ran.err == "2 of 9 records; next page: --offset 2\n"


def test_edges_that_are_not_there_are_told(cli: Cli) -> None:
    assert cli("backlinks", "glossary").err == "Nothing: glossary has no such edges.\n"


def test_every_answer_but_a_search_is_json_in_camel_case(cli: Cli) -> None:
    assert cli("list", "--limit", "1", "--json").json["nextOffset"] == 1
    assert cli("tree", "task-18", "--json").json["record"]["key"] == "task-18"
    assert cli("backlinks", "retry-policy", "--json").json[0]["edge"]["kind"] == "links_to"
    assert cli("why-not", "task-22", "retry", "--json").json["found"] is False
    assert cli("status", "--json").json["records"]["item"] == 9
    assert {item["ok"] for item in cli("doctor", "--json").json} == {True}
    assert cli("resolve-library", "tidekit", "--json").json[0]["versions"] == ["v1", "v2"]
    assert cli("query-docs", "/saltmarsh/tidekit", "silent", "--json").json["text"].startswith("## Library Rules")
    assert cli("surfaces", "--json").json[0]["name"] == "everything"
    assert cli("kinds", "--json").json[0]["facets"][:4] == ["role", "priority", "status", "type"]
    assert cli("reindex", "--json").json == {"indexed": 67}


def test_a_stored_text_cannot_steer_the_terminal(cli: Cli) -> None:
    cli("put", "page", "--key", "trap", "--title", f"Trap {ESCAPE}[31m", "--set", f"content=red {ESCAPE}]0;owned\x07 herring")
    shown = cli("get", "trap").out + cli("search", "herring").out + cli("list", "--kind", "page").out
    assert ESCAPE not in shown
    assert "\x07" not in shown


def test_output_that_is_not_a_terminal_has_no_colours(cli: Cli) -> None:
    assert ESCAPE not in cli("search", "retry").out + cli("list").out + cli("tree", "task-10").out


@pytest.mark.skipif(sys.platform == "win32", reason="pseudo-terminals are a thing of Unix")
@pytest.mark.parametrize(("environment", "coloured"), [({}, True), ({"NO_COLOR": "1"}, False)])
def test_a_terminal_has_colours_unless_the_user_wants_none(environment: dict[str, str], coloured: bool) -> None:
    import pty

    ours, theirs = pty.openpty()
    process = start("search", "jitter", stdout=theirs, stderr=subprocess.DEVNULL, environment={"TERM": "xterm", **environment})
    os.close(theirs)
    assert process.wait() == 0
    shown = os.read(ours, 100_000).decode()
    os.close(ours)
    assert "jitter" in shown
    assert (f"{ESCAPE}[1;33m" in shown) == coloured
