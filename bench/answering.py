"""Who answers the questions of a judged set? dowse by any of its surfaces, and the FTS5 table most people would make."""

import re
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from statistics import fmean

import apsw
import ir_measures
from ir_measures import RR, R, nDCG

from bench.judged import JudgedSet, Question
from bench.keeping import Shelf, stamp
from dowse.app.embedding import EmbeddingEngine
from dowse.domains.everything import SCHEMA
from dowse.errors import InvalidQuery
from dowse.model.change import Link, Put
from dowse.model.record import Edge, Facet, Record
from dowse.model.request import Scope, SearchRequest
from dowse.model.surface import Surface
from dowse.search.pipeline import rank

DEPTH = 100
MEASURES = (nDCG @ 10, RR @ 10, R @ DEPTH)

Ask = Callable[[Question], list[str]]
Scores = dict[str, tuple[float, ...]]
"""For each question the measures, in the order of ``MEASURES``."""


def index_of(judged: JudgedSet, root: Path, shelf: Shelf) -> AbstractContextManager[EmbeddingEngine]:
    """The set as records, with the links between them."""
    at = root / judged.name
    name = f"{judged.name}-wholes" if judged.is_cut else judged.name
    return shelf.opened(name, stamp(at / "corpus.jsonl", at / "edges.tsv"), lambda engine, _: fill(engine, judged))


def ask_dowse(engine: EmbeddingEngine, surface: Surface, rescore: str | None = None, kinds: tuple[str, ...] = ()) -> Ask:
    """``rescore``: the second model that scores the best hits anew. ``kinds``: as ``kinds_asked``."""

    def ask(question: Question) -> list[str]:
        scope = Scope(kinds, spaces=(question.part,) if question.part else (), keys=question.allowed)
        request = SearchRequest(question.text, scope=scope, limit=DEPTH, rescore=rescore)
        with engine.view() as view:
            try:
                answer = rank(view, request, surface, SCHEMA, engine.asked(view), engine.second(rescore))
            except InvalidQuery:
                return []
            return [key for key, _ in view.names([hit.handle for hit in answer.places])]

    return ask


def ask_fts5(judged: JudgedSet) -> Ask:
    """The table most people would make: Porter stems over title and text, any of the words, SQLite's own BM25."""
    connection = apsw.Connection(":memory:")
    options = "tokenize='porter unicode61'"
    connection.execute(f"create virtual table baseline using fts5(id unindexed, part unindexed, title, text, {options})")
    rows = [(item.id, item.part, item.title, item.text) for item in judged.documents]
    with connection:
        connection.executemany("insert into baseline values (?, ?, ?, ?)", rows)

    def ask(question: Question) -> list[str]:
        words = dict.fromkeys(re.findall(r"\w+", question.text.lower()))
        expression = " OR ".join(f'"{word}"' for word in words)
        if not expression:
            return []
        found = connection.execute(
            "select id from baseline where baseline match ?1 and ?2 in ('', part) order by rank", (expression, question.part)
        )
        allowed = None if question.allowed is None else set(question.allowed)
        # One more than is judged: the question's own document may be among them.
        return [key for (key,) in found if allowed is None or key in allowed][: DEPTH + 1]

    return ask


def judge(judged: JudgedSet, ask: Ask) -> Scores:
    """A list is judged by its order alone: scores of different systems mean different things."""
    run: dict[str, dict[str, float]] = {}
    for question in judged.questions:
        found = [key for key in ask(question) if key != question.itself][:DEPTH]
        run[question.id] = {key: 1.0 / place for place, key in enumerate(found, 1)}
    scores = {question.id: [0.0] * len(MEASURES) for question in judged.questions}
    for metric in ir_measures.iter_calc(list(MEASURES), judged.grades, run):
        if metric.query_id in scores:
            scores[metric.query_id][MEASURES.index(metric.measure)] = metric.value
    return {query: tuple(values) for query, values in scores.items()}


def means(scores: Scores) -> tuple[float, ...]:
    return tuple(fmean(values[at] for values in scores.values()) for at in range(len(MEASURES)))


def gains(scores: Scores) -> Sequence[float]:
    """nDCG@10, question by question."""
    return [values[0] for values in scores.values()]


def kinds_asked(judged: JudgedSet) -> tuple[str, ...]:
    """What may answer: where documents are pieces, only these, for the texts they are of were not judged."""
    return (_kind(judged)[0],) if judged.is_cut else ()


def fill(engine: EmbeddingEngine, judged: JudgedSet) -> None:
    """The documents as what indexing would make of them: pieces of a file that no grammar takes apart, or sections of a page."""
    kind, field, whole = _kind(judged)
    wholes = {item.whole: item.part for item in judged.documents if item.whole}
    engine.apply(Put(Record(key, whole, key, space=part)) for key, part in wholes.items())
    facets: dict[str, Facet] = {"symbolKind": "block"} if judged.is_cut and judged.is_code else {}
    engine.apply(
        Put(Record(item.id, kind, item.title, {field: item.text}, item.part, parent=item.whole or None, facets=facets))
        for item in judged.documents
    )
    engine.apply(Link(Edge(source, target, name)) for source, target, name in judged.edges)


def _kind(judged: JudgedSet) -> tuple[str, str, str]:
    """The kind of the documents, the field their text is in, and the kind of what they are pieces of."""
    if judged.is_work:
        return "item", "description", ""
    if judged.is_code:
        return "symbol", "body", "codefile"
    return ("section", "content", "document") if judged.is_cut else ("knowledge", "content", "")
