from reading_code import defined, exported, file_of, kinds, lines, read_sample, refers, source, symbol

from dowse.ingest.code import read_code

PATH = "Sources/Harbour/Courier.swift"


def test_every_definition_of_a_swift_file_becomes_a_symbol_of_its_kind():
    assert kinds(read_sample("swift", PATH)) == {
        "heaviest": "constant",
        "Receipts": "type",
        "Carrier": "interface",
        "Carrier.carry": "method",
        "Parcel": "class",
        "Parcel.smallest": "constant",
        "Parcel.init": "method",
        "Outcome": "enum",
        "Outcome.isGood": "method",
        "Courier": "class",
        "Courier.init": "method",
        "Courier.deinit": "method",
        "Courier.carry": "method",
        "Courier.subscript": "method",
        "Courier.announce": "method",
        "Courier.description": "method",
        "Courier.==": "method",
        "carryAll": "function",
    }


def test_a_swift_file_says_what_it_is_exports_and_imports():
    record = file_of(read_sample("swift", PATH))
    assert record.fields["doc"] == "Couriers take parcels from one quay to the next."
    assert record.fields["exports"] == "heaviest Receipts Carrier Parcel Outcome Courier carryAll"
    assert record.fields["imports"] == "Foundation @testable HarbourTides struct Charts.Depth"


def test_a_swift_method_has_its_signature_doc_lines_and_parent():
    record = symbol(read_sample("swift", PATH), "Courier.carry")
    assert record.fields["signature"] == "public func carry(_ parcel: Parcel) async throws -> Bool"
    assert record.fields["doc"] == "Waits for the tide if the water is low."
    assert record.fields["body"].lstrip().startswith("@discardableResult\n")
    assert lines(record) == (62, 70)
    assert record.parent == f"acme:{PATH}#Courier"


def test_what_a_swift_extension_adds_belongs_to_the_type():
    extract = read_sample("swift", PATH)
    assert symbol(extract, "Courier.description").parent == f"acme:{PATH}#Courier"
    assert ("CustomStringConvertible",) in refers(extract, "implements", "Courier")


def test_a_swift_extension_of_a_type_from_elsewhere_names_its_members_after_it():
    extract = read_code(source("swift", "a.swift", "extension String {\n    func knots() -> Int { 2 }\n}\n"))
    assert kinds(extract) == {"String.knots": "method"}
    assert defined(extract)["String.knots"] == "String.knots"
    assert symbol(extract, "String.knots").parent == "acme:a.swift"


def test_the_cases_of_a_swift_enum_are_in_its_body():
    body = symbol(read_sample("swift", PATH), "Outcome").fields["body"]
    assert "case lost(at: String)" in body
    assert "var isGood: Bool" in body


def test_private_members_of_swift_types_are_not_exported():
    names = exported(read_sample("swift", PATH))
    assert [name for name in kinds(read_sample("swift", PATH)) if name not in names] == ["Courier.announce"]


def test_a_swift_class_extends_its_first_base_and_implements_the_others():
    extract = read_sample("swift", PATH)
    assert refers(extract, "extends", "Courier") == [("Base",)]
    assert refers(extract, "implements", "Courier")[0] == ("Carrier",)
    assert refers(extract, "implements", "Parcel") == [("Codable",), ("Hashable",)]
    assert refers(extract, "extends", "Carrier") == [("AnyObject",), ("Sendable",)]


def test_a_swift_import_of_one_definition_means_it_and_one_of_a_module_nothing():
    assert refers(read_sample("swift", PATH), "imports") == [("Depth",)]


def test_swift_calls_come_from_the_function_that_holds_them():
    extract = read_sample("swift", PATH)
    assert refers(extract, "calls", "Courier.carry") == [
        ("at",),
        ("deep",),
        ("Courier.wait",),
        ("Tide.next", "next"),
        ("announce",),
    ]
    assert refers(extract, "calls", "carryAll") == [("carry",)]


def test_a_swift_test_is_known_by_its_attribute():
    extract = read_code(source("swift", "a.swift", "struct Checks {\n    @Test func carries() { }\n    func other() { }\n}\n"))
    assert symbol(extract, "Checks.carries").facets["test"] is True
    assert symbol(extract, "Checks.other").facets["test"] is False


def test_a_swift_property_with_a_private_setter_is_exported():
    text = "public struct Quay {\n    public private(set) var berths: Int { get { 4 } set { } }\n    private var at: Int { 1 }\n}\n"
    assert exported(read_code(source("swift", "a.swift", text))) == ["Quay", "Quay.berths"]
