"""The rankings a search is made of."""

from dowse.app.dissecting import NO_GRAPH, WORDS, rankings
from dowse.domains.everything import EVERYTHING, SURFACES
from dowse.model.request import Lane


def test_a_list_alone_finds_by_itself_and_nothing_moves_its_hits() -> None:
    names = rankings(EVERYTHING, vectors=True)["names"]
    (plan,) = names.lists[names.mode]
    assert (plan.lane, plan.bonus, plan.tokens) == (Lane.NAMES, False, None)
    assert (names.boosts, names.gathering, names.spreading, names.nesting) == ((), None, None, None)


def test_without_vectors_no_ranking_is_by_meaning() -> None:
    for name, surface in rankings(EVERYTHING, vectors=False).items():
        if name != NO_GRAPH:
            assert all(plan.lane is not Lane.VECTORS for plan in surface.lists[surface.mode])


def test_words_fused_are_all_lists_but_the_one_by_meaning() -> None:
    fused = rankings(EVERYTHING, vectors=True)[WORDS]
    assert [plan.name for plan in fused.lists[fused.mode]] == ["text", "names", "substring"]


def test_a_surface_without_links_has_no_ranking_without_them() -> None:
    assert NO_GRAPH not in rankings(SURFACES["items"], vectors=False)
