"""Does every operation answer an agent as it answers Python? One after the other, each side on its own copy."""

import json
import shutil
from typing import Any

import pytest
from every_operation import CALLS, ELSEWHERE, SAMPLE, Values, calls, comparable, prepare
from running_mcp import call, text_of

import dowse
from dowse.app.answering import answer
from dowse.app.operations import OPERATIONS
from dowse.app.workspace import Workspace
from dowse.shells.mcp.operating import without_texts
from dowse.shells.mcp.toolset import toolset

# An agent gets no secrets, hands over no files and puts back no backups; it asks someone at a command line.
_NOT_FOR_AGENTS = frozenset({"token_add", "token_list", "token_revoke", "bench", "export", "restore_backup"})
# The default tools of these names are shaped for agents; test_mcp_parity holds them against their operations.
_OWN_SHAPE = frozenset({"get"})
# Which records they are, without their texts, which get gives.
_SLIM = frozenset({"related", "tree", "neighbours", "backlinks"})
_AGENTS = [name for name in CALLS if name not in _NOT_FOR_AGENTS | _OWN_SHAPE]
# Enough that nothing is cut.
_ROOM = 200_000


@pytest.fixture(scope="module")
def everything(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[tuple[Any, Any]]]:
    """For each operation what Python and the tool answered, call by call."""
    by_python, by_agent = (tmp_path_factory.mktemp(name) / "same" for name in ("python", "agent"))
    by_python.mkdir()
    prepare(by_python)
    with dowse.open(by_python / "test.dowse") as workspace:
        workspace.import_file(SAMPLE)
    shutil.copytree(by_python, by_agent)
    found: dict[str, list[tuple[Any, Any]]] = {}
    with pytest.MonkeyPatch.context() as patch:
        for name in ("DOWSE_WORKSPACE", "DOWSE_MODEL", "DOWSE_MODELS"):
            patch.delenv(name, raising=False)
        with dowse.open(by_python / "test.dowse") as python, dowse.open(by_agent / "test.dowse") as agent:
            for name, values in calls():
                if name in _AGENTS:
                    patch.chdir(by_python)
                    answered = _answered(python, name, values)
                    patch.chdir(by_agent)
                    found.setdefault(name, []).append((answered, _told(agent, name, values)))
    return found


@pytest.mark.requirement("U-02")
@pytest.mark.parametrize("name", _AGENTS)
def test_an_operation_answers_an_agent_as_it_answers_python(name: str, everything: dict[str, list[tuple[Any, Any]]]) -> None:
    for answered, told in everything[name]:
        same = told["result"] if isinstance(answered, list) else told
        assert comparable(same) == comparable(without_texts(answered) if name in _SLIM else answered)


def test_every_operation_is_a_tool_but_those_that_are_not_for_agents() -> None:
    assert toolset(("everything",)).keys() >= OPERATIONS.keys() - _NOT_FOR_AGENTS
    assert not toolset(("everything",)).keys() & _NOT_FOR_AGENTS
    assert set(_AGENTS) | _NOT_FOR_AGENTS | _OWN_SHAPE | ELSEWHERE == OPERATIONS.keys()


def _answered(workspace: Workspace, name: str, values: Values) -> Any:
    operation = OPERATIONS[name]
    checked = operation.check(values)
    return json.loads(json.dumps(answer(operation, checked, operation.run(workspace, checked), workspace)))


def _told(workspace: Workspace, name: str, values: Values) -> Any:
    result = call(workspace, name, surfaces=("everything",), room=_ROOM, **values)
    assert not result.is_error, text_of(result)
    return result.structured_content
