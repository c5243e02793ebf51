"""The JSON of every surface, as its own callers know it."""

from typing import Any

import pytest
from running_cli import Cli

from dowse.domains.everything import SURFACES

pytestmark = pytest.mark.usefixtures("sample")


def keys(answer: Any) -> list[str]:
    return list(answer)


@pytest.mark.requirement("T-19")
def test_items_answer_in_the_shape_of_query_items(cli: Cli) -> None:
    answer = cli("search", "provider", "--surface", "items", "--json").json
    assert keys(answer)[:4] == ["hits", "totalHits", "nextOffset", "truncated"]
    assert answer["totalHits"] == 1
    assert answer["nextOffset"] is None
    hit = answer["hits"][0]
    assert keys(hit) == ["kind", "itemId", "title", "field", "snippet", "score", "matchedIn"]
    assert (hit["kind"], hit["itemId"], hit["field"]) == ("item", "task-17", "summary")
    assert hit["title"] == "Cap the retries of the courier"
    assert hit["snippet"] == "Retries run forever when the message <mark>provider</mark> is down."
    assert hit["matchedIn"] == ["trigram", "text"]


@pytest.mark.requirement("T-20")
def test_note_hits_add_the_key_of_the_note(cli: Cli) -> None:
    hit = cli("search", "jitter", "--surface", "notes", "--json").json["hits"][0]
    assert keys(hit) == ["kind", "itemId", "title", "noteKey", "field", "snippet", "score", "matchedIn"]
    assert (hit["kind"], hit["itemId"], hit["noteKey"], hit["field"]) == ("note", "task-17", "plan", "body")
    assert "<mark>jitter</mark>" in hit["snippet"]


@pytest.mark.requirement("T-25")
def test_explain_adds_what_each_list_said(cli: Cli) -> None:
    hit = cli("search", "provider", "--surface", "items", "--explain", "--json").json["hits"][0]
    explain = hit["explain"]
    assert set(explain) == {"trigramRank", "trigramPosition", "textRank", "textPosition", "rrfK"}
    assert explain["textRank"] < 0
    assert (explain["textPosition"], explain["rrfK"]) == (1, 60)


@pytest.mark.requirement("T-24")
def test_walking_the_pages_gives_every_match_exactly_once(cli: Cli) -> None:
    seen: list[str] = []
    offset: int | None = 0
    while offset is not None:
        answer = cli(
            "search", "the", "--surface", "items", "--mode", "substring", "--limit", "2", "--offset", str(offset), "--json"
        ).json
        seen += [hit["itemId"] for hit in answer["hits"]]
        offset = answer["nextOffset"]
    assert len(seen) == len(set(seen)) == answer["totalHits"] > 2


@pytest.mark.requirement("R-02")
def test_docs_answer_with_the_snippet_its_score_and_its_library(cli: Cli) -> None:
    answer = cli("search", "silent", "--surface", "docs", "--param", "repositoryId=/saltmarsh/tidekit", "--json").json
    assert keys(answer[0]) == ["snippet", "score", "repository"]
    assert answer[0]["snippet"]["title"] == "When a gauge is silent"
    assert answer[0]["snippet"]["facets"] == {"type": "info", "version": "v2"}
    assert answer[0]["repository"] == {"id": "/saltmarsh/tidekit", "title": "Tidekit"}


@pytest.mark.requirement("B-08")
def test_architecture_answers_with_nodes_and_a_rank_where_lower_is_better(cli: Cli) -> None:
    answer = cli("search", "checksum", "--surface", "architecture", "--json").json
    assert keys(answer[0]) == ["ref_id", "kind", "summary", "snippet", "rank"]
    assert (answer[0]["ref_id"], answer[0]["kind"]) == ("service.gauge-gateway", "service")
    assert "<b>checksum</b>" in answer[0]["snippet"]
    assert answer[0]["rank"] < 0


@pytest.mark.requirement("B-11")
def test_architecture_is_searched_with_kind_limit_json_and_project(cli: Cli, tmp_path: Any) -> None:
    ran = cli(
        "search", "gauge", "--surface", "architecture", "--kind", "entity", "--limit", "1", "--json", "--project", str(tmp_path)
    )
    assert [hit["ref_id"] for hit in ran.json] == ["entity.gauge"]


@pytest.mark.requirement("B-05")
def test_an_empty_query_is_an_empty_list_on_architecture(cli: Cli) -> None:
    assert cli("search", "", "--surface", "architecture", "--json").json == []


def test_pages_answer_with_results_and_warnings(cli: Cli) -> None:
    answer = cli("search", "handbook", "--surface", "pages", "--json").json
    assert keys(answer) == ["results", "total", "intent", "warnings"]
    assert keys(answer["results"][0]) == ["id", "title", "slug", "tags", "snippet", "score", "matchedIn"]


@pytest.mark.parametrize(
    ("surface", "query", "first"),
    [
        ("docs_search", "surge", "docs/forecasting.md#surge"),
        ("code_search", "blend_surge", "src/saltmarsh/forecast.py::blend_surge"),
        ("notes_search", "drift", "know-gauge-clocks"),
        ("tasks_search", "retry budget", "task-18"),
        ("skills_search", "calibrate", "skill-add-gauge"),
        ("skills_recall", "calibrate", "skill-add-gauge"),
        ("code_search_files", "backoff.py", "src/saltmarsh/backoff.py"),
        ("docs_search_files", "forecasting.md", "docs/forecasting.md"),
        ("files_search", "nextHighWater.ts", "file:portal/src/nextHighWater.ts"),
    ],
)
@pytest.mark.requirement("G-16")
def test_each_graph_answers_with_a_bare_list(cli: Cli, surface: str, query: str, first: str) -> None:
    answer = cli("search", query, "--surface", surface, "--json").json
    assert answer[0]["id"] == first
    assert keys(answer[0]) in (["id", "kind", "title", "path", "snippet", "score"], ["id", "kind", "title", "snippet", "score"])


def test_a_neighbour_says_how_it_was_reached(cli: Cli) -> None:
    answer = cli("search", "deliver", "--surface", "code_search", "--json").json
    reached = next(hit for hit in answer if "via" in hit)
    assert reached["id"] == "src/saltmarsh/backoff.py::capped_backoff"
    assert [keys(step) for step in reached["via"]] == [["kind", "from", "to", "forward"]]


@pytest.mark.requirement("U-01", "U-05")
def test_everything_answers_with_all_kinds_and_says_how_it_came_about(cli: Cli) -> None:
    answer = cli("search", "retry", "--json").json
    assert keys(answer) == [
        *("hits", "total", "offset", "nextOffset", "relaxed", "truncated"),
        *("intent", "lists", "degraded", "ignored", "corrected", "generation", "updated"),
    ]
    assert {"item", "page", "snippet"} <= {hit["kind"] for hit in answer["hits"]}
    assert keys(answer["hits"][0])[:5] == ["rank", "key", "kind", "space", "title"]


def test_every_surface_can_be_searched_from_the_command_line(cli: Cli) -> None:
    for name in SURFACES:
        needed = ("--param", "repositoryId=/saltmarsh/tidekit") if name == "docs" else ()
        assert cli("search", "gauge", "--surface", name, "--json", *needed).code == 0, name
