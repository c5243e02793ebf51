"""How does everything grow? ``python -m bench.growth`` measures the same things at several sizes and prints each beside its goal.

Words at every size beside tantivy and FTS5; memory and writes of a workspace in use; vectors beside a plain product of matrices.
``--keep`` keeps the indexes, which take long to make at a million records, and uses those that are there.
"""

import argparse
import json
import os
import platform
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path

from bench.growth_plot import draw
from bench.growth_use import WRITES, Use, used
from bench.growth_vectors import Compared, compared
from bench.importing import import_pieces
from bench.questions import WORD_SHAPES, questions
from bench.systems import Dowse, DowseWorkspace, Fts5, System, Tantivy, size_on_disk
from bench.tables import Cell, table
from bench.texts import pieces
from bench.timing import Times, cold, latency, warm

_SIZES = (10_000, 100_000, 1_000_000)
_SAMPLE = 20_000
_MEGA = 1_000_000
# What can be measured by itself.
_PARTS = ("words", "use", "vectors")


@dataclass(slots=True)
class Size:
    """What was measured at one size. Times are medians and 99th percentiles over all questions, in milliseconds."""

    records: int
    text_bytes: int
    bytes: int
    import_seconds: float | None = None
    warm: dict[str, tuple[float, float]] = field(default_factory=dict)
    cold: dict[str, tuple[float, float]] = field(default_factory=dict)
    use: Use | None = None
    vectors: list[Compared] = field(default_factory=list)


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.growth", description=__doc__)
    parser.add_argument("--sizes", type=int, nargs="+", default=list(_SIZES), metavar="N", help="numbers of records")
    parser.add_argument("--questions", type=int, default=30, metavar="N", help="questions of each kind (default 30)")
    parser.add_argument(
        "--keep", metavar="FOLDER", help="keep the indexes there, a folder for each size, and use those that are there"
    )
    parser.add_argument("--only", nargs="+", choices=_PARTS, default=list(_PARTS), help="measure only this (default: everything)")
    parser.add_argument("--writes", type=int, default=WRITES, metavar="N", help=f"writes of a record (default {WRITES})")
    parser.add_argument("--plot", metavar="FILE", help="draw the growth as an SVG")
    parser.add_argument("--json", action="store_true", help="print JSON")
    options = parser.parse_args(arguments)
    with _place(options.keep) as place:
        sizes = [
            _measured(place / str(count), count, options.questions, options.only, options.writes) for count in sorted(options.sizes)
        ]
    print(json.dumps([asdict(size) for size in sizes], indent=1) if options.json else _render(sizes))
    if options.plot and "words" in options.only:
        draw(Path(options.plot), _lines(sizes))
    return 0


@contextmanager
def _place(kept: str | None) -> Iterator[Path]:
    if kept is not None:
        yield Path(kept)
        return
    with tempfile.TemporaryDirectory(prefix="dowse-bench-") as temporary:
        yield Path(temporary)


def _measured(place: Path, count: int, per_class: int, only: Sequence[str], writes: int) -> Size:
    place.mkdir(parents=True, exist_ok=True)
    size = Size(count, 0, 0)
    if "words" in only or "use" in only:
        _measure_words(place, size, per_class, only, writes)
    if "vectors" in only:
        _say(f"{count:,}: vectors")
        size.vectors = compared(count)
    return size


def _measure_words(place: Path, size: Size, per_class: int, only: Sequence[str], writes: int) -> None:
    count = size.records
    texts = list(pieces(count))
    asked = [item for item in questions(texts[:: max(1, count // _SAMPLE)], per_class) if item.shape in WORD_SHAPES]
    dowse, others = Dowse(place), (Tantivy(place), Fts5(place)) if "words" in only else ()
    if not dowse.path.exists():
        _say(f"{count:,}: importing")
        size.import_seconds = import_pieces(dowse.path, count).seconds
    for other in others:
        if not other.path.exists():
            _say(f"{count:,}: {other.name}")
            other.build(texts)
    size.text_bytes, size.bytes = sum(piece.bytes for piece in texts), size_on_disk(dowse.path)
    del texts
    if "words" in only:
        systems: tuple[System, ...] = (dowse, Dowse(place, whole_page=True), DowseWorkspace(place), *others)
        _say(f"{count:,}: cold")
        size.cold = _latencies(systems, cold(systems, asked))
        _say(f"{count:,}: warm")
        size.warm = _latencies(systems, warm(systems, asked)[0])
    if "use" in only:
        _say(f"{count:,}: in use")
        size.use = used(dowse.path, [item.text for item in asked], writes)


def _latencies(systems: Sequence[System], times: Times) -> dict[str, tuple[float, float]]:
    found = {system.name: latency(times, system.name, WORD_SHAPES) for system in systems}
    return {name: (item.median * 1000, item.p99 * 1000) for name, item in found.items() if item is not None}


def _render(sizes: Sequence[Size]) -> str:
    head = f"Python {platform.python_version()}, {platform.machine()}, {os.cpu_count()} cores; milliseconds are median / p99"
    columns = [f"{size.records:,}" for size in sizes]
    rows: list[list[Cell]] = []
    if sizes[0].text_bytes:
        rows.append(["import, s (words, without vectors)", *(_number(size.import_seconds) for size in sizes)])
        rows.append(["on disk, of the text", *(f"{size.bytes / size.text_bytes:.2f}" for size in sizes)])
    for title, times in (("warm", [size.warm for size in sizes]), ("cold", [size.cold for size in sizes])):
        rows += [[f"{title}: {name}", *(_times(found.get(name)) for found in times)] for name in times[0]]
    if sizes[0].use is not None:
        rows += [[name, *(_of_use(size.use, name) for size in sizes)] for name in _USES]
    for number, item in enumerate(sizes[0].vectors):
        rows.append([f"vectors, {item.name}: dowse", *(f"{size.vectors[number].ours_ms:.2f}" for size in sizes)])
        rows.append([f"vectors, {item.name}: float32 product", *(f"{size.vectors[number].theirs_ms:.2f}" for size in sizes)])
        rows.append([f"vectors, {item.name}: recall@10", *(f"{size.vectors[number].recall:.3f}" for size in sizes)])
    goals = [goal for size in sizes for goal in _goals(size)]
    return "\n\n".join([head, table(["", *columns], rows), "Goals", table(["goal", "records", "measured", "at most", ""], goals)])


_USES = (
    "memory of its own, MB",
    "memory with the mapped file, MB",
    "a write until it is found, ms",
    "of that: the write",
    "of that: the search",
    "of that: with a processor, %",
)


def _of_use(use: Use | None, name: str) -> str | None:
    if use is None:
        return None
    told = (
        f"{use.own_bytes / _MEGA:.0f}",
        f"{use.resident_bytes / _MEGA:.0f}",
        f"{use.visible_ms:.1f} / {use.visible_p99_ms:.1f}",
        f"{use.put_ms:.1f} / {use.put_p99_ms:.1f}",
        f"{use.search_ms:.1f} / {use.search_p99_ms:.1f}",
        f"{100 * use.running:.0f}",
    )
    return told[_USES.index(name)]


def _goals(size: Size) -> Iterator[list[Cell]]:
    if size.warm:
        ours, again, theirs = size.warm[Dowse.name], size.warm[DowseWorkspace.name], size.warm[Tantivy.name]
        yield _goal("warm median, ranked anew, of tantivy's", size, ours[0] / theirs[0], 1.0)
        yield _goal("warm p99, ranked anew, of tantivy's", size, ours[1] / theirs[1], 1.0)
        yield _goal("warm median, asked again, of tantivy's", size, again[0] / theirs[0], 1.0)
        yield _goal("warm p99, asked again, of tantivy's", size, again[1] / theirs[1], 1.0)
        yield _goal("cold median, of FTS5's", size, size.cold[Dowse.name][0] / size.cold[Fts5.name][0], 0.5)
    if size.text_bytes:
        yield _goal("on disk, of the text", size, size.bytes / size.text_bytes, 1.5)
    if size.use is not None:
        yield _goal("memory of its own, GB", size, size.use.own_bytes / 1e9, 1.0)
        yield _goal("a write until it is found, p99, ms", size, size.use.visible_p99_ms, 10.0)
    for item in size.vectors:
        yield _goal(f"vectors, {item.name}, of the float32 product", size, item.ours_ms / item.theirs_ms, 0.3)
        yield _goal(f"vectors, {item.name}, 1 - recall@10", size, round(1 - item.recall, 6), 0.01)


def _goal(name: str, size: Size, measured: float, most: float) -> list[Cell]:
    return [name, size.records, f"{measured:.2f}", f"{most:.2f}", "met" if measured <= most else "not met"]


def _lines(sizes: Sequence[Size]) -> dict[str, list[tuple[int, float]]]:
    lines = {f"warm, {name}": [(size.records, size.warm[name][0]) for size in sizes] for name in sizes[0].warm}
    return lines | {
        f"cold, {name}": [(size.records, size.cold[name][0]) for size in sizes] for name in (Dowse.name, Fts5.name, Tantivy.name)
    }


def _times(found: tuple[float, float] | None) -> str | None:
    return None if found is None else f"{found[0]:.2f} / {found[1]:.1f}"


def _number(value: float | None) -> str | None:
    return None if value is None else f"{value:.0f}"


def _say(line: str) -> None:
    print(line, file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main())
