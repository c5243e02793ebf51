"""How well questions with known answers are answered."""

from pathlib import Path

import pytest

from dowse.app.workspace import Workspace
from dowse.errors import InvalidRequest
from dowse.model.benching import Question


@pytest.fixture
def harbour(workspace: Workspace) -> Workspace:
    for key, title, content in (
        ("pumps", "Pumps", "The pumps drain the basin before the tide comes in."),
        ("locks", "Locks", "A lock lifts boats from the canal to the river."),
        ("lights", "Lights", "Every beacon flashes in its own rhythm."),
    ):
        workspace.put(kind="page", key=key, title=title, content=content)
    return workspace


def test_questions_that_find_what_is_expected_first_measure_one(harbour: Workspace) -> None:
    report = harbour.bench([Question("drain the basin", ("pumps",)), Question("boats in the canal", ("locks",))])
    assert (report.questions, report.measures.ndcg, report.measures.mrr, report.measures.recall) == (2, 1.0, 1.0, 1.0)
    assert report.worst == ()


def test_the_worst_answered_come_first_and_say_what_stood_there_instead(harbour: Workspace) -> None:
    report = harbour.bench([Question("drain the basin", ("pumps",)), Question("beacon rhythm", ("locks",))])
    assert report.measures.ndcg == pytest.approx(0.5)
    (worst,) = report.worst
    assert (worst.query, worst.ndcg, worst.rank, worst.first) == ("beacon rhythm", 0.0, None, "lights")


def test_what_is_expected_and_not_there_is_told(harbour: Workspace) -> None:
    assert harbour.bench([Question("drain the basin", ("pumps", "nowhere"))]).unknown == ("nowhere",)


def test_files_are_expected_by_path(workspace: Workspace, tmp_path: Path) -> None:
    root = tmp_path / "acme"
    (root / "src").mkdir(parents=True)
    (root / "src" / "sluice.py").write_text('def open_sluice():\n    """Lets the water out."""\n    return 1\n')
    workspace.index(root)
    asked = [
        Question("open sluice", (path,)) for path in ("src/sluice.py", "acme:src/sluice.py", "src/sluice.py:1-2", "src/none.py")
    ]
    report = workspace.bench(asked)
    assert report.unknown == ("src/none.py",)
    assert report.measures.ndcg == pytest.approx(0.75)


def test_each_list_is_measured_alone_beside_the_whole(harbour: Workspace) -> None:
    report = harbour.bench([Question("drain the basin", ("pumps",)), Question("Locks", ("locks",))], lists=True)
    lists = {item.name: item for item in report.lists}
    assert list(lists) == ["text", "names", "vectors", "words fused", "without graph"]
    assert lists["text"].measures.ndcg == 1.0
    assert lists["names"].measures.ndcg == 0.5
    assert lists["names"].against.mean == pytest.approx(0.5)


def test_without_a_model_the_list_by_meaning_is_left_out_and_the_report_says_why(by_words: Workspace) -> None:
    by_words.put(kind="page", key="pumps", title="Pumps", content="The pumps drain the basin.")
    report = by_words.bench([Question("which pumps drain the basin", ("pumps",))], lists=True)
    assert "vectors" not in [item.name for item in report.lists]
    assert any(note.startswith("vectors:") for note in report.notes)


def test_a_question_made_of_documentation_is_asked_without_it(by_words: Workspace) -> None:
    by_words.put(
        kind="symbol", key="f", title="f", doc="Empties the basin before the tide.", body="return basin.empty(before=tide)"
    )
    made = by_words.make_questions(["docstrings"])
    report = by_words.bench(made)
    assert report.measures.ndcg == 1.0, "the body still says it"
    assert any("a copy without those texts" in note for note in report.notes)
    by_words.put(kind="symbol", key="f", title="f", doc="Empties the basin before the tide.", body="return 1")
    assert by_words.bench(made).measures.ndcg == 0.0
    assert [hit.record.key for hit in by_words.search("Empties the basin").hits] == ["f"], "the workspace is as it was"


def test_a_task_does_not_lead_to_its_own_links(by_words: Workspace) -> None:
    by_words.put(kind="item", key="quiet", title="Make the main pump much quieter")
    by_words.put(kind="item", key="paint", title="Paint the hull")
    by_words.link("quiet", "paint", "blocks")
    question = Question("Make the main pump much quieter", ("paint",), itself="quiet")
    report = by_words.bench([question])
    assert report.measures.recall == 0.0
    assert report.worst[0].first == ""
    assert by_words.get("quiet").title


def test_questions_of_several_sources_are_measured_apart(harbour: Workspace) -> None:
    asked = [Question("drain the basin", ("pumps",), source="headings"), Question("beacon rhythm", ("locks",))]
    assert [(item.name, item.questions, item.measures.ndcg) for item in harbour.bench(asked).sources] == [
        ("headings", 1, 1.0),
        ("other", 1, 0.0),
    ]


def test_a_question_that_cannot_be_asked_counts_as_unanswered(harbour: Workspace) -> None:
    assert harbour.bench([Question("-", ("pumps",))]).measures.ndcg == 0.0


def test_an_unknown_surface_is_refused(harbour: Workspace) -> None:
    with pytest.raises(InvalidRequest, match="There is no surface"):
        harbour.bench([Question("x", ("pumps",))], surface="everythin")
