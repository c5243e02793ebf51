"""Is a page that is made of the front of a list the page that everything would give? Explained searches look at everything."""

import random
from collections.abc import Iterator
from dataclasses import replace

import pytest

from dowse.domains.everything import EVERYTHING, SCHEMA
from dowse.engines.sqlite import summing
from dowse.engines.sqlite.engine import MEMORY, SqliteEngine
from dowse.model.change import Link, Put
from dowse.model.record import Edge, Record
from dowse.model.request import Mode, Scope, SearchRequest
from dowse.search.paging import Answer
from dowse.search.pipeline import rank

RECORDS = 1500
# The first are in most records, the last in hardly any.
WORDS = [f"{first}{second}{last}" for first in "bdfgk" for second in "aeiou" for last in ("lor", "nim", "rat", "sep")]


@pytest.fixture(autouse=True, params=["compiled", "in Python"])
def _however_few(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    if request.param == "in Python":
        monkeypatch.setattr(summing, "compiled", None)
    monkeypatch.setattr(summing, "are_many", lambda _: True)


@pytest.fixture(scope="module")
def engine() -> Iterator[SqliteEngine]:
    chance = random.Random(11)
    weights = [1 / (number + 1) for number in range(len(WORDS))]

    def words(count: int) -> str:
        return " ".join(chance.choices(WORDS, weights, k=count))

    records = [
        Record(f"r{number}", chance.choice(("page", "knowledge")), words(2), {"content": words(chance.randint(5, 60))})
        for number in range(RECORDS)
    ]
    engine = SqliteEngine(MEMORY, SCHEMA)
    engine.apply([Put(record) for record in records])
    links = {(chance.randrange(RECORDS), chance.randrange(RECORDS)) for _ in range(RECORDS)}
    engine.apply([Link(Edge(f"r{one}", f"r{other}", "relates")) for one, other in sorted(links) if one != other])
    yield engine
    engine.close()


def questions() -> list[str]:
    chance = random.Random(5)
    return [" ".join(chance.sample(WORDS, chance.randint(1, 6))) for _ in range(150)]


def asked(engine: SqliteEngine, question: str, **options: object) -> Answer:
    with engine.view() as view:
        return rank(view, SearchRequest(question, **options), EVERYTHING, SCHEMA)  # type: ignore[arg-type]


@pytest.mark.parametrize("scope", [Scope(), Scope(kinds=("page",))], ids=["everything", "one kind"])
def test_a_page_of_the_front_is_the_page_of_everything(engine: SqliteEngine, scope: Scope) -> None:
    pruned = 0
    for question in questions():
        some, every = asked(engine, question, scope=scope), asked(engine, question, scope=scope, explain=True)
        pruned += any(item.ranking.unlisted is not None for item in some.lists)
        assert [(place.handle, place.score) for place in some.places] == [(place.handle, place.score) for place in every.places]
        assert some.total == every.total
        assert some.admitted.fused.relaxed == every.admitted.fused.relaxed
        assert some.admitted.fused.unit == every.admitted.fused.unit
    assert pruned > 20, "the questions are such that the front is told apart"


def test_pages_go_on_where_the_front_ends(engine: SqliteEngine) -> None:
    question = next(question for question in questions() if asked(engine, question).total > 300)
    first = [place.handle for offset in (0, 90) for place in asked(engine, question, limit=90, offset=offset).places]
    beyond = [place.handle for place in asked(engine, question, limit=100, offset=100).places]
    assert first[100:] == beyond[:80]
    assert len({*first, *beyond}) == 200


def test_only_the_front_of_a_common_question_is_added_up(engine: SqliteEngine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(summing, "add_up", None)
    monkeypatch.setattr(summing, "are_few", lambda *_: False)
    text_only = replace(EVERYTHING, lists={Mode.AUTO: EVERYTHING.lists[Mode.TEXT]})
    with engine.view() as view:
        answer = rank(view, SearchRequest(" ".join((WORDS[1], WORDS[2], *WORDS[50:54]))), text_only, SCHEMA)
    (listed,) = answer.lists
    assert answer.total > 500 > len(listed.ranking.handles)
