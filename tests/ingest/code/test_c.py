from reading_code import defined, exported, file_of, kinds, lines, read_sample, refers, source, symbol

from dowse.ingest.code import read_code

PATH = "harbour/tide.c"
HEADER = "include/harbour/tide.h"


def test_every_definition_of_a_c_file_becomes_a_symbol_of_its_kind():
    assert kinds(read_sample("c", PATH)) == {
        "MOST_READINGS": "constant",
        "byte": "type",
        "tide_gauge": "class",
        "SMOOTHING_SECONDS": "constant",
        "KNOWN_PORTS": "constant",
        "mean": "function",
        "tide_level": "function",
        "tide_gauge_open": "function",
        "tide_gauge_close": "function",
        "main": "function",
    }


def test_a_c_header_has_its_types_macros_and_inline_functions_as_symbols():
    assert kinds(read_sample("c", HEADER)) == {
        "TIDE_LOWEST_SAFE": "constant",
        "TIDE_IS_SAFE": "function",
        "tide_direction": "enum",
        "tide_reading": "class",
        "tide_correction": "type",
        "tide_is_rising": "function",
    }


def test_a_c_file_says_what_it_is_and_includes():
    record = file_of(read_sample("c", PATH))
    assert record.fields["doc"] == "Reads the gauge and smooths what it says."
    assert record.fields["imports"] == "stdio.h stdlib.h harbour/tide.h serial.h"
    assert record.facets == {"language": "c", "test": False}


def test_a_c_function_has_its_signature_doc_and_lines():
    record = symbol(read_sample("c", PATH), "tide_level")
    assert record.fields["signature"] == "double tide_level(const tide_gauge *gauge)"
    assert record.fields["doc"] == "The level right now.\n\n@param gauge an open gauge"
    assert lines(record) == (52, 58)
    assert record.parent == "acme:harbour/tide.c"


def test_an_attribute_of_a_c_function_is_in_its_body_but_not_in_its_signature():
    record = symbol(read_sample("c", PATH), "tide_gauge_close")
    assert record.fields["signature"] == "void tide_gauge_close(tide_gauge *gauge)"
    assert record.fields["body"].startswith("__attribute__((cold))\n")


def test_a_static_c_function_or_constant_is_not_exported():
    assert exported(read_sample("c", PATH)) == [
        "byte", "tide_gauge", "tide_level", "tide_gauge_open", "tide_gauge_close", "main",
    ]  # fmt: skip


def test_all_that_a_c_header_holds_is_exported_even_if_it_is_static():
    assert exported(read_sample("c", HEADER)) == [
        "TIDE_LOWEST_SAFE", "TIDE_IS_SAFE", "tide_direction", "tide_reading", "tide_correction", "tide_is_rising",
    ]  # fmt: skip


def test_a_c_prototype_is_listed_by_its_header_and_does_not_hide_the_definition():
    header = read_sample("c", HEADER)
    assert "tide_level" not in defined(header)
    assert "tide_level" in file_of(header).fields["exports"].split()
    assert "The level right now; never negative." in symbol(header, "module").fields["body"]
    assert defined(read_sample("c", PATH))["tide_level"] == "tide_level"


def test_a_typedef_that_repeats_the_tag_of_a_struct_does_not_hide_the_struct():
    assert "tide_gauge" not in defined(read_sample("c", HEADER))


def test_a_typedef_and_the_struct_in_it_are_one_symbol_with_two_names():
    extract = read_code(source("c", "a.h", "/* Where it lies. */\ntypedef struct berth_s { int metres; } berth_t;\n"))
    assert kinds(extract) == {"berth_s": "class"}
    assert symbol(extract, "berth_s").fields["doc"] == "Where it lies."
    assert defined(extract) == {"berth_s": "berth_s", "berth_t": "berth_s"}


def test_a_typedef_names_a_struct_or_enum_that_has_no_tag():
    extract = read_code(source("c", "a.h", "typedef struct { int metres; } berth;\ntypedef enum { EBB, FLOOD } flow;\n"))
    assert kinds(extract) == {"berth": "class", "flow": "enum"}
    assert symbol(extract, "flow").fields["signature"] == "typedef enum { EBB, FLOOD } flow"


def test_c_macros_have_their_value_or_parameters_as_signature():
    extract = read_sample("c", HEADER)
    assert symbol(extract, "TIDE_LOWEST_SAFE").fields["signature"] == "#define TIDE_LOWEST_SAFE 1.4"
    assert symbol(extract, "TIDE_LOWEST_SAFE").fields["doc"] == "Below this many metres no ferry may leave."
    assert symbol(extract, "TIDE_IS_SAFE").fields["signature"] == "#define TIDE_IS_SAFE(level)"


def test_the_guard_of_a_c_header_is_no_constant():
    assert "HARBOUR_TIDE_H" not in defined(read_sample("c", HEADER))


def test_what_a_c_header_declares_for_cpp_as_well_is_read():
    guard = '#ifdef __cplusplus\nextern "C" {\n#endif\n'
    extract = read_code(
        source("c", "a.h", f"{guard}#define BERTHS 4\nstruct berth {{ int at; }};\n#ifdef __cplusplus\n}}\n#endif\n")
    )
    assert kinds(extract) == {"BERTHS": "constant", "berth": "class"}
    assert exported(extract) == ["BERTHS", "berth"]


def test_a_quoted_include_means_a_file_beside_or_the_end_of_a_path():
    assert refers(read_sample("c", PATH), "imports") == [
        ("/harbour/harbour/tide.h", "harbour/tide.h"),
        ("/harbour/serial.h", "serial.h"),
    ]


def test_an_include_in_angle_brackets_means_the_end_of_a_path_unless_it_is_the_systems():
    text = '#include <string.h>\n#include <harbour/tide.h>\n#include "../quay.h"\n'
    assert refers(read_code(source("c", "src/a.c", text)), "imports") == [("harbour/tide.h",), ("/quay.h",)]


def test_c_calls_come_from_the_function_that_holds_them():
    extract = read_sample("c", PATH)
    assert refers(extract, "calls", "tide_level") == [("mean",), ("correct",)]
    assert refers(extract, "calls", "main") == [("tide_gauge_open",), ("tide_level",), ("tide_gauge_close",)]


def test_a_c_test_refers_to_the_file_it_tests():
    extract = read_code(source("c", "tests/test_tide.c", "void test_tide_level(void)\n{\n    tide_level(0);\n}\n"))
    assert symbol(extract, "test_tide_level").facets["test"] is True
    assert refers(extract, "tests", "test_tide_level") == [("tide_level",)]
    assert "tide.c" in refers(extract, "tests")[0]
