import json

from taking import names, only, readers_of, said, source, taken, titles

from dowse.ingest.knowing.issues import READER

FIRST = {"number": 12, "title": "Login fails", "body": "Since #11.\nBlocked by #3.", "state": "OPEN"}
BEADS = [
    {
        "id": "bd-a1b2",
        "title": "Build a wall",
        "description": "Of bricks, see bd-c3.",
        "status": "in_progress",
        "priority": 1,
        "issue_type": "epic",
        "labels": ["stone"],
        "notes": "Slow.",
    },
    {
        "id": "bd-a1b2.1",
        "title": "Lay a brick",
        "status": "open",
        "priority": 2,
        "issue_type": "task",
        "dependencies": [
            {"issue_id": "bd-a1b2.1", "depends_on_id": "bd-c3", "type": "blocks"},
            {"issue_id": "bd-a1b2.1", "depends_on_id": "bd-d4", "type": "discovered-from"},
        ],
    },
]


def lines(*rows: object) -> str:
    return "\n".join(json.dumps(row) for row in rows) + "\n"


def test_an_array_of_issues_becomes_items_that_are_known_by_their_numbers() -> None:
    extract = taken(READER, "export.json", json.dumps([FIRST]))
    assert only(extract).key == "acme:export.json#12"
    assert names(extract) == {("task:12", "acme:export.json#12")}


def test_issues_that_a_text_names_are_references() -> None:
    extract = taken(READER, "export.json", json.dumps([FIRST]))
    assert said(extract) == {("acme:export.json#12", "relates_to", "task:11"), ("acme:export.json#12", "is_blocked_by", "task:3")}


def test_a_single_issue_lines_of_issues_and_an_answer_of_graphql_are_read() -> None:
    second = {**FIRST, "number": 13}
    nested = {"data": {"repository": {"issues": {"nodes": [FIRST]}, "pullRequests": {"edges": [{"node": second}]}}}}
    assert len(taken(READER, "one.json", json.dumps(FIRST)).records) == 1
    assert len(taken(READER, "all.jsonl", lines(FIRST, second)).records) == 2
    assert [item.key for item in taken(READER, "api.json", json.dumps(nested)).records] == ["acme:api.json#12", "acme:api.json#13"]


def test_an_issue_that_is_there_twice_is_reported() -> None:
    extract = taken(READER, "export.json", json.dumps([FIRST, {**FIRST, "title": "Again"}]))
    assert titles(extract) == ["Login fails"]
    assert extract.problems == ("export.json: the issue #12 is there twice; the first one counts",)


def test_a_bad_line_is_reported_and_skipped() -> None:
    extract = taken(READER, ".beads/issues.jsonl", lines(BEADS[0]) + "{not json\n\n[1]\n" + lines(BEADS[1]))
    assert titles(extract, "item") == ["Build a wall", "Lay a brick"]
    assert extract.problems == (
        ".beads/issues.jsonl: line 2: not a JSON object; skipped",
        ".beads/issues.jsonl: line 4: not a JSON object; skipped",
    )


def test_many_bad_lines_are_counted_not_listed() -> None:
    extract = taken(READER, ".beads/issues.jsonl", lines(BEADS[0]) + "x\n" * 1000)
    assert len(extract.problems) == 21
    assert "980 more lines" in extract.problems[-1]


def test_a_file_that_is_no_json_is_reported() -> None:
    extract = taken(READER, "issues.json", '[{"number": 1, "title": "a", "state": ')
    assert extract.problems == ("issues.json: not valid JSON; nothing was read",)


def test_settings_that_are_no_strict_json_are_not_reported() -> None:
    assert taken(READER, "settings.json", '{"title": 1, "number": 2, "state": 3} // mine').problems == ()


def test_an_issue_of_beads_has_its_own_id_and_the_parent_its_id_tells() -> None:
    wall, note, brick = taken(READER, ".beads/issues.jsonl", lines(*BEADS)).records
    assert (wall.key, brick.key, brick.parent) == (
        "acme:.beads/issues.jsonl#bd-a1b2",
        "acme:.beads/issues.jsonl#bd-a1b2.1",
        "acme:.beads/issues.jsonl#bd-a1b2",
    )
    assert (note.kind, note.parent, note.text("body")) == ("note", "acme:.beads/issues.jsonl#bd-a1b2", "Slow.")


def test_dependencies_of_beads_become_references() -> None:
    assert said(taken(READER, ".beads/issues.jsonl", lines(*BEADS))) == {
        ("acme:.beads/issues.jsonl#bd-a1b2", "relates_to", "task:bd-c3"),
        ("acme:.beads/issues.jsonl#bd-a1b2.1", "is_blocked_by", "task:bd-c3"),
        ("acme:.beads/issues.jsonl#bd-a1b2.1", "relates_to", "task:bd-d4"),
    }


def test_a_parent_in_another_file_is_a_reference() -> None:
    row = {**BEADS[0], "dependencies": [{"issue_id": "bd-a1b2", "depends_on_id": "bd-z9", "type": "parent-child"}]}
    extract = taken(READER, ".beads/issues.jsonl", lines(row))
    assert extract.records[0].parent is None
    assert ("acme:.beads/issues.jsonl#bd-a1b2", "part_of", "task:bd-z9") in said(extract)


def test_a_circle_of_parents_is_opened_and_reported() -> None:
    def row(own: str, parent: str) -> dict[str, object]:
        tie = {"issue_id": own, "depends_on_id": parent, "type": "parent-child"}
        return {"id": own, "title": own, "status": "open", "issue_type": "task", "dependencies": [tie]}

    extract = taken(READER, "x.jsonl", lines(row("b-1", "b-2"), row("b-2", "b-3"), row("b-3", "b-1"), row("b-4", "b-4")))
    assert [item.parent for item in extract.records] == ["acme:x.jsonl#b-2", "acme:x.jsonl#b-3", None, None]
    assert extract.problems == ("x.jsonl: the issue b-3 is its own ancestor; its parent was left out",)


def test_other_json_holds_no_issues() -> None:
    near_misses = {
        "package.json": json.dumps({"name": "x", "version": "1.0.0", "bugs": {"url": "https://example.org/issues"}}),
        "book.json": json.dumps([{"number": 1, "title": "Chapter", "body": "Once", "state": "draft"}]),
        "schema.json": json.dumps({"title": "Thing", "type": "object", "properties": {"number": {}, "state": {}}}),
        "posts.jsonl": lines({"id": "a-1", "title": "Post", "status": "open"}),
        "log.jsonl": lines({"id": "a-1", "title": "Post", "status": "sent", "issue_type": 3}),
        "issues.json": json.dumps({"number": True, "title": "x", "state": "open"}),
    }
    for path, text in near_misses.items():
        extract = READER.read(source(path, text))
        assert (extract.records, extract.defines, extract.refers) == ((), (), ()), path
    assert readers_of("package.json", near_misses["package.json"]) == []
    assert readers_of("data.csv", json.dumps([FIRST])) == []


def test_half_a_surrogate_pair_is_replaced() -> None:
    assert "\ufffd" in only(taken(READER, "a.json", '[{"number": 1, "title": "a\\ud800?", "state": "open"}]')).title.replace(
        "?", "\ufffd"
    )


def test_a_separator_inside_a_text_ends_no_line() -> None:
    row = json.dumps({**FIRST, "title": "one\u2028two"}, ensure_ascii=False)
    assert titles(taken(READER, "a.jsonl", row)) == ["one two"]
