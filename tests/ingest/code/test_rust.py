from reading_code import exported, file_of, kinds, lines, read_sample, refers, source, symbol

from dowse.ingest.code import read_code

PATH = "src/tide/gauge.rs"


def test_every_definition_of_a_rust_file_becomes_a_symbol_of_its_kind():
    assert kinds(read_sample("rust", PATH)) == {
        "MOST_SILENCE": "constant",
        "READINGS": "constant",
        "Reading": "type",
        "Gauge": "class",
        "Pair": "class",
        "Silence": "enum",
        "Probe": "interface",
        "Probe.DEPTH": "constant",
        "Probe.measure": "method",
        "Probe.twice": "method",
        "Gauge.new": "method",
        "Gauge.read": "method",
        "Gauge.level": "method",
        "Gauge.fmt": "method",
        "log_reading": "function",
        "all": "function",
        "tests": "module",
        "tests.test_all": "function",
    }


def test_a_rust_file_says_what_it_is():
    record = file_of(read_sample("rust", PATH))
    assert record.fields["doc"] == "Reads the gauges along the quay.\n\nA gauge that is silent for an hour is taken for broken."
    assert record.fields["exports"] == "MOST_SILENCE Reading Gauge Pair Silence Probe log_reading all"


def test_a_rust_struct_has_its_doc_above_its_attributes():
    record = symbol(read_sample("rust", PATH), "Gauge")
    assert record.fields["doc"] == "A gauge on the quay.\n\nIt never fails; it falls silent."
    assert record.fields["signature"] == "pub struct Gauge<T: Probe>"
    assert record.fields["body"].startswith("#[derive(Debug, Clone)]\n#[serde")
    assert lines(record) == (28, 33)


def test_methods_of_a_rust_impl_belong_to_the_type():
    extract = read_sample("rust", PATH)
    record = symbol(extract, "Gauge.new")
    assert record.parent == "acme:src/tide/gauge.rs#Gauge"
    assert record.fields["signature"] == "pub fn new(name: &str, probe: T) -> Self"
    assert record.fields["doc"] == "A gauge that has measured nothing yet."
    assert "impl<T: Probe> fmt::Display for Gauge<T> {" in symbol(extract, "module").fields["body"]


def test_what_rust_exports_is_public_or_of_a_trait():
    names = exported(read_sample("rust", PATH))
    assert {"Gauge", "Gauge.new", "Gauge.fmt", "Probe.measure", "log_reading"} <= set(names)
    assert not {"READINGS", "Gauge.level", "tests"} & set(names)


def test_rust_uses_name_the_files_of_the_modules():
    imports = refers(read_sample("rust", PATH), "imports")
    assert imports[0] == ("/src/courier.rs", "/src/courier/mod.rs")
    assert imports[1][0] == "/src/courier/channels.rs"
    assert imports[2] == ("/src/tide/level.rs", "/src/tide/level/mod.rs")
    assert "harbour-units/src/metres.rs" in imports[3]
    assert imports[-1] == ("/src/tide/gauge/filter.rs", "/src/tide/gauge/filter/mod.rs")


def test_a_rust_module_is_beside_the_file_that_stands_for_its_folder():
    assert refers(read_code(source("rust", "src/lib.rs", "mod tide;\n")), "imports") == [("/src/tide.rs", "/src/tide/mod.rs")]


def test_a_rust_impl_says_what_the_type_implements():
    extract = read_sample("rust", PATH)
    assert refers(extract, "implements", "Gauge") == [("fmt.Display", "Display")]
    assert refers(extract, "extends", "Probe") == [("Send",), ("fmt.Debug", "Debug")]


def test_rust_calls_name_the_type_they_are_made_on():
    extract = read_sample("rust", PATH)
    assert ("Gauge.level", "level") in refers(extract, "calls", "Gauge.read")
    assert ("log_reading",) in refers(extract, "calls", "Gauge.read")
    assert refers(extract, "calls", "Gauge.level") == [("Level.from_metres", "from_metres"), ("measure",)]


def test_rust_tests_are_marked_by_their_attributes():
    extract = read_sample("rust", PATH)
    assert symbol(extract, "tests").facets["test"] is True
    assert symbol(extract, "tests.test_all").facets["test"] is True
    assert symbol(extract, "all").facets["test"] is False
    assert refers(extract, "tests", "tests.test_all") == [("all",)]
