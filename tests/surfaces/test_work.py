"""Work items, notes and dependencies, as a user of that surface sees them."""

from collections.abc import Callable
from typing import Any

import pytest

from dowse.app.workspace import Workspace
from dowse.engines.sqlite.driver import connect
from dowse.engines.sqlite.edges import edges_at_sql
from dowse.errors import AmbiguousId, InvalidQuery, InvalidRequest, InvalidScope, NotFound

Found = Callable[..., list[str]]
Answered = Callable[..., Any]


def item(workspace: Workspace, key: str, title: str = "", **values: Any) -> None:
    workspace.put(kind="item", key=key, title=title, **values)


def note(workspace: Workspace, parent: str, name: str, body: str, **values: Any) -> str:
    return workspace.put(kind="note", parent=parent, noteKey=name, body=body, **values).key


@pytest.fixture
def tree(workspace: Workspace) -> Workspace:
    """Three levels of one tree and a stranger, all about the router."""
    item(workspace, "root-item", "router program", role="work", tags=["net"])
    item(workspace, "child-item", "router rewrite", parent="root-item", role="queue", tags=["net", "core"])
    item(workspace, "grandchild", "router tests", parent="child-item", role="review", tags=["quality"])
    item(workspace, "stranger", "router elsewhere", role="work")
    return workspace


@pytest.mark.requirement("T-01")
@pytest.mark.parametrize("field", ["title", "summary"])
@pytest.mark.parametrize(("mode", "query"), [("substring", "hrottl"), ("text", "throttles")])
def test_title_and_summary_are_found_by_substring_and_by_stem(
    workspace: Workspace, found: Found, field: str, mode: str, query: str
) -> None:
    workspace.put(kind="item", key="a", **{field: "Throttling the importer"})
    assert found(query, "items", matchMode=mode) == ["a"]


@pytest.mark.requirement("T-02")
@pytest.mark.parametrize(("mode", "query"), [("substring", "hrottl"), ("text", "throttles")])
def test_note_bodies_are_found_by_substring_and_by_stem(workspace: Workspace, found: Found, mode: str, query: str) -> None:
    item(workspace, "a", "Importer")
    key = note(workspace, "a", "plan", "We are throttling it.")
    assert found(query, "notes", matchMode=mode) == [key]


@pytest.mark.requirement("T-03")
def test_a_write_is_found_by_the_next_search_and_its_old_words_are_not(workspace: Workspace, found: Found) -> None:
    item(workspace, "a", "Cap the retries")
    assert found("retries", "items") == ["a"]
    workspace.update("a", title="Drop the queue")
    assert (found("retries", "items"), found("queue", "items")) == ([], ["a"])
    workspace.delete("a")
    assert found("queue", "items") == []


@pytest.mark.requirement("T-04")
def test_substring_ignores_case_and_text_ignores_endings(workspace: Workspace, found: Found) -> None:
    item(workspace, "a", "Run the Pipeline")
    assert found("PIPEL", "items", matchMode="substring") == ["a"]
    assert found("running", "items", matchMode="text") == ["a"]
    assert found("running", "items", matchMode="substring") == []


@pytest.mark.requirement("T-05")
def test_a_mode_uses_its_lists_and_auto_uses_both(workspace: Workspace, found: Found) -> None:
    item(workspace, "inside", "precomputed caches")
    item(workspace, "stemmed", "they compute much")
    assert found("computes", "items", matchMode="text") == ["stemmed"]
    assert found("computed", "items", matchMode="substring") == ["inside"]
    assert sorted(found("computed", "items")) == sorted(found("computed", "items", matchMode="auto")) == ["inside", "stemmed"]
    with pytest.raises(InvalidRequest, match="matchMode cannot be 'fuzzy'"):
        found("x", "items", matchMode="fuzzy")


@pytest.mark.requirement("T-06")
def test_a_score_is_the_sum_of_reciprocal_ranks(workspace: Workspace) -> None:
    for number in range(8):
        item(workspace, f"item-{number}", "caching layer " + "and more words " * number, summary="recaching" if number % 2 else "")
    page = workspace.search("caching", surface="items", explain=True)
    assert len(page.hits) == 8
    for hit in page.hits:
        assert hit.score == pytest.approx(sum(1 / (60 + entry.rank) for entry in hit.lists), abs=1e-12)
        assert [entry.name for entry in hit.lists] == list(hit.matched_in)
    for name in ("trigram", "text"):
        places = sorted(entry.rank for hit in page.hits for entry in hit.lists if entry.name == name)
        assert places == list(range(1, len(places) + 1))


@pytest.mark.requirement("T-07")
def test_a_record_in_both_lists_outranks_one_in_a_single_list(workspace: Workspace) -> None:
    item(workspace, "both", "running late")
    item(workspace, "stem-only", "run late")
    page = workspace.search("running", surface="items")
    assert [(hit.record.key, hit.matched_in) for hit in page.hits] == [("both", ("trigram", "text")), ("stem-only", ("text",))]


@pytest.mark.requirement("T-08", "T-11")
@pytest.mark.parametrize(
    "query",
    [
        '"',
        '""',
        'say "hello',
        'hello"world',
        "hello*",
        "title:hello",
        "-hello",
        "(hello",
        "hello)",
        "^hello",
        "{hello}",
        "hello'; --",
        "\\",
    ],
)
def test_what_looks_like_syntax_is_text(workspace: Workspace, found: Found, query: str) -> None:
    item(workspace, "a", f"Greeting: {query}")
    item(workspace, "b", "Something else")
    assert found(query, "items") == ["a"]


@pytest.mark.requirement("T-09")
@pytest.mark.parametrize("word", ["AND", "OR", "NOT", "NEAR"])
def test_operator_words_are_plain_words(workspace: Workspace, found: Found, word: str) -> None:
    item(workspace, "gate", f"the {word} gate")
    item(workspace, "door", "the gate of the garden")
    assert found(f"gate {word} gate", "items")[0] == "gate"
    assert found(word, "items") == ["gate"]


@pytest.mark.requirement("T-10")
def test_substring_mode_refuses_a_query_of_short_tokens_only(workspace: Workspace, found: Found) -> None:
    item(workspace, "a", "go to db")
    with pytest.raises(InvalidQuery, match="at least 3 characters"):
        found("go db", "items", matchMode="substring")
    assert found("go db", "items", matchMode="text") == ["a"]
    assert found("go db", "items") == ["a"]
    item(workspace, "b", "godbless")
    assert found("god", "items", matchMode="substring") == ["b"]


@pytest.mark.requirement("T-12")
def test_an_ancestor_scope_holds_the_item_and_every_descendant(tree: Workspace, found: Found) -> None:
    assert sorted(found("router", "items", scope={"ancestorId": "root-item"})) == ["child-item", "grandchild", "root-item"]
    assert sorted(found("router", "items", scope={"ancestorId": "child-item"})) == ["child-item", "grandchild"]
    below = note(tree, "grandchild", "plan", "router notes")
    note(tree, "stranger", "plan", "router notes")
    assert found("router", "notes", scope={"ancestorId": "root-item"}) == [below]


@pytest.mark.requirement("T-13")
def test_an_item_scope_holds_that_item_alone(tree: Workspace, found: Found) -> None:
    assert found("router", "items", scope={"itemId": "child-item"}) == ["child-item"]
    own = note(tree, "child-item", "plan", "router plan")
    note(tree, "grandchild", "plan", "router plan")
    assert found("router", "notes", scope={"itemId": "child-item"}) == [own]


@pytest.mark.requirement("T-14")
@pytest.mark.usefixtures("tree")
def test_a_tag_scope_holds_items_with_any_of_the_tags(found: Found) -> None:
    assert sorted(found("router", "items", scope={"tags": ["core", "quality"]})) == ["child-item", "grandchild"]
    assert found("router", "items", scope={"tags": ["cor"]}) == []


@pytest.mark.requirement("T-15")
@pytest.mark.usefixtures("tree")
def test_a_role_scope_is_exact(found: Found) -> None:
    assert sorted(found("router", "items", scope={"role": "work"})) == ["root-item", "stranger"]
    with pytest.raises(InvalidScope, match="it is one of queue, work, review, terminal, blocked"):
        found("router", "items", scope={"role": "wor"})


@pytest.mark.requirement("T-16")
def test_notes_are_listed_by_role_and_not_searched_by_it(tree: Workspace, found: Found) -> None:
    queued = note(tree, "root-item", "a", "router", role="queue")
    note(tree, "root-item", "b", "router", role="review")
    assert [record.key for record in tree.list(kinds=["note"], facets={"role": "queue"}).records] == [queued]
    with pytest.raises(InvalidRequest, match=r"notes has no parameter 'scope\.role'"):
        found("router", "notes", scope={"role": "queue"})


@pytest.mark.requirement("T-16")
@pytest.mark.parametrize(
    "scope",
    [
        {"ancestorId": ""},
        {"ancestorId": 7},
        {"tags": []},
        {"tags": [1]},
        {"role": "x"},
        {"ancestor": "root-item"},
        "root-item",
        ["x"],
    ],
)
@pytest.mark.usefixtures("tree")
def test_a_malformed_scope_is_an_error(found: Found, scope: Any) -> None:
    with pytest.raises(InvalidRequest):
        found("router", "items", scope=scope)


@pytest.mark.requirement("T-16")
def test_an_id_is_accepted_by_its_beginning_if_only_one_record_begins_so(tree: Workspace, found: Found) -> None:
    assert len(found("router", "items", scope={"ancestorId": "root"})) == 3
    with pytest.raises(NotFound):
        found("router", "items", scope={"ancestorId": "roo"})
    with pytest.raises(NotFound):
        found("router", "items", scope={"itemId": "nobody"})
    item(tree, "root-other", "another")
    with pytest.raises(AmbiguousId):
        found("router", "items", scope={"ancestorId": "root"})


@pytest.mark.requirement("T-17")
def test_backlinks_are_the_edges_that_point_at_the_item_with_their_sources(tree: Workspace) -> None:
    tree.link("stranger", "child-item", "blocks")
    tree.link("grandchild", "child-item", "relates_to")
    tree.link("child-item", "root-item", "blocks")
    assert [(link.edge.kind, link.record.key, link.record.title) for link in tree.backlinks("child-item")] == [
        ("relates_to", "grandchild", "router tests"),
        ("blocks", "stranger", "router elsewhere"),
    ]
    assert [link.record.key for link in tree.backlinks("child-item", kind="blocks")] == ["stranger"]


@pytest.mark.requirement("T-17")
def test_backlinks_are_read_from_an_index_on_the_target(tree: Workspace) -> None:
    connection = connect(tree.status().location, read_only=True)
    plan = [row[3] for row in connection.execute(f"explain query plan {edges_at_sql('target', False)}", ('["child-item"]',))]
    connection.close()
    assert [step for step in plan if "edge" in step] == ["SEARCH edge USING INDEX edge_target (target=?)"]


@pytest.mark.requirement("T-18")
@pytest.mark.parametrize(
    ("direction", "expected"), [("incoming", ["stranger"]), ("outgoing", ["root-item"]), ("all", ["root-item", "stranger"])]
)
def test_neighbours_have_a_direction(tree: Workspace, direction: str, expected: list[str]) -> None:
    tree.link("stranger", "child-item", "blocks")
    tree.link("child-item", "root-item", "blocks")
    assert sorted(link.record.key for link in tree.neighbours("child-item", direction=direction)) == expected


@pytest.mark.requirement("T-19")
def test_an_answer_has_the_shape_of_the_surface(workspace: Workspace, answered: Answered) -> None:
    item(workspace, "a", "Cap the retries", summary="soon")
    answer = answered("retries", "items")
    assert answer.items() >= {"totalHits": 1, "nextOffset": None, "truncated": False}.items()
    (hit,) = answer["hits"]
    assert list(hit) == ["kind", "itemId", "title", "field", "snippet", "score", "matchedIn"]
    assert hit["kind"] == "item"
    assert (hit["itemId"], hit["title"], hit["field"]) == ("a", "Cap the retries", "title")
    assert hit["snippet"] == "Cap the <mark>retries</mark>"
    assert hit["matchedIn"] == ["trigram", "text"]


@pytest.mark.requirement("T-20")
def test_a_note_hit_names_its_item_its_key_and_its_body(workspace: Workspace, answered: Answered) -> None:
    item(workspace, "a", "Importer")
    note(workspace, "a", "plan", "Throttle it")
    (hit,) = answered("throttle", "notes")["hits"]
    assert (hit["kind"], hit["itemId"], hit["noteKey"], hit["field"]) == ("note", "a", "plan", "body")
    assert hit["title"] == "Importer"
    assert hit["snippet"] == "<mark>Throttle</mark> it"


@pytest.mark.requirement("T-20")
def test_a_note_key_is_unique_on_its_item(workspace: Workspace) -> None:
    item(workspace, "a", "Importer")
    item(workspace, "b", "Exporter")
    first = note(workspace, "a", "plan", "one")
    assert note(workspace, "a", "plan", "two") == first
    assert note(workspace, "b", "plan", "three") != first
    assert workspace.get(first).text("body") == "two"


@pytest.mark.requirement("T-21")
def test_an_excerpt_has_about_thirty_two_words_with_marks_and_ellipses(workspace: Workspace, answered: Answered) -> None:
    item(workspace, "a", "Long", summary="before " * 100 + "needle " + "after " * 100)
    (hit,) = answered("needle", "items")["hits"]
    snippet = hit["snippet"]
    assert snippet.startswith("…before")
    assert snippet.endswith("after…")
    assert snippet.count("<mark>needle</mark>") == 1
    assert len(snippet.split()) == 32


@pytest.mark.requirement("T-23")
def test_the_total_is_the_number_of_matches_however_few_are_shown(workspace: Workspace, answered: Answered) -> None:
    for number in range(150):
        item(workspace, f"item-{number}", "caching")
    for limit in (1, 20, 100):
        answer = answered("caching", "items", limit=limit)
        assert (answer["totalHits"], answer["truncated"]) == (150, False)


@pytest.mark.requirement("T-24")
def test_walking_the_pages_gives_every_match_once(workspace: Workspace, answered: Answered) -> None:
    for number in range(57):
        item(workspace, f"item-{number}", "caching " * (1 + number % 5), summary="recaching" if number % 3 else "")
    seen: list[str] = []
    offset: int | None = 0
    while offset is not None:
        answer = answered("caching", "items", limit=10, offset=offset)
        seen += [hit["itemId"] for hit in answer["hits"]]
        offset = answer["nextOffset"]
    assert len(seen) == len(set(seen)) == answer["totalHits"] == 57


@pytest.mark.requirement("T-25")
def test_an_explanation_says_what_each_list_said_with_the_sign_of_sqlite(workspace: Workspace, answered: Answered) -> None:
    item(workspace, "strong", "caching caching caching")
    item(workspace, "weak", "caching among many other words that have nothing to do with it")
    assert all("explain" not in hit for hit in answered("caching", "items")["hits"])
    strong, weak = answered("caching", "items", explain=True)["hits"]
    assert (strong["itemId"], weak["itemId"]) == ("strong", "weak")
    for hit in (strong, weak):
        assert hit["explain"]["rrfK"] == 60
    assert strong["explain"]["textRank"] < weak["explain"]["textRank"] < 0
    assert strong["explain"]["trigramRank"] < 0
    assert (strong["explain"]["textPosition"], weak["explain"]["textPosition"]) == (1, 2)


@pytest.mark.requirement("T-27")
def test_a_page_has_twenty_hits_unless_asked_otherwise(workspace: Workspace, answered: Answered) -> None:
    for number in range(60):
        item(workspace, f"item-{number}", "caching")
    assert len(answered("caching", "items")["hits"]) == 20
    assert len(answered("caching", "items", limit=100)["hits"]) == 60


@pytest.mark.requirement("T-27")
@pytest.mark.parametrize("paging", [{"limit": 0}, {"limit": 101}, {"limit": -1}, {"offset": -1}, {"limit": "5"}, {"limit": True}])
def test_paging_out_of_bounds_is_an_error(found: Found, paging: dict[str, Any]) -> None:
    with pytest.raises(InvalidRequest):
        found("x", "items", **paging)


@pytest.mark.requirement("T-27")
@pytest.mark.parametrize("surface", ["items", "notes"])
@pytest.mark.parametrize("query", ["", "  ", "\t\n"])
def test_a_blank_query_is_an_error(found: Found, surface: str, query: str) -> None:
    with pytest.raises(InvalidQuery, match="blank"):
        found(query, surface)


@pytest.mark.requirement("T-27")
def test_no_query_lists_by_filter_fifty_at_a_time_with_the_true_total(workspace: Workspace, answered: Answered) -> None:
    for number in range(70):
        item(workspace, f"item-{number:02}", "any", role="work" if number else "queue")
    answer = answered(None, "items", scope={"role": "work"})
    assert (len(answer["hits"]), answer["totalHits"], answer["nextOffset"]) == (50, 69, 50)
    rest = answered(None, "items", scope={"role": "work"}, offset=50)
    assert len({hit["itemId"] for hit in answer["hits"] + rest["hits"]}) == 69
    assert workspace.list(kinds=["item"], facets={"role": "work"}).total == 69


@pytest.mark.requirement("T-28")
@pytest.mark.parametrize(
    ("query", "field"), [("alpha", "title"), ("beta", "summary"), ("gamma", "description"), ("delta", "tags"), ("eta", "summary")]
)
def test_the_field_is_one_that_matched_and_its_excerpt_is_marked(
    workspace: Workspace, answered: Answered, query: str, field: str
) -> None:
    item(workspace, "a", "alpha", summary="beta", description="gamma", tags=["delta"])
    (hit,) = answered(query, "items")["hits"]
    assert hit["field"] == field
    assert f"<mark>{query}</mark>" in hit["snippet"]


@pytest.mark.requirement("T-17")
def test_the_edges_of_a_deleted_item_are_gone_until_it_returns(tree: Workspace) -> None:
    tree.link("stranger", "child-item", "blocks")
    tree.delete("stranger")
    assert tree.backlinks("child-item") == ()
    tree.restore("stranger")
    assert [link.record.key for link in tree.backlinks("child-item")] == ["stranger"]
