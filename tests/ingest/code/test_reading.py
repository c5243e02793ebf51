import re
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from reading_code import file_of, kinds, sample_files, source, symbol

from dowse.app.recording import check
from dowse.domains.everything import SCHEMA
from dowse.ingest.code import grammars, read_blocks, read_code
from dowse.ingest.extract import Extract, SourceFile

SAMPLES = sample_files()
SAMPLED = sorted({file.language for file in SAMPLES})
# What code is made of, so that random text comes close to being some.
PIECES = st.sampled_from(
    """def class function fn func fun struct enum interface trait impl import from use package public static const let var return
    if else for while ( ) { } [ ] < > : ; , . = => -> :: " ' ` # // /* */ \"\"\" -- @ $ % & | \\ \n \t a b1 Café 0x1F self this
    __init__ module end do begin""".split(" ")
)
TEXTS = st.one_of(st.text(max_size=200), st.lists(PIECES, max_size=60).map(" ".join), st.lists(PIECES, max_size=60).map("\n".join))


def words_lost(file: SourceFile, extract: Extract) -> set[str]:
    """The words of a file that stand in no record of it, apart from the words that make an import."""
    texts = [text for record in extract.records for text in (record.title, *record.fields.values())]
    found = {word for text in texts for word in re.findall(r"[^\W_]+", text)}
    idle = grammars.load(file.language).language.import_words if file.language in SAMPLED else frozenset()
    return set(re.findall(r"[^\W_]+", file.text.encode("utf-8", "replace").decode())) - found - idle


def assert_sound(file: SourceFile, extract: Extract) -> None:
    """Whatever the text: valid records with keys of their own, references among them, and every word kept."""
    keys = [record.key for record in extract.records]
    assert len(set(keys)) == len(keys)
    for record in extract.records:
        check(record, SCHEMA)
        assert record.parent is None or record.parent in keys
    assert {one.key for one in extract.defines} <= set(keys)
    assert {one.source for one in extract.refers} <= set(keys)
    assert len(set(extract.refers)) == len(extract.refers)
    assert words_lost(file, extract) == set()


@pytest.mark.parametrize("file", SAMPLES, ids=lambda file: f"{file.language}-{file.path}")
def test_every_word_of_a_source_file_is_in_some_record(file: SourceFile):
    extract = read_code(file)
    assert_sound(file, extract)
    assert extract.problems == ()


@pytest.mark.parametrize("file", SAMPLES, ids=lambda file: f"{file.language}-{file.path}")
def test_a_symbol_of_a_source_file_holds_the_lines_it_names(file: SourceFile):
    lines = file.text.split("\n")
    records = read_code(file).records
    holders = {record.parent for record in records}
    for record in records[1:]:
        first, last = record.facets["line"], record.facets["lineEnd"]
        held = "\n".join(lines[first - 1 : last])
        body = record.fields.get("body", "").split("\n")
        assert body[0].strip() in held
        assert record.key in holders or body[-1].strip() in held
        assert record.facets["symbolKind"] == "module" or record.title in held


@pytest.mark.parametrize("file", SAMPLES, ids=lambda file: f"{file.language}-{file.path}")
def test_a_symbol_does_not_say_in_its_body_what_its_signature_or_doc_says(file: SourceFile):
    for record in read_code(file).records[1:]:
        said = [record.fields.get("signature", ""), record.fields.get("doc", "")]
        body = " ".join(record.fields.get("body", "").split())
        assert not any(len(text) > 40 and not text.endswith("…") and " ".join(text.split()) in body for text in said)


@pytest.mark.parametrize("file", SAMPLES, ids=lambda file: f"{file.language}-{file.path}")
def test_a_source_file_that_ends_too_early_loses_nothing(file: SourceFile):
    for end in range(0, len(file.text), 97):
        short = source(file.language, file.path, file.text[:end])
        assert_sound(short, read_code(short))


@pytest.mark.parametrize("language", SAMPLED)
@settings(max_examples=60, deadline=None)
@given(text=TEXTS)
def test_any_text_is_read_as_any_language(language: str, text: str):
    file = source(language, "a/b", text)
    assert_sound(file, read_code(file))


@settings(max_examples=60, deadline=None)
@given(text=TEXTS)
def test_any_text_is_read_as_blocks(text: str):
    file = source("", "a/b", text)
    assert_sound(file, read_blocks(file))


@pytest.mark.parametrize("language", SAMPLED)
@pytest.mark.parametrize(
    "text", ["(" * 10_000, "[" * 5_000 + "]" * 5_000, "{[(" * 20_000, "f(" * 5_000 + ")" * 5_000], ids=lambda text: text[:3]
)
def test_deep_nesting_is_read_without_end_or_error(language: str, text: str):
    file = source(language, "deep", text)
    assert_sound(file, read_code(file))


def test_five_thousand_nested_conditions_are_read():
    file = source("javascript", "deep.js", "if (a) {\n" * 5_000 + "}\n" * 5_000)
    assert_sound(file, read_code(file))


def test_the_same_name_twice_makes_two_keys():
    extract = read_code(source("python", "a.py", "def f(): ...\ndef f(): ...\ndef f(): ...\n"))
    assert kinds(extract) == {"f": "function", "f~2": "function", "f~3": "function"}


def test_a_key_is_never_longer_than_a_store_accepts():
    extract = read_code(source("python", "a.py", f"def {'f' * 2000}(): ...\ndef {'f' * 2000}(): ...\n"))
    keys = [record.key for record in extract.records]
    assert max(map(len, keys)) == 1024
    assert len(set(keys)) == 3


def test_a_file_that_does_not_parse_keeps_what_was_understood_and_all_else_as_text():
    extract = read_code(source("python", "a.py", "def fine():\n    return 1\n\n\n)) broken ((\n"))
    assert kinds(extract) == {"fine": "function"}
    assert "broken" in symbol(extract, "module").fields["body"]


def test_a_file_of_another_language_than_its_name_says_is_a_problem():
    extract = read_code(source("python", "a.py", "}{ " * 200))
    assert extract.problems == ("a.py does not read as python; what was not understood is kept as text.",)


def test_a_file_that_is_too_large_is_kept_as_text():
    extract = read_code(source("python", "a.py", "value = 1\n" * 250_000))
    assert extract.problems == ("a.py is too large to be read as python; it is kept as text.",)
    assert {record.facets["symbolKind"] for record in extract.records[1:]} == {"block"}


def test_a_packed_file_is_generated_and_kept_as_text():
    extract = read_code(source("javascript", "a.min.js", "function a(){return 1};" * 400))
    assert file_of(extract).facets["generated"] is True
    assert all(record.facets["symbolKind"] == "block" for record in extract.records[1:])


def test_a_language_without_a_grammar_is_read_as_blocks():
    extract = read_code(source("fortran", "a.f90", "program tide\nend program\n"))
    assert [record.fields["body"] for record in extract.records[1:]] == ["program tide\nend program"]


def test_blocks_of_a_file_are_named_by_it_and_cover_its_lines_in_order():
    text = "".join(f"key{number} = {number}\n" + ("\n" if number % 10 == 9 else "") for number in range(200))
    extract = read_blocks(source("toml", "conf/pyproject.toml", text))
    assert file_of(extract).kind == "codefile"
    assert file_of(extract).title == "pyproject.toml"
    blocks = extract.records[1:]
    assert [record.key for record in blocks[:2]] == ["acme:conf/pyproject.toml#block", "acme:conf/pyproject.toml#block~2"]
    assert {record.title for record in blocks} == {"pyproject.toml"}
    assert all(one.facets["lineEnd"] < other.facets["line"] for one, other in pairwise(blocks))


def test_an_empty_file_is_a_file_without_parts():
    assert [record.kind for record in read_code(source("python", "pkg/__init__.py", "")).records] == ["codefile"]


def test_windows_line_ends_change_nothing():
    unix = "# Why.\ndef f():\n    return 1\n\n\nclass A:\n    def g(self): ...\n"
    one = read_code(source("python", "a.py", unix))
    other = read_code(source("python", "a.py", unix.replace("\n", "\r\n")))
    assert kinds(one) == kinds(other)
    assert [record.facets for record in one.records] == [record.facets for record in other.records]
    assert symbol(other, "f").fields["doc"] == "Why."


@pytest.mark.parametrize(
    ("path", "text", "passes_on"),
    [
        ("a/__init__.py", '"""The way in."""\n\nfrom a.b import Courier\n\n__all__ = ["Courier"]\n__version__ = "1"\n', True),
        ("src/index.ts", "export * from './courier';\nexport { Parcel } from './parcel';\n", True),
        ("a/run.py", "from a.b import Courier\n\nCourier().carry()\n", False),
        ("a/courier.py", "from a.b import Parcel\n\n\nclass Courier:\n    parcel = Parcel()\n", False),
        ("a/empty.py", "", False),
    ],
)
def test_a_file_that_defines_nothing_and_passes_on_is_known_as_such(path: str, text: str, passes_on: bool) -> None:
    language = "typescript" if path.endswith(".ts") else "python"
    assert file_of(read_code(source(language, path, text))).facets.get("reexports", False) is passes_on
