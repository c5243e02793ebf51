"""How does an answer stay within the tokens an agent wants to spend? What is left comes with the call that gives it."""

import json
from collections.abc import Callable
from typing import Any

from dowse.errors import InvalidRequest
from dowse.shells.mcp.tool import Answer
from dowse.text.tokens import tokens_of

# A guess at what fits is a little too small rather than too large: every wrong one is asked for again.
_CAREFUL = 0.9


def cost(answer: Answer) -> int:
    """Tokens of the answer: of its text or of its data, whichever is more; clients show their model the one or the other."""
    return max(tokens_of(answer.text), tokens_of(as_json(answer.data)))


def as_json(data: Any) -> str:
    return json.dumps(data, ensure_ascii=False, separators=(",", ":"))


def within(tokens: int, shown: Callable[[Answer], int], ask: Callable[[int | None], Answer]) -> Answer:
    """As much as fits: ``ask`` takes how many things to show (None: as many as the caller wanted), ``shown`` counts them."""
    answer = ask(None)
    count = shown(answer)
    while count > 1 and (size := cost(answer)) > tokens:
        count = max(1, min(count - 1, int(count * _CAREFUL * tokens / size)))
        answer = ask(count)
    return answer


def require_fit(answer: Answer, tokens: int, advice: str) -> Answer:
    """Refuses what can be neither shown whole nor in parts; the advice says how to ask for less."""
    size = cost(answer)
    if size > tokens:
        raise InvalidRequest(f"The answer takes about {size:,} tokens, and at most {tokens:,} are allowed here. {advice}")
    return answer
