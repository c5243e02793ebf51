"""Which model gives a workspace its vectors? Named by a specification, remembered in the workspace."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from dowse.model.declaring import dataclass
from dowse.ports import Embedder, View

if TYPE_CHECKING:
    from dowse.model.change import Mark

VARIABLE = "DOWSE_MODEL"
DEFAULT = "static"
NONE = "none"
_MARK = "model"


def embedder_for(specification: str) -> Embedder | None:
    """The model a specification names. Raises ``EmbeddingFailed`` where it can be told at once that there is none."""
    from dowse.embed.picking import pick  # searching for a word needs no model

    return pick(specification)


@dataclass(frozen=True, slots=True)
class Choice:
    """How a workspace comes to its model: the one that was ``named`` from outside, else the one it remembers."""

    named: str | None = None
    open: Callable[[str], Embedder | None] = embedder_for

    def specification(self, view: View) -> str:
        return self.named or remembered(view)


def remembered(view: View) -> str:
    """The specification the workspace was told to use."""
    return view.mark(_MARK) or DEFAULT


def remember(specification: str) -> "Mark":
    from dowse.model.change import Mark  # searching writes nothing

    return Mark(_MARK, None if specification == DEFAULT else specification)


def is_remote(specification: str) -> bool:
    """Whether even asking what a model is takes as long as someone else's machine wants."""
    return specification.startswith(("http://", "https://"))


def full(specification: str) -> str:
    """A specification as it is meant: the name of a known model stands for that model.

    >>> full("All-MiniLM-L6-v2"), full("static")
    ('onnx:all-MiniLM-L6-v2', 'static')
    """
    from dowse.embed.profiles import named

    found = named(specification)
    return f"onnx:{found.name}" if found is not None else specification
