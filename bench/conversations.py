"""Are the turns of long conversations found as well? ``python -m bench.conversations LOCOMO OUT`` makes judged sets of them.

LOCOMO is the folder of a checkout of LoCoMo that holds a JSON file for each pair of people; ``bench.quality --bench OUT`` then asks
what is asked there about what those two said. Nothing in the ranking was ever chosen on it: it tells how far the rules hold.
"""

import argparse
import json
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

# Questions of this kind ask for what was never said.
_UNANSWERABLE = 5
_SESSION = re.compile(r"session_(\d+)")
_TURN = re.compile(r"D(\d+):(\d+)")


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.conversations", description=__doc__)
    parser.add_argument("locomo", type=Path, help="the folder with a JSON file for each pair of people")
    parser.add_argument("out", type=Path, help="where the sets go: 'turns' and 'sessions'")
    options = parser.parse_args(arguments)
    found = [(path.stem, json.loads(path.read_text("utf-8"))) for path in sorted(options.locomo.glob("*.json"))]
    if not found:
        parser.error(f"{options.locomo}: no JSON file is there")
    turns = {identity: text for name, talk in found for identity, text in _turns(name, talk)}
    asked = [(f"{name}-{number}", question) for name, talk in found for number, question in enumerate(talk.get("qa", ()))]
    said = {identity: _said_in(identity, question, turns) for identity, question in asked if question["category"] != _UNANSWERABLE}
    questions = {identity: question["question"] for identity, question in asked if said.get(identity)}
    sessions: dict[str, list[str]] = {}
    for identity, text in turns.items():
        sessions.setdefault(_session(identity), []).append(text)
    _write(options.out / "turns", turns, questions, said)
    whole = {identity: "\n".join(lines) for identity, lines in sessions.items()}
    _write(options.out / "sessions", whole, questions, {key: list(map(_session, answers)) for key, answers in said.items()})
    print(f"{len(turns):,} turns of {len(whole):,} sessions, {len(questions):,} questions")


def _turns(name: str, talk: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """Each turn with who says it, and what a picture shows that goes with it; its id tells of which session it is a piece."""
    for key, session in talk.items():
        if found := _SESSION.fullmatch(key):
            for turn in session:
                number = turn["dia_id"].partition(":")[2]
                shown = f" [shows {turn['blip_caption']}]" if turn.get("blip_caption") else ""
                yield f"{name}.{found[1]}_chunk_{number}", f"{turn['speaker']}: {turn.get('text', '')}{shown}"


def _said_in(identity: str, question: dict[str, Any], turns: dict[str, str]) -> list[str]:
    name = identity.partition("-")[0]
    places = (f"{name}.{session}_chunk_{turn}" for told in question["evidence"] for session, turn in _TURN.findall(told))
    return [place for place in dict.fromkeys(places) if place in turns]


def _session(identity: str) -> str:
    return identity.partition("_chunk_")[0]


def _write(folder: Path, documents: dict[str, str], questions: dict[str, str], answers: dict[str, list[str]]) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    _lines(folder / "corpus.jsonl", [{"_id": identity, "text": text} for identity, text in documents.items()])
    _lines(folder / "queries.jsonl", [{"_id": identity, "text": text} for identity, text in questions.items()])
    grades = (f"{identity}\t{answer}\t1\n" for identity in questions for answer in dict.fromkeys(answers[identity]))
    (folder / "qrels.tsv").write_text("".join(grades), "utf-8")


def _lines(path: Path, rows: Sequence[dict[str, str]]) -> None:
    path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), "utf-8")


if __name__ == "__main__":
    main()
