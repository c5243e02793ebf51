"""What of a record is given a meaning? Its passages: stretches of its text, each under what it belongs to.

The same record gives the same passages on every engine. Whoever changes what is made here counts ``_VERSION`` up: stores then
cut their records again, and only texts that are new wait for a vector.
"""

import hashlib
import re
import zlib
from collections.abc import Iterator

from dowse.model.passage import Passage
from dowse.model.record import Record
from dowse.model.schema import Column, Field, Kind, Schema
from dowse.text.passages import windows

_VERSION = 1
# In characters: about 250 word-pieces, which every model reads whole, and few enough thoughts to share one vector.
WINDOW = 1200
# A thought that a cut divides is whole in one of the two stretches.
OVERLAP = 150
# Some 65,000 characters. What is longer is data, or says farther on what it said before; words find the rest.
MOST = 64
# Two different texts of one digest will not meet.
DIGEST_BYTES = 16

_NO_WORD = re.compile(r"[\W_]+")


def passages_of(kind: Kind, record: Record) -> tuple[Passage, ...]:
    """The passages in the order of the text; none of a record that never answers a search."""
    if record.is_placeholder:
        return ()
    context = _context(kind, record)
    bodies = list(_bodies(kind, record))
    if not bodies:
        return (Passage("title", 0, len(record.title), context),) if context else ()
    if sum(len(text) for _, text in bodies) <= WINDOW:
        # The longest text stands for the others when an excerpt is shown.
        name, longest = max(bodies, key=lambda body: len(body[1]))
        return (Passage(name, 0, len(longest), _joined(context, *(text for _, text in bodies))),)
    return tuple(_cut(context, bodies))[:MOST]


def digest_of(text: str) -> bytes:
    """What a passage is kept under: the same text, the same digest."""
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=DIGEST_BYTES).digest()


def fingerprint(schema: Schema) -> str:
    """Changes whenever the same records would make other passages."""
    shape = sorted((name, [(f.name, f.column, f.named) for f in kind.fields]) for name, kind in schema.kinds.items())
    return f"{zlib.crc32(repr((_VERSION, WINDOW, OVERLAP, MOST, shape)).encode()):08x}"


def _context(kind: Kind, record: Record) -> str:
    """What a stretch is about before it is read: the title, and the words of the names and the path it belongs to."""
    names = [record.text(field.name) for field in kind.fields if field.named and field.name != "title"]
    path = record.facets.get("path")
    if isinstance(path, str) and path not in names:
        names.append(path)
    return _joined(record.title.strip(), " ".join(words for name in names if (words := _words(name))))


def _bodies(kind: Kind, record: Record) -> Iterator[tuple[str, str]]:
    """The texts that are no names, each with its field; none that another holds already, as a body its signature."""
    texts = [(field.name, record.text(field.name)) for field in kind.fields if _is_body(field)]
    for place, (name, text) in enumerate(texts):
        others = [other for at, (_, other) in enumerate(texts) if (len(other), -at) > (len(text), -place)]
        if text.strip() and not any(text in other for other in others):
            yield name, text


def _is_body(field: Field) -> bool:
    return field.column is Column.BODY and not field.named


def _cut(context: str, bodies: list[tuple[str, str]]) -> Iterator[Passage]:
    for name, text in bodies:
        for start, end in windows(text, WINDOW, OVERLAP, MOST):
            yield Passage(name, start, end, _joined(context, text[start:end]))


def _words(name: str) -> str:
    return _NO_WORD.sub(" ", name).strip()


def _joined(*texts: str) -> str:
    return "\n".join(text for text in texts if text)
