"""How does a run look over its hour? Six small panels. ``python -m bench.endur_plot SAMPLES.json PLOT.svg`` shows it anew."""

import io
import json
import re
import sys
from collections.abc import Sequence
from pathlib import Path

from bench.endur_samples import Sample, from_json, series, shown

# Panels, each with its unit and what is in it. Others may work on the machine: its load says how far times are theirs.
_PANELS = (
    ("memory of its own, MiB", (("server", "server.own"), ("helpers", "helpers.own"), ("watcher", "watcher.own"))),
    (
        "open files and threads",
        (
            ("server: files", "server.handles"),
            ("watcher: files", "watcher.handles"),
            ("server: threads", "server.threads"),
            ("watcher: threads", "watcher.threads"),
        ),
    ),
    ("on the disk, MiB", (("database", "database"), ("log (WAL)", "log"), ("free pages", "free"))),
    ("an answer, ms", (("p50", "p50"), ("p99", "p99"), ("processor time", "cost"))),
    ("since the start", (("commits", "commits"), ("errors", "errors"))),
    ("processes that want a core of the machine", (("load", "load"),)),
)
_COLOURS = ("#1f5fa8", "#c2571a", "#4f7f3a", "#7a4b9a")
# Times of idle and of busy moments are told apart only so.
_LOGARITHMIC = "an answer, ms"
# A tenth of a point is finer than a screen shows.
_LONG_NUMBER = re.compile(r"(\d+\.\d)\d+")


def main(samples: Path, plot: Path) -> None:
    read = [from_json(item) for item in json.loads(samples.read_text())]
    draw(read, plot)
    print(shown(read))


def draw(samples: Sequence[Sample], path: Path) -> None:
    # Only here: the rest of a run needs nothing that draws.
    import matplotlib as mpl

    mpl.use("svg")
    # Text as text keeps the file small and can be searched; a fixed salt gives the same samples the same file.
    mpl.rcParams.update({"svg.fonttype": "none", "svg.hashsalt": "endurance", "font.sans-serif": ["DejaVu Sans"], "font.size": 9})
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(2, 3, figsize=(11, 5.6), layout="constrained", facecolor="white")
    for axis, (title, lines) in zip(axes.flat, _PANELS, strict=True):
        for (name, measure), colour in zip(lines, _COLOURS, strict=False):
            moments, numbers = series(samples, measure)
            first = numbers[0] if measure == "commits" else 0.0
            axis.plot(
                [moment / 60 for moment in moments], [number - first for number in numbers], color=colour, linewidth=1.1, label=name
            )
        axis.set_title(title, loc="left")
        if title == _LOGARITHMIC:
            axis.set_yscale("log")
        else:
            axis.set_ylim(bottom=0)
        axis.margins(x=0)
        axis.grid(alpha=0.25, linewidth=0.5)
        axis.spines[["top", "right"]].set_visible(False)
        axis.legend(frameon=False, fontsize=8, loc="best", ncols=2)
    for axis in axes[-1]:
        axis.set_xlabel("minutes")
    drawn = io.StringIO()
    figure.savefig(drawn, format="svg", metadata={"Date": None, "Creator": None})
    pyplot.close(figure)
    path.write_text("\n".join(_shortened(line.strip()) for line in drawn.getvalue().splitlines()) + "\n")


def _shortened(line: str) -> str:
    # What is written stays as it is.
    mark, between, rest = line.partition(">") if line.startswith("<text") else (line, "", "")
    return _LONG_NUMBER.sub(r"\1", mark) + between + rest


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
