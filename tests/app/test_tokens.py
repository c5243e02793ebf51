"""Does a token open what it says, for as long as it says, and to nobody else?"""

import io
import json
from collections.abc import Iterator
from pathlib import Path

import pytest

import dowse
from dowse.app.permissions import Capability, Principal, Reach
from dowse.app.tokens import PREFIX
from dowse.app.workspace import Workspace
from dowse.errors import Conflict, DowseError, Forbidden, InvalidRequest, NotFound

NOW = 1_000_000.0
DAY = 86_400.0


@pytest.fixture
def workspace(tmp_path: Path) -> Iterator[Workspace]:
    with dowse.open(tmp_path / "test.dowse", model="none", clock=lambda: NOW) as opened:
        opened.put(kind="page", key="tides", title="Tides", space="sea")
        yield opened


def test_whoever_shows_the_secret_is_who_the_token_says(workspace: Workspace) -> None:
    made = workspace.add_token("laptop", capabilities=["read", "Write"], spaces=["sea"], under=["tide"], kinds=["page"])
    assert workspace.principal_of(made.secret, NOW) == Principal(
        "laptop", frozenset({Capability.READ, Capability.WRITE}), Reach(("sea",), ("tides",), ("page",)), roots=()
    )


def test_without_more_words_a_token_is_for_searching_and_reading(workspace: Workspace) -> None:
    made = workspace.add_token("laptop")
    holder = workspace.principal_of(made.secret, NOW + 1e9)
    assert holder is not None
    assert (holder.capabilities, holder.reach) == (frozenset({Capability.SEARCH_USE, Capability.READ}), Reach())


@pytest.mark.parametrize("shown", ["", "dws_", "laptop", "dws_wrong", "\udc80", "é", "x" * 100_000])
def test_any_other_secret_is_nobodys(workspace: Workspace, shown: str) -> None:
    made = workspace.add_token("laptop")
    assert workspace.principal_of(shown, NOW) is None
    assert workspace.principal_of(made.token.id, NOW) is None
    assert workspace.principal_of(made.secret[:-1], NOW) is None
    assert workspace.principal_of(made.secret + " ", NOW) is None


def test_a_token_ends_when_its_days_are_over(workspace: Workspace) -> None:
    made = workspace.add_token("laptop", days=2)
    assert made.token.expires == NOW + 2 * DAY
    assert workspace.principal_of(made.secret, NOW + 2 * DAY - 1) is not None
    assert workspace.principal_of(made.secret, NOW + 2 * DAY) is None


def test_a_revoked_token_is_worthless_at_once(workspace: Workspace) -> None:
    first, second = workspace.add_token("laptop"), workspace.add_token("phone")
    assert workspace.revoke_token(first.token.id).name == "laptop"
    assert workspace.revoke_token("phone").id == second.token.id
    assert workspace.principal_of(first.secret, NOW) is workspace.principal_of(second.secret, NOW) is None
    assert workspace.tokens() == ()
    with pytest.raises(NotFound, match="no token 'phone'"):
        workspace.revoke_token("phone")


def test_the_secret_is_long_random_and_kept_nowhere(workspace: Workspace, tmp_path: Path) -> None:
    first, second = workspace.add_token("laptop"), workspace.add_token("phone")
    assert first.secret.startswith(PREFIX)
    assert len(first.secret) >= len(PREFIX) + 43
    assert first.secret != second.secret
    assert first.secret not in repr(workspace.tokens())
    workspace.close()
    assert not any(first.secret.encode() in file.read_bytes() for file in tmp_path.iterdir())


def test_a_token_survives_the_process(workspace: Workspace, tmp_path: Path) -> None:
    made = workspace.add_token("laptop", random=lambda _: "chosen")
    assert made.secret == "dws_chosen"
    with dowse.open(tmp_path / "test.dowse", model="none") as again:
        assert again.principal_of("dws_chosen", NOW) is not None


def test_the_list_shows_who_may_what_of_what_until_when(workspace: Workspace) -> None:
    workspace.add_token("laptop", kinds=["page"], days=1)
    (token,) = workspace.tokens()
    assert (token.name, token.capabilities, token.kinds, token.created) == ("laptop", ("SearchUse", "Read"), ("page",), NOW)
    assert (token.expires, token.expired) == (NOW + DAY, False)


@pytest.mark.parametrize(
    ("given", "error", "words"),
    [
        ({"capabilities": ["Fly"]}, InvalidRequest, "no capability 'Fly'; there are SearchUse, Read, Write, Admin"),
        ({"kinds": ["pages"]}, InvalidRequest, "Did you mean 'page'"),
        ({"under": ["nobody"]}, NotFound, "No record has the id 'nobody'"),
        ({"days": 0}, InvalidRequest, "days is 0; it must be from 1"),
        ({"days": 10**9}, InvalidRequest, "days is 1000000000"),
        ({"name": " "}, InvalidRequest, "needs a name"),
        ({"name": "x" * 101}, InvalidRequest, "needs a name"),
        ({"name": "a\x1b[31m"}, InvalidRequest, "needs a name"),
        ({"name": "laptop"}, Conflict, "There is a token named 'laptop'"),
    ],
)
def test_a_token_that_makes_no_sense_is_refused(
    workspace: Workspace, given: dict[str, object], error: type[DowseError], words: str
) -> None:
    workspace.add_token("laptop")
    with pytest.raises(error, match=words):
        workspace.add_token(**{"name": "other", **given})  # type: ignore[arg-type]
    assert [token.name for token in workspace.tokens()] == ["laptop"]


def test_only_admins_who_see_everything_give_and_take_tokens(workspace: Workspace) -> None:
    everything_else = frozenset(Capability) - {Capability.ADMIN}
    for principal in (
        Principal("writer", everything_else),
        Principal("admin of a part", frozenset(Capability), Reach(spaces=("sea",))),
    ):
        acting = workspace.acting_as(principal)
        with pytest.raises(Forbidden):
            acting.add_token("x")
        with pytest.raises(Forbidden):
            acting.tokens()
        with pytest.raises(Forbidden):
            acting.revoke_token("x")


def test_nobody_gives_away_what_they_lack(workspace: Workspace) -> None:
    admin = workspace.acting_as(Principal("admin", frozenset({Capability.ADMIN, Capability.READ})))
    with pytest.raises(Forbidden, match="lacks the capability Write"):
        admin.add_token("x", capabilities=["Read", "Write"])
    assert admin.add_token("x", capabilities=["Read"]).token.capabilities == ("Read",)


def test_tokens_leave_by_no_export_and_no_guarded_view(workspace: Workspace) -> None:
    made = workspace.add_token("laptop")
    out = io.StringIO()
    workspace.export(out)
    assert [json.loads(line)["key"] for line in out.getvalue().splitlines()] == ["tides"]
    guest = workspace.acting_as(Principal("guest", frozenset(Capability), Reach(spaces=("sea",))))
    with guest.embedding.view() as view:
        assert view.marks("") == view.marks("token:") == {}
        assert view.mark(f"token:{made.token.id}") is None
    assert guest.principal_of(made.secret, NOW) is None
