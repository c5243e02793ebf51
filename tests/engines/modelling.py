"""A model for tests: small, swift or slow, and the same everywhere. Texts that share words are close."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from dowse.engines.passaging import digest_of
from dowse.errors import EmbeddingFailed
from dowse.model.change import Applied, KeepVectors, Put, UseModel
from dowse.model.passage import Embedding, Passage, Profile, Vectors
from dowse.model.record import Record
from dowse.model.request import Scope
from dowse.ports import Engine
from dowse.text.words import plain_words

EVERYWHERE = Scope()


@dataclass(frozen=True)
class WordModel:
    """A direction for each word by its hash; a text points where its words point. It knows nothing of words in ``deaf``."""

    name: str = "words"
    dimension: int = 32
    swift: bool = True
    floor: float = 0.3
    deaf: tuple[str, ...] = ()
    broken: bool = False

    @property
    def profile(self) -> Profile:
        return Profile(self.name, self.dimension, self.floor, f"{self.name}-{self.dimension}", swift=self.swift)

    def embed(self, texts: Sequence[str], *, query: bool = False) -> Vectors:
        del query
        if self.broken:
            raise EmbeddingFailed("This model is broken.")
        rows = np.zeros((len(texts), self.dimension), np.float32)
        for row, text in zip(rows, texts, strict=True):
            for word in plain_words(text):
                if word not in self.deaf:
                    row += self._direction(word)
            row /= np.linalg.norm(row) or 1.0
        return rows

    def close(self) -> None:
        return None

    def _direction(self, word: str) -> Vectors:
        seed = int.from_bytes(hashlib.blake2b(f"{self.name} {word}".encode(), digest_size=8).digest(), "little")
        return np.random.default_rng(seed).standard_normal(self.dimension).astype(np.float32)


MODEL = WordModel()
OTHER = WordModel("others")
SLOW = WordModel(swift=False)


def use(engine: Engine, model: WordModel | None = MODEL) -> Applied:
    return engine.apply([UseModel(model.profile if model is not None else None)])


def prepared(engine: Engine, *records: Record, model: WordModel = MODEL) -> Applied:
    """Puts records as an indexing run does, with what was made of them beforehand."""
    prepare = engine.preparer(model)
    assert prepare is not None
    return engine.apply([Put(record, prepared=made) for record, made in zip(records, prepare(records), strict=True)])


def catch_up(engine: Engine, model: WordModel = MODEL, limit: int = 1000) -> int:
    """Embeds up to so many of the texts that wait, as a worker does; returns how many."""
    with engine.view() as view:
        waiting = view.unembedded(limit)
    if waiting:
        engine.apply([kept(model, *(text for _, text in waiting))])
    return len(waiting)


def kept(model: WordModel, *texts: str) -> KeepVectors:
    return KeepVectors(model.profile.fingerprint, tuple(map(digest_of, texts)), model.embed(texts))


def told(engine: Engine) -> Embedding:
    with engine.view() as view:
        return view.embedding


def counts(engine: Engine) -> tuple[int, int]:
    """How many passages have their vector, and how many wait."""
    return told(engine).done, told(engine).waiting


def waiting(engine: Engine, limit: int = 1000) -> list[str]:
    with engine.view() as view:
        return [text for _, text in view.unembedded(limit)]


def close(
    engine: Engine, query: str, scope: Scope = EVERYWHERE, limit: int = 10, floor: float = 0.3, model: WordModel = MODEL
) -> dict[str, float]:
    """The records closest in meaning with their cosines, best first; equals by key."""
    with engine.view() as view:
        ranking = view.nearest(model.embed([query])[0], view.select(scope), limit, floor)
        assert list(ranking.handles) == sorted(ranking.handles)
        assert not any(ranking.coverage)
        assert len(ranking.coverage) == len(ranking.handles)
        keys = [record.key for record in view.fetch(ranking.handles)]
        found = dict(zip(keys, map(float, ranking.scores), strict=True))
    return dict(sorted(found.items(), key=lambda item: (-item[1], item[0])))


def nearest(engine: Engine, query: str, scope: Scope = EVERYWHERE, limit: int = 10, floor: float = 0.3) -> list[str]:
    return list(close(engine, query, scope, limit, floor))


def best(engine: Engine, query: str, *keys: str) -> list[Passage | None]:
    with engine.view() as view:
        return view.passages(MODEL.embed([query])[0], view.handles(keys))
