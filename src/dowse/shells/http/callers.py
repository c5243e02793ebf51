"""Who calls? The owner from this machine; anyone else by a token."""

import hashlib
import ipaddress
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from dowse.app.permissions import OWNER, Principal
from dowse.shells.http.limits import Buckets, Limits
from dowse.shells.http.problems import Refused
from dowse.shells.http.routing import Lane
from dowse.shells.http.working import Lanes

if TYPE_CHECKING:
    from dowse.app.workspace import Workspace

_CHALLENGE = {"WWW-Authenticate": 'Bearer realm="dowse"'}
_WRONG = {"WWW-Authenticate": 'Bearer realm="dowse", error="invalid_token"'}
# More tokens than a workspace has; beyond that the memory starts anew.
_MOST = 256


@dataclass(frozen=True, slots=True)
class Caller:
    """Someone, and the workspace as they see it. ``owner``: of this machine, who is not counted."""

    workspace: "Workspace"
    owner: bool


class Callers:
    """Tells who calls. ``open_here``: the server listens on this machine alone, so whoever reaches it sits at it."""

    def __init__(
        self,
        workspace: "Workspace",
        lanes: Lanes,
        *,
        open_here: bool,
        roots: Callable[[], tuple[Path, ...]],
        limits: Limits,
        clock: Callable[[], float],
        now: Callable[[], float],
    ) -> None:
        self._workspace = workspace
        self._lanes = lanes
        self._open_here = open_here
        self._roots = roots
        self._now = now
        self._often = Buckets(limits.rate, limits.burst, clock)
        self._wrong = Buckets(limits.wrong_rate, limits.wrong_burst, clock)
        self._seen: set[bytes] = set()

    async def identify(self, authorization: str | None, peer: str) -> Caller | None:
        """The caller; None where nobody says who they are and the address does not tell. A wrong token is refused."""
        if authorization is None:
            here = self._open_here and is_loopback(peer)
            if not here:
                _refuse_if(self._often.take(f"address {peer}"))
            return Caller(self._as(OWNER), owner=True) if here else None
        principal = await self._principal(authorization, peer)
        _refuse_if(self._often.take(f"token {principal.name}"))
        return Caller(self._as(principal), owner=False)

    def demand(self) -> Refused:
        return Refused(401, "This address needs a token: send it as 'Authorization: Bearer TOKEN'.", _CHALLENGE)

    async def _principal(self, authorization: str, peer: str) -> Principal:
        scheme, _, token = authorization.partition(" ")
        if scheme.lower() != "bearer" or not token.strip():
            raise Refused(401, "The Authorization header must be 'Bearer TOKEN'.", _CHALLENGE)
        secret = token.strip()
        digest = hashlib.sha256(secret.encode("utf-8", "surrogateescape")).digest()
        # Who guesses is not even looked at; who has had a right token is not locked out by others at the same address.
        if digest not in self._seen:
            _refuse_if(self._wrong.wait(peer))
        principal = await self._lanes.run(Lane.LOOK, lambda: self._workspace.principal_of(secret, self._now()))
        if principal is None:
            self._seen.discard(digest)
            self._wrong.take(peer)
            raise Refused(401, "The token is not known here, or no longer good.", _WRONG)
        if len(self._seen) >= _MOST:
            self._seen.clear()
        self._seen.add(digest)
        return principal

    def _as(self, principal: Principal) -> "Workspace":
        """Whoever comes over the network names paths in the roots alone, the owner too."""
        return self._workspace.acting_as(replace(principal, roots=self._roots()))


def is_loopback(address: str) -> bool:
    """Whether an address or name means this machine."""
    if address == "localhost":
        return True
    try:
        found = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return False
    mapped = getattr(found, "ipv4_mapped", None)
    return bool((mapped or found).is_loopback)


def _refuse_if(seconds: float) -> None:
    if seconds > 0:
        raise Refused(429, "Too many requests. Wait a moment.", {"Retry-After": str(max(1, round(seconds)))})
