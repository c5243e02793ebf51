"""On what is a function called? Read backwards from the call, as a search from the front would read it."""

import re

from hypothesis import example, given
from hypothesis import strategies as some

from dowse.ingest.code.references import _receiver

WRITTEN = some.lists(
    some.sampled_from([b"Tide", b"tide", b"T", b"_", b".", b"::", b"->", b"\\", b":", b">", b" ", b"(", b"9", b"\xc3\xa9"])
)


def searched(before: bytes, packages: frozenset[bytes]) -> bytes:
    found = re.search(rb"\b(\w+)\.$" if packages else rb"\b([A-Z]\w*)(?:\.|::|->|\\)$", before)
    return found[1] if found and (found[1] in packages or found[1][:1].isupper()) else b""


@given(WRITTEN.map(b"".join), some.frozensets(some.sampled_from([b"tide", b"Tide", b"_9"])))
@example(b"a.Tide::", frozenset())
@example(b"theTide.", frozenset())
@example(b"tide.", frozenset({b"tide"}))
def test_the_type_or_package_before_a_call_is_the_one_that_a_search_finds(before: bytes, packages: frozenset[bytes]) -> None:
    assert _receiver(before, packages) == searched(before, packages)
