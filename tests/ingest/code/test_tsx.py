from reading_code import exported, file_of, kinds, lines, read_sample, refers, symbol

PATH = "src/board/TideBoard.tsx"


def test_components_are_functions_and_their_props_interfaces():
    assert kinds(read_sample("tsx", PATH)) == {
        "BoardProps": "interface",
        "Row": "interface",
        "TideBoard": "function",
        "Line": "function",
        "Panel": "function",
        "formatLevel": "function",
        "BoardContext": "constant",
        "Boundary": "class",
        "Boundary.componentDidCatch": "method",
        "Boundary.render": "method",
    }


def test_a_component_has_its_signature_doc_and_lines():
    record = symbol(read_sample("tsx", PATH), "TideBoard")
    assert record.fields["signature"] == "function TideBoard({ station, onAlarm }: BoardProps): JSX.Element"
    assert record.fields["doc"] == "Shows the next tides of a station."
    assert lines(record) == (18, 37)
    assert "function toggle()" in record.fields["body"]


def test_a_component_calls_the_components_in_its_markup():
    calls = refers(read_sample("tsx", PATH), "calls", "TideBoard")
    assert [names[0] for names in calls] == ["useState", "useForecast", "setOpen", "Clock", "Panel", "Line", "reload"]


def test_a_tsx_file_says_what_it_is_and_exports():
    extract = read_sample("tsx", PATH)
    assert file_of(extract).fields["doc"].startswith("The board on the quay")
    assert "Line" not in exported(extract)
    assert "Panel" in exported(extract)
    assert refers(extract, "extends", "Boundary") == [("React.Component", "Component")]
    assert refers(extract, "imports")[0][:2] == ("/src/board/Clock.ts", "/src/board/Clock.tsx")
