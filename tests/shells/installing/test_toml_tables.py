"""Does an edit of a TOML file change what it should, and nothing else?"""

import tomllib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dowse.errors import StorageError
from dowse.shells.installing import toml_tables

ENTRY = {"command": "/bin/dowse", "args": ["mcp"]}
PLACE = ("mcp_servers", "dowse")

_BLOCKS = (
    'model = "x" # which\n',
    "# a note\n",
    "\n",
    'text = """\n[mcp_servers.dowse]\ncommand = "no"\n"""\n',
    "lines = [\n  1, # one\n  2,\n]\n",
    "'quoted = key' = '''it's'''\n",
)
_TABLES = (
    '[mcp_servers.other]\ncommand = "npx"\nargs = ["a=b", "[c]"]\n',
    "\n[profiles.fast]\n# why\nretries = 3\n",
    '[[hooks]]\nrun = "a"\n[[hooks]]\nrun = "b"\n',
    "[mcp_servers.other2.env]\nA = '1'\n",
    '["odd.name".x]\ny = { a = 1, b = { c = 2 } }\n',
)


@st.composite
def documents(draw: st.DrawFn) -> str:
    chosen = draw(st.permutations(_BLOCKS))[: draw(st.integers(0, 6))] + draw(st.permutations(_TABLES))[: draw(st.integers(0, 5))]
    return "".join(chosen).replace("\n", draw(st.sampled_from(["\n", "\r\n"])))


@given(documents())
def test_an_entry_put_in_and_taken_out_leaves_the_text_as_it_was(text: str) -> None:
    with_entry = toml_tables.put(text, PLACE, ENTRY)
    assert with_entry.startswith(text)
    assert tomllib.loads(with_entry)["mcp_servers"]["dowse"] == ENTRY
    without = toml_tables.drop(with_entry, PLACE)
    assert tomllib.loads(without) == tomllib.loads(text)
    assert without == text or not text.strip()


def test_lines_end_as_they_do_in_the_file() -> None:
    changed = toml_tables.put("a = 1\r\n", PLACE, ENTRY)
    assert changed.count("\n") == changed.count("\r\n") == 5


def test_a_last_line_without_an_end_gets_one() -> None:
    assert toml_tables.put("a = 1", PLACE, {"b": "c"}) == 'a = 1\n\n[mcp_servers.dowse]\nb = "c"\n'


def test_an_entry_between_others_is_taken_out_with_what_belongs_to_it() -> None:
    text = "[a]\nx = 1\n\n[mcp_servers.dowse]\ncommand = 'd' # ours\n[mcp_servers.dowse.env]\nA = 'b'\n\n# about b\n[b]\ny = 2\n"
    assert toml_tables.drop(text, PLACE) == "[a]\nx = 1\n\n# about b\n[b]\ny = 2\n"


def test_an_entry_in_dotted_keys_is_taken_out() -> None:
    assert (
        toml_tables.drop("mcp_servers.dowse.command = 'd'\nmcp_servers.a.command = 'a'\n", PLACE) == "mcp_servers.a.command = 'a'\n"
    )


def test_an_entry_on_one_line_of_its_table_is_taken_out() -> None:
    assert toml_tables.drop("[mcp_servers]\ndowse = { command = 'd' }\na = { command = 'a' }\n", PLACE).count("command") == 1


def test_a_key_is_changed_where_it_stands_whatever_its_form() -> None:
    text = "[mcp_servers.dowse]\nargs = [\n  'mcp', # why\n] # end\ntimeout = 3\n"
    assert toml_tables.put(text, (*PLACE, "args"), ["x"]) == '[mcp_servers.dowse]\nargs = ["x"] # end\ntimeout = 3\n'


def test_a_key_that_is_missing_goes_below_the_header() -> None:
    text = "[mcp_servers.dowse] # ours\ntimeout = 3\n"
    assert toml_tables.put(text, (*PLACE, "command"), "d") == '[mcp_servers.dowse] # ours\ncommand = "d"\ntimeout = 3\n'


def test_a_key_of_an_entry_without_a_table_is_left_to_people() -> None:
    with pytest.raises(StorageError, match=r"mcp_servers\.dowse is not written as a table of its own"):
        toml_tables.put("mcp_servers = { dowse = { command = 'd' } }", (*PLACE, "command"), "e")


def test_what_is_no_toml_is_refused_with_its_line() -> None:
    with pytest.raises(StorageError, match="line 2"):
        toml_tables.read("a = 1\nb = \n")
