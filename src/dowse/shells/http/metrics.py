"""How much is asked, and how fast is it answered? Counted here, told in Prometheus' text format."""

from bisect import bisect_left
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

MEDIA_TYPE = "text/plain; version=0.0.4; charset=utf-8"
# Seconds: a warm search takes a few milliseconds, an index minutes.
_BOUNDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0, 60.0)

Sample = tuple[Mapping[str, str], float]


@dataclass(slots=True)
class _Histogram:
    counts: list[int] = field(default_factory=lambda: [0] * (len(_BOUNDS) + 1))
    seconds: float = 0.0


class Metrics:
    """Counts of a server's requests. Used by its loop alone."""

    def __init__(self) -> None:
        self._requests: dict[tuple[str, str, int], int] = {}
        self._latencies: dict[str, _Histogram] = {}
        self.in_flight = 0

    def count(self, operation: str, method: str, status: int, seconds: float) -> None:
        asked = (operation, method, status)
        self._requests[asked] = self._requests.get(asked, 0) + 1
        latency = self._latencies.setdefault(operation, _Histogram())
        latency.counts[bisect_left(_BOUNDS, seconds)] += 1
        latency.seconds += seconds

    def text(self, gauges: Iterable[tuple[str, str, Iterable[Sample]]]) -> str:
        """Everything counted, and the gauges: each a name, what it tells, and its samples."""
        lines: list[str] = []
        requests = [
            ({"operation": operation, "method": method, "status": str(status)}, float(number))
            for (operation, method, status), number in sorted(self._requests.items())
        ]
        _family(lines, "dowse_requests_total", "counter", "Requests that were answered.", requests)
        self._write_latencies(lines)
        for name, about, samples in gauges:
            _family(lines, name, "gauge", about, samples)
        return "\n".join(lines) + "\n"

    def _write_latencies(self, lines: list[str]) -> None:
        name = "dowse_request_seconds"
        lines += [f"# HELP {name} Seconds from a request to the end of its answer.", f"# TYPE {name} histogram"]
        for operation, latency in sorted(self._latencies.items()):
            below = 0
            for bound, number in zip((*_BOUNDS, "+Inf"), latency.counts, strict=True):
                below += number
                lines.append(f"{name}_bucket{_labels({'operation': operation, 'le': str(bound)})} {below}")
            lines.append(f"{name}_sum{_labels({'operation': operation})} {latency.seconds:.6f}")
            lines.append(f"{name}_count{_labels({'operation': operation})} {below}")


def _family(lines: list[str], name: str, type: str, about: str, samples: Iterable[Sample]) -> None:
    lines += [f"# HELP {name} {about}", f"# TYPE {name} {type}"]
    lines += [f"{name}{_labels(labels)} {_number(number)}" for labels, number in samples]


def _number(number: float) -> str:
    return str(int(number)) if number.is_integer() else repr(number)


def _labels(labels: Mapping[str, str]) -> str:
    def quoted(text: str) -> str:
        return text.replace("\\", r"\\").replace('"', r"\"").replace("\n", r"\n")

    return "{" + ",".join(f'{name}="{quoted(value)}"' for name, value in labels.items()) + "}" if labels else ""
