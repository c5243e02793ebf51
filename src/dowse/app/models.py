"""Which model gives a workspace its vectors? Named by a specification, remembered in the workspace."""

from dowse.errors import EmbeddingFailed
from dowse.model.change import Mark
from dowse.model.passage import Profile, Vectors
from dowse.ports import Embedder, Engine

VARIABLE = "DOWSE_MODEL"
DEFAULT = "static"
NONE = "none"
_MARK = "model"


def embedder_for(specification: str) -> Embedder | None:
    """The model a specification names; one that cannot be used says why when it is asked."""
    from dowse.embed.picking import pick  # searching for a word needs no model

    try:
        return pick(specification)
    except EmbeddingFailed as error:
        return Unusable(error)


def remembered(engine: Engine) -> str:
    """The specification the workspace was told to use."""
    with engine.view() as view:
        return view.mark(_MARK) or DEFAULT


def remember(specification: str) -> Mark:
    return Mark(_MARK, None if specification == DEFAULT else specification)


class Unusable:
    """A model that is named but not there. Every use fails with the reason, so that searches can say it and go on."""

    def __init__(self, reason: EmbeddingFailed) -> None:
        self._reason = reason

    @property
    def profile(self) -> Profile:
        raise self._reason

    def embed(self, texts: object, *, query: bool = False) -> Vectors:
        raise self._reason

    def close(self) -> None:
        pass
