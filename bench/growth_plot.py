"""How does growth look? Both axes logarithmic, a line for each system."""

from collections.abc import Mapping, Sequence
from pathlib import Path


def draw(path: Path, lines: Mapping[str, Sequence[tuple[int, float]]]) -> None:
    from matplotlib.figure import Figure  # of the group "bench"; only drawing needs it

    figure = Figure(figsize=(9, 4.5), layout="constrained")
    for axes, title in zip(figure.subplots(1, 2, sharey=True), ("warm", "cold"), strict=True):
        for name, points in lines.items():
            if name.startswith(title):
                axes.plot(*zip(*points, strict=True), marker="o", label=name.partition(", ")[2])
        axes.set(xscale="log", yscale="log", xlabel="records", title=title)
        axes.grid(True, which="major", alpha=0.3)
        axes.legend(fontsize="small")
    figure.axes[0].set_ylabel("milliseconds, median")
    figure.savefig(path, format="svg", metadata={"Date": None})
