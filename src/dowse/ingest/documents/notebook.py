"""What is in a notebook? Its Markdown gives the structure, its code the examples."""

import json
import re
from typing import Any

from dowse.ingest.documents import markdown, plain
from dowse.ingest.documents.assembling import Draft, assemble, well_formed
from dowse.ingest.documents.languages import language_name
from dowse.ingest.documents.outline import Example, Outline

# Output shows what the code is about; tables and logs beyond this bury it.
_LONGEST_OUTPUT = 500
_FEWEST_TICKS = 3
# Cells that are read: several times as many as the longest notebooks have that someone works with.
_MOST_CELLS = 20_000
_TICKS = re.compile(r"`+")


def outline(text: str, path: str) -> Outline:
    """The outline of a Jupyter notebook. Lines are not counted: those of the file are lines of JSON."""
    try:
        book = json.loads(text)
        cells = _cells(book)
    except (ValueError, RecursionError, TypeError) as error:
        read = plain.outline(text, path)
        return Outline(read.title, read.front, read.sections, (f"{path}: not a valid notebook: {error}.",))
    drafts, texts = [Draft("", 0)], [[""]]
    language = _language(book)
    for cell in cells[:_MOST_CELLS]:
        source = _text(cell.get("source", cell.get("input")))
        if cell.get("cell_type") == "code":
            texts[-1] += _add_code(drafts[-1], source, language, _output(cell))
        elif cell.get("cell_type") == "heading":
            made = markdown.drafts(f"{'#' * max(1, min(6, int(cell.get('level') or 1)))} {source}")
            drafts += made
            texts += [[draft.text] for draft in made]
        else:
            _add_text(drafts, texts, source)
    for draft, parts in zip(drafts, texts, strict=True):
        draft.line = draft.line_end = 0
        # Once: to put each piece behind all before it would take the square of their number.
        draft.text = "\n\n".join(part for part in parts if part)
    left_out = f"{path}: only the first {_MOST_CELLS:,} of {len(cells):,} cells were read."
    return assemble(path, drafts, {}, [left_out] if len(cells) > _MOST_CELLS else ())


def _cells(book: Any) -> list[dict[str, Any]]:
    """The cells of any version of the format: once they were kept in worksheets."""
    if not isinstance(book, dict):
        raise ValueError("it is no object")
    holders = [book, *(book.get("worksheets") or ())]
    cells = [cell for holder in holders if isinstance(holder, dict) for cell in holder.get("cells") or ()]
    if not all(isinstance(cell, dict) for cell in cells) or not ("cells" in book or "worksheets" in book):
        raise ValueError("it has no cells")
    return cells


def _language(book: dict[str, Any]) -> str:
    about = book.get("metadata")
    for holder, name in (("language_info", "name"), ("kernelspec", "language")):
        value = about.get(holder) if isinstance(about, dict) else None
        if isinstance(value, dict) and isinstance(value.get(name), str):
            return language_name(value[name])
    return "python"


def _text(source: Any) -> str:
    """Text in a notebook is a string or a list of its lines."""
    if isinstance(source, list):
        source = "".join(line for line in source if isinstance(line, str))
    return well_formed(source) if isinstance(source, str) else ""


def _add_text(drafts: list[Draft], texts: list[list[str]], source: str) -> None:
    for draft in markdown.drafts(source):
        draft.examples = [Example(each.language, each.code, title=each.title) for each in draft.examples]
        if draft.level:
            drafts.append(draft)
            texts.append([draft.text])
            continue
        last = drafts[-1]
        texts[-1].append(draft.text.strip("\n"))
        last.examples += draft.examples
        last.links += draft.links
        last.mentions += draft.mentions


def _add_code(draft: Draft, source: str, language: str, output: str) -> list[str]:
    """The code is an example; what is returned is the text that shows it."""
    code = source.strip("\n")
    if not code.strip():
        return []
    draft.examples.append(Example(language, code))
    return [_fenced(code, language), *([_fenced(output, "")] if output else ())]


def _output(cell: dict[str, Any]) -> str:
    outputs = cell.get("outputs")
    shown = []
    for output in outputs if isinstance(outputs, list) else ():
        if isinstance(output, dict):
            data = output.get("data")
            shown.append(_text(output.get("text")) or _text(data.get("text/plain") if isinstance(data, dict) else None))
    return "\n".join(text for text in shown if text).strip("\n")[:_LONGEST_OUTPUT]


def _fenced(code: str, language: str) -> str:
    # In one look: to try every length in turn would take for ever where someone put millions of them.
    ticks = "`" * max(_FEWEST_TICKS, 1 + max(map(len, _TICKS.findall(code)), default=0))
    return f"{ticks}{language}\n{code}\n{ticks}"
