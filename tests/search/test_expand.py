"""The walk along the graph: best product over all paths."""

from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dowse.domains.everything import SCHEMA
from dowse.model.record import Edge
from dowse.model.request import Expansion
from dowse.model.schema import EdgeKind
from dowse.search.expand import Reached, decay, expand

KINDS = SCHEMA.edges


def walk(edges: Sequence[Edge], seeds: dict[str, float], *, least: float = 0.01, **expansion: float) -> list[Reached]:
    def at(keys: Sequence[str]) -> list[Edge]:
        return sorted(edge for edge in edges if edge.source in keys or edge.target in keys)

    return expand(seeds, at, KINDS, Expansion(**expansion), least)  # type: ignore[arg-type]


def reached(edges: Sequence[Edge], seeds: dict[str, float], **options: float) -> dict[str, float]:
    return {item.key: item.score for item in walk(edges, seeds, **options)}


@pytest.mark.requirement("G-03")
@pytest.mark.parametrize(
    ("kind", "left"),
    [
        ("contains", 0.95),
        ("extends", 0.85),
        ("implements", 0.85),
        ("imports", 0.70),
        ("calls", 0.8),
        ("links_to", 0.8),
        ("new", 0.8),
    ],
)
def test_a_hop_leaves_what_its_kind_says(kind: str, left: float) -> None:
    assert decay(kind, KINDS, Expansion()) == left
    assert decay(kind, KINDS, Expansion(default=0.5)) == (0.5 if left == 0.8 else left)
    assert reached([Edge("a", "b", kind)], {"a": 1.0}) == pytest.approx({"b": left})


@pytest.mark.requirement("G-04")
@pytest.mark.parametrize("kind", ["contains", "imports", "calls"])
def test_a_decay_that_is_asked_for_replaces_the_table(kind: str) -> None:
    assert reached([Edge("a", "b", kind)], {"a": 1.0}, decay=0.3) == pytest.approx({"b": 0.3})


@pytest.mark.requirement("G-02", "G-05")
def test_edges_are_followed_backwards_except_imports() -> None:
    edges = [Edge("b", "a", "calls"), Edge("c", "a", "imports"), Edge("a", "d", "imports")]
    assert reached(edges, {"a": 1.0}) == pytest.approx({"b": 0.8, "d": 0.7})


@pytest.mark.requirement("G-07")
def test_the_best_product_wins_over_the_first_visit() -> None:
    edges = [Edge("a", "goal", "imports"), Edge("a", "m", "contains"), Edge("m", "goal", "contains")]
    assert reached(edges, {"a": 1.0}, depth=1)["goal"] == pytest.approx(0.70)
    assert reached(edges, {"a": 1.0}, depth=2)["goal"] == pytest.approx(0.95**2)
    (goal,) = [item for item in walk(edges, {"a": 1.0}, depth=2) if item.key == "goal"]
    assert [(step.edge.source, step.edge.target) for step in goal.via] == [("a", "m"), ("m", "goal")]


@pytest.mark.requirement("G-07")
def test_the_best_seed_wins_and_seeds_are_never_neighbours() -> None:
    edges = [Edge("a", "x", "calls"), Edge("b", "x", "calls"), Edge("a", "b", "calls")]
    assert reached(edges, {"a": 0.5, "b": 1.0}) == pytest.approx({"x": 0.8})


@pytest.mark.requirement("G-06")
def test_nothing_is_asked_of_the_graph_that_cannot_pass() -> None:
    asked: list[Sequence[str]] = []

    def at(keys: Sequence[str]) -> list[Edge]:
        asked.append(list(keys))
        return [Edge("a", "b", "calls"), Edge("b", "c", "calls")]

    found = expand({"a": 1.0, "weak": 0.5}, at, KINDS, Expansion(depth=5), 0.7)
    assert [item.key for item in found] == ["b"]
    assert asked == [["a"], ["b"]]
    assert expand({"weak": 0.5}, at, KINDS, Expansion(depth=5), 0.7) == []
    assert len(asked) == 2


def test_neighbours_come_best_first_and_equals_by_key() -> None:
    edges = [Edge("a", "z", "contains"), Edge("a", "y", "calls"), Edge("a", "x", "calls")]
    assert [item.key for item in walk(edges, {"a": 1.0})] == ["z", "x", "y"]


_EDGES = st.lists(
    st.builds(Edge, st.sampled_from("abcdef"), st.sampled_from("abcdef"), st.sampled_from(["contains", "imports", "calls"])).filter(
        lambda edge: edge.source != edge.target
    ),
    max_size=14,
    unique=True,
)


def _by_hand(edges: Sequence[Edge], seeds: dict[str, float], depth: int, least: float) -> dict[str, float]:
    """Every path, one after another."""
    best: dict[str, float] = {}
    paths = list(seeds.items())
    for _ in range(depth):
        longer = []
        for key, score in paths:
            for edge in edges:
                left = score * decay(edge.kind, KINDS, Expansion())
                if edge.source == key:
                    longer.append((edge.target, left))
                if edge.target == key and KINDS.get(edge.kind, EdgeKind(edge.kind)).incoming:
                    longer.append((edge.source, left))
        paths = [(key, score) for key, score in set(longer) if score >= least]
        for key, score in paths:
            best[key] = max(best.get(key, 0.0), score)
    return {key: score for key, score in best.items() if key not in seeds}


@pytest.mark.requirement("G-02", "G-07")
@settings(max_examples=60, deadline=None)
@given(_EDGES, st.dictionaries(st.sampled_from("abc"), st.sampled_from([1.0, 0.9, 0.6]), min_size=1), st.integers(0, 4))
def test_the_walk_finds_what_trying_every_path_finds(edges: list[Edge], seeds: dict[str, float], depth: int) -> None:
    assert reached(edges, seeds, least=0.3, depth=depth) == pytest.approx(_by_hand(edges, seeds, depth, 0.3))


@pytest.mark.requirement("G-07")
@settings(max_examples=40, deadline=None)
@given(_EDGES, st.integers(1, 4))
def test_the_way_leads_from_a_seed_to_the_neighbour(edges: list[Edge], depth: int) -> None:
    for item in walk(edges, {"a": 1.0, "b": 0.9}, depth=depth):
        at = item.via[0].edge.source if item.via[0].forward else item.via[0].edge.target
        score = {"a": 1.0, "b": 0.9}[at]
        for step in item.via:
            start, end = (step.edge.source, step.edge.target) if step.forward else (step.edge.target, step.edge.source)
            assert start == at
            at = end
            score *= decay(step.edge.kind, KINDS, Expansion())
        assert at == item.key
        assert item.score == pytest.approx(score)
        assert len(item.via) <= depth
