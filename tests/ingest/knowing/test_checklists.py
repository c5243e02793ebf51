from taking import names, only, readers_of, said, source, taken, titles

from dowse.ingest.knowing.checklists import READER

LISTS = """\
---
title: Plan
---
# Sprint 3

## Backend

- [ ] Fix the **login** `page` #web !high @ann
      It fails on Mondays.

      - a detail
  - [x] Write a [test](a.md)
    * [/] Name it
- [-] Tidy up

Not a task.

## Frontend

1. [X] Fix the login page
2) [ ] Blocked by #12, see #13

```markdown
- [ ] only an example
```
"""


def test_check_boxes_become_items_in_their_roles() -> None:
    extract = taken(READER, "TODO.md", LISTS)
    assert [(item.title, item.facets["role"], item.facets["status"]) for item in extract.records] == [
        ("Fix the login page", "queue", "open"),
        ("Write a test", "terminal", "done"),
        ("Name it", "work", "doing"),
        ("Tidy up", "work", "doing"),
        ("Fix the login page", "terminal", "done"),
        ("Blocked by #12, see #13", "queue", "open"),
    ]


def test_an_item_has_the_key_of_its_words_and_a_second_one_of_the_same_words_a_number() -> None:
    keys = [item.key for item in taken(READER, "TODO.md", LISTS).records]
    assert keys[0] == "acme:TODO.md#task/fix-the-login-page"
    assert keys[4] == "acme:TODO.md#task/fix-the-login-page~2"


def test_a_new_neighbour_changes_no_key() -> None:
    more = LISTS.replace("## Backend\n", "## Backend\n\n- [ ] Something else first\n")
    before = {item.key for item in taken(READER, "TODO.md", LISTS).records}
    assert before < {item.key for item in taken(READER, "TODO.md", more).records}


def test_what_is_indented_below_an_item_belongs_to_it() -> None:
    login, test, name, tidy, *_ = taken(READER, "TODO.md", LISTS).records
    assert login.text("description") == "It fails on Mondays.\n- a detail"
    assert (login.parent, test.parent, name.parent, tidy.parent) == (None, login.key, test.key, None)


def test_the_headings_above_and_the_line_say_where_an_item_stands() -> None:
    first = taken(READER, "TODO.md", LISTS).records[0]
    assert first.text("summary") == "Sprint 3 > Backend"
    assert (first.facets["path"], first.facets["line"]) == ("TODO.md", 8)


def test_signs_beside_the_text_become_tags_priority_and_assignee() -> None:
    first = taken(READER, "TODO.md", LISTS).records[0]
    assert (first.tags, first.facets["priority"], first.facets["assignee"]) == (("ann", "web"), "high", "ann")
    assert only(taken(READER, "a.md", "- [ ] (B) Write to @scope/pkg\n")).facets["priority"] == "medium"
    assert only(taken(READER, "a.md", "- [ ] Write to x@y.org 🔽\n")).facets["priority"] == "low"
    assert "assignee" not in only(taken(READER, "a.md", "- [ ] Update @scope/pkg for x@y.org\n")).facets


def test_numbers_and_ids_in_a_task_are_references() -> None:
    last = taken(READER, "TODO.md", LISTS)
    key = last.records[-1].key
    assert said(last) == {(key, "is_blocked_by", "task:12"), (key, "relates_to", "task:13")}
    named = taken(READER, "a.md", "- [ ] Lay bricks 🆔 wall\n- [ ] Paint ⛔ wall\n")
    assert ("task:wall", named.records[0].key) in names(named)
    assert said(named) == {(named.records[1].key, "is_blocked_by", "task:wall")}


def test_the_boxes_of_a_task_file_are_parts_of_its_item() -> None:
    text = "---\nstatus: todo\npriority: low\n---\n# Move\n\n- [ ] Pack\n"
    assert readers_of("move.md", text) == ["check lists", "task files"]
    assert only(taken(READER, "move.md", text)).parent == "acme:move.md"


def test_the_criteria_of_a_task_file_are_no_tasks_and_those_of_a_plan_are() -> None:
    body = "# Move\n\n## Acceptance Criteria\n\n- [ ] #1 All is packed\n\n## Plan\n\n- [ ] #2 Pack\n"
    assert titles(taken(READER, "move.md", "---\nstatus: todo\npriority: low\n---\n" + body)) == ["Pack"]
    plan = taken(READER, "move.md", body)
    assert titles(plan) == ["All is packed", "Pack"]
    assert plan.refers == ()


def test_templates_and_recipes_hold_no_tasks() -> None:
    for path in (
        ".github/PULL_REQUEST_TEMPLATE.md",
        ".github/ISSUE_TEMPLATE/bug.md",
        "docs/templates/release.md",
        "skills/deploy/SKILL.md",
        ".claude/commands/tidy.md",
    ):
        assert not READER.fits(source(path, LISTS)), path


def test_other_brackets_are_no_tasks() -> None:
    for text in ("- [link](a.md)\n", "- [] x\n", "[ ] x\n", "- [ ]\n", "-[ ] x\n", "- [a] x\n", "see - [ ] x\n"):
        assert not READER.fits(source("a.md", text)), text
    assert not READER.fits(source("a.txt", LISTS))


def test_a_file_with_boxes_in_code_alone_has_no_tasks() -> None:
    assert taken(READER, "a.md", "```\n- [ ] x\n```\n").records == ()


def test_a_task_of_many_words_keeps_them_all() -> None:
    item = only(taken(READER, "a.md", "- [ ] " + "word " * 400 + "end\n"))
    assert len(item.title) <= 300
    assert item.text("description").endswith("end")


def test_a_task_without_letters_has_a_key_too() -> None:
    assert titles(taken(READER, "a.md", "- [ ] 🎉\n- [ ] !!!\n")) == ["🎉", "!!!"]
