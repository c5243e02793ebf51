"""Garbage is looked for seldom while records pass, and as before afterwards."""

import gc

import pytest

from dowse.ingest.collecting import seldom


def test_garbage_is_looked_for_seldom_only_while_records_pass() -> None:
    before = gc.get_threshold()
    with seldom():
        assert gc.get_threshold()[0] > before[0]
    assert gc.get_threshold() == before


def test_of_several_the_last_one_out_restores_what_was() -> None:
    before = gc.get_threshold()
    one, other = seldom(), seldom()
    one.__enter__()
    other.__enter__()
    one.__exit__(None, None, None)
    assert gc.get_threshold() != before
    other.__exit__(None, None, None)
    assert gc.get_threshold() == before


def test_what_was_is_restored_after_a_failure_too() -> None:
    before = gc.get_threshold()
    with pytest.raises(ValueError, match="full"), seldom():
        raise ValueError("full")
    assert gc.get_threshold() == before
