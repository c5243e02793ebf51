"""Who may do what? A capability is checked before anything is read."""

from dataclasses import dataclass
from enum import StrEnum

from dowse.errors import Forbidden


class Capability(StrEnum):
    SEARCH_USE = "SearchUse"
    READ = "Read"
    WRITE = "Write"
    ADMIN = "Admin"


@dataclass(frozen=True, slots=True)
class Principal:
    """Someone who calls. A local owner may do everything."""

    name: str
    capabilities: frozenset[Capability]

    def require(self, capability: Capability) -> None:
        if capability not in self.capabilities:
            raise Forbidden(f"{self.name} lacks the capability {capability.value}. Ask the owner of the workspace for it.")


OWNER = Principal("owner", frozenset(Capability))
