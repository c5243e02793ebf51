from taking import names, only, readers_of, said, taken

from dowse.ingest.knowing.taskfiles import READER

TASK = """\
---
id: T-12
title: Fix the login page
status: In Progress
priority: urgent
type: bug
assignee: [ann, bob]
labels: [web]
summary: Nobody gets in.
depends_on: [T-3, "[[Write the form]]"]
blocks: T-20, T-21
parent: T-1
related: ./other.md
---
# Ignored, the front matter has a title

Visitors see an error, see #44.

## Steps

Type a name. Read [the guide](../guide.md).

## Work log

Looked at it.

### Monday

Found it.

## Later

Clean up.
"""
PATH = "tasks/t-12.md"
KEY = f"acme:{PATH}"


def test_a_file_with_a_status_becomes_an_item_in_the_role_of_that_status() -> None:
    item = taken(READER, PATH, TASK).records[0]
    assert (item.key, item.kind, item.title, item.text("summary")) == (KEY, "item", "Fix the login page", "Nobody gets in.")
    assert item.facets == {
        "role": "work",
        "status": "In Progress",
        "priority": "high",
        "type": "bug",
        "assignee": "ann, bob",
        "path": PATH,
    }
    assert item.tags == ("web",)


def test_the_body_is_the_description_and_sections_for_notes_are_notes() -> None:
    item, note = taken(READER, PATH, TASK).records
    assert "Visitors see an error" in item.text("description")
    assert "Steps\n\nType a name" in item.text("description")
    assert "Clean up." in item.text("description")
    assert "Found it" not in item.text("description")
    assert (note.key, note.parent, note.facets["noteKey"]) == (f"{KEY}#note/work-log", KEY, "work-log")
    assert note.text("body") == "Looked at it.\n\nMonday\n\nFound it."


def test_what_the_front_matter_and_the_text_say_of_other_tasks_becomes_references() -> None:
    assert said(taken(READER, PATH, TASK)) == {
        (KEY, "is_blocked_by", "task:T-3"),
        (KEY, "is_blocked_by", "task:Write the form"),
        (KEY, "blocks", "task:T-20"),
        (KEY, "blocks", "task:T-21"),
        (KEY, "part_of", "task:T-1"),
        (KEY, "relates_to", "/tasks/other.md"),
        (KEY, "relates_to", "task:44"),
        (KEY, "references", "/guide.md"),
    }


def test_a_task_is_known_by_its_id_its_file_and_its_title_however_they_are_cased() -> None:
    known = {name for name, _ in names(taken(READER, PATH, TASK))}
    assert {"task:T-12", "task:t-12", "task:Fix the login page", "task:fix the login page"} <= known


def test_status_words_mean_roles() -> None:
    roles = {"todo": "queue", "doing": "work", "Review": "review", "cancelled": "terminal", "waiting": "blocked", "odd": "queue"}
    for status, role in roles.items():
        item = only(taken(READER, "backlog/a.md", f"---\nstatus: {status}\n---\nText\n"))
        assert item.facets["role"] == role, status


def test_a_file_outside_of_the_folders_for_tasks_must_say_more_than_a_status() -> None:
    def front(*said: str) -> str:
        return "---\n" + "\n".join(said) + "\n---\n# A\n"

    assert readers_of("a.md", front("status: todo", "priority: low")) == ["task files"]
    assert readers_of("a.md", front("status: done", "type: epic")) == ["task files"]
    assert readers_of("a.md", front("status: todo", "id: 7")) == ["task files"]
    assert readers_of("a.md", front("status: todo")) == []
    assert readers_of("a.md", front("status: active", "id: 7")) == []
    assert readers_of("post.md", front("status: published", "id: 7", "priority: 0.8")) == []
    assert readers_of("post.md", front("status: done", "type: post")) == []


def test_other_files_in_a_folder_for_tasks_are_left_to_the_documents() -> None:
    assert readers_of("tasks/README.md", "# How we work\n\nstatus: open\n") == []
    assert readers_of("tasks/template.md", "---\nstatus: todo\n---\n") == []


def test_a_title_is_taken_from_the_first_heading_or_the_name_of_the_file() -> None:
    assert only(taken(READER, "tasks/a.md", "---\nstatus: todo\n---\n# Do it\n")).title == "Do it"
    assert only(taken(READER, "tasks/do-it.md", "---\nstatus: todo\n---\nSoon.\n")).title == "do-it"
