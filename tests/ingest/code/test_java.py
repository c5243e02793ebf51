from reading_code import defined, exported, file_of, kinds, lines, read_sample, refers, source, symbol

from dowse.ingest.code import read_code

PATH = "src/main/java/com/saltmarsh/harbour/Courier.java"
TEST = "src/test/java/com/saltmarsh/harbour/CourierTest.java"


def test_every_definition_of_a_java_file_becomes_a_symbol_of_its_kind():
    assert kinds(read_sample("java", PATH)) == {
        "Courier": "class",
        "Courier.MOST_ATTEMPTS": "constant",
        "Courier.PAUSES": "constant",
        "Courier.Courier": "method",
        "Courier.deliver": "method",
        "Courier.shorten": "method",
        "Courier.announce": "method",
        "Courier.Delivery": "enum",
        "Courier.Delivery.describe": "method",
        "Courier.LostException": "class",
        "Courier.LostException.LostException": "method",
        "Channel": "interface",
        "Channel.LONGEST": "constant",
        "Channel.send": "method",
        "Channel.retry": "method",
        "Warning": "class",
        "Warning.Warning": "method",
        "Warning.compareTo": "method",
        "Urgent": "interface",
        "Urgent.value": "method",
    }


def test_a_java_method_has_its_signature_without_annotations_its_doc_and_lines():
    record = symbol(read_sample("java", PATH), "Courier.deliver")
    assert record.fields["signature"] == "public Delivery deliver(final W warning, List<String> names) throws LostException"
    assert record.fields["doc"] == "Tries until the warning arrives."
    assert record.fields["body"].startswith("@Override\n")
    assert lines(record) == (36, 51)


def test_a_java_class_has_its_doc_and_the_annotations_in_its_text():
    record = symbol(read_sample("java", PATH), "Courier")
    assert record.fields["doc"] == "Delivers storm warnings, one after the other.\n\n@param <W> what is delivered"
    assert record.fields["body"].startswith('@Service\n@SuppressWarnings("unchecked")\n{')
    assert "private final Forecast forecast;" in record.fields["body"]
    assert "Siren.wail" not in record.fields["body"]


def test_what_java_exports_is_public_all_the_way_up():
    assert exported(read_sample("java", PATH)) == [
        "Courier",
        "Courier.MOST_ATTEMPTS",
        "Courier.Courier",
        "Courier.deliver",
        "Courier.Delivery",
        "Courier.Delivery.describe",
    ]
    assert file_of(read_sample("java", PATH)).fields["exports"] == "com.saltmarsh.harbour Courier"


def test_members_of_a_public_java_interface_are_public():
    assert exported(read_code(source("java", "A.java", "public interface A { int b(); }\n"))) == ["A", "A.b"]


def test_java_imports_are_full_names_of_classes():
    assert refers(read_sample("java", PATH), "imports") == [
        ("com.saltmarsh.tide.Forecast",),
        ("com.saltmarsh.duty.Rosters.onDuty", "com.saltmarsh.duty.Rosters"),
    ]


def test_java_definitions_are_known_by_their_full_names():
    names = defined(read_sample("java", PATH))
    assert names["com.saltmarsh.harbour.Courier"] == names["Courier"] == "Courier"
    assert names["com.saltmarsh.harbour.Courier.deliver"] == "Courier.deliver"


def test_java_classes_name_what_they_extend_and_implement():
    extract = read_sample("java", PATH)
    assert refers(extract, "extends", "Courier") == [("Messenger",)]
    assert refers(extract, "implements", "Courier") == [("Channel",), ("AutoCloseable",)]
    assert refers(extract, "extends", "Courier.LostException") == [("com.saltmarsh.errors.Failure", "Failure")]
    assert refers(extract, "extends", "Channel") == [("Named",), ("java.io.Closeable", "Closeable")]


def test_java_calls_and_new_objects_are_referred_to():
    calls = refers(read_sample("java", PATH), "calls", "Courier.deliver")
    assert ("Courier.shorten", "shorten") in calls
    assert ("Siren.wail", "wail") in calls
    assert ("LostException",) in calls


def test_methods_of_anonymous_java_classes_stay_where_they_are():
    assert "forecast.refresh();" in symbol(read_sample("java", PATH), "Courier.deliver").fields["body"]


def test_a_java_test_refers_to_what_it_tests_by_its_name():
    extract = read_sample("java", TEST)
    assert file_of(extract).facets["test"] is True
    assert "com/saltmarsh/harbour/Courier.java" in " ".join(refers(extract, "tests")[0])
    assert refers(extract, "tests", "CourierTest") == [("Courier",)]


def test_an_annotated_java_test_is_one_in_any_file():
    extract = read_code(source("java", "A.java", "class A {\n  @Test\n  void works() {}\n  void other() {}\n}\n"))
    assert symbol(extract, "A.works").facets["test"] is True
    assert symbol(extract, "A.other").facets["test"] is False
