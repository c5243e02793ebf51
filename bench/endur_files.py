"""What is worked on while endurance is measured? Made-up files that are edited, moved and deleted, and stay as many."""

import random
from itertools import product
from pathlib import Path

_BEGINNINGS = ("bar", "cor", "del", "fen", "gal", "hir", "jun", "kes", "lom", "mar", "nol", "pel", "quin", "ros", "sel", "tam")
_MIDDLES = ("a", "e", "i", "o", "u", "ane", "ero", "ila", "ume", "ori")
_ENDS = ("d", "ck", "l", "m", "nt", "r", "sh", "st", "th", "ve", "x", "zen")
# A fixed stock, so that a vocabulary that grows is no part of what is measured.
WORDS = tuple("".join(parts) for parts in product(_BEGINNINGS, _MIDDLES, _ENDS))
# Few words are common and many rare, as in real text.
_WEIGHTS = [1 / (rank + 10) for rank in range(len(WORDS))]
# Two places for each file, so that a move is followed by one back.
_PLACES = ("main", "attic")
# Of so many files one is away at any time, to come back when another goes. An odd number, so that pages and modules are.
_AWAY_EVERY = 21


def words(rng: random.Random, count: int) -> list[str]:
    return rng.choices(WORDS, _WEIGHTS, k=count)


class Project:
    """A folder with a steady number of files."""

    def __init__(self, root: Path, count: int, rng: random.Random) -> None:
        self.root = root
        self._rng = rng
        self._place = dict.fromkeys(range(count), 0)
        self._step = dict.fromkeys(range(count), 0)
        self._away = list(range(0, count, _AWAY_EVERY))
        self._here = sorted(set(range(count)) - set(self._away))
        for number in self._here:
            self._write(number)

    @property
    def files(self) -> int:
        return len(self._here)

    def work(self) -> str:
        """One thing that people do to files; says which."""
        what = self._rng.choices(("edit", "move", "exchange"), (6, 2, 2))[0]
        at = self._rng.randrange(len(self._here))
        number = self._here[at]
        path = self._path(number)
        if what == "edit":
            self._step[number] += 1
            self._write(number)
        elif what == "move":
            self._place[number] = 1 - self._place[number]
            target = self._path(number)
            target.parent.mkdir(parents=True, exist_ok=True)
            path.rename(target)
        else:
            path.unlink()
            back = self._away.pop(0)
            self._away.append(number)
            self._here[at] = back
            self._write(back)
        return what

    def _write(self, number: int) -> None:
        path = self._path(number)
        path.parent.mkdir(parents=True, exist_ok=True)
        spare = path.with_suffix(".tmp~")
        spare.write_text(text_of(number, self._step[number], len(self._step)))
        spare.replace(path)

    def _path(self, number: int) -> Path:
        suffix = "py" if number % 2 else "md"
        return self.root / _PLACES[self._place[number]] / f"part{number % 40}" / f"file{number}.{suffix}"


def text_of(number: int, step: int, count: int) -> str:
    """The same for the same file and step; another step changes some of it and leaves the size about the same."""
    rng = random.Random(f"{number}/{step}")
    return _module(number, rng, count) if number % 2 else _page(number, rng, count)


def _page(number: int, rng: random.Random, count: int) -> str:
    other = rng.randrange(0, count, 2)
    parts = [f"# {' '.join(words(rng, 3)).capitalize()} {number}\n"]
    for _ in range(4):
        parts.append(f"## {' '.join(words(rng, 2)).capitalize()}\n\n{' '.join(words(rng, 60))}.\n")
    parts.append(f"See [another](../part{other % 40}/file{other}.md).\n")
    return "\n".join(parts)


def _module(number: int, rng: random.Random, count: int) -> str:
    other = rng.randrange(1, count, 2)
    parts = [f'"""{" ".join(words(rng, 12)).capitalize()}."""\n\nfrom main.part{other % 40} import file{other}\n']
    for _ in range(4):
        name, argument = "_".join(words(rng, 2)), words(rng, 1)[0]
        parts.append(
            f'\ndef {name}_{number}({argument}):\n    """{" ".join(words(rng, 25)).capitalize()}."""\n'
            f"    {words(rng, 1)[0]} = file{other}.{words(rng, 1)[0]}({argument})\n    return {argument}\n"
        )
    return "\n".join(parts)
