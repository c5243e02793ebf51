"""What does meaning cost? ``python -m bench.hybrid`` imports the same records with vectors and without, and asks both.

Questions are asked as a user asks them: with everything that ranks, and excerpts.
"""

import argparse
import sys
import tempfile
import time
from collections.abc import Sequence
from itertools import islice
from pathlib import Path
from statistics import median

import dowse
from bench.questions import Shape, questions
from bench.tables import Cell, table
from bench.texts import pieces
from dowse.app.workspace import Workspace
from dowse.model.change import Put
from dowse.model.record import Record

_BATCH = 5000
_SAMPLE = 2000
_ROUNDS = 5


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.hybrid", description=__doc__)
    parser.add_argument("--records", type=int, default=100_000, help="how many are imported")
    options = parser.parse_args(arguments)
    asked = [item.text for item in questions(list(islice(pieces(options.records), _SAMPLE))) if item.shape is Shape.QUESTION]
    rows: list[list[Cell]] = []
    with tempfile.TemporaryDirectory(prefix="dowse-bench-") as place:
        for model in ("none", "static"):
            path = Path(place, f"{model}.dowse")
            with dowse.open(path, model=model) as workspace:
                seconds = _imported(workspace, options.records)
                modes = ("keyword",) if model == "none" else ("keyword", "hybrid")
                for mode in modes:
                    rows.append([f"{model}, {mode}", seconds, path.stat().st_size / 1e6, _milliseconds(workspace, asked, mode)])
    print(f"{options.records:,} records, {len(asked)} questions\n")
    print(table(["model, mode", "import, s", "file, MB", "question, ms (median)"], rows, digits=1))
    return 0


def _imported(workspace: Workspace, count: int) -> float:
    start = time.perf_counter()
    source = (Put(Record(piece.key, "knowledge", piece.title, {"content": piece.text})) for piece in pieces(count))
    while batch := list(islice(source, _BATCH)):
        workspace.apply(batch)
    return time.perf_counter() - start


def _milliseconds(workspace: Workspace, asked: Sequence[str], mode: str) -> float:
    """The median over the questions of each one's best of a few rounds; a page is never taken from memory."""
    best = dict.fromkeys(asked, float("inf"))
    for number in range(_ROUNDS + 1):
        for question in asked:
            start = time.perf_counter()
            # Another size of page each time is another request, and the same ranking.
            workspace.search(question, mode=mode, limit=10 + number)
            if number:
                best[question] = min(best[question], time.perf_counter() - start)
    return median(best.values()) * 1000


if __name__ == "__main__":
    sys.exit(main())
