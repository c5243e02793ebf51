import io

import pytest
from rich.console import Console
from rich.table import Table

from dowse.model.page import Excerpt, Hit, Page, Step
from dowse.model.ranking import ListScore, Signal
from dowse.model.record import Edge, Record
from dowse.present.hits import hits
from dowse.present.styled import Styled, is_plain, line, write_plain
from dowse.present.terminal import coloured, console, emit


def shown(hit: Hit) -> list[str]:
    stream = io.StringIO()
    write_plain(stream, hits(Page((hit,), 1, 0, 10), plain=True))
    return stream.getvalue().splitlines()


def test_a_hit_shows_each_place_once() -> None:
    record = Record("src/a.py", "codefile", "a.py", {"path": "src/a.py"}, space="main")
    assert shown(Hit(record, 1.5, 3, Excerpt("path", "")))[0] == " 3. a.py  codefile  src/a.py  main  1.5"


def test_a_part_of_a_file_shows_where_an_editor_opens_it() -> None:
    record = Record("main:src/a.py#wait", "symbol", "wait", {"path": "src/a.py"}, space="main", facets={"line": 7, "lineEnd": 9})
    assert shown(Hit(record, 1.5, 3, Excerpt("path", "")))[0] == " 3. wait  symbol  main:src/a.py#wait  src/a.py:7  1.5"


def test_an_excerpt_is_one_line_with_its_marks_and_cuts() -> None:
    excerpt = Excerpt("body", "if a:\n    wait", ((3, 4),), cut_before=True, cut_after=True)
    assert shown(Hit(Record("k", "note"), 1.0, 1, excerpt))[1] == "    …if «a»: wait…"


def test_an_explanation_shows_lists_and_signals() -> None:
    hit = Hit(
        Record("k", "page", "T"),
        1.0,
        1,
        Excerpt("title", "T"),
        lists=(ListScore("text", 2, 3.5, 0.25),),
        signals=(Signal("exact", 1.2),),
    )
    assert [" ".join(row.split()) for row in shown(hit)[1:]] == ["text rank 2 raw 3.5000 share 0.2500", "exact × 1.2"]


def test_a_neighbour_shows_the_way_to_it() -> None:
    steps = (Step(Edge("a", "b", "calls"), True), Step(Edge("c", "b", "tests"), False))
    assert (
        shown(Hit(Record("c", "symbol"), 0.5, 2, Excerpt("title", ""), via=steps))[-1] == "    reached from a → calls b ← tests c"
    )


@pytest.mark.parametrize("character", ["\x1b", "\x07", "\x9b", "\u202e", "\u2066", "\x00"])
def test_no_character_can_steer_the_terminal(character: str) -> None:
    assert line(f"a{character}b") == "a�b"


def test_lines_for_a_pipe_are_whole_and_end_without_blanks() -> None:
    table = Table("NAME", "WORDS", box=None)
    table.add_row("x", "w" * 500)
    stream = io.StringIO()
    emit(console(stream), table)
    rows = stream.getvalue().splitlines()
    assert len(rows) == 2
    assert rows == [row.rstrip() for row in rows]


def test_marks_are_colours_on_a_terminal() -> None:
    stream = io.StringIO()
    out = Console(file=stream, force_terminal=True, color_system="standard", _environ={})
    for part in hits(Page((Hit(Record("k", "note"), 1.0, 1, Excerpt("body", "a b", ((2, 3),))),), 1, 0, 10), plain=False):
        out.print(coloured(part))
    assert "\x1b[1;33mb" in stream.getvalue()
    assert "«" not in stream.getvalue()


def test_the_lines_of_a_pipe_are_those_of_a_terminal_without_its_colours() -> None:
    styled = Styled((("a ", "dim"), ("b", "bold yellow"), ("  ", "")), 4)
    light, rich = io.StringIO(), io.StringIO()
    write_plain(light, [styled])
    emit(console(rich), coloured(styled))
    assert light.getvalue() == rich.getvalue()


@pytest.mark.parametrize(("asked", "plain"), [("", True), ("1", False)])
def test_who_asks_for_colours_gets_them_in_a_pipe_too(asked: str, plain: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FORCE_COLOR", asked)
    monkeypatch.delenv("TTY_COMPATIBLE", raising=False)
    assert is_plain(io.StringIO()) is plain
