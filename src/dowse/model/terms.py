"""What a query asks for, once its text is understood. Nothing here is engine syntax."""

from dowse.model.declaring import dataclass
from dowse.model.schema import Column


@dataclass(frozen=True, slots=True)
class Term:
    """One thing to look for. More than one word means these words next to each other.

    ``prefix``: the last word may go on. ``columns``: only there. ``required`` false: scores when it occurs, is not missed when
    it does not (the whole of an identifier whose parts are asked for already). ``exact``: this form of the word only.
    ``pair``: names the run it came from, so that the parts of one identifier are known to belong together.
    """

    words: tuple[str, ...]
    weight: float = 1.0
    prefix: bool = False
    columns: tuple[Column, ...] = ()
    required: bool = True
    exact: bool = False

    def __hash__(self) -> int:
        # Terms of the same words differ seldom, and a search looks each of them up some ten times.
        return hash(self.words)

    @property
    def is_phrase(self) -> bool:
        return len(self.words) > 1

    @property
    def may_be_misspelt(self) -> bool:
        """Whether it was typed as a word like any other: not quoted, not as a beginning, not of one field."""
        return self.required and not (self.exact or self.prefix or self.columns or self.is_phrase)

    def __str__(self) -> str:
        text = " ".join(self.words)
        quoted = f'"{text}"' if self.is_phrase else text
        field = f"{'/'.join(self.columns)}:" if self.columns else ""
        return f"{field}{quoted}{'*' if self.prefix else ''}"


@dataclass(frozen=True, slots=True)
class Must:
    """Every one of these holds."""

    clauses: tuple["Clause", ...]


@dataclass(frozen=True, slots=True)
class Either:
    """At least one of these holds."""

    clauses: tuple["Clause", ...]


@dataclass(frozen=True, slots=True)
class Not:
    """This does not hold."""

    clause: "Clause"


Clause = Term | Must | Either | Not


@dataclass(frozen=True, slots=True)
class Query:
    """A query as understood.

    ``terms`` rank: the more of their weight a record holds, the higher it stands. ``filter`` decides: what it does not admit
    is no match, whatever its words. ``literals`` are the tokens as typed (folded), for substring search. ``ignored`` are stop
    words left out, for the explanation. ``headline`` is the first line of a report: what the lines below it are about.
    ``is_prose``: it is too long to have been typed as a name, and signs in it are punctuation.
    """

    text: str
    terms: tuple[Term, ...] = ()
    filter: Clause | None = None
    literals: tuple[str, ...] = ()
    ignored: tuple[str, ...] = ()
    headline: str = ""
    is_prose: bool = False

    @property
    def is_empty(self) -> bool:
        return not self.terms and self.filter is None and not self.literals
