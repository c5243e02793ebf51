from reading_code import exported, file_of, kinds, lines, read_sample, refers, source, symbol

from dowse.ingest.code import read_code

PATH = "scripts/warn-couriers.sh"


def test_every_function_and_constant_of_a_bash_script_becomes_a_symbol():
    assert kinds(read_sample("bash", PATH)) == {
        "QUAY_HEIGHT": "constant",
        "PORTS": "constant",
        "TIDE_SERVICE": "constant",
        "ATTEMPTS": "constant",
        "height_at": "function",
        "read_height": "function",
        "_compose": "function",
        "warn": "function",
        "cleanup": "function",
        "main": "function",
    }


def test_a_bash_script_says_what_it_is_and_what_it_sources():
    record = file_of(read_sample("bash", PATH))
    assert record.fields["doc"] == "Warns the couriers of a port before the tide is too high for the quay."
    assert record.fields["imports"] == "$here/lib/signals.sh ./lib/tides.sh"
    assert record.facets == {"language": "bash", "test": False}


def test_a_bash_function_has_its_signature_doc_and_lines():
    record = symbol(read_sample("bash", PATH), "height_at")
    assert record.fields["signature"] == "height_at()"
    assert record.fields["doc"] == "The height that is expected at a port.\n\n$1: name of the port"
    assert record.fields["body"].endswith("read_height\n}")
    assert lines(record) == (21, 24)
    assert record.parent == "acme:scripts/warn-couriers.sh"


def test_bash_functions_are_found_however_they_are_written():
    extract = read_sample("bash", PATH)
    assert symbol(extract, "read_height").fields["signature"] == "function read_height"
    assert symbol(extract, "_compose").fields["signature"] == "function _compose()"
    assert symbol(extract, "cleanup").fields["body"].startswith("(\n")


def test_a_bash_here_document_stays_in_its_function():
    body = symbol(read_sample("bash", PATH), "_compose").fields["body"]
    assert "Couriers of $port: stay away from the quay." in body
    assert refers(read_sample("bash", PATH), "calls", "_compose") == []


def test_a_bash_name_with_an_underscore_before_it_is_not_for_others():
    assert "_compose" not in exported(read_sample("bash", PATH))
    assert {"warn", "QUAY_HEIGHT"} <= set(exported(read_sample("bash", PATH)))


def test_a_sourced_bash_file_is_looked_for_beside_the_script_and_below_the_root():
    assert refers(read_sample("bash", PATH), "imports") == [
        ("/scripts/lib/signals.sh", "/lib/signals.sh", "lib/signals.sh"),
        ("/scripts/lib/tides.sh", "/lib/tides.sh"),
    ]


def test_a_bash_file_sourced_from_the_folder_of_the_script_is_found_by_its_end():
    written = 'source "$(dirname "$0")/../log.sh"\n. $ROOT/env\nsource \'a.sh\'\n'
    assert refers(read_code(source("bash", "bin/run", written)), "imports") == [
        ("/log.sh", "log.sh"),
        ("/bin/env", "/env", "env"),
        ("/bin/a.sh", "/a.sh"),
    ]


def test_what_bash_sources_from_elsewhere_means_no_file_of_the_project():
    written = 'source /etc/profile\n. ~/.bashrc\nsource "$file"\nsource "lib/${name}.sh"\n'
    assert refers(read_code(source("bash", "run", written)), "imports") == []


def test_bash_calls_are_commands_that_are_no_common_program():
    extract = read_sample("bash", PATH)
    assert refers(extract, "calls", "warn") == [("_compose",), ("deliver",), ("say",), ("fail",)]
    assert refers(extract, "calls", "height_at") == [("read_height",)]
    assert refers(extract, "calls") == [("cleanup",), ("main",)]


def test_functions_of_a_bash_test_file_are_tests():
    extract = read_code(source("bash", "tests/test_tides.sh", "test_warn() {\n    warn oban 500\n}\n"))
    assert symbol(extract, "test_warn").facets["test"] is True
    assert refers(extract, "tests", "test_warn") == [("warn",)]
    assert refers(extract, "calls", "test_warn") == [("warn",)]


def test_what_every_bash_script_sets_is_no_constant_of_its_own():
    assert kinds(read_code(source("bash", "run", "PATH=/opt\nexport LANG=C\nBERTHS=3\n"))) == {"BERTHS": "constant"}
