"""Shows dowse at work: indexes this repository in a temporary workspace, asks it things, and checks the answers."""

import io
import json
import os
import shlex
import sys
import tempfile
from contextlib import redirect_stdout
from pathlib import Path

from dowse.shells.cli.main import run

_ROOT = Path(__file__).resolve().parent.parent

# A command, and what must be among the first three answers; nothing: it is only shown.
_Shown = tuple[str, str]

_STORY: tuple[tuple[str, tuple[_Shown, ...]], ...] = (
    (
        "Point it at a project: this one. The second time only what changed is read.",
        (("dowse index --space dowse --exclude demo.py", ""), ("dowse index", "")),
    ),
    (
        "Questions about code and documents, in one ranking.",
        (
            ("dowse search 'how are several lists fused into one' --limit 3", "dowse:src/dowse/search/fuse.py"),
            ("dowse search 'how far to trust the quality numbers' --limit 3", "dowse:docs/ranking.md#how-far-to-trust-it"),
            ("dowse search 'which module may import apsw' --limit 3", "dowse:.importlinter"),
            ("dowse search 'read a Jupyter notebook' --limit 3", "dowse:src/dowse/ingest/documents/notebook.py"),
        ),
    ),
    (
        "An identifier by its words or run together, a part of a word, a file.",
        (
            ("dowse search makedocument --limit 3", "dowse:src/dowse/engines/sqlite/documents.py#make_document"),
            ("dowse search unsettl --mode substring --kind symbol --limit 3", "unsettle"),
            ("dowse search-files postings.py --graph code --limit 3", "dowse:src/dowse/engines/sqlite/postings.py"),
        ),
    ),
    (
        "The graph: who calls it, and what a file imports.",
        (
            ("dowse backlinks dowse:src/dowse/search/fuse.py#fuse", "dowse:src/dowse/search/pipeline.py#rank"),
            ("dowse neighbours dowse:src/dowse/search/fuse.py --direction outgoing --kind imports", "dowse:src/dowse/model/"),
        ),
    ),
    (
        "What an agent needs for a task: cited, within a budget, and what was left out.",
        (("dowse context 'how are several lists fused into one' --tokens 700", ""),),
    ),
    (
        "Why does a hit stand where it stands? Why is one missing?",
        (
            ("dowse search unsettle --limit 1 --explain", "unsettle"),
            ("dowse why-not dowse:README.md unsettle", ""),
        ),
    ),
    (
        "Documentation of a library that is installed here, for people and their agents.",
        (
            ("dowse library add rich", ""),
            ("dowse resolve-library rich", "/local/rich"),
            ("dowse query-docs /local/rich 'print a table' --tokens 300", "Table"),
        ),
    ),
    (
        "Tasks, notes, pages, an architecture and skills: a made-up team's, from a file of records.",
        (
            ("dowse import docs/sample.jsonl", ""),
            ("dowse search courier --surface items --under task-10 --param scope.role=work", "task-17"),
            ("dowse neighbours task-17", "task-18"),
            ("dowse search checksum --surface architecture --kind service --json", "service."),
            ("dowse search 'retry policy' --surface pages --limit 2", "retry-policy"),
            ("dowse backlinks retry-policy", "on-call-handbook"),
            ("dowse search blend_surge --surface code_search --limit 1", "blend_surge"),
            ("dowse recall 'publish a new version' --limit 1", "release"),
        ),
    ),
    ("And it is well.", (("dowse projects", ""), ("dowse status", ""), ("dowse doctor", ""))),
)


def main() -> int:
    home = Path.cwd()
    with tempfile.TemporaryDirectory(prefix="dowse-demo-") as folder:
        os.environ["DOWSE_WORKSPACE"] = str(Path(folder) / "demo.dowse")
        os.chdir(_ROOT)
        try:
            wrong = [command for words, commands in _STORY for command in _tell(words, commands)]
        finally:
            os.chdir(home)
            del os.environ["DOWSE_WORKSPACE"]
    for command in wrong:
        print(f"not as expected: {command}", file=sys.stderr)
    return 1 if wrong else 0


def _tell(words: str, commands: tuple[_Shown, ...]) -> list[str]:
    """Runs the commands; returns those that did not answer as they should."""
    print(f"\n# {words}")
    wrong = []
    for command, expected in commands:
        print(f"\n$ {command}", flush=True)
        code = run(shlex.split(command)[1:])
        sys.stdout.flush()
        if code or (expected and not _answers(command, expected)):
            wrong.append(command)
    return wrong


def _answers(command: str, expected: str) -> bool:
    """Whether the first three answers hold what is expected."""
    with redirect_stdout(io.StringIO()) as out:
        run([*(word for word in shlex.split(command)[1:] if word != "--json"), "--json"])
    answer = json.loads(out.getvalue())
    first = next(answer[name] for name in ("hits", "results", "text") if name in answer) if isinstance(answer, dict) else answer
    return expected in json.dumps(first[:3] if isinstance(first, list) else first)


if __name__ == "__main__":
    sys.exit(main())
