from reading_code import defined, exported, file_of, kinds, lines, read_sample, refers, symbol

PATH = "internal/courier/courier.go"


def test_every_definition_of_a_go_file_becomes_a_symbol_of_its_kind():
    assert kinds(read_sample("go", PATH)) == {
        "MostAttempts": "constant",
        "Arrived": "constant",
        "Lost": "constant",
        "pauses": "constant",
        "ErrLost": "constant",
        "first": "constant",
        "Delivery": "type",
        "Channel": "interface",
        "Courier": "class",
        "Warning": "class",
        "Handler": "type",
        "Alias": "type",
        "New": "function",
        "Courier.Deliver": "method",
        "Delivery.String": "method",
        "shorten": "function",
        "init": "function",
    }


def test_a_go_file_says_what_it_is_exports_and_imports():
    record = file_of(read_sample("go", PATH))
    assert record.fields["doc"] == "Package courier carries storm warnings to the people on duty."
    assert record.fields["exports"] == (
        "courier MostAttempts Arrived Lost ErrLost Delivery Channel Courier Warning Handler Alias New"
    )
    assert record.fields["imports"] == (
        "context fmt duty saltmarsh.example/harbour/internal/duty saltmarsh.example/harbour/tide/v2 errors"
    )


def test_a_go_method_belongs_to_its_receiver_and_has_signature_doc_and_lines():
    record = symbol(read_sample("go", PATH), "Courier.Deliver")
    assert record.parent == "acme:internal/courier/courier.go#Courier"
    assert record.fields["signature"] == "func (c *Courier[W]) Deliver(ctx context.Context, w Warning) (Delivery, error)"
    assert record.fields["doc"] == "Deliver tries until the warning arrives.\n\nIt gives up after MostAttempts."
    assert lines(record) == (66, 75)


def test_go_types_have_their_signature_and_doc():
    extract = read_sample("go", PATH)
    assert symbol(extract, "Courier").fields["signature"] == "type Courier[W any] struct"
    assert symbol(extract, "Channel").fields["signature"] == "type Channel interface"
    assert symbol(extract, "Warning").fields["doc"] == "Warning is what is delivered."
    assert symbol(extract, "Arrived").fields["doc"] == "Arrived means that somebody has it."


def test_what_go_exports_begins_with_a_capital():
    names = exported(read_sample("go", PATH))
    assert {"New", "Courier.Deliver", "Delivery.String"} <= set(names)
    assert not {"shorten", "init", "pauses", "first"} & set(names)


def test_a_go_import_names_the_file_that_stands_for_the_package():
    imports = refers(read_sample("go", PATH), "imports")
    assert imports[0][:3] == ("harbour/internal/duty/duty.go", "harbour/internal/duty/doc.go", "internal/duty/duty.go")
    assert imports[1][0] == "harbour/tide/v2/tide.go"
    assert len(imports) == 2


def test_what_a_go_type_embeds_is_what_it_extends():
    extract = read_sample("go", PATH)
    assert refers(extract, "extends", "Courier") == [("duty.Roster", "Roster"), ("Base",)]
    assert refers(extract, "extends", "Channel") == [("fmt.Stringer", "Stringer")]


def test_a_go_call_into_a_package_is_known_by_its_full_name_only():
    calls = refers(read_sample("go", PATH), "calls", "Courier.Deliver")
    assert ("tide.Foretell",) in calls
    assert ("Send",) in calls
    assert ("shorten",) in calls


def test_go_definitions_are_known_by_their_package_too():
    names = defined(read_sample("go", PATH))
    assert names["courier.New"] == "New"
    assert names["courier.Courier.Deliver"] == "Courier.Deliver"
    assert names["second"] == "first"


def test_a_go_test_refers_to_what_it_tests_by_its_name():
    extract = read_sample("go", "internal/courier/courier_test.go")
    assert refers(extract, "tests")[0][0] == "/internal/courier/courier.go"
    assert refers(extract, "tests", "TestCourier_Deliver") == [("Courier.Deliver", "Courier_Deliver")]
    assert refers(extract, "tests", "TestShorten") == [("Shorten",)]


def test_what_is_left_of_grouped_go_declarations_makes_no_block():
    block = symbol(read_sample("go", PATH), "module")
    assert block.fields["body"] == "// Copyright 2026 The Saltmarsh Authors. All rights reserved."
