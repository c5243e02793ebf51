"""The architecture graph, as a user of that surface sees it."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from dowse.app.workspace import Workspace
from dowse.domains.everything import SCHEMA
from dowse.engines.sqlite.driver import connect
from dowse.engines.sqlite.engine import SqliteEngine
from dowse.errors import InvalidRequest
from dowse.model.request import Lane, ListPlan, Scope
from dowse.model.terms import Query, Term
from dowse.present.shape import shape

Found = Callable[..., list[str]]
Answered = Callable[..., Any]


def node(workspace: Workspace, key: str, summary: str = "", kind: str = "service") -> None:
    workspace.put(kind="node", key=key, summary=summary, facets={"kind": kind})


def chunk(workspace: Workspace, parent: str, content: str) -> str:
    return workspace.put(kind="chunk", parent=parent, content=content).key


class Untouchable(SqliteEngine):
    """An engine that must not be read."""

    @contextmanager
    def view(self) -> Iterator[Any]:
        raise AssertionError("the database was touched")
        yield


@pytest.mark.requirement("B-01")
@pytest.mark.parametrize("query", ["billing", "service.billing", "invoices"])
def test_a_node_without_documents_is_found_by_id_and_summary(workspace: Workspace, found: Found, query: str) -> None:
    node(workspace, "service.billing", "Writes invoices")
    node(workspace, "service.mail", "Sends letters")
    assert found(query, "architecture")[0] == "service.billing"


@pytest.mark.requirement("B-02")
def test_a_node_is_found_once_through_its_chunks_and_the_hit_names_the_node(workspace: Workspace, answered: Answered) -> None:
    node(workspace, "service.billing", "Writes invoices")
    chunk(workspace, "service.billing", "Ledger entries are immutable.")
    chunk(workspace, "service.billing", "The ledger is closed monthly.")
    (hit,) = answered("ledger", "architecture")
    assert (hit["ref_id"], hit["summary"]) == ("service.billing", "Writes invoices")
    assert "<b>" in hit["snippet"]


@pytest.mark.requirement("B-02")
def test_a_chunk_is_in_scope_when_its_node_is(workspace: Workspace, found: Found) -> None:
    node(workspace, "service.billing", "x", "service")
    node(workspace, "domain.money", "y", "domain")
    chunk(workspace, "service.billing", "ledger of the service")
    chunk(workspace, "domain.money", "ledger of the domain")
    assert found("ledger", "architecture", kind="domain") == ["domain.money"]


@pytest.mark.requirement("B-03")
def test_reindexing_returns_the_row_count_and_changes_no_answer(workspace: Workspace, answered: Answered) -> None:
    node(workspace, "service.billing", "Writes invoices")
    chunk(workspace, "service.billing", "Ledger")
    node(workspace, "service.mail", "Sends invoices")
    before = answered("invoices", "architecture")
    assert workspace.reindex() == workspace.reindex() == 3
    assert answered("invoices", "architecture") == before


@pytest.mark.requirement("B-03")
def test_a_reader_sees_the_old_index_until_the_new_one_is_whole(workspace: Workspace, tmp_path: Path) -> None:
    node(workspace, "service.billing", "Writes invoices")
    invoices = Query("invoices", (Term(("invoices",)),))
    reader = SqliteEngine(tmp_path / "test.dowse", SCHEMA)
    with reader.view() as view:
        workspace.reindex()
        ranking = view.match(invoices, ListPlan("text", Lane.STEMS), view.select(Scope()))
        assert [record.key for record in view.fetch(ranking.handles)] == ["service.billing"]
    reader.close()


@pytest.mark.requirement("B-04", "B-13")
@pytest.mark.parametrize(
    "query",
    [
        '"',
        '""',
        'a "b" c',
        'say "hi',
        "NEAR(",
        "a AND",
        "NOT",
        "*",
        "col:x",
        "(",
        ")",
        "-x",
        "^",
        "'",
        ";",
        "{}",
        "\\",
        "\x00",
        "🚀",
    ],
)
def test_no_query_text_raises(workspace: Workspace, found: Found, query: str) -> None:
    node(workspace, "service.billing", "Writes invoices")
    assert found(query, "architecture") in ([], ["service.billing"])


@pytest.mark.requirement("B-13")
def test_a_quote_inside_a_word_is_text(workspace: Workspace, found: Found) -> None:
    node(workspace, "service.billing", 'The so-called "ledger" service')
    node(workspace, "service.mail", "Letters")
    assert found('called "ledger" service', "architecture")[0] == "service.billing"
    assert found('"ledger', "architecture") == ["service.billing"]


@pytest.mark.requirement("B-05")
@pytest.mark.parametrize("query", ["", "   ", None])
def test_an_empty_query_is_answered_without_touching_the_database(tmp_path: Path, query: str | None) -> None:
    engine = Untouchable(tmp_path / "test.dowse", SCHEMA)
    with Workspace(engine) as workspace:
        page = workspace.search(query, surface="architecture", kind="service")
        assert (page.hits, page.total) == ((), 0)
        with pytest.raises(AssertionError, match="touched"):
            workspace.search("x", surface="architecture")


@pytest.mark.requirement("B-06")
def test_kind_filters_exactly_and_is_no_searchable_text(workspace: Workspace, found: Found) -> None:
    node(workspace, "billing", "Writes invoices", "service")
    node(workspace, "money", "All about invoices", "domain")
    node(workspace, "oddity", "Odd invoices", "any-other-word")
    assert found("invoices", "architecture", kind="domain") == ["money"]
    assert found("invoices", "architecture", kind="any-other-word") == ["oddity"]
    assert found("invoices", "architecture", kind="dom") == []
    assert found("domain", "architecture") == []


@pytest.mark.requirement("B-06")
def test_ten_nodes_answer_unless_asked_otherwise(workspace: Workspace, found: Found) -> None:
    for number in range(15):
        node(workspace, f"n{number}", "invoices")
    assert len(found("invoices", "architecture")) == 10
    assert len(found("invoices", "architecture", limit=15)) == 15
    with pytest.raises(InvalidRequest, match="limit is 0"):
        found("invoices", "architecture", limit=0)
    with pytest.raises(InvalidRequest, match="limit is 0"):
        found("", "architecture", limit=0)


@pytest.mark.requirement("B-07")
def test_an_excerpt_is_bold_thirty_two_words_and_from_the_field_that_matched(workspace: Workspace, answered: Answered) -> None:
    node(workspace, "service.billing", "Writes invoices")
    chunk(workspace, "service.billing", "before " * 60 + "ledger " + "after " * 60)
    (hit,) = answered("ledger", "architecture")
    assert hit["snippet"].startswith("...before")
    assert hit["snippet"].endswith("after...")
    assert "<b>ledger</b>" in hit["snippet"]
    assert len(hit["snippet"].split()) == 32
    (hit,) = answered("invoices", "architecture")
    assert hit["snippet"] == "Writes <b>invoices</b>"


@pytest.mark.requirement("B-08")
def test_a_result_has_these_names_and_a_rank_where_lower_is_better(workspace: Workspace, answered: Answered) -> None:
    node(workspace, "strong", "invoices invoices")
    node(workspace, "weak", "invoices among many words that have little to do with them", "domain")
    answer = answered("invoices", "architecture")
    assert [list(hit) for hit in answer] == [["ref_id", "kind", "summary", "snippet", "rank"]] * 2
    assert [(hit["ref_id"], hit["kind"]) for hit in answer] == [("strong", "service"), ("weak", "domain")]
    assert answer[0]["rank"] < answer[1]["rank"] < 0


@pytest.mark.requirement("B-09")
def test_a_health_check_tells_a_ready_index_from_an_empty_and_a_missing_one(workspace: Workspace) -> None:
    empty = {finding.name: finding for finding in workspace.doctor()}
    assert all(finding.ok for finding in empty.values())
    assert "empty" in empty["content"].detail
    node(workspace, "a", "x")
    ready = {finding.name: finding for finding in workspace.doctor()}
    assert all(finding.ok for finding in ready.values())
    assert "empty" not in ready["content"].detail
    connection = connect(workspace.status().location)
    connection.execute("delete from meta where name = 'lanes'")
    connection.close()
    (broken,) = [finding for finding in workspace.doctor() if not finding.ok]
    assert (broken.name, broken.repair) == ("index", "dowse reindex")


@pytest.mark.requirement("B-10")
def test_when_a_list_cannot_run_the_rest_answer_in_the_same_shape_and_say_so(by_words: Workspace) -> None:
    by_words.put(kind="symbol", key="s", title="getUserById")
    page = by_words.search("user", surface="code_search", searchMode="hybrid")
    assert page.lists == ("bm25",)
    assert ["vectors" in warning for warning in page.degraded] == [True]
    keyword = by_words.search("user", surface="code_search", searchMode="keyword")
    assert keyword.degraded == ()
    surface = by_words.surface("code_search")
    assert shape(page, surface) == shape(keyword, surface)


@pytest.mark.requirement("B-10")
def test_a_list_whose_index_is_gone_does_not_take_the_others_along(workspace: Workspace) -> None:
    node(workspace, "service.billing", "Writes invoices")
    connection = connect(workspace.status().location)
    (lane,) = [name for (name,) in connection.execute("select name from sqlite_schema where name like 'lane%_names'")]
    connection.execute(f"drop table {lane}")
    connection.close()
    page = workspace.search("invoices", surface="architecture")
    assert [hit.record.key for hit in page.hits] == ["service.billing"]
    assert ["names" in warning for warning in page.degraded] == [True]


@pytest.mark.requirement("B-11")
def test_the_surface_takes_a_kind_and_a_limit(workspace: Workspace) -> None:
    assert [parameter.name for parameter in workspace.surface("architecture").parameters] == ["kind", "limit"]
