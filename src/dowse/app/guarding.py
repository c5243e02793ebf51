"""How is the rest of the workspace kept from someone who sees only a part of it? By an engine that knows no more than they do.

Nothing above this module asks what someone may see: it gets views without the rest, and changes that touch the rest are refused.
"""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING

from dowse.app.catching_up import Worker
from dowse.app.embedding import EmbeddingEngine, Report
from dowse.app.models import Choice
from dowse.app.permissions import Principal
from dowse.model.reach import Reach
from dowse.model.request import Scope
from dowse.ports import Embedder, Finding, Opening, Preparer, Status, View

if TYPE_CHECKING:
    from dowse.app.guarded_view import GuardedView
    from dowse.model.change import Applied, Change

_WELL = "in order"
_UNWELL = "not in order; the owner of the workspace can see what is wrong"


class GuardedEngine:
    """The engine of someone who sees only a part of what it holds. Closing it leaves the whole open."""

    def __init__(self, engine: EmbeddingEngine, principal: Principal) -> None:
        self._whole = engine
        self._principal = principal
        self._status: Status | None = None

    @property
    def choice(self) -> Choice:
        return self._whole.choice

    @property
    def worker(self) -> Worker | None:
        """None: what is still to be made is not theirs to see."""
        return None

    def asked(self, view: View) -> Embedder | None:
        return self._whole.asked(view)

    def second(self, specification: str | None) -> Embedder | None:
        return self._whole.second(specification)

    def with_failure(self, degraded: tuple[str, ...]) -> tuple[str, ...]:
        """What an answer lacks. Why the vectors of others cannot be made is not told."""
        return degraded

    def catch_up(self, report: Report | None = None) -> int:
        del report
        self._principal.require_everything("have vectors made")
        return 0

    def carry_on(self) -> None:
        self._whole.carry_on()

    # What an engine does

    def preparer(self, embedder: Embedder | None = None) -> Preparer | None:
        return self._whole.preparer(embedder)

    def opening(self) -> Opening | None:
        """None: another process would see everything."""
        return None

    def apply(self, changes: "Iterable[Change]") -> "Applied":
        from dowse.app.guarded_changes import admitted  # who sees everything needs none of it, and most do

        with self._whole.view() as view:
            checked = admitted(list(changes), view, self._principal)
        return self._whole.apply(checked)

    @contextmanager
    def view(self) -> "Iterator[GuardedView]":
        from dowse.app.guarded_view import GuardedView

        with self._whole.view() as view:
            yield GuardedView(view, self._principal.reach)

    def reindex(self) -> int:
        self._principal.require_everything("make the search index again")
        return 0

    def status(self) -> Status:
        """What is seen. How many words the index holds, and where and how large it is, is of the whole and is not told."""
        with self.view() as view:
            counted = self._status
            if counted is None or counted.generation != view.generation:
                # Counting looks at every edge, so it is done once for each commit.
                counted = self._status = _counted(view)
            return replace(counted, embedding=replace(view.embedding, specification=self.choice.specification(view)))

    def examine(self) -> tuple[Finding, ...]:
        """Whether each check found things in order; what exactly it found speaks of records they may not see."""
        return tuple(replace(item, detail=_WELL if item.ok else _UNWELL) for item in self._whole.examine())

    def close(self) -> None:
        """Nothing: the whole is someone else's to close."""


def _counted(view: View) -> Status:
    live = view.recent(view.select(Scope())).handles
    return Status(
        generation=view.generation,
        updated=view.updated,
        records=dict(sorted(view.counts(live, "kind").items())),
        deleted=view.select(Scope(deleted=True)).size,
        edges=view.linked(view.reached(Reach())),
        spaces=len(view.counts(live, "space")),
        words=0,
        bytes=0,
        location="",
    )


WorkspaceEngine = EmbeddingEngine | GuardedEngine
