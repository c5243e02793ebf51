"""Do the cluster and SQLite answer alike? ``python -m bench.cluster_agreement --cluster 127.0.0.1:9201``

The questions of judged sets are asked of both, over the same records: how many of the first ten are the same, how many of the
totals, and what each is worth by the judgements.
"""

import argparse
import json
import uuid
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import fmean

from bench.answering import DEPTH, ask_dowse, fill, index_of, judge, kinds_asked, means
from bench.judged import JudgedSet, Question, folder, load, names
from bench.keeping import Shelf, progress
from bench.tables import Cell, table
from dowse.app.embedding import EmbeddingEngine
from dowse.app.models import DEFAULT, Choice
from dowse.app.opening import open_engine
from dowse.domains.everything import EVERYTHING, SCHEMA
from dowse.engines.opensearch import Address, parse
from dowse.errors import InvalidQuery
from dowse.model.request import Scope, SearchRequest
from dowse.search.pipeline import rank

TOP = 10
# Small enough for a laptop, and of every kind: abstracts, claims, code, two hops, tasks with links.
_SETS = "cranfield,scifact,anthropic-code,docs-pages-open,hotpotqa-small,beads-links"


@dataclass(frozen=True, slots=True)
class Agreement:
    """One set: nDCG@10 of both, the share of the first ten that are the same, and of totals that are."""

    name: str
    questions: int
    sqlite: float
    cluster: float
    top_ten: float
    totals: float
    trips: float


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.cluster_agreement", description=__doc__)
    parser.add_argument("--cluster", required=True, metavar="HOSTS", help="nodes of a cluster, separated by commas")
    parser.add_argument("--bench", metavar="PATH", help="the folder of judged sets; else $DOWSE_BENCH, else ../shared/bench")
    parser.add_argument("--sets", metavar="A,B", default=_SETS, help=f"default: {_SETS}")
    parser.add_argument("--model", metavar="SPEC", default=DEFAULT, help="what gives records their vectors; none: words alone")
    parser.add_argument("--json", action="store_true", help="print JSON")
    options = parser.parse_args(arguments)
    root = folder(options.bench)
    present = names(root) if root.is_dir() else []
    chosen = [name for name in options.sets.split(",") if name in present]
    if not chosen:
        print(f"agreement: none of {options.sets} at {root}; name their folder with --bench or DOWSE_BENCH. Nothing was measured.")
        return 0
    shelf = Shelf(options.model, None)
    found = [_compare(load(root, name), root, shelf, options.cluster) for name in chosen]
    if options.json:
        print(json.dumps([asdict(item) for item in found], indent=1))
        return 0
    head = ["set", "questions", "SQLite nDCG@10", "cluster nDCG@10", "top ten alike", "totals alike", "requests"]
    rows: list[list[Cell]] = [[i.name, i.questions, i.sqlite, i.cluster, i.top_ten, i.totals, round(i.trips, 1)] for i in found]
    print(table(head, rows))
    return 0


def _compare(judged: JudgedSet, root: Path, shelf: Shelf, hosts: str) -> Agreement:
    progress(f"{judged.name} …")
    address = parse(f"opensearch://{hosts}/bench-{uuid.uuid4().hex[:8]}", {})
    whole = f"opensearch://{hosts}/{address.prefix}"
    with index_of(judged, root, shelf) as sqlite:
        inner = open_engine(whole, expected=len(judged.documents))
        cluster = EmbeddingEngine(inner, Choice(shelf.model))
        try:
            fill(cluster, judged)
            if shelf.vectors:
                cluster.catch_up()
            kinds = kinds_asked(judged)
            ours, theirs = (judge(judged, ask_dowse(engine, EVERYTHING, kinds=kinds)) for engine in (sqlite, cluster))
            before = inner.trips  # type: ignore[attr-defined]
            pairs = [(_asked(sqlite, question, kinds), _asked(cluster, question, kinds)) for question in judged.questions]
            trips = (inner.trips - before) / len(pairs)  # type: ignore[attr-defined]
        finally:
            _remove(address)
            cluster.close()
    alike = [_overlap(one, other) for (one, _), (other, _) in pairs]
    totals = fmean(float(one == other) for (_, one), (_, other) in pairs)
    return Agreement(judged.name, len(pairs), means(ours)[0], means(theirs)[0], fmean(alike), totals, trips)


def _asked(engine: EmbeddingEngine, question: Question, kinds: tuple[str, ...]) -> tuple[list[str], int]:
    scope = Scope(kinds, spaces=(question.part,) if question.part else (), keys=question.allowed)
    with engine.view() as view:
        try:
            answer = rank(view, SearchRequest(question.text, scope=scope, limit=DEPTH), EVERYTHING, SCHEMA, engine.asked(view))
        except InvalidQuery:
            return [], 0
        return [key for key, _ in view.names([hit.handle for hit in answer.places[:TOP]])], answer.total


def _overlap(one: Sequence[str], other: Sequence[str]) -> float:
    most = max(len(one), len(other))
    return len({*one} & {*other}) / most if most else 1.0


def _remove(address: Address) -> None:
    from dowse.engines.opensearch.driver import Cluster
    from dowse.engines.opensearch.indices import remove_workspace

    cluster = Cluster(address)
    remove_workspace(cluster, address.prefix)
    cluster.close()


if __name__ == "__main__":
    raise SystemExit(main())
