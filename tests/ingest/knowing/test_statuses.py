import pytest

from dowse.domains.work import PRIORITIES, ROLES
from dowse.ingest.knowing.statuses import priority_of, role_of


@pytest.mark.parametrize("status", ["todo", "To Do", "in_progress", "In Review", "won't fix", "on-hold", "Done", "BACKLOG"])
def test_the_words_people_use_mean_a_role(status: str) -> None:
    assert role_of(status) in ROLES


@pytest.mark.parametrize("status", ["published", "accepted", "draft", "", "🎉", "deprecated"])
def test_words_that_say_nothing_of_work_mean_none(status: str) -> None:
    assert role_of(status) is None


@pytest.mark.parametrize("word", ["high", "P0", "Urgent", "priority/medium", "low", "3"])
def test_the_words_people_use_mean_a_priority(word: str) -> None:
    assert priority_of(word) in PRIORITIES
