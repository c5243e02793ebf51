from dowse.ingest.documents.asciidoc import outline

GUIDE = """\
= Guide
Ada Example
:keywords: search, index
:toc:

Welcome.

[#setup]
== Set up

.Install it
[source,sh]
----
make
== no heading
make install
----

See <<setup>>, <<other.adoc#use,Use>>, xref:api.adoc[the API], link:files/a.txt[a file] and `Router.route`.

=== Linux ===

....
output
....
"""


def test_titles_become_sections() -> None:
    read = outline(GUIDE, "guide.adoc")
    assert [(s.title, s.level, s.line, s.anchor) for s in read.sections] == [
        ("Guide", 1, 1, "guide"),
        ("Set up", 2, 9, "setup"),
        ("Linux", 3, 21, "linux"),
    ]


def test_attributes_of_the_header_are_front_matter() -> None:
    assert outline(GUIDE, "guide.adoc").front == {"keywords": "search, index", "toc": ""}


def test_a_source_block_is_an_example_with_its_language_and_title() -> None:
    example = outline(GUIDE, "guide.adoc").sections[1].examples[0]
    assert (example.language, example.code, example.title) == ("bash", "make\n== no heading\nmake install", "Install it")
    assert (example.line, example.line_end) == (13, 17)


def test_cross_references_are_links() -> None:
    section = outline(GUIDE, "guide.adoc").sections[1]
    assert [link.target for link in section.links] == ["#setup", "other.adoc#use", "api.adoc", "files/a.txt"]
    assert section.mentions == ("Router.route",)


def test_the_automatic_anchor_of_a_title_is_understood() -> None:
    links = outline("<<_set_up>> <<Log in>>", "a.adoc").sections[0].links
    assert [link.target for link in links] == ["#set-up", "#log-in"]


def test_underlined_titles_count() -> None:
    assert [(s.title, s.level) for s in outline("Guide\n=====\n\nUse\n---\n", "a.adoc").sections] == [("Guide", 1), ("Use", 2)]


def test_a_comment_block_is_no_example() -> None:
    read = outline("////\n== hidden\n////\n", "a.adoc")
    assert [(s.level, s.examples) for s in read.sections] == [(0, ())]
