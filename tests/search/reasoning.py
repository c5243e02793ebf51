"""Which declared reasons moved a hit? Beside what its score is made of."""

from dowse.model.page import Hit
from dowse.model.ranking import Signal

MADE_OF = ("every word", "meaning", "side by side")


def reasons(hit: Hit) -> tuple[Signal, ...]:
    return tuple(signal for signal in hit.signals if signal.name not in MADE_OF)
