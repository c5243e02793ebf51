"""Does the page get the same answers as everyone else, and its own files as they are?"""

import re
from pathlib import Path

import pytest
from running_http import ELSEWHERE, calling
from starlette.testclient import TestClient

from dowse.app.workspace import Workspace
from dowse.shells.http.app import App, Serving
from dowse.shells.http.page.finding import COUNTED

STATIC = Path(__file__).resolve().parents[3] / "src" / "dowse" / "shells" / "http" / "page" / "static"


def marked(parts: list[list[object]]) -> list[object]:
    return [text for text, matched in parts if matched]


def test_the_page_ranks_as_every_other_shell(client: TestClient) -> None:
    shown = client.get("/page/search", params={"q": "how are retries capped"}).json()
    told = client.get("/api/search", params={"query": "how are retries capped", "limit": 20}).json()
    assert [(hit["key"], hit["score"]) for hit in shown["hits"]] == [(hit["key"], hit["score"]) for hit in told["hits"]]
    assert shown["total"] == told["total"]


def test_a_title_is_marked_where_the_words_of_the_excerpt_stand_in_it(client: TestClient) -> None:
    hits = {hit["key"]: hit for hit in client.get("/page/search", params={"q": "retries capped"}).json()["hits"]}
    assert marked(hits["task-17"]["title"]) == ["Cap", "retries"]
    assert marked(hits["retry-policy"]["excerpt"]["parts"])[:2] == ["retries", "capped"]


def test_each_hit_says_what_every_list_gave_it(client: TestClient) -> None:
    hit = client.get("/page/search", params={"q": "how are retries capped"}).json()["hits"][0]
    assert {"text", "vectors"} <= {item["name"] for item in hit["explain"]["lists"]}


def test_code_comes_as_coloured_lines_moved_to_the_left(client: TestClient, stored: Workspace) -> None:
    body = "if tide > mark:\n        harbour = nearest(tide)\n        sound_the_foghorn(harbour)\n"
    file = stored.put(kind="codefile", key="src/horn.py", title="horn.py", path="src/horn.py")
    stored.put(kind="symbol", key="horn", title="warn", parent=file.key, path="src/horn.py", body=f"    {body}", language="python")
    (hit,) = client.get("/page/search", params={"q": "sound_the_foghorn"}).json()["hits"]
    assert hit["excerpt"]["code"][0] == '<span class="k">if</span> tide &gt; mark:'
    assert hit["excerpt"]["code"][2].startswith("    ")
    assert "<mark>" in hit["excerpt"]["code"][2]


def test_what_is_filtered_by_is_counted_as_if_it_were_not(client: TestClient) -> None:
    free = client.get("/page/search", params={"q": "retry"}).json()["counts"]
    narrowed = client.get("/page/search", params={"q": "retry", "kind": "item"}).json()
    assert narrowed["counts"]["kind"] == free["kind"]
    assert narrowed["total"] == free["kind"]["item"]
    assert list(narrowed["counts"]) == [name for name in COUNTED if name in narrowed["counts"]]


def test_several_values_of_a_facet_mean_any_of_them(client: TestClient) -> None:
    asked = [("q", "retry"), ("kind", "item"), ("is.role", "work"), ("is.role", "blocked")]
    hits = client.get("/page/search", params=asked).json()["hits"]
    assert {hit["facets"]["role"] for hit in hits} == {"work", "blocked"}


def test_a_wrong_offset_is_refused_in_words(client: TestClient) -> None:
    answer = client.get("/page/search", params={"q": "retry", "offset": "-1"})
    assert answer.status_code == 400
    assert answer.json()["detail"] == "offset must be a whole number, not '-1'."


def test_why_not_answers_within_the_filters(client: TestClient) -> None:
    told = client.get("/page/why", params={"key": "task-17", "q": "retry", "kind": "page"}).json()
    assert not told["found"]
    assert "its kind is item, not page" in told["reason"]


def test_a_task_comes_with_the_tree_it_stands_in(client: TestClient) -> None:
    told = client.get("/page/record", params={"key": "task-18"}).json()
    assert [crumb["key"] for crumb in told["crumbs"]] == ["task-10", "task-17"]
    assert told["tree"]["key"] == "task-10"
    middle = next(item for item in told["tree"]["children"] if item["key"] == "task-17")
    assert "task-18" in [item["key"] for item in middle["children"]]


def test_lines_are_numbered_only_where_none_is_missing(client: TestClient, place: Path, stored: Workspace) -> None:
    project = place / "horn"
    project.mkdir()
    (project / "horn.py").write_text(
        "class Horn:\n    loud = True\n\n    def sound(self):\n        self.loud = 1\n        return self\n"
    )
    stored.index(project, jobs=1)
    method = client.get("/page/record", params={"key": "horn:horn.py#Horn.sound"}).json()["blocks"][0]
    assert (method["headLine"], method["start"]) == (4, 5)
    whole = client.get("/page/record", params={"key": "horn:horn.py#Horn"}).json()["blocks"][0]
    assert whole["start"] is None


def test_the_owner_at_this_machine_is_told_where_a_file_lies_and_nobody_else(place: Path, stored: Workspace) -> None:
    project = place / "horn"
    project.mkdir()
    (project / "horn.py").write_text("def sound():\n    return 1\n")
    stored.index(project, jobs=1)
    secret = stored.add_token("reader", capabilities=("SearchUse", "Read")).secret
    asked = {"key": "horn:horn.py#sound"}
    with calling(App(stored)) as client:
        assert client.get("/page/record", params=asked).json()["file"] == {
            "root": str(project),
            "project": "horn",
            "path": "horn.py",
            "line": 1,
        }
    with calling(App(stored, Serving(host="0.0.0.0")), ELSEWHERE, Authorization=f"Bearer {secret}") as client:
        assert client.get("/page/record", params=asked).json()["file"] is None


@pytest.mark.parametrize("path", ["../../etc/passwd", "/etc/passwd", "a/../../b"])
def test_a_path_that_leads_out_of_its_project_is_never_offered_to_an_editor(path: str, place: Path, stored: Workspace) -> None:
    project = place / "horn"
    project.mkdir()
    (project / "horn.py").write_text("def sound():\n    return 1\n")
    stored.index(project, jobs=1)
    stored.put(kind="file", key="astray", title="astray", path=path, space="horn")
    with calling(App(stored)) as client:
        assert client.get("/page/record", params={"key": "astray"}).json()["file"] is None


def test_a_neighbourhood_names_what_ties_its_records_together(client: TestClient) -> None:
    told = client.get("/page/around", params={"key": "task-17"}).json()
    ties = [(edge["source"], edge["target"], edge["kind"]) for edge in told["edges"]]
    assert ("task-17", "task-18", "blocks") in ties
    assert ("task-10", "task-17", "holds") in ties
    assert {key for source, target, _ in ties for key in (source, target)} <= {node["key"] for node in told["nodes"]}
    assert told["nodes"][0] == {**told["nodes"][0], "key": "task-17", "distance": 0}


def test_a_crowded_neighbourhood_is_cut_and_every_kind_of_link_keeps_a_place(client: TestClient, stored: Workspace) -> None:
    for number in range(80):
        stored.put(kind="page", key=f"caller-{number:02}", title=f"Caller {number}")
        stored.link(f"caller-{number:02}", "retry-policy", "relates_to")
    told = client.get("/page/around", params={"key": "retry-policy"}).json()
    assert len(told["nodes"]) == 40
    assert told["total"] > 80
    assert {"links_to", "relates_to"} <= {edge["kind"] for edge in told["edges"]}


def test_links_are_told_apart_by_their_direction(client: TestClient) -> None:
    told = client.get("/page/links", params={"key": "retry-policy"}).json()
    assert "home" in [item["key"] for item in told["backlinks"]]
    assert [item["key"] for item in told["links"]] == ["incident-2031-02-11"]
    assert told["similar"]


def test_the_start_tells_what_is_here_and_asks_what_has_an_answer(client: TestClient) -> None:
    told = client.get("/page/overview").json()
    assert told["status"]["records"]["item"] == 9
    for example in told["examples"]:
        assert client.get("/page/search", params={"q": example}).json()["total"] > 0


@pytest.mark.parametrize(
    "path", ["/page/search?q=retry", "/page/record?key=task-17", "/page/around?key=task-17", "/page/overview", "/page/health"]
)
def test_no_answer_leaves_without_a_token_off_this_machine(path: str, stored: Workspace) -> None:
    with calling(App(stored, Serving(host="0.0.0.0")), ELSEWHERE) as client:
        assert client.get(path).status_code == 401
        assert client.get("/").status_code == 200


def test_a_token_of_one_space_sees_that_space_alone(stored: Workspace) -> None:
    stored.put(kind="page", title="Hidden retries", content="Retries that nobody may see.", space="hidden")
    secret = stored.add_token("reader", capabilities=("SearchUse", "Read"), spaces=("saltmarsh",)).secret
    with calling(App(stored, Serving(host="0.0.0.0")), ELSEWHERE, Authorization=f"Bearer {secret}") as client:
        told = client.get("/page/search", params={"q": "retries"}).json()
        assert list(told["counts"]["space"]) == ["saltmarsh"]
        assert {hit["space"] for hit in told["hits"]} == {"saltmarsh"}
        assert client.get("/page/record", params={"key": "hidden-retries"}).status_code == 404
        assert client.get("/page/around", params={"key": "hidden-retries"}).status_code == 404
        recent = client.get("/page/overview").json()["recent"]
        assert {item["space"] for item in recent} == {"saltmarsh"}


def test_a_file_the_browser_has_is_not_sent_again(client: TestClient) -> None:
    first = client.get("/page/static/main.js")
    assert first.headers["content-type"].startswith("text/javascript")
    again = client.get("/page/static/main.js", headers={"If-None-Match": first.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")


@pytest.mark.parametrize("name", ["nothing.js", "..%2froutes.py", "%2e%2e%2froutes.py", "__init__.py"])
def test_no_file_but_the_pages_own_is_sent(client: TestClient, name: str) -> None:
    assert client.get(f"/page/static/{name}").status_code == 404


def test_the_page_is_small_and_names_no_other_server() -> None:
    texts = {path.name: path.read_text(encoding="utf-8") for path in sorted(STATIC.iterdir())}
    assert sum(len(text.encode()) for text in texts.values()) < 120_000
    for name, text in texts.items():
        # A namespace is a name that looks like an address.
        assert re.findall(r"https?://(?!www\.w3\.org/2000/svg)[^\s\"']+", text) == [], name
        assert re.findall(r"(?:\son\w+=|\sstyle=|<style|javascript:)", text if name.endswith(".html") else "") == [], name


def test_every_script_says_in_one_sentence_what_it_answers() -> None:
    for path in sorted(STATIC.glob("*.js")):
        assert re.match(r"// .+[?].*[.]?\n", path.read_text(encoding="utf-8")), path.name
        assert len(path.read_text(encoding="utf-8").splitlines()) <= 250, path.name
