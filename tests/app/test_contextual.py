"""Who has a task gets the passages to start from: cited exactly, none twice, within the budget, and what was left out."""

import re
from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import dowse
from dowse.app.contextual import LEAST_TOKENS
from dowse.app.permissions import Capability, Principal, Reach
from dowse.app.workspace import Workspace
from dowse.errors import Forbidden, InvalidQuery, InvalidRequest
from dowse.model.evidence import EvidencePack, Piece
from dowse.present.evidence import evidence_text
from dowse.text.tokens import tokens_of

COURIER = '''"""Carries readings of the tide gauges to the harbour."""

FAREST = 5


def send(reading, gauge):
    """Sends a reading of the gauge; retries up to the cap when the harbour does not answer."""
    for attempt in range(cap_of(gauge)):
        if deliver(reading):
            return True
    return False


def cap_of(gauge):
    """How many retries a gauge may take."""
    return min(gauge.patience, FAREST)


class Logbook:
    """What the courier noted, day by day."""

    def note(self, line):
        """Writes one line of the courier's day."""
        self.lines.append(line)

    def read(self):
        return list(self.lines)
'''
TEST = """from courier import send


def test_send_gives_up_at_the_cap():
    assert not send(1, Gauge(patience=0))
"""
GUIDE = """# Couriers

How couriers work in the harbour.

## Retries

A courier retries until the cap is reached. The cap is five:

```python
send(reading, gauge)
```

Dead gauges are noticed by that.
"""
LONG = "def simulate_storm(sea):\n" + "".join(
    f"    sea.wave_{number} = blow({number})\n" if number != 150 else "    sea.kraken_awakens(now=True)\n" for number in range(300)
)


@pytest.fixture(scope="module")
def harbour(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workspace]:
    folder = tmp_path_factory.mktemp("harbour")
    files = {"courier.py": COURIER, "tests/test_courier.py": TEST, "docs/guide.md": GUIDE, "storm.py": LONG}
    for name, text in files.items():
        path = folder / "harbour" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    with dowse.open(str(folder / "harbour.dowse")) as workspace:
        workspace.index(str(folder / "harbour"))
        workspace.put(kind="page", key="decision", title="Why retries have a cap", content="Dead gauges must be noticed.")
        workspace.link("decision", "harbour:courier.py#send", "references")
        yield workspace


def named(pack: EvidencePack) -> list[str]:
    return [piece.key for piece in pack.pieces]


def found(pack: EvidencePack, key: str) -> Piece:
    return next(piece for piece in pack.pieces if piece.key == key)


def test_the_best_hit_comes_first_with_its_lines(harbour: Workspace) -> None:
    piece = harbour.context("send a reading with retries").pieces[0]
    assert (piece.key, piece.path, piece.lines) == ("harbour:courier.py#send", "courier.py", (6, 11))
    assert "for attempt in range(cap_of(gauge)):" in piece.text
    assert piece.why == (f"found by {', '.join(harbour.search('send a reading with retries').hits[0].matched_in)}",)


def test_what_a_hit_calls_and_who_tests_or_explains_it_is_reached_and_says_how(harbour: Workspace) -> None:
    pack = harbour.context("send")
    reached = {piece.key: piece.why for piece in pack.pieces if piece.score is None}
    number = found(pack, "harbour:courier.py#send").number
    assert f"called by [{number}]" in reached["harbour:courier.py#cap_of"]
    assert f"references [{number}]" in reached["decision"]


def test_hits_stand_before_what_they_link_to(harbour: Workspace) -> None:
    kinds = [piece.score is None for piece in harbour.context("send a reading with retries").pieces]
    assert kinds == sorted(kinds)


def test_a_file_is_shown_as_its_parts_with_their_lines(harbour: Workspace) -> None:
    text = found(harbour.context("courier.py"), "harbour:courier.py").text
    assert "6-11  def send(reading, gauge)" in text
    assert "19-27  class Logbook" in text


def test_of_a_long_record_the_signature_and_the_lines_around_the_match_are_quoted(harbour: Workspace) -> None:
    piece = found(harbour.context("where does the kraken awaken", tokens=600), "harbour:storm.py#simulate_storm")
    rows = piece.text.split("\n")
    assert rows[0] == "def simulate_storm(sea)"
    assert "    sea.kraken_awakens(now=True)" in rows
    gaps = [tuple(map(int, match.groups())) for row in rows if (match := re.fullmatch(r"… lines (\d+)-(\d+)", row))]
    lines = LONG.split("\n")
    shown = [row for row in rows[1:] if not row.startswith("…")]
    assert lines[gaps[0][1] : gaps[1][0] - 1] == shown
    assert piece.lines == (1, gaps[1][0] - 1)
    assert gaps[1][1] == 301


def test_an_example_is_not_shown_beside_the_section_it_stands_in(harbour: Workspace) -> None:
    pack = harbour.context("courier retries cap five example send reading gauge")
    assert "harbour:docs/guide.md#retries" in named(pack)
    assert "harbour:docs/guide.md#retries/code" not in named(pack)


def test_nonsense_gives_an_empty_pack_that_says_so(harbour: Workspace) -> None:
    pack = harbour.context("xqzvbn wplkrt ghjzzq")
    assert (pack.pieces, pack.left_out) == ((), ())
    assert "Nothing here speaks of this task." in evidence_text(pack)


def test_the_same_task_has_the_same_pack(harbour: Workspace) -> None:
    assert harbour.context("retries of the courier") == harbour.context("retries of the courier")


@pytest.mark.parametrize("tokens", [199, 0, -5, 10**9])
def test_a_budget_that_holds_nothing_or_everything_is_refused(harbour: Workspace, tokens: int) -> None:
    with pytest.raises(InvalidRequest, match="it must be from 200 to 200,000"):
        harbour.context("retries", tokens=tokens)


def test_a_blank_task_is_refused(harbour: Workspace) -> None:
    with pytest.raises(InvalidQuery, match="blank"):
        harbour.context("  ")


@pytest.mark.parametrize("task", ['send "a reading', "retries -cap (AND", "NOT retries OR", "title:retries"])
def test_a_task_is_prose_and_no_part_of_it_excludes_anything(harbour: Workspace, task: str) -> None:
    assert harbour.context(task).pieces


def test_of_a_very_long_task_the_beginning_is_looked_for_and_the_pack_says_so(harbour: Workspace) -> None:
    pack = harbour.context("courier retries " * 1000)
    assert pack.pieces
    assert "only its first 10,000 characters" in pack.degraded[0]


def test_only_what_is_asked_for_is_shown_also_of_what_is_reached(harbour: Workspace) -> None:
    assert {piece.kind for piece in harbour.context("send retries", kinds=("page",)).pieces} == {"page"}
    assert {piece.path for piece in harbour.context("send retries", under="harbour:courier.py").pieces} == {"courier.py"}
    assert all(piece.key.startswith("harbour:") for piece in harbour.context("send retries", spaces=("harbour",)).pieces)


def test_whoever_may_not_read_gets_nothing(harbour: Workspace) -> None:
    searcher = Workspace(harbour._engine, principal=Principal("guest", frozenset({Capability.SEARCH_USE})))
    with pytest.raises(Forbidden, match="Read"):
        searcher.context("retries")


@given(
    st.integers(LEAST_TOKENS, 3000), st.sampled_from(["retries", "send a reading", "kraken storm wave", "courier " * 40, "x\n# y"])
)
@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
def test_the_whole_text_stays_within_any_budget(harbour: Workspace, tokens: int, task: str) -> None:
    pack = harbour.context(task, tokens=tokens)
    assert tokens_of(evidence_text(pack)) == pack.used <= tokens


def test_every_cited_line_of_code_is_that_line_of_the_file(harbour: Workspace) -> None:
    sources = {"courier.py": COURIER, "storm.py": LONG, "tests/test_courier.py": TEST, "docs/guide.md": GUIDE}
    for piece in harbour.context("send retries cap courier gauge storm").pieces:
        if piece.lines is not None and not piece.text.count("…"):
            start, end = piece.lines
            assert piece.text.split("\n")[-1] in "\n".join(sources[piece.path].split("\n")[start - 1 : end])
            assert piece.text.split("\n")[-1].strip() == sources[piece.path].split("\n")[end - 1].strip()


def test_a_task_reads_with_its_summary_and_its_description() -> None:
    with dowse.open(":memory:") as workspace:
        workspace.put(kind="item", key="task-1", title="Cap the retries", summary="Soon", description="Five are enough.")
        pack = workspace.context("cap the retries")
        assert pack.pieces[0].text == "Soon\nFive are enough."
        assert evidence_text(pack).split("\n")[2] == "## [1] task-1 — Cap the retries (item)"


def test_whoever_sees_a_part_is_shown_and_told_of_that_part_alone(harbour: Workspace) -> None:
    allowed = frozenset({Capability.READ, Capability.SEARCH_USE})
    seen = harbour.acting_as(Principal("guest", allowed, Reach(kinds=("page",))))
    pack = seen.context("send a reading with retries")
    assert {piece.kind for piece in pack.pieces} <= {"page"}
    assert {item.key for item in pack.left_out} <= {"decision"}
