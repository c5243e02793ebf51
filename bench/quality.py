"""Does dowse find what people judged to be the answer? ``python -m bench.quality``

Every judged question is asked of the surface that searches everything, as a user would, and of a plain FTS5 table built in the same
run. A list is judged by its order alone: scores of different systems mean different things.
"""

import argparse
import json
import re
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from statistics import fmean

import apsw
import ir_measures
from ir_measures import RR, R, nDCG

from bench.judged import JudgedSet, Question, folder, load, names, published
from bench.tables import Cell, table
from dowse.domains.everything import EVERYTHING, SCHEMA
from dowse.engines.sqlite.engine import SqliteEngine
from dowse.errors import InvalidQuery
from dowse.model.change import Put
from dowse.model.record import Record
from dowse.model.request import Mode, Scope, SearchRequest
from dowse.model.surface import Grammar, Surface
from dowse.search.pipeline import rank

DEPTH = 100
MEASURES = (nDCG @ 10, RR @ 10, R @ DEPTH)
_KIND = "knowledge"

Ask = Callable[[Question], list[str]]
Scores = dict[str, tuple[float, ...]]


@dataclass(frozen=True, slots=True)
class Result:
    """One set: means of each measure for both systems, and what the README says."""

    name: str
    documents: int
    questions: int
    dowse: tuple[float, ...]
    fts5: tuple[float, ...]
    readme_fts5: float | None
    readme_best: float | None
    seconds: float


def main(arguments: Sequence[str] | None = None) -> int:
    options = _options(arguments)
    root = folder(options.bench)
    present = names(root) if root.is_dir() else []
    if not present:
        print(f"quality: no judged sets at {root}; name their folder with --bench or DOWSE_BENCH. Nothing was measured.")
        return 0
    chosen = options.sets.split(",") if options.sets else present
    unknown = sorted(set(chosen) - set(present))
    if unknown:
        print(f"quality: no set named {', '.join(unknown)} at {root}; there are {', '.join(present)}.", file=sys.stderr)
        return 2
    surface = replace(EVERYTHING, grammar=Grammar(options.grammar), mode=Mode(options.mode))
    readme = published(root)
    results: list[Result] = []
    each: list[dict[str, object]] = []
    for name in chosen:
        print(f"{name} …", file=sys.stderr, flush=True)
        results.append(_measure(load(root, name), surface, readme.get(name, (None, None)), each))
    if options.per_query:
        Path(options.per_query).write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in each), "utf-8")
    print(json.dumps([asdict(result) for result in results], indent=1) if options.json else _render(results))
    return 0


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m bench.quality", description=__doc__)
    parser.add_argument("--bench", metavar="PATH", help="the folder of judged sets; else $DOWSE_BENCH, else ../shared/bench")
    parser.add_argument("--sets", metavar="A,B", help="only these sets")
    grammars, modes = [item.value for item in Grammar], [item.value for item in EVERYTHING.lists]
    parser.add_argument("--grammar", default=EVERYTHING.grammar.value, choices=grammars, help="how much of a question is syntax")
    parser.add_argument("--mode", default=EVERYTHING.mode.value, choices=modes, help="which lists answer")
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.add_argument("--per-query", metavar="FILE", help="write one JSON line per question")
    return parser.parse_args(arguments)


def _measure(
    judged: JudgedSet, surface: Surface, readme: tuple[float | None, float | None], each: list[dict[str, object]]
) -> Result:
    start = time.perf_counter()
    with tempfile.TemporaryDirectory(prefix="dowse-bench-") as place:
        ours = _judge(judged, _ask_dowse(judged, Path(place), surface))
    theirs = _judge(judged, _ask_fts5(judged))
    for question in judged.questions:
        scores = {"dowse": ours[question.id], "fts5": theirs[question.id]}
        each.append({"set": judged.name, "query": question.id, "text": question.text, **scores})
    took = time.perf_counter() - start
    return Result(judged.name, len(judged.documents), len(judged.questions), _means(ours), _means(theirs), *readme, took)


def _ask_dowse(judged: JudgedSet, place: Path, surface: Surface) -> Ask:
    engine = SqliteEngine(place / "bench.dowse", SCHEMA)
    engine.apply(Put(Record(item.id, _KIND, item.title, {"content": item.text}, space=item.part)) for item in judged.documents)

    def ask(question: Question) -> list[str]:
        scope = Scope(spaces=(question.part,) if question.part else (), keys=question.allowed)
        request = SearchRequest(question.text, scope=scope, limit=DEPTH)
        with engine.view() as view:
            try:
                answer = rank(view, request, surface, SCHEMA)
            except InvalidQuery:
                return []
            return [record.key for record in view.fetch([hit.handle for hit in answer.places])]

    return ask


def _ask_fts5(judged: JudgedSet) -> Ask:
    """The table most people would make: Porter stems over title and text, any of the words, SQLite's own BM25."""
    connection = apsw.Connection(":memory:")
    options = "tokenize='porter unicode61'"
    connection.execute(f"create virtual table baseline using fts5(id unindexed, part unindexed, title, text, {options})")
    rows = [(item.id, item.part, item.title, item.text) for item in judged.documents]
    with connection:
        connection.executemany("insert into baseline values (?, ?, ?, ?)", rows)

    def ask(question: Question) -> list[str]:
        words = dict.fromkeys(re.findall(r"\w+", question.text.lower()))
        expression = " OR ".join(f'"{word}"' for word in words)
        if not expression:
            return []
        found = connection.execute(
            "select id from baseline where baseline match ?1 and ?2 in ('', part) order by rank", (expression, question.part)
        )
        allowed = None if question.allowed is None else set(question.allowed)
        # One more than is judged: the question's own document may be among them.
        return [key for (key,) in found if allowed is None or key in allowed][: DEPTH + 1]

    return ask


def _judge(judged: JudgedSet, ask: Ask) -> Scores:
    run: dict[str, dict[str, float]] = {}
    for question in judged.questions:
        found = [key for key in ask(question) if key != question.itself][:DEPTH]
        run[question.id] = {key: 1.0 / place for place, key in enumerate(found, 1)}
    scores = {question.id: [0.0] * len(MEASURES) for question in judged.questions}
    for metric in ir_measures.iter_calc(list(MEASURES), judged.grades, run):
        if metric.query_id in scores:
            scores[metric.query_id][MEASURES.index(metric.measure)] = metric.value
    return {query: tuple(values) for query, values in scores.items()}


def _means(scores: Scores) -> tuple[float, ...]:
    return tuple(fmean(values[at] for values in scores.values()) for at in range(len(MEASURES)))


def _render(results: Sequence[Result]) -> str:
    measures = ["nDCG@10", "MRR@10", f"R@{DEPTH}"]
    head = ["set", "docs", "questions", *measures, "FTS5: nDCG@10", *measures[1:], "gain", "README FTS5 OR", "README best"]
    rows = [_row(item) for item in results]
    compared = [row for row, item in zip(rows, results, strict=True) if item.readme_best is not None]
    means = [_mean_row("mean", rows)]
    if compared and len(compared) < len(rows):
        means.append(_mean_row("mean of those in README", compared))
    return table(head, [*rows, *means])


def _row(item: Result) -> list[Cell]:
    gain = item.dowse[0] - item.fts5[0]
    return [item.name, item.documents, item.questions, *item.dowse, *item.fts5, gain, item.readme_fts5, item.readme_best]


def _mean_row(name: str, rows: Sequence[Sequence[Cell]]) -> list[Cell]:
    """Sums of the counts, means of the measures; none where a set has no number."""
    columns = [[row[at] for row in rows] for at in range(1, len(rows[0]))]
    totals: list[Cell] = [sum(int(cell or 0) for cell in column) for column in columns[:2]]
    return [name, *totals, *(_mean(column) for column in columns[2:])]


def _mean(column: Sequence[Cell]) -> float | None:
    known = [float(cell) for cell in column if cell is not None]
    return fmean(known) if len(known) == len(column) else None


if __name__ == "__main__":
    sys.exit(main())
