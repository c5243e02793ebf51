"""Do schemas follow from the types and tables that make the answers?"""

from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

import jsonschema
import pytest

from dowse.app.answering import answer
from dowse.app.operations import OPERATIONS
from dowse.app.workspace import Workspace
from dowse.domains.everything import SURFACES
from dowse.model.page import Branch
from dowse.model.record import Edge
from dowse.present.answers import answer_json
from dowse.present.schemas import Schemas


class _Colour(StrEnum):
    RED = "red"
    BLUE = "blue"


@dataclass(frozen=True)
class _Thing:
    own_name: str
    colours: tuple[_Colour, ...] = ()
    weight: float | None = None


def valid(kind: object, value: object) -> bool:
    schemas = Schemas()
    schema = {**schemas.of(kind), "$defs": schemas.definitions}
    return jsonschema.Draft202012Validator(schema).is_valid(value)


def test_a_noun_is_described_in_the_names_that_its_json_has() -> None:
    assert valid(_Thing, answer_json(_Thing("a", (_Colour.RED,), 1.5)) | {"colours": ["red"]})
    assert valid(_Thing, {"ownName": "a", "colours": [], "weight": None})
    assert not valid(_Thing, {"own_name": "a", "colours": [], "weight": None})
    assert not valid(_Thing, {"ownName": "a", "colours": ["green"], "weight": None})


def test_a_noun_that_holds_its_like_is_described_once() -> None:
    schemas = Schemas("#/components/schemas/")
    assert schemas.of(Branch) == {"$ref": "#/components/schemas/Branch"}
    assert schemas.definitions["Branch"]["properties"]["children"]["items"] == {"$ref": "#/components/schemas/Branch"}


def test_a_mapping_says_what_its_values_are() -> None:
    assert valid(dict[str, int], {"a": 1})
    assert not valid(dict[str, int], {"a": "b"})


def test_an_edge_fits() -> None:
    assert valid(Edge, answer_json(Edge("a", "b", "blocks", {"weight": 3})))


@pytest.mark.parametrize("name", SURFACES)
def test_every_surface_has_a_schema_that_is_one(name: str) -> None:
    schemas = Schemas()
    schema = {**schemas.page(SURFACES[name]), "$defs": schemas.definitions}
    jsonschema.Draft202012Validator.check_schema(schema)


def test_a_page_says_how_fresh_its_projects_are(workspace: Workspace, tmp_path: Path) -> None:
    project = tmp_path / "harbour"
    project.mkdir()
    (project / "notes.md").write_text("# Tides\n\nHigh water.\n", encoding="utf-8")
    workspace.index(project, jobs=1)
    search = OPERATIONS["search"]
    values = search.check({"query": "high water"})
    told = answer(search, values, search.run(workspace, values), workspace)
    schemas = Schemas()
    schema = {**schemas.page(SURFACES["everything"]), "$defs": schemas.definitions}
    jsonschema.validate(told, schema)
    assert [item["space"] for item in told["freshness"]] == ["harbour"]
