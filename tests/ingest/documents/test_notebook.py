import json
from collections.abc import Mapping

from dowse.ingest.documents.notebook import outline


def book(*cells: dict[str, object], **metadata: object) -> str:
    return json.dumps({"cells": cells, "metadata": metadata, "nbformat": 4})


def markdown(source: str) -> dict[str, object]:
    return {"cell_type": "markdown", "source": source}


def code(source: str | list[str], *outputs: Mapping[str, object]) -> dict[str, object]:
    return {"cell_type": "code", "source": source, "outputs": outputs}


def test_markdown_cells_give_the_structure_and_code_cells_the_examples() -> None:
    read = outline(
        book(markdown("# Study\nWhy."), code(["x = 1\n", "x"]), markdown("Then `fit_model`."), markdown("## Results")), "a.ipynb"
    )
    assert [(s.title, s.level) for s in read.sections] == [("Study", 1), ("Results", 2)]
    study = read.sections[0]
    assert study.text == "Why.\n\n```python\nx = 1\nx\n```\n\nThen `fit_model`."
    assert [(e.language, e.code, e.line) for e in study.examples] == [("python", "x = 1\nx", 0)]
    assert study.mentions == ("fit_model",)


def test_the_kernel_says_the_language() -> None:
    read = outline(book(code("x <- 1"), language_info={"name": "R"}), "a.ipynb")
    assert read.sections[0].examples[0].language == "r"


def test_output_is_kept_as_text_up_to_a_limit() -> None:
    stream = {"output_type": "stream", "text": ["forty-two\n"]}
    result = {"output_type": "execute_result", "data": {"text/plain": "y" * 5000, "image/png": "zzz"}}
    text = outline(book(code("x", stream, result)), "a.ipynb").sections[0].text
    assert "forty-two" in text
    assert "zzz" not in text
    assert len(text) < 600


def test_a_fence_left_open_in_one_cell_does_not_swallow_the_next() -> None:
    assert [s.title for s in outline(book(markdown("```"), markdown("# Next")), "a.ipynb").sections if s.level] == ["Next"]


def test_cells_in_worksheets_are_read_too() -> None:
    old = json.dumps(
        {"worksheets": [{"cells": [{"cell_type": "heading", "level": 2, "source": "Old"}, {"cell_type": "code", "input": "a"}]}]}
    )
    section = outline(old, "a.ipynb").sections[0]
    assert (section.title, section.level, section.examples[0].code) == ("Old", 2, "a")


def test_half_a_character_in_a_cell_is_replaced() -> None:
    assert outline('{"cells": [{"cell_type": "markdown", "source": "a \\ud800 b"}]}', "a.ipynb").sections[0].text == "a \ufffd b"


def test_an_invalid_notebook_is_a_problem_and_stays_findable_as_text() -> None:
    for text in ('{"cells": [needle', '["needle"]', '{"needle": 1}', '{"cells": ["needle"]}', '{"cells": 7, "needle": 1}'):
        read = outline(text, "a.ipynb")
        assert read.problems[0].startswith("a.ipynb: not a valid notebook: ")
        assert "needle" in read.sections[0].text


def test_brackets_without_end_are_a_problem_not_an_error() -> None:
    assert len(outline("[" * 100_000, "a.ipynb").problems) == 1
