"""Does an edit of JSON with comments change what it should, and nothing else?"""

import contextlib
import json
import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dowse.errors import StorageError
from dowse.shells.installing import jsonc

ENTRY = {"command": "/bin/dowse", "args": ["mcp"]}
PLACE = ("servers", "dowse")

_KEYS = st.text(max_size=5).filter(lambda key: key != "dowse")
_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(_KEYS, inner, max_size=3),
    max_leaves=8,
)
_INDENTS = st.sampled_from([None, 1, 2, 4, "\t"])
_COMMENTS = st.sampled_from(["// a note\n", "/* a note */", " ", "\n", "\r\n", "\t", '// {"dowse": 1},\n', "/* } */ "])


@st.composite
def documents(draw: st.DrawFn) -> str:
    """Settings that hold servers, as some program wrote them and some person annotated them."""
    value = draw(st.dictionaries(_KEYS.filter(lambda key: key != "servers"), _VALUES, max_size=3))
    value["servers"] = draw(st.dictionaries(_KEYS, _VALUES, max_size=3))
    text = json.dumps(value, indent=draw(_INDENTS), ensure_ascii=draw(st.booleans()))
    return _annotated(text, draw)


def _annotated(text: str, draw: st.DrawFn) -> str:
    pieces = re.findall(r'"(?:[^"\\]|\\.)*"|[{}\[\],:]|[^"{}\[\],:]+', text)
    return "".join(piece + (draw(_COMMENTS) if piece in "{}[],:" and draw(st.integers(0, 4)) == 0 else "") for piece in pieces)


def comments(text: str) -> list[str]:
    return re.findall(r'"(?:[^"\\]|\\.)*"|(//[^\r\n]*|/\*.*?\*/)', text, re.DOTALL)


@given(documents())
def test_an_entry_put_in_and_taken_out_leaves_the_same_values_and_comments(text: str) -> None:
    with_entry = jsonc.put(text, PLACE, ENTRY)
    assert jsonc.read(with_entry)["servers"]["dowse"] == ENTRY
    without = jsonc.drop(with_entry, PLACE)
    assert jsonc.read(without) == jsonc.read(text)
    assert comments(without) == comments(text)


@given(documents())
def test_an_entry_put_among_others_and_taken_out_leaves_the_text_as_it_was(text: str) -> None:
    if jsonc.read(text)["servers"]:
        assert jsonc.drop(jsonc.put(text, PLACE, ENTRY), PLACE) == text


@given(documents())
def test_everything_around_a_new_entry_stays_in_its_order(text: str) -> None:
    rest = iter(jsonc.put(text, PLACE, ENTRY))
    assert all(character in rest for character in text.strip() if not character.isspace())


@given(_VALUES)
def test_what_json_reads_is_read_alike(value: Any) -> None:
    assert jsonc.read(json.dumps(value)) == value


@given(st.text(alphabet='{}[]",:/*\n a1\\', max_size=20))
def test_any_text_is_read_or_refused(text: str) -> None:
    with contextlib.suppress(StorageError):
        jsonc.read(text)


def test_the_comma_goes_before_the_comment_of_the_last_member() -> None:
    text = '{\n  "servers": {\n    "a": {} // mine\n  }\n}\n'
    assert jsonc.put(text, PLACE, 1) == '{\n  "servers": {\n    "a": {}, // mine\n    "dowse": 1\n  }\n}\n'


def test_the_trailing_comma_of_a_file_is_kept_up() -> None:
    text = '{\n\t"servers": {\n\t\t"a": {},\n\t},\n}'
    assert jsonc.put(text, PLACE, 1) == '{\n\t"servers": {\n\t\t"a": {},\n\t\t"dowse": 1,\n\t},\n}'


def test_a_new_entry_is_indented_as_the_file_is() -> None:
    text = '{\n    "servers": {}\n}'
    assert (
        jsonc.put(text, PLACE, {"x": [1]}) == '{\n    "servers": {\n        "dowse": {\n            "x": [1]\n        }\n    }\n}'
    )


def test_a_file_on_one_line_stays_on_one_line() -> None:
    assert jsonc.put('{"servers": {"a": 1}}', PLACE, ENTRY).count("\n") == 0


def test_lines_end_as_they_do_in_the_file() -> None:
    changed = jsonc.put('{\r\n  "a": 1\r\n}\r\n', PLACE, ENTRY)
    assert changed.count("\n") == changed.count("\r\n") > 3


def test_a_file_of_comments_alone_keeps_them() -> None:
    changed = jsonc.put("// settings", PLACE, 1)
    assert changed.startswith("// settings\n{")
    assert jsonc.read(changed) == {"servers": {"dowse": 1}}


def test_of_two_objects_with_one_name_the_one_that_counts_is_changed() -> None:
    assert jsonc.read(jsonc.put('{"servers": {"a": 1}, "servers": {"b": 2}}', PLACE, 3)) == {"servers": {"b": 2, "dowse": 3}}


def test_a_value_is_replaced_where_it_stands() -> None:
    assert jsonc.put('{"a": 1, "b": /* two */ 2, "c": 3}', ("b",), 4) == '{"a": 1, "b": /* two */ 4, "c": 3}'


def test_an_entry_in_the_middle_is_taken_out_with_its_comma() -> None:
    assert jsonc.drop('{\n  "a": 1,\n  "dowse": {}, // ours\n  "b": 2\n}', ("dowse",)) == '{\n  "a": 1,\n  // ours\n  "b": 2\n}'


def test_an_entry_below_a_comment_does_not_pull_the_bracket_into_it() -> None:
    assert jsonc.read(jsonc.drop('{\n  // note\n  "dowse": 1 }', ("dowse",))) == {}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{\n  "a": 1\n  "b": 2\n}', r"line 3: ',' or '}' was expected, '\"' found"),
        ('{"a" 1}', "line 1: ':' was expected"),
        ("{", "line 1: a string was expected, the end found"),
        ('{"a": tru}', "line 1: a value was expected"),
        ("{} {}", "line 1: the end was expected"),
        ('{"a": "\\x"}', "line 1: a string has an escape"),
        ("/* never closed", "line 1: a value was expected"),
        ("[" * 300, "line 1: nested more than 200 deep"),
    ],
)
def test_what_is_no_json_is_refused_with_its_line(text: str, message: str) -> None:
    with pytest.raises(StorageError, match=message):
        jsonc.read(text)


@pytest.mark.parametrize("text", ['{"servers": []}', '{"servers": null}', "[]", '"x"'])
def test_what_holds_no_servers_is_not_made_to(text: str) -> None:
    with pytest.raises(StorageError, match="is not an object"):
        jsonc.put(text, PLACE, 1)
