"""Questions that a workspace can make of what it holds."""

import pytest

from dowse.app.workspace import Workspace
from dowse.errors import InvalidRequest
from dowse.model.benching import Question


def symbol(workspace: Workspace, name: str, doc: str, **facets: object) -> None:
    workspace.put(kind="symbol", key=name, title=name, doc=doc, facets=facets)


def test_the_first_sentence_of_documentation_asks_for_its_symbol_without_it(by_words: Workspace) -> None:
    symbol(by_words, "drain", "Empties the queue\nbefore the tide comes. Then it rests.")
    assert by_words.make_questions(["docstrings"]) == (
        Question("Empties the queue before the tide comes.", ("drain",), without=("doc",), source="docstrings"),
    )


def test_a_name_that_begins_its_own_documentation_is_left_out(by_words: Workspace) -> None:
    symbol(by_words, "Drain", "Drain empties the queue of gauges.")
    assert [item.query for item in by_words.make_questions(["docstrings"])] == ["empties the queue of gauges."]


def test_what_is_said_of_two_symbols_or_of_tests_or_in_three_words_asks_for_nothing(by_words: Workspace) -> None:
    symbol(by_words, "one", "Says the same of both of them.")
    symbol(by_words, "two", "says the same of both of them.")
    symbol(by_words, "test_it", "Checks that all of it holds.", test=True)
    symbol(by_words, "short", "Too few words.")
    assert by_words.make_questions(["docstrings"]) == ()


def test_a_heading_asks_for_its_section_with_the_heading_above_it(by_words: Workspace) -> None:
    by_words.put(kind="section", key="s", title="Backoff", breadcrumb="Guide > Retries", content="Waits get longer. " * 9)
    assert by_words.make_questions(["headings"]) == (Question("Retries Backoff", ("s",), source="headings"),)


def test_a_task_asks_for_the_tasks_it_is_linked_to_and_no_expected_task_is_held_out(by_words: Workspace) -> None:
    for key in ("a", "b", "c"):
        by_words.put(kind="item", key=key, title=f"Make the pump number {key} quieter")
    by_words.link("a", "b", "blocks")
    by_words.link("b", "c", "relates_to")
    made = by_words.make_questions(["tasks"])
    assert made
    assert {item.itself for item in made}.isdisjoint({key for item in made for key in item.expected})
    for item in made:
        assert set(item.expected) <= {"a", "b", "c"} - {item.itself}


def test_the_same_records_make_the_same_questions_and_a_limit_takes_some_of_each(by_words: Workspace) -> None:
    for number in range(8):
        symbol(by_words, f"f{number}", f"Opens the sluice of basin number {number}.")
    every = by_words.make_questions()
    assert len(every) == 8
    assert by_words.make_questions(limit=3) == every[:3]


def test_an_unknown_source_and_a_limit_of_nothing_are_refused(by_words: Workspace) -> None:
    with pytest.raises(InvalidRequest, match="Did you mean 'headings'"):
        by_words.make_questions(["heading"])
    with pytest.raises(InvalidRequest, match="limit is 0"):
        by_words.make_questions(limit=0)
