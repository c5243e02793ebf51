"""Files and queries that someone made to hold us up: each has a bound, and is read, found or refused within it.

Bounds are counts (of steps, bytes, records) wherever something can be counted. Where it cannot, an alarm far beyond what a slow
machine takes ends what would else run for hours.
"""

import bz2
import gzip
import io
import json
import lzma
import signal
import tarfile
import zipfile
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from types import FrameType

import pytest

from dowse.app.workspace import Workspace
from dowse.errors import InvalidQuery, InvalidRequest
from dowse.ingest.documents import assembling, markdown, notebook, pdf
from dowse.ingest.extract import Extract
from dowse.ingest.libraries import archives
from dowse.ingest.libraries.archives import archive
from dowse.ingest.reading import extract_from
from dowse.ingest.walking.ignoring import Rules
from dowse.ingest.walking.patterns import parse_patterns
from dowse.model.record import Record
from dowse.search.retrieve import MOST_SHORT

MANY = 10_000
# The slowest of these takes two seconds where nothing else runs.
PATIENCE = 120
MEGABYTE = 1 << 20


@pytest.fixture(autouse=True)
def _patience() -> Iterator[None]:
    """Ends what does not end; says nothing of how long anything takes."""

    def give_up(_: int, __: FrameType | None) -> None:
        raise TimeoutError("this does not end")

    if not hasattr(signal, "SIGALRM"):
        yield
        return
    before = signal.signal(signal.SIGALRM, give_up)
    signal.alarm(PATIENCE)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


def read(path: str, data: bytes) -> Extract:
    extract, _ = extract_from("space", path, data, 0.0, ("vault/",))
    assert not [problem for problem in extract.problems if "readers failed" in problem]
    return extract


def size(extract: Extract) -> int:
    return sum(len(text) for record in extract.records for text in record.fields.values())


# Queries

QUERIES = {
    "brackets": "(" * MANY,
    "closed brackets": "(" * (MANY // 2 - 1) + "a" + ")" * (MANY // 2 - 1),
    "quotes": '"' * MANY,
    "quoted words": '"a" ' * (MANY // 4),
    "not not": "NOT " * (MANY // 4 - 1) + "a",
    "not brackets": "NOT (" * (MANY // 6) + "a",
    "minus": "-" * (MANY - 1) + "a",
    "fields": "title:" * (MANY // 6),
    "stars": "*" * MANY,
    "one word": "a" * MANY,
    "many words": " ".join(f"w{number}" for number in range(1500)),
    "many alternatives": " OR ".join(f"w{number}" for number in range(900)),
    "combining marks": "a" + "\u0301" * (MANY - 1),
    "families": "\U0001f468\u200d" * (MANY // 2),
    "one character that folds to eighteen": "\ufdfa" * MANY,
    "names": "aB" * (MANY // 2),
    "paths": "a/" * (MANY // 2),
    "no spaces between words": "検索" * (MANY // 2),
}


@pytest.mark.parametrize("query", QUERIES.values(), ids=QUERIES.keys())
def test_a_query_of_ten_thousand_pieces_is_answered(workspace: Workspace, query: str) -> None:
    workspace.put(kind="page", title="Tide", content="The gauge tells how high the tide is.")
    for mode in ("auto", "substring"):
        assert workspace.search(query, mode=mode).total <= 1


@pytest.mark.parametrize(
    ("length", "query"),
    [(1, "abcdefghi"), (2, [first + second for first in "abcdefghijk" for second in "lmnopqrstu"])],
    ids=["letters", "pairs of letters"],
)
def test_a_search_for_more_short_strings_than_a_sentence_has_is_refused(
    workspace: Workspace, length: int, query: str | list[str]
) -> None:
    most = MOST_SHORT[length]
    workspace.search(" ".join(query[:most]), mode="substring")
    workspace.search(" ".join(query), mode="keyword")
    with pytest.raises(InvalidQuery, match=f"at most {most} tokens of length {length}"):
        workspace.search(" ".join(query), mode="substring")


def test_a_longer_query_is_refused_and_says_how_long_it_may_be(workspace: Workspace) -> None:
    with pytest.raises(InvalidQuery, match="at most 10,000"):
        workspace.search("a" * (MANY + 1))


# Files

FLOODS = {
    "one long line": b"tide " * 60_000,
    "nothing but line ends": b"\n" * 100_000,
    "brackets": b"(" * 100_000,
    "square brackets": b"[" * 100_000,
    "braces": b"{" * 100_000,
    "angles": b"<a" * 100_000,
    "quotes": b'"' * 100_000,
    "back quotes": b"`" * 100_000,
    "stars": b"*" * 100_000,
    "open links": b"[a](b " * 30_000,
    "open pictures": b"![" * 50_000,
    "deep list": b"".join(b" " * depth + b"- a\n" for depth in range(1000)),
    "deep quote": b">" * 50_000 + b" a",
    "backslashes": b"\\" * 200_000,
    "spaces": b" " * 200_000 + b"a",
    "combining marks": ("a" + "\u0301" * 200_000).encode(),
    "combining marks on every letter": (("a" + "\u0301\u0345" * 20 + " ") * 5000).encode(),
    "characters that fold to many": ("\ufdfa" * 30_000).encode(),
    "addresses": b"http://a" * 50_000,
    "rules": b"=" * 200_000 + b"\n",
}
PATHS = (
    "a.md",
    "a.mdx",
    "a.rst",
    "a.adoc",
    "a.html",
    "a.txt",
    "a.ipynb",
    "a.yaml",
    "issues.json",
    "a.py",
    "a.js",
    "a.sh",
    "a.unknown",
)


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize("flood", FLOODS.values(), ids=FLOODS.keys())
def test_a_flood_is_read_to_its_end_and_does_not_multiply(path: str, flood: bytes) -> None:
    extract = read(path, flood)
    assert extract.records
    # Texts stand in a record and once more in its parts, and nothing more often.
    assert size(extract) <= 4 * len(flood) + 10_000


def test_a_file_above_the_limit_is_found_by_its_name_alone(by_words: Workspace, tmp_path: Path) -> None:
    project = tmp_path / "project"
    project.mkdir()
    (project / "huge.txt").write_bytes(b"quaywalk " * (10 * MEGABYTE // 9))
    run = by_words.index(project, space="project", jobs=1)
    assert dict(run.skipped) == {"too large": 1}
    assert by_words.search("quaywalk").total == 0
    assert by_words.search("huge.txt").total == 1


def test_of_endless_lines_of_markdown_the_first_are_looked_into_and_all_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(markdown, "_MOST_LINES", 10)
    text = "# First\n\n" + "- tide\n" * 20 + "\n# Last\n\nquaywalk\n"
    extract = read("a.md", text.encode())
    assert [record.title for record in extract.records if record.kind == "section"] == ["First"]
    assert any("quaywalk" in field for record in extract.records for field in record.fields.values())


@pytest.mark.parametrize(("path", "heading"), [("a.md", "# {}\n\n"), ("a.adoc", "= {}\n\n")])
def test_of_endless_headings_the_first_make_sections_and_all_are_kept(
    monkeypatch: pytest.MonkeyPatch, path: str, heading: str
) -> None:
    monkeypatch.setattr(assembling, "_MOST_SECTIONS", 2)
    extract = read(path, "".join(heading.format(letter) for letter in "ABCDE").encode())
    sections = [record for record in extract.records if record.kind == "section"]
    assert [record.title for record in sections] == ["A", "B"]
    assert "E" in "".join(sections[-1].fields.values())


def test_a_notebook_of_back_quotes_is_fenced_in_one_look() -> None:
    cell = {"cell_type": "code", "source": "`" * MEGABYTE}
    extract = read("a.ipynb", json.dumps({"cells": [cell], "metadata": {}}).encode())
    assert size(extract) < 10 * MEGABYTE


def test_of_a_notebook_with_endless_cells_the_first_are_read_and_it_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(notebook, "_MOST_CELLS", 2)
    cells = [{"cell_type": "markdown", "source": f"quay{number}"} for number in range(3)]
    extract = read("a.ipynb", json.dumps({"cells": cells, "metadata": {}}).encode())
    assert any("only the first 2 of 3 cells" in problem for problem in extract.problems)
    texts = "".join(field for record in extract.records for field in record.fields.values())
    assert "quay0\n\nquay1" in texts
    assert "quay2" not in texts


def test_a_notebook_whose_output_is_endless_keeps_its_beginning() -> None:
    cell = {"cell_type": "code", "source": "run()", "outputs": [{"output_type": "stream", "text": ["tide\n"] * 500_000}]}
    extract = read("a.ipynb", json.dumps({"cells": [cell], "metadata": {}}).encode())
    assert size(extract) < 5000


def test_a_notebook_that_is_nested_too_deeply_is_kept_as_text() -> None:
    extract = read("a.ipynb", b'{"cells": ' + b"[" * 200_000)
    assert any("not a valid notebook" in problem for problem in extract.problems)


def bomb(around: str, last: str) -> bytes:
    """Nine of nine of nine …: some hundred bytes that stand for billions."""
    lines = ["a0: &a0 [tide, tide, tide]"]
    lines += [f"a{number}: &a{number} [{', '.join([f'*a{number - 1}'] * 9)}]" for number in range(1, 12)]
    return around.replace("BOMB", "\n".join(lines)).replace("LAST", last).encode()


@pytest.mark.parametrize(
    ("path", "data"),
    [
        ("architecture/nodes.yaml", bomb("nodes:\n  - {id: a, kind: service, summary: s}\nBOMB\n", "")),
        ("architecture/all.yaml", bomb("BOMB\nnodes:\n  - {id: a, kind: service, summary: s, calls: LAST, tags: LAST}\n", "*a11")),
        ("a.md", bomb("---\nBOMB\ntags: LAST\ntitle: LAST\nstatus: LAST\n---\n# A\n", "*a11")),
        ("skills/x/SKILL.md", bomb("---\nBOMB\nname: x\ntriggers: LAST\nrequires: LAST\n---\n# A\n", "*a11")),
        ("tasks/t.md", bomb("---\nBOMB\nid: T-1\nstatus: open\ndepends_on: LAST\nlabels: LAST\n---\n# A\n", "*a11")),
        ("vault/a.md", bomb("---\nBOMB\naliases: LAST\ntags: LAST\n---\n# A\n", "*a11")),
        ("a.md", b"---\nx: &x {<<: [*x, *x]}\n---\n# A\n"),
    ],
    ids=["beside nodes", "in nodes", "in front matter", "in a skill", "in a task", "in a page", "merged with itself"],
)
def test_aliases_of_aliases_stand_for_no_more_than_they_take(path: str, data: bytes) -> None:
    extract = read(path, data)
    assert extract.records
    assert size(extract) < 50_000


def packed_pdf(content: bytes, *, pages: int = 1, forms: int = 0) -> bytes:
    """A PDF that draws this on every page. ``forms``: each draws the next one ten times, and the last one the content."""
    bodies = [b"<< /Type /Catalog /Pages 2 0 R >>", b"", b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>"]
    resources = b"/Resources << /Font << /F1 3 0 R >> /XObject << /X %d 0 R >> >>"
    drawn = b"/X Do\n" * 10 if forms else content
    bodies.append(_stream(drawn))
    first = 5
    for number in range(forms):
        inner = content if number == forms - 1 else b"/X Do\n" * 10
        bodies.append(_stream(inner, b"/Type /XObject /Subtype /Form /BBox [0 0 9 9] " + resources % (first + number + 1)))
    kids = range(first + forms, first + forms + pages)
    bodies[1] = b"<< /Type /Pages /Kids [%s] /Count %d >>" % (b" ".join(b"%d 0 R" % kid for kid in kids), pages)
    page = b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Contents 4 0 R " + resources % first + b" >>"
    return _written([*bodies, *[page] * pages])


def _stream(content: bytes, about: bytes = b"") -> bytes:
    packed = zlib.compress(content, 9)
    return b"<< %s /Length %d /Filter /FlateDecode >>\nstream\n%s\nendstream" % (about, len(packed), packed)


def _written(bodies: list[bytes]) -> bytes:
    data, places = b"%PDF-1.4\n", []
    for number, body in enumerate(bodies, 1):
        places.append(len(data))
        data += b"%d 0 obj\n%s\nendobj\n" % (number, body)
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    count = len(bodies) + 1
    return data + b"xref\n0 %d\n0000000000 65535 f \n%strailer << /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n" % (
        *(count, table, count, len(data)),
    )


def shown(text: bytes) -> bytes:
    return b"BT /F1 12 Tf 72 700 Td (%s) Tj ET" % text


def test_a_page_that_unpacks_to_megabytes_is_left_out_and_told() -> None:
    data = packed_pdf(shown(b"a" * (50 * MEGABYTE)))
    assert len(data) < 100_000
    outline = pdf.outline(data, "a.pdf")
    assert outline.problems == ("a.pdf: page 1 draws too much to be read.",)


def test_forms_that_draw_forms_are_counted_as_often_as_they_are_drawn() -> None:
    outline = pdf.outline(packed_pdf(shown(b"ha"), forms=9), "a.pdf")
    assert outline.problems == ("a.pdf: page 1 draws too much to be read.",)


def test_a_form_that_is_drawn_a_few_times_is_read() -> None:
    outline = pdf.outline(packed_pdf(shown(b"tide"), forms=1), "a.pdf")
    assert outline.problems == ()
    assert sum(section.text.count("tide") for section in outline.sections) == 10


def test_many_pages_that_draw_much_are_read_up_to_a_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pdf, "MOST_DRAWN", 10_000)
    outline = pdf.outline(packed_pdf(shown(b"tide " * 400), pages=50), "a.pdf")
    assert outline.problems == ("a.pdf: only the first 4 of 50 pages are read: they draw too much.",)
    assert len(outline.sections) == 4


# Archives and rules


def _tar(path: Path, members: dict[str, int]) -> Path:
    """An archive of zeroes, so many bytes under each name."""
    with tarfile.open(path, "w:gz") as made:
        for name, length in members.items():
            about = tarfile.TarInfo(name)
            about.size = length
            made.addfile(about, io.BytesIO(bytes(length)))
    return path


def test_an_archive_that_unpacks_to_more_than_it_may_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archives, "_LARGEST_WHOLE", 10 * MEGABYTE)
    many = _tar(tmp_path / "many.tar.gz", {f"kit/{number}.md": 3 * MEGABYTE for number in range(4)})
    assert many.stat().st_size < MEGABYTE
    with pytest.raises(InvalidRequest, match=r"many\.tar\.gz holds more than"):
        archive(many)


def test_a_head_of_an_archive_that_would_fill_the_memory_is_not_read(tmp_path: Path) -> None:
    """Before a member may stand more about it, which is read as a whole: here, what a few kilobytes unpack to."""
    path = tmp_path / "kit.tar.gz"
    about = tarfile.TarInfo("PaxHeaders/kit")
    about.type, about.size = tarfile.XHDTYPE, 6 << 30
    path.write_bytes(gzip.compress(about.tobuf(tarfile.USTAR_FORMAT) + bytes(MEGABYTE)))
    with pytest.raises(InvalidRequest, match=r"one of its heads has more than 16 MiB"):
        archive(path)


def test_an_archive_is_not_unpacked_without_end_to_pass_over_a_member(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archives, "_LARGEST_UNPACKED", 2 * MEGABYTE)
    path = _tar(tmp_path / "kit.tar.gz", {"picture.bin": 3 * MEGABYTE, "README.md": 10})
    with pytest.raises(InvalidRequest, match=r"it unpacks to more than 2 MiB"):
        archive(path)


@pytest.mark.parametrize("packing", ["gz", "bz2", "xz", ""])
def test_an_archive_is_read_however_it_is_packed(tmp_path: Path, packing: str) -> None:
    plain = io.BytesIO()
    with tarfile.open(fileobj=plain, mode="w") as made:
        about = tarfile.TarInfo("README.md")
        about.size = 6
        made.addfile(about, io.BytesIO(b"# Kit\n"))
    path = tmp_path / "kit.tar"
    packed: dict[str, Callable[[bytes], bytes]] = {"gz": gzip.compress, "bz2": bz2.compress, "xz": lzma.compress, "": bytes}
    path.write_bytes(packed[packing](plain.getvalue()))
    assert [file.path for file in archive(path).editions[0].files] == ["README.md"]


def test_a_member_that_is_larger_than_it_may_be_is_left_out(tmp_path: Path) -> None:
    path = tmp_path / "kit.whl"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as made:
        made.writestr("README.md", "# Kit\n\nReads gauges.\n")
        made.writestr("huge.md", bytes(40 * MEGABYTE))
    material = archive(path)
    assert [file.path for file in material.editions[0].files] == ["README.md"]
    assert ["huge.md" in problem.path for problem in material.problems] == [True]


RULES: dict[str, Callable[[], str]] = {
    "stars": lambda: "*a" * 200 + "b",
    "double stars": lambda: "**/a/" * 200 + "b",
    "brackets": lambda: "[" * 10_000,
    "sets": lambda: "[a-z]*" * 500,
    "backslashes": lambda: "\\" * 10_001,
    "many rules": lambda: "\n".join(f"*a{number}*b*" for number in range(2000)),
    "question marks": lambda: "?" * 5000 + "*" + "?" * 5000,
}


@pytest.mark.parametrize("made", RULES.values(), ids=RULES.keys())
def test_no_rule_of_an_ignore_file_takes_for_ever(made: Callable[[], str]) -> None:
    rules = Rules(tuple(parse_patterns(made())), ".gitignore")
    for name in ("a" * 200, "a" * 200 + "c", "ab" * 100):
        for path in (name, "/".join(["a"] * 100) + f"/{name}"):
            rules.verdict(path, name, folder=False)


def test_a_record_of_one_endless_word_is_stored_and_found(by_words: Workspace) -> None:
    by_words.put(Record("long", "page", "Long", {"content": "a" * MEGABYTE + " quaywalk"}))
    assert by_words.search("quaywalk").total == 1
