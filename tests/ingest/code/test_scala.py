from reading_code import defined, exported, file_of, kinds, lines, read_sample, refers, source, symbol

from dowse.ingest.code import read_code

PATH = "src/main/scala/harbour/couriers/Courier.scala"


def test_every_definition_of_a_scala_file_becomes_a_symbol_of_its_kind():
    assert kinds(read_sample("scala", PATH)) == {
        "Courier": "interface",
        "Courier.carry": "method",
        "Courier.latest": "method",
        "Ferry": "class",
        "Ferry.carry": "method",
        "Ferry.load": "method",
        "Courier~2": "class",
        "Courier.MarginSeconds": "constant",
        "Courier.Fallback": "constant",
        "Courier.fastest": "method",
        "Manifest": "type",
        "Receipt": "enum",
        "Receipt.Delivered": "constant",
        "Receipt.Delayed": "constant",
        "Receipt.isOpen": "method",
        "byBerths": "class",
        "byBerths.compare": "method",
        "Ferry.fits": "method",
        "total": "function",
    }


def test_a_scala_file_says_what_it_imports_and_keeps_its_licence_as_text():
    record = file_of(read_sample("scala", PATH))
    assert "doc" not in record.fields
    assert "harbour.tides. Forecast Level TideLevel harbour.ports.Port" in record.fields["imports"]
    assert record.facets == {"language": "scala", "test": False}


def test_a_scala_trait_has_its_signature_doc_and_lines():
    record = symbol(read_sample("scala", PATH), "Courier")
    assert record.fields["signature"] == "sealed trait Courier extends Named with Scheduled"
    assert record.fields["doc"] == "Whatever can carry a parcel over water."
    assert lines(record) == (15, 20)
    assert record.parent == "acme:src/main/scala/harbour/couriers/Courier.scala"


def test_a_scala_method_has_its_signature_without_its_annotations():
    record = symbol(read_sample("scala", PATH), "Ferry.load")
    assert record.fields["signature"] == "def load(parcel: Parcel): Future[Receipt]"
    assert record.fields["body"].lstrip().startswith("@deprecated(")
    assert record.parent == "acme:src/main/scala/harbour/couriers/Courier.scala#Ferry"


def test_a_scala_case_class_and_a_companion_object_are_symbols_with_members():
    extract = read_sample("scala", PATH)
    assert symbol(extract, "Ferry").fields["signature"].startswith("final case class Ferry(name: String, berths: Int) extends")
    assert symbol(extract, "Courier~2").fields["signature"] == "object Courier"
    assert symbol(extract, "Courier.fastest").parent == "acme:src/main/scala/harbour/couriers/Courier.scala#Courier~2"
    assert symbol(extract, "Courier.MarginSeconds").fields["doc"] == "A quarter of an hour, as the harbour master wants it."


def test_a_scala_given_is_an_instance_of_what_it_gives():
    extract = read_sample("scala", PATH)
    assert refers(extract, "implements", "byBerths") == [("Ordering",)]
    nameless = read_code(source("scala", "a.scala", "given Show[Boat] = Show.plain\n"))
    assert kinds(nameless) == {"Show[Boat]": "constant"}


def test_a_scala_extension_adds_methods_to_the_type_it_extends():
    record = symbol(read_sample("scala", PATH), "Ferry.fits")
    assert record.parent == "acme:src/main/scala/harbour/couriers/Courier.scala#Ferry"
    assert record.fields["doc"] == "Whether it can take all parcels at once."
    assert refers(read_sample("scala", PATH), "calls", "Ferry.fits") == [("total",)]


def test_what_is_private_or_protected_in_scala_is_not_for_others():
    names = exported(read_sample("scala", PATH))
    assert not {"Courier.latest", "Courier.Fallback"} & set(names)
    assert {"Courier", "Courier.carry", "Ferry.load", "total", "Ferry.fits"} <= set(names)
    assert exported(read_code(source("scala", "a.scala", "private class A { def f = 1 }\n"))) == []


def test_scala_imports_name_each_thing_they_take():
    assert refers(read_sample("scala", PATH), "imports") == [
        ("harbour.tides.Forecast",),
        ("harbour.tides.Level",),
        ("harbour.ports.Port",),
        ("harbour.ports.Registry",),
    ]


def test_scala_imports_are_read_in_the_old_and_the_new_way():
    written = "import a.{B => C, _}, d.Ports.oban\nimport e.{given, *}\nimport scala.util.Try\n"
    assert refers(read_code(source("scala", "x.scala", written)), "imports") == [
        ("a.B",),
        ("a",),
        ("d.Ports.oban", "d.Ports"),
        ("e",),
    ]


def test_the_first_scala_base_is_extended_and_those_after_with_are_implemented():
    extract = read_sample("scala", PATH)
    assert refers(extract, "extends", "Ferry") == [("Vessel",)]
    assert refers(extract, "implements", "Ferry") == [("Courier",)]
    assert refers(extract, "extends", "Courier") == [("Named",), ("Scheduled",)]


def test_scala_calls_come_from_the_symbol_that_holds_them():
    extract = read_sample("scala", PATH)
    assert refers(extract, "calls", "Ferry.carry") == [("note",), ("Ferry.load", "load")]
    assert refers(extract, "calls", "Ferry.load") == [("Registry.find",), ("accept",)]
    assert refers(extract, "calls", "Ferry") == [("Logbook",)]


def test_scala_definitions_are_known_by_their_names_in_their_package():
    names = defined(read_sample("scala", PATH))
    assert names["harbour.couriers.Ferry.load"] == names["Ferry.load"] == "Ferry.load"


def test_a_scala_package_with_a_body_is_a_module():
    extract = read_code(source("scala", "a.scala", "package harbour {\n  class Quay\n}\n"))
    assert kinds(extract) == {"harbour": "module", "harbour.Quay": "class"}


def test_a_scala_spec_refers_to_what_it_tests():
    extract = read_sample("scala", "src/test/scala/harbour/couriers/CourierSpec.scala")
    assert symbol(extract, "CourierSpec").facets["test"] is True
    assert refers(extract, "tests", "CourierSpec") == [("Courier",)]
    assert refers(extract, "tests")[0][-1] == "Courier.scala"
