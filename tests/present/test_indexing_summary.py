"""Does a run read well on a terminal, whatever it found?"""

import io
from dataclasses import replace

import pytest

from dowse.model.run import Message, Summary
from dowse.present.indexing import summary, summary_line
from dowse.present.terminal import console, emit

RUN = Summary("acme", "/acme", files=7, added=1, changed=2, moved=3, gone=4, unchanged=5, records=1234, edges=6, seconds=0.25)


def shown(run: Summary) -> list[str]:
    out = io.StringIO()
    emit(console(out), summary(run))
    return out.getvalue().splitlines()


def test_a_run_is_one_line_of_what_happened_to_files() -> None:
    assert summary_line(RUN) == "acme: 1 added, 2 changed, 3 moved, 4 gone, 5 unchanged; 1,234 records changed; 0.2 s"


def test_what_did_not_happen_is_not_told() -> None:
    assert summary_line(Summary("acme", "/acme", files=1, unchanged=1)) == "acme: 1 unchanged; 0 records changed; 0.0 s"
    assert summary_line(Summary("acme", "/acme")) == "acme: no files; 0 records changed; 0.0 s"


def test_a_dry_run_says_that_it_only_would() -> None:
    assert "; 1,234 records would be changed; " in summary_line(replace(RUN, dry_run=True))


@pytest.mark.parametrize(("seconds", "told"), [(0.04, "0.0 s"), (59.94, "59.9 s"), (60, "1.0 min"), (5400, "90.0 min")])
def test_long_runs_are_told_in_minutes(seconds: float, told: str) -> None:
    assert summary_line(replace(RUN, seconds=seconds)).endswith(f"; {told}")


def test_what_was_read_is_told_with_its_speed() -> None:
    assert shown(replace(RUN, bytes=3_000_000, seconds=2.0))[1] == "read 3.0 MB at 1.5 MB/s; 6 edges changed"


def test_a_run_that_read_nothing_is_one_line() -> None:
    assert shown(RUN) == [summary_line(RUN)]
    assert shown(replace(RUN, bytes=9_000_000, seconds=0.0)) == [summary_line(replace(RUN, seconds=0.0))]
    assert shown(replace(RUN, bytes=10)) == [summary_line(RUN)]


def test_what_was_left_out_is_counted_by_reason_and_named_where_one_would_ask() -> None:
    run = replace(RUN, skipped={"ignored": 1200, "too large": 1}, left_out=(Message("big.csv", "too large: 3 MiB"),))
    assert shown(run)[1:] == ["left out: 1,200 ignored, 1 too large", "left out  big.csv  too large: 3 MiB"]


def test_problems_name_the_file_and_what_is_wrong() -> None:
    assert shown(replace(RUN, problems=(Message("a.md", "1 NUL character removed"),)))[1:] == [
        "problem  a.md  1 NUL character removed"
    ]


def test_more_problems_than_fit_are_counted_and_it_is_said_where_they_are() -> None:
    many = tuple(Message(f"{number}.md", "broken") for number in range(25))
    told = shown(replace(RUN, problems=many))
    assert len([line for line in told if line.startswith("problem")]) == 10
    assert told[-1] == "… and 15 more; --json tells all"


def test_no_name_of_a_file_or_a_project_can_steer_the_terminal() -> None:
    run = replace(RUN, space="a\x1b[31m", problems=(Message("evil\x1b]0;x\x07\n.md", "bad\r\nworse"),))
    assert not any(ord(character) < 32 for line in shown(run) for character in line)
    assert shown(run)[1] == "problem  evil�]0;x� .md  bad  worse"


def test_markup_in_a_name_is_shown_as_it_is() -> None:
    assert shown(replace(RUN, problems=(Message("[red]a[/red].md", "[link]"),)))[1] == "problem  [red]a[/red].md  [link]"
