from reading_code import defined, exported, file_of, kinds, lines, read_sample, refers, source, symbol

from dowse.ingest.code import read_code

PATH = "lib/harbour/dispatch.ex"
MODULE = "Harbour.Dispatch"


def test_every_definition_of_an_elixir_file_becomes_a_symbol_of_its_kind():
    assert kinds(read_sample("elixir", PATH)) == {
        MODULE: "module",
        f"{MODULE}.longest_wait": "constant",
        f"{MODULE}.parcel": "type",
        f"{MODULE}.state": "type",
        f"{MODULE}.Berth": "module",
        f"{MODULE}.Berth.free?": "function",
        f"{MODULE}.start_link": "function",
        f"{MODULE}.price": "function",
        f"{MODULE}.init": "function",
        f"{MODULE}.handle_call": "function",
        f"{MODULE}.vacant?": "function",
        f"{MODULE}.deliver": "function",
        f"{MODULE}.surcharge": "function",
        f"{MODULE}.crane_fee": "function",
        f"{MODULE}.on_duty": "function",
        "Harbour.Floats": "interface",
        "Harbour.Floats.draught": "method",
        "Raft.draught": "method",
    }


def test_an_elixir_module_has_its_moduledoc():
    record = symbol(read_sample("elixir", PATH), MODULE)
    assert record.fields["signature"] == "defmodule Harbour.Dispatch"
    assert record.fields["doc"] == "Sends couriers out as long as the tide allows.\n\nOne process for each harbour."
    assert record.parent == "acme:lib/harbour/dispatch.ex"


def test_an_elixir_module_inside_another_is_part_of_it():
    record = symbol(read_sample("elixir", PATH), f"{MODULE}.Berth")
    assert record.parent == "acme:lib/harbour/dispatch.ex#Harbour.Dispatch"
    assert "doc" not in record.fields
    assert symbol(read_sample("elixir", PATH), f"{MODULE}.Berth.free?").parent == record.key


def test_the_clauses_of_an_elixir_function_are_one_function():
    record = symbol(read_sample("elixir", PATH), f"{MODULE}.price")
    assert record.fields["signature"] == "def price(:letter)"
    assert record.fields["doc"] == "What a parcel costs.\n\n    iex> Harbour.Dispatch.price(:letter)\n    1"
    assert "Heavy ones need a crane." in record.fields["body"]
    assert record.fields["body"].endswith("def price(%{weight: weight}), do: surcharge(weight)")
    assert lines(record) == (38, 52)


def test_elixir_functions_that_follow_each_other_stay_apart():
    written = (
        "defmodule A do\n  def rise(1), do: 2\n  def rise(n), do: n\n  def fall(n), do: n\n  defp fall(n, m), do: n + m\nend\n"
    )
    assert kinds(read_code(source("elixir", "a.ex", written))) == {
        "A": "module",
        "A.rise": "function",
        "A.fall": "function",
        "A.fall~2": "function",
    }


def test_an_elixir_doc_belongs_to_the_function_behind_its_attributes():
    extract = read_sample("elixir", PATH)
    assert symbol(extract, f"{MODULE}.start_link").fields["doc"] == "Starts the dispatch of a harbour."
    assert "doc" not in symbol(extract, f"{MODULE}.init").fields
    assert symbol(extract, f"{MODULE}.init").fields["body"].startswith("@impl true\n")
    assert symbol(extract, "Harbour.Floats.draught").fields["doc"] == "How deep it reaches."


def test_elixir_macros_guards_and_private_functions_are_told_by_their_signatures():
    extract = read_sample("elixir", PATH)
    assert symbol(extract, f"{MODULE}.on_duty").fields["signature"].startswith("defmacro on_duty(port")
    assert symbol(extract, f"{MODULE}.crane_fee").fields["signature"] == "defp crane_fee"
    assert symbol(extract, f"{MODULE}.init").fields["signature"] == "def init(port) when is_port(port)"
    assert symbol(extract, f"{MODULE}.longest_wait").fields["doc"] == "Nobody waits longer than that."


def test_what_is_private_in_elixir_is_not_for_others():
    names = exported(read_sample("elixir", PATH))
    assert not {f"{MODULE}.{name}" for name in ("deliver", "crane_fee", "state", "longest_wait")} & set(names)
    assert {MODULE, f"{MODULE}.price", f"{MODULE}.on_duty", f"{MODULE}.parcel", "Harbour.Floats.draught"} <= set(names)


def test_elixir_imports_name_modules():
    extract = read_sample("elixir", PATH)
    assert refers(extract, "imports") == [
        ("GenServer",),
        ("Harbour.Courier",),
        ("Harbour.Tides.Forecast",),
        ("Harbour.Logbook",),
        ("Harbour.Guards",),
        ("Logger",),
    ]
    assert "Harbour.Logbook Book" in file_of(extract).fields["imports"]


def test_an_elixir_module_implements_its_behaviours_and_what_it_uses():
    extract = read_sample("elixir", PATH)
    assert refers(extract, "implements", MODULE) == [("GenServer",), ("Harbour.Channel", "Channel")]
    assert refers(extract, "implements") == [("Harbour.Floats", "Floats")]


def test_elixir_calls_come_from_the_symbol_that_holds_them():
    extract = read_sample("elixir", PATH)
    assert refers(extract, "calls", f"{MODULE}.price") == [("parcel",), ("surcharge",), ("crane_fee",)]
    assert refers(extract, "calls", f"{MODULE}.handle_call") == [
        ("Courier.nearest", "nearest"),
        ("Forecast.check", "check"),
        ("deliver",),
        ("Book.note", "note"),
    ]


def test_elixir_functions_are_known_by_their_module():
    names = defined(read_sample("elixir", PATH))
    assert names["price"] == names["Dispatch.price"] == names["Harbour.Dispatch.price"] == f"{MODULE}.price"


def test_an_elixir_test_is_a_symbol_named_by_its_sentence():
    extract = read_sample("elixir", "test/harbour/dispatch_test.exs")
    record = symbol(extract, "Harbour.DispatchTest.of a letter is one")
    assert record.title == "of a letter is one"
    assert record.facets["test"] is True
    assert refers(extract, "tests")[0][-1] == "dispatch.ex"
    assert ("Dispatch.price", "price") in refers(extract, "calls", "Harbour.DispatchTest.of a letter is one")
