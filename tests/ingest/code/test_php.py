from reading_code import defined, exported, file_of, kinds, lines, read_sample, refers, source, symbol

from dowse.ingest.code import read_code

PATH = "src/Couriers/Courier.php"


def test_every_definition_of_a_php_file_becomes_a_symbol_of_its_kind():
    assert kinds(read_sample("php", PATH)) == {
        "HEAVIEST": "constant",
        "Carrier": "interface",
        "Carrier.carry": "method",
        "Announces": "class",
        "Announces.announce": "method",
        "Outcome": "enum",
        "Outcome.isGood": "method",
        "Courier": "class",
        "Courier.MOST_PARCELS": "constant",
        "Courier.PAUSE": "constant",
        "Courier.__construct": "method",
        "Courier.carry": "method",
        "Courier.default": "method",
        "Courier.wait": "method",
        "carry_all": "function",
    }


def test_a_php_file_says_what_it_is_exports_and_uses():
    record = file_of(read_sample("php", PATH))
    assert record.fields["doc"] == "Couriers take parcels from one quay to the next."
    assert record.fields["exports"] == "HEAVIEST Carrier Announces Outcome Courier carry_all"
    assert "Saltmarsh\\Tides\\Tide" in record.fields["imports"]


def test_a_php_method_has_its_signature_doc_lines_and_parent():
    record = symbol(read_sample("php", PATH), "Courier.carry")
    assert record.fields["signature"] == "public function carry(Parcel $parcel): bool"
    assert record.fields["doc"] == "Waits for the tide if the water is low."
    assert record.fields["body"].lstrip().startswith("#[Retry(3)]\n")
    assert lines(record) == (67, 76)
    assert record.parent == "acme:src/Couriers/Courier.php#Courier"


def test_php_definitions_are_also_known_by_their_namespace():
    assert defined(read_sample("php", PATH))["Saltmarsh.Couriers.Courier.carry"] == "Courier.carry"


def test_a_php_use_means_what_it_names_and_a_require_a_file():
    assert refers(read_sample("php", PATH), "imports") == [
        ("Saltmarsh.Tides.Tide",),
        ("Saltmarsh.Charts.Depth",),
        ("Saltmarsh.Charts.Lock",),
        ("Saltmarsh.Tides.next_tide",),
        ("/src/bootstrap.php", "bootstrap.php"),
    ]


def test_a_php_class_extends_its_base_and_its_traits_and_implements_its_interfaces():
    extract = read_sample("php", PATH)
    assert refers(extract, "extends", "Courier") == [("Base",), ("Announces",), ("Saltmarsh.Logs.Logs", "Logs")]
    assert refers(extract, "implements", "Courier") == [("Carrier",), ("JsonSerializable",)]


def test_private_members_of_php_classes_are_not_exported():
    names = exported(read_sample("php", PATH))
    assert [name for name in kinds(read_sample("php", PATH)) if name not in names] == ["Courier.PAUSE", "Courier.wait"]


def test_php_calls_come_from_the_method_that_holds_them():
    assert refers(read_sample("php", PATH), "calls", "Courier.carry") == [
        ("at",),
        ("Courier.wait", "wait"),
        ("next_tide",),
        ("Tide.lowest", "lowest"),
        ("Courier.announce", "announce"),
        ("Receipt",),
        ("isSigned",),
    ]


def test_a_php_test_refers_to_the_class_it_tests():
    extract = read_code(source("php", "tests/CourierTest.php", "<?php\nclass CourierTest extends TestCase {\n}\n"))
    assert symbol(extract, "CourierTest").facets["test"] is True
    assert refers(extract, "tests", "CourierTest") == [("Courier",)]


def test_php_between_pieces_of_a_page_is_read():
    extract = read_code(source("php", "a.php", "<h1>Tides</h1>\n<?php function level() { return 2; } ?>\n<p>metres</p>\n"))
    assert kinds(extract) == {"level": "function"}
    assert "Tides" in symbol(extract, "module").fields["body"]
