from reading_code import exported, file_of, kinds, lines, read_sample, refers, source, symbol

from dowse.ingest.code import read_code

PATH = "web/courier.js"


def test_every_definition_of_a_javascript_file_becomes_a_symbol_of_its_kind():
    assert kinds(read_sample("javascript", PATH)) == {
        "MOST_ATTEMPTS": "constant",
        "PAUSES": "constant",
        "Courier": "class",
        "Courier.LONGEST_TEXT": "constant",
        "Courier.constructor": "method",
        "Courier.deliver": "method",
        "Courier.#shorten": "method",
        "Courier.announce": "method",
        "Courier.name": "method",
        "Siren": "class",
        "Siren.send": "method",
        "deliverAll": "function",
        "pauses": "function",
        "quietly": "function",
        "loud": "function",
        "Siren.test": "method",
        "warmUp": "function",
    }


def test_a_javascript_file_says_what_it_is_exports_and_imports():
    record = file_of(read_sample("javascript", PATH))
    assert record.fields["doc"] == "Carries storm warnings from the page to the harbour office."
    assert record.fields["exports"] == "MOST_ATTEMPTS Courier deliverAll pauses quietly loud"
    assert record.fields["imports"].startswith("EventEmitter node:events retry pause wait ./retry.js * channels ../channels")


def test_a_javascript_function_has_its_signature_doc_and_lines():
    record = symbol(read_sample("javascript", PATH), "deliverAll")
    assert record.fields["signature"] == "async function deliverAll(warnings, courier)"
    assert record.fields["doc"] == "Every warning, in order."
    assert record.fields["body"].startswith("export\n{")
    assert lines(record) == (64, 68)


def test_a_javascript_class_has_its_doc_comment_and_only_declares_its_methods():
    record = symbol(read_sample("javascript", PATH), "Courier")
    assert record.fields["signature"] == "class Courier extends EventEmitter"
    assert record.fields["doc"].startswith("Delivers one warning after the other.\n\n@example new Courier")
    assert "\n\n  async deliver(warning, { forecast = null } = {})\n\n  #shorten(text)\n" in record.fields["body"]
    assert "A siren must not be retried." not in record.fields["body"]


def test_what_javascript_exports_is_marked_or_listed():
    names = exported(read_sample("javascript", PATH))
    assert "loud" in names
    assert "Courier.deliver" in names
    assert not {"PAUSES", "Siren", "Courier.#shorten", "warmUp"} & set(names)
    assert exported(read_sample("javascript", "web/legacy.js")) == ["rise"]


def test_functions_in_a_wrapper_are_symbols_and_those_in_callbacks_are_not():
    names = kinds(read_sample("javascript", PATH))
    assert "warmUp" in names
    assert "late" not in names
    assert "function late() {}" in symbol(read_sample("javascript", PATH), "module").fields["body"]


def test_a_relative_javascript_import_names_the_files_it_may_mean():
    imports = refers(read_sample("javascript", PATH), "imports")
    assert imports[0][:2] == ("/web/retry.js", "/web/retry.ts")
    assert "/channels/index.js" in imports[1]
    assert "src/styles/board.js" in imports[2]
    assert "/web/duty/roster.js" in imports[3]


def test_javascript_packages_are_not_looked_for_in_the_project():
    assert refers(read_code(source("javascript", "a.js", 'import React from "react";\n')), "imports") == []


def test_javascript_bases_and_calls_are_referred_to_by_name():
    extract = read_sample("javascript", PATH)
    assert refers(extract, "extends", "Siren") == [("channels.Channel", "Channel")]
    assert refers(extract, "calls", "Courier.deliver") == [
        ("Courier.#shorten", "#shorten"),
        ("send",),
        ("retry",),
        ("Courier.announce", "announce"),
    ]
    assert ("Courier",) in refers(extract, "calls", "warmUp")


def test_a_method_written_outside_of_its_javascript_class_belongs_to_it():
    assert symbol(read_sample("javascript", PATH), "Siren.test").parent == "acme:web/courier.js#Siren"


def test_a_javascript_test_refers_to_what_it_tests_by_its_name():
    extract = read_sample("javascript", "web/courier.test.js")
    assert file_of(extract).facets["test"] is True
    assert refers(extract, "tests")[0][0] == "/web/courier.js"
    assert refers(extract, "tests", "testDeliverAll") == [("deliverAll", "DeliverAll")]


def test_javascript_markup_calls_its_components():
    extract = read_code(source("javascript", "a.jsx", "export const Page = () => <Board><Clock /><p /></Board>;\n"))
    assert refers(extract, "calls", "Page") == [("Board",), ("Clock",)]
