"""What is in a PDF? Its text, under its bookmarks or page by page."""

import io
import logging
import re
import struct
import zlib
from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from dowse.ingest.documents.assembling import LONGEST_TITLE, Draft, assemble, one_line, well_formed
from dowse.ingest.documents.outline import Outline

if TYPE_CHECKING:
    from pypdf import PageObject, PdfReader

# Pages take some hundredths of a second each; a longer book would hold up everything behind it.
MOST_PAGES = 1000
# What pages draw, in bytes: some thousands on a page of text, a million or two on a map. A megabyte takes half a second, and a few
# packed bytes can stand for many.
MOST_ON_PAGE = 4_000_000
MOST_DRAWN = 50_000_000
_DEEPEST = 6
# Forms within forms; deeper ones are drawn by nobody but those who want to hold a reader up.
_DEEPEST_FORM = 8
_DRAWS = re.compile(rb"/([^\s/<>\[\]()]{1,100})\s+Do\b")
# What a damaged file makes the parser raise, besides its own errors.
_DAMAGE = (
    ArithmeticError,
    AssertionError,
    AttributeError,
    EOFError,
    LookupError,
    NotImplementedError,
    OSError,
    RecursionError,
    TypeError,
    ValueError,
    struct.error,
    zlib.error,
)


def outline(data: bytes, path: str) -> Outline:
    """The outline of a PDF. What cannot be read is a problem, never an error."""
    try:
        # Heavy, and only where there are PDFs at all.
        import pypdf
    except ImportError:
        return assemble(path, (), {}, [f'{path}: PDF files are read by an optional part: install "dowse[pdf]".'])
    # Without a handler its remarks about damaged files would go to the terminal.
    logging.getLogger("pypdf").addHandler(logging.NullHandler())
    try:
        return _outline(pypdf.PdfReader(io.BytesIO(data)), path)
    except (pypdf.errors.PyPdfError, *_DAMAGE) as error:
        return assemble(path, (), {}, [f"{path}: this PDF cannot be read: {_reason(error)}."])


def _outline(reader: "PdfReader", path: str) -> Outline:
    if reader.is_encrypted and not reader.decrypt(""):
        return assemble(path, (), {}, [f"{path}: this PDF is encrypted; without its password it cannot be read."])
    problems: list[str] = []
    pages = [well_formed(text) for text in _pages(reader, path, problems)]
    marks = _bookmarks(reader)
    drafts = list(_under(pages, marks) if marks else _by_page(pages))
    front = _about(reader)
    return assemble(path, drafts, front, problems)


def _pages(reader: "PdfReader", path: str, problems: list[str]) -> Iterator[str]:
    import pypdf  # loaded by now

    count = len(reader.pages)
    left = MOST_DRAWN
    for number in range(min(count, MOST_PAGES)):
        try:
            page = reader.pages[number]
            drawn = _drawn_on(page)
            left -= min(drawn, MOST_ON_PAGE)
            if left < 0:
                problems.append(f"{path}: only the first {number} of {count} pages are read: they draw too much.")
                return
            if drawn > MOST_ON_PAGE:
                problems.append(f"{path}: page {number + 1} draws too much to be read.")
                yield ""
                continue
            yield page.extract_text().strip()
        except (pypdf.errors.PyPdfError, *_DAMAGE) as error:
            problems.append(f"{path}: page {number + 1} cannot be read: {_reason(error)}.")
            yield ""
    if count > MOST_PAGES:
        problems.append(f"{path}: only the first {MOST_PAGES} of {count} pages are read.")


def _drawn_on(page: "PageObject") -> int:
    """How many bytes are drawn on a page, those of a form as often as it is drawn."""
    contents = page.get_contents()
    return _drawn(contents.get_data(), page, 0) if contents is not None else 0


def _drawn(data: bytes, holder: Any, depth: int) -> int:
    """The same of a stream; what it draws is among the resources of the page or form that holds it."""
    whole = len(data)
    if depth > _DEEPEST_FORM or whole > MOST_ON_PAGE:
        return MOST_ON_PAGE + 1
    for name, times in sorted(Counter(_DRAWS.findall(data)).items()):
        form = _form(holder, f"/{name.decode('latin-1')}")
        if form is not None:
            whole += times * _drawn(form.get_data(), form, depth + 1)
        if whole > MOST_ON_PAGE:
            break
    return whole


def _form(holder: Any, name: str) -> Any | None:
    resources = holder.get("/Resources")
    drawable = resources.get_object().get("/XObject") if resources is not None else None
    found = drawable.get_object().get(name) if drawable is not None else None
    form = found.get_object() if found is not None else None
    return form if form is not None and form.get("/Subtype") == "/Form" else None


def _by_page(pages: list[str]) -> Iterator[Draft]:
    for number, text in enumerate(pages, 1):
        if text:
            yield Draft(f"Page {number}", 1, text=text)


def _bookmarks(reader: "PdfReader") -> list[tuple[int, str, int]]:
    """Page, title and level of every bookmark, in order of the pages."""
    import pypdf

    found: list[tuple[int, str, int]] = []
    try:
        left: list[tuple[Any, int]] = [(reader.outline, 0)]
        while left:
            item, level = left.pop()
            if isinstance(item, list):
                left += [(inner, level + 1) for inner in reversed(item)]
                continue
            page = reader.get_destination_page_number(item)
            title = one_line(well_formed(str(item.title or "")))
            if page is not None and title:
                found.append((page, title[:LONGEST_TITLE], min(level, _DEEPEST)))
    except (pypdf.errors.PyPdfError, *_DAMAGE):
        # Pages are a structure too.
        return []
    return sorted(found, key=lambda mark: mark[0])


def _under(pages: list[str], marks: list[tuple[int, str, int]]) -> Iterator[Draft]:
    """A section a bookmark: from where its title stands on its page to where the next begins."""
    starts = [(page, _place(pages, page, title)) for page, title, _ in marks]
    ends = [*starts[1:], (len(pages), 0)]
    yield Draft("", 0, text=_between(pages, (0, 0), starts[0]))
    for (_, title, level), start, end in zip(marks, starts, ends, strict=True):
        yield Draft(title, level, text=_between(pages, start, end))


def _place(pages: list[str], page: int, title: str) -> int:
    return max(0, pages[page].find(title)) if page < len(pages) else 0


def _between(pages: list[str], start: tuple[int, int], end: tuple[int, int]) -> str:
    if start[0] == end[0]:
        return pages[start[0]][start[1] : end[1]].strip() if start[0] < len(pages) else ""
    last = pages[end[0]][: end[1]] if end[0] < len(pages) else ""
    whole = [*pages[start[0] : start[0] + 1], *pages[start[0] + 1 : end[0]]]
    parts = [part[start[1] :] if number == 0 else part for number, part in enumerate(whole)]
    return "\n\n".join(part.strip() for part in (*parts, last) if part.strip())


def _about(reader: "PdfReader") -> dict[str, str]:
    about = reader.metadata
    values = {"title": about.title, "author": about.author, "subject": about.subject} if about is not None else {}
    return {name: one_line(well_formed(value)) for name, value in values.items() if isinstance(value, str) and value.strip()}


def _reason(error: Exception) -> str:
    return one_line(str(error))[:200].rstrip(".") or type(error).__name__
