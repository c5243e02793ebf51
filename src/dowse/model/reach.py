"""What part of a workspace does someone see? Named by spaces, subtrees and kinds."""

from dowse.model.declaring import dataclass


@dataclass(frozen=True, slots=True)
class Reach:
    """What someone sees. Empty: everything. Every part narrows; of several names within a part any will do.

    ``under``: records with all that hangs below them. A record outside is to them as one that does not exist.
    """

    spaces: tuple[str, ...] = ()
    under: tuple[str, ...] = ()
    kinds: tuple[str, ...] = ()

    @property
    def is_everything(self) -> bool:
        return not (self.spaces or self.under or self.kinds)

    def covers(self, space: str) -> bool:
        """Whether everything that is or will ever be in a space is seen."""
        return not self.under and not self.kinds and (not self.spaces or space in self.spaces)

    def __str__(self) -> str:
        named = (("spaces", self.spaces), ("subtrees", self.under), ("kinds", self.kinds))
        return "; ".join(f"{name} {', '.join(repr(item) for item in items)}" for name, items in named if items) or "everything"
