"""Libraries and the snippets of their documentation, as a user of that surface sees them."""

import math
from collections.abc import Callable
from typing import Any

import pytest

from dowse.app.workspace import Workspace
from dowse.domains.library import trust
from dowse.errors import InvalidRequest, InvalidScope, NotFound
from dowse.model.record import Record
from dowse.present.library import libraries_text, snippets_text

Found = Callable[..., list[str]]
Answered = Callable[..., Any]

ROCKET = "/acme/rocket"


def library(workspace: Workspace, key: str, *contents: str, version: str = "", **values: Any) -> Record:
    snippets = [{"title": f"Part {number}", "content": content, "type": "info"} for number, content in enumerate(contents)]
    return workspace.index_library({"key": key, **values}, snippets, version=version)


def names(workspace: Workspace, name: str, query: str | None = None, **values: Any) -> list[str]:
    return [match.library.key for match in workspace.resolve_library(name, query, **values)]


@pytest.fixture
def rocket(workspace: Workspace) -> Workspace:
    workspace.index_library(
        {"key": ROCKET, "title": "Rocket", "description": "launches things", "source": "github", "stars": 99},
        [
            {
                "title": "Ignition",
                "breadcrumb": "Start > Engines",
                "type": "code",
                "language": "python",
                "content": "ignite(engine)",
            },
            {"title": "Countdown", "type": "info", "content": "The countdown runs before the engine does."},
        ],
    )
    return workspace


@pytest.mark.requirement("R-01")
def test_snippets_are_found_by_words_as_soon_as_they_are_written(rocket: Workspace, found: Found) -> None:
    assert found("countdown", "docs", repositoryId=ROCKET) == [f"{ROCKET}#1"]
    page = rocket.search("engine", surface="docs", repositoryId=ROCKET)
    assert (page.total, page.degraded) == (2, ())


@pytest.mark.requirement("R-02")
def test_an_answer_is_the_snippet_its_score_and_its_library(rocket: Workspace, answered: Answered) -> None:
    (hit,) = answered("countdown", "docs", repositoryId=ROCKET)
    assert list(hit) == ["snippet", "score", "repository"]
    assert hit["snippet"]["title"] == "Countdown"
    assert hit["snippet"]["fields"]["content"] == "The countdown runs before the engine does."
    assert hit["score"] > 0
    assert rocket.get(ROCKET).title == "Rocket"
    assert hit["repository"] == {"id": ROCKET, "title": "Rocket"}


@pytest.mark.requirement("R-02")
def test_snippets_are_searched_in_one_library_twenty_at_a_time(workspace: Workspace, found: Found) -> None:
    library(workspace, ROCKET, *(f"thrust number {number}" for number in range(30)))
    library(workspace, "/acme/other", "thrust elsewhere")
    with pytest.raises(InvalidRequest, match="docs needs repositoryId"):
        found("thrust", "docs")
    first = found("thrust", "docs", repositoryId=ROCKET)
    rest = found("thrust", "docs", repositoryId=ROCKET, offset=20)
    assert (len(first), len(rest)) == (20, 10)
    assert all(key.startswith(ROCKET) for key in first + rest)
    with pytest.raises(NotFound):
        found("thrust", "docs", repositoryId="/acme/nothing")


@pytest.mark.requirement("R-02", "R-04")
def test_a_type_is_filtered_before_ranking(workspace: Workspace, found: Found) -> None:
    snippets = [{"title": "thrust thrust", "content": "thrust", "type": "info"} for _ in range(40)]
    snippets.append({"title": "Burn", "content": "set the thrust and then many other words", "type": "code"})
    workspace.index_library({"key": ROCKET}, snippets)
    assert found("thrust", "docs", repositoryId=ROCKET, type="code", limit=1) == [f"{ROCKET}#40"]
    with pytest.raises(InvalidScope):
        found("thrust", "docs", repositoryId=ROCKET, type="video")


@pytest.mark.requirement("R-04")
def test_without_a_version_the_default_version_answers_and_never_a_mix(workspace: Workspace, found: Found) -> None:
    library(workspace, ROCKET, "thrust of old", version="v1")
    library(workspace, ROCKET, "thrust of new", "more thrust", version="v2")
    assert found("thrust", "docs", repositoryId=ROCKET) == [f"{ROCKET}@v1#0"]
    assert sorted(found("thrust", "docs", repositoryId=ROCKET, versionId="v2")) == [f"{ROCKET}@v2#0", f"{ROCKET}@v2#1"]
    workspace.update(ROCKET, defaultVersion="v2")
    assert len(found("thrust", "docs", repositoryId=ROCKET)) == 2
    with pytest.raises(NotFound, match="it has v1, v2"):
        found("thrust", "docs", repositoryId=ROCKET, versionId="v9")


@pytest.mark.requirement("R-04")
def test_indexing_a_version_again_replaces_its_snippets(workspace: Workspace, found: Found) -> None:
    library(workspace, ROCKET, "thrust one", "thrust two", version="v1")
    library(workspace, ROCKET, "drag only", version="v1")
    assert found("thrust", "docs", repositoryId=ROCKET) == []
    assert found("drag", "docs", repositoryId=ROCKET) == [f"{ROCKET}@v1#0"]


@pytest.mark.requirement("R-05")
@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ('"blue engine"', {0}),
        ("engine AND blue", {0, 1}),
        ("blue OR red", {0, 1, 2}),
        ("engine NOT blue", {2}),
        ("(blue OR red) AND engine", {0, 1, 2}),
        ("eng*", {0, 1, 2, 3}),
        ('"red eng"*', {2}),
    ],
)
def test_phrases_prefixes_and_operators_mean_what_they_say(
    workspace: Workspace, found: Found, query: str, expected: set[int]
) -> None:
    library(workspace, ROCKET, "a blue engine", "an engine painted blue", "a red engine", "the engraver")
    assert {int(key[-1]) for key in found(query, "docs", repositoryId=ROCKET)} == expected


@pytest.mark.requirement("R-05")
def test_the_last_word_matches_as_a_beginning_below_whole_words(workspace: Workspace, found: Found) -> None:
    library(workspace, ROCKET, "authentication authentication authentication", "auth by token")
    assert found("auth", "docs", repositoryId=ROCKET) == [f"{ROCKET}#1", f"{ROCKET}#0"]
    assert found("au", "docs", repositoryId=ROCKET) == []
    assert found("auth token", "docs", repositoryId=ROCKET)[0] == f"{ROCKET}#1"


@pytest.mark.requirement("R-05")
def test_a_beginning_is_of_the_word_as_written_not_of_its_stem(workspace: Workspace, found: Found) -> None:
    library(workspace, ROCKET, "caching layers")
    assert found("cachin", "docs", repositoryId=ROCKET) == [f"{ROCKET}#0"]


@pytest.mark.requirement("R-05")
@pytest.mark.parametrize(
    "query",
    [
        *('"', '"""', "(", ")", "((", "*", "**", "a*b", "AND", "OR OR", "NOT", "NOT NOT", "AND OR NOT", "( OR )", "a AND", "OR b"),
        *("NOT (", '"unclosed', "a:b:c", "col:", "^x", "{a b}: c", "NEAR(a b, 3)", "a + b", "-", "--", "'; drop table record; --"),
        *("\x00", "a\x00b", "�", "🚀", "e\u0301", "\u202eabc", "ﬁ", "İ", "a AND " + "(" * 3000 + "b", "NOT " * 11),
    ],
)
def test_odd_syntax_never_raises(rocket: Workspace, query: str) -> None:
    page = rocket.search(query, surface="docs", repositoryId=ROCKET)
    assert page.total >= len(page.hits)


@pytest.mark.requirement("R-06")
def test_stop_words_decide_neither_a_match_nor_a_rank(workspace: Workspace, found: Found) -> None:
    library(workspace, ROCKET, "the the the of of and what", "engine")
    assert found("what of the", "docs", repositoryId=ROCKET) == []
    assert found("what of the engine", "docs", repositoryId=ROCKET) == [f"{ROCKET}#1"]


@pytest.mark.requirement("R-07")
def test_libraries_come_with_versions_and_scores_ten_at_most(workspace: Workspace) -> None:
    library(workspace, ROCKET, "thrust", version="v2")
    library(workspace, ROCKET, "thrust", version="v1")
    for number in range(15):
        library(workspace, f"/acme/rocket-{number}", "x")
    matches = workspace.resolve_library("rocket")
    assert len(matches) == 10
    assert (matches[0].library.key, matches[0].versions) == (ROCKET, ("v1", "v2"))
    assert matches[0].score > matches[1].score > 0
    assert len(workspace.resolve_library("rocket", limit=3)) == 3
    with pytest.raises(InvalidRequest):
        workspace.resolve_library("rocket", limit=0)


@pytest.mark.requirement("R-08")
@pytest.mark.parametrize(
    "name", ["react-router", "React Router", "react_router", "ReactRouter", "REACTROUTER", "/acme/react-router"]
)
def test_separators_and_case_do_not_matter(workspace: Workspace, name: str) -> None:
    library(workspace, "/acme/react-router", "x", title="React Router")
    library(workspace, "/acme/vue", "x", title="Vue")
    assert names(workspace, name) == ["/acme/react-router"]


@pytest.mark.requirement("R-08")
def test_a_library_is_found_by_title_id_description_and_what_its_snippets_say(workspace: Workspace) -> None:
    library(workspace, "/acme/a", "x", title="Tidekit")
    library(workspace, "/tidekit/b", "x", title="Other")
    library(workspace, "/acme/c", "x", title="Third", description="like Tidekit but smaller")
    library(workspace, "/acme/d", "works well with tidekit", title="Fourth")
    library(workspace, "/acme/e", "x", title="Fifth")
    assert sorted(names(workspace, "tidekit")) == ["/acme/a", "/acme/c", "/acme/d", "/tidekit/b"]


@pytest.mark.requirement("R-08")
def test_the_question_moves_the_library_that_speaks_of_it(workspace: Workspace) -> None:
    library(workspace, "/acme/kit-one", "about colours")
    library(workspace, "/acme/kit-two", "how retries are capped")
    assert names(workspace, "kit")[0] == "/acme/kit-one"
    assert names(workspace, "kit", "capped retries")[0] == "/acme/kit-two"


@pytest.mark.requirement("R-08")
@pytest.mark.parametrize("name", ["%", "_", "r%t", "roc_et", "%rocket%", "*", "", " "])
def test_percent_and_underscore_are_no_wildcards(rocket: Workspace, name: str) -> None:
    expected = [ROCKET] if "rocket" in name else []
    assert names(rocket, name) == expected


@pytest.mark.requirement("R-08")
def test_only_ready_libraries_answer_and_one_being_indexed_again_keeps_answering(rocket: Workspace, found: Found) -> None:
    rocket.put(kind="library", key="/acme/rocket-new", title="Rocket New", state="pending")
    assert names(rocket, "rocket") == [ROCKET]
    rocket.update(ROCKET, state="indexing")
    assert names(rocket, "rocket") == [ROCKET]
    assert found("countdown", "docs", repositoryId=ROCKET) == [f"{ROCKET}#1"]


@pytest.mark.requirement("R-09")
def test_the_score_is_made_of_identity_size_and_trust(workspace: Workspace) -> None:
    exact = library(workspace, "/acme/rocket", "x", description="d", source="github", stars=99)
    beginning = library(workspace, "/acme/rocketry", "x")
    described = library(workspace, "/acme/thrust", "x", description="for a rocket")
    scores = {match.library.key: match.score for match in workspace.resolve_library("rocket", "zzz")}
    for record, identity in ((exact, 100), (beginning, 50), (described, 20)):
        trusted = float(workspace.get(record.key).facets["trust"])
        assert scores[record.key] == pytest.approx(identity + 1 / 100 + trusted * 10)


@pytest.mark.requirement("R-09")
def test_an_exact_name_is_first_however_popular_others_are(workspace: Workspace) -> None:
    library(
        workspace, "/famous/react-dom", *["react react"] * 30, title="react dom", source="github", stars=10**9, description="react"
    )
    library(workspace, "/small/react", "x", title="react")
    assert names(workspace, "react") == ["/small/react", "/famous/react-dom"]
    assert names(workspace, "react", "react")[0] == "/small/react"


@pytest.mark.requirement("R-10")
def test_libraries_read_as_a_numbered_list_within_a_budget(rocket: Workspace) -> None:
    library(rocket, "/acme/rocketry", "x", version="v3")
    matches = rocket.resolve_library("rocket")
    text = libraries_text(matches)
    assert text.splitlines()[:5] == [
        "1. Rocket",
        "   Library ID: /acme/rocket",
        "   Description: launches things",
        "   Snippets: 2 | Trust Score: 5.0/10",
        "   Available Versions: default branch",
    ]
    assert "2. rocketry" in text
    assert "Available Versions: v3" in text
    assert libraries_text(matches, tokens=1) == "\n".join(text.splitlines()[:5])
    assert "Try another name" in libraries_text([])


@pytest.mark.requirement("R-11")
def test_snippets_read_as_rules_titles_breadcrumbs_and_fenced_code(rocket: Workspace) -> None:
    rocket.update(ROCKET, rules="Wear a helmet.\n\nCount aloud.")
    assert rocket.query_docs(ROCKET, "engine") == "\n\n---\n\n".join(
        [
            "## Library Rules\n- Wear a helmet.\n- Count aloud.",
            "### Ignition\n*Start > Engines*\n```python\nignite(engine)\n```",
            "### Countdown\nThe countdown runs before the engine does.",
        ]
    )


@pytest.mark.requirement("R-11")
def test_a_fence_is_longer_than_any_inside(workspace: Workspace) -> None:
    content = "````md\n```\ncode\n```\n````"
    workspace.index_library({"key": ROCKET}, [{"title": "Fences", "type": "code", "content": content}])
    assert f"`````\n{content}\n`````" in workspace.query_docs(ROCKET, "fences")


@pytest.mark.requirement("R-11")
def test_a_token_budget_keeps_whole_snippets_and_at_least_one(workspace: Workspace) -> None:
    library(workspace, ROCKET, *("thrust " * 100 for _ in range(10)))
    page = workspace.search("thrust", surface="docs", repositoryId=ROCKET)
    record = workspace.get(ROCKET)
    everything = snippets_text(page, record, tokens=10_000)
    some = snippets_text(page, record, tokens=400)
    assert everything.startswith(some)
    assert 1 <= some.count("### ") < everything.count("### ") == 10
    assert len(some) <= 400 * 4
    assert snippets_text(page, record, tokens=1).count("### ") == 1


@pytest.mark.requirement("R-12")
@pytest.mark.parametrize(
    ("stars", "snippets", "source", "state", "description", "expected"),
    [
        (0, 0, "local", "pending", "", 0.0),
        (9999, 1500, "github", "indexed", "x", 10.0),
        (10**9, 10**6, "github", "indexed", "x", 10.0),
        (99, 250, "local", "indexed", "", 3.5),
        (500, 700, "github", "error", "x", round(math.log10(501) + 1.4 + 2, 1)),
    ],
)
def test_trust_adds_stars_coverage_source_state_and_description(
    stars: int, snippets: int, source: str, state: str, description: str, expected: float
) -> None:
    facets: dict[str, str | int] = {"stars": stars, "source": source, "state": state}
    record = Record("/a/b", "library", fields={"description": description}, facets=facets)
    assert trust(record, snippets) == expected


@pytest.mark.requirement("R-13")
def test_trust_is_counted_anew_at_each_indexing(workspace: Workspace) -> None:
    before = library(workspace, ROCKET, "x", source="github")
    assert before.facets["trust"] == 2.0
    after = library(workspace, ROCKET, *["x"] * 100, stars=99, description="now described")
    assert after.facets["trust"] == 5.2


@pytest.mark.requirement("R-14")
def test_a_library_is_resolved_and_then_asked_by_its_id(rocket: Workspace) -> None:
    (match, *_) = rocket.resolve_library("rocket", "how to ignite the engine")
    assert "ignite(engine)" in rocket.query_docs(match.library.key, "how to ignite the engine")
