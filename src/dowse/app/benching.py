"""What can be done with questions whose answers are known? Thin: what measures is loaded when someone measures."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from dowse.app.permissions import Capability
from dowse.app.service import Service
from dowse.domains.everything import SURFACES
from dowse.errors import InvalidRequest
from dowse.text.suggesting import did_you_mean

if TYPE_CHECKING:
    from dowse.model.benching import BenchReport, Question


class Benching(Service):
    """Questions whose answers are known, and how the search does on them."""

    def bench(
        self,
        questions: "str | Path | Sequence[Question]",
        *,
        surface: str = "everything",
        lists: bool = False,
        worst: int = 10,
    ) -> "BenchReport":
        """Asks every question and says how well it was answered. ``lists``: also by each list alone."""
        from dowse.app.measuring import Bench
        from dowse.app.questions import read_questions

        self._principal.require(Capability.SEARCH_USE)
        self._principal.require(Capability.READ)
        if surface not in SURFACES:
            raise InvalidRequest(f"There is no surface {surface!r}. {did_you_mean(surface, SURFACES)}")
        if worst < 0:
            raise InvalidRequest(f"worst is {worst}; it must be 0 or more.")
        if isinstance(questions, str | Path):
            self._principal.require_path(questions)
        asked = read_questions(Path(questions)) if isinstance(questions, str | Path) else tuple(questions)
        home = self._location.resolve().parent if self._location is not None else None
        return Bench(self._engine, self._schema, home).measured(asked, SURFACES[surface], lists=lists, worst=worst)

    def make_questions(self, sources: Sequence[str] | None = None, *, limit: int = 100) -> "tuple[Question, ...]":
        """Questions that this workspace holds the answers to: up to ``limit`` from docstrings, from headings and from tasks."""
        from dowse.app.inventing import SOURCES, invent

        self._principal.require(Capability.READ)
        with self._engine.view() as view:
            return invent(view, SOURCES if sources is None else sources, limit)
