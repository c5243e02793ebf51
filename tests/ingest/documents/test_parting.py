from itertools import pairwise

from dowse.ingest.documents.html import outline as html_outline
from dowse.ingest.documents.markdown import outline
from dowse.ingest.documents.parting import LIMIT, LONGEST_WHOLE, Part, parts

SENTENCE = "The quick brown fox jumps over the lazy dog. "


def cut(text: str) -> tuple[Part, ...]:
    return parts(outline(f"# Long\n\n{text}", "a.md").sections[0])


def test_a_section_of_ordinary_length_is_one_part() -> None:
    assert cut("Short.") == (Part("Short.", 1, 3),)


def test_a_long_section_is_cut_at_sentence_ends_with_overlap() -> None:
    found = cut(SENTENCE * 200)
    assert len(found) > 2
    assert all(len(part.text) <= LIMIT and part.text.rstrip().endswith("dog.") for part in found)
    assert sum(len(part.text) for part in found) > len(SENTENCE) * 200


def test_a_fence_is_never_cut() -> None:
    fence = "```python\n" + "value = compute. Next\n" * 300 + "```"
    found = cut(f"{SENTENCE * 60}\n\n{fence}\n\n{SENTENCE * 60}")
    assert sum(fence in part.text for part in found) == 1
    assert all(part.text.count("```") in (0, 2) for part in found)


def test_a_table_is_never_cut() -> None:
    table = "| a | b |\n|---|---|\n" + "| One. Two | three |\n" * 150
    found = cut(f"{SENTENCE * 70}\n\n{table}\n{SENTENCE * 70}")
    assert any(table.strip() in part.text for part in found)


def test_a_fence_that_is_really_data_is_cut_at_its_lines() -> None:
    row = "0123456789 " * 5
    found = cut("```\n" + f"{row}\n" * (2 * LONGEST_WHOLE // len(row)) + "```")
    assert all(len(part.text) <= LIMIT + 500 for part in found)
    assert {line for part in found for line in part.text.split("\n")} == {"```", row}


def test_code_in_a_page_without_lines_is_never_cut() -> None:
    code = "call(one. Two)\n" * 100
    section = html_outline(f"<h1>A</h1><p>{SENTENCE * 80}</p><pre>{code}</pre><p>{SENTENCE * 80}</p>", "a.html").sections[0]
    found = parts(section)
    assert len(found) > 1
    assert any(code.strip() in part.text for part in found)
    assert {(part.line, part.line_end) for part in found} == {(0, 0)}


def test_each_part_has_the_lines_it_stands_on() -> None:
    text = "\n".join(f"Line {number} has a few words on it." for number in range(3, 400))
    lines = f"# Long\n\n{text}".split("\n")
    found = cut(text)
    assert found[0].line == 1
    assert found[-1].line_end == len(lines)
    for part in found[1:]:
        assert "\n".join(lines[part.line - 1 : part.line_end]).endswith(part.text.rstrip())
    assert all(before.line < after.line <= before.line_end + 1 for before, after in pairwise(found))
