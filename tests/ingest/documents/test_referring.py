from dowse.ingest.documents.markdown import outline
from dowse.ingest.documents.referring import references
from dowse.ingest.documents.rst import outline as rst_outline
from dowse.ingest.extract import SourceFile

FILE = SourceFile("acme", "docs/guide/a.md", "markdown", "")


def names(text: str, kind: str = "references") -> list[tuple[str, ...]]:
    section = outline(text, FILE.path).sections[0]
    return [reference.names for reference in references(FILE, section, "key") if reference.kind == kind]


def test_a_relative_link_is_resolved_against_the_folder() -> None:
    assert names("[x](b.md) [y](../c.md) [z](./d%20e.md)") == [("/docs/guide/b.md",), ("/docs/c.md",), ("/docs/guide/d e.md",)]


def test_an_anchor_is_tried_before_the_file() -> None:
    assert names("[x](b.md#Usage)") == [("/docs/guide/b.md#Usage", "/docs/guide/b.md#usage", "/docs/guide/b.md")]


def test_an_anchor_alone_means_this_file() -> None:
    assert names("[x](#usage)") == [("/docs/guide/a.md#usage",)]


def test_a_link_to_a_folder_means_its_first_page() -> None:
    assert names("[x](../api/)")[0][:4] == ("/docs/api", "/docs/api.md", "/docs/api/README.md", "/docs/api/index.md")


def test_a_link_from_the_root_may_be_from_that_of_the_documentation() -> None:
    assert names("[x](/api/b.md)") == [("/api/b.md", "api/b.md")]


def test_links_out_of_the_project_are_left_alone() -> None:
    assert names("[x](https://example.org/a.md) [y](mailto:a@b.c) [z](../../../../etc/x.md) [w](//cdn/x.js)") == []


def test_a_section_does_not_refer_to_itself() -> None:
    assert names("# Usage\n[x](#usage)") == []


def test_wiki_links_name_pages() -> None:
    assert names("[[The Router]] [[Home|start]] [[Guide#Install]]", "links_to") == [
        ("page:the-router",),
        ("page:start", "page:home"),
        ("page:guide",),
    ]


def test_a_file_in_backticks_is_sought_near_then_anywhere() -> None:
    assert names("`src/app.py` `setup.cfg:12`") == [
        ("/docs/guide/src/app.py", "/src/app.py", "src/app.py"),
        ("/docs/guide/setup.cfg", "/setup.cfg", "setup.cfg"),
    ]


def test_a_symbol_in_backticks_is_documented() -> None:
    text = "`Router.route` `route()` `getUserById` `MAX_RETRIES` `app::core::Engine` `render(x, y)`"
    assert names(text, "documents") == [
        ("Router.route",),
        ("route",),
        ("getUserById",),
        ("MAX_RETRIES",),
        ("app.core.Engine", "core.Engine", "Engine"),
        ("render",),
    ]


def test_plain_words_and_short_names_in_backticks_document_nothing() -> None:
    text = "`word` `i` `x.y` `None` `true` `--flag` `a b` `42`"
    assert names(text, "documents") == names(text) == []


def test_what_is_named_twice_is_referred_to_once() -> None:
    assert names("`Router` and [`Router`](b.md), `Router`", "documents") == [("Router",)]


def test_roles_refer_to_labels_documents_and_symbols() -> None:
    file = SourceFile("acme", "docs/a.rst", "rst", "")
    section = rst_outline(":ref:`setup` :doc:`api/x` :meth:`Router.route`", file.path).sections[0]
    assert [(r.kind, r.names, r.family) for r in references(file, section, "key")] == [
        ("references", ("ref:setup",), "page"),
        ("references", ("/docs/api/x.rst",), ""),
        ("documents", ("Router.route",), ""),
    ]
