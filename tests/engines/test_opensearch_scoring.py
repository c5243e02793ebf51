"""Is nobody lost who holds enough of a query, when common words are no longer looked for?"""

from itertools import chain, combinations

from hypothesis import given
from hypothesis import strategies as st

from dowse.engines.opensearch.scoring import Listed, Numbers, Sought, essential
from dowse.model.request import Lane, ListPlan

worths = st.lists(st.floats(0.0, 10.0), min_size=1, max_size=7)


@given(worths=worths, share=st.floats(0.0, 1.0))
def test_whoever_holds_as_much_as_the_bound_holds_an_essential_term(worths: list[float], share: float) -> None:
    bound = max(share * sum(worths), 1e-12)
    chosen = set(essential(worths, bound))
    everyone = chain.from_iterable(combinations(range(len(worths)), many) for many in range(len(worths) + 1))
    assert all(chosen.intersection(held) for held in everyone if sum(worths[at] for at in held) >= bound)


@given(worths=worths, share=st.floats(0.01, 1.0))
def test_terms_that_weigh_too_little_even_together_are_not_essential(worths: list[float], share: float) -> None:
    bound = share * sum(worths)
    left_out = set(range(len(worths))) - set(essential(worths, bound))
    assert sum(worths[at] for at in left_out) <= bound


def sought(word: str, *, required: bool = True) -> Sought:
    return Sought(1.0, required, {"term": {"s.any": word}}, {"term": {"s.body": word}}, clauses=8)


def filters(worths: list[float], least: float) -> list[dict[str, object]]:
    words = [sought(name) for name in "abcdefg"[: len(worths)]]
    (body,) = Listed(words, worths, ListPlan("text", Lane.STEMS, least=least)).bodies(Numbers(10, 5.0, 1.0), {"match_all": {}})
    found: list[dict[str, object]] = body["query"]["bool"]["filter"]
    return found


def test_records_are_not_looked_for_by_a_word_that_tells_nothing() -> None:
    (narrowed,) = filters([5.0, 0.01], 0.1)
    assert narrowed == {"bool": {"filter": [{"match_all": {}}, {"term": {"s.any": "a"}}]}}


def test_where_every_word_tells_nothing_is_added_to_the_filter() -> None:
    assert filters([5.0, 4.0], 0.1) == [{"match_all": {}}]
