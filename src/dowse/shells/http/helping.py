"""How does another process help? It has the same workspace open and answers one question after the other, until nobody asks."""

import os
import pickle
import select
import signal
import subprocess
import sys
import time
import traceback
from contextlib import suppress
from typing import IO, TYPE_CHECKING, Any

from dowse.shells.http.asking import Question
from dowse.shells.http.releasing import EVERY, release

if TYPE_CHECKING:
    from dowse.app.permissions import Principal
    from dowse.app.workspace import Workspace

# Nothing of the starting process is taken along but where its modules are: it has threads and open files.
_PROGRAM = "import sys; sys.path[:] = {path!r}; from dowse.shells.http.helping import help_out; help_out()"
# Several processes that each use every core for one multiplication would only be in each other's way.
_ONE_THREAD = {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1", "MKL_NUM_THREADS": "1", "VECLIB_MAXIMUM_THREADS": "1"}
# Seconds without a question after which a helper goes, and its memory with it.
_IDLE = 600.0
# Seconds that a helper has to end by itself.
_PATIENCE = 5.0
# Asked before the first caller's question, so that theirs does not wait for columns, vectors and the model to be read.
_FIRST = "first words"


class Gone(Exception):
    """The helper has ended, whatever the reason; its question is not answered."""


class Helper:
    """A process that helps, as the server sees it. ``model``: the one that was named when the workspace was opened."""

    def __init__(self, location: str, model: str | None) -> None:
        self._told = (location, model)
        self._process = subprocess.Popen(
            [sys.executable, "-c", _PROGRAM.format(path=sys.path)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env={**_ONE_THREAD, **os.environ},
        )

    @property
    def id(self) -> int:
        return self._process.pid

    def wait_until_ready(self) -> None:
        """Raises what kept it from opening the workspace, or ``Gone``."""
        self._exchange(self._told)

    def ask(self, principal: "Principal", question: Question) -> Any:
        """The answer. Raises what the question raises there, or ``Gone``."""
        return self._exchange((principal, question))

    def end(self) -> None:
        """Lets it go: it ends when nobody can ask it any more."""
        incoming, outgoing = self._pipes
        for pipe in (incoming, outgoing):
            with suppress(OSError):
                pipe.close()
        try:
            self._process.wait(_PATIENCE)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()

    def stop(self) -> None:
        """Ends it whatever it does; who waits for it hears that it has gone."""
        self._process.kill()

    @property
    def _pipes(self) -> tuple[IO[bytes], IO[bytes]]:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        return self._process.stdin, self._process.stdout

    def _exchange(self, message: Any) -> Any:
        to_helper, from_helper = self._pipes
        # Before anything is sent: what cannot be told is no fault of the helper's.
        told = pickle.dumps(message)
        try:
            to_helper.write(told)
            to_helper.flush()
            error, answer = pickle.load(from_helper)
        except (OSError, EOFError, ValueError, pickle.UnpicklingError) as broken:
            raise Gone from broken
        if error is not None:
            raise error
        return answer


def help_out() -> None:
    """What a helper does from its beginning to its end. It ends when the other side of its standard input is closed."""
    # An interruption reaches every process of a terminal or a service; the server ends its helpers when they are done.
    for name in (signal.SIGINT, signal.SIGTERM):
        signal.signal(name, signal.SIG_IGN)
    incoming, outgoing = sys.stdin.buffer, os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    # Whatever prints must not print into the answers.
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    with suppress(EOFError, BrokenPipeError):
        _converse(incoming, outgoing)


def _converse(incoming: IO[bytes], outgoing: IO[bytes]) -> None:
    from dowse.app.opening import open

    location, model = pickle.load(incoming)
    try:
        whole = open(location, create=False, model=model)
    except Exception as error:  # noqa: BLE001 - whatever it is, the server has to hear of it
        _tell(outgoing, error)
        return
    with whole:
        whole.search(_FIRST, limit=1)
        _tell(outgoing)
        released = time.monotonic()
        while _is_asked(incoming):
            principal, question = pickle.load(incoming)
            _answer(outgoing, whole, principal, question)
            if time.monotonic() - released > EVERY:
                release()
                released = time.monotonic()


def _answer(outgoing: IO[bytes], whole: "Workspace", principal: "Principal", question: Question) -> None:
    try:
        answer = question.answer(whole.acting_as(principal))
    except Exception as error:  # noqa: BLE001 - raised again where the question comes from
        _tell(outgoing, error)
    else:
        _tell(outgoing, answer=answer)


def _tell(outgoing: IO[bytes], error: Exception | None = None, answer: Any = None) -> None:
    if error is not None:
        # The place where it was raised does not travel along by itself.
        error.add_note(f"In a helping process:\n{''.join(traceback.format_exception(error))}")
    try:
        told = pickle.dumps((error, answer))
        if error is not None:
            pickle.loads(told)
    except Exception as unsendable:  # noqa: BLE001 - errors of others may hold what cannot be sent
        told = pickle.dumps((RuntimeError(f"{error or unsendable!r} cannot be sent."), None))
    outgoing.write(told)
    outgoing.flush()


def _is_asked(incoming: IO[bytes]) -> bool:
    """Waits for the next question; False after a long time without one. What is known of the other end is told by reading."""
    if sys.platform == "win32":
        return True  # where one cannot wait for a pipe and a time at once, a helper stays until the server ends
    return bool(select.select([incoming], [], [], _IDLE)[0])
