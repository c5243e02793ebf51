from reading_code import defined, exported, file_of, kinds, lines, read_sample, refers, source, symbol

from dowse.ingest.code import read_code

HEADER = "include/harbour/router.hpp"
PATH = "src/router.cpp"


def test_every_definition_of_a_cpp_header_becomes_a_symbol_of_its_kind():
    assert kinds(read_sample("cpp", HEADER)) == {
        "Leg": "class",
        "Leg.operator==": "method",
        "Tide": "enum",
        "Route": "type",
        "Carrier": "class",
        "Carrier.carry": "method",
        "Router": "class",
        "Router.kMostLegs": "constant",
        "Router.count": "method",
        "Router.Wait": "class",
        "Router.waiting": "method",
        "total": "function",
    }


def test_a_cpp_method_written_outside_of_its_class_belongs_to_the_class():
    assert kinds(read_sample("cpp", PATH)) == {
        "kLockMinutes": "constant",
        "kHome": "constant",
        "penalty": "function",
        "Router.Router": "method",
        "Router.~Router": "method",
        "Router.carry": "method",
        "Router.route": "method",
        "Router.operator+=": "method",
        "Ledger.newest": "method",
        "make_carrier": "function",
        "REGISTER": "function",
    }


def test_a_cpp_method_outside_of_its_class_has_the_class_as_parent_if_the_file_has_it():
    extract = read_code(source("cpp", "a.cc", "class Quay { int berths(); };\nint Quay::berths() { return 4; }\n"))
    assert symbol(extract, "Quay.berths").parent == "acme:a.cc#Quay"
    assert symbol(read_sample("cpp", PATH), "Router.route").parent == "acme:src/router.cpp"


def test_a_cpp_method_that_is_only_declared_stays_in_the_body_of_its_class():
    header = read_sample("cpp", HEADER)
    assert "Router.route" not in defined(header)
    assert "[[nodiscard]] Route route(const std::string& from" in symbol(header, "Router").fields["body"]
    assert defined(read_sample("cpp", PATH))["Router.route"] == "Router.route"


def test_a_cpp_method_has_its_signature_doc_and_lines():
    record = symbol(read_sample("cpp", PATH), "Router.route")
    assert record.fields["signature"] == "Route Router::route(const std::string& from, const std::string& to) const"
    assert record.fields["doc"] == "Asks the charts, then the tide."
    assert lines(record) == (36, 44)


def test_the_signature_of_a_cpp_constructor_ends_before_what_it_initialises():
    assert symbol(read_sample("cpp", PATH), "Router.Router").fields["signature"] == "Router::Router(Channel& channel)"


def test_a_pure_virtual_cpp_method_is_a_symbol():
    record = symbol(read_sample("cpp", HEADER), "Carrier.carry")
    assert record.fields["signature"] == "virtual void carry(const Leg& leg) = 0"
    assert record.fields["doc"] == "Takes a parcel along."


def test_a_cpp_template_is_read_with_its_parameters():
    record = symbol(read_sample("cpp", HEADER), "total")
    assert record.fields["signature"] == "int total(const Legs& legs)"
    assert record.fields["doc"] == "The sum over all legs."
    assert record.fields["body"].startswith("template <typename Legs>\n{")
    assert lines(record) == (61, 67)


def test_a_cpp_file_says_what_it_is_exports_and_includes():
    record = file_of(read_sample("cpp", HEADER))
    assert record.fields["doc"] == "@file\nFinds the way of a parcel across the harbour."
    assert record.fields["exports"] == "Leg Tide Route Carrier Router total"
    assert record.fields["imports"] == "string vector harbour/channel.hpp"


def test_cpp_definitions_are_also_known_by_their_namespace():
    names = defined(read_sample("cpp", PATH))
    assert names["harbour.routing.Router.route"] == names["Router.route"] == names["route"] == "Router.route"


def test_a_cpp_namespace_inside_another_is_a_module_with_members():
    text = "namespace harbour {\nnamespace locks {\nint count() { return 2; }\n}\n}\n"
    extract = read_code(source("cpp", "a.cc", text))
    assert kinds(extract) == {"locks": "module", "locks.count": "function"}
    assert defined(extract)["harbour.locks.count"] == "locks.count"


def test_what_is_static_or_in_a_cpp_namespace_without_a_name_is_not_exported():
    assert "static" in symbol(read_sample("cpp", PATH), "kHome").fields["signature"]
    assert [name for name in kinds(read_sample("cpp", PATH)) if name not in exported(read_sample("cpp", PATH))] == [
        "kLockMinutes",
        "kHome",
        "penalty",
    ]


def test_cpp_bases_are_referred_to_without_their_type_arguments():
    assert refers(read_sample("cpp", HEADER), "extends", "Router") == [("Carrier",), ("detail.Clock", "Clock")]


def test_cpp_includes_mean_files_of_the_project_and_not_the_standard_library():
    assert refers(read_sample("cpp", PATH), "imports") == [
        ("/src/harbour/router.hpp", "harbour/router.hpp"),
        ("harbour/charts/depth.h",),
    ]


def test_cpp_calls_come_from_the_method_that_holds_them():
    extract = read_sample("cpp", PATH)
    assert refers(extract, "calls", "Router.carry") == [("Router.announce", "announce"), ("send",)]
    assert refers(extract, "calls", "Router.route") == [
        ("Leg",),
        ("depth",),
        ("penalty",),
        ("total",),
        ("Router.limit", "limit"),
    ]


def test_a_cpp_test_is_named_as_its_macro_says():
    extract = read_code(source("cpp", "src/router_check.cc", "TEST_F(RouterTest, FindsTheQuay) {\n  route();\n}\n"))
    assert kinds(extract) == {"RouterTest.FindsTheQuay": "method"}
    assert symbol(extract, "RouterTest.FindsTheQuay").facets["test"] is True


def test_cpp_operators_of_any_kind_are_symbols():
    text = "struct Level {\n  explicit operator bool() const { return true; }\n  Level* operator->() { return this; }\n};\n"
    assert kinds(read_code(source("cpp", "a.cc", text))) == {"Level": "class", "Level.bool": "method", "Level.operator->": "method"}
