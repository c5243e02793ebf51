"""How do measurements of the search look to someone at a terminal?"""

from collections.abc import Iterator

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from dowse.model.benching import BenchReport, MeasuredList, Measures, Shortfall
from dowse.present.styled import DIM, TITLE, line

# More than these are a log, not an answer; --json has them all.
_TOLD = 5


def bench_report(report: BenchReport) -> Group:
    """The measures, the lists beside them, the questions that were answered worst, and what to know of it all."""
    parts: list[RenderableType] = [Text(f"{report.questions:,} questions", TITLE), _measures(report)]
    if report.worst:
        parts += [Text("\nanswered worst", TITLE), *(part for item in report.worst for part in _shortfall(item))]
    parts += [Text(f"note: {line(note)}", DIM) for note in report.notes]
    if report.unknown:
        more = f" and {len(report.unknown) - _TOLD:,} more" if len(report.unknown) > _TOLD else ""
        names = ", ".join(line(item) for item in report.unknown[:_TOLD])
        parts.append(Text(f"expected, but nowhere in the workspace: {names}{more}", "yellow"))
    return Group(*parts)


def _measures(report: BenchReport) -> Table:
    table = Table(box=None, padding=(0, 2, 0, 0), header_style=DIM, show_edge=False)
    table.add_column("")
    for name in ("nDCG@10", "MRR@10", "R@100", *(["SEARCH IS BETTER BY", "95 %"] if report.lists else [])):
        table.add_column(name, justify="right")
    table.add_row("search", *_numbers(report.measures))
    for part in report.sources:
        table.add_row(f"  {line(part.name)} ({part.questions:,})", *_numbers(part.measures))
    for item in report.lists:
        table.add_row(line(item.name), *_numbers(item.measures), *_difference(item))
    return table


def _numbers(measures: Measures) -> tuple[str, str, str]:
    return f"{measures.ndcg:.3f}", f"{measures.mrr:.3f}", f"{measures.recall:.3f}"


def _difference(item: MeasuredList) -> tuple[str, str]:
    return f"{item.against.mean:+.3f}", f"{item.against.low:+.3f} … {item.against.high:+.3f}"


def _shortfall(item: Shortfall) -> Iterator[RenderableType]:
    where = f"at {item.rank}" if item.rank is not None else "not among the first hundred"
    yield Text.assemble((f"{item.ndcg:.3f}  ", DIM), line(item.query))
    wanted = ", ".join(map(line, item.expected[:_TOLD]))
    first = f"; first: {line(item.first)}" if item.first and item.rank != 1 else ""
    yield Padding(Text(f"{wanted}  {where}{first}", DIM), (0, 0, 0, 7))
