"""What is worth reading for a task? The hits within a budget, cited, then what they link to, and what else there was."""

import re
from collections.abc import Sequence

from dowse.app.outlining import is_outlined, outline
from dowse.app.packing import SURE, WEAK, Candidate, Packer
from dowse.app.quoting import Quote, quote
from dowse.app.reaching import Reached, reach, told
from dowse.model.evidence import EvidencePack
from dowse.model.page import Excerpt, Hit, Page
from dowse.model.request import Scope
from dowse.model.schema import Schema
from dowse.ports import View
from dowse.search.parse import LONGEST_QUERY
from dowse.text.stopwords import STOP_WORDS

# Two pages of hits and what is behind the best: further down, hits share a word or two with the task.
HITS = 40
# Twice along the links, at each time so many at most, and what has this share of the best score.
_HOPS = 2
_REACHED = 6
_TELLING = 0.15
# Less than this share of the best score: it holds some of the words, but not what was asked for.
_WEAK = 1 / 3
# Fields that say where a record stands.
_PLACES = ("title", "path")
# A task is prose: what a search takes for syntax is punctuation here.
_SYNTAX = re.compile(r'["()]|(?<!\S)-+(?=\w)')
_OPERATORS = re.compile(r"\b(?:AND|OR|NOT)\b")


def words(task: str) -> str:
    """The task as a search takes it: every word of it, and nothing as syntax."""
    plain = _OPERATORS.sub(lambda match: match[0].lower(), _SYNTAX.sub(" ", task[:LONGEST_QUERY]))
    return plain if plain.strip() else task[:LONGEST_QUERY]


def gather(view: View, schema: Schema, task: str, tokens: int, page: Page, scope: Scope) -> EvidencePack:
    """The evidence, in at most so many tokens as text. ``page``: the hits; ``scope``: what may be shown beside them."""
    degraded = page.degraded
    if len(task) > LONGEST_QUERY:
        degraded = (f"task: only its first {LONGEST_QUERY:,} characters were looked for", *degraded)
    packer = Packer(task, tokens, degraded, lambda candidate, room: _quoted(view, schema, candidate, room))
    best = _best(schema, page.hits)
    strong = [_candidate(hit) for hit in page.hits if _is_strong(hit, best)]
    weak = [_candidate(hit) for hit in page.hits if not _is_strong(hit, best)]
    packer.add_hits(strong, best)
    known = frozenset(key for item in weak for key in (item.record.key, *item.same))
    seeds = packer.sure()
    # What is called is often a thin layer over what does it: whoever was reached is gone on from once.
    for _ in range(_HOPS):
        found = reach(view, seeds, known | packer.considered, schema, _TELLING * best)
        seeds = packer.add_reached(_within(view, found, scope)[:_REACHED])
    packer.refuse(weak, WEAK)
    return packer.pack(page.generation, page.updated)


def _best(schema: Schema, hits: Sequence[Hit]) -> float:
    """The score that others are measured by: the best that is no file, for a file has the scores of all its parts."""
    single = [hit.score for hit in hits if not is_outlined(schema.kinds[hit.record.kind], schema)]
    return max(single or [hit.score for hit in hits], default=0.0)


def _quoted(view: View, schema: Schema, candidate: Candidate, room: int) -> Quote:
    record = candidate.record
    kind = schema.kinds[record.kind]
    if is_outlined(kind, schema):
        return outline(view, record, schema, room)
    whole = quote(record, kind, candidate.focus, room)
    if whole.whole or not kind.parent_edge:
        return whole
    return quote(record, kind, candidate.focus, room, has_parts=_has_parts(view, record.key))


def _within(view: View, found: Sequence[Reached], scope: Scope) -> list[Candidate]:
    """What was reached and may be shown, as candidates."""
    within = view.select(scope)
    handles = view.handles([item.record.key for item in found])
    return [
        Candidate(item.record, item.score, ways=item.ways)
        for item, handle in zip(found, handles, strict=True)
        if handle is not None and view.holds(within, handle)
    ]


def _candidate(hit: Hit) -> Candidate:
    """A hit; one that no list found was reached by the search itself, along a link."""
    ways = tuple(
        (step.edge.source if step.forward else step.edge.target, told(step.edge, forward=step.forward)) for step in hit.via
    )
    return Candidate(hit.record, hit.score, hit.excerpt, hit.matched_in, ways, hit.copies)


def _is_strong(hit: Hit, best: float) -> bool:
    """Whether a hit is worth reading. Among the unsure ones not if only its title or path has words of the task."""
    if hit.score >= SURE * best:
        return True
    return hit.score >= _WEAK * best and (_speaks(hit.excerpt) or "text" not in hit.matched_in)


def _speaks(excerpt: Excerpt) -> bool:
    """Whether a text of the record itself has a word of the task that means something."""
    words = {excerpt.text[start:end].lower() for start, end in excerpt.marks}
    return excerpt.field not in _PLACES and bool(words - STOP_WORDS)


def _has_parts(view: View, key: str) -> bool:
    return len(view.recent(view.select(Scope(parents=(key,)))).handles) > 0
