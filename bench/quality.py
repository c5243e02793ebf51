"""Does dowse find what people judged to be the answer? ``python -m bench.quality``

Every judged question is asked of the surface that searches everything, as a user would, and of a plain FTS5 table built in the same
run. Where a set has links between its documents, a second row shows the search without them; where its documents are pieces of
longer texts, a second row shows what is found if nobody knows of which.
"""

import argparse
import json
import sys
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from statistics import fmean
from typing import Any

from bench import coding, gibberish
from bench.answering import DEPTH, Scores, ask_dowse, ask_fts5, gains, index_of, judge, kinds_asked, means
from bench.judged import JudgedSet, folder, load, names, published
from bench.keeping import Shelf, progress
from bench.lists import Comparison, compare, render_lists
from bench.tables import Cell, table
from bench.targets import CODE_SEARCH, Target, target
from dowse.app.dissecting import NO_GRAPH, rankings
from dowse.app.models import DEFAULT
from dowse.domains.everything import EVERYTHING
from dowse.errors import EmbeddingFailed
from dowse.model.request import Mode
from dowse.model.surface import Grammar, Surface

# What a row is called in which nobody knows of which text a piece is.
_APART = "pieces alone"


@dataclass(frozen=True, slots=True)
class Result:
    """One set: means of each measure for both systems, what the README says and what was asked for."""

    name: str
    documents: int
    questions: int
    dowse: tuple[float, ...]
    fts5: tuple[float, ...]
    readme_fts5: float | None
    readme_best: float | None
    target: Target | None


@dataclass(slots=True)
class Run:
    """Everything that was measured."""

    sets: list[Result] = field(default_factory=list)
    each: list[dict[str, object]] = field(default_factory=list)
    lists: list[Comparison] = field(default_factory=list)
    code: list[coding.CodeResult] = field(default_factory=list)
    absent: list[str] = field(default_factory=list)
    nonsense: list[gibberish.Nonsense] = field(default_factory=list)
    skipped: list[str] = field(default_factory=list)


def main(arguments: Sequence[str] | None = None) -> int:
    options = _options(arguments)
    root = folder(options.bench)
    present = names(root) if root.is_dir() else []
    if not present:
        print(f"quality: no judged sets at {root}; name their folder with --bench or DOWSE_BENCH. Nothing was measured.")
        return 0
    chosen = options.sets.split(",") if options.sets else [*present, CODE_SEARCH]
    unknown = sorted(set(chosen) - {*present, CODE_SEARCH})
    if unknown:
        print(f"quality: no set named {', '.join(unknown)} at {root}; there are {', '.join(present)}.", file=sys.stderr)
        return 2
    try:
        shelf = Shelf(options.model, options.keep, options.rescore)
    except EmbeddingFailed as error:
        print(f"quality: {error}", file=sys.stderr)
        return 2
    surface = replace(EVERYTHING, grammar=Grammar(options.grammar), mode=Mode(options.mode))
    run = _measure(options, root, chosen, shelf, surface)
    if options.per_query:
        Path(options.per_query).write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in run.each), "utf-8")
    print(json.dumps(_json(run, shelf), indent=1) if options.json else _render(run, shelf))
    return 0


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m bench.quality", description=__doc__)
    parser.add_argument("--bench", metavar="PATH", help="the folder of judged sets; else $DOWSE_BENCH, else ../shared/bench")
    parser.add_argument("--sets", metavar="A,B", help=f"only these sets; {CODE_SEARCH} is one of them")
    parser.add_argument("--model", metavar="SPEC", default=DEFAULT, help="what gives records their vectors; none: words alone")
    parser.add_argument("--rescore", metavar="SPEC", help="a second model that scores the best hits of the whole search anew")
    parser.add_argument("--lists", action="store_true", help="also each list alone, with paired bootstrap intervals")
    parser.add_argument("--code", metavar="DIR", help=f"checkouts, named as in {CODE_SEARCH}/repos.json; else ${coding.VARIABLE}")
    parser.add_argument("--repos", metavar="A,B", default="", help="only these repositories")
    parser.add_argument("--gibberish", action="store_true", help="also whether nonsense finds nothing and sense something")
    parser.add_argument("--keep", metavar="DIR", type=Path, help="leave the indexes there and use them again while they fit")
    grammars, modes = [item.value for item in Grammar], [item.value for item in EVERYTHING.lists]
    parser.add_argument("--grammar", default=EVERYTHING.grammar.value, choices=grammars, help="how much of a question is syntax")
    parser.add_argument("--mode", default=EVERYTHING.mode.value, choices=modes, help="which lists answer")
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.add_argument("--per-query", metavar="FILE", help="write one JSON line per question")
    return parser.parse_args(arguments)


def _measure(options: argparse.Namespace, root: Path, chosen: Sequence[str], shelf: Shelf, surface: Surface) -> Run:
    run = Run()
    readme = published(root)
    if options.gibberish:
        run.nonsense.append(gibberish.own_index(shelf, surface))
    for name in chosen:
        if name != CODE_SEARCH:
            progress(f"{name} …")
            asks_nonsense = options.gibberish and len(run.nonsense) == 1
            _measure_set(run, load(root, name), root, shelf, surface, readme, lists=options.lists, nonsense=asks_nonsense)
    if CODE_SEARCH in chosen:
        _measure_code(run, options, root, shelf, surface)
    return run


def _measure_set(
    run: Run,
    judged: JudgedSet,
    root: Path,
    shelf: Shelf,
    surface: Surface,
    readme: dict[str, tuple[float | None, float | None]],
    *,
    lists: bool,
    nonsense: bool,
) -> None:
    alone = rankings(surface, vectors=shelf.vectors) if lists else {}
    if not judged.edges:
        alone = {name: variant for name, variant in alone.items() if name != NO_GRAPH}
    elif not lists:
        alone = {NO_GRAPH: replace(surface, spreading=None)}
    kinds = kinds_asked(judged)
    with index_of(judged, root, shelf) as engine:
        ours = judge(judged, ask_dowse(engine, surface, shelf.rescore, kinds))
        # Without the graph is the whole search too; a list alone is its first stage.
        second = {NO_GRAPH: shelf.rescore}
        others = {name: judge(judged, ask_dowse(engine, variant, second.get(name), kinds)) for name, variant in alone.items()}
        if nonsense:
            texts = [question.text for question in judged.questions]
            run.nonsense.append(gibberish.check(judged.name, engine, surface, texts))
    apart: Scores = {}
    if judged.is_cut:
        with index_of(judged.apart(), root, shelf) as engine:
            apart = judge(judged, ask_dowse(engine, surface, shelf.rescore))
    theirs = judge(judged, ask_fts5(judged))
    seen = readme.get(judged.name, (None, None))
    wanted = target(judged.name, shelf.strongest, seen[1])
    counts = len(judged.documents), len(judged.questions)
    run.sets.append(Result(judged.name, *counts, means(ours), means(theirs), *seen, wanted))
    again = {"no graph": others.get(NO_GRAPH), _APART: apart}
    run.sets += [
        Result(f"{judged.name}, {how}", *counts, means(scores), means(theirs), *seen, None)
        for how, scores in again.items()
        if scores
    ]
    if lists:
        run.lists.append(compare(judged.name, gains(ours), {name: gains(scores) for name, scores in others.items()}))
    _tell_each(run, judged, {"dowse": ours, "fts5": theirs, **others, **({_APART: apart} if apart else {})})


def _tell_each(run: Run, judged: JudgedSet, systems: dict[str, Scores]) -> None:
    for question in judged.questions:
        scores = {name: values[question.id] for name, values in systems.items()}
        run.each.append({"set": judged.name, "query": question.id, "text": question.text, **scores})


def _measure_code(run: Run, options: argparse.Namespace, root: Path, shelf: Shelf, surface: Surface) -> None:
    checkouts = coding.folder(options.code)
    if not (root / CODE_SEARCH / "repos.json").exists():
        run.skipped.append(f"{CODE_SEARCH}: skipped, {root} has none.")
        return
    if checkouts is None or not checkouts.is_dir():
        where = "no folder of checkouts is named" if checkouts is None else f"there is no folder {checkouts}"
        run.skipped.append(f"{CODE_SEARCH}: skipped, {where}; name one with --code or {coding.VARIABLE}.")
        return
    found, run.absent = coding.load_repositories(root, checkouts, [name for name in options.repos.split(",") if name])
    run.code = [coding.measure(repository, shelf, surface, lists=options.lists) for repository in found]
    if not run.code:
        run.skipped.append(f"{CODE_SEARCH}: skipped, none of its repositories is checked out in {checkouts}.")
    elif options.lists:
        run.lists.append(coding.compare_lists(run.code))
    for item in run.code:
        for task, code, everything in zip(item.repository.tasks, item.code, item.everything, strict=True):
            scores = {"dowse": [code], coding.ALL_KINDS: [everything]}
            run.each.append({"set": CODE_SEARCH, "query": task.id, "text": task.query, **scores})


def _json(run: Run, shelf: Shelf) -> dict[str, Any]:
    return {
        "model": shelf.model,
        "rescore": shelf.rescore,
        "sets": [asdict(result) for result in run.sets],
        "lists": [asdict(item) for item in run.lists],
        "code": coding.as_json(run.code) if run.code else None,
        "gibberish": [asdict(item) for item in run.nonsense],
        "skipped": run.skipped,
    }


def _render(run: Run, shelf: Shelf) -> str:
    parts = [f"model: {shelf.model}" + (f", rescored by {shelf.rescore}" if shelf.rescore else "")]
    parts += [_sets(run.sets)] if run.sets else []
    parts += [render_lists(run.lists)] if run.lists else []
    parts += [coding.render_code(run.code, run.absent, shelf.strongest)] if run.code else []
    parts += [gibberish.render_nonsense(run.nonsense)] if run.nonsense else []
    return "\n\n".join([*parts, *run.skipped])


def _sets(results: Sequence[Result]) -> str:
    measures = ["nDCG@10", "MRR@10", f"R@{DEPTH}"]
    columns = ["gain", "README FTS5 OR", "README best", "target", "met"]
    head = ["set", "docs", "questions", *measures, "FTS5: nDCG@10", *measures[1:], *columns]
    rows = [_row(item) for item in results]
    # Rows without the graph, and of pieces alone, show the same questions again.
    counted = [row for row, item in zip(rows, results, strict=True) if ", " not in item.name]
    compared = [row for row in counted if row[11] is not None]
    means_of = [_mean_row("mean", counted)]
    if compared and len(compared) < len(counted):
        means_of.append(_mean_row("mean of those in README", compared))
    return table(head, [*rows, *means_of])


def _row(item: Result) -> list[Cell]:
    gain = item.dowse[0] - item.fts5[0]
    said: list[Cell] = [None, None]
    if item.target is not None:
        met = "yes" if item.target.is_met(item.dowse[0]) else f"no, {item.dowse[0] - item.target.value:+.3f}"
        said = [f"{'>' if item.target.above else '≥'} {item.target.value:.3f}", met]
    return [item.name, item.documents, item.questions, *item.dowse, *item.fts5, gain, item.readme_fts5, item.readme_best, *said]


def _mean_row(name: str, rows: Sequence[Sequence[Cell]]) -> list[Cell]:
    """Sums of the counts, means of the measures; none where a set has no number."""
    columns = [[row[at] for row in rows] for at in range(1, len(rows[0]) - 2)]
    totals: list[Cell] = [sum(int(cell or 0) for cell in column) for column in columns[:2]]
    return [name, *totals, *(_mean(column) for column in columns[2:]), None, None]


def _mean(column: Sequence[Cell]) -> float | None:
    known = [float(cell) for cell in column if cell is not None]
    return fmean(known) if len(known) == len(column) else None


if __name__ == "__main__":
    sys.exit(main())
