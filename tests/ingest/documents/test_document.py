import re

from hypothesis import given, settings
from hypothesis import strategies as st

from dowse.app.recording import check
from dowse.domains.everything import SCHEMA
from dowse.ingest.documents import read_document
from dowse.ingest.extract import Extract, SourceFile
from dowse.model.record import Record
from dowse.model.source import Definition

GUIDE = """\
---
title: Manual
tags: [search, guide]
date: 2024-05-01
draft: false
authors: [Ada, Bo]
seo: {index: true}
---
Lead.

# Guide

Welcome.

## Install

### From source

```sh
make
make install
```

## Use

```sh
dowse
```
"""


def read(text: str, path: str = "docs/guide.md", language: str = "markdown") -> Extract:
    extract = read_document(SourceFile("acme", path, language, text, modified=7.0))
    for record in extract.records:
        check(record, SCHEMA)
    return extract


def by_key(extract: Extract) -> dict[str, Record]:
    return {record.key.removeprefix("acme:docs/guide.md"): record for record in extract.records}


def test_the_document_has_its_front_matter_as_tags_and_facets() -> None:
    document = by_key(read(GUIDE))[""]
    assert (document.kind, document.title, document.fields) == ("document", "Manual", {"path": "docs/guide.md"})
    assert document.tags == ("guide", "search")
    assert document.facets == {"date": "2024-05-01", "draft": False, "authors": "Ada, Bo", "language": "markdown"}
    assert document.updated == 7.0


def test_every_section_is_a_record_below_the_one_around_it() -> None:
    records = by_key(read(GUIDE))
    assert list(records) == ["", "#top", "#guide", "#install", "#from-source", "#from-source/code", "#use"]
    above = "acme:docs/guide.md"
    assert records["#top"].parent == records["#guide"].parent == above
    assert records["#install"].parent == f"{above}#guide"
    assert records["#from-source"].parent == f"{above}#install"


def test_breadcrumbs_lead_from_the_title_of_the_document() -> None:
    records = by_key(read(GUIDE))
    assert records["#from-source"].text("breadcrumb") == "Manual > Guide > Install"
    assert records["#guide"].text("breadcrumb") == "Manual"
    assert records["#top"].text("breadcrumb") == ""


def test_a_heading_that_is_the_title_is_said_once_in_breadcrumbs() -> None:
    records = by_key(read("# Guide\n## Install\n### Linux\n"))
    assert [records[key].text("breadcrumb") for key in ("#guide", "#install", "#linux")] == ["", "Guide", "Guide > Install"]


def test_a_section_has_its_place_as_facets() -> None:
    facets = {"path": "docs/guide.md", "line": 17, "lineEnd": 22, "language": "markdown"}
    assert by_key(read(GUIDE))["#from-source"].facets == facets


def test_a_heading_without_text_can_be_found() -> None:
    install = by_key(read(GUIDE))["#install"]
    assert (install.title, install.text("content")) == ("Install", "")


def test_an_example_of_some_length_is_a_snippet_of_its_section() -> None:
    snippet = by_key(read(GUIDE))["#from-source/code"]
    assert (snippet.kind, snippet.title, snippet.text("content")) == ("snippet", "From source", "make\nmake install")
    assert snippet.facets == {"type": "code", "language": "bash", "path": "docs/guide.md", "line": 19, "lineEnd": 22}
    assert snippet.parent == "acme:docs/guide.md#from-source"


def test_more_examples_of_a_section_are_counted() -> None:
    fence = "```py\na\nb\n```\n"
    assert list(by_key(read(f"# A\n{fence}\n{fence}\n{fence}")))[2:] == ["#a/code", "#a/code~2", "#a/code~3"]


def test_code_without_a_language_is_no_snippet() -> None:
    assert "#a/code" not in by_key(read("# A\n```\na\nb\nc\n```\n"))


def test_a_literal_block_of_three_lines_is_a_snippet() -> None:
    keys = [record.key for record in read("Use\n===\n\nSo::\n\n  a\n  b\n  c\n\nand::\n\n  d\n  e\n", "a.rst", "rst").records]
    assert keys == ["acme:a.rst", "acme:a.rst#use", "acme:a.rst#use/code"]


def test_a_long_section_becomes_parts_with_the_same_title() -> None:
    records = by_key(read("# Long\n\n" + "A sentence of some words. " * 400))
    assert list(records) == ["", "#long", "#long~2", "#long~3"]
    assert {record.title for record in records.values()} == {"Long"}
    assert {records[key].parent for key in ("#long", "#long~2")} == {"acme:docs/guide.md"}


def test_formats_without_lines_have_no_lines_as_facets() -> None:
    section = read("<h1>A</h1>text", "a.html", "html").records[1]
    assert section.facets == {"path": "a.html", "language": "html"}


def test_sections_and_pages_are_defined_for_others() -> None:
    defines = read(GUIDE).defines
    assert Definition("/docs/guide.md#install", "acme:docs/guide.md#install") in defines
    assert Definition("page:manual", "acme:docs/guide.md", "page") in defines
    assert Definition("page:guide", "acme:docs/guide.md", "page") in defines


def test_labels_are_defined_for_others() -> None:
    assert Definition("ref:setup", "acme:a.rst#setup", "page") in read(".. _setup:\n\nSet up\n======\n", "a.rst", "rst").defines


def test_a_reference_comes_from_the_section_it_stands_in() -> None:
    refers = read("# A\n\n[x](b.md)\n\n## B\n\n`Router.route`\n").refers
    assert [(r.source, r.kind) for r in refers] == [("acme:docs/guide.md#a", "references"), ("acme:docs/guide.md#b", "documents")]


def test_problems_are_handed_on_and_the_text_is_kept() -> None:
    extract = read("---\ntitle: a: needle\n---\n# Guide\n")
    assert len(extract.problems) == 1
    assert any("needle" in record.text("content") for record in extract.records)


def test_a_document_without_anything_in_it_can_be_found_by_its_name() -> None:
    assert [(record.kind, record.title) for record in read("").records] == [("document", "guide.md")]


def test_keys_that_would_be_too_long_are_cut_and_stay_apart() -> None:
    path = "d/" * 400 + "a.md"
    text = f"# {'x' * 290}\n## {'x' * 289}y\n"
    keys = [record.key for record in read(text, path).records]
    assert len(set(keys)) == 3
    assert max(map(len, keys)) <= 1024


WORDS = st.text("abcdefgh0189äß", min_size=1, max_size=8)
LINE = st.lists(WORDS, min_size=1, max_size=8).map(" ".join)
BLOCK = st.one_of(
    LINE,
    st.builds("{} {}".format, st.sampled_from(["#", "##", "###", "######"]), LINE),
    st.builds("{}\n---".format, LINE),
    st.builds("```{}\n{}\n{}\n```".format, WORDS, LINE, LINE),
    st.builds("~~~\n{}".format, LINE),
    st.builds("> {}\n> # {}".format, LINE, LINE),
    st.builds("- {}\n  - {}\n\n    {}".format, LINE, LINE, LINE),
    st.builds("| {} | {} |\n|---|---|\n| {} | {} |".format, LINE, LINE, LINE, LINE),
    st.builds("**{}** [{}]({}.md) `{}` [[{}]]".format, LINE, LINE, WORDS, LINE, LINE),
    st.builds("<div>\n{}\n</div>".format, LINE),
    st.builds("    {}".format, LINE),
    st.builds("[{}]: {}".format, LINE, WORDS),
    st.builds(lambda line: f"{line}. " * 300, LINE),
)


@settings(max_examples=100, deadline=None)
@given(st.lists(BLOCK, max_size=12).map("\n\n".join))
def test_every_word_of_a_document_is_in_some_record(text: str) -> None:
    found = {
        word
        for record in read(text).records
        for part in (record.title, *record.fields.values())
        for word in re.findall(r"\w+", part)
    }
    assert set(re.findall(r"[^\W_]+", text)) <= found
