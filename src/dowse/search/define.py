"""Which records are called what the query names?"""

from dowse.model.terms import Query
from dowse.ports import View
from dowse.text.naming import names_in

# A query that is one name asks for that thing; a name within a question says what the question is about (docs/ranking.md).
_NAME_IN_QUESTION = 0.3
# Session and session are two things in most languages; who types one may still mean the other.
_OTHER_CASE = 0.4


def definitions(view: View, query: Query) -> dict[int, float]:
    """Each record whose title the query names, with how surely it is meant."""
    named = names_in(query.text)
    if not named:
        return {}
    asked = 1.0 if len(query.text.split()) == 1 else _NAME_IN_QUESTION
    return {handle: asked * (1.0 if title in named else _OTHER_CASE) for handle, title in view.entitled(named)}
