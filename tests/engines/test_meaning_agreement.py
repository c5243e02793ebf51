"""Do all engines say the same of any passages and vectors, and does it matter how they came about?"""

import numpy as np
import pytest
from agreeing import CLUSTER, OTHERS, Opened, modest
from asking import EVERYWHERE
from generating import KEYS, batches, languages, scopes, texts_of
from hypothesis import given
from hypothesis import strategies as st
from modelling import MODEL, OTHER, WordModel, catch_up, use

from dowse.errors import DowseError
from dowse.model.change import Change, Put, UseModel
from dowse.model.record import Edge
from dowse.model.request import Scope
from dowse.ports import Engine, View

MODEST = modest()

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
        Put(change.record, change.expected, prepare([change.record])[0])
        if prepare is not None and isinstance(change, Put)
        else change
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
    """Everything a view tells of meaning, by key: handles differ from engine to engine."""
    handles = {key: handle for key, handle in zip(KEYS, view.handles(KEYS), strict=True) if handle is not None}
    ordered = sorted(handles.values())
    vector = MODEL.embed([text])[0]
    told: list[object] = [view.embedding, sorted(view.unembedded(1000))]
    for within, limit, floor in ((scope, 100, -1.0), (EVERYWHERE, 2, 0.1)):
        ranking = view.nearest(vector, view.select(within), limit, floor)
        keys = [record.key for record in view.fetch(ranking.handles)]
        told.append({key: pytest.approx(float(s), abs=1e-6) for key, s in sorted(zip(keys, ranking.scores, strict=True))})
        told.append(set(map(float, ranking.coverage)))
    similar = dict(zip(ordered, map(float, view.similarity(vector, ordered)), strict=True))
    told.append({key: pytest.approx(similar[handle], abs=1e-6) for key, handle in handles.items()})
    told.append(view.passages(vector, list(handles.values())))
    told.append([np.round(rows, 6).tolist() if rows is not None else None for rows in view.meanings(list(handles.values()))])
    return told


@pytest.mark.requirement("U-02")
@pytest.mark.parametrize("name", OTHERS)
@MODEST
@given(history=histories, scope=scopes)
def test_engines_agree_on_the_meaning_of_any_history(opened: Opened, name: str, history: History, scope: Scope) -> None:
    steps, text = history
    with opened("memory") as memory, opened(name) as engine:
        for batch, model, event in steps:
            assert write(memory, batch, model) == write(engine, batch, model)
            for each in (memory, engine):
                # Which of those that wait come first is a cluster's business; "some" would be other ones there.
                happen(each, "all" if event == "some" and name == CLUSTER else event)
            # Reading between the writes fills the caches, which the next write must not leave stale.
            with memory.view() as one, engine.view() as other:
                assert said(one, text, scope) == said(other, text, scope)
                assert name == CLUSTER or all(one.unembedded(many) == other.unembedded(many) for many in (3, 1000))
        assert [finding for finding in engine.examine() if not finding.ok] == []


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
