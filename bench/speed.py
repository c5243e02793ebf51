"""How fast is dowse beside others, on the same records, in one run? ``python -m bench.speed``"""

import argparse
import json
import os
import platform
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path

from bench.importing import Import, import_pieces, substring_seconds
from bench.questions import PER_CLASS, WORD_SHAPES, Asked, Shape, questions
from bench.systems import OTHERS, Dowse, DowseWorkspace, Fts5, System, Tantivy, Trigram, size_on_disk
from bench.tables import Cell, table
from bench.texts import Piece, pieces
from bench.timing import Clock, Times, cold, latency, warm, warm_in_a_row

# The questions are made from so many of the records; more would not change how common a word is.
_SAMPLE = 20_000
_MEGA = 1_000_000


@dataclass(slots=True)
class Report:
    records: int
    text_bytes: int
    questions: int
    memory: Import | None = None
    vocabulary_seconds: float = 0.0
    substring_seconds: float = 0.0
    words: int = 0
    build_seconds: dict[str, float] = field(default_factory=dict)
    bytes: dict[str, int] = field(default_factory=dict)
    cold: Times = field(default_factory=dict)
    warm: Times = field(default_factory=dict)
    in_a_row: Times = field(default_factory=dict)
    empty: dict[str, int] = field(default_factory=dict)


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.speed", description=__doc__)
    parser.add_argument(
        "--records", type=int, default=100_000, metavar="N", help="how many records of about 1 kB (default 100,000)"
    )
    parser.add_argument(
        "--questions", type=int, default=PER_CLASS, metavar="N", help=f"questions of each kind (default {PER_CLASS})"
    )
    parser.add_argument(
        "--skip", action="append", default=[], metavar="NAME", help="leave out fts5, trigram, tantivy or bm25s; may be repeated"
    )
    parser.add_argument(
        "--keep", metavar="FOLDER", help="keep the indexes there, and use those that are there: only questions are timed again"
    )
    parser.add_argument(
        "--processor", action="store_true", help="count the time a question takes of a processor, for a machine that others use too"
    )
    parser.add_argument("--json", action="store_true", help="print JSON, all times in it")
    options = parser.parse_args(arguments)
    with _place(options.keep) as place:
        clock = time.process_time if options.processor else time.perf_counter
        report = _measure(Path(place), options.records, options.questions, {name.lower() for name in options.skip}, clock)
    print(json.dumps(_plain(report), indent=1) if options.json else _render(report))
    return 0


@contextmanager
def _place(kept: str | None) -> Iterator[Path]:
    if kept is None:
        with tempfile.TemporaryDirectory(prefix="dowse-bench-") as temporary:
            yield Path(temporary)
        return
    Path(kept).mkdir(parents=True, exist_ok=True)
    yield Path(kept)


def _measure(place: Path, count: int, per_class: int, skipped: set[str], clock: Clock) -> Report:
    texts = list(pieces(count))
    asked = questions(texts[:: max(1, count // _SAMPLE)], per_class)
    report = Report(count, sum(piece.bytes for piece in texts), len(asked))
    dowse = Dowse(place)
    if not dowse.path.exists():
        _say(f"dowse: importing {count:,} records")
        report.memory = import_pieces(dowse.path, count)
        report.build_seconds[dowse.name] = report.memory.seconds
    report.bytes[dowse.name] = size_on_disk(dowse.path)
    report.vocabulary_seconds, report.substring_seconds, report.words = substring_seconds(dowse.path)
    others = _others(place, skipped)
    for system in others:
        _build(system, texts, report)
    del texts
    _ask([dowse, Dowse(place, whole_page=True), DowseWorkspace(place), *others], asked, report, clock)
    return report


def _others(place: Path, skipped: set[str]) -> list[System]:
    found: list[System] = []
    for make in OTHERS:
        name = getattr(make, "__name__", "")
        if name.lower() in skipped:
            continue
        try:
            found.append(make(place))
        except ImportError as error:
            _say(f"{name}: left out, {error}")
    return found


def _build(system: System, texts: Sequence[Piece], report: Report) -> None:
    if not system.path.exists():
        _say(f"{system.name}: building")
        start = time.perf_counter()
        system.build(texts)
        report.build_seconds[system.name] = time.perf_counter() - start
    report.bytes[system.name] = size_on_disk(system.path)


def _ask(systems: Sequence[System], asked: Sequence[Asked], report: Report, clock: Clock) -> None:
    _say(f"cold: {len(asked)} questions")
    report.cold = cold(systems, asked, clock)
    _say(f"warm: {len(asked)} questions")
    report.warm, report.empty = warm(systems, asked, clock)
    _say("warm, in a row")
    report.in_a_row = warm_in_a_row(systems, asked, clock)


def _render(report: Report) -> str:
    head = f"{report.records:,} records, {report.text_bytes / _MEGA:,.0f} MB of text; {report.questions} questions; "
    head += f"Python {platform.python_version()}, {platform.machine()}, {os.cpu_count()} cores"
    parts = [head, "Build", _builds(report), _memory(report)]
    parts += [
        "Cold: milliseconds, median / p99 (a new connection and empty caches for every question)",
        _latencies(report, report.cold),
    ]
    parts += [
        "Warm: milliseconds, median / p99 (every question was asked before; each follows one to another system)",
        _latencies(report, report.warm),
        "Warm, in a row: milliseconds, median / p99 (each system answers all questions before the next one begins)",
        _latencies(report, report.in_a_row),
    ]
    if report.empty:
        parts.append("Found nothing: " + ", ".join(f"{name} {count} times" for name, count in sorted(report.empty.items())))
    return "\n\n".join([*parts, "Goals", _goals(report)])


def _builds(report: Report) -> str:
    rows: list[list[Cell]] = []
    for name, size in report.bytes.items():
        seconds = report.build_seconds.get(name)
        rows.append([name, None if seconds is None else f"{seconds:.1f}", f"{size / _MEGA:.0f}", f"{size / report.text_bytes:.2f}"])
        if name == Dowse.name:
            rows.append([f"  of it the vocabulary ({report.words:,} words)", f"{report.vocabulary_seconds:.1f}", None, None])
            rows.append(["  of it the trigrams of the vocabulary", f"{report.substring_seconds:.1f}", None, None])
    return table(["system", "build, s", "on disk, MB", "of the text"], rows)


def _memory(report: Report) -> str:
    if report.memory is None:
        return "Importing into dowse: not measured, the index was there."
    peak, started = report.memory.peak_bytes / _MEGA, report.memory.started_bytes / _MEGA
    return f"Importing into dowse: at most {peak:.0f} MB resident, {started:.0f} MB of them before the first record."


def _latencies(report: Report, times: Times) -> str:
    names = [
        name
        for name in (Dowse.name, "dowse, whole page", DowseWorkspace.name, *report.bytes)
        if any(key[0] == name for key in times)
    ]
    columns: list[tuple[str, tuple[Shape, ...]]] = [(shape.value, (shape,)) for shape in WORD_SHAPES]
    columns += [("these three", WORD_SHAPES), (Shape.SUBSTRING.value, (Shape.SUBSTRING,))]
    rows: list[list[Cell]] = [[name, *(_cell(times, name, shapes) for _, shapes in columns)] for name in dict.fromkeys(names)]
    return table(["system", *(title for title, _ in columns)], rows)


def _cell(times: Times, name: str, shapes: tuple[Shape, ...]) -> str | None:
    found = latency(times, name, shapes)
    return None if found is None else f"{found.median * 1000:.2f} / {found.p99 * 1000:.1f}"


def _goals(report: Report) -> str:
    rows: list[list[Cell]] = []
    kinds = [*((shape.value, (shape,)) for shape in WORD_SHAPES), ("these three", WORD_SHAPES)]
    for what, name in (("ranked anew", Dowse.name), ("asked again", DowseWorkspace.name)):
        for how, times in (("warm", report.warm), ("in a row", report.in_a_row)):
            for title, shapes in kinds:
                ours, theirs = _median(times, name, shapes), _median(times, Tantivy.name, shapes)
                rows += _goal(f"{how}, median, {title}: {what} vs tantivy", ours, theirs, 1.0)
    for title, shapes in kinds:
        ours, theirs = _median(report.cold, Dowse.name, shapes), _median(report.cold, Fts5.name, shapes)
        rows += _goal(f"cold median, {title}: ranked vs FTS5", ours, theirs, 0.5)
    trigram = _milliseconds(report.build_seconds.get(Trigram.name))
    rows += _goal("trigrams of the vocabulary vs FTS5 trigram: build", _milliseconds(report.substring_seconds), trigram, 0.1)
    return table(["goal", "dowse, ms", "other, ms", "ratio", "at most", ""], rows)


def _goal(name: str, ours: float | None, theirs: float | None, most: float) -> list[list[Cell]]:
    if ours is None or not theirs:
        return []
    ratio = ours / theirs
    return [[name, f"{ours:.2f}", f"{theirs:.2f}", f"{ratio:.2f}", f"{most:.1f}", "met" if ratio <= most else "not met"]]


def _median(times: Times, name: str, shapes: Sequence[Shape]) -> float | None:
    found = latency(times, name, shapes)
    return None if found is None else _milliseconds(found.median)


def _milliseconds(seconds: float | None) -> float | None:
    return None if seconds is None else seconds * 1000


def _plain(report: Report) -> dict[str, object]:
    """The report with the times as nested objects: JSON has no tuples for names."""
    plain = {key: value for key, value in asdict(report).items() if key not in ("cold", "warm", "in_a_row")}
    for key, times in (("cold", report.cold), ("warm", report.warm), ("in_a_row", report.in_a_row)):
        nested: dict[str, dict[str, list[float]]] = {}
        for (name, shape), seconds in times.items():
            nested.setdefault(name, {})[shape.value] = seconds
        plain[key] = nested
    return plain


def _say(line: str) -> None:
    print(line, file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main())
