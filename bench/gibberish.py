"""Does nonsense find nothing, and does sense find something?"""

import random
import string
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from bench.keeping import Shelf, progress
from dowse.app.embedding import EmbeddingEngine
from dowse.app.workspace import Workspace
from dowse.domains.everything import SCHEMA
from dowse.errors import InvalidQuery
from dowse.model.record import Record
from dowse.model.request import SearchRequest
from dowse.model.surface import Surface
from dowse.search.pipeline import rank

COUNT = 200
_SEED = 4
_ROOT = Path(__file__).resolve().parents[1]
OWN = "this repository"
# Shorter strings are words of some language or abbreviations of some project too often.
_LETTERS = (6, 14)
_WORDS = (1, 4)
# A line of documentation that reads like a question.
_FEWEST, _LONGEST = 3, 300


@dataclass(frozen=True, slots=True)
class Nonsense:
    """``answered``: random queries that found something; ``empty``: real ones that found nothing."""

    name: str
    asked: int
    answered: tuple[str, ...]
    real: int
    empty: tuple[str, ...]


def own_index(shelf: Shelf, surface: Surface) -> Nonsense:
    """This repository, asked what its own definitions and sections say of themselves."""
    progress(f"gibberish: {OWN} …")

    def fill(engine: EmbeddingEngine, path: Path) -> None:
        Workspace(engine, location=path).index(_ROOT, space="dowse")

    # Its files change while it is worked on: made anew each time.
    with Shelf(shelf.model, None).opened("own", "", fill) as engine:
        return check(OWN, engine, surface, _said(engine))


def check(name: str, engine: EmbeddingEngine, surface: Surface, real: Sequence[str]) -> Nonsense:
    chosen = random.Random(_SEED).sample(list(real), min(COUNT, len(real)))
    nonsense = gibberish()
    answered = tuple(query for query in nonsense if _finds(engine, surface, query))
    empty = tuple(query for query in chosen if not _finds(engine, surface, query))
    return Nonsense(name, len(nonsense), answered, len(chosen), empty)


def gibberish() -> list[str]:
    """Random letters in one to four words, always the same."""
    draw = random.Random(_SEED)
    return [
        " ".join("".join(draw.choices(string.ascii_lowercase, k=draw.randint(*_LETTERS))) for _ in range(draw.randint(*_WORDS)))
        for _ in range(COUNT)
    ]


def render_nonsense(found: Sequence[Nonsense]) -> str:
    lines = []
    for item in found:
        lines.append(
            f"{item.name}: {item.asked - len(item.answered)} of {item.asked} random-letter queries found nothing;"
            f" {item.real - len(item.empty)} of {item.real} real ones found something."
        )
        lines += [f"  found something: {query}" for query in item.answered[:5]] + [
            f"  found nothing: {query}" for query in item.empty[:5]
        ]
    return "\n".join(lines)


def _said(engine: EmbeddingEngine) -> list[str]:
    with engine.view() as view:
        records = [item for item in view.scan() if isinstance(item, Record)]
    said = {item.fields.get("doc", "").strip().partition("\n")[0] for item in records if item.kind == "symbol"}
    return sorted(text for text in said if len(text.split()) >= _FEWEST and len(text) <= _LONGEST)


def _finds(engine: EmbeddingEngine, surface: Surface, query: str) -> bool:
    with engine.view() as view:
        try:
            return bool(rank(view, SearchRequest(query, limit=1), surface, SCHEMA, engine.asked(view)).places)
        except InvalidQuery:
            return False
