"""How much may a caller ask for? Sizes, and how often."""

import threading
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Limits:
    """What one request, and one caller, may take. Rates are requests a second; bursts are how many may come at once."""

    json_bytes: int = 1 << 20
    file_bytes: int = 1 << 30
    # Below what the server accepts of a request's head as a whole, so that the refusal says why.
    address_bytes: int = 32 << 10
    rate: float = 100.0
    burst: float = 200.0
    # Someone who mistypes a token tries a few times; someone who guesses tries for ever.
    wrong_rate: float = 0.2
    wrong_burst: float = 10.0


class Buckets:
    """A bucket of requests a caller, filled at a steady rate."""

    def __init__(self, rate: float, burst: float, clock: Callable[[], float], most: int = 4096) -> None:
        self._rate = rate
        self._burst = burst
        self._clock = clock
        self._most = most
        self._lock = threading.Lock()
        self._left: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def take(self, key: str) -> float:
        """Takes one request out; returns the seconds until there is one, 0 if there was."""
        with self._lock:
            left = self._filled(key)
            self._keep(key, left - 1 if left >= 1 else left)
            return 0.0 if left >= 1 else (1 - left) / self._rate

    def wait(self, key: str) -> float:
        """The seconds until there is one, without taking it."""
        with self._lock:
            return max(0.0, (1 - self._filled(key)) / self._rate)

    def _filled(self, key: str) -> float:
        left, at = self._left.get(key, (self._burst, self._clock()))
        return min(self._burst, left + (self._clock() - at) * self._rate)

    def _keep(self, key: str, left: float) -> None:
        self._left[key] = (left, self._clock())
        self._left.move_to_end(key)
        # The one who was here longest ago has a full bucket by now, or is one of very many.
        while len(self._left) > self._most:
            self._left.popitem(last=False)
