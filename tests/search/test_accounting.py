"""An explanation adds up: what the lists gave and what moved the hit is its score, to the last digit that counts."""

from collections.abc import Iterator
from pathlib import Path

import pytest

import dowse
from dowse.app.workspace import Workspace

ROOT = Path(__file__).parents[2]
QUERIES = [
    *("retry", "how are retries capped", "courier retries", "where is the retry policy of the courier explained"),
    *("backoff", "fuse several lists", "what does the search need from outside", "Window ranked", "test of the cut", "ranking"),
]


@pytest.fixture(scope="module")
def workspace() -> Iterator[Workspace]:
    with dowse.open(":memory:") as opened:
        opened.import_file(ROOT / "docs" / "sample.jsonl")
        opened.index(ROOT / "src" / "dowse" / "search", space="search")
        yield opened


@pytest.mark.parametrize("query", QUERIES)
@pytest.mark.parametrize("mode", [None, "keyword", "hybrid"])
def test_the_shares_and_signals_of_a_hit_add_up_to_its_score(workspace: Workspace, query: str, mode: str | None) -> None:
    hits = workspace.search(query, explain=True, limit=50, **({"mode": mode} if mode else {})).hits
    assert hits
    for hit in hits:
        score = sum(item.share for item in hit.lists)
        for signal in hit.signals:
            score = (score + signal.added) * signal.factor
        assert score == pytest.approx(hit.score, abs=1e-9), (hit.record.key, hit.lists, hit.signals)


@pytest.mark.parametrize("query", QUERIES)
def test_an_explanation_changes_nothing(workspace: Workspace, query: str) -> None:
    def order(**more: bool) -> list[tuple[str, float]]:
        return [(hit.record.key, hit.score) for hit in workspace.search(query, limit=50, **more).hits]

    assert order(explain=True) == order()
