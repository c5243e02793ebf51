from reading_code import defined, exported, file_of, kinds, lines, read_sample, refers, source, symbol

from dowse.ingest.code import read_code

PATH = "db/harbour.sql"


def test_everything_that_sql_creates_becomes_a_symbol():
    assert kinds(read_sample("sql", PATH)) == {
        "tide_state": "enum",
        "parcel_numbers": "constant",
        "ports": "type",
        "crew.couriers": "type",
        "parcels": "type",
        "tides": "type",
        "tides_by_port": "constant",
        "last_height": "function",
        "reachable_ports": "type",
        "loads": "type",
        "note_flood": "function",
        "floods_after_tides": "function",
    }


def test_an_sql_file_says_what_it_is():
    record = file_of(read_sample("sql", PATH))
    assert record.fields["doc"].startswith("The harbour: its ports, who sails between them")
    assert record.facets == {"language": "sql", "test": False}


def test_an_sql_table_has_its_signature_doc_and_lines():
    record = symbol(read_sample("sql", PATH), "crew.couriers")
    assert record.title == "couriers"
    assert record.fields["signature"] == "CREATE TABLE IF NOT EXISTS crew.couriers"
    assert record.fields["doc"] == "Whoever carries parcels.\nA courier has one home."
    assert "home_id integer NOT NULL" in record.fields["body"]
    assert lines(record) == (17, 21)
    assert record.parent == "acme:db/harbour.sql"


def test_an_sql_function_has_its_arguments_and_result_as_signature():
    record = symbol(read_sample("sql", PATH), "last_height")
    assert record.fields["signature"] == "CREATE FUNCTION last_height(port integer) RETURNS numeric"
    assert record.fields["doc"] == "How high the water stood last at a port."


def test_an_sql_view_ends_its_signature_before_its_query():
    assert symbol(read_sample("sql", PATH), "reachable_ports").fields["signature"] == "CREATE OR REPLACE VIEW reachable_ports"
    assert symbol(read_sample("sql", PATH), "loads").fields["signature"] == "CREATE MATERIALIZED VIEW loads"


def test_all_that_sql_creates_is_for_others():
    extract = read_sample("sql", PATH)
    assert exported(extract) == list(kinds(extract))


def test_an_sql_table_refers_to_the_tables_of_its_foreign_keys():
    extract = read_sample("sql", PATH)
    assert refers(extract, "calls", "crew.couriers") == [("ports",)]
    assert refers(extract, "calls", "parcels") == [("couriers",), ("ports",)]


def test_an_sql_view_refers_to_the_tables_and_functions_it_is_made_from():
    extract = read_sample("sql", PATH)
    assert refers(extract, "calls", "reachable_ports") == [("ports",), ("tides",), ("last_height",)]
    assert refers(extract, "calls", "loads") == [("couriers",), ("parcels",)]


def test_sql_functions_triggers_and_indexes_refer_to_what_they_use():
    extract = read_sample("sql", PATH)
    assert refers(extract, "calls", "last_height") == [("tides",)]
    assert refers(extract, "calls", "note_flood") == [("floods",)]
    assert refers(extract, "calls", "floods_after_tides") == [("tides",), ("note_flood",)]
    assert refers(extract, "calls", "tides_by_port") == [("tides",)]


def test_sql_statements_that_create_nothing_refer_from_the_file():
    assert refers(read_sample("sql", PATH), "calls") == [("parcels",), ("weights",), ("ports",)]
    assert "'mallaig'" in symbol(read_sample("sql", PATH), "module").fields["body"]


def test_an_sql_table_is_known_with_and_without_its_schema():
    names = defined(read_sample("sql", PATH))
    assert names["couriers"] == names["crew.couriers"] == "crew.couriers"


def test_sql_that_the_grammar_does_not_know_is_kept_as_text():
    written = "CREATE TABLE ports (id integer);\nCREATE PROCEDURE dock(boat integer) AS $$ UPDATE boats SET moored = 1; $$;\n"
    extract = read_code(source("sql", "a.sql", written))
    assert kinds(extract) == {"ports": "type"}
    assert "CREATE PROCEDURE dock" in symbol(extract, "module").fields["body"]
