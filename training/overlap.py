"""Does a text occur in a set the model is judged by?

Every run of thirteen words of the judged sets is remembered as a number. A text that shares one is not used for training.
Queries are compared whole, since they are shorter than such a run. Repositories that are searched are left out by name
(packages.py), not by their text.
"""

import json
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

import numpy as np
import numpy.typing as npt

RUN = 13

# Of a text to be tested every third run is looked up: what shares fifteen words in a row is found.
STEP = 3
_WORD = re.compile(r"[a-z]+|\d+")
_SIZE = np.uint64(0x9E3779B97F4A7C15)


class Judged:
    """Which runs of words and which whole queries the judged sets hold."""

    def __init__(self, texts: Iterable[str], queries: Iterable[str]) -> None:
        runs = [_runs(text, 1) for text in texts]
        self._runs = np.unique(np.concatenate(runs)) if runs else np.empty(0, np.uint64)
        self._queries = {_normal(query) for query in queries}

    def holds(self, query: str, passage: str) -> bool:
        if _normal(query) in self._queries:
            return True
        runs = _runs(f"{query} {passage}", STEP)
        if not len(runs) or not len(self._runs):
            return False
        places = np.minimum(np.searchsorted(self._runs, runs), len(self._runs) - 1)
        return bool((self._runs[places] == runs).any())


def judged(bench: Path) -> Judged:
    """From the folder of judged sets. Says so when it is absent: then nothing can be held out."""
    if not bench.is_dir():
        print(f"No judged sets at {bench}: nothing is removed from the pairs, so do not evaluate on those sets.")
        return Judged([], [])
    return Judged(_texts(bench), _queries(bench))


def _texts(bench: Path) -> Iterator[str]:
    for file in sorted(bench.glob("*/corpus.jsonl")):
        for line in file.open(encoding="utf-8"):
            yield json.loads(line)["text"]


def _queries(bench: Path) -> Iterator[str]:
    for file in sorted([*bench.glob("*/queries.jsonl"), *bench.glob("*/tasks.jsonl")]):
        for line in file.open(encoding="utf-8"):
            query = json.loads(line)
            yield query.get("text") or query["query"]


def _normal(text: str) -> str:
    return " ".join(_WORD.findall(text.lower()))


def _runs(text: str, step: int) -> npt.NDArray[np.uint64]:
    """A number for every run of words: a polynomial over the words' own numbers, so that it needs no loop over runs."""
    found = _WORD.findall(text.lower())
    if len(found) < RUN:
        return np.empty(0, np.uint64)
    numbers = np.fromiter((_number(word) for word in found), np.uint64, len(found))
    total = np.zeros(len(found) - RUN + 1, np.uint64)
    with np.errstate(over="ignore"):
        for place in range(RUN):
            total = total * _SIZE + numbers[place : place + len(total)]
    return total[::step]


_numbers: dict[str, int] = {}


def _number(word: str) -> int:
    """The word's own number, the same in every process."""
    number = _numbers.get(word)
    if number is None:
        number = _numbers[word] = int.from_bytes(word.encode()[:24], "little") * 0x100000001B3 % (1 << 61)
    return number
