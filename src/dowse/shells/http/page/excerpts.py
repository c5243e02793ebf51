"""What of a hit is seen in the list? Its title and the stretch that matched: prose as parts, code as coloured lines."""

import re
from collections.abc import Sequence
from typing import Any

from dowse.model.page import Excerpt, Hit
from dowse.model.record import Record
from dowse.present.colouring import colour
from dowse.text.excerpting import find_words, merge
from dowse.text.folding import fold

# A list is for choosing, not for reading.
_LINES = 6
_CHARACTERS = 220
# Where a record says best what it is, if nothing but its title matched.
_TELLING = ("summary", "doc", "description", "content", "body", "signature", "exports")

# A link to a page reads as the page's title.
_WIKI_LINK = re.compile(r"\[\[([^\[\]|]+)(?:\|[^\[\]|]+)?\]\]")

Part = tuple[str, bool]
Span = tuple[int, int]


def title_of(hit: Hit) -> list[Part]:
    """The title in parts, each with whether it matched: where the words that are marked in the excerpt stand in it too."""
    title = hit.record.title or str(hit.record.facets.get("noteKey") or hit.record.key)
    if hit.excerpt.field == "title" and hit.excerpt.text == title:
        return _parts(title, hit.excerpt.marks)
    forms = {fold(hit.excerpt.text[start:end]): 0 for start, end in hit.excerpt.marks}
    return _parts(title, merge(find_words(title, forms)))


def excerpt_of(hit: Hit) -> dict[str, Any]:
    """``code``: lines of HTML made of escaped text; ``parts``: text, each with whether it matched."""
    record, excerpt = hit.record, hit.excerpt
    if excerpt.field in ("title", "path", "breadcrumb", "tags") or not excerpt.text.strip():
        return _beginning(record)
    if is_code(record, excerpt.field):
        return {"field": excerpt.field, "code": _lines(record, excerpt)}
    before, after = "…" if excerpt.cut_before else "", "…" if excerpt.cut_after else ""
    parts = [(before, False), *_parts(excerpt.text, excerpt.marks), (after, False)]
    return {"field": excerpt.field, "parts": [(_WIKI_LINK.sub(r"\1", text), matched) for text, matched in parts if text]}


def is_code(record: Record, field: str) -> bool:
    """Whether a field holds code rather than prose."""
    if record.kind == "symbol":
        return field in ("body", "signature")
    return record.kind == "snippet" and field == "content" and record.facets.get("type") == "code"


def language_of(record: Record) -> str:
    return str(record.facets.get("language", ""))


def _beginning(record: Record) -> dict[str, Any]:
    field = next((name for name in _TELLING if record.text(name).strip()), "")
    text = _WIKI_LINK.sub(r"\1", record.text(field)).strip()
    if is_code(record, field):
        whole = record.text(field)
        return {"field": field, "code": _lines(record, Excerpt(field, "", (), 0, min(len(whole), _CHARACTERS)))}
    cut = text if len(text) <= _CHARACTERS else f"{text[:_CHARACTERS].rsplit(maxsplit=1)[0]}…"
    return {"field": field, "parts": [(cut, False)] if cut else []}


def _parts(text: str, marks: Sequence[Span]) -> list[Part]:
    parts: list[Part] = []
    at = 0
    for start, end in marks:
        parts += [(text[at:start], False), (text[start:end], True)]
        at = end
    return [part for part in (*parts, (text[at:], False)) if part[0]]


def _lines(record: Record, excerpt: Excerpt) -> list[str]:
    """Whole lines around what matched, moved to the left together."""
    text = record.text(excerpt.field)
    marks = [(excerpt.start + start, excerpt.start + end) for start, end in excerpt.marks]
    begin = text.rfind("\n", 0, excerpt.start) + 1
    end = text.find("\n", max(excerpt.end - 1, 0))
    first, last = _around(text, begin, len(text) if end < 0 else end, marks)
    inside = [(max(a, first) - first, min(b, last) - first) for a, b in marks if a < last and b > first]
    return list(colour(*_moved_left(text[first:last], inside, language_of(record))))


def _around(text: str, begin: int, end: int, marks: Sequence[Span]) -> Span:
    """The lines from the one before the first match, as many as are shown."""
    first = begin
    if marks and text.count("\n", begin, end) >= _LINES:
        line = text.rfind("\n", begin, marks[0][0]) + 1 or begin
        first = max(begin, text.rfind("\n", begin, max(line - 1, begin)) + 1) if line > begin else begin
    last = first
    for _ in range(_LINES):
        at = text.find("\n", last, end)
        if at < 0:
            return first, end
        last = at + 1
    return first, last - 1


def _moved_left(text: str, marks: Sequence[Span], language: str) -> tuple[str, str, list[Span]]:
    """The code without the indent that all its lines share."""
    lines = text.split("\n")
    indent = min((len(line) - len(line.lstrip()) for line in lines if line.strip()), default=0)
    gone: list[int] = []
    for line in lines:
        # At each place of the text, how much of what stood before it is gone.
        before = gone[-1] if gone else 0
        taken = min(indent, len(line))
        gone += [before + min(at, taken) for at in range(len(line) + 1)]
    return "\n".join(line[indent:] for line in lines), language, [(start - gone[start], end - gone[end]) for start, end in marks]
