"""Whatever a record says: is it quoted so that it stays one thing, and is it all there?"""

import json
import re

from hypothesis import given
from hypothesis import strategies as st

import dowse
from dowse.model.record import Record
from dowse.shells.mcp.reading import read
from dowse.shells.mcp.texts import facets, heading, numbered
from dowse.shells.mcp.tool import Call, written

_TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=200)


@given(title=_TEXT, key=_TEXT, tag=_TEXT, facet=_TEXT)
def test_what_is_told_of_a_record_is_one_line_of_characters_that_can_be_seen(title: str, key: str, tag: str, facet: str) -> None:
    record = Record(key, "symbol", title, {"path": title}, space=key, tags=(tag,), facets={"symbolKind": facet, "language": facet})
    assert heading(record).isprintable()
    assert facets(record).isprintable()


@given(text=_TEXT, first=st.none() | st.integers(1, 10_000))
def test_every_line_of_a_text_stands_behind_its_number(text: str, first: int | None) -> None:
    lines = list(numbered(text, first))
    assert len(lines) == text.count("\n") + 1
    for offset, line in enumerate(lines):
        assert line.startswith("     | " if first is None else f"{first + offset:>5}| ")


@given(query=_TEXT, keys=st.lists(_TEXT, max_size=3))
def test_a_call_that_is_written_can_be_read_again(query: str, keys: list[str]) -> None:
    told = written("search", {"query": query, "keys": keys})
    assert told.isprintable()
    matched = re.fullmatch(r"search\(query=(.*), keys=(\[.*\])\)", told)
    assert matched is not None
    assert json.loads(matched[1]) == query
    assert json.loads(matched[2]) == keys


@given(
    content=st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), min_size=1, max_size=3000),
    times=st.integers(1, 9),
    tokens=st.integers(500, 900),
)
def test_the_pages_of_any_text_make_up_the_whole(content: str, times: int, tokens: int) -> None:
    with dowse.open(":memory:", model="none") as workspace:
        kept = workspace.put(kind="page", key="page", title="A page", content=content * times)
        whole, offset = "", 0
        while True:
            answer = read(Call("get", workspace, {}, tokens, lambda *_: None), ["page"], offset)
            whole += answer.data["records"][0]["fields"].get("content", "")
            if answer.data["next"] is None:
                break
            assert answer.data["next"]["offset"] > offset
            offset = answer.data["next"]["offset"]
        assert whole == kept.text("content")
