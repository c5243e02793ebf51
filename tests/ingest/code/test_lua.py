from reading_code import defined, exported, file_of, kinds, lines, read_sample, refers, source, symbol

from dowse.ingest.code import read_code

PATH = "harbour/boats.lua"


def test_every_definition_of_a_lua_file_becomes_a_symbol_of_its_kind():
    assert kinds(read_sample("lua", PATH)) == {
        "Boat": "class",
        "DEEPEST": "constant",
        "Boat.new": "method",
        "Boat.fits": "method",
        "Boat.is_sound": "method",
        "Ferry": "class",
        "Ferry.MARGIN": "constant",
        "Ferry.fits": "method",
        "MOST_BERTHS": "constant",
        "by_draught": "function",
        "entering": "function",
        "moor": "function",
        "_greet": "function",
    }


def test_a_lua_file_says_what_it_is_and_what_it_requires():
    record = file_of(read_sample("lua", PATH))
    assert record.fields["doc"].startswith("Boats that come and go with the tide.\nA boat knows its draught;")
    assert record.fields["imports"] == "tides harbour.tides log log"
    assert record.fields["exports"] == "Boat Ferry MOST_BERTHS entering moor"


def test_a_lua_function_has_its_signature_doc_and_lines():
    record = symbol(read_sample("lua", PATH), "Boat.new")
    assert record.fields["signature"] == "function Boat.new(name, draught)"
    assert record.fields["doc"] == (
        "A boat with a name and a draught.\n@param name what is painted on the bow\n@param draught in metres"
    )
    assert lines(record) == (16, 21)
    assert record.parent == "acme:harbour/boats.lua#Boat"


def test_a_lua_function_of_the_module_table_stands_in_the_file():
    record = symbol(read_sample("lua", PATH), "entering")
    assert record.fields["signature"] == "function M.entering(boats, port)"
    assert record.fields["doc"] == "The boats that may enter now, the shallow ones first."
    assert record.parent == "acme:harbour/boats.lua"
    assert symbol(read_sample("lua", PATH), "moor").fields["signature"] == "M.moor = function(boats)"


def test_lua_functions_with_and_without_a_receiver_are_found_in_any_table():
    written = "function M.open() end\nfunction M:close() end\nfunction quay.crane.lift() end\nreturn { ring = function() end }\n"
    assert kinds(read_code(source("lua", "a.lua", written))) == {
        "open": "function",
        "close": "method",
        "lift": "function",
        "ring": "function",
    }


def test_a_lua_block_comment_documents_what_follows():
    assert symbol(read_sample("lua", PATH), "Ferry").fields["doc"] == "A ferry carries people,\nso it leaves a margin."


def test_what_is_local_in_lua_is_not_for_others():
    names = exported(read_sample("lua", PATH))
    assert not {"by_draught", "_greet", "DEEPEST"} & set(names)
    assert {"Boat", "Boat.fits", "entering", "MOST_BERTHS"} <= set(names)


def test_a_required_lua_module_is_a_file_or_a_folder_with_an_init_file():
    assert refers(read_sample("lua", PATH), "imports") == [
        ("harbour/tides.lua", "harbour/tides/init.lua"),
        (
            *("/harbour/log.lua", "/harbour/log/init.lua", "/log.lua", "/log/init.lua"),
            *("/src/log.lua", "/src/log/init.lua", "/lua/log.lua", "/lua/log/init.lua"),
        ),
    ]


def test_lua_modules_are_found_wherever_they_are_required():
    written = 'require("tide.a").start()\nreturn { b = require "tide.b", c = open(require("tide.c")) }\n'
    names = refers(read_code(source("lua", "x.lua", written)), "imports")
    assert [one[0] for one in names] == ["tide/a.lua", "tide/b.lua", "tide/c.lua"]


def test_a_lua_metatable_with_an_index_is_a_base():
    assert refers(read_sample("lua", PATH), "extends", "Ferry") == [("Boat",)]
    later = read_code(source("lua", "a.lua", "local Tug = {}\nsetmetatable(Tug, { __index = fleet.Boat })\n"))
    assert refers(later, "extends", "Tug") == [("fleet.Boat", "Boat")]
    made = read_code(source("lua", "a.lua", 'local Tug = class("Tug", Boat)\nlocal Raft = Boat:extend()\n'))
    assert refers(made, "extends", "Tug") == refers(made, "extends", "Raft") == [("Boat",)]


def test_lua_calls_come_from_the_symbol_that_holds_them():
    extract = read_sample("lua", PATH)
    assert refers(extract, "calls", "Boat.fits") == [("depth_at",), ("Boat.is_sound", "is_sound")]
    assert refers(extract, "calls", "Ferry.fits") == [("Boat.fits", "fits"), ("note",)]
    assert refers(extract, "calls", "entering") == [("fits",), ("M.moor", "moor")]


def test_lua_definitions_are_known_by_their_simple_and_qualified_names():
    names = defined(read_sample("lua", PATH))
    assert names["is_sound"] == names["Boat.is_sound"] == "Boat.is_sound"


def test_a_lua_spec_refers_to_what_it_tests():
    extract = read_sample("lua", "spec/boats_spec.lua")
    assert file_of(extract).facets["test"] is True
    assert refers(extract, "tests")[0][-1] == "boats.lua"
    assert symbol(extract, "ferry").facets["test"] is True
