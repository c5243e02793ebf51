"""Every file name has a way to be shown, and no two share one."""

import os

from hypothesis import given
from hypothesis import strategies as st

from dowse.ingest.walking import measured, shown

_NAMES = st.lists(st.sampled_from([b"\\", b"x", b"e9", b"\xe9", b"5c", b"\xc3\xa9", b"a", b"\\x5c", b"\xff"]), max_size=6).map(
    b"".join
)


@given(st.binary(max_size=30))
def test_any_name_is_shown_as_valid_unicode(name: bytes) -> None:
    text = shown(os.fsdecode(name))

    assert text.encode().decode() == text


@given(_NAMES, _NAMES)
def test_two_names_are_never_shown_alike(one: bytes, other: bytes) -> None:
    assert (shown(os.fsdecode(one)) == shown(os.fsdecode(other))) is (one == other)


def test_a_name_in_unicode_is_shown_as_it_is() -> None:
    assert shown("größe\\d.md") == "größe\\d.md"


def test_a_size_is_shown_in_the_largest_fitting_unit() -> None:
    assert [measured(size) for size in (0, 1023, 1024, 1536, 5 * 1024**3, 5000 * 1024**3)] == [
        "0 B",
        "1023 B",
        "1 KiB",
        "1.5 KiB",
        "5 GiB",
        "5000 GiB",
    ]
