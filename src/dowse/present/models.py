"""How do models, their vectors and what they relate look to someone at a terminal?"""

from collections.abc import Sequence

from rich.console import Group
from rich.table import Table
from rich.text import Text

from dowse.model.modelling import Embedded, ModelChoice, ModelEntry
from dowse.model.page import Related
from dowse.model.passage import Embedding
from dowse.present.styled import DIM, KIND, TITLE, line

_MEGABYTE = 1_000_000


def embedded_line(done: Embedded) -> str:
    """What making vectors did, on one line.

    >>> embedded_line(Embedded("static", 1200, 2.0, done=5000, waiting=0))
    'static: 1,200 texts embedded in 2.0 s, 600 a second; all 5,000 passages have their vectors'
    >>> embedded_line(Embedded("static", 0, 0.0, done=10, waiting=3))
    'static: nothing to embed; 10 of 13 passages have their vectors, 3 wait'
    """
    speed = f"{done.made / done.seconds:,.0f} a second" if done.seconds else "at once"
    made = f"{done.made:,} texts embedded in {done.seconds:.1f} s, {speed}" if done.made else "nothing to embed"
    return f"{line(done.model)}: {made}; {_passages(done.done, done.waiting)}"


def state_line(state: Embedding) -> str:
    """Whose vectors there are and how far they are, for the status.

    >>> state_line(Embedding(specification="none"))
    'none: search is by words alone'
    """
    if state.profile is None:
        told = "search is by words alone" if state.specification == "none" else "no vectors yet"
        return f"{line(state.specification)}: {told}" + _because(state.failure)
    return f"{line(state.profile.name)}: {_passages(state.done, state.waiting)}{_because(state.failure)}"


def model_choice(choice: ModelChoice) -> Group:
    """What will be used, and what is left to be done for it."""
    if choice.overruled:
        told = f"{line(choice.overruled)} was named from outside (DOWSE_MODEL) and is used"
        note = f"{line(choice.specification)} is remembered, but {told}."
        return Group(Text(note))
    if not choice.name:
        return Group(Text("No model from now on: search is by words alone."))
    first = Text.assemble((line(choice.name), TITLE), f" from now on, {choice.dimension} numbers a passage")
    if not choice.waiting:
        return Group(first, Text(_passages(choice.done, 0), DIM))
    todo = f"{choice.waiting:,} passages wait for their vectors; 'dowse embed' makes them all, and every command that writes some."
    return Group(first, Text(todo))


def model_table(models: Sequence[ModelEntry]) -> Table:
    table = Table(box=None, padding=(0, 2, 0, 0), header_style=DIM, show_edge=False)
    for column in ("", "MODEL", "SIZE", "LICENCE", "WHERE"):
        table.add_column(column, overflow="fold")
    for item in models:
        size = f"{item.bytes / _MEGABYTE:,.0f} MB" if item.bytes else ""
        where = line(item.where) if item.is_here else f"not here; get it with: dowse model add {line(item.name)}"
        used = Text("in use" if item.used else "", "green")
        table.add_row(
            used, Text(line(item.specification), TITLE), size, line(item.licence), Text(where, "" if item.is_here else DIM)
        )
    return table


def model_entry(entry: ModelEntry) -> Text:
    """A model that is here now."""
    use = f"use it with: dowse model use {line(entry.specification)}"
    return Text.assemble((line(entry.name), TITLE), f" is in {line(entry.where)}; {use}")


def related_table(related: Related) -> Table:
    table = Table(box=None, padding=(0, 2, 0, 0), header_style=DIM, show_edge=False)
    for column in ("WHY", "ID", "KIND", "TITLE", "ALIKE"):
        table.add_column(column, overflow="fold")
    for item in related.relations:
        record = item.record
        alike = f"{item.score:.2f}" if item.score is not None else ""
        why = line(", ".join(item.why))
        table.add_row(why, line(record.key), Text(record.kind, KIND), Text(line(record.title)), alike)
    return table


def _passages(done: int, waiting: int) -> str:
    if not waiting:
        return f"all {done:,} passages have their vectors" if done else "there are no passages yet"
    return f"{done:,} of {done + waiting:,} passages have their vectors, {waiting:,} wait"


def _because(failure: str) -> str:
    return f"; making them fails: {line(failure)}" if failure else ""
