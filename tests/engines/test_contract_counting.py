"""What every engine promises of counts: exact, over any number of records, by everything a record can have."""

import pytest
from asking import EVERYWHERE, put

from dowse.model.change import Delete
from dowse.model.record import Record
from dowse.ports import Engine


def counted(engine: Engine, name: str) -> dict[str, int]:
    with engine.view() as view:
        return view.counts(view.recent(view.select(EVERYWHERE)).handles, name)


@pytest.fixture
def stocked(engine: Engine) -> Engine:
    put(
        engine,
        Record("a", "note", "one", space="north", tags=("net", "sea"), facets={"role": "work", "number": 1}),
        Record("b", "note", "two", space="north", tags=("sea",), facets={"role": "work", "number": 0}),
        Record("c", "symbol", "three", space="south", facets={"test": True, "language": "python"}),
        Record("d", "symbol", "four", facets={"test": False, "language": "python"}),
        Record("e", "page", "five", tags=("sea",)),
    )
    return engine


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("kind", {"note": 2, "symbol": 2, "page": 1}),
        ("space", {"north": 2, "south": 1, "": 2}),
        ("tag", {"net": 1, "sea": 3}),
        ("role", {"work": 2}),
        ("language", {"python": 2}),
        ("test", {"true": 1, "false": 1}),
        ("number", {"1": 1, "0": 1}),
        ("nobody has it", {}),
    ],
)
def test_records_are_counted_by_what_they_have(stocked: Engine, name: str, expected: dict[str, int]) -> None:
    assert counted(stocked, name) == expected


def test_only_the_records_that_were_named_count(stocked: Engine) -> None:
    stocked.apply([Delete("b")])
    assert counted(stocked, "tag") == {"net": 1, "sea": 2}
    with stocked.view() as view:
        assert view.counts(view.handles(["a"]), "tag") == {"net": 1, "sea": 1}
        assert view.counts([], "kind") == {}


def test_many_records_are_counted_as_few_are(engine: Engine) -> None:
    many = 4200
    put(
        engine,
        *(Record(f"r{n}", "page", "x", tags=(f"t{n % 3}",), facets={"role": ("work", "queue")[n % 2]}) for n in range(many)),
    )
    assert counted(engine, "kind") == {"page": many}
    assert counted(engine, "tag") == {"t0": many // 3, "t1": many // 3, "t2": many // 3}
    assert counted(engine, "role") == {"work": many // 2, "queue": many // 2}
