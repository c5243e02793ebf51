"""How do the texts and facets of a record take little room? Compressed together, with what all records share and the key."""

import zlib
from collections.abc import Mapping
from typing import Any, NamedTuple

from dowse.engines.sqlite.driver import Garbled
from dowse.engines.sqlite.telling import dump, written

try:
    from dowse.engines.sqlite import _packing as compiled
except ImportError:
    compiled = None  # type: ignore[assignment]  # no compiler was there when dowse was installed

# Less hardly shrinks, and can be read by whoever looks into the file.
_SHORTEST = 64
# The fastest: of texts of 1 kB it leaves 41 %, where the slowest leaves 39 and makes importing some per cent slower.
_LEVEL = 1
# How far back it looks, and what it may keep at hand, both by powers of two. Most texts are small, and to make room for 32 kB takes
# four times as long as to compress one of them.
_SMALL, _LARGE = (13, 6), (15, 8)
# What texts are compared with besides themselves, the likeliest last. A stream says by a sum which words and which key it was made
# with: whoever changes a letter here makes every workspace unreadable.
_WORDS = (
    rb'{"noteKey":"","role":"","priority":"","status":"open","url":"https://","number":"assignee":"slug":"source":"type":"version":'
    rb'"tag":"generated":true,"reexports":true{"language":"markdown","line":"typescript","rust","go","java","cpp","c"'
    rb'{"content":"","description":"","summary":"","code":"","exports":"","imports":"","doc":"Returns the value of the string'
    rb" that is used for this function and object with a list of names in which it can be set to the default if not given.\n\n"
    rb"    :param name: type: str, int, bool, None, True, False, Optional[\n    #include <\nconst static struct char void *"
    rb' function() { return this.; }\n  if (!) { for (let i = 0; var else = new Error(\"\");\n}\n\n"body":"    @property\n    '
    rb"def __init__(self, *args, **kwargs):\n        self. = \n    assert  is not None\n        for  in range(len(\n        "
    rb"    if isinstance(, \n                raise ValueError(\"\")\n            return self.\n        try:\n        "
    rb"except Exception as e:\n        else:\n            elif not \nfrom typing import \nimport "
    rb'{"symbolKind":"module","language":"javascript","line":1{"symbolKind":"constant","language":"c","line":1'
    rb'{"symbolKind":"class","language":"python","line":1,"lineEnd":1,"exported":true,"test":true}'
    rb'{"symbolKind":"method","language":"python","line":1,"lineEnd":1,"exported":false,"test":false}'
    rb'{"symbolKind":"function","language":"python","line":1,"lineEnd":1,"exported":true,"test":false}{"path":"'
    rb'","signature":"def (self) -> None","body":"'
)
# Told by a look at the column that holds facets, by whoever counts what can be found.
_PLAIN = b'"placeholder":true'


# Most texts are short, and zlib makes ready for a long one each time: up to here ours takes a fifth of its time, and of 107,000
# records of code both leave as much, 23.4 MB. Its codes are those for any text, so longer ones would take more room: 2 % at 2 kB.
_SHORT = 1024
_packer = compiled.Packer(_WORDS) if compiled is not None else None


class Packed(NamedTuple):
    """Two columns of a record's row. Bytes are compressed; where ``facets`` is empty, they hold these too, before a line end."""

    fields: str | bytes
    facets: str


def pack(key: str, fields: Mapping[str, str], facets: Mapping[str, Any]) -> Packed:
    try:
        given, end = written(fields, facets)
        name = key.encode()
    except UnicodeEncodeError:
        # No text can hold half a character; whoever stores it is told so.
        return Packed(dump(fields), dump(facets))
    # No character takes more than four bytes.
    if len(given) <= 4 * _SHORTEST:
        about, _, texts = given.decode().partition("\n")
        if len(texts) + len(about) < _SHORTEST:
            return Packed(texts, about)
    plain = ""
    if given.find(_PLAIN, 0, end) >= 0:
        plain, given = given[:end].decode(), given[end + 1 :]
    return Packed(compress(name, given), plain)


def compress(key: bytes, text: bytes) -> bytes:
    """A stream of zlib's format that begins with what all records share and the key."""
    if _packer is not None and len(text) <= _SHORT and len(key) <= _SHORT:
        return _packer.pack(key, text)
    return compress_plainly(key, text)


def compress_plainly(key: bytes, text: bytes) -> bytes:
    """By zlib alone; another stream of the same text."""
    shared = _WORDS + key
    window, memory = _SMALL if len(text) + len(shared) <= 1 << _SMALL[0] else _LARGE
    packer = zlib.compressobj(_LEVEL, zlib.DEFLATED, window, memory, zlib.Z_DEFAULT_STRATEGY, shared)
    return packer.compress(text) + packer.flush()


def unpack(key: str, fields: str | bytes, facets: str) -> tuple[str, str]:
    """The texts and the facets as JSON. Rows of older versions have texts as text, or compressed by themselves."""
    if isinstance(fields, str):
        # Whoever writes texts past us leaves the facets out.
        return fields, facets or "{}"
    reader = zlib.decompressobj(zdict=_WORDS + key.encode())
    try:
        text = reader.decompress(fields).decode()
    except (zlib.error, UnicodeDecodeError) as error:
        raise Garbled(f"the texts of a record cannot be read: {error}") from error
    if not reader.eof:
        raise Garbled("the texts of a record cannot be read: they end too early")
    if facets:
        return text, facets
    about, _, texts = text.partition("\n")
    return texts, about
