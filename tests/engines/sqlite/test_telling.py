"""Telling: a record as bytes, in Python and in C."""

import json
import zlib
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dowse.engines.sqlite.telling import compiled, summed, summed_plainly, written, written_plainly
from dowse.ingest.code.language import SymbolKind

TEXTS = st.one_of(
    st.text(),
    st.text(st.sampled_from("ab \"'\\\n\r\t\f\b\x00\x1f\x7fé東\u2028\U0001f600")),
    st.sampled_from(["", "line", "\ud800", "a\udfffb", SymbolKind.CLASS]),
)
VALUES = st.one_of(TEXTS, st.booleans(), st.integers(), st.floats(), st.none(), st.lists(st.integers(), max_size=2))
FIELDS = st.dictionaries(TEXTS, TEXTS, max_size=6)
FACETS = st.dictionaries(TEXTS, VALUES, max_size=8)


def outcome(made: Any, *given: Any) -> Any:
    try:
        return made(*given)
    except (UnicodeEncodeError, TypeError) as error:
        return type(error)


@given(FIELDS, FACETS)
def test_what_is_compiled_writes_the_same(fields: dict[str, str], facets: dict[str, Any]) -> None:
    assert outcome(written, fields, facets) == outcome(written_plainly, fields, facets)


@given(st.lists(TEXTS, max_size=5).map(tuple), FIELDS, FACETS, st.floats())
def test_what_is_compiled_sums_up_the_same(texts: tuple[str, ...], fields: Any, facets: Any, updated: float) -> None:
    assert outcome(summed, texts, fields, facets, updated) == outcome(summed_plainly, texts, fields, facets, updated)


@given(FIELDS, FACETS)
def test_what_is_written_is_json_and_can_be_cut_where_the_first_line_ends(fields: Any, facets: Any) -> None:
    try:
        lines, end = written(fields, facets)
    except UnicodeEncodeError:
        return
    assert lines[end : end + 1] == b"\n"
    assert lines.count(b"\n") == 1
    assert json.loads(lines[end:]) == fields
    assert repr(json.loads(lines[:end])) == repr(json.loads(json.dumps(facets)))


@pytest.mark.parametrize("facets", [{}, {"b": 1, "a": "x'y", "c": 1.5, "d": True}, {str(number): number for number in range(200)}])
def test_the_order_of_facets_and_fields_does_not_change_the_sum(facets: dict[str, Any]) -> None:
    backwards = dict(reversed(facets.items()))
    fields = {"body": "a", "path": "b", "doc": "c"}
    one = summed(("key", ""), fields, facets, 1.0)
    assert one == summed(("key", ""), dict(reversed(fields.items())), backwards, 1.0)
    assert one == summed(("key", ""), MappingProxyType(fields), MappingProxyType(facets), 1.0)
    assert one != summed(("key", ""), fields, {**facets, "a": 0}, 1.0)


def test_the_sum_is_that_of_workspaces_written_before() -> None:
    texts = ("acme:a.py#Router", "symbol", "Router", "acme", "acme:a.py", "web")
    fields: Mapping[str, str] = {"path": "a.py", "body": "class Router:\n    pass"}
    told = summed(texts, fields, {"line": 3, "exported": True, "language": "python"}, 12.25)
    everything = [*texts, "body", fields["body"], "path", "a.py"]
    everything.append("([('exported', True), ('language', 'python'), ('line', 3)], 12.25")
    assert told == zlib.crc32("\0".join(everything).encode())


@pytest.mark.skipif(compiled is None, reason="there is no compiler")
def test_what_is_compiled_answers_for_records_as_they_are() -> None:
    """Else everything would be asked of Python, and only be slower."""
    facets = {"symbolKind": "class", "language": "python", "line": 1, "exported": True, "score": 0.5}
    assert compiled.written({"path": "a.py"}, facets) is not None
    assert compiled.summed(("key", "東京"), {"path": "größe.py"}, facets, 12.0) is not None
