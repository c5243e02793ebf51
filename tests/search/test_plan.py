"""Resolving a request: what is refused, and what the defaults are."""

from typing import Any

import pytest

from dowse.app.workspace import Workspace
from dowse.domains.everything import SCHEMA, SURFACES
from dowse.errors import InvalidQuery, InvalidRequest, InvalidScope
from dowse.model.request import Intent, Lane, Mode, Plan, Scope, SearchRequest
from dowse.search.intent import intent as intent_of
from dowse.search.meaning import NO_VECTORS
from dowse.search.parse import parse
from dowse.search.plan import check_scope, plan


def planned(surface: str = "everything", *, intent: Intent = Intent.SEMANTIC, vectors: bool = False, **request: Any) -> Plan:
    return plan(
        SearchRequest("words", **request), parse("words"), intent, SURFACES[surface], SCHEMA, lacking="" if vectors else NO_VECTORS
    )


def test_what_is_not_asked_for_is_as_the_surface_says() -> None:
    resolved = planned("code_search")
    assert (resolved.limit, resolved.offset, resolved.min_score, resolved.mode) == (5, 0, 0.5, Mode.HYBRID)
    assert resolved.scope == Scope(kinds=("symbol",))
    assert resolved.expansion == SURFACES["code_search"].expansion


@pytest.mark.parametrize("surface", SURFACES)
@pytest.mark.parametrize("limit", [0, -1, 101, 10**9])
def test_a_limit_out_of_bounds_is_refused_by_its_name(surface: str, limit: int) -> None:
    with pytest.raises(InvalidRequest, match=f"{SURFACES[surface].limit_name} is {limit}; it must be from 1 to 100"):
        planned(surface, limit=limit)


def test_a_negative_offset_is_refused() -> None:
    with pytest.raises(InvalidRequest, match="offset is -1"):
        planned(offset=-1)


@pytest.mark.parametrize(("surface", "mode"), [("items", Mode.VECTOR), ("code_search", Mode.AUTO), ("architecture", Mode.TEXT)])
def test_a_mode_the_surface_does_not_have_is_refused(surface: str, mode: Mode) -> None:
    with pytest.raises(InvalidRequest, match=f"{surface} has no mode '{mode.value}'"):
        planned(surface, mode=mode)


@pytest.mark.parametrize(
    ("scope", "message"),
    [
        (Scope(kinds=("pag",)), "no kind 'pag'"),
        (Scope(facets={"rolle": ("x",)}), "facet 'rolle'"),
        (Scope(facets={"role": ("wrk",)}), "role cannot be 'wrk'"),
        (Scope(kinds=("section",), facets={"role": ("work",)}), "facet 'role'"),
        (Scope(tags=("\ud800",)), "no valid Unicode"),
        (Scope(spaces=("\ud800",)), "no valid Unicode"),
    ],
)
def test_a_scope_that_cannot_be_is_refused(scope: Scope, message: str) -> None:
    with pytest.raises(InvalidScope, match=message):
        check_scope(scope, SCHEMA)
    with pytest.raises(InvalidScope, match=message):
        planned(scope=scope)


def test_front_matter_is_filtered_by_any_name_where_the_kind_is_asked_for() -> None:
    check_scope(Scope(kinds=("document",), facets={"reviewed": (True,)}), SCHEMA)
    with pytest.raises(InvalidScope, match="facet 'reviewed'"):
        check_scope(Scope(facets={"reviewed": (True,)}), SCHEMA)


def test_what_is_only_shown_is_no_filter() -> None:
    with pytest.raises(InvalidScope, match="facet 'line'"):
        check_scope(Scope(kinds=("symbol",), facets={"line": (3,)}), SCHEMA)


def test_a_kind_of_another_surface_is_refused() -> None:
    with pytest.raises(InvalidScope, match="items does not search the kind 'page'"):
        planned("items", scope=Scope(kinds=("page",)))


@pytest.mark.requirement("I-02", "I-12")
@pytest.mark.parametrize(
    ("mode", "intent", "vectors", "semantic", "degraded"),
    [
        (None, Intent.KEYWORD, True, False, False),
        (None, Intent.KEYWORD, False, False, False),
        (None, Intent.SEMANTIC, True, True, False),
        (None, Intent.SEMANTIC, False, False, True),
        (Mode.KEYWORD, Intent.SEMANTIC, True, False, False),
        (Mode.HYBRID, Intent.KEYWORD, True, True, False),
        (Mode.HYBRID, Intent.KEYWORD, False, False, True),
    ],
)
def test_meaning_is_added_when_intent_and_model_allow(
    mode: Mode | None, intent: Intent, vectors: bool, semantic: bool, degraded: bool
) -> None:
    resolved = planned("pages", mode=mode, intent=intent, vectors=vectors)
    assert [item.lane for item in resolved.lists] == [Lane.STEMS, *([Lane.VECTORS] if semantic else [])]
    assert resolved.degraded == ((NO_VECTORS,) if degraded else ())


@pytest.mark.parametrize(
    ("surface", "text", "semantic"),
    [
        ("everything", "notes of 2024-05-01", False),
        ("everything", "cache eviction", True),
        ("everything", "useState hook", False),
        ("pages", "cache eviction", False),
        ("everything", "since 2024-05-01 the upload hangs whenever the first part is larger than the buffer", True),
        ("everything", "the upload hangs AND the log says that the first part is larger than the buffer", True),
        ("pages", "since 2024-05-01 the upload hangs whenever the first part is larger than the buffer", False),
    ],
)
def test_what_describes_instead_of_naming_is_asked_by_meaning_however_short_or_long_it_is(
    surface: str, text: str, semantic: bool
) -> None:
    resolved = plan(SearchRequest(text), parse(text), intent_of(text), SURFACES[surface], SCHEMA)
    assert (Lane.VECTORS in [item.lane for item in resolved.lists]) is semantic


@pytest.mark.requirement("U-03")
def test_a_query_of_eleven_thousand_characters_is_refused_with_the_bound() -> None:
    with pytest.raises(InvalidQuery, match=r"11,000 characters; at most 10,000 are searched\. Shorten it"):
        parse("x" * 11_000)
    assert parse("x" * 10_000).terms


@pytest.mark.parametrize(
    "parameters",
    [
        {"limit": "many"},
        {"limit": 1.5},
        {"offset": None, "limit": []},
        {"explain": "yes"},
        {"mode": "fuzzy"},
        {"kinds": 5},
        {"kinds": []},
        {"tags": [""]},
        {"facets": "role"},
        {"under": 5},
        {"under": " "},
        {"colour": "blue"},
    ],
)
def test_a_parameter_of_the_wrong_type_or_name_is_refused(workspace: Workspace, parameters: dict[str, Any]) -> None:
    with pytest.raises(InvalidRequest):
        workspace.search("x", **parameters)


@pytest.mark.parametrize("parameters", [{"topK": 0}, {"bfsDepth": -1}, {"bfsDecay": 0}, {"bfsDecay": 2}, {"minScore": "high"}])
def test_a_walk_out_of_bounds_is_refused(workspace: Workspace, parameters: dict[str, Any]) -> None:
    with pytest.raises(InvalidRequest, match=next(iter(parameters))):
        workspace.search("x", surface="code_search", **parameters)
