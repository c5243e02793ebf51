"""What does it cost to make a project findable, beside reading and parsing its files and doing nothing with them?

Everything is measured in one run, a process each, on the same copies of files: ``--megabytes`` of sources and documents of many
languages that lie on the machine (see ``bench.projects``).
"""

import argparse
import json
import multiprocessing
import random
import resource
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any

import apsw

import dowse
from bench.indexing_records import given
from bench.indexing_records import report as records_side_by_side
from bench.indexing_stages import report as stages_side_by_side
from bench.indexing_stages import stages
from bench.projects import gather
from bench.tables import Cell, table
from dowse.ingest.code import grammars
from dowse.ingest.reading import Task, read_file
from dowse.ingest.recognising import recognise
from dowse.ingest.walking import Entry, walk

_EDITS = 20
# What everything may take of the time in which FTS5 makes a table of stems and one of trigrams of the same files.
_OF_FTS5 = 0.25


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.indexing", description=__doc__)
    parser.add_argument("--megabytes", type=float, default=56.0, help="how much is gathered; a tenth of it is left out")
    parser.add_argument("--add", type=Path, action="append", default=[], help="a folder to take files from as well, before others")
    parser.add_argument("--json", action="store_true", help="print JSON")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="dowse-bench-") as folder:
        root = Path(folder) / "project"
        half = Path(folder) / "half"
        files, size = gather(root, options.megabytes, options.add)
        gather(half, options.megabytes / 2, options.add)
        measured = {name: _alone(work, str(root), folder) for name, work in _WORK.items()}
        measured["half"] = _alone(_index, str(half), folder)
    measured["files"], measured["bytes"] = {"count": files}, {"count": size}
    print(json.dumps(measured, indent=2) if options.json else _report(measured))
    return 0


def _alone(work: Callable[[str, str], dict[str, Any]], root: str, folder: str) -> dict[str, Any]:
    """In a process of its own, so that nobody inherits another's memory and caches."""
    print(f"{work.__name__.strip('_')} …", file=sys.stderr)
    with ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as pool:
        return pool.submit(work, root, folder).result()


def _entries(root: str) -> list[Entry]:
    return [item for item in walk(Path(root)) if isinstance(item, Entry)]


def _bare(root: str, _: str) -> dict[str, Any]:
    """Reads every file and gives it to its parser: the grammar of its language, CommonMark's tokens, the tree of a page."""
    entries = _entries(root)
    parsers: dict[str, Callable[[bytes], object]] = {}
    for language in {recognise(entry.path) for entry in entries}:
        parsers[language] = _parser(language)
    start, spent = time.perf_counter(), time.process_time()
    total = 0
    for entry in entries:
        with open(entry.location, "rb") as file:
            data = file.read()
        total += len(data)
        parsers[recognise(entry.path)](data)
    spent = time.process_time() - spent
    return {"seconds": time.perf_counter() - start, "processor": spent, "bytes": total, "files": len(entries)}


def _parser(language: str) -> Callable[[bytes], object]:
    if language in grammars.NAMES:
        return grammars.load(language).parser.parse
    if language in ("markdown", "mdx"):
        from markdown_it import MarkdownIt

        markdown = MarkdownIt()
        return lambda data: markdown.parse(data.decode("utf-8", "replace"))
    if language == "html":
        from selectolax.lexbor import LexborHTMLParser

        return lambda data: LexborHTMLParser(data.decode("utf-8", "replace"))
    return lambda data: data.decode("utf-8", "replace")


def _records(root: str, _: str) -> dict[str, Any]:
    """Makes the records of every file, one process, and writes nothing."""
    entries = _entries(root)
    start, spent = time.perf_counter(), time.process_time()
    records = 0
    for entry in entries:
        extract = read_file(Task("bench", entry, "")).extract
        records += len(extract.records) if extract is not None else 0
    return {"seconds": time.perf_counter() - start, "processor": time.process_time() - spent, "records": records}


def _index_words(root: str, folder: str) -> dict[str, Any]:
    """All lanes but vectors."""
    return _indexed(root, Path(folder) / f"{Path(root).name}-words.dowse", "none")


def _index(root: str, folder: str) -> dict[str, Any]:
    """The whole, as ``dowse index`` does it."""
    return _indexed(root, Path(folder) / f"{Path(root).name}.dowse", None)


def _indexed(root: str, path: Path, model: str | None) -> dict[str, Any]:
    own_peak = 0.0

    def look(_: object) -> None:
        nonlocal own_peak
        own_peak = max(own_peak, _own_memory())

    with dowse.open(path, model=model) as workspace:
        start, spent = time.perf_counter(), time.process_time()
        summary = workspace.index(root, report=look)
        seconds, spent = time.perf_counter() - start, time.process_time() - spent
        # Before anything else: counting what is stored maps all of the file.
        own = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        status = workspace.status()
    # What they took is told once they have ended.
    for process in multiprocessing.active_children():
        process.join()
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return {
        "seconds": seconds,
        "processor": spent + children.ru_utime + children.ru_stime,
        "bytes": summary.bytes,
        "files": summary.files,
        "records": sum(status.records.values()),
        "edges": sum(status.edges.values()),
        "database": status.bytes,
        "memory": own,
        "own_memory": own_peak,
        "reader_memory": children.ru_maxrss / 1024,
        "problems": len(summary.problems),
    }


def _own_memory() -> float:
    """Megabytes that are the process's alone, without the pages of the workspace that the system maps and takes back."""
    status = Path("/proc/self/status")
    lines = status.read_text().splitlines() if status.exists() else []
    return next((int(line.split()[1]) / 1024 for line in lines if line.startswith("RssAnon")), 0.0)


def _again(root: str, folder: str) -> dict[str, Any]:
    """Nothing changed; then one file after the other, each searched for as soon as it is written."""
    path = Path(folder) / f"{Path(root).name}.dowse"
    chosen = random.Random(7).sample([entry for entry in _entries(root) if entry.path.endswith(".py")], _EDITS)
    with dowse.open(path) as workspace:
        workspace.index(root)
        start = time.perf_counter()
        summary = workspace.index(root)
        nothing = time.perf_counter() - start
        edits = []
        for number, entry in enumerate(chosen):
            _edit(entry, f"indexed{number}")
            start = time.perf_counter()
            workspace.index(root)
            found = workspace.search(f"zanzibar_indexed{number}").hits
            edits.append(time.perf_counter() - start if found else float("inf"))
    return {"nothing": nothing, "files": summary.files, "edits": sorted(edits)}


def _watched(root: str, folder: str) -> dict[str, Any]:
    """From the end of writing a file until a search finds it, while ``dowse watch`` runs in a thread."""
    path = Path(folder) / f"{Path(root).name}.dowse"
    chosen = random.Random(8).sample([entry for entry in _entries(root) if entry.path.endswith(".py")], _EDITS)
    stop, updated = threading.Event(), threading.Event()
    taken = []
    with dowse.open(path) as workspace:
        workspace.refresh()

        def keep_up() -> None:
            for _ in workspace.watch(stop):
                updated.set()

        watcher = threading.Thread(target=keep_up)
        watcher.start()
        time.sleep(1)
        for number, entry in enumerate(chosen):
            updated.clear()
            _edit(entry, f"watched{number}")
            start = time.perf_counter()
            updated.wait(10)
            found = workspace.search(f"zanzibar_watched{number}").hits
            taken.append(time.perf_counter() - start if found else float("inf"))
        stop.set()
        watcher.join()
    return {"edits": sorted(taken)}


def _porter(root: str, folder: str) -> dict[str, Any]:
    """The same files in a table of FTS5 that stems words."""
    return _fts5(root, Path(folder) / "porter.db", "tokenize='porter unicode61'")


def _trigram(root: str, folder: str) -> dict[str, Any]:
    """The same files in a table of FTS5 that finds any part of a text, without the text itself."""
    return _fts5(root, Path(folder) / "trigram.db", "tokenize='trigram', content=''")


def _fts5(root: str, path: Path, options: str) -> dict[str, Any]:
    entries = _entries(root)
    connection = apsw.Connection(str(path))
    connection.execute("pragma journal_mode = wal; pragma synchronous = normal; pragma cache_size = -65536")
    start, spent = time.perf_counter(), time.process_time()
    texts = ((entry.path, Path(entry.location).read_text(encoding="utf-8", errors="replace")) for entry in entries)
    with connection:
        connection.execute(f"create virtual table file using fts5(path, text, {options})")
        connection.executemany("insert into file (path, text) values (?, ?)", texts)
    connection.close()
    measured = {"seconds": time.perf_counter() - start, "processor": time.process_time() - spent, "database": path.stat().st_size}
    path.unlink()
    return measured


def _edit(entry: Entry, name: str) -> None:
    with open(entry.location, "a", encoding="utf-8") as file:
        file.write(f"\n\ndef zanzibar_{name}() -> None: ...\n")


def _stages(root: str, _: str) -> dict[str, Any]:
    return stages(root)


def _given(root: str, _: str) -> dict[str, Any]:
    return given(root)


def _stages_with_vectors(root: str, _: str) -> dict[str, Any]:
    return stages(root, vectors=True)


_WORK: dict[str, Callable[[str, str], dict[str, Any]]] = {
    "bare": _bare,
    "records": _records,
    "words": _index_words,
    "index": _index,
    "porter": _porter,
    "trigram": _trigram,
    "stages": _stages,
    "stages with vectors": _stages_with_vectors,
    "given": _given,
    "again": _again,
    "watched": _watched,
}


def _report(measured: dict[str, dict[str, Any]]) -> str:
    bare, whole, half = (measured[name] for name in ("bare", "index", "half"))
    megabytes = whole["bytes"] / 1e6
    again, watched = measured["again"], measured["watched"]
    rows: list[list[Cell]] = [
        [work, one["seconds"], megabytes / one["seconds"], one["seconds"] / bare["seconds"], one["processor"]]
        for work, one in (
            ("reading and parsing, nothing else, one process", bare),
            ("making records of it, one process", measured["records"]),
            ("`dowse index`, all lanes but vectors", measured["words"]),
            ("`dowse index`, everything", whole),
            ("FTS5, stems (porter)", measured["porter"]),
            ("FTS5, trigrams", measured["trigram"]),
        )
    ]
    both = {unit: measured["porter"][unit] + measured["trigram"][unit] for unit in ("seconds", "processor")}
    lines = [
        f"{whole['files']:,} files, {megabytes:.1f} MB; {whole['records']:,} records, {whole['edges']:,} edges,"
        f" {whole['problems']} problems; the workspace is {whole['database'] / whole['bytes']:.2f} × the files",
        "",
        table(["work", "seconds", "MB/s", "× bare", "of processors, seconds"], rows, 2),
        "",
        f"words, stems, substrings and vectors of {megabytes:.0f} MB: {whole['seconds'] / both['seconds']:.2f} × the time of both"
        f" tables of FTS5, {whole['processor'] / both['processor']:.2f} × their processor time; goal ≤ {_OF_FTS5}:"
        f" {'met' if whole['seconds'] <= _OF_FTS5 * both['seconds'] else 'NOT met'}",
        "",
        stages_side_by_side(measured["stages"], measured["stages with vectors"]),
        "",
        records_side_by_side(measured["given"]),
        "",
        table(
            ["again", "milliseconds"],
            [
                ["nothing changed", again["nothing"] * 1e3],
                ["nothing changed, for 10,000 files", again["nothing"] / again["files"] * 1e7],
                ["one file edited until found, `dowse index`, median", again["edits"][_EDITS // 2] * 1e3],
                ["one file edited until found, `dowse index`, worst", again["edits"][-1] * 1e3],
                ["one file edited until found, `dowse watch`, median", watched["edits"][_EDITS // 2] * 1e3],
                ["one file edited until found, `dowse watch`, worst", watched["edits"][-1] * 1e3],
            ],
            0,
        ),
        "",
        table(
            ["peak memory, MB", "writing process", "of it not the mapped file", "largest reading process"],
            [
                [f"{one['bytes'] / 1e6:.0f} MB indexed", one["memory"], one["own_memory"], one["reader_memory"]]
                for one in (half, whole)
            ],
            0,
        ),
    ]
    return "\n".join(lines)


if __name__ == "__main__":
    sys.exit(main())
