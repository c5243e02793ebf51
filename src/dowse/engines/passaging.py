"""What of a record is given a meaning? Its passages: stretches of its text, each under what it belongs to.

The same record gives the same passages on every engine. Whoever changes what is made here counts ``_VERSION`` up: stores then
cut their records again, and only texts that are new wait for a vector.
"""

import re
import zlib
from collections.abc import Iterator
from functools import lru_cache

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
    names, texts = _fields(kind)
    context = _context(names, record)
    bodies = _bodies(texts, record)
    if not bodies:
        return (Passage("title", 0, len(record.title), context),) if context else ()
    if sum(len(text) for _, text in bodies) <= WINDOW:
        # The longest text stands for the others when an excerpt is shown.
        name, longest = max(bodies, key=lambda body: len(body[1]))
        return (Passage(name, 0, len(longest), _joined(context, *(text for _, text in bodies))),)
    return tuple(_cut(context, bodies))[:MOST]


def digest_of(text: str) -> bytes:
    """What a passage is kept under: the same text, the same digest."""
    import hashlib  # loads OpenSSL, which a search by words never needs

    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=DIGEST_BYTES).digest()


def fingerprint(schema: Schema) -> str:
    """Changes whenever the same records would make other passages."""
    shape = sorted((name, [(f.name, f.column, f.named) for f in kind.fields]) for name, kind in schema.kinds.items())
    return f"{zlib.crc32(repr((_VERSION, WINDOW, OVERLAP, MOST, shape)).encode()):08x}"


_known_fields: dict[str, tuple[Kind, tuple[str, ...], tuple[str, ...]]] = {}


def _fields(kind: Kind) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The fields that name a record and those that are its text; every record that is written passes here."""
    known, names, texts = _known_fields.get(kind.name, (None, (), ()))
    if known is not kind:
        names = tuple(field.name for field in kind.fields if field.named and field.name != "title")
        texts = tuple(field.name for field in kind.fields if _is_body(field))
        _known_fields[kind.name] = kind, names, texts
    return names, texts


def _context(names: tuple[str, ...], record: Record) -> str:
    """What a stretch is about before it is read: the title, and the words of the names and the path it belongs to."""
    called = [record.text(name) for name in names]
    path = record.facets.get("path")
    if isinstance(path, str) and path not in called:
        called.append(path)
    return _joined(record.title.strip(), " ".join([words for name in called if name and (words := _words(name))]))


def _bodies(names: tuple[str, ...], record: Record) -> list[tuple[str, str]]:
    """The texts that are no names, each with its field; none that another holds already, as a body its signature."""
    texts = [(name, text) for name in names if (text := record.text(name)) and not text.isspace()]
    if len(texts) < 2:
        return texts
    found = []
    for place, (name, text) in enumerate(texts):
        size = len(text)
        if not any(
            text in other for at, (_, other) in enumerate(texts) if len(other) > size or (len(other) == size and at < place)
        ):
            found.append((name, text))
    return found


def _is_body(field: Field) -> bool:
    return field.column is Column.BODY and not field.named


def _cut(context: str, bodies: list[tuple[str, str]]) -> Iterator[Passage]:
    for name, text in bodies:
        for start, end in windows(text, WINDOW, OVERLAP, MOST):
            yield Passage(name, start, end, _joined(context, text[start:end]))


# Names repeat: all that a file holds has its path.
@lru_cache(maxsize=1024)
def _words(name: str) -> str:
    return _NO_WORD.sub(" ", name).strip()


def _joined(*texts: str) -> str:
    return "\n".join([text for text in texts if text])
