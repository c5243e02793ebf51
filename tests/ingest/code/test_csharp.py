from reading_code import defined, exported, file_of, kinds, lines, read_sample, refers, source, symbol

from dowse.ingest.code import read_code

PATH = "src/Harbour.Couriers/Courier.cs"
TESTS = "tests/Harbour.Couriers.Tests/CourierTests.cs"


def test_every_definition_of_a_csharp_file_becomes_a_symbol_of_its_kind():
    assert kinds(read_sample("csharp", PATH)) == {
        "ICarrier": "interface",
        "ICarrier.CarryAsync": "method",
        "Parcel": "class",
        "Parcel.IsHeavy": "method",
        "Outcome": "enum",
        "Arrival": "type",
        "Berth": "class",
        "Courier": "class",
        "Courier.HeaviestByHand": "constant",
        "Courier.Pause": "constant",
        "Courier.Courier": "method",
        "Courier.this": "method",
        "Courier.CarryAsync": "method",
        "Courier.Dispose": "method",
        "Courier.+": "method",
        "Courier.Announce": "method",
        "Courier.Receipt": "class",
        "Courier.Receipt.Receipt": "method",
        "CourierExtensions": "class",
        "CourierExtensions.CarryAll": "method",
    }


def test_a_csharp_file_says_what_it_is_exports_and_uses():
    record = file_of(read_sample("csharp", PATH))
    assert record.fields["doc"] == "Couriers take parcels from one quay to the next."
    assert record.fields["exports"] == "ICarrier Parcel Outcome Arrival Courier CourierExtensions"
    assert record.fields["imports"].endswith("Harbour.Tides Chart Harbour.Charts.DepthChart")


def test_a_csharp_method_has_its_signature_doc_lines_and_parent():
    record = symbol(read_sample("csharp", PATH), "Courier.CarryAsync")
    assert record.fields["signature"] == (
        "public override async Task<bool> CarryAsync(Parcel parcel, CancellationToken stop = default)"
    )
    assert record.fields["doc"] == "Waits for the tide if the water is low."
    assert record.fields["body"].lstrip().startswith("[Retry(Times = 3)]\n")
    assert lines(record) == (67, 78)
    assert record.parent == "acme:src/Harbour.Couriers/Courier.cs#Courier"


def test_the_summary_of_a_csharp_definition_is_its_doc_without_tags():
    assert symbol(read_sample("csharp", PATH), "Courier").fields["doc"] == "Delivers one parcel after the other."


def test_a_csharp_property_that_computes_is_a_method_and_one_that_holds_a_value_stays_in_its_class():
    extract = read_sample("csharp", PATH)
    assert symbol(extract, "Parcel.IsHeavy").fields["signature"] == "public bool IsHeavy"
    assert "public string Name { get; private set; }" in symbol(extract, "Courier").fields["body"]


def test_a_csharp_record_needs_no_body():
    extract = read_code(source("csharp", "a.cs", "public record Berth(int Number) : Place(Number);\n"))
    assert symbol(extract, "Berth").fields["signature"] == "public record Berth(int Number) : Place(Number)"
    assert refers(extract, "extends", "Berth") == [("Place",)]


def test_csharp_definitions_are_also_known_by_their_namespace():
    assert defined(read_sample("csharp", PATH))["Harbour.Couriers.Courier.CarryAsync"] == "Courier.CarryAsync"
    assert defined(read_sample("csharp", TESTS))["Harbour.Couriers.Tests.Slow.StillClock"] == "Slow.StillClock"
    assert kinds(read_sample("csharp", TESTS))["Slow"] == "module"


def test_what_csharp_exports_is_what_is_public():
    names = exported(read_sample("csharp", PATH))
    assert "ICarrier.CarryAsync" in names
    assert [name for name in kinds(read_sample("csharp", PATH)) if name not in names] == [
        "Berth",
        "Courier.Pause",
        "Courier.Announce",
        "Courier.Receipt",
        "Courier.Receipt.Receipt",
    ]


def test_csharp_bases_named_like_interfaces_are_implemented_and_others_extended():
    extract = read_sample("csharp", PATH)
    assert refers(extract, "extends", "Courier") == [("CarrierBase",)]
    assert refers(extract, "implements", "Courier") == [("ICarrier",), ("IDisposable",)]


def test_a_csharp_using_of_a_type_refers_to_it_and_one_of_a_namespace_to_nothing():
    assert refers(read_sample("csharp", PATH), "imports") == [("Harbour.Charts.DepthChart",)]


def test_csharp_calls_come_from_the_method_that_holds_them():
    assert refers(read_sample("csharp", PATH), "calls", "Courier.CarryAsync") == [
        ("Depth",),
        ("Deep",),
        ("Courier.WaitAsync", "WaitAsync"),
        ("Tide.Next", "Next"),
        ("Announce",),
        ("Receipt",),
    ]


def test_a_csharp_test_is_known_by_its_attribute_and_refers_to_its_class():
    extract = read_code(
        source("csharp", "a.cs", "class Checks\n{\n    [Fact]\n    public void Carries() { }\n    void Other() { }\n}\n")
    )
    assert symbol(extract, "Checks.Carries").facets["test"] is True
    assert symbol(extract, "Checks.Other").facets["test"] is False
    assert refers(read_sample("csharp", TESTS), "tests", "CourierTests") == [("Courier",)]
