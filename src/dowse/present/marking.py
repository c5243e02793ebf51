"""How does an excerpt look? Marks around matches, text escaped where a page will show it."""

import html

from dowse.model.page import Excerpt
from dowse.model.surface import Marks


def mark(excerpt: Excerpt, marks: Marks) -> str:
    """The excerpt as characters.

    >>> mark(Excerpt("body", "a <b> c", ((2, 5),), cut_after=True), Marks())
    'a <mark>&lt;b&gt;</mark> c…'
    """
    escape = html.escape if marks.escape else str
    pieces = [marks.ellipsis if excerpt.cut_before else ""]
    at = 0
    for start, end in excerpt.marks:
        pieces += [escape(excerpt.text[at:start]), marks.open, escape(excerpt.text[start:end]), marks.close]
        at = end
    pieces += [escape(excerpt.text[at:]), marks.ellipsis if excerpt.cut_after else ""]
    return "".join(pieces)
