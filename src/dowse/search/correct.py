"""Which words did the user mean that stand nowhere as typed?"""

import re
from collections.abc import Mapping, Sequence
from functools import partial

from dowse.model.declaring import replace
from dowse.model.request import Lane, ListPlan
from dowse.model.terms import Query, Term
from dowse.ports import Selection, View
from dowse.search.retrieve import Retrieved, complete_of
from dowse.text.spelling import distance, slips

# Where a part of an identifier may begin: after what is no small letter, or with a capital.
_BEGINS = r"(?:(?<![a-z])|(?=[A-Z]))"


def corrections(view: View, query: Query, lists: Sequence[Retrieved], within: Selection) -> dict[str, str]:
    """For each misspelt word of the query the one that it is taken for: the closest, of those the one that most records hold.

    Where some record holds every word, nobody needs to look; and a word that stands somewhere is what its user says it is.
    """
    for text in lists:
        if text.plan.lane is Lane.STEMS:
            return {} if complete_of(text.ranking) else _corrections(view, query, text.plan, within)
    return {}


def _corrections(view: View, query: Query, text: ListPlan, within: Selection) -> dict[str, str]:
    plan = replace(text, front=None)
    meant = {}
    for typed, known in view.misspelt(query, plan).items():
        held = [(distance(typed, word, slips(typed)), -_holders(view, word, plan, within), word) for word in known]
        nearest = min((item for item in held if item[1]), default=None)
        if nearest is not None:
            meant[typed] = nearest[2]
    return {typed: word for typed, word in meant.items() if corrected(query.text, {typed: word}) != query.text}


def corrected(text: str, meant: Mapping[str, str]) -> str:
    """The text with the words that were meant, in the letters it was typed in.

    >>> corrected("Websokets and parseClinetURL", {"websokets": "websockets", "clinet": "client"})
    'Websockets and parseClientURL'
    """
    for typed, word in meant.items():
        pattern = re.compile(rf"{_BEGINS}(?i:{re.escape(typed)})(?![a-z])")
        text = pattern.sub(partial(_cased, word), text)
    return text


def _cased(word: str, match: re.Match[str]) -> str:
    """The word in the capitals of the one that it stands for."""
    if match[0].isupper():
        return word.upper()
    return word[:1].upper() + word[1:] if match[0][:1].isupper() else word


def _holders(view: View, word: str, plan: ListPlan, within: Selection) -> int:
    """How many of the records that may answer hold a word."""
    return len(view.match(Query(word, (Term((word,)),)), plan, within).handles)
