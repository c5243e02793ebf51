from typing import Any

import pytest

from dowse.model.record import Record


@pytest.mark.parametrize(
    ("facets", "lines"),
    [
        ({"line": 3, "lineEnd": 9}, (3, 9)),
        ({"line": 3}, (3, 3)),
        ({"line": 3, "lineEnd": 2}, (3, 3)),
        ({"line": 3, "lineEnd": "9"}, (3, 3)),
        ({"line": 0, "lineEnd": 9}, None),
        ({"line": "3"}, None),
        ({"lineEnd": 9}, None),
        ({}, None),
    ],
)
def test_a_record_stands_on_lines_as_far_as_they_make_sense(facets: dict[str, Any], lines: tuple[int, int] | None) -> None:
    assert Record("a", "symbol", facets=facets).lines == lines


def test_the_file_of_a_record_is_a_text_of_it_or_a_facet() -> None:
    named = Record("a", "codefile", fields={"path": "a.py"}, facets={"path": "b.py"})
    assert [named.path, Record("b", "page", facets={"path": "b.md"}).path, Record("c", "page").path] == ["a.py", "b.md", ""]
