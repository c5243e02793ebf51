"""What would someone with a task want to read before starting? Asked here; what gathers it is loaded when someone asks."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from dowse.app.permissions import Capability
from dowse.app.service import Service
from dowse.errors import InvalidRequest
from dowse.model.request import Scope

if TYPE_CHECKING:
    from dowse.model.evidence import EvidencePack
    from dowse.model.page import Page

LEAST_TOKENS = 200
MOST_TOKENS = 200_000


class Contextual(Service):
    """Evidence for a task."""

    if TYPE_CHECKING:
        # The workspace has it.
        def search(self, query: str | None = None, *, surface: str = "everything", **parameters: Any) -> Page: ...

    def context(
        self, task: str, *, tokens: int = 6000, kinds: Sequence[str] = (), spaces: Sequence[str] = (), under: str | None = None
    ) -> "EvidencePack":
        """The passages to start a task from, in at most so many tokens as text: hits first, then what they link to."""
        from dowse.app.gathering import HITS, gather, words

        self._principal.require(Capability.READ)
        if not LEAST_TOKENS <= tokens <= MOST_TOKENS:
            raise InvalidRequest(f"tokens is {tokens}; it must be from {LEAST_TOKENS} to {MOST_TOKENS:,}.")
        narrowed: dict[str, Any] = {"kinds": tuple(kinds), "spaces": tuple(spaces), "under": under}
        page = self.search(words(task), limit=HITS, **{name: value for name, value in narrowed.items() if value})
        scope = Scope(kinds=tuple(kinds), spaces=tuple(spaces), ancestor=self._below(under) if under else None)
        with self._engine.view() as view:
            return gather(view, self._schema, task, tokens, page, scope)
