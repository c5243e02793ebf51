from taking import names, readers_of, said, taken, titles

from dowse.ingest.knowing.decisions import READER

DECISION = """\
# 7. Keep sessions in the database

Date: 2024-02-01

## Status

Accepted, supersedes [ADR 3](0003-sessions-in-files.md)

## Context

Files are lost when a machine goes.
More than once, too.

Second paragraph.

## Decision

Sessions live in the database. See ADR-0005 and the [guide](../guide.md).

### Why not a cache

It forgets.
"""
PATH = "docs/adr/0007-sessions.md"


def test_a_numbered_file_in_a_folder_of_decisions_becomes_a_node_with_the_key_of_the_file() -> None:
    node = taken(READER, PATH, DECISION).records[0]
    assert (node.key, node.kind, node.title) == (f"acme:{PATH}", "node", "7. Keep sessions in the database")
    assert node.facets == {"kind": "adr", "refId": "adr-0007", "path": PATH, "status": "accepted"}


def test_the_summary_is_the_beginning_of_context_and_decision() -> None:
    summary = taken(READER, PATH, DECISION).records[0].text("summary")
    assert summary.startswith("Files are lost when a machine goes. More than once, too.\n\nSessions live in the database.")
    assert "Second paragraph" not in summary


def test_its_sections_become_chunks_under_the_anchors_a_link_uses() -> None:
    extract = taken(READER, PATH, DECISION)
    last = extract.records[-1]
    assert (last.kind, last.title, last.key, last.parent) == (
        "chunk",
        "Decision > Why not a cache",
        f"acme:{PATH}#why-not-a-cache",
        f"acme:{PATH}",
    )
    assert (last.facets["line"], last.facets["lineEnd"]) == (20, 22)
    assert (f"/{PATH}#decision", f"acme:{PATH}#decision") in names(extract)


def test_a_decision_is_known_by_its_number_its_id_and_its_title() -> None:
    known = {name for name, _ in names(taken(READER, PATH, DECISION))}
    assert {"node:adr-7", "node:docs/adr/adr-7", "node:adr-0007", "node:Keep sessions in the database"} <= known


def test_other_decisions_that_it_names_are_related_to_it() -> None:
    found = said(taken(READER, PATH, DECISION))
    key = f"acme:{PATH}"
    assert {
        (key, "relates_to", "node:docs/adr/adr-3"),
        (key, "relates_to", "node:docs/adr/adr-5"),
        (key, "relates_to", "/docs/adr/0003-sessions-in-files.md"),
        (key, "references", "/docs/guide.md"),
    } == found


def test_the_status_may_stand_in_the_front_matter_or_in_a_list() -> None:
    front = taken(READER, "adr/0001-x.md", "---\nstatus: Superseded by ADR-0009\ntags: [db]\n---\n# X\n\nText\n")
    assert front.records[0].facets["status"] == "superseded"
    assert front.records[0].tags == ("db",)
    assert said(front) == {("acme:adr/0001-x.md", "relates_to", "node:adr/adr-9")}
    listed = taken(READER, "adr/0002-x.md", "# X\n\n* Status: proposed\n* Deciders: Ann\n")
    assert listed.records[0].facets["status"] == "proposed"


def test_a_file_anywhere_is_a_decision_if_it_says_its_status_and_has_the_headings() -> None:
    text = "---\nstatus: accepted\n---\n# Caching\n\n## Context and Problem Statement\n\nSlow.\n\n## Decision Outcome\n\nCache.\n"
    extract = taken(READER, "design/caching.md", text)
    assert extract.records[0].facets["refId"] == "adr-caching"
    assert extract.records[0].text("summary") == "Slow.\n\nCache."


def test_what_only_looks_like_a_decision_is_left_to_the_documents() -> None:
    assert readers_of("docs/adr/README.md", DECISION) == []
    assert readers_of("docs/adr/0000-template.md", DECISION) == []
    assert readers_of("docs/0007-chapter.md", DECISION) == []
    assert readers_of("docs/status.md", "---\nstatus: accepted\n---\n# A\n\n## Decision tree\n\n## Context\n") == []
    assert readers_of("adr/0007-x.txt", DECISION) == []


def test_an_empty_decision_is_still_a_node() -> None:
    assert titles(taken(READER, "adr/0009-later.md", "")) == ["0009-later"]
