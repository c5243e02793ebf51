"""Where does the time of indexing go? Every stage in one process, one after the other, in seconds of its processor.

``python -m bench.indexing_stages FOLDER`` prints them for any folder, without vectors and with them.

``dowse index`` reads and prepares in other processes while its own writes: on two processors its time is about half of the sum.
"""

import pickle
import sys
import tempfile
import time
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

from bench.tables import Cell, table
from dowse.domains.everything import SCHEMA
from dowse.embed.static import StaticEmbedder
from dowse.engines.sqlite.engine import SqliteEngine
from dowse.ingest import indexing, working
from dowse.ingest.collecting import seldom
from dowse.ingest.reading import ReadFile, Task, reader_of
from dowse.model.change import UseModel
from dowse.ports import Preparer

LOOKING, READING, PREPARING, HANDING, WRITING, SETTLING = (
    "walking and comparing",
    "reading, parsing, making records",
    "words, rows, packed texts and vectors of each record",
    "handing over between processes",
    "writing: rows, lanes, vocabulary, names",
    "edges: what names mean",
)


def main() -> int:
    (root,) = sys.argv[1:]
    print(report(*(stages(root, vectors=vectors) for vectors in (False, True))))
    return 0


def report(words: dict[str, float], vectors: dict[str, float]) -> str:
    """Both kinds of run side by side."""
    rows: list[list[Cell]] = [[stage, seconds, vectors[stage]] for stage, seconds in words.items()]
    rows.append(["all", sum(words.values()), sum(vectors.values())])
    return table(["stage, one process, seconds of the processor", "without vectors", "with vectors"], rows, 1)


def stages(root: str, *, vectors: bool = False) -> dict[str, float]:
    """Seconds of each stage, in the order in which a file passes them."""
    spent = dict.fromkeys((LOOKING, READING, PREPARING, HANDING, WRITING, SETTLING), 0.0)
    with tempfile.TemporaryDirectory(prefix="dowse-bench-") as folder, seldom():
        engine = SqliteEngine(Path(folder) / "stages.dowse", SCHEMA)
        model = StaticEmbedder() if vectors else None
        if model is not None:
            engine.apply([UseModel(model.profile)])
        project = indexing.Project("bench", Path(root))
        start = time.process_time()
        with engine.view() as view:
            difference = indexing.look(view, project)
        spent[LOOKING] = time.process_time() - start
        tasks = [Task("bench", entry, reader_of(entry.path, difference.vaults)) for entry in difference.read]
        run = indexing._Run(engine, project, indexing._silent, dry_run=False)
        for batch in indexing._batches(run._counted(_handed_over(tasks, engine.preparer(model), spent))):
            start = time.process_time()
            run._write(batch, {}, difference.known)
            spent[WRITING] += time.process_time() - start
        start = time.process_time()
        run.settle(working.Readers([]))
        spent[SETTLING] = time.process_time() - start
        engine.close()
    return spent


def _handed_over(tasks: list[Task], prepare: Preparer, spent: dict[str, float]) -> Iterator[list[ReadFile]]:
    for chunk in working._chunks(tasks):
        marks = [time.process_time()]
        files = working.read_chunk(chunk)
        marks.append(time.process_time())
        files = working.prepared(files, prepare)
        marks.append(time.process_time())
        files = pickle.loads(pickle.dumps(files))
        marks.append(time.process_time())
        for stage, (began, ended) in zip((READING, PREPARING, HANDING), pairwise(marks), strict=True):
            spent[stage] += ended - began
        yield files


if __name__ == "__main__":
    sys.exit(main())
