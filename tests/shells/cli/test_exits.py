import pytest

from dowse import errors
from dowse.shells.cli import exits

EXPECTED = {
    "DowseError": 1,
    "InvalidRequest": 2,
    "InvalidQuery": 2,
    "InvalidScope": 2,
    "InvalidRecord": 2,
    "NotFound": 3,
    "AmbiguousId": 3,
    "Conflict": 4,
    "Forbidden": 5,
    "StorageError": 6,
    "NotAWorkspace": 6,
    "NewerWorkspace": 6,
    "Busy": 7,
    "EmbeddingFailed": 8,
}


def test_every_error_has_an_expected_exit_code() -> None:
    assert set(EXPECTED) == set(errors.__all__)


@pytest.mark.parametrize("name", errors.__all__)
def test_the_exit_code_of_an_error_is_its_own_or_its_parents(name: str) -> None:
    assert exits.code_of(getattr(errors, name)("x")) == EXPECTED[name]


def test_what_is_a_fault_of_ours_has_no_exit_code() -> None:
    assert exits.code_of(ZeroDivisionError()) is None


def test_every_exit_code_has_a_meaning() -> None:
    assert {*exits.CODES.values(), exits.INTERRUPTED, exits.BROKEN_PIPE, 0} == set(exits.MEANINGS)
