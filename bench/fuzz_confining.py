"""How is a campaign kept to itself? No connection leaves this machine, and what the code under test logs as its fault is heard."""

import logging
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

_LOCAL = ("127.0.0.1", "::1", "localhost")


@contextmanager
def confined() -> Iterator[None]:
    """Nothing is fetched from elsewhere meanwhile: whoever tries is told that there is no way."""
    state = {"on": True}

    def look(event: str, arguments: tuple[Any, ...]) -> None:
        if state["on"] and event in ("socket.connect", "socket.getaddrinfo"):
            address = arguments[1] if event == "socket.connect" else arguments
            host = address[0] if isinstance(address, tuple) else address
            if isinstance(host, str) and not host.startswith("/") and host not in _LOCAL:
                raise OSError(f"a campaign reaches nobody, also not {host}")

    sys.addaudithook(look)
    before = os.environ.get("GIT_ALLOW_PROTOCOL")
    os.environ["GIT_ALLOW_PROTOCOL"] = "file"
    try:
        yield
    finally:
        # A hook cannot be taken away.
        state["on"] = False
        if before is None:
            del os.environ["GIT_ALLOW_PROTOCOL"]
        else:
            os.environ["GIT_ALLOW_PROTOCOL"] = before


class Heard(logging.Handler):
    """The errors that were logged with their traces, until someone takes them."""

    def __init__(self) -> None:
        super().__init__(logging.ERROR)
        self._errors: list[BaseException] = []

    def emit(self, record: logging.LogRecord) -> None:
        # Some say with False that there is no trace to tell.
        if isinstance(record.exc_info, tuple) and record.exc_info[1] is not None:
            self._errors.append(record.exc_info[1])

    def take(self) -> BaseException | None:
        """The first of them, and forgets all."""
        taken, self._errors = self._errors, []
        return taken[0] if taken else None


@contextmanager
def hearing(*names: str) -> Iterator[Heard]:
    """Hears what these loggers are told, and lets nobody else hear it."""
    heard = Heard()
    loggers = [logging.getLogger(name) for name in names]
    before = [(logger.propagate, logger.level) for logger in loggers]
    for logger in loggers:
        logger.addHandler(heard)
        logger.propagate = False
        logger.setLevel(logging.ERROR)
    try:
        yield heard
    finally:
        for logger, (propagates, level) in zip(loggers, before, strict=True):
            logger.removeHandler(heard)
            logger.propagate = propagates
            logger.setLevel(level)
