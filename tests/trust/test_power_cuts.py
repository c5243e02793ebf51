"""When the power fails, the last commits may be gone, but no earlier one, nothing is there in part, and the file is sound."""

import random
from pathlib import Path

import pytest
from power_cut import powered

import dowse
from dowse.model.change import Put
from dowse.model.record import Record

BATCHES = 30


def batch(number: int) -> list[Put]:
    return [Put(Record(f"b{number}-{part}", "page", f"Batch {number}", {"content": f"tide {number} " * 40})) for part in range(4)]


@pytest.mark.parametrize("seed", range(8))
def test_after_a_power_cut_there_is_a_moment_of_the_past_whole(tmp_path: Path, seed: int) -> None:
    rng = random.Random(seed)
    path, later = tmp_path / "test.dowse", tmp_path / "later" / "test.dowse"
    later.parent.mkdir()
    stop = rng.randrange(3, BATCHES)
    with powered() as ledger, dowse.open(path, model="none") as workspace:
        for number in range(stop):
            workspace.apply(batch(number))
            if number == stop // 2 and seed % 2:
                workspace.reindex()
        found = {Path(name).name: data for name, data in ledger.cut(rng).items()}
    for name, data in found.items():
        if not name.endswith("-shm"):
            (later.parent / name).write_bytes(data)
    with dowse.open(later, model="none") as workspace:
        assert [finding for finding in workspace.doctor() if not finding.ok] == []
        keys = {record.key for record in workspace.list(limit=1000).records}
        kept = len(keys) // 4
        assert keys == {f"b{number}-{part}" for number in range(kept) for part in range(4)}
        workspace.apply(batch(99))
        assert workspace.get("b99-0").title == "Batch 99"
