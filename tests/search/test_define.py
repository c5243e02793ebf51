"""Does who types a name find the thing that is called so?"""

from typing import Any

import pytest
from reasoning import reasons

from dowse.app.workspace import Workspace
from dowse.model.page import Hit


def symbol(workspace: Workspace, key: str, title: str, kind: str, body: str = "", **more: Any) -> None:
    workspace.put(kind="symbol", key=key, title=title, symbolKind=kind, body=body, **more)


def found(workspace: Workspace, query: str, **parameters: Any) -> dict[str, Hit]:
    return {hit.record.key: hit for hit in workspace.search(query, explain=True, **parameters).hits}


def why(hit: Hit) -> list[str]:
    return [signal.name for signal in reasons(hit)]


def test_a_class_that_is_called_as_the_query_stands_first(by_words: Workspace) -> None:
    symbol(by_words, "use", "open_session", "function", "session = Session(); return session")
    by_words.put(kind="page", key="page", title="Session and session", content="Session, session and session.")
    symbol(by_words, "own", "Session", "class", "holds what a visitor did, for as long as it takes to be forgotten. " * 9)
    hits = found(by_words, "Session")
    assert next(iter(hits)) == "own"
    assert why(hits["own"]) == ["called so", "a type called so"]
    assert why(hits["use"]) == why(hits["page"]) == []


@pytest.mark.parametrize(("typed", "first"), [("Session", "upper"), ("session", "lower")])
def test_the_case_that_was_typed_stands_before_the_other(by_words: Workspace, typed: str, first: str) -> None:
    symbol(by_words, "upper", "Session", "function")
    symbol(by_words, "lower", "session", "function")
    hits = found(by_words, typed)
    assert next(iter(hits)) == first
    assert [why(hit) for hit in hits.values()] == [["called so"], ["called so"]]


@pytest.mark.parametrize("kind", ["class", "interface", "type", "enum", "module"])
def test_a_type_stands_before_a_function_of_its_name(by_words: Workspace, kind: str) -> None:
    symbol(by_words, "a", "Session", "function")
    symbol(by_words, "b", "Session", kind)
    assert list(found(by_words, "Session")) == ["b", "a"]


@pytest.mark.parametrize("query", ["Store.Session", "store::Session", "Session()", "`Session`", "(Session)"])
def test_what_qualifies_a_name_and_stands_around_it_does_not_hide_it(by_words: Workspace, query: str) -> None:
    symbol(by_words, "own", "Session", "class")
    assert why(found(by_words, query)["own"])[0] == "called so"


@pytest.mark.parametrize(
    "question",
    ["how does the Session class forget a visitor", "when does `Session` forget a visitor", "who calls Session() for a visitor"],
)
def test_a_name_in_a_question_helps_what_is_called_so(by_words: Workspace, question: str) -> None:
    symbol(by_words, "own", "Session", "class", "forget the visitor")
    symbol(by_words, "other", "Sessions", "class", "forget the visitor")
    hits = found(by_words, question)
    assert next(iter(hits)) == "own"
    assert "called so" in why(hits["own"])
    assert why(hits["other"]) == []


def test_a_name_counts_less_in_a_question_than_alone(by_words: Workspace) -> None:
    symbol(by_words, "own", "open_gate", "function")
    alone, asked = (reasons(found(by_words, query)["own"])[0] for query in ("open_gate", "what does open_gate do"))
    assert alone.name == asked.name == "called so"
    assert 0 < asked.added < alone.added


def test_plain_words_of_a_question_name_nothing(by_words: Workspace) -> None:
    symbol(by_words, "own", "session", "function", "forget a visitor")
    assert why(found(by_words, "how does a session forget a visitor")["own"]) == []


def test_a_thing_that_is_called_so_does_not_appear_out_of_scope(by_words: Workspace) -> None:
    symbol(by_words, "own", "Session", "class", space="north")
    symbol(by_words, "other", "use", "function", "Session", space="south")
    assert list(found(by_words, "Session", spaces=["south"])) == ["other"]
    by_words.delete("own")
    assert list(found(by_words, "Session")) == ["other"]


def test_a_text_that_defines_the_name_rises_over_texts_that_use_it(by_words: Workspace) -> None:
    by_words.put(kind="knowledge", key="use", content="let entry = Log::new(); // append an entry to the Log struct")
    by_words.put(kind="knowledge", key="own", content="pub struct Log { entries } // append an entry here, or more of them")
    hits = found(by_words, "how does the Log struct append an entry")
    assert list(hits) == ["own", "use"]
    assert (why(hits["own"]), why(hits["use"])) == (["defines it"], [])


def test_who_types_the_name_alone_gets_no_text_for_defining_it(by_words: Workspace) -> None:
    by_words.put(kind="knowledge", key="own", title="", content="pub struct Log {}")
    assert why(found(by_words, "Log")["own"]) == []


def test_a_file_called_as_the_query_lifts_what_is_in_it(by_words: Workspace) -> None:
    for key, path in (("a", "src/depot.py"), ("b", "src/retry_policy.py")):
        by_words.put(kind="codefile", key=path, title=path.rpartition("/")[2], path=path)
        symbol(by_words, key, "wait", "function", "what the policy says of each retry", parent=path)
    hits = found(by_words, "retry policy", kinds=["symbol"])
    assert list(hits) == ["b", "a"]
    assert (why(hits["b"]), why(hits["a"])) == (["file called so"], [])


def test_half_the_name_of_a_file_lifts_less_than_half_as_much(by_words: Workspace) -> None:
    path = "src/retry_policy.py"
    by_words.put(kind="codefile", key=path, title="retry_policy.py", path=path)
    symbol(by_words, "a", "wait", "function", "what the policy says of each retry and of when", parent=path)
    whole, half = (reasons(found(by_words, query, kinds=["symbol"])["a"])[0] for query in ("retry policy", "retry when"))
    assert 0 < half.added < whole.added / 2


STEPS = "Steps: start the depot, send each parcel twice, wait for the courier; the second one is refused, sometimes both are"


def test_of_a_report_only_the_headline_names_a_file(by_words: Workspace) -> None:
    for key, path in (("a", "src/depot.py"), ("b", "src/retry_policy.py")):
        by_words.put(kind="codefile", key=path, title=path.rpartition("/")[2], path=path)
        symbol(by_words, key, "wait", "function", "what the depot and the policy say of each retry", parent=path)
    hits = found(by_words, f"No retry whatever the policy\n\n{STEPS}", kinds=["symbol"])
    assert (why(hits["b"]), why(hits["a"])) == (["file called so"], [])


def test_the_more_words_a_text_has_the_less_it_tells_that_a_files_name_is_among_them(by_words: Workspace) -> None:
    by_words.put(kind="codefile", key="src/depot.py", title="depot.py", path="src/depot.py")
    symbol(by_words, "a", "wait", "function", "what the depot says of each parcel", parent="src/depot.py")
    short, long, longer = (
        reasons(found(by_words, query, kinds=["symbol"])["a"])[0].added
        for query in ("depot parcel", STEPS, f"{STEPS}, and nobody at the harbour office knows why that happens")
    )
    assert short > long > longer > 0


def test_files_that_are_called_after_their_place_are_known_by_their_folder(by_words: Workspace) -> None:
    path = "src/retries/__init__.py"
    by_words.put(kind="codefile", key=f"code:{path}", title=path, path=path)
    symbol(by_words, "a", "wait", "function", "each retry", parent=f"code:{path}")
    assert why(found(by_words, "retry", kinds=["symbol"])["a"]) == ["file called so"]


@pytest.mark.parametrize("query", ["cap retries test", "tests that cap retries", "spec cap retries"])
def test_tests_stand_back_unless_they_are_asked_for(by_words: Workspace, query: str) -> None:
    body = "spec tests: cap retries"
    symbol(by_words, "test", "check", "function", body, test=True)
    symbol(by_words, "own", "wait", "function", "how we cap retries: spec of a test we lack", test=False)
    hits = found(by_words, "cap retries")
    assert (list(hits), why(hits["test"])) == (["own", "test"], ["test"])
    asked = found(by_words, query)
    assert (next(iter(asked)), why(asked["test"])) == ("test", [])


def test_a_test_that_is_called_so_stands_back_with_all_it_gained(by_words: Workspace) -> None:
    symbol(by_words, "a", "Session", "function", test=True)
    symbol(by_words, "b", "Session", "function", test=False)
    hits = found(by_words, "Session")
    assert why(hits["a"]) == ["called so", "test"]
    assert hits["a"].score == pytest.approx(hits["b"].score * hits["a"].signals[-1].factor)


def test_generated_files_stand_back_unless_they_are_asked_for(by_words: Workspace) -> None:
    for key, generated in (("a", True), ("b", False)):
        by_words.put(kind="codefile", key=key, title="x.py", path="x.py", exports="cap retries generated", generated=generated)
    assert list(found(by_words, "cap retries")) == ["b", "a"]
    assert list(found(by_words, "generated cap retries")) == ["a", "b"]


def test_files_that_only_pass_on_stand_back_unless_exports_are_asked_for(by_words: Workspace) -> None:
    for key, reexports in (("a", True), ("b", False)):
        by_words.put(kind="codefile", key=key, title="x.py", path="x.py", exports="cap retries exports", reexports=reexports)
    assert list(found(by_words, "cap retries")) == ["b", "a"]
    assert list(found(by_words, "exports cap retries")) == ["a", "b"]
