import builtins
import io

import pytest
from pypdf import PdfReader, PdfWriter

from dowse.ingest.documents.pdf import outline


def pdf(*pages: str) -> bytes:
    """A PDF with one line of text a page, written by hand."""
    kids = " ".join(f"{4 + 2 * number} 0 R" for number in range(len(pages)))
    bodies = [
        "<< /Type /Catalog /Pages 2 0 R >>",
        f"<< /Type /Pages /Kids [{kids}] /Count {len(pages)} >>",
        "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    ]
    for number, text in enumerate(pages):
        stream = f"BT /F1 12 Tf 72 700 Td ({text}) Tj ET"
        box = "/MediaBox [0 0 600 800] /Resources << /Font << /F1 3 0 R >> >>"
        bodies.append(f"<< /Type /Page /Parent 2 0 R {box} /Contents {5 + 2 * number} 0 R >>")
        bodies.append(f"<< /Length {len(stream)} >>\nstream\n{stream}\nendstream")
    data, places = "%PDF-1.4\n", []
    for number, body in enumerate(bodies, 1):
        places.append(len(data))
        data += f"{number} 0 obj\n{body}\nendobj\n"
    table = "".join(f"{place:010} 00000 n \n" for place in places)
    size = len(bodies) + 1
    data += f"xref\n0 {size}\n0000000000 65535 f \n{table}trailer << /Size {size} /Root 1 0 R >>\nstartxref\n{len(data)}\n%%EOF\n"
    return data.encode()


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
