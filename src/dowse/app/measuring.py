"""How well does the search find what someone knows to be the answer, in this workspace?"""

import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from itertools import islice
from pathlib import Path

from dowse.app import freshness
from dowse.app.dissecting import rankings
from dowse.app.embedding import EmbeddingEngine
from dowse.app.guarding import WorkspaceEngine
from dowse.app.inventing import HEADINGS
from dowse.app.judging import DEPTH, Ranks, difference, measures, ndcg, path_of, ranks
from dowse.app.models import Choice
from dowse.errors import EmbeddingFailed, InvalidQuery
from dowse.model.benching import BenchReport, MeasuredList, MeasuredSource, Question, Shortfall
from dowse.model.change import Change, Link, Put
from dowse.model.declaring import dataclass
from dowse.model.record import Edge, Record
from dowse.model.request import SearchRequest
from dowse.model.schema import Schema
from dowse.model.surface import Surface
from dowse.ports import View
from dowse.search.pipeline import rank

# Records per commit of the copy that held-out questions are asked of.
_BATCH = 2000
_KNOWN = "{count} of {all} questions are headings, whose words stand in what they ask for: they show whether known things are found"
_HELD_OUT = "{count} of {all} questions were made of what they ask for: they were asked of a copy without those texts"


@dataclass(frozen=True, slots=True)
class Bench:
    """Asks a workspace, or a copy of it. ``home``: where its file lies, if it lies anywhere."""

    engine: WorkspaceEngine
    schema: Schema
    home: Path | None

    def measured(self, asked: Sequence[Question], surface: Surface, *, lists: bool, worst: int) -> BenchReport:
        """Asks every question of a surface. ``lists``: also by each of its lists alone. ``worst``: so many failures are shown."""
        with self._without(asked) as engine:
            inner = surface.nesting.inner if surface.nesting is not None else ()
            whole = self._ask_all(engine, surface, asked, inner)
            variants = rankings(surface, vectors=_has_vectors(engine)) if lists else {}
            others = {name: self._ask_all(engine, variant, asked, inner) for name, variant in variants.items()}
        return BenchReport(
            questions=len(asked),
            measures=measures(whole.found),
            sources=_by_source(asked, whole),
            lists=_compared(whole, others),
            worst=_worst(asked, whole, worst),
            unknown=self._unknown(asked),
            notes=_notes(asked, whole),
        )

    def _ask_all(self, engine: WorkspaceEngine, surface: Surface, asked: Sequence[Question], inner: tuple[str, ...]) -> "_Answers":
        found: list[Ranks] = []
        firsts: list[str] = []
        degraded: set[str] = set()
        with engine.view() as view:
            for question in asked:
                hits = self._ask(view, surface, question.query, engine, degraded)
                found.append(ranks(question.expected, hits, inner))
                firsts.append(hits[0].key if hits else "")
        return _Answers(tuple(found), tuple(firsts), tuple(sorted(degraded)))

    def _ask(self, view: View, surface: Surface, query: str, engine: WorkspaceEngine, degraded: set[str]) -> list[Record]:
        try:
            answer = rank(view, SearchRequest(query, limit=DEPTH), surface, self.schema, engine.asked(view))
        except InvalidQuery:
            return []
        degraded.update(answer.plan.degraded)
        return view.fetch([place.handle for place in answer.places])

    @contextmanager
    def _without(self, asked: Sequence[Question]) -> Iterator[WorkspaceEngine]:
        """The engine to ask: a copy without what questions were made of, where there are such questions."""
        fields = {key: question.without for question in asked if question.without for key in question.expected}
        gone = {question.itself for question in asked if question.itself}
        if not fields and not gone:
            yield self.engine
            return
        # Only here does the app need an engine of its own making.
        from dowse.engines.sqlite.engine import SqliteEngine

        with tempfile.TemporaryDirectory(prefix="dowse-bench-") as folder:
            with self.engine.view() as view:
                store = SqliteEngine(Path(folder) / "held-out.dowse", self.schema)
                copy = EmbeddingEngine(store, Choice(self.engine.choice.specification(view)))
                changes = _copied(view, fields, gone)
                while batch := list(islice(changes, _BATCH)):
                    copy.apply(batch)
            try:
                # A model that cannot be used is said of every answer.
                with suppress(EmbeddingFailed):
                    copy.catch_up()
                yield copy
            finally:
                copy.close()

    def _unknown(self, asked: Sequence[Question]) -> tuple[str, ...]:
        """What is expected and is neither a record nor a file that is known."""
        wanted = sorted({item for question in asked for item in question.expected})
        with self.engine.view() as view:
            rest = [item for item in wanted if item not in view.find([item])]
            for project in freshness.known(view, self.home):
                paths = {item: path_of(item).removeprefix(f"{project.space}:") for item in rest}
                known = {source.path for source in view.sources(project.space, sorted(set(paths.values())))}
                rest = [item for item in rest if paths[item] not in known]
        return tuple(rest)


@dataclass(frozen=True, slots=True)
class _Answers:
    """For each question where the expected stood and what stood first; and what could not be asked."""

    found: tuple[Ranks, ...]
    firsts: tuple[str, ...]
    degraded: tuple[str, ...]


def _has_vectors(engine: WorkspaceEngine) -> bool:
    with engine.view() as view:
        stored, model = view.embedding, engine.asked(view)
    try:
        return model is not None and stored.done > 0 and stored.profile == model.profile
    except EmbeddingFailed:
        return False


def _copied(view: View, fields: Mapping[str, tuple[str, ...]], gone: set[str]) -> Iterator[Change]:
    for item in view.scan():
        if isinstance(item, Edge):
            yield Link(item)
        elif item.key not in gone:
            kept = replace(item, parent=None) if item.parent in gone else item
            yield Put(_stripped(kept, fields.get(item.key, ())))


def _stripped(record: Record, without: Iterable[str]) -> Record:
    left = {name: text for name, text in record.fields.items() if name not in without}
    return replace(record, title="" if "title" in without else record.title, fields=left)


def _by_source(asked: Sequence[Question], whole: _Answers) -> tuple[MeasuredSource, ...]:
    """Each source of made questions by itself; nothing where all questions are of one kind."""
    found: dict[str, list[Ranks]] = {}
    for question, places in zip(asked, whole.found, strict=True):
        found.setdefault(question.source or "other", []).append(places)
    parts = (MeasuredSource(name, len(places), measures(places)) for name, places in found.items())
    return tuple(parts) if len(found) > 1 else ()


def _compared(whole: _Answers, others: Mapping[str, _Answers]) -> tuple[MeasuredList, ...]:
    ours = list(map(ndcg, whole.found))
    return tuple(
        MeasuredList(name, measures(other.found), difference(ours, list(map(ndcg, other.found)))) for name, other in others.items()
    )


def _worst(asked: Sequence[Question], whole: _Answers, count: int) -> tuple[Shortfall, ...]:
    """The questions that were answered worst, in the order of the file where they are alike."""
    told = [
        Shortfall(question.query, question.expected, ndcg(places), min((p for p in places if p is not None), default=None), first)
        for question, places, first in zip(asked, whole.found, whole.firsts, strict=True)
    ]
    short = [item for item in told if item.ndcg < 1.0]
    return tuple(sorted(short, key=lambda item: (item.ndcg, item.rank is not None, -(item.rank or 0)))[:count])


def _notes(asked: Sequence[Question], whole: _Answers) -> tuple[str, ...]:
    held = sum(bool(question.without or question.itself) for question in asked)
    known = sum(question.source == HEADINGS for question in asked)
    notes = ((held, _HELD_OUT), (known, _KNOWN))
    return (*(text.format(count=count, all=len(asked)) for count, text in notes if count), *whole.degraded)
