"""The bench of sizes counts every page once, and says whether the goal is met."""

from pathlib import Path

from bench.sizing import by_part, make, report


def test_every_page_is_in_one_part_and_the_goal_is_told(tmp_path: Path) -> None:
    path = tmp_path / "w.dowse"
    make(path, "none", 20)
    text = report(path, "twenty")
    cells = [[cell.strip() for cell in line.split("|")] for line in text.splitlines() if line.startswith("|")][2:]
    rows = {part: float(size) for _, part, size, _, _ in cells}
    whole = rows.pop("all")
    assert abs(whole - path.stat().st_size / 1e6) < 0.01
    assert abs(sum(rows.values()) - whole) < 0.1
    assert text.startswith("twenty: 0.0 MB of text")
    # So few records are less than the empty tables.
    assert text.endswith("goal ≤ 1.5 × the text: NOT met")


def test_lanes_are_told_apart_whatever_their_number() -> None:
    sizes = {"lane3_words_data": 4, "lane12_vocabulary": 2, "lane12_contains_data": 1, "lane9_columns_changed": 3}
    assert by_part(sizes) == {"postings": 4, "vocabulary": 3, "packed columns": 3}
