"""In which numbers, and in which batches, do the pairs reach the training?"""

import json
import zlib
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, fields
from itertools import islice
from pathlib import Path

import numpy as np
import numpy.typing as npt

from dowse.embed.wordpieces import Pieces, words

Ints = npt.NDArray[np.int64]

# Pairs of one package that stand together in a batch: within a project, telling one function from its neighbours is what
# search has to do.
NEIGHBOURS = 48

# Words of a passage that are read in training; a passage of 1,400 characters has fewer.
LONGEST = 400


@dataclass(frozen=True, slots=True)
class Bags:
    """Many texts as pieces, one after another: where each begins, its pieces, how often each occurs in it."""

    starts: Ints
    pieces: npt.NDArray[np.int32]
    times: npt.NDArray[np.uint8]

    def take(self, chosen: Ints) -> tuple[Ints, Ints, npt.NDArray[np.float32]]:
        """Some of the texts as one list of pieces: pieces, beginnings, times."""
        sizes = self.starts[chosen + 1] - self.starts[chosen]
        begins = np.concatenate([[0], np.cumsum(sizes)])
        places = np.repeat(self.starts[chosen] - begins[:-1], sizes) + np.arange(begins[-1])
        return self.pieces[places].astype(np.int64), begins[:-1], self.times[places].astype(np.float32)


@dataclass(frozen=True, slots=True)
class Numbered:
    """All pairs as numbers: both sides, what the query is (to spot equal ones), and where the pair is from."""

    queries: Bags
    passages: Bags
    same: Ints
    group: Ints
    package: Ints
    kinds: tuple[str, ...]
    kind: Ints


def number(pairs: Path, vocabulary: list[str], processes: int = 2) -> Numbered:
    """The pairs of a file as numbers of pieces."""
    with ProcessPoolExecutor(processes, initializer=_know, initargs=(vocabulary,)) as pool, pairs.open(encoding="utf-8") as lines:
        parts = list(pool.map(_number_lines, iter(lambda: list(islice(lines, 20_000)), [])))
    labels = [label for _, _, part in parts for label in part]
    kinds = sorted({kind for kind, _, _, _ in labels})
    groups = sorted({(_blend(kind), section) for kind, section, _, _ in labels})
    packages = {name: index for index, name in enumerate(dict.fromkeys(package for _, _, package, _ in labels))}
    group_of, kind_of = {group: index for index, group in enumerate(groups)}, {kind: index for index, kind in enumerate(kinds)}
    return Numbered(
        queries=_join([part[0] for part in parts]),
        passages=_join([part[1] for part in parts]),
        same=np.array([mark for _, _, _, mark in labels]),
        group=np.array([group_of[_blend(kind), section] for kind, section, _, _ in labels]),
        package=np.array([packages[package] for _, _, package, _ in labels]),
        kinds=tuple(kinds),
        kind=np.array([kind_of[kind] for kind, _, _, _ in labels]),
    )


def batches(numbered: Numbered, size: int, shares: dict[str, float], generator: np.random.Generator) -> Iterator[Ints]:
    """Batches of one kind and section each, made of runs of neighbours; of some kinds only a share. What is left over is mixed."""
    share = np.array([shares.get(kind, 1.0) for kind in numbered.kinds])
    kept = np.flatnonzero(generator.random(len(numbered.kind)) < share[numbered.kind])
    made, left = [], []
    for group in range(numbered.group.max() + 1):
        members = kept[numbered.group[kept] == group]
        ordered = _in_runs(members, numbered.package[members], generator)
        full = len(ordered) // size * size
        made += list(ordered[:full].reshape(-1, size))
        left.append(ordered[full:])
    mixed = np.concatenate(left)
    mixed = mixed[: len(mixed) // size * size]
    generator.shuffle(mixed)
    made += list(mixed.reshape(-1, size))
    for index in generator.permutation(len(made)):
        yield made[index]


def _in_runs(members: Ints, packages: Ints, generator: np.random.Generator) -> Ints:
    shuffled = generator.permutation(len(members))
    shuffled = shuffled[np.argsort(packages[shuffled], kind="stable")]
    ordered, owner = members[shuffled], packages[shuffled]
    changes = np.flatnonzero(np.diff(owner)) + 1
    runs = [run[start : start + NEIGHBOURS] for run in np.split(ordered, changes) for start in range(0, len(run), NEIGHBOURS)]
    return np.concatenate([runs[index] for index in generator.permutation(len(runs))]) if runs else ordered


def _blend(kind: str) -> str:
    """Kinds that share batches."""
    return {"comment": "code", "doc": "code", "name": "code", "test": "code", "error": "code"}.get(kind, "prose")


def _join(parts: list[Bags]) -> Bags:
    joined = {field.name: np.concatenate([getattr(part, field.name) for part in parts]) for field in fields(Bags)[1:]}
    sizes = np.concatenate([np.diff(part.starts) for part in parts])
    return Bags(np.concatenate([[0], np.cumsum(sizes)]), **joined)


_pieces: Pieces | None = None


def _know(vocabulary: list[str]) -> None:
    """Each process gets the vocabulary once."""
    global _pieces
    _pieces = Pieces({piece: index for index, piece in enumerate(vocabulary)})


def _number_lines(lines: list[str]) -> tuple[Bags, Bags, list[tuple[str, str, str, int]]]:
    read = [json.loads(line) for line in lines]
    labels = [(kind, section, package, zlib.crc32(query.lower().encode())) for kind, section, package, query, _ in read]
    return _bags([query for *_, query, _ in read]), _bags([passage for *_, passage in read]), labels


def _bags(texts: list[str]) -> Bags:
    assert _pieces is not None
    pieces, times, ends = _pieces.count([words(text, LONGEST) for text in texts])
    return Bags(np.array([0, *ends]), pieces.astype(np.int32), np.minimum(times, 255).astype(np.uint8))
