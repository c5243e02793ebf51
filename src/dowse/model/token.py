"""What is known of a token? Everything but its secret, which only its holder has."""

from dowse.model.declaring import dataclass


@dataclass(frozen=True, slots=True)
class Token:
    """Who may do what by showing a secret. Without ``spaces``, ``under`` and ``kinds``: with everything."""

    id: str
    name: str
    capabilities: tuple[str, ...]
    spaces: tuple[str, ...]
    under: tuple[str, ...]
    kinds: tuple[str, ...]
    created: float
    expires: float | None = None
    expired: bool = False


@dataclass(frozen=True, slots=True)
class NewToken:
    """A token that was just made, with its secret: the only time that it is shown."""

    secret: str
    token: Token
