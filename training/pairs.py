"""Which pairs of query and passage do the packages give?

    python -m training.pairs ARCHIVES PAIRS --bench ../shared/bench

Reads every archive, keeps at most so many pairs of a kind from one package, leaves out what is not English, what occurs in a
judged set and what is there already, and writes one JSON line a pair: kind, section, package, query, passage.
"""

import argparse
import json
import lzma
import random
import re
import zlib
from collections import Counter
from collections.abc import Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from itertools import chain
from pathlib import Path

from training.archives import texts
from training.code_pairs import Pair, code_pairs, mostly_letters
from training.overlap import Judged, judged
from training.prose_pairs import descriptions, glosses, prose_pairs

# Pairs of a kind that one package may give, so that no project's habits become the model's.
MOST = {"doc": 260, "comment": 90, "test": 60, "error": 50, "name": 60, "section": 160, "opening": 90, "manual": 60, "option": 50}

# Passages that may share one query ("returns a string representation").
SAME_QUERY = 3

# Sections that hold many projects in one package, or stand for a language with few packages.
ROOMY = {
    "mono": 14,
    "swiftlang": 14,
    "elixir-lang": 8,
    "erlang": 4,
    "kotlin": 8,
    "scala": 6,
    "julia": 4,
    "ziglang": 10,
    "typescript": 4,
    "effect": 4,
}
MORE_FROM_NPM = 2

# A dictionary is one file of many entries.
DICTIONARY = 20_000_000

_STOP = frozenset(
    "the a an of to in is for and or be this that with from by on are it as if not when which can will should".split()
)


def pairs_of(archive: Path, seed: int = 7) -> tuple[str, list[Pair]]:
    """A package's pairs: a random choice within what each kind may give."""
    section, name, _ = archive.name.split("__", 2)
    if section == "debian":
        return section, [pair for pair in descriptions(lzma.decompress(archive.read_bytes()).decode()) if good(pair)]
    if name == "wordnet":
        return "gloss", [pair for path, text in texts(archive, DICTIONARY) if "/dbfiles/" in path for pair in glosses(text)]
    files = list(texts(archive))
    generator = random.Random(f"{seed} {name}")
    generator.shuffle(files)
    room = ROOMY.get(name, MORE_FROM_NPM if section == "npm" else 1)
    taken: Counter[str] = Counter()
    chosen = []

    def wanted(kind: str) -> bool:
        return taken[kind] < MOST[kind] * room

    for path, text in files:
        prose = prose_pairs(path, text) if wanted("section") or wanted("opening") else ()
        for pair in chain(code_pairs(path, text, wanted), prose):
            if wanted(pair.kind) and good(pair):
                taken[pair.kind] += 1
                chosen.append(pair)
    return section, chosen


def good(pair: Pair) -> bool:
    """Whether both sides are in English letters and say something."""
    query, passage = pair.query, pair.passage
    if not 8 <= len(query) <= 300 or len(passage) < 40 or not query.isascii():
        return False
    if not mostly_letters(query, 0.75):
        return False
    found = re.findall(r"[a-z]+", query.lower())
    if len(found) > 7 and not _STOP.intersection(found):
        return False
    return len(passage.encode("ascii", "ignore")) > 0.93 * len(passage)


def unjudged(archive: Path, held_out: Judged) -> tuple[str, str, list[Pair]]:
    """A package's pairs without those that occur in a judged set."""
    section, pairs = pairs_of(archive)
    return section, archive.name.split("__", 2)[1], [pair for pair in pairs if not held_out.holds(pair.query, pair.passage)]


def fresh(found: Iterable[tuple[str, str, list[Pair]]]) -> Iterator[tuple[str, str, Pair]]:
    """What is no repetition: neither the same passage, nor one query more often than a few times."""
    passages: set[int] = set()
    queries: Counter[int] = Counter()
    for section, package, pairs in found:
        for pair in pairs:
            query, passage = zlib.crc32(pair.query.lower().encode()), zlib.crc32(pair.passage[-300:].encode())
            if passage not in passages and queries[query] < SAME_QUERY:
                passages.add(passage)
                queries[query] += 1
                yield section, package, pair


_held_out: Judged | None = None


def _hold_out(held_out: Judged) -> None:
    """Each process gets what is judged once, not with every archive."""
    global _held_out
    _held_out = held_out


def _unjudged_here(archive: Path) -> tuple[str, str, list[Pair]]:
    assert _held_out is not None
    return unjudged(archive, _held_out)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("archives", type=Path)
    parser.add_argument("pairs", type=Path)
    parser.add_argument("--bench", type=Path, default=Path("../shared/bench"))
    parser.add_argument("--processes", type=int, default=2)
    options = parser.parse_args()
    archives = sorted(path for path in options.archives.iterdir() if path.name.count("__") >= 2 and path.suffix != ".part")
    archives.sort(key=lambda path: zlib.crc32(path.name.encode()))
    held_out = judged(options.bench)
    counted: Counter[str] = Counter()
    with (
        ProcessPoolExecutor(options.processes, initializer=_hold_out, initargs=(held_out,)) as pool,
        options.pairs.open("w", encoding="utf-8") as out,
    ):
        found = pool.map(_unjudged_here, archives, chunksize=4)
        for section, package, pair in fresh(found):
            counted[f"{section}/{pair.kind}"] += 1
            out.write(json.dumps([pair.kind, section, package, pair.query, pair.passage], ensure_ascii=False) + "\n")
    for name, number in counted.most_common():
        print(f"{number:8,} {name}")


if __name__ == "__main__":
    main()
