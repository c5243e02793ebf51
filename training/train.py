"""Which rows put a query next to its passage and away from the others?

    python -m training.train PAIRS START MODEL [--name NAME] [--passes 3] …

Symmetric cross-entropy over the cosines of a batch; a word's weight in a query is learned beside its row. The table is then
turned so that its leading dimensions carry most, rounded to eight bits a number, and written with all the package needs to
use it.
"""

import argparse
import time
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from torch.nn import functional

from dowse.embed.wordpieces import words
from training.batches import Bags, Ints, Numbered, batches, number
from training.export import Trained, write

# How people begin a question. Put in front of some queries so that these words come to mean little.
ASKED = tuple(
    """
    how to, how do i, how does it, how can i, what is, what does it do, where is the code that, where do we, which function,
    function to, find the, why does, python, python how to, in javascript, implementation of, explain, show me, what are the,
    when does, is there a way to, i want to, please, can you, we need to, class that, code for, best way to, example of
    """.split(",")
)

# Of these kinds a pass takes only a share: there are many, and they are further from what people ask.
SHARES = {"comment": 0.7, "name": 0.5, "error": 0.6, "opening": 0.8, "option": 0.7, "gloss": 0.5}


@dataclass(frozen=True, slots=True)
class Recipe:
    """What a run may be told otherwise. ``own_damping`` 0 leaves every word the same power of its occurrences."""

    passes: int = 1
    batch: int = 1024
    rate: float = 3e-3
    sharpness: float = 18.0
    damping: float = 0.75
    own_damping: int = 1
    keep: float = 0.85
    asked: float = 0.3
    anchor: float = 0.4
    seed: int = 7


class Model(torch.nn.Module):
    """A row a piece, how much more or less the piece counts in a query, and the power of its occurrences that counts in a text."""

    def __init__(self, start: torch.Tensor, damping: float) -> None:
        super().__init__()
        self.rows = torch.nn.Parameter(start.clone())
        self.emphasis = torch.nn.Parameter(torch.zeros(len(start)))
        self.damping = torch.nn.Parameter(torch.full((len(start),), damping))

    def passages(self, pieces: torch.Tensor, starts: torch.Tensor, times: torch.Tensor, kept: torch.Tensor) -> torch.Tensor:
        shares = kept * times ** self.damping[pieces]
        sums = functional.embedding_bag(pieces, self.rows, starts, mode="sum", per_sample_weights=shares)
        return functional.normalize(sums, dim=1)

    def queries(self, pieces: torch.Tensor, starts: torch.Tensor, times: torch.Tensor, kept: torch.Tensor) -> torch.Tensor:
        return self.passages(pieces, starts, times, kept * torch.exp(self.emphasis[pieces]))


def train(numbered: Numbered, start: np.ndarray, openings: list[Ints], recipe: Recipe) -> Trained:
    """The table after all passes."""
    torch.manual_seed(recipe.seed)
    generator = np.random.default_rng(recipe.seed)
    model = Model(torch.from_numpy(start), recipe.damping)
    anchor = torch.from_numpy(start)
    optimizer = torch.optim.Adam(
        [
            {"params": [model.rows]},
            {"params": [model.emphasis], "lr": recipe.rate * 3},
            {"params": [model.damping], "lr": recipe.rate * 3 * recipe.own_damping},
        ],
        lr=recipe.rate,
        fused=True,
    )
    steps = max(1, recipe.passes) * sum(1 for _ in batches(numbered, recipe.batch, SHARES, np.random.default_rng(recipe.seed)))
    schedule = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda step: min(1.0, (step + 1) / 100) * max(0.02, 1 - step / steps))
    step, began, smooth = 0, time.monotonic(), 0.0
    for _ in range(recipe.passes):
        for chosen in batches(numbered, recipe.batch, SHARES, generator):
            loss = _loss(model, numbered, chosen, openings, recipe, generator)
            smooth = loss.item() if not step else 0.98 * smooth + 0.02 * loss.item()
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            schedule.step()
            if recipe.anchor:
                with torch.no_grad():
                    model.rows.lerp_(anchor, recipe.anchor * schedule.get_last_lr()[0])
            step += 1
            if step % 200 == 0:
                print(
                    f"step {step} of about {steps}, loss {smooth:.4f}, {(time.monotonic() - began) / step * 1000:.0f} ms a step",
                    flush=True,
                )
    return Trained(model.rows.detach().numpy(), np.exp(model.emphasis.detach().numpy()), model.damping.detach().numpy())


def _loss(
    model: Model, numbered: Numbered, chosen: Ints, openings: list[Ints], recipe: Recipe, generator: np.random.Generator
) -> torch.Tensor:
    queries = model.queries(*_bag(numbered.queries, chosen, recipe, generator, openings))
    passages = model.passages(*_bag(numbered.passages, chosen, recipe, generator, []))
    cosines = recipe.sharpness * queries @ passages.T
    # The same question asked of two passages: neither is a wrong answer to the other's.
    same = torch.from_numpy(numbered.same[chosen])
    equal = (same[:, None] == same[None, :]) & ~torch.eye(len(chosen), dtype=torch.bool)
    cosines = cosines.masked_fill(equal, -1e4)
    right = torch.arange(len(chosen))
    return (functional.cross_entropy(cosines, right) + functional.cross_entropy(cosines.T, right)) / 2


def _bag(
    bags: Bags, chosen: Ints, recipe: Recipe, generator: np.random.Generator, openings: list[Ints]
) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor, torch.Tensor]:
    """Some texts as pieces, beginnings, occurrences, and what is kept: words drop out at random. Some queries become questions."""
    pieces, starts, times = bags.take(chosen)
    kept = (generator.random(len(times)) < (recipe.keep if not openings else 0.5 + recipe.keep / 2)).astype(np.float32)
    if openings:
        asked = np.flatnonzero(generator.random(len(chosen)) < recipe.asked)
        opened = [openings[index] for index in generator.integers(len(openings), size=len(asked))]
        places = np.repeat(starts[asked], [len(opening) for opening in opened])
        added = np.concatenate(opened)
        pieces, times, kept = np.insert(pieces, places, added), np.insert(times, places, 1.0), np.insert(kept, places, 1.0)
        grown = np.zeros(len(chosen), np.int64)
        grown[asked] = [len(opening) for opening in opened]
        starts = starts + np.concatenate([[0], np.cumsum(grown)[:-1]])
    return torch.from_numpy(pieces), torch.from_numpy(starts), torch.from_numpy(times), torch.from_numpy(kept)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("pairs", type=Path)
    parser.add_argument("start", type=Path)
    parser.add_argument("model", type=Path)
    parser.add_argument("--name", default="dowse-static-256")
    parser.add_argument("--numbers", type=Path, help="where the numbered pairs are kept between runs")
    for field, default in ((name, getattr(Recipe(), name)) for name in Recipe.__slots__):
        parser.add_argument(f"--{field}", type=type(default), default=default)
    options = parser.parse_args()
    recipe = Recipe(**{name: getattr(options, name) for name in Recipe.__slots__})
    torch.set_num_threads(2)
    with np.load(options.start) as file:
        start, packages = file["vectors"], file["packages"]
        vocabulary = file["vocabulary"].tobytes().decode().split("\n")
    numbered = _numbered(options.pairs, vocabulary, options.numbers)
    print(f"{len(numbered.same):,} pairs; {recipe}", flush=True)
    place = {piece: index for index, piece in enumerate(vocabulary)}
    openings = [np.array([place[word] for word in words(opening, 20) if word in place]) for opening in ASKED]
    trained = train(numbered, start, openings, recipe)
    # Unrounded and unturned, beside the model: to try what can be done without training again.
    np.savez(options.model.with_suffix(".raw.npz"), **trained._asdict())
    write(options.model, options.name, trained, vocabulary, packages, numbered.passages)


def _numbered(pairs: Path, vocabulary: list[str], kept: Path | None) -> Numbered:
    import pickle

    if kept and kept.exists():
        return pickle.loads(kept.read_bytes())
    numbered = number(pairs, vocabulary)
    if kept:
        kept.write_bytes(pickle.dumps(numbered, protocol=5))
    return numbered


if __name__ == "__main__":
    main()
