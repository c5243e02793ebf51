"""Judged sets are read as they lie there."""

import json
from pathlib import Path

from bench.judged import load


def write(root: Path, name: str, edges: str = "") -> None:
    at = root / name
    at.mkdir()
    documents = [{"_id": key, "title": key.upper(), "text": f"text of {key}"} for key in ("a", "b", "c")]
    (at / "corpus.jsonl").write_text("".join(json.dumps(row) + "\n" for row in documents))
    (at / "queries.jsonl").write_text(json.dumps({"_id": "q", "text": "what is a"}) + "\n")
    (at / "qrels.tsv").write_text("q\ta\t1\n")
    if edges:
        (at / "edges.tsv").write_text(edges)


def test_links_become_links_that_dowse_knows_and_lead_to_documents_only(tmp_path: Path) -> None:
    write(tmp_path, "tasks", "a\tb\tblocks\nb\tc\tparent-child\nb\tc\tparent-child\na\tgone\tblocks\nc\ta\tmentions\n")
    judged = load(tmp_path, "tasks")
    assert judged.edges == (("a", "b", "blocks"), ("b", "c", "relates_to"), ("c", "a", "references"))
    assert judged.is_work


def test_a_set_without_links_is_no_set_of_tasks(tmp_path: Path) -> None:
    write(tmp_path, "plain")
    assert load(tmp_path, "plain").edges == ()
    assert not load(tmp_path, "plain").is_work


def test_pieces_of_longer_texts_know_what_they_are_pieces_of(tmp_path: Path) -> None:
    write(tmp_path, "plain")
    assert not load(tmp_path, "plain").is_cut
    documents = [{"_id": f"doc_1_chunk_{number}", "title": "", "text": "text"} for number in range(2)]
    (tmp_path / "plain" / "corpus.jsonl").write_text("".join(json.dumps(row) + "\n" for row in documents))
    judged = load(tmp_path, "plain")
    assert {item.whole for item in judged.documents} == {"doc_1"}
    assert not judged.apart().is_cut
