"""What can be asked of any process that has the workspace open? A question: values alone, and how to answer it."""

from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from dowse.app.workspace import Workspace


class Question(Protocol):
    """Something that only reads. It can be sent to another process, and its answer sent back."""

    def answer(self, workspace: "Workspace", /) -> Any:
        """The answer for who the workspace acts as. What goes wrong is raised, here as there."""
        ...


Ask = Callable[["Workspace", Callable[[], Question]], Awaitable[Any]]
"""Has a question answered for who a workspace acts as; it is made where making it keeps nobody waiting."""
