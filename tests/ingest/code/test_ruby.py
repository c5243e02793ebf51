from reading_code import defined, exported, file_of, kinds, lines, read_sample, refers, source, symbol

from dowse.ingest.code import read_code

PATH = "lib/harbour/courier.rb"


def test_every_definition_of_a_ruby_file_becomes_a_symbol_of_its_kind():
    assert kinds(read_sample("ruby", PATH)) == {
        "Harbour": "module",
        "Harbour.HEAVIEST": "constant",
        "Harbour.Announces": "module",
        "Harbour.Announces.announce": "function",
        "Harbour.Lost": "class",
        "Harbour.Courier": "class",
        "Harbour.Courier.PAUSES": "constant",
        "Harbour.Courier.default": "method",
        "Harbour.Courier.named": "method",
        "Harbour.Courier.initialize": "method",
        "Harbour.Courier.carry": "method",
        "Harbour.Courier.<=>": "method",
        "Harbour.Courier.deep?": "method",
        "Harbour.Courier.wait_for": "method",
        "Harbour.Receipt": "class",
        "Harbour.Receipt.signed?": "method",
        "carry_all": "function",
    }


def test_a_ruby_file_says_what_it_is_and_requires():
    record = file_of(read_sample("ruby", PATH))
    assert record.fields["doc"] == "Couriers take parcels from one quay to the next."
    assert record.fields["exports"] == "Harbour carry_all"
    assert record.fields["imports"] == "json harbour/tide charts/depth"


def test_a_ruby_method_has_its_signature_doc_lines_and_parent():
    record = symbol(read_sample("ruby", PATH), "Harbour.Courier.carry")
    assert record.fields["signature"] == "def carry(parcel, &done)"
    assert record.fields["doc"] == "Waits for the tide if the water is low."
    assert lines(record) == (50, 55)
    assert record.parent == "acme:lib/harbour/courier.rb#Harbour.Courier"


def test_a_ruby_class_method_is_written_with_self_or_inside_of_the_classs_own_class():
    extract = read_sample("ruby", PATH)
    assert symbol(extract, "Harbour.Courier.named").fields["signature"] == "def self.named(name)"
    assert symbol(extract, "Harbour.Courier.default").parent == "acme:lib/harbour/courier.rb#Harbour.Courier"


def test_a_comment_at_the_top_of_a_ruby_body_is_not_in_the_signature():
    extract = read_code(source("ruby", "a.rb", "def level\n  # In metres.\n  2\nend\n"))
    assert symbol(extract, "level").fields["signature"] == "def level"
    assert symbol(read_sample("ruby", PATH), "Harbour").fields["signature"] == "module Harbour"


def test_the_attributes_of_a_ruby_class_stay_in_its_body():
    assert "attr_reader :name, :depth" in symbol(read_sample("ruby", PATH), "Harbour.Courier").fields["body"]


def test_a_ruby_class_written_with_its_module_belongs_to_it():
    extract = read_code(source("ruby", "a.rb", "class Harbour::Quay\n  def berths\n    4\n  end\nend\n"))
    assert kinds(extract) == {"Harbour.Quay": "class", "Harbour.Quay.berths": "method"}
    assert defined(extract)["Quay.berths"] == "Harbour.Quay.berths"


def test_ruby_methods_below_or_behind_private_are_not_exported():
    names = exported(read_sample("ruby", PATH))
    assert [name for name in kinds(read_sample("ruby", PATH)) if name not in names] == ["Harbour.Courier.wait_for"]
    assert exported(read_code(source("ruby", "a.rb", "class A\n  private def b\n    1\n  end\nend\n"))) == ["A"]


def test_a_ruby_require_means_a_file_below_lib_and_a_relative_one_a_file_beside():
    assert refers(read_sample("ruby", PATH), "imports") == [
        ("/lib/json.rb",),
        ("/lib/harbour/tide.rb", "harbour/tide.rb"),
        ("/lib/harbour/charts/depth.rb",),
    ]


def test_a_ruby_class_extends_its_superclass_and_implements_what_it_includes():
    extract = read_sample("ruby", PATH)
    assert refers(extract, "extends", "Harbour.Courier") == [("Charts.Sailor", "Sailor")]
    assert refers(extract, "implements", "Harbour.Courier") == [("Announces",), ("Forwardable",)]


def test_ruby_calls_come_from_the_method_that_holds_them():
    calls = refers(read_sample("ruby", PATH), "calls", "Harbour.Courier.carry")
    assert calls[:3] == [("wait_for",), ("Tide.next", "next"), ("deep?",)]
    assert ("Harbour.Courier.announce", "announce") in calls
    assert ("Receipt",) in calls


def test_a_ruby_test_refers_to_the_file_it_tests():
    extract = read_code(source("ruby", "spec/harbour/courier_spec.rb", "describe Courier do\nend\n"))
    assert file_of(extract).facets["test"] is True
    assert "harbour/courier.rb" in refers(extract, "tests")[0]


def test_a_class_with_a_thousand_private_words_is_read_whole():
    text = "class Harbour\n" + "".join(f"  private\n  def berth_{n}; {n}; end\n" for n in range(1000)) + "end\n"
    extract = read_code(source("ruby", "harbour.rb", text))
    methods = [record for record in extract.records if record.facets.get("symbolKind") == "method"]
    assert (len(methods), any(method.facets["exported"] for method in methods)) == (1000, False)
