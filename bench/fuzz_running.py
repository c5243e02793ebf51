"""One campaign in a process of its own: ``python -m bench.fuzz_running NAME FOLDER SECONDS SEED``; ``bench.fuzzing`` starts it.

With atheris, what an input reaches in our code decides whether it is kept and changed further; without, changes are made blindly.
"""

import json
import os
import random
import resource
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import Any

from bench.fuzz_campaign import ROOT, Campaign
from bench.fuzz_mutating import mutated
from bench.fuzz_watching import Tally, Watch, noted

TALLY, CURRENT, CORPUS, ENGINE = "tally.json", "current", "corpus", "engine.log"
# More would be the machine's end before it is anyone's finding.
_MOST_MEMORY = 4 << 30
_NOTE_SECONDS = 1.0
_NEVER = 100_000
# Inputs that reach something new are few; blind changes begin at the samples, and at this many of their descendants.
_POOL = 400
_SPECIAL = frozenset({"dowse", "markdown_it"})


def run_blindly(campaign: Campaign, folder: Path, rng: random.Random, *, inputs: int = 0, seconds: float = 0.0) -> Tally:
    """Tries the samples, then changes of them: so many inputs, or for so long."""
    tally = Tally()
    with campaign.ready(_own(folder)) as attempt, noted(folder / CURRENT, attempt) as noting:
        watch = Watch(noting, folder, tally)
        note = _noting(tally, folder)
        samples = list(campaign.samples())
        # Of few inputs half are samples as they are, others every time.
        for sample in rng.sample(samples, min(len(samples), inputs // 2)) if inputs else samples:
            watch(sample)
        pool = list(samples)
        end = time.monotonic() + seconds
        while tally.inputs < inputs if inputs else time.monotonic() < end:
            data = mutated(rng, pool, campaign.words, campaign.longest)
            watch(data)
            note()
            if rng.random() < 0.01:
                # A descendant takes the place of another one; the samples stay.
                pool[rng.randrange(len(samples), len(pool)) if len(pool) >= _POOL else len(pool) :][:1] = [data]
    note(now=True)
    return tally


def run_guided(campaign: Campaign, folder: Path, seed: int, seconds: float, atheris: Any) -> None:
    """The same with atheris, which ends the process when the time is over."""
    corpus = folder / CORPUS
    samples = list(campaign.samples())
    _write_corpus(corpus, samples)
    words = folder / "words"
    words.write_text("".join(f'"{_escaped(word)}"\n' for word in campaign.words), encoding="ascii")
    tally = Tally()
    ready = campaign.ready(_own(folder))
    attempt = ready.__enter__()
    with noted(folder / CURRENT, attempt) as noting:
        watch = Watch(noting, folder, tally)
        note = _noting(tally, folder)

        def one(data: bytes) -> None:
            watch(data)
            note()

        def change(data: bytes, most: int, own_seed: int) -> bytes:
            rng = random.Random(own_seed)
            if rng.random() < 0.5:
                return bytes(atheris.Mutate(data, most))
            return mutated(rng, (data, data, rng.choice(samples)), campaign.words, most)

        options = [
            *("fuzzing", str(corpus), f"-max_total_time={int(seconds)}", f"-seed={seed}", f"-max_len={campaign.longest}"),
            # Time and memory are watched by us, who know which input it was and go on after it.
            *(f"-artifact_prefix={folder}/", "-rss_limit_mb=0", f"-timeout={_NEVER}", "-detect_leaks=0", "-reload=0"),
            *([f"-dict={words}"] if campaign.words else []),
        ]
        atheris.Setup(options, one, custom_mutator=change)
        atheris.Fuzz()


def _own(folder: Path) -> Path:
    """Where the campaign keeps what it is tried against."""
    own = folder / "own"
    own.mkdir(parents=True, exist_ok=True)
    return own


def _noting(tally: Tally, folder: Path) -> Callable[..., None]:
    """Writes the tally to a file, once a second at most."""
    began, last = time.process_time(), time.monotonic()

    def note(*, now: bool = False) -> None:
        nonlocal last
        if not now and time.monotonic() - last < _NOTE_SECONDS:
            return
        last = time.monotonic()
        tally.cpu = time.process_time() - began
        part = folder / f"{TALLY}.part"
        part.write_text(json.dumps(tally.json), encoding="utf-8")
        os.replace(part, folder / TALLY)

    return note


def _write_corpus(corpus: Path, samples: Sequence[bytes]) -> None:
    corpus.mkdir(parents=True, exist_ok=True)
    for number, sample in enumerate(samples):
        (corpus / f"sample-{number:03}").write_bytes(sample)


def _escaped(word: bytes) -> str:
    return "".join(chr(byte) if chr(byte).isalnum() and byte < 128 else f"\\x{byte:02x}" for byte in word)


def _instrumented(atheris: Any | None) -> AbstractContextManager[None]:
    if atheris is None:
        return nullcontext()
    context: AbstractContextManager[None] = atheris.instrument_imports(include=sorted(_SPECIAL))
    return context


def _import_everything() -> None:
    """Parts that load late would load after counting began, and not be counted."""
    import importlib
    import pkgutil

    import dowse

    for module in pkgutil.walk_packages(dowse.__path__, "dowse."):
        # The cluster is another campaign's, and its driver an extra.
        if ".opensearch" not in module.name and not module.name.endswith(("__main__", ".onnx")):
            importlib.import_module(module.name)


def main(name: str, folder: Path, seconds: float, seed: int, *, blind: bool) -> None:
    atheris: Any | None = None
    if not blind:
        try:
            import atheris as found  # type: ignore[import-untyped, import-not-found, unused-ignore]  # on Linux alone

            atheris = found
        except ImportError:
            print("atheris is not installed (pip install atheris): inputs are changed blindly.", file=sys.stderr)
    resource.setrlimit(resource.RLIMIT_DATA, (_MOST_MEMORY, _MOST_MEMORY))
    with _instrumented(atheris):
        _import_everything()
        from bench.fuzz_campaigns import CAMPAIGNS
    folder.mkdir(parents=True, exist_ok=True)
    campaign = CAMPAIGNS[name]
    if atheris is None:
        run_blindly(campaign, folder, random.Random(seed), seconds=seconds)
    else:
        run_guided(campaign, folder, seed, seconds, atheris)


if __name__ == "__main__":
    os.chdir(ROOT)
    main(sys.argv[1], Path(sys.argv[2]), float(sys.argv[3]), int(sys.argv[4]), blind="--blind" in sys.argv)
