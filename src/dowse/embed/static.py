"""What does a text mean, at thousands of texts a second? The sum of its words' vectors, from a table inside the package."""

import json
import zipfile
import zlib
from collections.abc import Sequence
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from dowse.embed.wordpieces import CONTINUES, LETTERS_A_WORD, Pieces, words
from dowse.errors import EmbeddingFailed
from dowse.model.declaring import dataclass
from dowse.model.passage import Pooling, Profile

try:
    from dowse.embed import _static as compiled
except ImportError:
    compiled = None  # type: ignore[assignment]  # no compiler was there when dowse was installed

WEIGHTS = Path(__file__).parent / "weights" / "static.npz"

# Words of a text that are read. A passage has about two hundred.
LONGEST = 512
LONGEST_TEXT = LONGEST * LETTERS_A_WORD
# Texts whose words are counted at once: enough that each costs little, few enough that their words stay in the processor's cache.
AT_ONCE = 512

# The share of a query's letters that must stand in words the table knows well, or in long pieces of words. Random letters are put
# together from short pieces, which have vectors too and would mean anything. training/README.md has the run that chose both.
UNDERSTOOD = 0.34
LONG_PIECE = 5
# How fast trust falls with the share of a query that is not known: names and numbers that the table never saw are most of what such
# a query asks for (docs/ranking.md).
TRUST = 8

Floats = npt.NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Table:
    """A row for each piece in small integers, what a unit of it is worth in passages and in queries, and the words known well."""

    rows: npt.NDArray[np.int8]
    passage_scale: Floats
    query_scale: Floats
    damping: Floats
    """To which power a piece's occurrences in a text count: a repeated "self" says less than a repeated "enzyme"."""
    vocabulary: Sequence[str]
    well_known: npt.NDArray[np.uint8]
    pieces: Pieces
    adder: Any
    """Does the same as ``add_up`` for passages of ASCII, if it was compiled."""

    def known_share(self, found: Sequence[str]) -> float:
        """How much of a query is known, by letters; 0 where it is too little to mean anything.

        Names and a typo in a question pass; digits say neither yes nor no.
        """
        spelled = [word for word in found if not word.isdigit()]
        known, letters = sum(map(self._known_letters, spelled)), sum(map(len, spelled))
        return known / letters if known > UNDERSTOOD * letters else 0.0

    def add_up(self, found: Sequence[list[str]], scale: Floats, vectors: Floats) -> None:
        """Sets each vector to the sum of the rows of a text's words. The more often a word is repeated, the less a repetition adds.

        In double precision and rounded once, so that it depends neither on the texts beside it nor on who adds up, and how.
        """
        pieces, times, ends = self.pieces.count(found)
        share = times.astype(np.float64) ** self.damping[pieces] * scale[pieces]
        rows, start = self.rows, 0
        for at, end in enumerate(ends):
            if start < end:
                vectors[at] = share[start:end] @ rows[pieces[start:end]].astype(np.float64)
            start = end

    def add_up_texts(self, texts: Sequence[str], vectors: Floats) -> None:
        """The same for passages as they are. What is compiled knows ASCII, which nearly all of them are."""
        heads = [text[:LONGEST_TEXT] for text in texts]
        if self.adder is None:
            self.add_up([words(text, LONGEST) for text in heads], self.passage_scale, vectors)
            return
        others = [at for at, text in enumerate(heads) if not text.isascii()]
        if not others:
            self.adder.add_up(heads, LONGEST, vectors)
            return
        self.adder.add_up([text if text.isascii() else "" for text in heads], LONGEST, vectors)
        spelled = np.zeros((len(others), vectors.shape[1]), np.float32)
        self.add_up([words(heads[at], LONGEST) for at in others], self.passage_scale, spelled)
        vectors[others] = spelled

    def _known_letters(self, word: str) -> int:
        pieces = self.pieces.of(word)
        if len(pieces) == 1:
            return len(word) if self.well_known[pieces[0]] else 0
        parts = (len(self.vocabulary[piece].removeprefix(CONTINUES)) for piece in pieces)
        return sum(letters for letters in parts if letters >= LONG_PIECE)


class StaticEmbedder:
    """Sums word vectors. Reads the head of its file when made and the table when first asked: making one costs next to nothing."""

    def __init__(self, path: Path | str | None = None) -> None:
        self._path = Path(path) if path is not None else WEIGHTS
        head = _head(self._path)
        self._profile = Profile(
            name=str(head["name"]),
            dimension=int(head["dimension"]),
            floor=float(head["floor"]),
            fingerprint=str(head["fingerprint"]),
            pooling=Pooling.SUM,
            longest=LONGEST,
            swift=True,
        )

    @property
    def profile(self) -> Profile:
        return self._profile

    def embed(self, texts: Sequence[str], *, query: bool = False) -> Floats:
        """A row of length one for each text, for a query as much shorter as the model knows less of it.

        Zeros for a text without a known word, and for a query that is mostly unknown.
        """
        table = self._table
        vectors = np.zeros((len(texts), self._profile.dimension), np.float32)
        trust = np.ones((len(texts), 1), np.float32)
        for start in range(0, len(texts), AT_ONCE):
            some, added = texts[start : start + AT_ONCE], vectors[start : start + AT_ONCE]
            if not query:
                table.add_up_texts(some, added)
                continue
            found = [words(text, LONGEST) for text in some]
            known = [table.known_share(one) ** TRUST for one in found]
            trust[start : start + AT_ONCE, 0] = known
            found = [one if trusted else [] for one, trusted in zip(found, known, strict=True)]
            table.add_up(found, table.query_scale, added)
        # What ``np.linalg.norm`` does, without the questions it asks first: many calls are for one text or two.
        lengths = np.sqrt(np.add.reduce(vectors * vectors, axis=1, keepdims=True))
        np.divide(trust * vectors if query else vectors, lengths, out=vectors, where=lengths > 0)
        return vectors

    def close(self) -> None:
        self.__dict__.pop("_table", None)

    def __getstate__(self) -> dict[str, Any]:
        """Another process reads the table itself: it is larger than everything else that is handed over."""
        return {name: value for name, value in self.__dict__.items() if name != "_table"}

    @cached_property
    def _table(self) -> Table:
        return _read(self._path, self._profile.dimension, self._profile.fingerprint)


def _head(path: Path) -> dict[str, Any]:
    head = json.loads(_entries(path, "head")["head"].tobytes())
    if not isinstance(head, dict) or not {"name", "dimension", "floor", "fingerprint"} <= head.keys():
        raise _unusable(path, "its head does not say what it is")
    return head


@lru_cache(maxsize=2)
def _read(path: Path, dimension: int, fingerprint: str) -> Table:
    """All workspaces of a process share one table. ``fingerprint``: a file that was replaced is read anew."""
    del fingerprint
    found = _entries(path, "rows", "passage_scale", "query_scale", "damping", "well_known", "vocabulary")
    letters = found["vocabulary"].tobytes()
    vocabulary = letters.decode().split("\n")
    if found["rows"].shape != (len(vocabulary), dimension):
        raise _unusable(path, f"it has {found['rows'].shape} numbers for {len(vocabulary)} pieces")
    rows = np.ascontiguousarray(found["rows"], np.int8)
    scale, damping = (np.ascontiguousarray(found[name], np.float32) for name in ("passage_scale", "damping"))
    return Table(
        rows=rows,
        passage_scale=scale,
        query_scale=found["query_scale"].astype(np.float32),
        damping=damping,
        vocabulary=vocabulary,
        well_known=found["well_known"],
        pieces=Pieces(dict(zip(vocabulary, range(len(vocabulary)), strict=True))),
        adder=compiled.Adder(letters, rows, scale, damping) if compiled is not None else None,
    )


def _entries(path: Path, *names: str) -> dict[str, npt.NDArray[Any]]:
    try:
        # Opened here, because NumPy leaves a broken file open.
        with path.open("rb") as stream, np.load(stream, allow_pickle=False) as file:
            return {name: file[name] for name in names}
    except FileNotFoundError as error:
        raise EmbeddingFailed(f"There is no model file {path}. Install dowse anew, or name a file that exists.") from error
    except (OSError, EOFError, KeyError, ValueError, AttributeError, TypeError, zipfile.BadZipFile, zlib.error) as error:
        raise _unusable(path, str(error)) from error


def _unusable(path: Path, why: str) -> EmbeddingFailed:
    return EmbeddingFailed(f"{path} is not a model dowse can use: {why}. Install dowse anew, or name another file.")
