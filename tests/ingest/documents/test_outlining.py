import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dowse.app.recording import check
from dowse.domains.everything import SCHEMA
from dowse.ingest.documents import read_document
from dowse.ingest.documents.outlining import LANGUAGES, outline
from dowse.ingest.extract import SourceFile

MARKS = """\
# |## |N|NN|---N|+++N|===N|```N|```pyN|~~~N|> |- |  |T|1. |P|`|``|[a](b.md)|[[|]]|[x]: yN|<h1>|</h1>|<div>|</div>|<!--|-->|<pre>
</pre>|::N|.. code-block:: cNN|.. _x:N|:ref:`a`|== |----N|....N|[source,c]N|<<a>>|ABCDNN|word |Ünï |猫。|\\|*|_|{#a}|a: 1N|R|0"""
LETTERS = str.maketrans({"N": "\n", "T": "\t", "R": "\r\n", "P": "|", "0": "\0"})
TEXTS = [mark.translate(LETTERS) for line in MARKS.split("\n") for mark in line.split("|")]
PIECES = st.lists(st.sampled_from(TEXTS), max_size=40).map("".join)
DEEP = {
    "quotes in a line": "> " * 10_000 + "x",
    "quotes by line": "\n".join(">" * level + " x" for level in range(1, 800)),
    "lists in a line": "- " * 10_000 + "x",
    "lists by line": "\n".join("  " * level + "- x" for level in range(800)),
    "brackets": "[" * 100_000,
    "ticks": "`a ``b ```c " * 5_000,
    "tags": "<div>" * 5_000,
    "one line": "word " * 200_000,
    "one word": "w" * 1_000_000,
}


def keys_and_lines_are_sound(file: SourceFile) -> None:
    extract = read_document(file)
    keys = [record.key for record in extract.records]
    assert len(keys) == len(set(keys))
    count = len(file.text.replace("\r\n", "\n").replace("\r", "\n").split("\n"))
    for record in extract.records:
        check(record, SCHEMA)
        line, end = record.facets.get("line", 1), record.facets.get("lineEnd", 1)
        assert isinstance(line, int)
        assert isinstance(end, int)
        assert 1 <= line <= end <= count
        assert record.parent is None or record.parent in keys


@pytest.mark.parametrize("language", [language for language in LANGUAGES if language != "pdf"])
@settings(max_examples=60, deadline=None)
@given(text=st.text(max_size=300) | PIECES)
def test_any_text_is_read_in_any_format(language: str, text: str) -> None:
    keys_and_lines_are_sound(SourceFile("acme", "docs/a.x", language, text))


@settings(max_examples=60, deadline=None)
@given(data=st.binary(max_size=300))
def test_any_bytes_are_read_as_a_pdf(data: bytes) -> None:
    assert read_document(SourceFile("acme", "a.pdf", "pdf", "", data=data)).problems


@pytest.mark.parametrize("language", ["markdown", "mdx", "rst", "asciidoc", "text", "html"])
@pytest.mark.parametrize("name", DEEP)
def test_deep_and_endless_texts_are_read(language: str, name: str) -> None:
    assert read_document(SourceFile("acme", "a.x", language, DEEP[name])).records


def test_a_language_without_a_reader_is_read_as_plain_text() -> None:
    assert [section.title for section in outline("po", "Guide\n=====\ntext", b"", "a.po").sections] == ["Guide"]
