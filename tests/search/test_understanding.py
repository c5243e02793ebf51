"""What is said when meaning cannot answer, or only in part; and how much it counts where it does."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pytest

from dowse.app.embedding import EmbeddingEngine
from dowse.app.models import Choice
from dowse.app.workspace import Workspace
from dowse.domains.everything import EVERYTHING, SCHEMA
from dowse.engines.sqlite.engine import SqliteEngine
from dowse.errors import EmbeddingFailed
from dowse.model.change import Put
from dowse.model.page import Page
from dowse.model.passage import Profile, Vectors
from dowse.model.record import Record
from dowse.model.request import Lane
from dowse.model.surface import Grammar
from dowse.search.meaning import NO_VECTORS, Meaning
from dowse.search.parse import parse
from dowse.search.window import WINDOW, weight

# Two directions that the toy model knows, and words that point along them.
_ALONG = {"ship": (1.0, 0.0), "vessel": (0.9, 0.3), "boat": (0.95, 0.1), "bread": (0.0, 1.0), "dough": (0.1, 0.9)}
ASKED = "when does a vessel leave"
_BY_MEANING = next(item for item in EVERYTHING.lists[EVERYTHING.mode] if item.lane is Lane.VECTORS)


class Toy:
    """A model of a handful of words. ``trust``: how long the row of a query is."""

    def __init__(
        self,
        name: str = "toy",
        *,
        swift: bool = True,
        trust: float = 1.0,
        floor: float = 0.5,
        unrelated: float = 0.0,
        broken: bool = False,
    ) -> None:
        self.profile = Profile(name, 8, floor, f"{name}-1", unrelated=unrelated, swift=swift)
        self._trust = trust
        self._broken = broken

    def embed(self, texts: Sequence[str], *, query: bool = False) -> Vectors:
        if self._broken:
            raise EmbeddingFailed("the toy is broken.")
        rows = np.zeros((len(texts), 8), np.float32)
        for row, text in zip(rows, texts, strict=True):
            for word in text.lower().split():
                row[:2] += _ALONG.get(word.strip(".,?"), (0.0, 0.0))
        lengths = np.linalg.norm(rows, axis=1, keepdims=True)
        return rows / np.where(lengths == 0, 1, lengths) * (self._trust if query else 1.0)

    def close(self) -> None:
        pass


@contextmanager
def opened(folder: Path, toy: Toy | None) -> Iterator[Workspace]:
    """The workspace of a folder, with this model or none."""
    engine = SqliteEngine(folder / "test.dowse", SCHEMA)
    with Workspace(EmbeddingEngine(engine, Choice("toy" if toy else "none", lambda _: toy))) as workspace:
        yield workspace


def page(workspace: Workspace, key: str, content: str) -> None:
    workspace.put(kind="page", key=key, title="", content=content)


def keys(answer: Page) -> list[str]:
    return [hit.record.key for hit in answer.hits]


def scores(answer: Page) -> dict[str, float]:
    return {hit.record.key: hit.score for hit in answer.hits}


def test_the_headline_of_a_report_means_as_much_as_everything_below_it(tmp_path: Path) -> None:
    below = "We had bread bread bread bread bread bread bread bread bread bread bread bread that day."
    with opened(tmp_path, Toy()) as workspace:
        page(workspace, "asked", "a boat")
        page(workspace, "below", "some dough")
        headed, flat = (keys(workspace.search(f"Our vessel left{gap}{below}", mode="vector")) for gap in ("\n\n", " "))
    assert (sorted(headed), flat) == (["asked", "below"], ["below"])


def test_without_a_model_words_answer_and_the_answer_says_so(tmp_path: Path) -> None:
    with opened(tmp_path, None) as workspace:
        page(workspace, "a", "the vessel leaves")
        answer = workspace.search(ASKED)
    assert (keys(answer), answer.degraded) == (["a"], (NO_VECTORS,))
    assert "vectors" not in answer.lists


def test_asked_for_meaning_alone_without_a_model_words_answer(tmp_path: Path) -> None:
    with opened(tmp_path, None) as workspace:
        page(workspace, "a", "the vessel leaves")
        answer = workspace.search(ASKED, mode="vector")
    assert (keys(answer), answer.degraded) == (["a"], (NO_VECTORS,))


def test_one_word_asks_for_no_meaning_and_lacks_none(tmp_path: Path) -> None:
    with opened(tmp_path, None) as workspace:
        page(workspace, "a", "the vessel leaves")
        assert workspace.search("vessel").degraded == ()


def test_two_words_find_what_means_the_same_unless_they_stand_nowhere(tmp_path: Path) -> None:
    with opened(tmp_path, Toy()) as workspace:
        page(workspace, "said", "the vessel leaves")
        page(workspace, "meant", "a boat")
        assert keys(workspace.search("vessel leaves")) == ["said", "meant"]
        assert keys(workspace.search("ship yard")) == []
        assert set(keys(workspace.search("ship yard", mode="hybrid"))) == {"said", "meant"}


def test_with_nothing_written_yet_there_are_no_vectors(tmp_path: Path) -> None:
    with opened(tmp_path, Toy()) as workspace:
        (said,) = workspace.search(ASKED).degraded
    assert said.startswith("vectors: there are none yet")


def test_records_from_before_the_model_have_no_vectors_until_they_are_made(tmp_path: Path) -> None:
    with opened(tmp_path, None) as workspace:
        page(workspace, "a", "the boat leaves")
    with opened(tmp_path, Toy(swift=False)) as workspace:
        (said,) = workspace.search(ASKED).degraded
        assert "'dowse embed' makes them" in said
        workspace.embed()
        answer = workspace.search(ASKED)
    assert (keys(answer), answer.degraded) == (["a"], ())


def test_while_all_passages_wait_the_answer_says_how_many(tmp_path: Path) -> None:
    with opened(tmp_path, Toy(swift=False)) as workspace:
        workspace.embedding.make_ready()
        page(workspace, "a", "the vessel leaves")
        page(workspace, "b", "bread")
        answer = workspace.search(ASKED)
    assert keys(answer) == ["a"]
    assert answer.degraded == ("vectors: 2 passages wait for theirs, so the answer is by words alone; 'dowse embed' makes them",)


def test_while_some_passages_wait_meaning_answers_for_the_others(tmp_path: Path) -> None:
    with opened(tmp_path, Toy(swift=False)) as workspace:
        page(workspace, "done", "boat")
        workspace.embed()
        page(workspace, "waiting", "ship")
        page(workspace, "baking", "bread")
        answer = workspace.search(ASKED)
        assert (keys(answer), answer.degraded) == (["done"], ("vectors: 2 passages have none yet",))
        workspace.embed()
        answer = workspace.search(ASKED)
    assert (set(keys(answer)), answer.degraded) == ({"done", "waiting"}, ())


def test_vectors_of_another_model_are_not_compared(tmp_path: Path) -> None:
    with opened(tmp_path, Toy("first")) as workspace:
        page(workspace, "a", "boat")
    with opened(tmp_path, Toy("second", swift=False)) as workspace:
        answer = workspace.search(ASKED)
    assert (keys(answer), answer.degraded) == ([], ("vectors: they are of first, not of second; 'dowse embed' makes new ones",))


def test_a_model_that_fails_is_named_as_the_reason(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    with opened(tmp_path, Toy()) as workspace:
        page(workspace, "a", "the vessel leaves")
    with opened(tmp_path, Toy(broken=True)) as workspace:
        answer = workspace.search(ASKED)
    assert (keys(answer), answer.degraded) == (["a"], ("vectors: the toy is broken. The answer is by words alone.",))
    assert "the toy is broken" in caplog.text


def test_a_question_the_model_knows_nothing_of_is_answered_by_words_and_lacks_nothing(tmp_path: Path) -> None:
    with opened(tmp_path, Toy()) as workspace:
        page(workspace, "a", "the harbour wall was painted")
        page(workspace, "b", "boat")
        answer = workspace.search("who painted the harbour wall")
    assert (keys(answer), answer.degraded) == (["a"], ())


def test_meaning_counts_by_how_much_of_the_question_the_model_knows(tmp_path: Path) -> None:
    with opened(tmp_path, Toy()) as workspace:
        page(workspace, "meant", "boat")
        page(workspace, "other", "dough")
        sure = scores(workspace.search(ASKED))
    with opened(tmp_path, Toy(trust=0.25)) as workspace:
        unsure = scores(workspace.search(ASKED))
    assert list(sure) == list(unsure) == ["meant"]
    assert unsure["meant"] == pytest.approx(sure["meant"] / 4)


def test_words_decide_where_the_model_knows_little_of_the_question(tmp_path: Path) -> None:
    question = "how long may a vessel stay at the northern quay"
    with opened(tmp_path, Toy()) as workspace:
        page(workspace, "meant", "boat, with nothing said of the quay or of how long")
        page(workspace, "said", "How long one may stay at the northern quay.")
        assert keys(workspace.search(question))[0] == "meant"
    with opened(tmp_path, Toy(trust=0.1)) as workspace:
        assert keys(workspace.search(question))[0] == "said"


def test_what_is_meant_is_found_however_many_others_hold_the_words(tmp_path: Path) -> None:
    with opened(tmp_path, Toy()) as workspace:
        said = (Record(f"a-{number:03}", "page", "", {"content": "Vessels stay at the quay."}) for number in range(WINDOW + 50))
        workspace.apply([*map(Put, said), Put(Record("z", "page", "", {"content": "boat"}))])
        answer = workspace.search("may a vessel stay at the quay")
    assert (keys(answer)[0], answer.total) == ("z", WINDOW + 51)


def test_a_shorter_row_admits_the_same_records(tmp_path: Path) -> None:
    found = []
    for trust in (1.0, 0.1):
        with opened(tmp_path, Toy(trust=trust)) as workspace:
            for key, content in (("a", "boat"), ("b", "bread"), ("c", "ship"), ("d", "dough")):
                page(workspace, key, content)
            found.append(keys(workspace.search(ASKED)))
    assert found[0] == found[1] != []


def test_a_cosine_counts_for_how_far_it_lies_above_that_of_unrelated_texts(tmp_path: Path) -> None:
    with opened(tmp_path, Toy()) as workspace:
        page(workspace, "same", "vessel")
        page(workspace, "near", "ship")
        whole = scores(workspace.search("which vessel is it", mode="vector"))
    with opened(tmp_path, Toy(unrelated=0.5)) as workspace:
        above = scores(workspace.search("which vessel is it", mode="vector"))
    best = whole["same"]
    assert above["same"] == pytest.approx(best, rel=0.02)
    assert above["near"] == pytest.approx((whole["near"] - best / 2) * 2, rel=0.02)


def test_what_unrelated_texts_have_in_common_counts_for_nothing() -> None:
    assert Meaning(unrelated=0.4).worth([0.2, 0.4, 0.7, 1.0]) == pytest.approx([0.0, 0.0, 0.5, 1.0])


def test_hits_that_count_for_nothing_stand_by_their_keys_and_break_nothing(tmp_path: Path) -> None:
    with opened(tmp_path, Toy(floor=0.0)) as workspace:
        workspace.put(kind="codefile", key="f", title="f.py", path="f.py", exports="bread")
        workspace.put(kind="symbol", key="f#a", title="bake", body="bread", parent="f")
        workspace.put(kind="item", key="i", title="Oven")
        workspace.link("i", "f#a", "references")
        answer = workspace.search("a ship at sea", mode="vector")
    assert (keys(answer), set(scores(answer).values())) == (["f", "f#a", "i"], {0.0})


def test_meaning_counts_more_for_code_and_for_a_better_model_unless_the_question_names_what_it_looks_for(tmp_path: Path) -> None:
    engine = SqliteEngine(tmp_path / "test.dowse", SCHEMA)
    engine.apply([Put(Record("s", "symbol", "leave", {"body": "ship"})), Put(Record("p", "page", "", {"content": "ship"}))])
    report = "A vessel leaves late\n\n" + "leave_harbour failed at quay.py and nobody knows why it did that again. " * 3
    with engine.view() as view:

        def counted(key: str, text: str, strength: float = 1.0) -> float:
            (handle,) = view.handles([key])
            return weight(view, np.array([handle]), _BY_MEANING, parse(text, Grammar.FULL), strength)

        described = counted("s", "where does a vessel leave")
        assert described == counted("s", report) > counted("s", "what does leave_harbour do") > counted("p", "where does it leave")
        assert counted("s", "where does a vessel leave", 2.0) == 2 * described
        # What is named in code stands there in so many words, whoever is asked; prose says it in others.
        assert counted("s", "what does leave_harbour do", 2.0) == counted("s", "what does leave_harbour do")
        for text in ("what does leave_harbour do", "where does it leave"):
            assert counted("p", text, 2.0) == 2 * counted("p", text) == 2 * _BY_MEANING.weight
    engine.close()
