from hypothesis import given
from hypothesis import strategies as st

from dowse.ingest.keying import Keys, cut


def test_two_long_keys_that_begin_alike_stay_two() -> None:
    assert cut("a" * 2000 + "b") != cut("a" * 2000 + "c")


@given(st.lists(st.sampled_from(["a", "a~2", "b" * 1030, "b" * 1024, "b" * 1023]), max_size=12))
def test_no_key_is_given_out_twice_or_is_too_long(wanted: list[str]) -> None:
    keys = Keys()
    taken = [keys.take(key) for key in wanted]
    assert len(set(taken)) == len(taken)
    assert all(len(key) <= 1024 for key in taken)
