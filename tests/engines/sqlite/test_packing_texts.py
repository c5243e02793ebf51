"""Packing: whoever packed a text, it is the same text again."""

import random
import zlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dowse.engines.sqlite import packing
from dowse.engines.sqlite.packing import compress, compress_plainly, pack, unpack

KEYS = st.one_of(st.text(max_size=40).map(lambda key: key.encode("utf-8", "replace")), st.just(b"k" * 1500))
PIECES = st.sampled_from(
    [packing._WORDS[-40:], b'{"path":"', b"def name(self):\n    return ", b"\x00", b"\xff" * 300, "größe 東京".encode()]
)
TEXTS = st.one_of(st.binary(max_size=2100), st.lists(st.one_of(PIECES, st.binary(max_size=9)), max_size=40).map(b"".join))


def unpacked(key: bytes, stream: bytes) -> bytes:
    reader = zlib.decompressobj(zdict=packing._WORDS + key)
    text = reader.decompress(stream)
    # The sum over the text, with which it ends, is read as well.
    assert reader.eof
    assert not reader.unused_data
    return text


@given(KEYS, TEXTS)
def test_a_text_is_the_same_again_whoever_packed_it(key: bytes, text: bytes) -> None:
    assert unpacked(key, compress(key, text)) == text
    assert unpacked(key, compress_plainly(key, text)) == text


@pytest.mark.skipif(packing.compiled is None, reason="there is no compiler")
def test_what_is_compiled_takes_any_text_that_has_room_and_refuses_others() -> None:
    packer = packing.compiled.Packer(b"abc" * 100)
    chance = random.Random(7)
    for length in [*range(12), 257, 258, 259, 1000, 8192 - 300 - 5]:
        for text in (b"a" * length, chance.randbytes(length), bytes(chance.choices(b"ab", k=length))):
            assert zlib.decompressobj(zdict=b"abc" * 100 + b"a key").decompress(packer.pack(b"a key", text)) == text
    with pytest.raises(ValueError, match="too long"):
        packer.pack(b"a key", b"a" * (8192 - 300 - 4))
    with pytest.raises(ValueError, match="too long"):
        packer.pack(b"a" * 8000, b"")
    with pytest.raises(ValueError, match="too long"):
        packing.compiled.Packer(b"a" * 5000)


def test_a_record_takes_no_more_room_than_zlib_would_leave() -> None:
    body = "    def heading(self, chart):\n        return chart.bearing(self.position, self.harbour) % 360\n" * 3
    facets = {"symbolKind": "method", "language": "python", "line": 12, "lineEnd": 14, "exported": True, "test": False}
    packed = pack("acme:ship.py#Ship.heading", {"path": "ship.py", "body": body}, facets)
    by_zlib = compress_plainly(b"acme:ship.py#Ship.heading", packing.written({"path": "ship.py", "body": body}, facets)[0])
    assert len(packed.fields) <= len(by_zlib)
    assert unpack("acme:ship.py#Ship.heading", *packed)[0].startswith('{"path":"ship.py"')
