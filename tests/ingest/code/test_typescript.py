from reading_code import exported, file_of, kinds, lines, read_sample, refers, source, symbol

from dowse.ingest.code import read_code

PATH = "src/tide/forecast.ts"


def test_every_definition_of_a_typescript_file_becomes_a_symbol_of_its_kind():
    assert kinds(read_sample("typescript", PATH)) == {
        "Metres": "type",
        "Outlook": "type",
        "Oracle": "interface",
        "Phase": "enum",
        "HARMONICS": "constant",
        "Forecast": "class",
        "Forecast.LONGEST_SPAN": "constant",
        "Forecast.constructor": "method",
        "Forecast.close": "method",
        "Forecast.foretell": "method",
        "Forecast.lookUp": "method",
        "Forecast.refresh": "method",
        "Almanac": "class",
        "Almanac.constructor": "method",
        "Almanac.page": "method",
        "Almanac.clean": "method",
        "combine": "function",
        "combine~2": "function",
        "amplitude": "function",
        "Units": "module",
        "Units.FOOT": "constant",
        "Units.toFeet": "function",
        "tide-tables": "module",
        "tide-tables.load": "function",
    }


def test_a_typescript_file_says_what_it_is_exports_and_imports():
    record = file_of(read_sample("typescript", PATH))
    assert record.fields["doc"] == "Foretells the tide from what the gauges measured."
    assert record.fields["exports"].split()[:4] == ["Metres", "Outlook", "Oracle", "Phase"]
    assert record.fields["imports"] == "Gauge ../gauge/gauge.js Station Level @/station axios axios"


def test_a_typescript_method_has_its_signature_without_decorators_and_its_doc():
    record = symbol(read_sample("typescript", PATH), "Forecast.foretell")
    assert record.fields["signature"] == "public async foretell(at: Date): Promise<Metres>"
    assert record.fields["doc"] == "The level at a time."
    assert record.fields["body"].startswith('@logged("debug")\n{')
    assert lines(record) == (42, 46)


def test_private_and_protected_members_of_a_typescript_class_are_not_exported():
    names = exported(read_sample("typescript", PATH))
    assert "Forecast.foretell" in names
    assert not {"Forecast.lookUp", "Forecast.refresh", "amplitude"} & set(names)


def test_a_typescript_import_of_a_compiled_file_means_its_source():
    imports = refers(read_sample("typescript", PATH), "imports")
    assert imports[0][:2] == ("/src/gauge/gauge.js", "/src/gauge/gauge.ts")
    assert imports[1][0] == "src/station.ts"
    assert len(imports) == 2


def test_typescript_classes_and_interfaces_name_what_they_extend_and_implement():
    extract = read_sample("typescript", PATH)
    assert refers(extract, "extends", "Forecast") == [("Station.Base", "Base")]
    assert refers(extract, "implements", "Forecast") == [("Oracle",), ("Closable",)]
    assert refers(extract, "extends", "Oracle") == [("Reader",), ("Closable",)]


def test_typescript_calls_name_the_type_they_are_made_on():
    extract = read_sample("typescript", PATH)
    assert ("Forecast.lookUp", "lookUp") in refers(extract, "calls", "Forecast.foretell")
    assert refers(extract, "calls", "Almanac.page") == [("Almanac.clean", "clean")]


def test_what_typescript_declares_for_others_is_a_symbol():
    extract = read_code(source("typescript", "a.d.ts", "declare const VERSION: string;\ndeclare function go(): void;\n"))
    assert kinds(extract) == {"VERSION": "constant", "go": "function"}
    assert exported(extract) == ["VERSION", "go"]
