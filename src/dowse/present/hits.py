"""How do hits look to someone at a terminal? A list: who, where, the words around, and why."""

import re
from collections.abc import Iterator, Sequence

from dowse.model.page import Excerpt, Hit, Page
from dowse.model.ranking import ListScore, Signal
from dowse.model.record import Record
from dowse.present.styled import DIM, KIND, MARKED, TITLE, Styled, line

# Around a match where marks cannot be seen as colour.
_PLAIN_MARKS = ("«", "»")
# What stands below a hit is about it.
_BELOW = 4


def hits(page: Page, *, plain: bool) -> Iterator[Styled]:
    """The hits with their excerpts and, where asked for, why each stands where it stands. ``plain``: marks are characters."""
    for hit in page.hits:
        excerpt = _excerpt(hit.excerpt, plain)
        titled = hit.excerpt.text == hit.record.title
        yield _heading(hit, excerpt if titled else Styled(((line(hit.record.title or hit.record.key), ""),)))
        below = [excerpt] if excerpt.text.strip() and not titled else []
        for item in (*below, *_way(hit), *reasons(hit.lists, hit.signals)):
            yield item._replace(indent=_BELOW)


def reasons(lists: Sequence[ListScore], signals: Sequence[Signal]) -> Iterator[Styled]:
    for item in lists:
        yield _dim(f"{item.name:<10} rank {item.rank:<5} raw {item.raw:<9.4f} share {item.share:.4f}")
    for signal in signals:
        moved = f"× {signal.factor:g}" if not signal.added else f"{signal.added:+.4g}"
        yield _dim(f"{signal.name:<10} {moved}")


def _heading(hit: Hit, title: Styled) -> Styled:
    record = hit.record
    named = ((text, f"{TITLE} {style}".strip()) for text, style in title.pieces)
    places = (f"  {line(place)}" for place in _places(record) if place != (record.title or record.key))
    after = "".join((*places, f"  {hit.score:.4g}"))
    return Styled(((f"{hit.rank:>2}. ", DIM), *named, ("  ", ""), (record.kind, KIND), (after, DIM)))


def _places(record: Record) -> Iterator[str]:
    """Its key, and where it is as far as the key does not say."""
    yield record.key
    if record.space and not record.key.startswith(f"{record.space}:"):
        yield record.space
    if record.path and record.lines is not None:
        # As compilers say it: terminals and editors open that.
        yield f"{record.path}:{record.lines[0]}"
    elif record.path not in record.key:
        yield record.path


def _excerpt(excerpt: Excerpt, plain: bool) -> Styled:
    before, after = _PLAIN_MARKS if plain else ("", "")
    pieces = [("…" if excerpt.cut_before else "", "")]
    at = 0
    for start, end in excerpt.marks:
        pieces += [(_flowing(excerpt.text[at:start]), ""), (before + _flowing(excerpt.text[start:end]) + after, MARKED)]
        at = end
    return Styled((*pieces, (_flowing(excerpt.text[at:]) + ("…" if excerpt.cut_after else ""), "")))


def _flowing(text: str) -> str:
    """The text without its line breaks and indents."""
    return line(re.sub(r"\s+", " ", text))


def _way(hit: Hit) -> Iterator[Styled]:
    if hit.via:
        first = hit.via[0]
        way = [line(first.edge.source if first.forward else first.edge.target)]
        for step in hit.via:
            way += ["→", step.edge.kind, line(step.edge.target)] if step.forward else ["←", step.edge.kind, line(step.edge.source)]
        yield _dim(f"reached from {' '.join(way)}")


def _dim(text: str) -> Styled:
    return Styled(((text, DIM),))
