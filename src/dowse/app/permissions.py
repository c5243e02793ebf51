"""Who may do what, with which part of the workspace, and with which files? Checked before anything is read."""

import os
from dataclasses import field
from enum import StrEnum
from pathlib import Path

from dowse.errors import Forbidden, InvalidRequest
from dowse.model.declaring import dataclass
from dowse.model.reach import Reach

__all__ = ["OWNER", "Capability", "Principal", "Reach"]


class Capability(StrEnum):
    SEARCH_USE = "SearchUse"
    READ = "Read"
    WRITE = "Write"
    ADMIN = "Admin"


@dataclass(frozen=True, slots=True)
class Principal:
    """Someone who calls. A local owner may do everything.

    ``reach``: what part of the workspace they see and write. ``roots``: folders in which they may name paths; None: any, and
    addresses elsewhere too.
    """

    name: str
    capabilities: frozenset[Capability]
    reach: Reach = field(default_factory=Reach)
    roots: tuple[Path, ...] | None = None

    def require(self, capability: Capability) -> None:
        if capability not in self.capabilities:
            raise Forbidden(f"{self.name} lacks the capability {capability.value}. Ask the owner of the workspace for it.")

    def require_everything(self, what: str) -> None:
        """Refuses what cannot be confined to a part of the workspace."""
        if not self.reach.is_everything:
            raise Forbidden(
                f"{self.name} may not {what}: that concerns the whole workspace, and they see only a part of it ({self.reach})."
            )

    def require_path(self, path: str | os.PathLike[str], further: tuple[Path, ...] = ()) -> None:
        """Refuses a path that does not lie in one of the roots, or of some further ones, once all symbolic links are followed; and
        one that no file can have, or that this process may not look at."""
        if self.roots is None:
            return
        # Nothing about what is there is told: whether it exists is not theirs to know.
        real = _real(path)
        if real is None or not any(real.is_relative_to(root) for root in map(_real, (*self.roots, *further)) if root is not None):
            raise Forbidden(f"{os.fspath(path)} lies outside the folders in which {self.name} may name paths.")
        try:
            os.lstat(real)
        except (FileNotFoundError, NotADirectoryError):
            return  # whoever needs it to be there says so
        except OSError as error:
            raise InvalidRequest(f"{os.fspath(path)} cannot be looked at: {error.strerror}.") from error

    def require_address(self, address: str) -> None:
        """Refuses to reach out to an address, for those who are confined to some folders."""
        if self.roots is not None:
            raise Forbidden(
                f"{self.name} may not have {address} asked: nothing outside this machine is reached for them. The owner may."
            )


OWNER = Principal("owner", frozenset(Capability))


def _real(path: str | os.PathLike[str]) -> Path | None:
    """Where a path leads; None where it leads nowhere at all."""
    try:
        return Path(path).expanduser().resolve()
    except (OSError, RuntimeError, ValueError):
        return None
