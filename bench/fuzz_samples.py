"""What do well-formed files of every format look like, as bytes? One each, to be changed until they are not."""

import io
import tarfile
import zipfile
from functools import cache
from pathlib import Path

from bench.fuzz_campaign import ROOT
from bench.fuzz_texts import DOCUMENTS, LIBRARY, METADATA

_CODE = ROOT / "tests" / "ingest" / "code" / "samples"


@cache
def files() -> dict[str, bytes]:
    """A file of every format by the path that makes it one."""
    found = {path: text.encode() for path, text in DOCUMENTS.items()}
    found["docs/manual.pdf"] = pdf("Tides", "Reading the gauge")
    found["docs/wide.txt"] = DOCUMENTS["notes/tides.txt"].encode("utf-16")
    for path in sorted(_CODE.rglob("*")):
        if path.is_file():
            found[_code_path(path)] = path.read_bytes()
    return found


@cache
def library_files() -> dict[str, bytes]:
    """What is read of a library besides its documents."""
    metadata = METADATA.encode()
    module = b'"""Reads."""\ndef read():\n    """Reads it."""\n'
    written = {name: text.encode() for name, text in LIBRARY.items()}
    return written | {
        "kit.whl": _zip({"kit/__init__.py": module, "kit-1.dist-info/METADATA": metadata}),
        "kit.tar.gz": _tar({"kit-1/PKG-INFO": metadata, "kit-1/README.md": b"# Kit\n\nReads.\n"}),
    }


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


def _code_path(path: Path) -> str:
    # Samples of Python have another ending, so that no tool takes them for modules of ours.
    return path.relative_to(_CODE).as_posix().removesuffix(".sample")


def _zip(members: dict[str, bytes]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in members.items():
            archive.writestr(zipfile.ZipInfo(name), data)
    return out.getvalue()


def _tar(members: dict[str, bytes]) -> bytes:
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w:gz") as archive:
        for name, data in members.items():
            about = tarfile.TarInfo(name)
            about.size = len(data)
            archive.addfile(about, io.BytesIO(data))
    return out.getvalue()
