import json

import pytest

from dowse.engines.sqlite.doubting import Doubt
from dowse.errors import NotAWorkspace, NotFound, StorageError
from dowse.ports import Finding

WELL = (Finding("file", True, "every page is readable"),)
ILL = (*WELL, Finding("columns", False, "3 records differ", "dowse reindex"))


def test_an_error_over_a_damaged_file_is_told_as_damage() -> None:
    with (
        pytest.raises(
            NotAWorkspace, match=r"a\.dowse is damaged \(columns: 3 records differ\)\. Run 'dowse doctor --repair'"
        ) as caught,
        Doubt("a.dowse", lambda: ILL).doubted(),
    ):
        raise IndexError("index 7 is out of bounds")
    assert isinstance(caught.value.__cause__, IndexError)


def test_an_error_over_a_sound_file_is_our_own_and_stays_what_it_is() -> None:
    with pytest.raises(IndexError), Doubt("a.dowse", lambda: WELL).doubted():
        raise IndexError("index 7 is out of bounds")


def test_a_file_that_cannot_even_be_looked_at_is_damaged() -> None:
    def examine() -> tuple[Finding, ...]:
        raise StorageError("the disk failed")

    with pytest.raises(NotAWorkspace, match="it cannot be read: the disk failed"), Doubt("a.dowse", examine).doubted():
        raise KeyError(7)


def test_stored_json_that_is_none_needs_no_further_proof() -> None:
    with pytest.raises(NotAWorkspace, match="is damaged"), Doubt("a.dowse", lambda: WELL).doubted():
        json.loads('{"a": ')


def test_errors_on_purpose_pass_without_a_look_at_the_file() -> None:
    def examine() -> tuple[Finding, ...]:
        raise AssertionError("looked")

    with pytest.raises(NotFound), Doubt("a.dowse", examine).doubted():
        raise NotFound("There is no record.")


def test_the_file_is_looked_at_once_a_minute_at_most() -> None:
    now, looks = [0.0], []

    def examine() -> tuple[Finding, ...]:
        looks.append(now[0])
        return WELL if now[0] < 60 else ILL

    doubt = Doubt("a.dowse", examine, lambda: now[0])
    for moment in (0.0, 1.0, 59.0):
        now[0] = moment
        with pytest.raises(KeyError), doubt.doubted():
            raise KeyError(7)
    now[0] = 60.0
    with pytest.raises(NotAWorkspace), doubt.doubted():
        raise KeyError(7)
    assert looks == [0.0, 60.0]
