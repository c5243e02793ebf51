import builtins
import io

import pytest
from bench.fuzz_samples import pdf
from pypdf import PdfReader, PdfWriter

from dowse.ingest.documents.pdf import outline


def written(writer: PdfWriter) -> bytes:
    buffer = io.BytesIO()
    writer.write(buffer)
    return buffer.getvalue()


def copied(*pages: str) -> PdfWriter:
    writer = PdfWriter()
    for page in PdfReader(io.BytesIO(pdf(*pages))).pages:
        writer.add_page(page)
    return writer


def test_pages_are_sections_where_there_are_no_bookmarks() -> None:
    read = outline(pdf("First words", "Second words"), "docs/a.pdf")
    assert [(s.title, s.anchor, s.text) for s in read.sections] == [
        ("Page 1", "page-1", "First words"),
        ("Page 2", "page-2", "Second words"),
    ]
    assert read.problems == ()


def test_bookmarks_are_headings() -> None:
    writer = copied("Cover", "Install it", "More of it")
    parent = writer.add_outline_item("Guide", 0)
    writer.add_outline_item("Install", 1, parent=parent)
    read = outline(written(writer), "a.pdf")
    assert [(s.title, s.level, s.text) for s in read.sections] == [
        ("Guide", 1, "Cover"),
        ("Install", 2, "Install it\n\nMore of it"),
    ]


def test_the_title_is_that_of_the_document() -> None:
    writer = copied("Text")
    writer.add_metadata({"/Title": "The Manual"})
    assert outline(written(writer), "a.pdf").title == "The Manual"


def test_an_encrypted_file_is_a_problem() -> None:
    writer = copied("Secret")
    writer.encrypt("password", algorithm="RC4-128")
    read = outline(written(writer), "a.pdf")
    assert (read.title, read.sections) == ("a.pdf", ())
    assert "encrypted" in read.problems[0]


@pytest.mark.parametrize("data", [b"", b"%PDF-1.4\n", b"no pdf at all", pdf("Text")[:150], b"%PDF-1.4\n" + b"<<" * 5000])
def test_a_damaged_file_is_a_problem(data: bytes) -> None:
    read = outline(data, "a.pdf")
    assert read.sections == ()
    assert read.problems[0].startswith("a.pdf: ")


def test_without_the_optional_part_the_problem_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    real = builtins.__import__

    def missing(name: str, *rest: object) -> object:
        if name == "pypdf":
            raise ImportError(name)
        return real(name, *rest)  # type: ignore[arg-type]

    monkeypatch.setattr(builtins, "__import__", missing)
    assert 'install "dowse[pdf]"' in outline(pdf("Text"), "a.pdf").problems[0]
