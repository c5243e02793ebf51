"""What does a record hold, as bytes? Asked of every record that is written: its row in JSON, and the sum over all of it."""

import json
import json.encoder
import zlib
from collections.abc import Callable, Mapping
from typing import Any

try:
    from dowse.engines.sqlite import _telling as compiled
except ImportError:
    compiled = None  # type: ignore[assignment]  # no compiler was there when dowse was installed

# Made once: ``json.dumps`` with options makes a new one for every call.
_ENCODER = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), check_circular=False)


def _encoding() -> Callable[[Any], str]:
    """As the encoder says it, which itself makes the part of it that is compiled anew for every value."""
    made = getattr(json.encoder, "c_make_encoder", None)
    if made is None:
        return _ENCODER.encode
    pieces = made(None, _ENCODER.default, json.encoder.encode_basestring, None, ":", ",", False, False, True)
    return lambda value: "".join(pieces(value, 0))


_encoded = _encoding()


def dump(value: Any) -> str:
    if value == {}:
        # As of most edges, and there are many.
        return "{}"
    return _encoded(dict(value) if hasattr(value, "items") and type(value) is not dict else value)


def written(fields: Mapping[str, str], facets: Mapping[str, Any]) -> tuple[bytes, int]:
    """Facets and texts as JSON, a line each, and where the first one ends; half a character is an error.

    >>> written({"body": "a"}, {"line": 1})
    (b'{"line":1}\\n{"body":"a"}', 10)
    """
    made = compiled.written(fields, facets) if compiled is not None else None
    return made if made is not None else written_plainly(fields, facets)


def written_plainly(fields: Mapping[str, str], facets: Mapping[str, Any]) -> tuple[bytes, int]:
    """The same in Python alone."""
    # JSON has no line ends of its own.
    about = dump(facets).encode()
    return b"\n".join((about, dump(fields).encode())), len(about)


def summed(texts: tuple[str, ...], fields: Mapping[str, str], facets: Mapping[str, Any], updated: float) -> int:
    """A sum over all of these, in whatever order the fields and facets stand."""
    made = compiled.summed(texts, fields, facets, updated) if compiled is not None else None
    return made if made is not None else summed_plainly(texts, fields, facets, updated)


def summed_plainly(texts: tuple[str, ...], fields: Mapping[str, str], facets: Mapping[str, Any], updated: float) -> int:
    """The same in Python alone."""
    every = [*texts]
    for name, text in sorted(fields.items()):
        every += (name, text)
    # Without the bracket that closes it: what follows is summed up later.
    rest = repr((sorted(facets.items()), updated))[:-1]
    return zlib.crc32("\0".join([*every, rest]).encode("utf-8", "surrogatepass"))
