"""Does it find the code that people judged to be the answer? Repositories in many languages, each indexed as ``dowse index`` does.

Relevance is yes or no over all targets of a question. A target's place is that of the first hit in its file, and in its lines if it
has any. nDCG@10, the mean of each repository, then the mean over repositories.
"""

import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import fmean
from typing import Any

from bench.keeping import Shelf, progress
from bench.lists import Comparison, compare
from bench.tables import Cell, table
from bench.targets import CODE_SEARCH, target
from dowse.app.dissecting import NO_GRAPH, rankings
from dowse.app.embedding import EmbeddingEngine
from dowse.app.judging import SHOWN, ndcg, ranks
from dowse.app.workspace import Workspace
from dowse.domains.everything import SCHEMA
from dowse.errors import InvalidQuery
from dowse.model.request import Scope, SearchRequest
from dowse.model.surface import Surface
from dowse.search.pipeline import rank

VARIABLE = "DOWSE_CODE_REPOS"
# The systems whose scores are published index nothing else.
KINDS = ("symbol", "codefile")
ALL_KINDS = "all kinds"
_REPOSITORIES = 26
_PUBLISHED = f"Published on these {_REPOSITORIES} repositories: semble .844, its BM25 with ranking rules about .82."


@dataclass(frozen=True, slots=True)
class Task:
    """``targets``: paths below the indexed folder, with lines where they are given."""

    id: str
    query: str
    category: str
    targets: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Repository:
    name: str
    language: str
    root: Path
    tasks: tuple[Task, ...]
    missing: tuple[str, ...]
    """Targets whose file is not in the checkout, so that nobody could find them."""


@dataclass(frozen=True, slots=True)
class CodeResult:
    """nDCG@10 of each task: of code alone, of all kinds, and of each ranking alone (if asked for)."""

    repository: Repository
    code: tuple[float, ...]
    everything: tuple[float, ...]
    alone: Mapping[str, tuple[float, ...]] = field(default_factory=dict)


def load_repositories(bench: Path, checkouts: Path, chosen: Sequence[str]) -> tuple[list[Repository], list[str]]:
    """Those that are checked out, and the names of those that are not, or that nobody knows."""
    rows = json.loads((bench / CODE_SEARCH / "repos.json").read_text("utf-8"))
    tasks = [json.loads(line) for line in (bench / CODE_SEARCH / "tasks.jsonl").read_text("utf-8").splitlines() if line]
    found: list[Repository] = []
    absent = sorted(set(chosen) - {row["name"] for row in rows})
    for row in rows:
        if chosen and row["name"] not in chosen:
            continue
        checkout = checkouts / row["name"]
        if not checkout.is_dir():
            absent.append(row["name"])
            continue
        found.append(_repository(row, checkout, [task for task in tasks if task["repo"] == row["name"]]))
    return found, absent


def folder(named: str | None) -> Path | None:
    name = named or os.environ.get(VARIABLE)
    return Path(name) if name else None


def measure(repository: Repository, shelf: Shelf, surface: Surface, *, lists: bool) -> CodeResult:
    progress(f"{CODE_SEARCH}: {repository.name} …")

    def fill(engine: EmbeddingEngine, path: Path) -> None:
        Workspace(engine, location=path).index(repository.root, space=repository.name)

    variants = rankings(surface, vectors=shelf.vectors) if lists else {}
    with shelf.opened(f"{CODE_SEARCH}-{repository.name}", str(repository.root), fill) as engine:
        code = _scores(engine, repository, surface, KINDS, shelf.rescore)
        everything = _scores(engine, repository, surface, (), shelf.rescore)
        second = {NO_GRAPH: shelf.rescore}
        alone = {name: _scores(engine, repository, variant, KINDS, second.get(name)) for name, variant in variants.items()}
    return CodeResult(repository, code, everything, alone)


def score(results: Sequence[CodeResult]) -> float:
    return fmean(fmean(item.code) for item in results)


def compare_lists(results: Sequence[CodeResult]) -> Comparison:
    """Over all tasks alike: an interval needs questions, and repositories have about as many each."""
    alone = {name: [value for item in results for value in item.alone[name]] for name in results[0].alone}
    return compare(CODE_SEARCH, [value for item in results for value in item.code], alone)


def render_code(results: Sequence[CodeResult], absent: Sequence[str], model: str) -> str:
    reached, wanted = score(results), target(CODE_SEARCH, model, None)
    met = ""
    # A part of the repositories says nothing about a target for all.
    if wanted is not None and len(results) == _REPOSITORIES:
        met = f"; target {wanted.value}: {'met' if wanted.is_met(reached) else 'not met'}"
    whole = fmean(fmean(item.everything) for item in results)
    tasks = sum(len(item.code) for item in results)
    lines = [
        f"{CODE_SEARCH}: nDCG@10 {reached:.3f} over {len(results)} repositories and {tasks} tasks{met}.",
        f"Asked of code alone ({', '.join(KINDS)}), as the published systems index code only; of all kinds it is {whole:.3f}.",
        _PUBLISHED,
    ]
    if absent:
        lines.append(f"Not checked out, so not counted: {', '.join(absent)}.")
    lines += [
        f"{item.repository.name} lacks targets: {', '.join(item.repository.missing)}."
        for item in results
        if item.repository.missing
    ]
    return "\n".join([*lines, "", _by_repository(results), "", _by_part(results)])


def as_json(results: Sequence[CodeResult]) -> dict[str, Any]:
    return {
        "ndcg": score(results),
        "allKinds": fmean(fmean(item.everything) for item in results),
        "repositories": {item.repository.name: fmean(item.code) for item in results},
        "categories": _means(_by_category(results)),
        "languages": _means(_by_language(results)),
    }


def _by_repository(results: Sequence[CodeResult]) -> str:
    rows: list[list[Cell]] = [
        [item.repository.name, item.repository.language, len(item.code), fmean(item.code), fmean(item.everything)]
        for item in results
    ]
    return table(["repository", "language", "tasks", "nDCG@10", ALL_KINDS], rows)


def _by_part(results: Sequence[CodeResult]) -> str:
    rows: list[list[Cell]] = []
    for parts in (_by_category(results), _by_language(results)):
        rows += [[name, len(values), fmean(values)] for name, values in sorted(parts.items())]
    return table(["category or language", "tasks", "nDCG@10"], rows)


def _by_category(results: Sequence[CodeResult]) -> dict[str, list[float]]:
    found: dict[str, list[float]] = {}
    for item in results:
        for task, value in zip(item.repository.tasks, item.code, strict=True):
            found.setdefault(task.category, []).append(value)
    return found


def _by_language(results: Sequence[CodeResult]) -> dict[str, list[float]]:
    found: dict[str, list[float]] = {}
    for item in results:
        found.setdefault(item.repository.language, []).extend(item.code)
    return found


def _means(parts: Mapping[str, Sequence[float]]) -> dict[str, float]:
    return {name: fmean(values) for name, values in sorted(parts.items())}


def _scores(
    engine: EmbeddingEngine, repository: Repository, surface: Surface, kinds: tuple[str, ...], rescore: str | None = None
) -> tuple[float, ...]:
    found = []
    with engine.view() as view:
        for task in repository.tasks:
            request = SearchRequest(task.query, scope=Scope(kinds=kinds), limit=SHOWN, rescore=rescore)
            try:
                answer = rank(view, request, surface, SCHEMA, engine.asked(view), engine.second(rescore))
            except InvalidQuery:
                found.append(0.0)
                continue
            hits = view.fetch([place.handle for place in answer.places])
            found.append(ndcg(ranks(task.targets, hits)))
    return tuple(found)


def _repository(row: dict[str, Any], checkout: Path, tasks: Sequence[dict[str, Any]]) -> Repository:
    root = checkout / (row["benchmark_root"] or "")
    missing: list[str] = []
    made = []
    for task in tasks:
        targets = tuple(_target(item, checkout, root, missing) for item in task["targets"])
        made.append(Task(task["_id"], task["query"], task["category"], targets))
    return Repository(row["name"], row["language"], root, tuple(made), tuple(dict.fromkeys(missing)))


def _target(item: dict[str, Any], checkout: Path, root: Path, missing: list[str]) -> str:
    """The target relative to what is indexed. Most are given from the root of the repository, some from the indexed folder."""
    path = item["path"]
    if (checkout / path).exists():
        below = (checkout / path).is_relative_to(root)
        path = (checkout / path).relative_to(root).as_posix() if below else path
    elif not (root / path).exists():
        missing.append(path)
    return f"{path}:{item['start_line']}-{item['end_line']}" if item.get("start_line") else path
