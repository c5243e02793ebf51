"""How do hits look to someone at a terminal? A list: who, where, the words around, and why."""

import re
from collections.abc import Iterator, Sequence

from rich.console import RenderableType
from rich.padding import Padding
from rich.text import Text

from dowse.model.page import Excerpt, Hit, Page
from dowse.model.ranking import ListScore, Signal
from dowse.model.record import Record
from dowse.present.terminal import DIM, KIND, MARKED, TITLE, line

# Around a match where marks cannot be seen as colour.
_PLAIN_MARKS = ("«", "»")


def hits(page: Page, *, plain: bool) -> Iterator[RenderableType]:
    """The hits with their excerpts and, where asked for, why each stands where it stands."""
    for hit in page.hits:
        excerpt = _excerpt(hit.excerpt, plain)
        titled = hit.excerpt.text == hit.record.title
        yield _heading(hit, excerpt if titled else Text(line(hit.record.title or hit.record.key)))
        below = [excerpt] if excerpt.plain.strip() and not titled else []
        for text in (*below, *_way(hit), *reasons(hit.lists, hit.signals)):
            yield Padding(text, (0, 0, 0, 4), expand=False)


def reasons(lists: Sequence[ListScore], signals: Sequence[Signal]) -> Iterator[Text]:
    for item in lists:
        yield Text(f"{item.name:<10} rank {item.rank:<5} raw {item.raw:<9.4f} share {item.share:.4f}", DIM)
    for signal in signals:
        moved = f"× {signal.factor:g}" if not signal.added else f"{signal.added:+.4g}"
        yield Text(f"{signal.name:<10} {moved}", DIM)


def _heading(hit: Hit, title: Text) -> Text:
    record = hit.record
    title.stylize_before(TITLE)
    heading = Text.assemble((f"{hit.rank:>2}. ", DIM), title, "  ", (record.kind, KIND))
    for place in _places(record):
        if place != (record.title or record.key):
            heading.append(f"  {line(place)}", DIM)
    return heading.append(f"  {hit.score:.4g}", DIM)


def _places(record: Record) -> Iterator[str]:
    """Its key, and where it is as far as the key does not say."""
    yield record.key
    path = str(record.text("path") or record.facets.get("path", ""))
    if path and path not in record.key:
        yield path
    if record.space and not record.key.startswith(f"{record.space}:"):
        yield record.space
    if "line" in record.facets:
        yield f"line {record.facets['line']}"


def _excerpt(excerpt: Excerpt, plain: bool) -> Text:
    before, after = _PLAIN_MARKS if plain else ("", "")
    shown = Text("…" if excerpt.cut_before else "")
    at = 0
    for start, end in excerpt.marks:
        shown.append(_flowing(excerpt.text[at:start]))
        shown.append(before + _flowing(excerpt.text[start:end]) + after, MARKED)
        at = end
    return shown.append(_flowing(excerpt.text[at:])).append("…" if excerpt.cut_after else "")


def _flowing(text: str) -> str:
    """The text without its line breaks and indents."""
    return line(re.sub(r"\s+", " ", text))


def _way(hit: Hit) -> Iterator[Text]:
    if hit.via:
        first = hit.via[0]
        way = [line(first.edge.source if first.forward else first.edge.target)]
        for step in hit.via:
            way += ["→", step.edge.kind, line(step.edge.target)] if step.forward else ["←", step.edge.kind, line(step.edge.source)]
        yield Text(f"reached from {' '.join(way)}", DIM)
