"""In which role is a piece of work, and how urgent is it, in the words people use?"""

import re

_ROLES = {
    "queue": "todo|to do|open|backlog|new|ready|planned|pending|next|inbox|icebox|deferred|later|unstarted|reopened|not started"
    "|triage",
    "work": "doing|in progress|active|started|wip|ongoing|working|in development|hooked",
    "review": "review|in review|needs review|ready for review|testing|verify|qa|in qa",
    "terminal": "done|closed|complete|completed|cancelled|canceled|finished|resolved|fixed|wontfix|wont fix|won t fix|abandoned"
    "|dropped|merged|shipped|archived|not planned|duplicate",
    "blocked": "blocked|waiting|on hold|stuck|paused",
}
_ROLE_OF = {word: role for role, said in _ROLES.items() for word in said.split("|")}

_PRIORITIES = {
    "high": "high|highest|urgent|critical|blocker|asap|major|important|p0|p1|a|0|1",
    "medium": "medium|normal|moderate|mid|default|p2|b|2",
    "low": "low|lowest|minor|trivial|someday|nice to have|p3|p4|c|3|4",
}
_PRIORITY_OF = {word: level for level, said in _PRIORITIES.items() for word in said.split("|")}


def role_of(status: str) -> str | None:
    """The role a status word stands for; None: the word says nothing about work.

    >>> role_of("In-Progress"), role_of("DONE"), role_of("accepted")
    ('work', 'terminal', None)
    """
    return _ROLE_OF.get(_plain(status))


def priority_of(word: str) -> str | None:
    """The level a priority stands for; numbers count down from 0, the most urgent.

    >>> priority_of("Priority: High"), priority_of("P2"), priority_of("4"), priority_of("purple")
    ('high', 'medium', 'low', None)
    """
    plain = _plain(word)
    return _PRIORITY_OF.get(plain.removeprefix("priority ").strip())


def _plain(word: str) -> str:
    return " ".join(re.findall(r"[^\W_]+", word.lower()))
