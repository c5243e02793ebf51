from reading_code import defined, exported, file_of, kinds, lines, read_sample, refers, source, symbol

from dowse.ingest.code import read_code

PATH = "harbour/courier.py"


def test_every_definition_of_a_python_file_becomes_a_symbol_of_its_kind():
    assert kinds(read_sample("python", PATH)) == {
        "MOST_ATTEMPTS": "constant",
        "_PAUSES": "constant",
        "Delivery": "enum",
        "Delivery.ARRIVED": "constant",
        "Delivery.LOST": "constant",
        "Channel": "interface",
        "Channel.send": "method",
        "Courier": "class",
        "Courier.LONGEST_TEXT": "constant",
        "Courier.__init__": "method",
        "Courier.name": "method",
        "Courier.deliver": "method",
        "Courier._shorten": "method",
        "deliver_all": "function",
        "_quietly": "function",
    }


def test_a_python_file_says_what_it_is_exports_and_imports():
    record = file_of(read_sample("python", PATH))
    assert record.fields["doc"] == "Carries storm warnings to the people on duty, over whichever channel still works."
    assert record.fields["exports"] == "MOST_ATTEMPTS Delivery Courier deliver_all"
    assert record.fields["imports"].startswith("__future__ annotations json logging collections.abc Iterable enum StrEnum typing")
    assert record.facets == {"language": "python", "test": False}


def test_a_python_function_has_its_signature_doc_and_lines():
    extract = read_sample("python", PATH)
    record = symbol(extract, "deliver_all")
    assert record.fields["signature"] == "async def deliver_all(alerts: Iterable[Alert], courier: Courier) -> list[Delivery]"
    assert record.fields["doc"] == "Every warning, in order."
    assert record.fields["body"].startswith('@log_calls(level="debug")\n')
    assert lines(record) == (86, 90)
    assert record.parent == "acme:harbour/courier.py"


def test_a_python_method_has_the_comment_above_it_and_its_docstring_as_doc():
    record = symbol(read_sample("python", PATH), "Courier.deliver")
    assert record.fields["signature"] == "def deliver( self, alert: Alert, forecast: Forecast | None = None, ) -> Delivery"
    assert record.fields["doc"] == (
        "Tries until it arrives or the attempts are used up.\n\n"
        "Retries belong here, not in the channel: a siren must not be retried."
    )
    assert record.parent == "acme:harbour/courier.py#Courier"
    assert "def attempt(text: str)" in record.fields["body"]


def test_a_python_class_declares_its_methods_and_leaves_their_bodies_to_them():
    body = symbol(read_sample("python", PATH), "Courier").fields["body"]
    assert "    def name(self) -> str\n" in body
    assert "A courier keeps no state between two warnings." not in body
    assert "type(self.channel)" not in body
    assert "@property" not in body
    assert "Retries belong here" not in body


def test_what_python_exports_is_what_all_lists_else_what_has_no_underscore():
    assert "_quietly" not in exported(read_sample("python", PATH))
    assert exported(read_sample("python", PATH))[:2] == ["MOST_ATTEMPTS", "Delivery"]
    assert "Channel" not in exported(read_sample("python", PATH))
    assert exported(read_code(source("python", "a.py", "def seen(): ...\ndef _unseen(): ...\n"))) == ["seen"]


def test_a_relative_python_import_names_files_next_to_the_importing_one():
    names = refers(read_code(source("python", "src/dowse/app/x.py", "from ..model import record\n")), "imports")
    assert names == [
        (
            "/src/dowse/model/record.py",
            "/src/dowse/model/record/__init__.py",
            "/src/dowse/model.py",
            "/src/dowse/model/__init__.py",
        )
    ]


def test_an_absolute_python_import_names_the_ends_of_paths_and_those_within_the_package():
    ((*names,),) = refers(read_code(source("python", "a.py", "import dowse.model.record\n")), "imports")
    assert names == [
        *("dowse/model/record.py", "dowse/model/record/__init__.py", "/model/record.py", "/model/record/__init__.py"),
        *("dowse/model.py", "dowse/model/__init__.py"),
    ]


def test_a_lone_python_module_is_looked_for_only_where_python_would_find_it():
    names = refers(read_code(source("python", "lib/a.py", "import json\n")), "imports")
    assert names == [
        ("/json.py", "/json/__init__.py", "/src/json.py", "/src/json/__init__.py", "/lib/json.py", "/lib/json/__init__.py")
    ]


def test_a_relative_python_import_that_leaves_the_project_means_nothing():
    assert refers(read_code(source("python", "a.py", "from ...model import record\n")), "imports") == []


def test_python_bases_are_referred_to_as_written_and_by_their_last_part():
    extract = read_sample("python", PATH)
    assert refers(extract, "extends", "Courier") == [("channels.Sender", "Sender"), ("Roster",)]


def test_python_calls_come_from_the_symbol_that_holds_them():
    extract = read_sample("python", PATH)
    assert refers(extract, "calls", "Courier.deliver") == [
        ("send",),
        ("Courier._shorten", "_shorten"),
        ("attempt",),
        ("record_loss",),
    ]
    assert ("Roster.load", "load") in refers(extract, "calls", "deliver_all")
    assert refers(extract, "calls") == [("getLogger",), ("deliver_all",), ("Courier",), ("default",)]


def test_calls_of_python_builtins_are_left_out():
    assert refers(read_code(source("python", "a.py", "print(len([]))\n")), "calls") == []


def test_python_definitions_are_known_by_their_simple_and_qualified_names():
    names = defined(read_sample("python", PATH))
    assert names["deliver"] == names["Courier.deliver"] == "Courier.deliver"


def test_a_python_test_refers_to_what_it_tests_by_its_name():
    extract = read_sample("python", "harbour/test_courier.py")
    assert file_of(extract).facets["test"] is True
    assert refers(extract, "tests")[0][:2] == ("/harbour/courier.py", "harbour/courier.py")
    assert refers(extract, "tests", "TestCourier") == [("Courier",)]
    assert refers(extract, "tests", "test_deliver_all") == [("deliver_all",)]
    assert refers(extract, "tests", "test_a_warning_that_is_lost_is_said_to_be_lost") == []


def test_what_python_files_hold_outside_of_definitions_is_kept():
    block = symbol(read_sample("python", PATH), "module")
    assert block.title == "courier"
    assert block.facets["symbolKind"] == "module"
    assert "Licensed under the Apache License" in block.fields["body"]
    assert 'if __name__ == "__main__":' in block.fields["body"]
    assert "import json" not in block.fields["body"]


def test_python_constants_and_type_aliases_are_symbols():
    extract = read_code(source("python", "a.py", "# How long.\nLIMIT: int = 3\ntype Pair[T] = tuple[T, T]\nlower = 1\n"))
    assert kinds(extract) == {"LIMIT": "constant", "Pair": "type"}
    assert symbol(extract, "LIMIT").fields["doc"] == "How long."
