"""How well does the search do on questions whose answers are known?"""

from dowse.model.declaring import dataclass


@dataclass(frozen=True, slots=True)
class Question:
    """A query and what must be found: records by id, files by path, stretches of files by ``path:12-40``.

    ``without``: fields of those records that the query was made of; ``itself``: the record it was made of. Both are taken out
    before anything is asked, or the question would answer itself.
    """

    query: str
    expected: tuple[str, ...]
    without: tuple[str, ...] = ()
    itself: str = ""
    source: str = ""
    """What it was made from, if dowse made it."""


@dataclass(frozen=True, slots=True)
class Measures:
    """Means over all questions. ``ndcg`` and ``mrr`` look at the first ten hits, ``recall`` at the first hundred."""

    ndcg: float
    mrr: float
    recall: float


@dataclass(frozen=True, slots=True)
class Difference:
    """One ranking minus another in nDCG, question by question: the mean, and where it lies with 95 % confidence."""

    mean: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class MeasuredList:
    """One way to rank, alone. ``against``: the whole search minus this one."""

    name: str
    measures: Measures
    against: Difference


@dataclass(frozen=True, slots=True)
class MeasuredSource:
    """The questions that were made from one source, apart from the others: some sources ask for more than others."""

    name: str
    questions: int
    measures: Measures


@dataclass(frozen=True, slots=True)
class Shortfall:
    """A question that was answered badly. ``rank``: where the first of the expected stood, if among the first hundred hits."""

    query: str
    expected: tuple[str, ...]
    ndcg: float
    rank: int | None
    first: str
    """What stood first instead; empty if nothing was found."""


@dataclass(frozen=True, slots=True)
class BenchReport:
    """``unknown``: what was expected and is nowhere in the workspace. ``notes``: what must be known to read the numbers."""

    questions: int
    measures: Measures
    sources: tuple[MeasuredSource, ...] = ()
    lists: tuple[MeasuredList, ...] = ()
    worst: tuple[Shortfall, ...] = ()
    unknown: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
