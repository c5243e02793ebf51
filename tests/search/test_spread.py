"""Does one hop along the links of the best hits bring what belongs to them, behind them, and nothing else?"""

from collections.abc import Mapping
from typing import Any

import pytest

from dowse.app.workspace import Workspace
from dowse.domains.everything import SCHEMA
from dowse.model.change import Link
from dowse.model.page import Hit
from dowse.model.record import Edge


@pytest.fixture
def depot(by_words: Workspace) -> Workspace:
    """Two pages that answer, a task that belongs to the better one and says nothing of it, and a task that belongs to none."""
    by_words.put(kind="page", key="policy", title="Cap retries", content="cap retries", space="north")
    by_words.put(kind="page", key="aside", title="Depot", content="a word on how to cap what some call retries", space="north")
    by_words.put(kind="item", key="task", title="Paint the gate", role="work", tags=["paint"], space="south")
    by_words.put(kind="item", key="other", title="Sweep the yard", role="work")
    return by_words


def found(workspace: Workspace, query: str = "cap retries", **parameters: Any) -> Mapping[str, Hit]:
    return {hit.record.key: hit for hit in workspace.search(query, explain=True, **parameters).hits}


def linked(hit: Hit) -> float:
    return sum(signal.added for signal in hit.signals if signal.name == "linked")


def test_a_task_linked_to_the_best_hit_appears_and_says_how(depot: Workspace) -> None:
    depot.link("task", "policy", "references")
    hit = found(depot)["task"]
    assert [(step.edge.source, step.edge.target, step.forward) for step in hit.via] == [("task", "policy", False)]
    assert (hit.matched_in, hit.lists) == ((), ())
    assert "other" not in found(depot)


def test_what_is_linked_stands_behind_what_links_it_and_counts_in_the_total(depot: Workspace) -> None:
    depot.link("policy", "task", "references")
    answer = depot.search("cap retries")
    keys = [hit.record.key for hit in answer.hits]
    assert keys.index("task") > keys.index("policy")
    assert answer.total == len(keys) == 3


def test_a_link_leads_to_what_only_matches_in_part_of_a_word_no_further_up_than_itself(depot: Workspace) -> None:
    depot.link("policy", "task", "references")
    assert list(found(depot, "etrie"))[-1] == "task"


def test_a_record_that_matches_and_is_linked_rises(by_words: Workspace) -> None:
    for key in ("a", "b", "c"):
        by_words.put(kind="item", key=key, title="Cap retries of a parcel")
    by_words.put(kind="page", key="policy", title="Cap retries", content="cap retries")
    assert list(found(by_words)) == ["policy", "a", "b", "c"]
    by_words.link("policy", "c", "references")
    hits = found(by_words)
    assert list(hits)[:2] == ["policy", "c"] or list(hits)[:2] == ["c", "policy"]
    assert not hits["c"].via
    assert hits["c"].matched_in


def test_both_ends_of_a_link_gain_where_both_match(by_words: Workspace) -> None:
    for key in ("a", "b"):
        by_words.put(kind="item", key=key, title="Cap retries")
    by_words.link("a", "b", "relates_to")
    hits = found(by_words)
    assert linked(hits["a"]) == linked(hits["b"]) > 0


@pytest.mark.parametrize("scope", [{"spaces": ["north"]}, {"kinds": ["page"]}, {"under": "policy"}, {"tags": ["sea"]}])
def test_scope_holds_for_what_is_linked(depot: Workspace, scope: dict[str, Any]) -> None:
    depot.tag("policy", add=["sea"])
    depot.link("task", "policy", "references")
    hits = found(depot, **scope)
    assert "policy" in hits
    assert "task" not in hits


def test_a_linked_record_in_scope_appears(depot: Workspace) -> None:
    depot.link("task", "policy", "references")
    assert "task" in found(depot, spaces=["north", "south"])


def test_facets_hold_for_what_is_linked(by_words: Workspace) -> None:
    by_words.put(kind="item", key="a", title="Cap retries", role="work")
    by_words.put(kind="item", key="b", title="Paint the gate", role="queue")
    by_words.link("a", "b", "relates_to")
    assert list(found(by_words, facets={"role": "work"})) == ["a"]


def test_what_the_query_excludes_is_not_reached_by_a_link(depot: Workspace) -> None:
    depot.link("task", "policy", "references")
    assert "task" not in found(depot, "cap retries NOT gate")


def test_a_deleted_record_is_not_reached_until_it_is_back(depot: Workspace) -> None:
    depot.link("task", "policy", "references")
    depot.delete("task")
    assert "task" not in found(depot)
    depot.restore("task")
    assert "task" in found(depot)


def test_a_link_to_something_elsewhere_leads_nowhere(depot: Workspace) -> None:
    depot.put(kind="item", key="@elsewhere", title="Something elsewhere")
    depot.apply([Link(Edge("policy", "@elsewhere", "references")), Link(Edge("policy", "nowhere-yet", "references"))])
    assert set(found(depot)) == {"policy", "aside"}


@pytest.mark.parametrize("kind", sorted(name for name, kind in SCHEMA.edges.items() if kind.carries))
def test_links_that_people_make_carry(depot: Workspace, kind: str) -> None:
    depot.link("policy", "task", kind)
    assert found(depot)["task"].via[0].edge.kind == kind


@pytest.mark.parametrize("kind", ["calls", "imports", "contains", "extends", "implements", "tests"])
def test_what_code_does_carries_nothing(depot: Workspace, kind: str) -> None:
    depot.link("policy", "task", kind)
    depot.link("task", "policy", kind)
    assert "task" not in found(depot)


def test_a_hub_shares_among_what_it_links(depot: Workspace) -> None:
    for number in range(3):
        depot.put(kind="item", key=f"more-{number}", title="Paint the gate")
    depot.link("policy", "task", "references")
    alone = linked(found(depot)["task"])
    for number in range(3):
        depot.link("policy", f"more-{number}", "references")
    assert linked(found(depot)["task"]) == pytest.approx(alone / 2)


def test_two_links_between_the_same_two_count_once(depot: Workspace) -> None:
    depot.link("policy", "task", "references")
    once = linked(found(depot)["task"])
    depot.link("task", "policy", "relates_to")
    assert linked(found(depot)["task"]) == pytest.approx(once)


def test_of_every_further_hit_that_links_it_a_record_gains_half_as_much(by_words: Workspace) -> None:
    by_words.put(kind="item", key="task", title="Paint the gate")
    for key in ("a", "b"):
        by_words.put(kind="page", key=key, title="Cap retries")
    by_words.link("a", "task", "references")
    once = linked(found(by_words)["task"])
    by_words.link("b", "task", "references")
    assert linked(found(by_words)["task"]) == pytest.approx(once * 1.5)


def test_a_weak_hit_gives_less_than_its_share(depot: Workspace) -> None:
    depot.link("aside", "task", "references")
    depot.link("policy", "other", "references")
    hits = found(depot)
    share = hits["aside"].score / hits["policy"].score
    assert linked(hits["task"]) / linked(hits["other"]) == pytest.approx(share**2)
    assert share < 1


def test_one_hop_is_all(depot: Workspace) -> None:
    depot.link("policy", "task", "references")
    depot.link("task", "other", "references")
    assert "other" not in found(depot)
