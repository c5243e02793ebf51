import io

import pytest
from rich.console import Console
from rich.table import Table

from dowse.model.page import Excerpt, Hit, Page, Step
from dowse.model.ranking import ListScore, Signal
from dowse.model.record import Edge, Record
from dowse.present.hits import hits
from dowse.present.terminal import console, emit, line


def shown(hit: Hit) -> list[str]:
    stream = io.StringIO()
    out = console(stream)
    for part in hits(Page((hit,), 1, 0, 10), plain=True):
        emit(out, part)
    return stream.getvalue().splitlines()


def test_a_hit_shows_each_place_once() -> None:
    record = Record("src/a.py", "codefile", "a.py", {"path": "src/a.py"}, space="main")
    assert shown(Hit(record, 1.5, 3, Excerpt("path", "")))[0] == " 3. a.py  codefile  src/a.py  main  1.5"


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
        out.print(part)
    assert "\x1b[1;33mb" in stream.getvalue()
    assert "«" not in stream.getvalue()
