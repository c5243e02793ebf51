"""Is what says the same shown once, and does the hit say for whom it answers?"""

from typing import Any

import pytest

from dowse.app.workspace import Workspace
from dowse.model.page import Hit, Page

TEXT = "The courier gives up on a parcel once the cap of its retries is reached, and the depot is told about it. " * 3
OTHER = "Bread is baked before dawn, and the courier takes what the retries of yesterday left in the van. " * 3
ASKED = "when does the courier give up its retries"


def page(workspace: Workspace, key: str, title: str, content: str, **more: Any) -> None:
    workspace.put(kind="page", key=key, title=title, content=content, **more)


def guide(workspace: Workspace, name: str, section: str, *examples: str, title: str = "Setup") -> None:
    """A document with a section, and snippets that stand within that section."""
    workspace.put(kind="document", key=name, title=name, path=f"{name}.md")
    workspace.put(kind="section", key=f"{name}#s", title=title, content=section, parent=name)
    for number, text in enumerate(examples):
        workspace.put(kind="snippet", key=f"{name}#s/{number}", title="Example", content=text, parent=f"{name}#s", type="code")


def found(answer: Page) -> dict[str, Hit]:
    return {hit.record.key: hit for hit in answer.hits}


def test_copies_are_shown_once_by_the_first_key_and_named(workspace: Workspace) -> None:
    for key in ("c", "a", "b"):
        page(workspace, key, "Giving up", TEXT)
    answer = workspace.search(ASKED)
    assert {key: hit.copies for key, hit in found(answer).items()} == {"a": ("b", "c")}
    assert answer.total == 1


def test_copies_in_two_spaces_are_shown_once_and_in_either_if_asked_for(workspace: Workspace) -> None:
    page(workspace, "north", "Giving up", TEXT, space="n")
    page(workspace, "south", "Giving up", TEXT, space="s")
    assert found(workspace.search(ASKED))["north"].copies == ("south",)
    only = workspace.search(ASKED, spaces=["s"])
    assert {key: hit.copies for key, hit in found(only).items()} == {"south": ()}


def test_the_case_of_a_title_makes_no_other_text(workspace: Workspace) -> None:
    page(workspace, "a", "Giving up", TEXT)
    page(workspace, "b", "GIVING UP", TEXT)
    assert found(workspace.search(ASKED))["a"].copies == ("b",)


def test_different_texts_with_one_title_stay(workspace: Workspace) -> None:
    page(workspace, "a", "Giving up", TEXT)
    page(workspace, "b", "Giving up", OTHER)
    assert set(found(workspace.search(ASKED))) == {"a", "b"}


def test_one_text_under_two_titles_stays_twice(workspace: Workspace) -> None:
    page(workspace, "a", "Giving up", TEXT)
    page(workspace, "b", "When to stop", TEXT)
    assert set(found(workspace.search(ASKED))) == {"a", "b"}


def test_a_longer_text_that_begins_alike_stays(workspace: Workspace) -> None:
    page(workspace, "a", "Giving up", TEXT)
    page(workspace, "b", "Giving up", TEXT + OTHER * 8)
    assert set(found(workspace.search(ASKED))) == {"a", "b"}


def test_a_text_that_says_the_same_more_often_stays(workspace: Workspace) -> None:
    page(workspace, "a", "Giving up", "\n\n".join([TEXT] * 10))
    page(workspace, "b", "Giving up", "\n\n".join([TEXT] * 20))
    assert set(found(workspace.search(ASKED))) == {"a", "b"}


def test_records_of_two_kinds_are_no_copies(workspace: Workspace) -> None:
    page(workspace, "a", "Giving up", TEXT)
    workspace.put(kind="knowledge", key="b", title="Giving up", content=TEXT)
    assert set(found(workspace.search(ASKED))) == {"a", "b"}


def test_short_texts_under_one_title_stay(workspace: Workspace) -> None:
    for key in ("a", "b"):
        page(workspace, key, "Giving up", "retries of a courier")
    assert set(found(workspace.search(ASKED))) == {"a", "b"}


def test_without_a_model_nothing_is_taken_for_a_copy(by_words: Workspace) -> None:
    for key in ("a", "b"):
        page(by_words, key, "Giving up", TEXT)
    assert set(found(by_words.search(ASKED))) == {"a", "b"}


def test_a_section_answers_for_its_snippet_at_the_better_place(by_words: Workspace) -> None:
    guide(by_words, "long", "cap retries " + "and much besides " * 60, "cap retries")
    page(by_words, "between", "Depot", "how to cap what one calls retries")
    plain = by_words.search("cap retries", kinds=["page", "snippet"], explain=True)
    assert list(found(plain)) == ["long#s/0", "between"]
    answer = by_words.search("cap retries")
    assert [hit.record.key for hit in answer.hits] == ["long#s", "between"]
    assert answer.hits[0].copies == ("long#s/0",)
    assert answer.total == 2


def test_a_section_that_is_better_than_its_snippet_keeps_its_place(by_words: Workspace) -> None:
    guide(by_words, "short", "cap retries", "cap retries " + "and much besides " * 60, title="Cap retries")
    answer = by_words.search("cap retries")
    assert {key: hit.copies for key, hit in found(answer).items()} == {"short#s": ("short#s/0",)}


def test_a_section_answers_for_every_snippet_in_it(by_words: Workspace) -> None:
    guide(by_words, "long", "cap retries " + "and much besides " * 60, "cap retries", "cap retries", "cap the retries")
    (hit,) = by_words.search("cap retries").hits
    assert hit.record.key == "long#s"
    assert sorted(hit.copies) == ["long#s/0", "long#s/1", "long#s/2"]


def test_a_snippet_stands_for_itself_where_its_section_does_not_match(by_words: Workspace) -> None:
    guide(by_words, "long", "paint the depot", "cap retries")
    assert list(found(by_words.search("cap retries"))) == ["long#s/0"]


def test_a_section_that_only_a_link_led_to_answers_for_nothing(by_words: Workspace) -> None:
    guide(by_words, "long", "paint the depot", "cap retries")
    by_words.put(kind="item", key="task", title="Cap retries")
    by_words.link("task", "long#s", "references")
    hits = found(by_words.search("cap retries"))
    assert hits["long#s"].via
    assert {key: hit.copies for key, hit in hits.items()} == {"task": (), "long#s/0": (), "long#s": ()}


def test_a_section_within_a_section_is_shown_beside_it(by_words: Workspace) -> None:
    guide(by_words, "long", "cap retries")
    by_words.put(kind="section", key="long#t", title="More", content="cap retries", parent="long#s")
    assert set(found(by_words.search("cap retries"))) == {"long#s", "long#t"}


@pytest.mark.parametrize("better", ["a", "b"])
def test_of_two_documents_that_say_the_same_one_answers_for_all_of_both(workspace: Workspace, better: str) -> None:
    for name in ("a", "b"):
        guide(workspace, name, TEXT, "give up the courier retries. " * 9)
    # What makes its file, and so its section, the better one.
    workspace.put(kind="section", key=f"{better}#more", title="Aside", content="the courier may give up", parent=better)
    hits = found(workspace.search(ASKED))
    shown = next(iter(hits))
    assert shown == f"{better}#s"
    assert sorted((shown, *hits[shown].copies)) == ["a#s", "a#s/0", "b#s", "b#s/0"]
    assert set(hits) <= {shown, f"{better}#more", "a", "b"}


def test_a_copy_that_is_asked_about_says_who_answers_for_it(workspace: Workspace) -> None:
    for key in ("a", "b"):
        page(workspace, key, "Giving up", TEXT)
    explanation = workspace.why_not("b", ASKED)
    assert (explanation.found, "'a'" in explanation.reason) == (False, True)
