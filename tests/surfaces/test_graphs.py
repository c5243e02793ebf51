"""Six graphs, as a user of their searches sees them."""

from collections.abc import Callable
from typing import Any

import pytest

from dowse.app.workspace import Workspace
from dowse.errors import InvalidRequest
from dowse.text.words import plain_words

Found = Callable[..., list[str]]
Answered = Callable[..., Any]

SEARCHES = (
    *("docs_search", "code_search", "notes_search", "tasks_search", "skills_search", "skills_recall"),
    *("code_search_files", "docs_search_files", "files_search"),
)


def symbol(workspace: Workspace, key: str, title: str = "", **values: Any) -> None:
    workspace.put(kind="symbol", key=key, title=title or key, **values)


def via(workspace: Workspace, query: str, **parameters: Any) -> dict[str, float]:
    """The neighbours of a code search with their scores."""
    page = workspace.search(query, surface="code_search", **{"maxResults": 100, "minScore": 0.01, **parameters})
    return {hit.record.key: hit.score for hit in page.hits if hit.via}


@pytest.fixture
def star(workspace: Workspace) -> Workspace:
    """One symbol that matches "harbour", with an edge of each kind to one that does not."""
    symbol(workspace, "seed", "harbour")
    for kind in ("contains", "extends", "implements", "imports", "calls"):
        symbol(workspace, f"by-{kind}", "other")
        workspace.link("seed", f"by-{kind}", kind)
    return workspace


@pytest.mark.requirement("G-01")
def test_the_best_matches_seed_a_walk_whose_finds_are_merged_and_cut(star: Workspace, found: Found) -> None:
    for number in range(9):
        symbol(star, f"also-{number}", "harbour and more words")
    assert found("harbour", "code_search", topK=1, maxResults=100, minScore=0.9) == ["seed", "by-contains"]
    assert found("harbour", "code_search", topK=1, maxResults=1) == ["seed"]
    assert len(found("harbour", "code_search", topK=3, maxResults=100, bfsDepth=0)) == 3


@pytest.mark.requirement("G-02")
def test_edges_are_followed_both_ways_and_each_hop_costs_a_decay(workspace: Workspace) -> None:
    for key in ("a", "b", "c", "d"):
        symbol(workspace, key, "harbour" if key == "b" else "other")
    workspace.link("a", "b", "calls")
    workspace.link("b", "c", "calls")
    workspace.link("c", "d", "calls")
    assert via(workspace, "harbour") == pytest.approx({"a": 0.8, "c": 0.8})
    assert via(workspace, "harbour", bfsDepth=2) == pytest.approx({"a": 0.8, "c": 0.8, "d": 0.64})
    assert via(workspace, "harbour", bfsDepth=0) == {}


@pytest.mark.requirement("G-03")
def test_each_kind_of_edge_has_its_decay(star: Workspace) -> None:
    assert via(star, "harbour") == pytest.approx(
        {"by-contains": 0.95, "by-extends": 0.85, "by-implements": 0.85, "by-imports": 0.70, "by-calls": 0.8}
    )


@pytest.mark.requirement("G-04")
def test_a_decay_that_is_asked_for_holds_for_every_edge(star: Workspace) -> None:
    assert list(via(star, "harbour", bfsDecay=0.6).values()) == pytest.approx([0.6] * 5)
    for wrong in (0, -1, 1.5):
        with pytest.raises(InvalidRequest, match="bfsDecay"):
            via(star, "harbour", bfsDecay=wrong)


@pytest.mark.requirement("G-05")
@pytest.mark.parametrize("decay", [{}, {"bfsDecay": 0.9}])
def test_imports_are_not_followed_backwards(workspace: Workspace, decay: dict[str, float]) -> None:
    symbol(workspace, "utility", "harbour")
    symbol(workspace, "importer", "other")
    symbol(workspace, "caller", "other")
    workspace.link("importer", "utility", "imports")
    workspace.link("caller", "utility", "calls")
    assert list(via(workspace, "harbour", **decay)) == ["caller"]


@pytest.mark.requirement("G-06")
def test_what_falls_below_the_least_score_is_not_reached(star: Workspace) -> None:
    assert via(star, "harbour", minScore=0.85).keys() == {"by-contains", "by-extends", "by-implements"}
    assert via(star, "harbour", minScore=0.96) == {}


@pytest.mark.requirement("G-07")
def test_a_node_has_the_best_score_over_all_paths(workspace: Workspace) -> None:
    for key in ("seed", "goal", "m1"):
        symbol(workspace, key, "harbour" if key == "seed" else "other")
    workspace.link("seed", "goal", "imports")
    workspace.link("seed", "m1", "contains")
    workspace.link("m1", "goal", "contains")
    assert via(workspace, "harbour", bfsDepth=1)["goal"] == pytest.approx(0.70)
    assert via(workspace, "harbour", bfsDepth=2)["goal"] == pytest.approx(0.95 * 0.95)


@pytest.mark.requirement("G-07")
def test_a_neighbour_is_labelled_with_the_way_it_was_reached(workspace: Workspace, answered: Answered) -> None:
    for key in ("seed", "up", "down"):
        symbol(workspace, key, "harbour" if key == "seed" else "other")
    workspace.link("up", "seed", "contains")
    workspace.link("up", "down", "calls")
    hits = {hit["id"]: hit for hit in answered("harbour", "code_search", bfsDepth=2)}
    assert "via" not in hits["seed"]
    assert hits["up"]["via"] == [{"kind": "contains", "from": "up", "to": "seed", "forward": False}]
    assert hits["down"]["via"][1] == {"kind": "calls", "from": "up", "to": "down", "forward": True}


@pytest.mark.requirement("G-07")
@pytest.mark.parametrize("most", [1, 3, 5, 7, 20])
def test_a_neighbour_never_pushes_a_seed_off_the_page(workspace: Workspace, found: Found, most: int) -> None:
    for number in range(5):
        symbol(workspace, f"seed-{number}", "harbour " + "word " * number)
        for other in range(4):
            symbol(workspace, f"near-{number}-{other}", "other")
            workspace.link(f"seed-{number}", f"near-{number}-{other}", "contains")
    shown = found("harbour", "code_search", maxResults=most, searchMode="keyword")
    assert len([key for key in shown if key.startswith("seed")]) == min(5, most)
    assert len(shown) == min(most, 25)


@pytest.mark.requirement("G-08")
def test_a_search_mode_is_hybrid_vector_or_keyword(workspace: Workspace, found: Found) -> None:
    symbol(workspace, "a", "harbour")
    assert found("harbour", "code_search", searchMode="hybrid") == found("harbour", "code_search", searchMode="keyword") == ["a"]
    symbol(workspace, "b", "port")
    vector = workspace.search("harbour", surface="code_search", searchMode="vector")
    assert (vector.lists, vector.degraded) == (("vector",), ())
    assert [hit.record.key for hit in vector.hits] == ["a", "b"]
    with pytest.raises(InvalidRequest, match="it is one of hybrid, vector, keyword"):
        found("harbour", "code_search", searchMode="fuzzy")


@pytest.mark.requirement("G-09")
def test_the_defaults_are_those_of_the_contract(workspace: Workspace) -> None:
    for name in SEARCHES:
        surface = workspace.surface(name)
        files = name in ("code_search_files", "docs_search_files", "files_search")
        least = 0.3 if files or name == "skills_recall" else 0.5
        assert (surface.limit, surface.min_score, surface.mode.value) == (10 if files else 5, least, "hybrid"), name
        if files:
            assert surface.expansion is None
        else:
            assert surface.expansion is not None
            assert (surface.expansion.seeds, surface.expansion.depth, surface.expansion.default) == (5, 1, 0.8)


@pytest.mark.requirement("G-09")
@pytest.mark.parametrize("surface", SEARCHES)
@pytest.mark.parametrize("query", ["xqzvbnm", "zzzz qqqq wwww", "§§§", "…", "qwrtzp-lkjhg", "0x9f8e7d6c5b"])
def test_gibberish_returns_nothing(workspace: Workspace, found: Found, surface: str, query: str) -> None:
    for kind in ("section", "symbol", "knowledge", "item", "skill", "codefile", "document", "file"):
        workspace.put(kind=kind, key=kind, title="Harbour master", tags=["sea"])
    assert found(query, surface, minScore=0.0) == []


@pytest.mark.requirement("G-09")
def test_the_best_score_is_one_of_the_lists_that_ran(workspace: Workspace) -> None:
    for number in range(3):
        symbol(workspace, f"s{number}", "harbour " + "word " * number)
    for mode in ("hybrid", "keyword"):
        page = workspace.search("harbour", surface="code_search", searchMode=mode)
        assert [hit.score for hit in page.hits] == pytest.approx([1.0, 61 / 62, 61 / 63])


@pytest.mark.requirement("G-09")
def test_the_least_score_can_be_raised(workspace: Workspace, found: Found) -> None:
    for number in range(3):
        symbol(workspace, f"s{number}", "harbour " + "word " * number)
    assert found("harbour", "code_search", minScore=0.98) == ["s0", "s1"]


@pytest.mark.requirement("G-10")
def test_the_index_follows_at_once(workspace: Workspace, found: Found) -> None:
    symbol(workspace, "a", "harbour")
    assert found("harbour", "code_search") == ["a"]
    workspace.update("a", title="lighthouse")
    assert (found("harbour", "code_search", searchMode="keyword"), found("lighthouse", "code_search")) == ([], ["a"])
    workspace.delete("a", purge=True)
    assert found("lighthouse", "code_search") == []


@pytest.mark.requirement("G-11")
@pytest.mark.parametrize("query", ["getUserById", "getuserbyid", "user", "get user", "user by id", "get_user_by_id", "GetUserByID"])
def test_an_identifier_is_found_by_the_whole_and_by_its_parts(workspace: Workspace, found: Found, query: str) -> None:
    symbol(workspace, "a", "getUserById")
    symbol(workspace, "b", "closeHarbour2")
    assert found(query, "code_search") == ["a"]


@pytest.mark.requirement("G-11")
@pytest.mark.parametrize("query", ["harbour", "2", "close harbour", "x.close-harbour/2"])
def test_digits_and_punctuation_split_words(workspace: Workspace, found: Found, query: str) -> None:
    symbol(workspace, "a", "getUserById")
    symbol(workspace, "b", "closeHarbour2")
    assert found(query, "code_search") == ["b"]


@pytest.mark.requirement("G-12")
def test_stop_words_count_inside_identifiers_and_phrases_only(workspace: Workspace, found: Found) -> None:
    symbol(workspace, "by", "sortBy", doc="harbour")
    symbol(workspace, "phrase", "other", doc="to be or not to be")
    symbol(workspace, "plain", "third", doc="by the of to with from and or harbour")
    assert found("sortBy", "code_search")[0] == "by"
    assert found('"or not to be"', "code_search") == ["phrase"]
    page = workspace.search("the harbour of", surface="code_search")
    assert page.ignored == ("the", "of")
    assert sorted(hit.record.key for hit in page.hits) == ["by", "plain"]


@pytest.mark.requirement("G-12")
@pytest.mark.parametrize("word", ["for", "do", "if", "not", "is", "has", "can"])
def test_words_that_mean_something_in_code_are_kept(workspace: Workspace, found: Found, word: str) -> None:
    symbol(workspace, "a", "loop", doc=f"{word} harbour")
    symbol(workspace, "b", "loop", doc="harbour")
    assert found(word, "code_search") == ["a"]
    assert found(f"{word} harbour", "code_search")[0] == "a"


@pytest.mark.requirement("G-13")
@pytest.mark.parametrize(
    ("surface", "kind", "field"),
    [
        ("docs_search", "section", "title"),
        ("docs_search", "section", "content"),
        ("code_search", "symbol", "title"),
        ("code_search", "symbol", "signature"),
        ("code_search", "symbol", "doc"),
        ("code_search", "symbol", "body"),
        ("notes_search", "knowledge", "title"),
        ("notes_search", "knowledge", "content"),
        ("tasks_search", "item", "title"),
        ("tasks_search", "item", "description"),
        ("skills_search", "skill", "title"),
        ("skills_search", "skill", "description"),
        ("skills_search", "skill", "triggers"),
        ("skills_recall", "skill", "triggers"),
        ("files_search", "file", "path"),
    ],
)
def test_each_graph_is_found_by_its_texts(workspace: Workspace, found: Found, surface: str, kind: str, field: str) -> None:
    workspace.put(**{"kind": kind, "key": "it", "title": "x", field: "harbour"})
    workspace.put(kind=kind, key="not-it", title="y")
    assert found("harbour", surface) == ["it"]


@pytest.mark.requirement("G-13")
def test_a_long_body_ranks_by_its_beginning_and_is_found_by_all_of_it(workspace: Workspace, found: Found) -> None:
    symbol(workspace, "early", "one", body="harbour " + "filler " * 600)
    symbol(workspace, "late", "two", body="filler " * 600 + "harbour " * 50 + "lighthouse")
    assert found("harbour", "code_search", searchMode="keyword") == ["early", "late"]
    assert found("lighthouse", "code_search") == ["late"]


@pytest.fixture
def files(workspace: Workspace) -> Workspace:
    workspace.put(
        kind="codefile", key="embedder", title="embedder.ts", path="src/lib/embedder.ts", exports="createPipeline", imports="onnx"
    )
    workspace.put(kind="codefile", key="index", title="index.ts", path="src/index.ts", exports="main", imports="./lib/embedder.ts")
    workspace.put(kind="codefile", key="auth", title="helpers.ts", path="src/authentication/helpers.ts", exports="logIn")
    workspace.put(kind="document", key="guide", title="Authentication helpers", path="docs/guide.md")
    workspace.put(kind="document", key="embedding", title="Embedding", path="docs/embedder.ts.md")
    workspace.put(kind="file", key="logo", title="logo.svg", path="public/images/logo.svg")
    return workspace


@pytest.mark.requirement("G-14")
@pytest.mark.parametrize(
    ("graph", "query", "first"),
    [
        ("code", "embedder.ts", "embedder"),
        ("code", "src/lib/embedder.ts", "embedder"),
        ("code", "createPipeline", "embedder"),
        ("code", "create pipeline", "embedder"),
        ("code", "onnx", "embedder"),
        ("code", "authentication helpers", "auth"),
        ("docs", "authentication helpers", "guide"),
        ("docs", "guide.md", "guide"),
        ("files", "logo.svg", "logo"),
        ("files", "images", "logo"),
    ],
)
def test_a_file_is_found_by_its_path_and_by_what_it_declares(files: Workspace, graph: str, query: str, first: str) -> None:
    assert files.search_files(query, graph=graph).hits[0].record.key == first


@pytest.mark.requirement("G-14")
def test_files_are_not_expanded_along_the_graph(files: Workspace) -> None:
    files.link("index", "auth", "imports")
    assert [hit.record.key for hit in files.search_files("createPipeline", graph="code").hits] == ["embedder"]
    with pytest.raises(InvalidRequest, match="graph is code, docs, files"):
        files.search_files("x", graph="skills")


@pytest.mark.requirement("G-15")
def test_a_path_is_words() -> None:
    assert plain_words("src/lib/docs_search.test.ts") == ["src", "lib", "docs", "search", "test", "ts"]


@pytest.mark.requirement("G-16")
@pytest.mark.parametrize(("kind", "surfaces"), [
    ("section", ["docs_search"]),
    ("symbol", ["code_search"]),
    ("knowledge", ["notes_search"]),
    ("item", ["tasks_search"]),
    ("skill", ["skills_search", "skills_recall"]),
    ("codefile", ["code_search_files", "files_search"]),
    ("document", ["docs_search_files", "files_search"]),
    ("file", ["files_search"]),
])  # fmt: skip
def test_each_search_answers_from_its_own_graph(workspace: Workspace, found: Found, kind: str, surfaces: list[str]) -> None:
    workspace.put(kind=kind, key="it", title="harbour")
    assert [name for name in SEARCHES if found("harbour", name) == ["it"]] == surfaces


@pytest.mark.requirement("G-09", "G-16")
def test_recall_has_a_lower_bar_than_search(workspace: Workspace) -> None:
    for number in range(120):
        workspace.put(kind="skill", key=f"skill-{number:03}", title="harbour")
    assert workspace.why_not("skill-100", "harbour", surface="skills_search").score is None
    assert workspace.why_not("skill-100", "harbour", surface="skills_recall").score == pytest.approx(61 / 161)
    assert [hit.record.key for hit in workspace.recall("harbour", maxResults=1).hits] == ["skill-000"]


@pytest.mark.requirement("G-17")
def test_placeholders_carry_edges_and_never_appear(workspace: Workspace) -> None:
    symbol(workspace, "seed", "harbour")
    symbol(workspace, "@proxy", "harbour")
    symbol(workspace, "flagged", "harbour", facets={"placeholder": True})
    symbol(workspace, "beyond", "other")
    workspace.link("seed", "@proxy", "calls")
    workspace.link("@proxy", "beyond", "calls")
    page = workspace.search("harbour", surface="code_search", bfsDepth=2)
    assert [hit.record.key for hit in page.hits] == ["seed", "beyond"]
    assert [hit.record.key for hit in workspace.search("harbour").hits] == ["seed"]
