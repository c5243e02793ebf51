"""What a writer remembers of the vocabulary from commit to commit."""

from pathlib import Path

import pytest

from dowse.engines.sqlite.engine import SqliteEngine
from dowse.engines.sqlite.learning import Learned
from dowse.errors import Conflict
from dowse.model.change import Put
from dowse.model.record import Record
from dowse.model.schema import Column, Field, Kind, Schema

SCHEMA = Schema({"page": Kind("page", (Field("title", Column.TITLE), Field("body")))}, {})


def page(key: str, body: str) -> Put:
    return Put(Record(key, "page", key, {"body": body}))


def sound(engine: SqliteEngine) -> bool:
    return all(finding.ok for finding in engine.examine())


def test_words_are_known_as_long_as_one_commit_follows_the_other() -> None:
    learned = Learned()
    assert sorted(learned.begin(1, 5).take(["tide rises"])) == ["rises", "tide"]
    learned.keep(1, 5)
    assert learned.begin(1, 6).take(["tide falls"]) == ["falls"]


@pytest.mark.parametrize(("lanes", "generation"), [(1, 7), (1, 5), (2, 6)])
def test_words_are_forgotten_once_anyone_else_has_written(lanes: int, generation: int) -> None:
    learned = Learned()
    learned.begin(1, 5).take(["tide"])
    learned.keep(1, 5)
    assert learned.begin(lanes, generation).take(["tide"]) == ["tide"]


def test_words_of_a_commit_that_failed_are_forgotten() -> None:
    learned = Learned()
    learned.begin(1, 5).take(["tide"])
    assert learned.begin(1, 6).take(["tide"]) == ["tide"]


def test_the_vocabulary_has_every_word_after_a_write_that_failed(tmp_path: Path) -> None:
    engine = SqliteEngine(tmp_path / "w.dowse", SCHEMA)
    engine.apply([page("a", "tide")])
    with pytest.raises(Conflict):
        engine.apply([page("b", "gauge"), Put(Record("a", "page", "a", {"body": "moon"}), expected=9)])
    engine.apply([page("c", "gauge moon tide")])
    assert sound(engine)
    engine.close()


def test_the_vocabulary_has_every_word_whoever_wrote_in_between(tmp_path: Path) -> None:
    one, other = (SqliteEngine(tmp_path / "w.dowse", SCHEMA) for _ in range(2))
    one.apply([page("a", "tide")])
    other.apply([page("b", "gauge")])
    one.apply([page("c", "gauge moon")])
    one.reindex()
    other.apply([page("d", "moon harbour")])
    one.apply([page("e", "harbour tide wharf")])
    assert sound(one)
    assert sound(other)
    one.close()
    other.close()
