from dowse.ingest.documents.outlining import outline
from dowse.ingest.libraries.passages import pieces
from dowse.ingest.libraries.pieces import Piece


def read(text: str, language: str = "markdown", path: str = "docs/fly.md") -> list[Piece]:
    return list(pieces(outline(language, text, text.encode(), path), path))


def test_an_example_carries_the_sentence_before_it_as_a_comment_of_its_language() -> None:
    found = read(
        "# Rocket\n\n## Launch\n\nFuel it. To launch, call `launch`:\n\n```python\nlaunch()\n```\n\nAnd:\n\n```js\ngo()\n```\n"
    )
    assert [(piece.type, piece.title, piece.breadcrumb, piece.language, piece.content) for piece in found] == [
        ("code", "Launch", "Rocket > Launch", "python", "# Fuel it. To launch, call launch\nlaunch()"),
        ("code", "Launch", "Rocket > Launch", "javascript", "// And\ngo()"),
    ]


def test_nothing_is_written_into_code_that_has_no_comments() -> None:
    (found,) = read('# Config\n\nPut this there:\n\n```json\n{"a": 1}\n```\n')
    assert found.content == '{"a": 1}'


def test_prose_is_told_without_its_code_pictures_and_relative_links() -> None:
    text = (
        "# Rocket\n\n[![build](b.svg)](ci) <!-- hidden -->\n\nRockets fly on [fuel](fuel.md) as [told](https://example.org/x),"
        " far and high, whatever the weather may be.\n\n```sh\nfly\n```\n"
    )
    info = next(piece for piece in read(text) if piece.type == "info")
    assert info.content == "Rockets fly on fuel as [told](https://example.org/x), far and high, whatever the weather may be."


def test_long_prose_is_cut_at_sentences_with_places_that_stay() -> None:
    text = "# Rocket\n\n" + " ".join(f"Sentence number {number} says something of rockets." for number in range(200))
    found = read(text)
    assert len(found) > 2
    assert [piece.place for piece in found[:2]] == ["rocket/info", "rocket/info~2"]
    assert all(piece.content.endswith(".") and len(piece.content) <= 2500 for piece in found)


def test_a_new_section_above_moves_no_place() -> None:
    text = "# Rocket\n\n## Launch\n\nIt is launched by hand.\n"
    after = text.replace("## Launch", "## Fuel\n\nFuel is put in first.\n\n## Launch")
    assert {piece.place for piece in read(text)} < {piece.place for piece in read(after)}


def test_a_first_heading_among_its_equals_is_not_the_name_of_the_page() -> None:
    found = read("## Install\n\nInstall it with care.\n\n## Use\n\nUse it with care.\n", path="README.md")
    assert [piece.breadcrumb for piece in found] == ["Install", "Use"]


def test_other_formats_give_the_same() -> None:
    rst = read("Rocket\n======\n\nTo launch:\n\n.. code-block:: python\n\n   launch()\n", "rst", "a.rst")
    html = read("<h1>Rocket</h1><p>To launch:</p><pre><code class='language-python'>launch()</code></pre>", "html", "a.html")
    assert [piece.content for piece in rst] == [piece.content for piece in html] == ["# To launch\nlaunch()"]
