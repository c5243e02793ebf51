from reading_code import defined, exported, file_of, kinds, lines, read_sample, refers, source, symbol

from dowse.ingest.code import read_code

PATH = "src/Harbour/Tides.hs"


def test_every_definition_of_a_haskell_file_becomes_a_symbol_of_its_kind():
    assert kinds(read_sample("haskell", PATH)) == {
        "Tide": "type",
        "Metres": "type",
        "Port": "type",
        "Floats": "interface",
        "Floats.draught": "method",
        "Floats.ballast": "method",
        "Boat.draught": "method",
        "Boat.ballast": "method",
        "Boat.freight": "method",
        "Tide.nameOf": "method",
        "height": "function",
        "mayEnter": "function",
        "<~>": "function",
        "deepest": "function",
        "berths": "constant",
        "lowered": "function",
        "report": "function",
    }


def test_a_haskell_file_says_what_it_is_exports_and_imports():
    record = file_of(read_sample("haskell", PATH))
    assert record.fields["doc"] == "Heights of the water, and who may sail on it."
    assert record.fields["exports"].startswith("Harbour.Tides Tide Metres Port Floats height mayEnter")
    assert record.fields["imports"].startswith("Data.Map.Strict Map Harbour.Boats Boat .. keel")


def test_a_haskell_type_signature_is_the_signature_of_its_function():
    record = symbol(read_sample("haskell", PATH), "height")
    assert record.fields["signature"] == "height :: Map.Map Port Tide -> Port -> Metres"
    assert record.fields["doc"] == "How high the water stands at a port.\n\nPorts that are not known have none."
    assert record.fields["body"].endswith("metres (Turning level) = level")
    assert lines(record) == (52, 62)
    assert record.parent == "acme:src/Harbour/Tides.hs"


def test_the_equations_of_a_haskell_function_are_one_function():
    extract = read_sample("haskell", PATH)
    assert lines(symbol(extract, "mayEnter")) == (65, 71)
    assert "Nobody enters on a turning tide." in symbol(extract, "mayEnter").fields["body"]
    assert symbol(extract, "<~>").fields["body"].startswith("Metres one <~>")


def test_the_equations_of_a_haskell_function_without_a_signature_are_one_function():
    record = symbol(read_sample("haskell", PATH), "lowered")
    assert record.fields["signature"] == "lowered Low {}"
    assert record.fields["body"].endswith("lowered High = nameOf High")


def test_any_number_of_haskell_equations_belongs_to_the_signature_above_them():
    equations = "".join(f"depth {number} = {number}\n" for number in range(40))
    assert kinds(read_code(source("haskell", "A.hs", f"depth :: Int -> Int\n{equations}"))) == {"depth": "function"}


def test_haskell_functions_that_follow_each_other_stay_apart():
    extract = read_code(source("haskell", "A.hs", "rise 1 = 2\nrise n = n\nfall n = n\nf, g :: Int -> Int\nf n = n\ng n = n\n"))
    assert kinds(extract) == {"rise": "function", "fall": "function", "f": "function", "g": "function"}


def test_a_haskell_class_declares_its_methods():
    extract = read_sample("haskell", PATH)
    assert symbol(extract, "Floats").fields["signature"] == "class Named a => Floats a"
    assert symbol(extract, "Floats").fields["doc"] == "Whatever does not sink."
    assert symbol(extract, "Floats.draught").fields["signature"] == "draught :: a -> Metres"
    assert symbol(extract, "Floats.draught").fields["doc"] == "How deep it reaches."
    assert symbol(extract, "Floats.draught").parent == "acme:src/Harbour/Tides.hs#Floats"


def test_a_haskell_type_is_known_by_its_constructors_too():
    extract = read_sample("haskell", PATH)
    names = defined(extract)
    assert names["Turning"] == names["Harbour.Tides.Turning"] == names["Tide"] == "Tide"
    assert symbol(extract, "Tide").fields["signature"] == "data Tide"
    assert symbol(extract, "Tide").fields["doc"] == "Where the water stands."


def test_a_haskell_module_exports_what_its_header_lists():
    names = exported(read_sample("haskell", PATH))
    assert not {"berths", "lowered", "report"} & set(names)
    assert {"Tide", "Floats.draught", "Tide.nameOf", "height", "<~>"} <= set(names)


def test_a_haskell_module_without_a_list_exports_everything():
    assert exported(read_code(source("haskell", "A.hs", "module A where\nrise n = n\n"))) == ["rise"]


def test_a_haskell_import_names_a_file_and_what_is_taken_from_it():
    assert refers(read_sample("haskell", PATH), "imports") == [
        ("Data/Map/Strict.hs", "Data/Map/Strict.lhs"),
        ("Harbour/Boats.hs", "Harbour/Boats.lhs"),
        ("Harbour.Boats.Boat",),
        ("Harbour.Boats.keel",),
        ("Harbour/Signals.hs", "Harbour/Signals.lhs"),
    ]


def test_a_haskell_instance_implements_the_class_for_its_type():
    extract = read_sample("haskell", PATH)
    assert refers(extract, "implements", "Tide") == [("Named",)]
    assert refers(extract, "implements", "Metres") == [("Measured",)]
    assert refers(extract, "implements") == [("Floats",)]
    assert refers(extract, "extends", "Floats") == [("Named",)]
    assert symbol(extract, "Tide.nameOf").parent == "acme:src/Harbour/Tides.hs#Tide"


def test_haskell_calls_come_from_the_symbol_that_holds_them():
    extract = read_sample("haskell", PATH)
    assert refers(extract, "calls", "mayEnter") == [("draught",), ("signalled",)]
    assert ("keel",) in refers(extract, "calls", "Boat.draught")
    assert refers(extract, "calls", "report") == [("describe",), ("height",), ("flagDown",)]


def test_a_haskell_spec_refers_to_what_it_tests():
    extract = read_sample("haskell", "test/Harbour/TidesSpec.hs")
    assert symbol(extract, "spec").facets["test"] is True
    assert "Harbour/Tides.hs" in refers(extract, "tests")[0]
    assert ("mayEnter",) in refers(extract, "calls", "spec")
