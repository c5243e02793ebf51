"""Is a file taken for gone only when it is?"""

import pytest

from dowse.ingest.comparing import compare
from dowse.ingest.walking import Entry, Reason, Skipped
from dowse.model.source import Stamp

KNOWN = {path: Stamp(1, 1, "", "") for path in ("a.py", "lib/b.py", "lib/deep/c.py", "library.py")}


def test_a_file_that_is_no_longer_found_is_gone() -> None:
    assert compare([Entry("a.py", "/a.py", 1, 1)], KNOWN).gone == ("lib/b.py", "lib/deep/c.py", "library.py")


def test_files_in_a_folder_that_cannot_be_looked_into_are_not_gone() -> None:
    found: list[Entry | Skipped] = [Entry("a.py", "/a.py", 1, 1), Skipped("lib/", Reason.UNREADABLE, "Permission denied")]
    assert compare(found, KNOWN).gone == ("library.py",)


def test_files_in_a_folder_that_vanished_are_gone() -> None:
    assert "lib/b.py" in compare([Skipped("lib/", Reason.VANISHED)], KNOWN).gone


@pytest.mark.parametrize("reason", [Reason.UNREADABLE, Reason.VANISHED])
def test_nothing_is_gone_when_the_project_itself_cannot_be_looked_into(reason: Reason) -> None:
    assert compare([Skipped("./", reason)], KNOWN).gone == ()
