"""A project that is worked on stays as large as it was."""

import random
from pathlib import Path

from bench.endur_files import WORDS, Project, text_of


def test_however_much_is_done_to_them_the_files_stay_as_many(tmp_path: Path) -> None:
    project = Project(tmp_path, 60, random.Random(3))
    before = project.files
    done = {project.work() for _ in range(300)}
    assert done == {"edit", "move", "exchange"}
    found = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert len(found) == project.files == before


def test_an_edit_changes_a_file_and_hardly_its_size() -> None:
    for number in (4, 5):
        texts = [text_of(number, step, 100) for step in range(20)]
        assert len(set(texts)) == 20
        sizes = sorted(map(len, texts))
        assert sizes[-1] < 1.5 * sizes[0]


def test_the_same_file_at_the_same_step_is_the_same() -> None:
    assert text_of(7, 3, 100) == text_of(7, 3, 100)
    assert len(set(WORDS)) == len(WORDS)
