from reading_code import defined, exported, file_of, kinds, lines, read_sample, refers, source, symbol

from dowse.ingest.code import read_code

PATH = "src/main/kotlin/harbour/Courier.kt"


def test_every_definition_of_a_kotlin_file_becomes_a_symbol_of_its_kind():
    assert kinds(read_sample("kotlin", PATH)) == {
        "HEAVIEST": "constant",
        "PAUSE": "constant",
        "Receipts": "type",
        "Carrier": "interface",
        "Carrier.carry": "method",
        "Parcel": "class",
        "Outcome": "enum",
        "Outcome.sentence": "method",
        "Event": "class",
        "Event.Arrived": "class",
        "Event.Delayed": "class",
        "Courier": "class",
        "Courier.heavy": "method",
        "Courier.carry": "method",
        "Courier.announce": "method",
        "Courier.MOST_PARCELS": "constant",
        "Courier.default": "method",
        "Quay": "class",
        "Quay.open": "method",
        "Parcel.isHeavy": "method",
        "carryAll": "function",
    }


def test_a_kotlin_file_says_what_it_is_exports_and_imports():
    record = file_of(read_sample("kotlin", PATH))
    assert record.fields["doc"] == "Couriers take parcels from one quay to the next."
    assert record.fields["exports"].startswith("HEAVIEST Receipts Carrier Parcel Outcome Event Courier Quay")
    assert record.fields["imports"].endswith("harbour.tides.Tide Water")


def test_a_kotlin_method_has_its_signature_doc_lines_and_parent():
    record = symbol(read_sample("kotlin", PATH), "Courier.carry")
    assert record.fields["signature"] == "override suspend fun carry(parcel: Parcel): Boolean"
    assert record.fields["doc"] == "Waits for the tide if the water is low."
    assert lines(record) == (51, 59)
    assert record.parent == f"acme:{PATH}#Courier"


def test_kotlin_data_and_sealed_classes_say_so_in_their_signatures():
    extract = read_sample("kotlin", PATH)
    assert (
        symbol(extract, "Parcel").fields["signature"] == "data class Parcel(val from: String, val to: String, val weight: Double)"
    )
    assert symbol(extract, "Event").fields["signature"] == "sealed class Event"
    assert refers(extract, "extends", "Event.Delayed") == [("Event",)]


def test_what_is_in_a_kotlin_companion_belongs_to_the_class():
    assert symbol(read_sample("kotlin", PATH), "Courier.default").parent == f"acme:{PATH}#Courier"


def test_a_kotlin_extension_belongs_to_the_type_it_extends():
    record = symbol(read_sample("kotlin", PATH), "Parcel.isHeavy")
    assert record.fields["signature"] == "fun Parcel.isHeavy(): Boolean"
    assert record.parent == f"acme:{PATH}#Parcel"


def test_kotlin_definitions_are_also_known_by_their_package():
    names = defined(read_sample("kotlin", PATH))
    assert names["harbour.couriers.carryAll"] == "carryAll"
    assert names["harbour.couriers.Courier.carry"] == "Courier.carry"


def test_what_is_private_or_internal_in_kotlin_is_not_exported():
    names = exported(read_sample("kotlin", PATH))
    assert [name for name in kinds(read_sample("kotlin", PATH)) if name not in names] == ["PAUSE", "Courier.announce"]


def test_a_kotlin_import_means_what_it_names_and_one_of_a_package_nothing():
    assert refers(read_sample("kotlin", PATH), "imports") == [("harbour.charts.Depth",), ("harbour.tides.Tide",)]


def test_a_kotlin_base_that_is_constructed_is_extended_and_the_others_are_implemented():
    extract = read_sample("kotlin", PATH)
    assert refers(extract, "extends", "Courier") == [("Base",)]
    assert refers(extract, "implements", "Courier") == [("Carrier",), ("Comparable",)]
    assert refers(extract, "extends", "Carrier") == [("AutoCloseable",)]


def test_kotlin_calls_come_from_the_function_that_holds_them():
    calls = refers(read_sample("kotlin", PATH), "calls", "Courier.carry")
    assert calls[:2] == [("at",), ("deep",)]
    assert ("Event.Arrived", "Arrived") in calls
    assert refers(read_sample("kotlin", PATH), "calls", "carryAll") == [("carry",)]


def test_a_kotlin_test_is_known_by_its_annotation():
    text = "class Checks {\n    @Test\n    fun carries() { }\n    fun other() { }\n}\n"
    extract = read_code(source("kotlin", "a.kt", text))
    assert symbol(extract, "Checks.carries").facets["test"] is True
    assert symbol(extract, "Checks.other").facets["test"] is False


def test_a_kotlin_class_with_an_internal_constructor_is_exported():
    assert exported(read_code(source("kotlin", "a.kt", "class Quay internal constructor(val berths: Int)\n"))) == ["Quay"]
