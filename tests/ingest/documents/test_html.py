from dowse.ingest.documents.html import outline
from dowse.ingest.documents.outline import Link

PAGE = """\
<!doctype html><html><head><title>Install — Acme</title><meta name="keywords" content="a, b"><style>p{}</style></head>
<body><nav>Menu</nav><p>Lead with <b>bold</b> words.</p>
<section id="inst"><h1>Install<a class="headerlink" href="#inst">¶</a></h1>
<p>Call <code>make_it</code>, see <a href="b.html#x">the   rest</a>.</p>
<div class="highlight-python"><pre>x = 1
y = 2
</pre></div>
<ul><li>one<li>two</ul>
<h2>Then</h2>done<script>var hidden</script>
<pre><code class="language-js">a()
b()</code></pre></section></body></html>
"""


def test_headings_become_sections_with_anchors() -> None:
    read = outline(PAGE, "a.html")
    assert [(s.title, s.level, s.anchor, s.trail) for s in read.sections] == [
        ("Install", 0, "top", ()),
        ("Install", 1, "inst", ()),
        ("Then", 2, "then", ("Install",)),
    ]


def test_text_keeps_its_blocks_and_loses_what_frames_it() -> None:
    lead, install, then = outline(PAGE, "a.html").sections
    assert lead.text == "Lead with bold words."
    assert install.text == "Call make_it, see the rest.\n\nx = 1\ny = 2\n\none\ntwo"
    assert then.text == "done\n\na()\nb()"


def test_code_blocks_are_examples_with_the_language_of_their_class() -> None:
    assert [(e.language, e.code) for s in outline(PAGE, "a.html").sections for e in s.examples] == [
        ("python", "x = 1\ny = 2"),
        ("javascript", "a()\nb()"),
    ]


def test_links_and_code_are_noticed() -> None:
    section = outline(PAGE, "a.html").sections[1]
    assert (section.links, section.mentions) == ((Link("b.html#x", "the rest"),), ("make_it",))


def test_what_the_head_says_is_front_matter() -> None:
    assert outline(PAGE, "a.html").front == {"keywords": "a, b"}


def test_the_title_of_the_page_counts_where_no_heading_says_it() -> None:
    assert outline("<title>Manual</title><p>text", "a.html").title == "Manual"


def test_only_the_main_part_of_a_page_counts_where_it_has_one() -> None:
    read = outline(
        "<title>Use - Acme</title><h1>Acme</h1><p>Press S to search.<main><h1>Use</h1>text</main><footer>us</footer>", "a.html"
    )
    assert (read.title, [(s.title, s.text) for s in read.sections]) == ("Use", [("Use", "text")])


def test_there_are_no_lines() -> None:
    assert {(s.line, s.line_end) for s in outline(PAGE, "a.html").sections} == {(0, 0)}


def test_a_page_that_opens_tags_without_end_is_read_as_text() -> None:
    read = outline("<div>" * 20_000 + "needle", "a.html")
    assert "needle" in read.sections[0].text
    assert "too many tags" in read.problems[0]
