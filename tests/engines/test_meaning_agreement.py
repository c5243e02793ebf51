"""Do all engines say the same of any passages and vectors, and does it matter how they came about?"""

from collections.abc import Callable
from contextlib import AbstractContextManager

import numpy as np
import pytest
from asking import EVERYWHERE
from generating import KEYS, batches, languages, scopes, texts_of
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from modelling import MODEL, OTHER, WordModel, catch_up, use

from dowse.errors import DowseError
from dowse.model.change import Change, Put, UseModel
from dowse.model.record import Edge
from dowse.model.request import Scope
from dowse.ports import Engine, View

Opened = Callable[[str], AbstractContextManager[Engine]]

# The same examples on every machine; each opens a file of its own, which is what takes the time.
MODEST = settings(
    max_examples=60,
    deadline=None,
    database=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)

# Words, so that texts have something to do with each other; some texts are long enough for several passages.
texts = languages.map(texts_of).flatmap(
    lambda short: st.tuples(short, st.sampled_from([1, 1, 1, 90])).map(lambda drawn: drawn[0] * drawn[1])
)
# What happens between two batches: a worker embeds some texts, or another model is named.
events = st.sampled_from(["", "", "some", "all", "model", "model", "other", "none", "reindex"])
# With vectors made beforehand, by the model in use or not.
preparing = st.sampled_from([None, MODEL, MODEL, OTHER])
histories = st.tuples(
    batches(texts).flatmap(
        lambda changes: st.tuples(*(st.tuples(st.just(batch), preparing, events) for batch in changes)),
    ),
    texts,
)
History = tuple[tuple[tuple[list[Change], WordModel | None, str], ...], str]


def write(engine: Engine, batch: list[Change], model: WordModel | None) -> str:
    prepare = engine.preparer(model) if model is not None else None
    made = [
        Put(change.record, change.expected, prepare(change.record)) if prepare is not None and isinstance(change, Put) else change
        for change in batch
    ]
    before = engine.status().generation
    try:
        applied = engine.apply(made)
    except DowseError as error:
        return f"{type(error).__name__}: {error}"
    return f"{applied.generation - before} generation, {applied.records} records, {applied.edges} edges"


def happen(engine: Engine, event: str) -> None:
    with engine.view() as view:
        profile = view.embedding.profile
    model = OTHER if profile == OTHER.profile else MODEL
    if event in ("some", "all") and profile is not None:
        catch_up(engine, model, 2 if event == "some" else 1000)
    elif event in ("model", "other"):
        use(engine, MODEL if event == "model" else OTHER)
    elif event == "none":
        use(engine, None)
    elif event == "reindex":
        engine.reindex()


def said(view: View, text: str, scope: Scope) -> list[object]:
    """Everything a view tells of meaning."""
    handles = sorted(handle for handle in view.handles(KEYS) if handle is not None)
    vector = MODEL.embed([text])[0]
    told: list[object] = [view.embedding, view.unembedded(3), view.unembedded(1000)]
    for within, limit, floor in ((scope, 100, -1.0), (EVERYWHERE, 2, 0.1)):
        ranking = view.nearest(vector, view.select(within), limit, floor)
        scores = [pytest.approx(float(score), abs=1e-6) for score in ranking.scores]
        told.append([[record.key for record in view.fetch(ranking.handles)], scores, list(map(float, ranking.coverage))])
    told.append([pytest.approx(float(score), abs=1e-6) for score in view.similarity(vector, handles)])
    told.append(view.passages(vector, handles))
    told.append([np.round(rows, 6).tolist() if rows is not None else None for rows in view.meanings(handles)])
    return told


@pytest.mark.requirement("U-02")
@MODEST
@given(history=histories, scope=scopes)
def test_engines_agree_on_the_meaning_of_any_history(opened: Opened, history: History, scope: Scope) -> None:
    steps, text = history
    with opened("memory") as memory, opened("sqlite") as sqlite:
        for batch, model, event in steps:
            assert write(memory, batch, model) == write(sqlite, batch, model)
            for engine in (memory, sqlite):
                happen(engine, event)
            # Reading between the writes fills the caches, which the next write must not leave stale.
            with memory.view() as one, sqlite.view() as other:
                assert said(one, text, scope) == said(other, text, scope)
        assert [finding for finding in sqlite.examine() if not finding.ok] == []


@MODEST
@given(history=histories)
def test_any_history_means_what_a_fresh_workspace_means(opened: Opened, history: History) -> None:
    steps, text = history
    with opened("sqlite") as old, opened("sqlite") as new:
        for batch, model, event in steps:
            write(old, batch, model)
            happen(old, event)
        with old.view() as view:
            stored = list(view.scan())
        new.apply([UseModel(MODEL.profile)])
        for item in stored:
            if not isinstance(item, Edge):
                write(new, [Put(item)], MODEL)
        for engine in (old, new):
            use(engine)
            catch_up(engine)
        with old.view() as one, new.view() as other:
            assert one.embedding == other.embedding
            assert found(one, text) == pytest.approx(found(other, text))


def found(view: View, text: str) -> dict[str, float]:
    ranking = view.nearest(MODEL.embed([text])[0], view.select(EVERYWHERE), 100, -1.0)
    return dict(zip((record.key for record in view.fetch(ranking.handles)), map(float, ranking.scores), strict=True))
