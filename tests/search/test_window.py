"""Is the order one order, whatever page of it is asked for and however the records came in?"""

import random
from collections.abc import Iterator
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import dowse
from dowse.app.workspace import Workspace
from dowse.model.change import Change, Link, Put
from dowse.model.page import Hit, Page
from dowse.model.record import Edge, Facet, Record
from dowse.search.window import WINDOW

# One word, several, part of a word, a question, a name: each takes another way through the stages.
QUERIES = (
    *("retries", "cap retries", "etrie", "example", "CourierPolicy"),
    *("how does the courier cap its retries", "what does CourierPolicy cap"),
)
SAME = "The courier gives up on a parcel once the cap of its retries is reached and tells the depot. " * 3


def code(files: int) -> list[Change]:
    """Files whose symbols match more or less well; some are tests, and every third ties with another."""
    changes: list[Change] = []
    for number in range(files):
        path = f"src/part{number:02}.py"
        changes.append(Put(Record(path, "codefile", f"part{number:02}.py", {"path": path})))
        for at in range(number % 4 + 1):
            body = "cap the retries " * (at % 3 + 1) + "of a parcel " * (number % 5)
            facets: dict[str, Facet] = {"symbolKind": "function", "test": number % 4 == 3}
            changes.append(Put(Record(f"{path}#{at}", "symbol", f"step{at}", {"body": body}, parent=path, facets=facets)))
    named = Record("src/part00.py#policy", "symbol", "CourierPolicy", {"body": "cap"}, parent="src/part00.py")
    return [*changes, Put(named)]


def documents(count: int) -> list[Change]:
    """Sections with two examples each inside them, and pages that say the same."""
    changes: list[Change] = []
    for number in range(count):
        key = f"docs/guide{number}.md"
        changes.append(Put(Record(key, "document", f"Guide {number}", {"path": key})))
        text = {"content": f"Courier number {number}: the retries have a cap. An example. " + "More of it. " * number}
        changes.append(Put(Record(f"{key}#s", "section", f"Part {number}", text, parent=key)))
        for at in range(2):
            example = {"content": "cap(retries) " * (at + number % 2 + 1)}
            changes.append(Put(Record(f"{key}#s/{at}", "snippet", f"Example {number}.{at}", example, parent=f"{key}#s")))
        changes.append(Put(Record(f"copy-{number}", "page", "Giving up", {"content": SAME})))
    return changes


def work(items: int) -> list[Change]:
    """Items that match, items that only links lead to, and what ties them."""
    changes: list[Change] = []
    for number in range(items):
        title = "Cap the retries" if number % 2 else "Paint the depot"
        changes.append(Put(Record(f"item-{number:02}", "item", title, {"summary": "soon " * (number % 7)})))
        changes.append(Link(Edge(f"item-{number:02}", f"item-{(number * 7 + 1) % items:02}", "relates_to")))
        changes.append(Link(Edge(f"copy-{number % 3}", f"item-{number:02}", "references")))
    return changes


def notes(count: int) -> list[Change]:
    texts = ("cap the retries " + "and more " * (number % 40) for number in range(count))
    return [Put(Record(f"note-{number:03}", "knowledge", "", {"content": text})) for number, text in enumerate(texts)]


SMALL = [*code(6), *documents(4), *work(12)]
LARGE = [*code(12), *documents(8), *work(30), *notes(WINDOW + 30)]


@pytest.fixture(scope="module")
def large(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workspace]:
    """More hits than the window holds. Only read."""
    with dowse.open(tmp_path_factory.mktemp("large") / "test.dowse") as workspace:
        workspace.apply(LARGE)
        yield workspace


def whole(workspace: Workspace, query: str, limit: int = 100) -> list[Page]:
    """Every page of the answer."""
    pages = [workspace.search(query, limit=limit)]
    while pages[-1].next_offset is not None:
        pages.append(workspace.search(query, limit=limit, offset=pages[-1].next_offset))
    return pages


def hits(pages: list[Page]) -> list[Hit]:
    return [hit for page in pages for hit in page.hits]


def standing(found: list[Hit]) -> list[tuple[object, ...]]:
    """All that a user can tell hits apart by."""
    return [(hit.record.key, hit.rank, hit.copies, hit.via, hit.matched_in) for hit in found]


def test_the_answers_hold_what_makes_paging_hard(large: Workspace) -> None:
    found = {query: hits(whole(large, query)) for query in QUERIES}
    assert len(found["cap retries"]) > WINDOW
    assert len(found["retries"]) > WINDOW
    everything = [hit for some in found.values() for hit in some]
    assert any(hit.via for hit in everything)
    assert any(key.startswith("copy") for hit in everything for key in hit.copies)
    assert any("#s/" in key for hit in everything for key in hit.copies)


@pytest.mark.requirement("U-02")
@settings(max_examples=20)
@given(query=st.sampled_from(QUERIES), limit=st.integers(7, 100))
def test_pages_of_any_size_add_up_to_the_whole(large: Workspace, query: str, limit: int) -> None:
    pages = whole(large, query, limit)
    found = hits(pages)
    assert standing(found) == standing(hits(whole(large, query)))
    assert len({hit.record.key for hit in found}) == len(found)
    assert {page.total for page in pages} == {len(found)}


@settings(max_examples=25)
@given(query=st.sampled_from(QUERIES), offset=st.integers(0, WINDOW + 40), limit=st.integers(1, 30))
def test_a_page_is_the_same_wherever_reading_begins(large: Workspace, query: str, offset: int, limit: int) -> None:
    page = large.search(query, offset=offset, limit=limit)
    assert standing(list(page.hits)) == standing(hits(whole(large, query)))[offset : offset + limit]


def test_who_answers_for_others_is_shown_and_they_are_not(large: Workspace) -> None:
    for query in QUERIES:
        found = hits(whole(large, query))
        answered = [key for hit in found for key in hit.copies]
        assert len(set(answered)) == len(answered)
        assert set(answered).isdisjoint(hit.record.key for hit in found)


@pytest.mark.requirement("U-02")
@settings(max_examples=5)
@given(seed=st.integers(0, 1000))
@pytest.mark.parametrize("model", ["none", "static"])
def test_the_order_of_writing_never_shows(model: str, seed: int) -> None:
    shuffled = list(SMALL)
    random.Random(seed).shuffle(shuffled)
    with dowse.open(":memory:", model=model) as one, dowse.open(":memory:", model=model) as other:
        one.apply(SMALL)
        for change in shuffled:
            other.apply([change])
        for query in QUERIES:
            assert standing(hits(whole(one, query))) == standing(hits(whole(other, query)))


def test_equals_stand_in_the_order_of_their_keys(by_words: Workspace) -> None:
    for key in ("m", "z", "a", "k"):
        by_words.put(kind="item", key=key, title="Cap retries")
    assert [hit.record.key for hit in by_words.search("cap retries").hits] == ["a", "k", "m", "z"]


def test_what_was_looked_at_stands_before_what_was_not(large: Workspace) -> None:
    found = hits(whole(large, "retries"))
    scores = [hit.score for hit in found]
    # Behind the window scores begin anew, once.
    assert sum(later > earlier for earlier, later in pairwise(scores)) <= 1


def test_what_falls_within_the_window_stays_before_what_is_behind_it(by_words: Workspace) -> None:
    bodies = {"body": "retries"}
    symbols = (Record(f"a-{number:03}", "symbol", "step", bodies, facets={"test": number == 0}) for number in range(WINDOW + 50))
    by_words.apply(map(Put, symbols))
    keys = [hit.record.key for hit in hits(whole(by_words, "retries"))]
    assert keys.index("a-000") == WINDOW - 1


def test_a_thing_called_so_is_looked_at_however_many_others_say_its_name_more(by_words: Workspace) -> None:
    many = [Put(Record(f"a-{n:03}", "knowledge", "Ledger, ledger", {"content": "ledger"})) for n in range(WINDOW + 50)]
    by_words.apply([*many, Put(Record("z", "symbol", "Ledger", {"body": "of what was paid"}))])
    assert by_words.search("Ledger").hits[0].record.key == "z"
