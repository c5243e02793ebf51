"""Does the cluster say of any workspace and any query what the oracle says, and does it matter how the workspace came about?"""

import os
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import replace

import numpy as np
import pytest
from asking import EVERYWHERE
from generating import KEYS, LANES, any_text, batches, folds, histories, languages, scopes, texts_of, workspaces
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from modelling import MODEL
from test_agreement import SURFACE, Said, apply, known, said
from test_meaning_agreement import History, happen, write
from test_meaning_agreement import histories as meaning_histories
from test_reach_agreement import by_definition, cut_out, fill, links, reaches, told

from dowse.app.guarded_view import GuardedView
from dowse.model.change import Change, Put
from dowse.model.reach import Reach
from dowse.model.record import Edge, Record
from dowse.model.request import Lane, ListPlan, Scope, SearchRequest
from dowse.model.schema import Schema
from dowse.model.terms import Query
from dowse.ports import Engine, View
from dowse.search.pipeline import search
from dowse.text.folding import fold

pytestmark = pytest.mark.skipif(not os.environ.get("DOWSE_TEST_OPENSEARCH"), reason="needs a cluster: see docs/cluster.md")

Opened = Callable[[str], AbstractContextManager[Engine]]

# The same examples on every machine. Few: each commit of each asks a real cluster.
FEW = settings(
    max_examples=25,
    deadline=None,
    database=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)


def same(ours: dict[str, Said], oracle: dict[str, Said]) -> None:
    for lane in oracle:
        assert sorted(ours[lane]) == sorted(oracle[lane]), lane
        for key, (score, coverage) in oracle[lane].items():
            assert ours[lane][key][1] == pytest.approx(coverage, abs=1e-6), (lane, key)
            # The cluster's scores have seven digits. Of strings it counts every place, where others count words that hold them.
            if not lane.startswith(Lane.SUBSTRING):
                assert ours[lane][key][0] == pytest.approx(score, rel=1e-5, abs=1e-6), (lane, key)


@FEW
@given(workspace=workspaces, scope=scopes, folded=folds)
def test_the_cluster_agrees_on_every_lane_of_any_workspace(
    opened: Opened, workspace: tuple[list[Record], list[Query]], scope: Scope, folded: tuple[str, ...]
) -> None:
    stored, asked = workspace
    with opened("memory") as memory, opened("opensearch") as cluster:
        for record in stored:
            assert apply(memory, [Put(record)]) == apply(cluster, [Put(record)])
        with memory.view() as one, cluster.view() as other:
            for query in asked:
                same(said(other, query, scope, folded), said(one, query, scope, folded))
                same(said(other, query, Scope(), ()), said(one, query, Scope(), ()))


@FEW
@given(history=histories, scope=scopes)
def test_any_history_gives_the_answers_of_a_rebuild_and_of_the_oracle(
    opened: Opened, history: tuple[list[list[Change]], Query], scope: Scope
) -> None:
    changes, query = history
    with opened("memory") as memory, opened("opensearch") as cluster:
        for batch in changes:
            assert apply(memory, batch) == apply(cluster, batch)
            with memory.view() as one, cluster.view() as other:
                assert known(one) == known(other)
                same(said(other, query, scope, ("note",)), said(one, query, scope, ("note",)))
        assert memory.reindex() == cluster.reindex()
        with memory.view() as one, cluster.view() as other:
            assert known(one) == known(other)
            same(said(other, query, scope, ("note",)), said(one, query, scope, ("note",)))
        assert [finding for finding in cluster.examine() if not finding.ok] == []


@FEW
@given(bodies=st.lists(any_text, min_size=1, max_size=4), place=st.tuples(st.integers(0, 3), st.integers(0, 20), st.integers(1, 8)))
def test_substring_search_on_the_cluster_is_exactly_in(opened: Opened, bodies: list[str], place: tuple[int, int, int]) -> None:
    which, start, length = place
    string = bodies[which % len(bodies)][start : start + length]
    if not fold(string):
        return
    with opened("opensearch") as engine:
        engine.apply([Put(Record(str(number), "page", fields={"body": body})) for number, body in enumerate(bodies)])
        with engine.view() as view:
            query = Query(string, literals=(fold(string),))
            ranking = view.match(query, ListPlan("list", Lane.SUBSTRING), view.select(Scope()))
            found = {record.key for record in view.fetch(ranking.handles)}
    assert found == {str(number) for number, body in enumerate(bodies) if fold(string) in fold(body)}


@FEW
@given(history=meaning_histories, scope=scopes)
def test_the_cluster_agrees_on_the_meaning_of_any_history(opened: Opened, history: History, scope: Scope) -> None:
    steps, text = history
    with opened("memory") as memory, opened("opensearch") as cluster:
        for batch, model, event in steps:
            assert write(memory, batch, model) == write(cluster, batch, model)
            for engine in (memory, cluster):
                # Which of those that wait come first is the engine's business; "some" would be other ones here.
                happen(engine, "all" if event == "some" else event)
            with memory.view() as one, cluster.view() as other:
                assert meant(one, text, scope) == meant(other, text, scope)


@FEW
@given(
    history=languages.map(texts_of).flatmap(
        lambda texts: st.tuples(batches(texts), st.lists(texts.filter(str.strip), min_size=2, max_size=2))
    )
)
def test_a_whole_search_shows_the_same_hits_on_the_cluster(
    opened: Opened, schema: Schema, history: tuple[list[list[Change]], list[str]]
) -> None:
    changes, asked = history
    with opened("memory") as memory, opened("opensearch") as cluster:
        for batch in changes:
            assert apply(memory, batch) == apply(cluster, batch)
        with memory.view() as one, cluster.view() as other:
            for text in asked:
                assert shown(one, text, schema) == shown(other, text, schema)


def shown(view: View, text: str, schema: Schema) -> list[object]:
    """What a user sees of a search, but for the order of what scores alike to the sixth digit."""
    page = search(view, SearchRequest(text), SURFACE, schema)
    hits = {hit.record.key: (hit.excerpt, hit.matched_in) for hit in page.hits}
    return [sorted(hits.items()), page.total, page.relaxed, page.lists, page.ignored, page.truncated, page.degraded]


@FEW
@given(workspace=workspaces, linked=links, reach=reaches, scope=scopes, folded=folds)
def test_a_part_of_a_cluster_looks_as_if_the_rest_did_not_exist(
    opened: Opened,
    workspace: tuple[list[Record], list[Query]],
    linked: list[Edge],
    reach: Reach,
    scope: Scope,
    folded: tuple[str, ...],
) -> None:
    stored, asked = workspace
    with opened("opensearch") as whole, opened("memory") as part:
        fill(whole, stored, linked)
        with whole.view() as view:
            fill(part, *cut_out(view, by_definition(view, reach)))
            where = replace(scope, ancestor=None)
            with part.view() as alone:
                for query in asked:
                    assert told(GuardedView(view, reach), query, where, folded) == told(alone, query, where, folded)


def meant(view: View, text: str, scope: Scope) -> list[object]:
    """Everything a view tells of meaning, by key: numbers differ from engine to engine."""
    handles = {key: handle for key, handle in zip(KEYS, view.handles(KEYS), strict=True) if handle is not None}
    vector = MODEL.embed([text])[0]
    answers: list[object] = [view.embedding, sorted(view.unembedded(1000))]
    for within, limit, floor in ((scope, 100, -1.0), (EVERYWHERE, 2, 0.1)):
        ranking = view.nearest(vector, view.select(within), limit, floor)
        keys = [record.key for record in view.fetch(ranking.handles)]
        answers.append({key: pytest.approx(float(s), abs=1e-6) for key, s in sorted(zip(keys, ranking.scores, strict=True))})
    ordered = sorted(handles.values())
    similar = dict(zip(ordered, map(float, view.similarity(vector, ordered)), strict=True))
    answers.append({key: pytest.approx(similar[handle], abs=1e-6) for key, handle in handles.items()})
    answers.append(view.passages(vector, list(handles.values())))
    answers.append([np.round(rows, 6).tolist() if rows is not None else None for rows in view.meanings(list(handles.values()))])
    return answers


def test_every_lane_takes_part() -> None:
    assert {Lane.STEMS, Lane.WORDS, Lane.NAMES, Lane.SUBSTRING, Lane.PREFIX} == set(LANES)
