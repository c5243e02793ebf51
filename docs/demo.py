"""Shows dowse at work: makes a workspace from docs/sample.jsonl in a temporary folder and asks it things."""

import os
import shlex
import sys
import tempfile
from pathlib import Path

from dowse.shells.cli.main import run

_SAMPLE = Path(__file__).resolve().parent / "sample.jsonl"

_STORY: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("Saltmarsh warns small harbours of high water. Here is what its team knows.", ("dowse init", "dowse import sample.jsonl")),
    ("One question, every kind of answer, in one ranking.", ('dowse search "how are retries capped" --limit 5',)),
    (
        "Why does a hit stand where it stands? Why is one missing?",
        (
            "dowse search retry --kind item --explain",
            'dowse why-not task-22 "retry budget"',
        ),
    ),
    (
        "Part of a word, part of an identifier, a phrase, a word that must not occur.",
        (
            "dowse search retri --mode substring --limit 3",
            "dowse search readgauge",
            "dowse search '\"high water\" -surge' --limit 3",
        ),
    ),
    (
        "Work: items in a tree, their notes, what blocks what.",
        (
            "dowse tree task-10",
            "dowse search courier --surface items --under task-10 --param scope.role=work",
            "dowse search jitter --surface notes --json",
            "dowse neighbours task-17",
        ),
    ),
    (
        "Library documentation, version by version, for people and their agents.",
        (
            'dowse resolve-library tidekit --query "subscribe to a gauge"',
            'dowse query-docs /saltmarsh/tidekit "subscribe to a gauge" --version v1',
        ),
    ),
    (
        "The architecture: a node is found through the documents about it.",
        ("dowse search checksum --surface architecture --kind service --json",),
    ),
    ("Pages and who links to them.", ('dowse search "retry policy" --surface pages --limit 2', "dowse backlinks retry-policy")),
    (
        "Graphs: what is found, and what lies one step further.",
        (
            "dowse search deliver --surface code_search",
            "dowse search surge --surface docs_search",
            "dowse search drift --surface notes_search",
            'dowse recall "publish a new version" --limit 1',
            "dowse search-files courier.toml --limit 2",
        ),
    ),
    (
        "Every write can be found at once.",
        (
            'dowse put page --title "Siren test" --set content="Every first Saturday at noon."',
            "dowse search siren noon --limit 2",
        ),
    ),
    ("And it is well.", ("dowse status", "dowse doctor")),
)


def main() -> int:
    with tempfile.TemporaryDirectory(prefix="dowse-demo-") as folder:
        home = Path.cwd()
        (Path(folder) / _SAMPLE.name).write_bytes(_SAMPLE.read_bytes())
        os.chdir(folder)
        try:
            return max(_tell(words, commands) for words, commands in _STORY)
        finally:
            os.chdir(home)


def _tell(words: str, commands: tuple[str, ...]) -> int:
    print(f"\n# {words}")
    worst = 0
    for command in commands:
        print(f"\n$ {command}", flush=True)
        worst = max(worst, run(shlex.split(command)[1:]))
        sys.stdout.flush()
    return worst


if __name__ == "__main__":
    sys.exit(main())
