"""How well does a table rank the judged sets by cosine alone?

    python -m training.evaluate MODEL… [--bench ../shared/bench] [--checkouts index.json] [--only SET…]

nDCG@10. Passages of about 1,200 characters with the title in front, the best passage stands for its document. Code search:
chunks of about 1,500 characters with the path in front, the first chunk of a target's file (and span) gives its rank, mean
per repository, then over repositories; the file named by --checkouts lists where each repository is checked out: [{name,
path, root}].
"""

import argparse
import json
from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from dowse.embed.static import StaticEmbedder

PASSAGE = 1_200
CHUNK = 1_500
DEPTH = 10
CODE = frozenset(
    """
    py pyi js mjs cjs jsx ts tsx mts vue svelte java kt kts scala swift go rs c h cc cpp hpp cs php rb ex exs hs
    lua zig sh bash bats
    """.split()
)


class Judged(NamedTuple):
    """One set: passages with the number of their document, queries, and by query the grades of documents and those allowed."""

    passages: list[str]
    owners: list[int]
    queries: list[str]
    grades: list[dict[int, int]]
    allowed: list[frozenset[int] | None]


def score(model: StaticEmbedder, bench: Path, checkouts: Path | None, only: Sequence[str] = ()) -> dict[str, float]:
    """A number for every set that is there."""
    names = [folder.name for folder in sorted(bench.iterdir()) if (folder / "qrels.tsv").exists()]
    scores = {name: judged_score(model, load(bench / name)) for name in names if not only or name in only}
    if checkouts and checkouts.exists() and (not only or "code-search" in only):
        scores["code-search"] = code_search_score(model, bench / "code-search" / "tasks.jsonl", checkouts)
    return scores


def load(folder: Path) -> Judged:
    documents = [json.loads(line) for line in (folder / "corpus.jsonl").open(encoding="utf-8")]
    number = {document["_id"]: index for index, document in enumerate(documents)}
    passages, owners = [], []
    for index, document in enumerate(documents):
        for passage in pieces(document["text"], PASSAGE):
            passages.append(f"{document['title']}\n{passage}")
            owners.append(index)
    grades: dict[str, dict[int, int]] = defaultdict(dict)
    for line in (folder / "qrels.tsv").open(encoding="utf-8"):
        query, document, grade = line.rstrip("\n").split("\t")
        if document in number and int(grade) > 0:
            grades[query][number[document]] = int(grade)
    queries = [query for line in (folder / "queries.jsonl").open(encoding="utf-8") if (query := json.loads(line))["_id"] in grades]
    return Judged(
        passages, owners, [query["text"] for query in queries], [grades[query["_id"]] for query in queries],
        [_allowed(query, documents, number) for query in queries],
    )  # fmt: skip


def _allowed(query: dict[str, str], documents: list[dict[str, str]], number: dict[str, int]) -> frozenset[int] | None:
    """A task is compared with the other tasks of its tracker, never with itself."""
    if "scope" not in query or "/" not in query["_id"]:
        return None
    return frozenset(
        number[document["_id"]] for document in documents
        if document["_id"].startswith(query["scope"] + "/") and document["_id"] != query["_id"]
    )  # fmt: skip


def pieces(text: str, size: int) -> Iterator[str]:
    """Stretches of about this size, cut at the end of a line or at a space."""
    start = 0
    while start < len(text):
        end = start + size
        if end < len(text):
            end = max(text.rfind("\n", start + size // 2, end), start) or end
            end = end if end > start else max(text.rfind(" ", start + 1, start + size), start + size // 2)
        yield text[start:end]
        start = end
    if not text:
        yield ""


def judged_score(model: StaticEmbedder, judged: Judged) -> float:
    passages, queries = model.embed(judged.passages), model.embed(judged.queries, query=True)
    owners = np.array(judged.owners)
    gains = []
    for start in range(0, len(queries), 128):
        cosines = queries[start : start + 128] @ passages.T
        best = np.full((len(cosines), owners.max() + 1), -1.0, np.float32)
        for row, cosine in zip(best, cosines, strict=True):
            np.maximum.at(row, owners, cosine)
        for row, grades, allowed in zip(best, judged.grades[start:], judged.allowed[start:], strict=False):
            if allowed is not None:
                keep = np.array(sorted(allowed))
                order = keep[np.argsort(-row[keep], kind="stable")[:DEPTH]]
            else:
                order = np.argsort(-row, kind="stable")[:DEPTH]
            gains.append(_ndcg([grades.get(int(index), 0) for index in order], list(grades.values())))
    return float(np.mean(gains))


def code_search_score(model: StaticEmbedder, tasks: Path, checkouts: Path) -> float:
    asked = defaultdict(list)
    for line in tasks.open(encoding="utf-8"):
        task = json.loads(line)
        asked[task["repo"]].append(task)
    repositories = [_repository_score(model, asked[place["name"]], place) for place in json.loads(checkouts.read_text())]
    return float(np.mean(repositories))


def _repository_score(model: StaticEmbedder, tasks: list[dict], place: dict[str, str]) -> float:
    chunks = list(_chunks(Path(place["path"]), Path(place["root"])))
    vectors = model.embed([f"{path}\n{text}" for path, _, _, text in chunks])
    queries = model.embed([task["query"] for task in tasks], query=True)
    gains = []
    for task, cosines in zip(tasks, queries @ vectors.T, strict=True):
        shown = [chunks[index] for index in np.argsort(-cosines, kind="stable")[:DEPTH]]
        ranks = [next((rank for rank, chunk in enumerate(shown) if _hits(chunk, target)), None) for target in task["targets"]]
        gain = sum(1 / np.log2(rank + 2) for rank in ranks if rank is not None)
        gains.append(gain / sum(1 / np.log2(rank + 2) for rank in range(min(DEPTH, len(ranks)))))
    return float(np.mean(gains))


def _hits(chunk: tuple[str, int, int, str], target: dict) -> bool:
    path, first, last, _ = chunk
    # Some targets are named from the folder that is searched, not from the top of the repository.
    inside = "start_line" not in target or (first <= target["end_line"] and last >= target["start_line"])
    return inside and f"/{path}".endswith("/" + target["path"])


def _chunks(top: Path, root: Path) -> Iterator[tuple[str, int, int, str]]:
    for file in sorted(root.rglob("*")):
        if file.suffix[1:] in CODE and file.is_file() and file.stat().st_size < 1_000_000:
            line = 1
            for text in pieces(file.read_text(encoding="utf-8", errors="replace"), CHUNK):
                yield file.relative_to(top).as_posix(), line, line + text.count("\n"), text
                line += text.count("\n")


def _ndcg(found: list[int], all_grades: list[int]) -> float:
    ideal = sorted(all_grades, reverse=True)[:DEPTH]
    return sum(grade / np.log2(rank + 2) for rank, grade in enumerate(found)) / sum(
        grade / np.log2(rank + 2) for rank, grade in enumerate(ideal)
    )


def table(columns: dict[str, dict[str, float]]) -> str:
    """The scores as a Markdown table: a row a set, a column a model, the mean below."""
    sets = sorted(next(iter(columns.values())))
    lines = ["| set | " + " | ".join(columns) + " |", "|---" * (len(columns) + 1) + "|"]
    lines += [f"| {name} | " + " | ".join(f"{column[name]:.3f}" for column in columns.values()) + " |" for name in sets]
    means = [float(np.mean([column[name] for name in sets])) for column in columns.values()]
    return "\n".join([*lines, "| mean | " + " | ".join(f"{mean:.4f}" for mean in means) + " |"])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("models", type=Path, nargs="+")
    parser.add_argument("--bench", type=Path, default=Path("../shared/bench"))
    parser.add_argument("--checkouts", type=Path)
    parser.add_argument("--only", nargs="*", default=())
    options = parser.parse_args()
    if not options.bench.is_dir():
        raise SystemExit(f"There are no judged sets at {options.bench}: name their folder with --bench.")
    print(
        table({path.stem: score(StaticEmbedder(path), options.bench, options.checkouts, options.only) for path in options.models})
    )


if __name__ == "__main__":
    main()
