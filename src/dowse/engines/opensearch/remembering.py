"""What is remembered beside the records? Marks, and the files that records come from."""

from collections.abc import Sequence
from typing import cast

from dowse.engines.opensearch.documents import load_mark, load_source, load_stamp, name_token
from dowse.engines.opensearch.driver import Json
from dowse.engines.opensearch.scoping import all_of, terms_query
from dowse.engines.opensearch.snapshots import Reader
from dowse.model.source import Source, Stamp


def marks(reader: Reader) -> dict[str, str]:
    """All of them, read once at a moment: there are few, and every request asks for some."""
    facts = reader.moment.facts
    if "marks" not in facts:
        hits = reader.every({"term": {"c": "mark"}}, ["name"])
        facts["marks"] = dict(sorted(load_mark(hit["_source"]) for hit in hits))
    return cast(dict[str, str], facts["marks"])


def stamps(reader: Reader, space: str) -> dict[str, Stamp]:
    hits = reader.every(_of(space), ["path"], _source=["path", "stored"])
    return {hit["_source"]["path"]: load_stamp(hit["_source"]) for hit in hits}


def sources(reader: Reader, space: str, paths: Sequence[str]) -> list[Source]:
    query = all_of([_of(space), terms_query("path", sorted(set(paths)))])
    return [load_source(hit["_source"]) for hit in reader.every(query, ["path"])]


def unsettled(reader: Reader, space: str, limit: int) -> list[Source]:
    query = all_of([_of(space), {"term": {"settled": False}}])
    return [load_source(hit["_source"]) for hit in reader.every(query, ["path"], limit=limit)]


def definers(reader: Reader, space: str, names: Sequence[str], limit: int) -> dict[str, tuple[str, ...]]:
    tokens = {name_token(name): name for name in names}
    query = all_of([_of(space), terms_query("defines", sorted(tokens))])
    found: dict[str, list[str]] = {}
    for hit in reader.every(query, ["path"], _source=["path", "defines"]):
        for token in hit["_source"]["defines"]:
            if token in tokens:
                found.setdefault(tokens[token], []).append(hit["_source"]["path"])
    return {name: tuple(found[name][:limit]) for name in names if name in found}


def _of(space: str) -> Json:
    return {"bool": {"filter": [{"term": {"c": "source"}}, {"term": {"space": space}}]}}
