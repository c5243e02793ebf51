from hypothesis import given, settings
from hypothesis import strategies as st
from taking import fit, readers_of, source

from dowse.ingest.knowing import READERS, page_reader

ALL = (*READERS, page_reader(("",)))
PATHS = (
    *("arch/a.yaml", "catalog-info.yml", "issues.json", "all.jsonl", ".beads/issues.jsonl"),
    *("adr/0007-x.md", "tasks/a.md", "TODO.md", "a/SKILL.md", ".cursor/rules/a.mdc", "notes/a.md"),
)
# Pieces of every format, so that what is put together from them comes near to what the readers look for.
PIECES = st.sampled_from(
    [
        *("---\n", "nodes:\n", "- id: a\n", "  kind: x\n", "summary: y\n", "edges: [a]\n", "docs: [a.md, b c]\n", "status: todo\n"),
        *("apiVersion: backstage.io/v1\n", "kind: API\n", "metadata: {name: b}\n", "spec: {dependsOn: [a, 1]}\n", "type: note\n"),
        *(
            '{"number": 1, "title": "a", "state": "open"}',
            '{"id": "b-1", "title": "c", "status": "open"}',
            "[",
            "]",
            ",",
            "\n",
            "{",
            "}",
        ),
        *(
            "# Decision\n",
            "## Context\n",
            "## Notes\n",
            "- [ ] do #tag\n",
            "  - [x] done\n",
            "    more\n",
            "```\n",
            "[[a|b]]",
            "ADR 3 ",
        ),
        *(
            "[x](../../..)",
            "aliases: [[a]]\n",
            "&a *a",
            "!!bool x",
            "\t",
            "\r",
            "\0",
            "\ufeff",
            "🔺",
            "#",
            "@a ",
            "é",
            "%ff",
            "\u2028",
        ),
    ]
)
TEXTS = st.one_of(st.text(max_size=200), st.lists(PIECES, max_size=20).map("".join))


@settings(max_examples=300, deadline=None)
@given(st.sampled_from(PATHS), TEXTS)
def test_no_text_makes_a_reader_fail_or_make_a_record_that_cannot_be_stored(path: str, text: str) -> None:
    file = source(path, text)
    for reader in ALL:
        reader.fits(file)
        fit(reader.read(file))


@settings(max_examples=50, deadline=None)
@given(st.sampled_from(PATHS), TEXTS)
def test_reading_twice_gives_the_same(path: str, text: str) -> None:
    file = source(path, text)
    assert [reader.read(file) for reader in ALL] == [reader.read(file) for reader in ALL]


def test_of_the_readers_that_replace_the_usual_one_only_the_first_is_run() -> None:
    text = "---\nstatus: done\npriority: high\n---\n# A\n\n## Context\n\nx\n\n## Decision\n\n- [ ] y\n"
    assert readers_of("adr/0001-a.md", text, ALL) == ["check lists", "decisions"]


def test_a_plain_document_and_a_source_file_are_nobodys() -> None:
    assert readers_of("README.md", "# Hello\n\nA [link](a.md).\n") == []
    assert readers_of("src/a.py", "nodes: list[int] = []\n") == []
    assert readers_of("pnpm-lock.yaml", "lockfileVersion: 9\n") == []
