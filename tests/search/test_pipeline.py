"""The read path as a whole: what holds for any query, any page and any text."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import dowse
from dowse.app.workspace import Workspace
from dowse.domains.everything import SURFACES
from dowse.engines.sqlite.viewing import SqliteView
from dowse.errors import InvalidQuery
from dowse.model.change import Change, Link, Put
from dowse.model.page import Hit, Page
from dowse.model.record import Edge, Record
from dowse.model.surface import Marks
from dowse.present.marking import mark
from dowse.text.folding import fold

LIBRARY = "/acme/kit"
TEXTS = (
    "Cap the retries at five; getUserById() retries too",
    'a <script>alert("harbour")</script> & <b>bold</b> harbour',
    "東京都の港は大きい。港の門は閉まっている。",
    "ท่าเรือใหญ่ทดสอบระบบค้นหา",
    "재시도 횟수 제한을 설정합니다",
    "Straße, naïve café — ﬁne ＦＵＬＬ width İstanbul e\u0301te\u0301",
    "x" * 300 + " harbour " + "QmFzZTY0" * 40,
    "snake_case_name HTTPServer2 path/to/file.ts {{age:34}} C++ -> a_b",
    "harbour " * 60 + "needle" + " wall" * 60,
    "line one\nline two\r\n\ttabbed\u2028separated harbour wall gate",
    "the of and to",
    "🚀 launch 🚀 to the مرحبا שלום नमस्ते",
)
KINDS = {
    "item": "description",
    "page": "content",
    "section": "content",
    "symbol": "body",
    "knowledge": "content",
    "skill": "triggers",
    "codefile": "exports",
    "document": "path",
    "file": "path",
}
# What is asked: anything at all, pieces of what is there, and syntax around both.
_PIECES = st.sampled_from(TEXTS).flatmap(
    lambda text: st.tuples(st.integers(0, len(text) - 1), st.integers(1, 12)).map(lambda at: text[at[0] : at[0] + at[1]])
)
_WORDS = st.sampled_from([word for text in TEXTS for word in text.split()])
_SYNTAX = st.sampled_from(['"', "AND", "OR", "NOT", "*", "(", ")", "-", "title:"])
QUERIES = st.one_of(
    st.text(max_size=40),
    _PIECES,
    st.lists(_WORDS, min_size=1, max_size=4).map(" ".join),
    st.lists(st.one_of(_WORDS, _SYNTAX, _PIECES), min_size=1, max_size=8).map(" ".join),
)
_QUIET = settings(max_examples=60, deadline=None)
PAGED = [name for name, surface in SURFACES.items() if any(parameter.name == "offset" for parameter in surface.parameters)]


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workspace]:
    """Texts of many scripts in every kind, with ties and edges. Only read."""
    changes: list[Change] = []
    for number, text in enumerate(TEXTS * 3):
        for kind, field in KINDS.items():
            title = text[:30] if number % 2 else f"{kind} harbour"
            changes.append(Put(Record(f"{kind}-{number:02}", kind, title, {field: text}, tags=("sea",) if number % 3 else ())))
        changes.append(Put(Record(f"note-{number:02}", "note", fields={"body": text}, parent=f"item-{number:02}")))
        changes.append(Put(Record(f"node-{number:02}", "node", "", {"summary": text[:20]}, facets={"kind": "service"})))
        changes.append(Put(Record(f"chunk-{number:02}", "chunk", fields={"content": text}, parent=f"node-{number:02}")))
        if number:
            changes.append(Link(Edge(f"symbol-{number - 1:02}", f"symbol-{number:02}", "contains")))
    with dowse.open(tmp_path_factory.mktemp("world") / "test.dowse") as workspace:
        workspace.apply(changes)
        workspace.index_library(
            {"key": LIBRARY},
            [{"title": text[:30], "content": text, "type": ("code", "info")[n % 2]} for n, text in enumerate(TEXTS * 3)],
        )
        yield workspace


def ask(world: Workspace, query: str, surface: str, **parameters: Any) -> Page:
    return world.search(query, surface=surface, **parameters, **({"repositoryId": LIBRARY} if surface == "docs" else {}))


def keys(page: Page) -> list[str]:
    return [hit.record.key for hit in page.hits]


@pytest.mark.requirement("U-03", "B-04", "R-05", "T-11")
@_QUIET
@given(query=QUERIES, surface=st.sampled_from(list(SURFACES)))
def test_any_text_can_be_searched_for(world: Workspace, query: str, surface: str) -> None:
    try:
        page = ask(world, query, surface)
    except InvalidQuery:
        assert not query.strip()
        return
    assert len(page.hits) == min(page.total, page.limit)
    assert len(set(keys(page))) == len(page.hits)


@pytest.mark.requirement("U-03")
@pytest.mark.parametrize("surface", SURFACES)
@pytest.mark.parametrize(
    "query", ["\ud800", "harbour \udfff", "\x00", "\uffff", "x" * 10_000, "港" * 10_000, "a " * 5000, "((" * 5000]
)
def test_strange_and_endless_texts_can_be_searched_for(world: Workspace, query: str, surface: str) -> None:
    page = ask(world, query, surface)
    assert page.total >= len(page.hits)


@pytest.mark.requirement("T-23", "T-24", "U-02")
@_QUIET
@given(query=QUERIES.filter(str.strip), surface=st.sampled_from(PAGED), limit=st.integers(1, 30))
def test_walking_the_pages_gives_every_match_once(world: Workspace, query: str, surface: str, limit: int) -> None:
    seen: list[str] = []
    offset: int | None = 0
    while offset is not None:
        page = ask(world, query, surface, limit=limit, offset=offset)
        assert [hit.rank for hit in page.hits] == list(range(offset + 1, offset + len(page.hits) + 1))
        seen += keys(page)
        offset = page.next_offset
    assert len(seen) == len(set(seen)) == page.total


@pytest.mark.requirement("T-24", "U-02")
@_QUIET
@given(query=QUERIES.filter(str.strip), surface=st.sampled_from(PAGED), offset=st.integers(0, 120), limit=st.integers(1, 100))
def test_a_page_is_a_slice_of_the_whole(world: Workspace, query: str, surface: str, offset: int, limit: int) -> None:
    whole = [hit for start in (0, 100, 200, 300, 400) for hit in ask(world, query, surface, limit=100, offset=start).hits]
    page = ask(world, query, surface, offset=offset, limit=limit)
    assert keys(page) == [hit.record.key for hit in whole][offset : offset + limit]
    assert [hit.score for hit in page.hits] == [hit.score for hit in whole][offset : offset + limit]


@pytest.mark.requirement("U-02")
@pytest.mark.parametrize("surface", SURFACES)
@settings(max_examples=12, deadline=None)
@given(query=st.one_of(QUERIES.filter(str.strip), _WORDS), limit=st.integers(1, 20))
def test_the_limit_never_changes_the_order(world: Workspace, query: str, surface: str, limit: int) -> None:
    name = SURFACES[surface].limit_name
    whole = ask(world, query, surface, **{name: 100})
    part = ask(world, query, surface, **{name: limit})
    assert keys(part) == keys(whole)[:limit]
    assert part.total == whole.total


@pytest.mark.requirement("U-02")
@_QUIET
@given(query=QUERIES.filter(str.strip), surface=st.sampled_from(PAGED))
def test_better_scores_stand_first(world: Workspace, query: str, surface: str) -> None:
    page = ask(world, query, surface, limit=100)
    assert all(hit.score >= 0 for hit in page.hits)
    if SURFACES[surface].fusion == "score" and "prefix" not in page.lists and "substring" not in page.lists:
        assert [hit.score for hit in page.hits] == sorted((hit.score for hit in page.hits), reverse=True)


def check_excerpt(hit: Hit, marks: Marks) -> None:
    excerpt = hit.excerpt
    source = (hit.part or hit.record).text(excerpt.field)
    assert excerpt.text == source[excerpt.start : excerpt.end]
    first, last = excerpt.byte_range(source)
    assert source.encode()[first:last].decode() == excerpt.text
    at = 0
    for start, end in excerpt.marks:
        assert at <= start < end <= len(excerpt.text)
        at = end
    assert excerpt.cut_before == bool(source[: excerpt.start].strip())
    assert excerpt.cut_after == bool(source[excerpt.end :].strip())
    shown = mark(excerpt, replace(marks, escape=True))
    assert "<" not in shown.replace(marks.open, "").replace(marks.close, "")
    assert shown.count(marks.open) == shown.count(marks.close) == len(excerpt.marks)


@pytest.mark.requirement("T-21", "T-28", "B-07")
@_QUIET
@given(query=QUERIES.filter(str.strip), surface=st.sampled_from(list(SURFACES)))
def test_an_excerpt_is_a_stretch_of_its_field_with_marks_where_a_list_matched(world: Workspace, query: str, surface: str) -> None:
    for hit in ask(world, query, surface, **{SURFACES[surface].limit_name: 40}).hits:
        check_excerpt(hit, SURFACES[surface].marks)
        # Found by its path or by meaning alone, a hit shows what it says instead.
        unmarked = "path" in hit.record.fields or hit.matched_in in (("vector",), ("vectors",), ("semantic",))
        assert hit.excerpt.marks or hit.via or unmarked, (query, surface, hit)
        assert bool(hit.matched_in) != bool(hit.via)


_TEXT = st.text(st.characters(codec="utf-8"), max_size=80)


@pytest.mark.requirement("T-28", "T-03")
@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(texts=st.lists(_TEXT, min_size=1, max_size=4), data=st.data())
def test_what_is_found_in_any_text_is_marked_there(texts: list[str], data: st.DataObject) -> None:
    with dowse.open(":memory:") as workspace:
        workspace.apply(Put(Record(f"page-{n}", "page", text[:10], {"content": text})) for n, text in enumerate(texts))
        text = data.draw(st.sampled_from(texts))
        start = data.draw(st.integers(0, len(text)))
        query = text[start : start + data.draw(st.integers(1, 12))]
        if query.strip():
            for surface in ("everything", "pages"):
                for hit in workspace.search(query, surface=surface).hits:
                    check_excerpt(hit, SURFACES[surface].marks)
                    assert hit.excerpt.marks


@pytest.mark.requirement("T-04", "T-08")
@_QUIET
@given(start=st.integers(0, 60), length=st.integers(3, 20), text=st.sampled_from(TEXTS))
def test_a_string_of_a_text_finds_it(world: Workspace, start: int, length: int, text: str) -> None:
    tokens = text[start : start + length].split()
    if any(len(fold(token)) >= 3 for token in tokens):
        page = ask(world, " ".join(tokens), "items", matchMode="substring", limit=100)
        assert {f"item-{number:02}" for number, other in enumerate(TEXTS * 3) if other == text} <= set(keys(page))


@pytest.mark.requirement("U-05")
@_QUIET
@given(query=QUERIES.filter(str.strip), surface=st.sampled_from(list(SURFACES)))
def test_an_explanation_adds_up_to_the_score(world: Workspace, query: str, surface: str) -> None:
    if not any(parameter.name == "explain" for parameter in SURFACES[surface].parameters) or SURFACES[surface].fusion != "rrf":
        return
    for hit in ask(world, query, surface, explain=True).hits:
        assert hit.score == pytest.approx(sum(entry.share for entry in hit.lists))
        assert [entry.name for entry in hit.lists] == list(hit.matched_in)


def test_a_page_says_which_part_of_a_store_did_not_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    """As where some shards of a cluster are out of reach: what the others found is shown, and said to be incomplete."""
    lacking = "some shards do not answer: nodes are missing."
    with dowse.open(":memory:", model="none") as workspace:
        workspace.put(kind="page", key="a", title="Harbour wall")
        asked = SqliteView.match
        monkeypatch.setattr(
            SqliteView, "match", lambda view, *asking: replace(asked(view, *asking), truncated=True, lacking=lacking)
        )
        page = workspace.search("harbour wall", mode="keyword")
    assert ([hit.record.key for hit in page.hits], page.truncated) == (["a"], True)
    assert page.degraded.count(lacking) == 1
