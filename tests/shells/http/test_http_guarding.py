"""Who gets in, from where, with what? Everyone else is refused before anything is read."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from every_operation import CALLS
from running_http import ELSEWHERE, HERE, Clock, calling
from starlette.testclient import TestClient

from dowse.app.workspace import Workspace
from dowse.shells.http.app import App, Serving
from dowse.shells.http.guarding import is_guarded
from dowse.shells.http.limits import Limits
from dowse.shells.http.routing import ENDPOINTS


@pytest.fixture
def public(stored: Workspace, place: Path) -> Iterator[TestClient]:
    """Someone far away, who says nothing of themselves, at a server that others can reach."""
    with calling(App(stored, Serving(host="192.0.2.1", roots=(place,))), ELSEWHERE) as made:
        yield made


def bearer(secret: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {secret}"}


def test_whoever_sits_at_this_machine_needs_nothing(client: TestClient) -> None:
    assert client.get("/api/status").status_code == 200


@pytest.mark.parametrize("endpoint", ENDPOINTS.values(), ids=lambda found: found.operation.name)
def test_no_operation_answers_elsewhere_without_a_token(public: TestClient, endpoint: object) -> None:
    path, methods = getattr(endpoint, "path"), getattr(endpoint, "methods")  # noqa: B009
    for method in methods:
        response = public.request(method, path)
        assert response.status_code == 401
        assert response.headers["WWW-Authenticate"].startswith("Bearer")


@pytest.mark.parametrize("path", ["/metrics", "/api", "/api/openapi.json", "/api/jobs", "/api/events", "/mcp", "/page/search?q=x"])
def test_nothing_that_tells_of_the_workspace_answers_elsewhere_without_a_token(public: TestClient, path: str) -> None:
    assert public.get(path).status_code == 401


@pytest.mark.parametrize("path", ["/health", "/ready", "/"])
def test_whether_the_server_lives_and_the_page_itself_are_for_everyone(public: TestClient, path: str) -> None:
    assert public.get(path).status_code == 200


def test_a_server_that_others_can_reach_wants_a_token_from_this_machine_too(stored: Workspace) -> None:
    """What comes from this machine may have been passed on for someone far away."""
    with calling(App(stored, Serving(host="0.0.0.0")), HERE) as client:
        assert client.get("/api/status").status_code == 401


def test_a_server_of_this_machine_alone_wants_a_token_from_anyone_else(stored: Workspace) -> None:
    with calling(App(stored), ELSEWHERE) as client:
        assert client.get("/api/status").status_code == 401


def test_a_forwarded_address_does_not_make_anyone_local(public: TestClient) -> None:
    forged = {"X-Forwarded-For": HERE, "Forwarded": f"for={HERE}", "X-Real-IP": HERE}
    assert public.get("/api/status", headers=forged).status_code == 401


def test_a_good_token_lets_its_holder_in(public: TestClient, stored: Workspace) -> None:
    secret = stored.add_token("laptop").secret
    assert public.get("/api/search", params={"query": "retries"}, headers=bearer(secret)).status_code == 200


def test_a_wrong_token_is_refused_here_and_elsewhere(public: TestClient, client: TestClient) -> None:
    for caller in (public, client):
        response = caller.get("/api/status", headers=bearer("dowse_wrong"))
        assert response.status_code == 401
        assert "invalid_token" in response.headers["WWW-Authenticate"]
        assert response.headers["Content-Type"] == "application/problem+json"


def test_another_scheme_is_no_token(public: TestClient) -> None:
    assert public.get("/api/status", headers={"Authorization": "Basic YTpi"}).status_code == 401


def test_a_revoked_token_is_worthless_at_once(public: TestClient, stored: Workspace) -> None:
    made = stored.add_token("laptop")
    assert public.get("/api/status", headers=bearer(made.secret)).status_code == 200
    stored.revoke_token("laptop")
    assert public.get("/api/status", headers=bearer(made.secret)).status_code == 401


def test_a_capability_that_a_token_lacks_is_refused_and_named(public: TestClient, stored: Workspace) -> None:
    secret = stored.add_token("reader").secret
    response = public.post("/api/put", json={"kind": "page", "title": "Tides"}, headers=bearer(secret))
    assert response.status_code == 403
    assert response.json()["code"] == "forbidden"
    assert "Write" in response.json()["detail"]


def test_a_token_shows_its_holder_only_its_part_of_the_workspace(public: TestClient, stored: Workspace) -> None:
    secret = stored.add_token("docs", spaces=("/saltmarsh/tidekit@v1",)).secret
    found = public.get("/api/search", params={"query": "retries", "limit": 100}, headers=bearer(secret)).json()
    assert {hit["space"] for hit in found["hits"]} == {"/saltmarsh/tidekit@v1"}
    assert public.get("/api/get", params={"key": "task-17"}, headers=bearer(secret)).status_code == 404


@pytest.mark.parametrize("name", CALLS)
def test_no_operation_tells_the_holder_of_a_part_about_the_rest(name: str, public: TestClient, stored: Workspace) -> None:
    """The record that carries the word is outside; whatever is asked, the word does not come back."""
    stored.put(kind="page", key="hidden-page", title="Quicksilver", content="quicksilver retries")
    secret = stored.add_token("part", capabilities=("SearchUse", "Read"), spaces=("/saltmarsh/tidekit@v1",)).secret
    endpoint = ENDPOINTS[f"/api/{name.replace('_', '-')}"]
    keys = {item.name for item in endpoint.operation.parameters if item.name in ("key", "under", "source", "target", "library")}
    for values in CALLS[name]:
        asked = {**values, **dict.fromkeys(keys, "hidden-page")}
        if endpoint.takes is not None:
            response = public.post(endpoint.path, content=b"{}", headers={**bearer(secret), "Content-Type": "application/x-ndjson"})
        else:
            response = public.post(endpoint.path, json=asked, headers=bearer(secret))
        assert "uicksilver" not in response.text
        assert response.status_code in (200, 400, 403, 404), response.text


@pytest.mark.parametrize("host", ["evil.example", "evil.example:80", "localhost.evil.example", "127.0.0.1.evil.example", ""])
def test_a_name_that_is_not_the_servers_is_refused(client: TestClient, host: str) -> None:
    response = client.get("/api/status", headers={"Host": host})
    assert response.status_code == 421
    assert response.json()["code"] == "unknown_host"


@pytest.mark.parametrize("host", ["localhost", "localhost:3697", "127.0.0.1:1", "[::1]:3697", "LOCALHOST"])
def test_the_names_of_this_machine_are_the_servers(client: TestClient, host: str) -> None:
    assert client.get("/api/status", headers={"Host": host}).status_code == 200


def test_a_name_that_was_allowed_is_the_servers(stored: Workspace) -> None:
    with calling(App(stored, Serving(hosts=("search.example.org",)))) as client:
        assert client.get("/api/status", headers={"Host": "search.example.org"}).status_code == 200


@pytest.mark.parametrize("origin", ["http://evil.example", "null", "http://localhost:8080", "https://evil.example:80"])
def test_the_page_of_another_origin_may_not_call(client: TestClient, origin: str) -> None:
    response = client.post("/api/delete", json={"key": "task-30"}, headers={"Origin": origin})
    assert response.status_code == 403
    assert "Access-Control-Allow-Origin" not in response.headers
    assert client.get("/api/get", params={"key": "task-30"}).json()["deleted"] is False


def test_the_servers_own_page_may_call(client: TestClient) -> None:
    assert client.get("/api/status", headers={"Origin": "http://localhost", "Sec-Fetch-Site": "same-origin"}).status_code == 200


@pytest.mark.parametrize("site", ["cross-site", "same-site"])
def test_a_request_that_another_sites_page_sends_without_saying_so_is_refused(client: TestClient, site: str) -> None:
    sent = {"Sec-Fetch-Site": site, "Sec-Fetch-Mode": "no-cors"}
    assert client.get("/api/status", headers=sent).status_code == 403
    assert client.get("/", headers=sent).status_code == 403


def test_a_link_may_lead_to_the_page_but_not_into_the_api(client: TestClient) -> None:
    visiting = {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate"}
    assert client.get("/", headers=visiting).status_code == 200
    assert client.get("/api/status", headers=visiting).status_code == 403


def test_an_origin_that_was_allowed_may_call_and_read(stored: Workspace) -> None:
    with calling(App(stored, Serving(origins=("https://wiki.example.org",)))) as client:
        asked = {"Origin": "https://wiki.example.org", "Access-Control-Request-Method": "POST", "Sec-Fetch-Site": "cross-site"}
        before = client.options("/api/search", headers=asked)
        assert before.status_code == 204
        assert "Authorization" in before.headers["Access-Control-Allow-Headers"]
        response = client.get("/api/status", headers={"Origin": "https://wiki.example.org"})
        assert response.headers["Access-Control-Allow-Origin"] == "https://wiki.example.org"
        assert "Origin" in response.headers["Vary"]
        assert client.options("/api/search", headers={**asked, "Origin": "https://evil.example"}).status_code == 403


def test_a_body_that_is_too_large_is_refused_by_what_it_says_and_by_what_comes(stored: Workspace) -> None:
    with calling(App(stored, Serving(limits=Limits(json_bytes=100, file_bytes=200)))) as client:
        json, lines = {"Content-Type": "application/json"}, {"Content-Type": "application/x-ndjson"}
        assert client.post("/api/search", json={"query": "x" * 100}).status_code == 413
        assert client.post("/api/search", content=iter([b"x" * 60, b"x" * 60]), headers=json).status_code == 413
        assert client.post("/api/import", content=b"x" * 201, headers=lines).status_code == 413
        assert client.post("/api/import", content=iter([b"x" * 150, b"x" * 150]), headers=lines).status_code == 413
        refused = client.post("/mcp", content=b"x" * 101, headers=json)
        assert refused.json()["code"] == "too_large"


def test_an_address_that_is_too_long_is_refused_with_the_way_out(client: TestClient) -> None:
    response = client.get("/api/search", params={"query": "x" * 40_000})
    assert response.status_code == 414
    assert "POST" in response.json()["detail"]


def test_a_length_that_is_no_number_is_refused(client: TestClient) -> None:
    assert client.post("/api/search", content=b"", headers={"Content-Length": "-1"}).status_code == 400


def test_a_caller_who_asks_too_often_is_told_when_to_come_back(stored: Workspace) -> None:
    clock = Clock()
    limits = Limits(rate=2, burst=3)
    secret = stored.add_token("busy").secret
    with calling(App(stored, Serving(host="192.0.2.1", limits=limits, clock=clock)), ELSEWHERE, **bearer(secret)) as client:
        assert [client.get("/api/status").status_code for _ in range(4)] == [200, 200, 200, 429]
        assert client.get("/api/status").headers["Retry-After"] == "1"
        clock.advance(1)
        assert [client.get("/api/status").status_code for _ in range(3)] == [200, 200, 429]


def test_the_owner_at_this_machine_may_ask_as_often_as_they_like(stored: Workspace) -> None:
    with calling(App(stored, Serving(limits=Limits(rate=1, burst=1), clock=Clock()))) as client:
        assert {client.get("/api/kinds").status_code for _ in range(5)} == {200}


def test_whoever_guesses_tokens_is_soon_not_listened_to_while_the_right_one_still_works(stored: Workspace) -> None:
    limits = Limits(wrong_rate=0.1, wrong_burst=3)
    good, other = stored.add_token("good").secret, stored.add_token("other").secret
    clock = Clock()
    with calling(App(stored, Serving(host="192.0.2.1", limits=limits, clock=clock)), ELSEWHERE) as client:
        assert client.get("/api/status", headers=bearer(good)).status_code == 200
        guesses = [client.get("/api/status", headers=bearer(f"dowse_{number}")) for number in range(5)]
        assert [response.status_code for response in guesses] == [401, 401, 401, 429, 429]
        assert guesses[-1].headers["Retry-After"] == "10"
        # Not even looked at, until the address has been quiet; but one that was right before stays right.
        assert client.get("/api/status", headers=bearer(other)).status_code == 429
        assert client.get("/api/status", headers=bearer(good)).status_code == 200
        clock.advance(10)
        assert client.get("/api/status", headers=bearer(other)).status_code == 200


@pytest.mark.parametrize("folder", ["/etc", "..", "project/../..", "~", "/", "project/link"])
def test_a_folder_outside_the_roots_is_never_read(client: TestClient, place: Path, folder: str) -> None:
    (place / "project" / "link").symlink_to("/etc")
    response = client.post("/api/index", json={"folder": folder})
    assert response.status_code == 403, response.text
    assert client.get("/api/projects").json() == []


@pytest.mark.parametrize("source", ["/etc", "../..", "file:/etc", "git:/etc", "https://example.org/llms.txt"])
def test_a_library_from_outside_the_roots_is_never_read(client: TestClient, source: str) -> None:
    response = client.post("/api/library-add", json={"source": source})
    assert response.status_code in (400, 403, 404), response.text
    assert not any(item["origin"] for item in client.get("/api/library-list").json())


def test_without_roots_only_the_projects_of_the_workspace_may_be_named(stored: Workspace, place: Path) -> None:
    stored.index(place / "project", jobs=1)
    (place / "other").mkdir()
    with calling(App(stored)) as client:
        assert client.post("/api/index", json={"folder": str(place / "project"), "jobs": 1}).status_code == 200
        assert client.post("/api/index", json={"folder": str(place / "other")}).status_code == 403


def test_an_import_names_no_file_of_the_server(client: TestClient) -> None:
    response = client.post(
        "/api/import", params={"path": "/etc/passwd"}, content=b"", headers={"Content-Type": "application/x-ndjson"}
    )
    assert response.status_code == 400
    assert client.post("/api/import", json={"path": "/etc/passwd"}).status_code == 415


@pytest.mark.parametrize(
    "path", ["/page/static/..%2f..%2fapp.py", "/page/static/../../app.py", "/..%2f..%2fetc/passwd", "/page/static/%2e%2e/routes.py"]
)
def test_no_static_path_leads_out_of_the_page(client: TestClient, path: str) -> None:
    assert client.get(path).status_code in (401, 404)


def test_only_the_files_of_the_page_are_open() -> None:
    assert not is_guarded("/")
    assert not is_guarded("/page/static/page.js")
    assert is_guarded("/page/search")
    assert is_guarded("/api")
    assert is_guarded("/metrics")
    assert not is_guarded("/apiary")


def test_every_answer_keeps_browsers_careful(client: TestClient) -> None:
    for path in ("/", "/api/status", "/api/nothing", "/health"):
        headers = client.get(path).headers
        assert headers["X-Content-Type-Options"] == "nosniff"
        assert headers["Referrer-Policy"] == "no-referrer"
        assert headers["Cross-Origin-Opener-Policy"] == "same-origin"
        assert headers["Cross-Origin-Resource-Policy"] == "same-origin"
        assert "default-src 'none'" in headers["Content-Security-Policy"]
        assert "frame-ancestors 'none'" in headers["Content-Security-Policy"]
