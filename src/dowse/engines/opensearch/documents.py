"""How do records, edges and files look as documents, and how do they come back?"""

import base64
import hashlib
import json
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from dowse.engines.opensearch.lanes import Lanes
from dowse.engines.quantising import Values
from dowse.model.record import Edge, Facet, Record
from dowse.model.source import Definition, Reference, Source, Stamp, names_wanted

LIVE, PLACEHOLDER, DELETED = "live", "placeholder", "deleted"
# Longer values are kept under their digest: a term may have 32 kB, and nobody filters by a text.
_LONGEST_VALUE = 500
_LONGEST_SHOWN = 8000

Json = dict[str, Any]


def handle_of(key: str) -> int:
    """A record's number: its key's hash, so that it is the same in every view. 63 bits: among a hundred million records two
    would share one with a probability of one in two thousand, and then the second is refused, not mixed up."""
    digest = hashlib.blake2b(key.encode(), digest_size=8).digest()
    return (int.from_bytes(digest, "big") >> 1) or 1


def record_id(key: str) -> str:
    return f"r{handle_of(key):016x}"


def edge_id(source: str, kind: str, target: str) -> str:
    return "e" + _digest(f"{source}\0{kind}\0{target}")


def source_id(space: str, path: str) -> str:
    return "s" + _digest(f"{space}\0{path}")


def mark_id(name: str) -> str:
    return "m" + _digest(name)


def passage_id(handle: int, number: int) -> str:
    return f"p{handle:016x}-{number}"


def state_of(record: Record) -> str:
    return DELETED if record.deleted else PLACEHOLDER if record.is_placeholder else LIVE


def entitled(title: str) -> str:
    """What a title is looked up under, whatever the case of its ASCII letters."""
    return _digest(ascii_lower(title))


def ascii_lower(text: str) -> str:
    return text.lower() if text.isascii() else "".join(letter.lower() if letter.isascii() else letter for letter in text)


def facet_token(name: str, value: Facet) -> str:
    """A facet as it is filtered by. Numbers and truth values are equal where Python's are."""
    if isinstance(value, str):
        return f"{name}=s{value if len(value) <= _LONGEST_VALUE else _digest(value)}"
    number = int(value) if isinstance(value, bool) or float(value).is_integer() else value
    return f"{name}=n{number!r}"


def facet_shown(name: str, value: Facet) -> str:
    """A facet as it is counted."""
    text = str(value).lower() if isinstance(value, bool) else str(value)
    return f"{name}={text[:_LONGEST_SHOWN]}"


def attributes(record: Record, line: Sequence[str], parent: Record | None) -> Json:
    """What is known of a record besides its texts. ``line``: itself and everything above it."""
    document = {
        **scoped(record),
        "key": record.key,
        "ancestors": list(line),
        "updated": record.updated,
        "said": [facet_shown(name, value) for name, value in sorted(record.facets.items())],
        "title": record.title,
    }
    if parent is not None:
        document["p"] = scoped(parent)
    return document


def scoped(record: Record) -> Json:
    """What scopes ask for."""
    found: Json = {
        "handle": handle_of(record.key),
        "kind": record.kind,
        "space": record.space,
        "tags": list(record.tags),
        "facet": [facet_token(name, value) for name, value in sorted(record.facets.items())],
        "state": state_of(record),
    }
    if record.parent is not None:
        found["parent"] = record.parent
    return found


def record_document(known: Json, record: Record, lanes: Lanes | None) -> Json:
    """The whole document of a record. Without lanes it is stored and never found."""
    document = {"c": "record", **known, "stored": dump_record(record)}
    if lanes is not None:
        document |= {
            "entitled": entitled(record.title),
            "length": lanes.length,
            "name_length": lanes.name_length,
            "w": lanes.words,
            "s": lanes.stems,
            "grams": lanes.grams,
        }
    return document


def dump_record(record: Record) -> str:
    """The truth, as text: what a server makes of numbers does not matter then."""
    return dump(
        [
            record.key,
            record.kind,
            record.title,
            dict(record.fields),
            record.space,
            record.parent,
            record.tags,
            dict(record.facets),
            record.updated,
            record.deleted,
            record.version,
        ]
    )


def load_record(stored: str) -> Record:
    key, kind, title, fields, space, parent, tags, facets, updated, deleted, version = json.loads(stored)
    return Record(key, kind, title, fields, space, parent, tuple(tags), facets, float(updated), deleted, version)


def edge_document(edge: Edge) -> Json:
    return {"c": "edge", "source": edge.source, "target": edge.target, "edge": edge.kind, "stored": dump(dict(edge.facets))}


def load_edge(document: Mapping[str, Any]) -> Edge:
    return Edge(document["source"], document["target"], document["edge"], json.loads(document["stored"]))


def source_document(source: Source) -> Json:
    stamp = source.stamp
    stored = [
        [stamp.size, stamp.modified, stamp.digest, stamp.reader],
        source.keys,
        [(item.name, item.key, item.family) for item in source.defines],
        [(item.source, item.kind, item.names, item.family) for item in source.refers],
        [(edge.source, edge.target, edge.kind, dict(edge.facets)) for edge in source.links],
    ]
    return {
        "c": "source",
        "space": source.space,
        "path": source.path,
        "settled": source.settled,
        "defines": sorted({name_token(item.name) for item in source.defines}),
        "refers": sorted(map(name_token, names_wanted(source))),
        "stored": dump(stored),
    }


def load_source(document: Mapping[str, Any]) -> Source:
    stamp, keys, defines, refers, links = json.loads(document["stored"])
    return Source(
        document["space"],
        document["path"],
        Stamp(*stamp),
        tuple(keys),
        tuple(Definition(*item) for item in defines),
        tuple(Reference(source, kind, tuple(names), family) for source, kind, names, family in refers),
        tuple(Edge(*item) for item in links),
        bool(document["settled"]),
    )


def load_stamp(document: Mapping[str, Any]) -> Stamp:
    return Stamp(*json.loads(document["stored"])[0])


def name_token(name: str) -> str:
    return name if len(name) <= _LONGEST_VALUE else _digest(name)


def mark_document(name: str, content: str) -> Json:
    return {"c": "mark", "name": name_token(name), "stored": dump([name, content])}


def load_mark(document: Mapping[str, Any]) -> tuple[str, str]:
    name, content = json.loads(document["stored"])
    return name, content


def dump_values(values: Values) -> str:
    return base64.b64encode(values.tobytes()).decode()


def load_values(stored: str) -> Values:
    return np.frombuffer(base64.b64decode(stored), np.int8)


def dump(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _digest(text: str) -> str:
    return hashlib.blake2b(text.encode(), digest_size=16).hexdigest()
