from taking import only, readers_of, said, taken

from dowse.ingest.knowing.notes import READER

NOTE = "---\ntype: memory\ntags: [db]\nsource: meeting\n---\n# Why two databases\n\nOne is for [reports](../reports.md).\n"


def test_a_note_that_says_so_is_knowledge() -> None:
    extract = taken(READER, ".memory/two.md", NOTE)
    note = only(extract)
    assert (note.key, note.kind, note.title, note.tags) == ("acme:.memory/two.md", "knowledge", "Why two databases", ("db",))
    assert note.text("content").startswith("# Why two databases")
    assert note.facets == {"path": ".memory/two.md", "source": "meeting"}
    assert said(extract) == {("acme:.memory/two.md", "references", "/reports.md")}


def test_other_files_are_left_to_the_documents() -> None:
    assert readers_of("notes/a.md", "# Plain\n") == []
    assert readers_of("notes/a.md", "---\ntype: post\n---\n") == []
    assert readers_of("docs/a.md", NOTE) == []
    assert readers_of("notes/a.txt", NOTE) == []
