from taking import names, only, readers_of, said, taken

from dowse.ingest.knowing import READERS, page_reader

READER = page_reader(("vault",))
PAGE = """\
---
title: The Router
aliases: [Switch board, Router]
tags: [net, "#core"]
rating: 4
draft: false
created: 2024-05-01
placeholder: true
list: [1, 2]
---
# Not this

It sends things on. #design/old and `#no`, see [[Home|start]], [[folder/Map#North]], ![[picture.png]]
and [the plan](plans/next%20year.md#q1) or [the web](https://example.org), [[The Router]].

```
#neither [[Nor this]]
```
"""
KEY = "acme:vault/notes/router.md"


def test_a_page_is_one_record_with_its_whole_text_and_no_front_matter() -> None:
    page = only(taken(READER, "vault/notes/router.md", PAGE))
    assert (page.key, page.kind, page.title) == (KEY, "page", "The Router")
    assert page.text("content").startswith("# Not this\n\nIt sends things on.")
    assert page.text("content").endswith("```")


def test_tags_come_from_the_front_matter_and_from_the_text() -> None:
    assert only(taken(READER, "vault/notes/router.md", PAGE)).tags == ("core", "design/old", "net")


def test_values_of_the_front_matter_are_facets() -> None:
    assert only(taken(READER, "vault/notes/router.md", PAGE)).facets == {
        "slug": "the-router",
        "path": "vault/notes/router.md",
        "rating": 4,
        "draft": False,
        "created": "2024-05-01",
        "list": "1, 2",
    }


def test_a_page_is_known_by_its_title_its_file_and_its_aliases() -> None:
    assert names(taken(READER, "vault/notes/router.md", PAGE)) == {
        ("page:the-router", KEY),
        ("page:router", KEY),
        ("page:switch-board", KEY),
    }


def test_wiki_links_embeds_and_relative_links_are_references() -> None:
    extract = taken(READER, "vault/notes/router.md", PAGE)
    found = [reference.names for reference in extract.refers]
    assert found == [
        ("page:home", "page:start"),
        ("folder/Map.md", "page:map"),
        ("picture.png", "page:picture-png"),
        ("/vault/notes/plans/next year.md#q1", "/vault/notes/plans/next year.md"),
    ]
    assert {kind for _, kind, _ in said(extract)} == {"links_to"}


def test_a_page_documents_what_it_names_in_code() -> None:
    extract = taken(READER, "vault/a.md", "Ask `Router.route` and `src/router.py`.\n")
    assert said(extract) == {
        ("acme:vault/a.md", "documents", "Router.route"),
        ("acme:vault/a.md", "links_to", "/vault/src/router.py"),
    }


def test_without_a_title_the_first_heading_or_the_file_names_a_page() -> None:
    assert only(taken(READER, "vault/a.md", "# Home\n")).title == "Home"
    assert only(taken(READER, "vault/My day.md", "Sunny.\n")).title == "My day"
    assert only(taken(READER, "vault/🎉.md", "")).facets["slug"] == "🎉"


def test_only_markdown_below_a_vault_is_a_page() -> None:
    readers = (*READERS, READER)
    assert readers_of("vault/a.md", "", readers) == ["pages"]
    for path in (
        "a.md",
        "vaults/a.md",
        "docs/vault/a.md",
        "vault/a.py",
        "vault/.obsidian/a.md",
        "vault/.trash/a.md",
        "vault/x/.y/a.md",
    ):
        assert readers_of(path, "", readers) == [], path


def test_a_whole_project_can_be_a_vault_and_without_vaults_there_are_no_pages() -> None:
    assert readers_of("x/a.md", "", (page_reader(("",)),)) == ["pages"]
    assert readers_of("x/a.md", "", (page_reader(()),)) == []
    assert readers_of("x/y/a.md", "", (page_reader(("/x/",)),)) == ["pages"]
    assert readers_of(".notes/a.md", "", (page_reader((".notes/",)),)) == ["pages"]


def test_a_task_in_a_vault_is_a_task() -> None:
    text = "---\nstatus: todo\npriority: high\n---\n# Move\n"
    assert readers_of("vault/move.md", text, (*READERS, READER)) == ["task files"]


def test_tasks_on_a_page_are_found_beside_it() -> None:
    assert readers_of("vault/day.md", "- [ ] Pack\n", (*READERS, READER)) == ["check lists", "pages"]
