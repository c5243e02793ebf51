"""What would someone with a task want to read before starting? Passages within a budget, cited, and what else there was."""

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from dowse.app.outlining import is_outlined, outline
from dowse.app.packing import Candidate, Packer
from dowse.app.permissions import Capability
from dowse.app.quoting import Quote, quote
from dowse.app.reaching import reach
from dowse.app.service import Service
from dowse.errors import InvalidRequest
from dowse.model.evidence import EvidencePack
from dowse.model.page import Hit, Page
from dowse.model.request import Scope
from dowse.ports import View
from dowse.search.parse import LONGEST_QUERY

LEAST_TOKENS = 200
MOST_TOKENS = 200_000
# Two pages of hits and what is behind the best: further down, hits share a word or two with the task.
_HITS = 40
_SEEDS = 8
_REACHED = 12
# Less than this share of the best score: it holds some of the words, but not what was asked for.
_WEAK = 1 / 3
WEAK = "weaker than a third of the best"
# A task is prose: what a search takes for syntax is punctuation here.
_SYNTAX = re.compile(r'["()]|(?<!\S)-+(?=\w)')
_OPERATORS = re.compile(r"\b(?:AND|OR|NOT)\b")


class Contextual(Service):
    """Evidence for a task."""

    if TYPE_CHECKING:
        # The workspace has it.
        def search(self, query: str | None = None, *, surface: str = "everything", **parameters: Any) -> Page: ...

    def context(
        self, task: str, *, tokens: int = 6000, kinds: Sequence[str] = (), spaces: Sequence[str] = (), under: str | None = None
    ) -> EvidencePack:
        """The passages to start a task from, in at most so many tokens as text: hits first, then what they link to."""
        self._principal.require(Capability.READ)
        if not LEAST_TOKENS <= tokens <= MOST_TOKENS:
            raise InvalidRequest(f"tokens is {tokens}; it must be from {LEAST_TOKENS} to {MOST_TOKENS:,}.")
        narrowed = {"kinds": tuple(kinds), "spaces": tuple(spaces), "under": under}
        page = self.search(_words(task), limit=_HITS, **{name: value for name, value in narrowed.items() if value})
        degraded = page.degraded
        if len(task) > LONGEST_QUERY:
            degraded = (f"task: only its first {LONGEST_QUERY:,} characters were looked for", *degraded)
        with self._engine.view() as view:
            packer = Packer(task, tokens, degraded, lambda candidate, room: self._quoted(view, candidate, room))
            strong, weak = self._apart(page.hits)
            packer.add_hits(strong)
            scores = packer.scores
            seeds = dict(list(scores.items())[:_SEEDS])
            known = packer.considered | {key for item in weak for key in (item.record.key, *item.same)}
            reached = reach(view, seeds, known, self._schema, _REACHED) if seeds else []
            within = view.select(Scope(kinds=tuple(kinds), spaces=tuple(spaces), ancestor=self._resolve(under) if under else None))
            handles = view.handles([item.record.key for item in reached])
            packer.add_reached(
                [
                    Candidate(item.record, item.score, ways=item.ways)
                    for item, handle in zip(reached, handles, strict=True)
                    if handle is not None and view.holds(within, handle)
                ]
            )
            packer.refuse(weak, WEAK)
            return packer.pack(page.generation, page.updated)

    def _apart(self, hits: Sequence[Hit]) -> tuple[list[Candidate], list[Candidate]]:
        """Strong hits and weak ones. The bar is set by the best that is no file: a file has the scores of all its parts."""
        every = [Candidate(hit.record, hit.score, hit.excerpt, hit.matched_in, same=hit.copies) for hit in hits]
        single = [item.score for item in every if not is_outlined(self._schema.kinds[item.record.kind], self._schema)]
        bar = _WEAK * max(single or [item.score for item in every], default=0.0)
        return [item for item in every if item.score >= bar], [item for item in every if item.score < bar]

    def _quoted(self, view: View, candidate: Candidate, room: int) -> Quote:
        record = candidate.record
        kind = self._schema.kinds[record.kind]
        if is_outlined(kind, self._schema):
            return outline(view, record, self._schema, room)
        whole = quote(record, kind, candidate.focus, room)
        if whole.whole or not kind.parent_edge:
            return whole
        return quote(record, kind, candidate.focus, room, has_parts=_has_parts(view, record.key))


def _words(task: str) -> str:
    """The task as a search takes it: every word of it, and nothing as syntax."""
    plain = _OPERATORS.sub(lambda match: match[0].lower(), _SYNTAX.sub(" ", task[:LONGEST_QUERY]))
    return plain if plain.strip() else task[:LONGEST_QUERY]


def _has_parts(view: View, key: str) -> bool:
    return len(view.recent(view.select(Scope(parents=(key,)))).handles) > 0
