"""Below which cosine does similarity mean nothing, and which queries does the model refuse?

    python -m training.floor MODEL [--bench ../shared/bench]

Queries of each judged set are compared with passages of all the other sets (they share nothing but the language) and with
the best passage of a document that answers them. The floor is the cosine that one unrelated passage in a hundred reaches.
Random letters of several lengths show how many nonsense queries get a meaning, the judged queries how many real ones get
none.
"""

import argparse
import random
import string
from pathlib import Path

import numpy as np

from dowse.embed.static import Floats, StaticEmbedder
from training.evaluate import load

SAMPLE = 400


def measure(model: StaticEmbedder, bench: Path, seed: int = 7) -> None:
    generator = np.random.default_rng(seed)
    names = [folder.name for folder in sorted(bench.iterdir()) if (folder / "qrels.tsv").exists()]
    queries: dict[str, Floats] = {}
    passages: dict[str, Floats] = {}
    related = []
    refused = asked = 0
    for name in names:
        judged = load(bench / name)
        vectors, owners = model.embed(judged.passages), np.array(judged.owners)
        queries[name] = _full_length(model.embed(judged.queries, query=True))
        asked, refused = asked + len(queries[name]), refused + int((~queries[name].any(axis=1)).sum())
        for query, grades in zip(queries[name], judged.grades, strict=True):
            related.append(float((vectors[np.isin(owners, list(grades))] @ query).max()))
        passages[name] = vectors[generator.choice(len(vectors), min(SAMPLE, len(vectors)), replace=False)]
    unrelated = np.concatenate(
        [(queries[one] @ passages[other].T).ravel() for one in names for other in names if one != other]
    )  # fmt: skip
    print("unrelated, percentiles 50 90 99 99.9:", np.percentile(unrelated, [50, 90, 99, 99.9]).round(3))
    print("related, percentiles 1 5 10 25 50:   ", np.percentile(related, [1, 5, 10, 25, 50]).round(3))
    print(f"real queries refused: {refused} of {asked}")
    for shortest, longest in ((3, 6), (4, 8), (5, 12), (8, 16)):
        nonsense = model.embed(_nonsense(10_000, shortest, longest, seed), query=True)
        print(f"random words of {shortest} to {longest} letters understood: {int(nonsense.any(axis=1).sum())} of 10,000")


def _full_length(vectors: Floats) -> Floats:
    """Queries that are partly unknown come shortened; here it is the angle that is looked at."""
    return vectors / np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-9)


def _nonsense(many: int, shortest: int, longest: int, seed: int) -> list[str]:
    generator = random.Random(seed)

    def word() -> str:
        return "".join(generator.choices(string.ascii_lowercase, k=generator.randint(shortest, longest)))

    return [" ".join(word() for _ in range(generator.randint(1, 4))) for _ in range(many)]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("model", type=Path)
    parser.add_argument("--bench", type=Path, default=Path("../shared/bench"))
    options = parser.parse_args()
    if not options.bench.is_dir():
        raise SystemExit(f"There are no judged sets at {options.bench}: name their folder with --bench.")
    measure(StaticEmbedder(options.model), options.bench)


if __name__ == "__main__":
    main()
