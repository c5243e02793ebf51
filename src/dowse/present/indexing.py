"""How does an indexing run look to someone at a terminal?"""

from collections.abc import Iterator

from rich.console import Group
from rich.text import Text

from dowse.model.run import Message, Summary
from dowse.present.styled import DIM, line

# More lines than this are a log, not an answer; --json has them all.
_TOLD = 10
_MEGABYTE = 1_000_000
# The speed of a run that read less than this says more about starting up than about reading.
_WORTH_TELLING = 100_000


def summary_line(summary: Summary) -> str:
    """The run on one line.

    >>> summary_line(Summary("acme", "/acme", files=7, unchanged=5, added=1, changed=1, bytes=2048, records=9, seconds=0.5))
    'acme: 1 added, 1 changed, 5 unchanged; 9 records changed; 0.5 s'
    """
    happened = {
        "added": summary.added,
        "changed": summary.changed,
        "moved": summary.moved,
        "gone": summary.gone,
        "unchanged": summary.unchanged,
    }
    files = ", ".join(f"{count:,} {name}" for name, count in happened.items() if count) or "no files"
    would = "would be " if summary.dry_run else ""
    return f"{line(summary.space)}: {files}; {summary.records:,} records {would}changed; {_seconds(summary.seconds)}"


def summary(run: Summary) -> Group:
    """The run with what was left out and why."""
    parts = [Text(summary_line(run))]
    if run.bytes >= _WORTH_TELLING and run.seconds:
        rate = run.bytes / _MEGABYTE / run.seconds
        parts.append(Text(f"read {run.bytes / _MEGABYTE:,.1f} MB at {rate:,.1f} MB/s; {run.edges:,} edges changed", DIM))
    if run.skipped:
        reasons = ", ".join(f"{count:,} {reason}" for reason, count in run.skipped.items())
        parts.append(Text(f"left out: {reasons}", DIM))
    parts += _messages("left out", run.left_out)
    parts += _messages("problem", run.problems)
    return Group(*parts)


def _messages(what: str, messages: tuple[Message, ...]) -> Iterator[Text]:
    for message in messages[:_TOLD]:
        yield Text.assemble((f"{what}  ", DIM), line(message.path), (f"  {line(message.text)}", DIM))
    if len(messages) > _TOLD:
        yield Text(f"… and {len(messages) - _TOLD:,} more; --json tells all", DIM)


def _seconds(seconds: float) -> str:
    return f"{seconds:.1f} s" if seconds < 60 else f"{seconds / 60:.1f} min"
