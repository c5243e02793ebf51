from reading_code import defined, exported, file_of, kinds, lines, read_sample, refers, source, symbol

from dowse.ingest.code import read_code

PATH = "src/ferry.zig"


def test_every_definition_of_a_zig_file_becomes_a_symbol_of_its_kind():
    assert kinds(read_sample("zig", PATH)) == {
        "most_cars": "constant",
        "margin_minutes": "constant",
        "Error": "enum",
        "State": "enum",
        "State.isMoving": "method",
        "Ferry": "class",
        "Ferry.crew": "constant",
        "Ferry.named": "method",
        "Ferry.sail": "method",
        "Ferry.clears": "method",
        "Queue": "class",
        "Queue.enter": "method",
        "sound_horn": "function",
        "announce": "function",
        "main": "function",
        "a deep ferry stays in shallow water": "function",
    }


def test_a_zig_file_says_what_it_is_and_imports():
    record = file_of(read_sample("zig", PATH))
    assert record.fields["doc"] == "Ferries and the timetable they keep.\nThe tide has the last word."
    assert record.fields["imports"].startswith("std std tides tides/forecast.zig Port port.zig")
    assert record.facets == {"language": "zig", "test": False}


def test_a_zig_struct_has_its_signature_doc_and_lines():
    record = symbol(read_sample("zig", PATH), "Ferry")
    assert record.fields["signature"] == "pub const Ferry = struct"
    assert record.fields["doc"] == "A ferry between two ports.\nIt belongs to whoever made it."
    assert lines(record) == (30, 54)
    assert "announce(self.name)" not in record.fields["body"]


def test_a_zig_method_belongs_to_its_struct():
    record = symbol(read_sample("zig", PATH), "Ferry.named")
    assert record.fields["signature"] == "pub fn named(name: []const u8, draught: f32) Self"
    assert record.fields["doc"] == "A ferry without cars."
    assert record.parent == "acme:src/ferry.zig#Ferry"


def test_a_zig_function_that_returns_a_struct_is_a_type_with_methods():
    extract = read_sample("zig", PATH)
    assert symbol(extract, "Queue").fields["signature"] == "pub fn Queue(comptime Waiting: type) type"
    assert symbol(extract, "Queue.enter").parent == "acme:src/ferry.zig#Queue"


def test_what_is_public_in_zig_is_for_others():
    names = exported(read_sample("zig", PATH))
    assert names == [
        *("most_cars", "Error", "State", "State.isMoving", "Ferry", "Ferry.crew", "Ferry.named", "Ferry.sail"),
        *("Queue", "Queue.enter", "sound_horn", "main"),
    ]


def test_a_zig_file_is_imported_from_where_the_importing_one_is():
    assert refers(read_sample("zig", PATH), "imports") == [("/src/tides/forecast.zig",), ("/src/port.zig",)]
    above = read_code(source("zig", "src/deck/a.zig", 'const port = @import("../port.zig");\n'))
    assert refers(above, "imports") == [("/src/port.zig",)]


def test_a_zig_module_of_the_build_is_looked_for_by_its_name():
    extract = read_code(source("zig", "app/main.zig", 'const harbour = @import("harbour");\n'))
    assert refers(extract, "imports") == [("/src/harbour.zig", "/harbour.zig", "harbour/root.zig", "harbour/harbour.zig")]


def test_zig_calls_come_from_the_symbol_that_holds_them():
    extract = read_sample("zig", PATH)
    assert refers(extract, "calls", "Ferry.sail") == [("Ferry.clears", "clears"), ("depthAt",), ("announce",)]
    assert refers(extract, "calls", "main") == [("Ferry.named", "named"), ("sail",), ("Port.find", "find")]


def test_a_zig_test_block_is_a_test_among_the_rest():
    record = symbol(read_sample("zig", PATH), "a deep ferry stays in shallow water")
    assert record.facets["test"] is True
    assert record.facets["exported"] is False
    assert record.fields["signature"] == 'test "a deep ferry stays in shallow water"'
    assert symbol(read_sample("zig", PATH), "main").facets["test"] is False


def test_names_for_things_elsewhere_are_no_zig_constants():
    written = "const mem = std.mem;\nconst Self = @This();\nconst List = std.ArrayList;\nconst limit = 3;\n"
    assert kinds(read_code(source("zig", "a.zig", written))) == {"limit": "constant"}


def test_zig_definitions_are_known_by_their_simple_and_qualified_names():
    names = defined(read_sample("zig", PATH))
    assert names["sail"] == names["Ferry.sail"] == "Ferry.sail"
