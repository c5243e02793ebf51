"""Whom does a secret make its holder? Tokens: who may do what with which part of the workspace, until when.

A token is kept as a mark of the workspace, which no search, export or list of records reads. Of the secret only its SHA-256 is
kept. A slow hash protects secrets that people think of, by making each guess dear; 256 random bits are beyond guessing anyway.
"""

import json
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING

from dowse.app.permissions import Capability, Principal, Reach
from dowse.app.service import Service
from dowse.errors import Conflict, InvalidRequest, NotFound
from dowse.model.declaring import dataclass
from dowse.ports import View
from dowse.text.suggesting import did_you_mean

if TYPE_CHECKING:
    from dowse.model.token import NewToken, Token

# So that a secret is known for what it is wherever it turns up.
PREFIX = "dws_"
USUAL = (Capability.SEARCH_USE, Capability.READ)
_MARK = "token:"
_SECRET_BYTES = 32
# Enough of the hash to tell the tokens of a workspace apart, and little enough to type.
_ID_LENGTH = 8
_LONGEST_NAME = 100
_MOST_DAYS = 36_500
_DAY = 86_400.0


class Tokens(Service):
    """Who else may use the workspace."""

    def add_token(
        self,
        name: str,
        *,
        capabilities: Sequence[str] = (),
        spaces: Sequence[str] = (),
        under: Sequence[str] = (),
        kinds: Sequence[str] = (),
        days: int | None = None,
        random: Callable[[int], str] | None = None,
    ) -> "NewToken":
        """Makes a token. Its secret is in the answer and nowhere else; without ``days`` it holds until it is revoked.

        Without ``capabilities`` its holder may search and read. Nobody gives away what they lack. ``random``: where the secret
        comes from, if not from the system.
        """
        import secrets  # loads what every search would wait for

        from dowse.model.change import Mark
        from dowse.model.token import NewToken

        self._require_whole_admin()
        wanted = tuple(sorted({_capability(item) for item in capabilities} or set(USUAL), key=tuple(Capability).index))
        for capability in wanted:
            self._principal.require(capability)
        if days is not None and not 1 <= days <= _MOST_DAYS:
            raise InvalidRequest(f"days is {days}; it must be from 1 to {_MOST_DAYS:,}.")
        for kind in kinds:
            if kind not in self._schema.kinds:
                raise InvalidRequest(f"There is no kind {kind!r}. {did_you_mean(kind, self._schema.kinds)}")
        reach = Reach(_each_once(spaces), _each_once(self._resolve(key) for key in under), _each_once(kinds))
        now = self._clock()
        secret = PREFIX + (random or secrets.token_urlsafe)(_SECRET_BYTES)
        kept = _Kept(_digest(secret), _named(name), wanted, reach, now, now + days * _DAY if days is not None else None)
        with self._engine.view() as view:
            if any(other.name == kept.name for other in _all(view)):
                raise Conflict(f"There is a token named {kept.name!r}. Choose another name, or revoke that one first.")
        self._engine.apply([Mark(f"{_MARK}{kept.id}", kept.to_json())])
        return NewToken(secret, kept.shown(now))

    def tokens(self) -> "tuple[Token, ...]":
        """The tokens of the workspace, the oldest first, without their secrets: nobody has those but their holders."""
        self._require_whole_admin()
        now = self._clock()
        with self._engine.view() as view:
            return tuple(kept.shown(now) for kept in sorted(_all(view), key=lambda kept: (kept.created, kept.id)))

    def revoke_token(self, token: str) -> "Token":
        """Makes a token worthless at once. ``token``: its id, or its name."""
        from dowse.model.change import Mark

        self._require_whole_admin()
        with self._engine.view() as view:
            found = next((kept for kept in _all(view) if token in (kept.id, kept.name)), None)
        if found is None:
            raise NotFound(f"There is no token {token!r}. List them to see their ids.")
        self._engine.apply([Mark(f"{_MARK}{found.id}", None)])
        return found.shown(self._clock())

    def principal_of(self, token: str, now: float) -> Principal | None:
        """Who shows this secret; None if nobody has it, or its time is over.

        They may name no path at all: whoever serves them says which folders are theirs.
        """
        import hmac

        digest = _digest(token)
        found = None
        with self._engine.view() as view:
            for kept in _all(view):
                # Every one is compared to the end, so that the time it takes tells nothing.
                if hmac.compare_digest(kept.digest, digest):
                    found = kept
        if found is None or found.has_expired(now):
            return None
        return Principal(found.name, frozenset(found.capabilities), found.reach, roots=())

    def _require_whole_admin(self) -> None:
        self._principal.require(Capability.ADMIN)
        self._principal.require_everything("give or take tokens")


@dataclass(frozen=True, slots=True)
class _Kept:
    """A token as it is kept."""

    digest: str
    name: str
    capabilities: tuple[Capability, ...]
    reach: Reach
    created: float
    expires: float | None

    @property
    def id(self) -> str:
        return self.digest[:_ID_LENGTH]

    def has_expired(self, now: float) -> bool:
        return self.expires is not None and now >= self.expires

    def shown(self, now: float) -> "Token":
        from dowse.model.token import Token

        named = tuple(capability.value for capability in self.capabilities)
        reach = self.reach
        expired = self.has_expired(now)
        return Token(self.id, self.name, named, reach.spaces, reach.under, reach.kinds, self.created, self.expires, expired)

    def to_json(self) -> str:
        return json.dumps(
            {
                "digest": self.digest,
                "name": self.name,
                "capabilities": self.capabilities,
                "spaces": self.reach.spaces,
                "under": self.reach.under,
                "kinds": self.reach.kinds,
                "created": self.created,
                "expires": self.expires,
            }
        )


def _all(view: View) -> list[_Kept]:
    return [_read(content) for content in view.marks(_MARK).values()]


def _read(content: str) -> _Kept:
    data = json.loads(content)
    reach = Reach(tuple(data["spaces"]), tuple(data["under"]), tuple(data["kinds"]))
    capabilities = tuple(Capability(item) for item in data["capabilities"])
    return _Kept(data["digest"], data["name"], capabilities, reach, data["created"], data["expires"])


def _digest(secret: str) -> str:
    import hashlib

    # Any text may be shown as a secret, also one that is no valid Unicode.
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).hexdigest()


def _capability(name: str) -> Capability:
    known = {capability.value.casefold(): capability for capability in Capability}
    if name.casefold() not in known:
        raise InvalidRequest(f"There is no capability {name!r}; there are {', '.join(item.value for item in Capability)}.")
    return known[name.casefold()]


def _named(name: str) -> str:
    named = " ".join(name.split())
    if not named or len(named) > _LONGEST_NAME or not named.isprintable():
        raise InvalidRequest(f"A token needs a name of 1 to {_LONGEST_NAME} characters that can be printed, not {name!r}.")
    return named


def _each_once(names: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(names))
