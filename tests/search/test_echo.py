"""What is close to the best hits moves up, unless links or the hits of a file say already what belongs together."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from tests.search.test_understanding import Toy, opened

from dowse.app.workspace import Workspace
from dowse.model.page import Hit, Page
from dowse.model.request import Lane, ListPlan
from dowse.search.echo import BEST, HEARD, echo
from dowse.search.meaning import Meaning
from dowse.search.window import Window

ASKED = "when does a vessel leave"
ECHO = "like the best hits"


def moved(hit: Hit) -> float:
    return sum(signal.added for signal in hit.signals if signal.name == ECHO)


def by_key(answer: Page) -> dict[str, Hit]:
    return {hit.record.key: hit for hit in answer.hits}


def harbour(workspace: Workspace, kind: str = "page", field: str = "content", **more: str) -> None:
    for key, text in (("a", "A vessel may leave at noon."), ("b", "The boat is late."), ("c", "Bread and dough leave the oven.")):
        workspace.put(kind=kind, key=key, title=key, **{field: text}, **more)


def test_a_hit_that_is_like_the_best_ones_gains_more_than_one_that_is_not(tmp_path: Path) -> None:
    with opened(tmp_path, Toy()) as workspace:
        harbour(workspace)
        hits = by_key(workspace.search(ASKED, explain=True))
    assert moved(hits["a"]) > moved(hits["c"]) >= 0
    assert moved(hits["b"]) > moved(hits["c"])


def test_where_hits_are_linked_likeness_says_nothing(tmp_path: Path) -> None:
    with opened(tmp_path, Toy()) as workspace:
        harbour(workspace)
        workspace.link("a", "b", "references")
        hits = by_key(workspace.search(ASKED, explain=True))
    assert any(signal.name == "linked" for signal in hits["b"].signals)
    assert not any(moved(hit) for hit in hits.values())


def test_code_of_files_is_not_moved_by_likeness(tmp_path: Path) -> None:
    with opened(tmp_path, Toy()) as workspace:
        workspace.put(kind="codefile", key="f", title="f.py", path="f.py")
        harbour(workspace, "symbol", "body", parent="f")
        answer = workspace.search(ASKED, kinds=["symbol"], explain=True)
    assert answer.hits
    assert not any(moved(hit) for hit in answer.hits)


def test_code_that_stands_in_no_file_is_moved_by_likeness(tmp_path: Path) -> None:
    with opened(tmp_path, Toy()) as workspace:
        harbour(workspace, "symbol", "body")
        hits = by_key(workspace.search(ASKED, explain=True))
    assert moved(hits["a"]) > moved(hits["c"]) >= 0


def test_a_question_by_words_alone_has_no_echo(tmp_path: Path) -> None:
    with opened(tmp_path, Toy()) as workspace:
        harbour(workspace)
        answer = workspace.search(ASKED, mode="keyword", explain=True)
    assert not any(moved(hit) for hit in answer.hits)


class Listed:
    """As much of a view as the stage asks: some records, the vectors of their passages, and keys in the order of the handles."""

    def __init__(self, passages: Sequence[np.ndarray]) -> None:
        self._passages = passages

    def order(self, handles: np.ndarray) -> np.ndarray:
        return np.sort(handles)

    def meanings(self, handles: np.ndarray) -> list[np.ndarray | None]:
        assert list(handles) == sorted(handles)
        return [self._passages[handle] if len(self._passages[handle]) else None for handle in handles]

    def similarity(self, vector: np.ndarray, handles: np.ndarray) -> np.ndarray:
        assert list(handles) == sorted(handles)
        return np.array([max((self._passages[handle] @ vector).tolist(), default=0.0) for handle in handles])


@given(st.integers(0, 2**32 - 1), st.integers(1, HEARD + 20))
def test_it_is_the_plain_sum_of_what_the_best_say(seed: int, count: int) -> None:
    chance = np.random.default_rng(seed)
    passages = [unit(chance.normal(size=(chance.integers(0, 4), 5))) for _ in range(count)]
    asked, scores = unit(chance.normal(size=(1, 5)))[0], chance.random(count)
    handles = np.arange(count)
    window = Window(handles, handles, scores, np.zeros(count, np.int8))
    found = echo(Listed(passages), window, ListPlan("v", Lane.VECTORS, echo=0.5), Meaning(asked))  # type: ignore[arg-type]
    np.testing.assert_allclose(found.scores, plainly(passages, asked, scores), atol=1e-5)


def plainly(passages: Sequence[np.ndarray], asked: np.ndarray, scores: np.ndarray) -> np.ndarray:
    ranked = sorted(range(len(scores)), key=lambda place: (-scores[place], place))
    said = [scores[place] * max(passages[place], key=lambda row: row @ asked) for place in ranked[:BEST] if len(passages[place])]
    wanted = scores.copy()
    if said:
        voice = sum(said) / np.linalg.norm(sum(said))
        for place in ranked[:HEARD]:
            wanted[place] += 0.5 * max([0.0, *(passages[place] @ voice).tolist()])
    return wanted


def unit(rows: np.ndarray) -> np.ndarray:
    return rows / np.linalg.norm(rows, axis=1, keepdims=True)
