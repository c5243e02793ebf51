"""What happens meanwhile? Server-sent events: another generation of the index, and how far jobs are."""

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any

from dowse.app.permissions import Principal
from dowse.errors import StorageError
from dowse.shells.http.jobs import Job

MEDIA_TYPE = "text/event-stream"
# Seconds between two looks at the generation: other processes write too, and only the file tells.
_LOOK = 0.5
# Seconds of silence after which a listener hears that the connection lives; proxies close silent ones after 30 or 60.
_PING = 15.0
# Milliseconds after which a browser tries again.
_RETRY = 2000


@dataclass(eq=False, slots=True)
class Listener:
    """Someone who listens. Of what they could not take yet only the last of each kind is kept, so a slow one costs nothing."""

    principal: Principal
    waiting: dict[str, str] = field(default_factory=dict)
    wake: asyncio.Event = field(default_factory=asyncio.Event)
    ended: bool = False

    def hear(self, about: str, text: str) -> None:
        self.waiting.pop(about, None)
        self.waiting[about] = text
        self.wake.set()


class Events:
    """All who listen, and the one look at the index for all of them, taken only while someone listens."""

    def __init__(self, generation: Callable[[], Awaitable[int]], *, look: float = _LOOK, ping: float = _PING) -> None:
        self._generation = generation
        self._look = look
        self._ping = ping
        self._listeners: list[Listener] = []
        self._known: int | None = None
        self._looking: asyncio.Task[None] | None = None
        self._closed = False

    async def listen(self, principal: Principal, last: str | None) -> AsyncIterator[str]:
        """What happens from now on. First the generation, unless it is the ``last`` one the listener heard of."""
        listener = Listener(principal)
        current = await self._generation()
        self._listeners.append(listener)
        if self._looking is None or self._looking.done():
            self._known = current
            self._looking = asyncio.create_task(self._keep_looking())
        try:
            yield f"retry: {_RETRY}\n\n"
            if str(current) != last:
                yield _generation(current)
            async for text in self._heard(listener):
                yield text
        finally:
            self._listeners.remove(listener)

    def tell(self, job: Job) -> None:
        """Says how far a job is, to those who may see it."""
        text = _event("job", job.json)
        for listener in self._listeners:
            if job.visible_to(listener.principal):
                listener.hear(job.id, text)

    def close(self) -> None:
        """Ends every stream."""
        self._closed = True
        for listener in self._listeners:
            listener.ended = True
            listener.wake.set()
        if self._looking is not None:
            self._looking.cancel()

    async def _heard(self, listener: Listener) -> AsyncIterator[str]:
        while not (listener.ended or self._closed):
            try:
                await asyncio.wait_for(listener.wake.wait(), self._ping)
            except TimeoutError:
                yield _event("ping", {})
            listener.wake.clear()
            texts, listener.waiting = list(listener.waiting.values()), {}
            for text in texts:
                yield text

    async def _keep_looking(self) -> None:
        while self._listeners:
            await asyncio.sleep(self._look)
            try:
                current = await self._generation()
            except StorageError:
                continue  # held by another process for now; the next look tells
            if current != self._known:
                self._known = current
                for listener in self._listeners:
                    listener.hear("generation", _generation(current))


def _generation(number: int) -> str:
    return _event("generation", {"generation": number}, str(number))


def _event(kind: str, data: dict[str, Any], id: str | None = None) -> str:
    named = f"id: {id}\n" if id is not None else ""
    return f"{named}event: {kind}\ndata: {json.dumps(data)}\n\n"
