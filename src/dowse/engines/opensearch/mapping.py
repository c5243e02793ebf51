"""What are our indices, and how does each read its documents?

Four indices a workspace. ``truth`` holds records with their lanes, edges, files and marks; ``passages`` the vectors, apart because
their graphs are costly to merge; ``words`` all words with their stems; ``state`` one document that says which commit is the last.
Names end in a number behind an alias, so that a rebuilt index takes the place of the old one at once.
"""

import math
import zlib
from typing import Any

from dowse.engines import passaging
from dowse.model.schema import COLUMNS, Schema
from dowse.text.words import ANALYSIS_VERSION

# Bumped when documents or mappings change: then the index is made again.
_LAYOUT_VERSION = 2
NAMES = ("name", "name_alternates")
# Written behind every text, so that its last characters begin a trigram too. A text that has it itself gets its neighbour instead:
# the two control characters count as one.
PAD, NO_PAD = "\u0003", "\u0002"
# Records a shard should hold: some 20 GB at the measured bytes per record (docs/cluster.md), where OpenSearch advises 10 to 50.
RECORDS_A_SHARD = 5_000_000
_MOST_SHARDS = 64
# How many numbers a vector of a Lucene graph may have: from that version on, and before.
_LARGER_FROM, _LARGER, _LARGEST = (2, 14), 16_000, 1024

Json = dict[str, Any]
_KEYWORD: Json = {"type": "keyword"}
_STORED: Json = {"type": "object", "enabled": False}


def shards_for(records: int) -> int:
    """The rule: a shard for every five million records, so that none outgrows what can be moved and recovered in minutes."""
    return min(_MOST_SHARDS, max(1, math.ceil(records / RECORDS_A_SHARD)))


def largest_dimension(version: tuple[int, ...]) -> int:
    return _LARGER if version >= _LARGER_FROM else _LARGEST


def fingerprint(schema: Schema) -> str:
    """Changes whenever the same records would make other documents."""
    shape = sorted((name, [(f.name, f.column, f.named, f.ranked) for f in kind.fields]) for name, kind in schema.kinds.items())
    made = (_LAYOUT_VERSION, ANALYSIS_VERSION, COLUMNS, passaging.fingerprint(schema), shape)
    return f"{zlib.crc32(repr(made).encode()):08x}"


def truth(shards: int) -> Json:
    """Lane fields hold words that are analysed already, so that index, query and excerpt share one analysis."""
    lanes: Json = {}
    for family in ("w", "s"):
        # Words have places, for phrases; stems only need to be counted.
        counted = {
            "type": "text",
            "analyzer": "given",
            "similarity": "count",
            "norms": False,
            "index_options": "positions" if family == "w" else "freqs",
        }
        columns: Json = {str(column): {**counted, "copy_to": f"{family}.any"} for column in COLUMNS}
        names = dict.fromkeys(NAMES, counted)
        every = {"type": "text", "analyzer": "given", "norms": False, "index_options": "docs"}
        lanes[family] = {"properties": {**columns, **names, "any": every}}
    properties: Json = {
        **_attributes(),
        **lanes,
        "length": {"type": "integer", "index": False},
        "name_length": {"type": "integer", "index": False},
        "entitled": {"type": "keyword", "doc_values": False},
        "grams": {"type": "text", "analyzer": "trigrams", "similarity": "count", "norms": False},
        "source": _KEYWORD,
        "target": _KEYWORD,
        "edge": _KEYWORD,
        "path": _KEYWORD,
        "settled": {"type": "boolean"},
        "defines": {"type": "keyword", "doc_values": False},
        "refers": {"type": "keyword", "doc_values": False},
        "name": _KEYWORD,
        "stored": _STORED,
    }
    analysis = {
        "tokenizer": {
            # Longer than any word of ours, counted in UTF-16: nothing is ever cut again.
            "given": {"type": "whitespace", "max_token_length": 1024},
            "trigrams": {"type": "ngram", "min_gram": 3, "max_gram": 3},
        },
        "analyzer": {
            "given": {"type": "custom", "tokenizer": "given"},
            "trigrams": {"type": "custom", "tokenizer": "trigrams"},
        },
    }
    # How often, by the weight of the column: what that is worth is worked out by the query, which knows lengths and means.
    similarity = {"count": {"type": "scripted", "script": {"source": "return query.boost * doc.freq;"}}}
    mappings = {"dynamic": False, "_source": {"excludes": ["w", "s", "grams"]}, "properties": properties}
    return {"settings": {**_settings(shards), "analysis": analysis, "similarity": similarity}, "mappings": mappings}


def passages(shards: int, dimension: int | None) -> Json:
    properties: Json = {
        **_attributes(),
        "record": {"type": "long"},
        "number": {"type": "integer"},
        "digest": _KEYWORD,
        "waiting": {"type": "boolean"},
        "stored": _STORED,
    }
    if dimension is not None:
        method = {"name": "hnsw", "engine": "lucene", "space_type": "cosinesimil"}
        properties["vector"] = {"type": "knn_vector", "dimension": dimension, "method": method}
    settings = {**_settings(shards), "knn": True}
    mappings = {"dynamic": False, "_source": {"excludes": ["vector"]}, "properties": properties}
    return {"settings": settings, "mappings": mappings}


def words() -> Json:
    properties = {"word": _KEYWORD, "stem": {"type": "keyword", "doc_values": False}}
    return {"settings": _settings(1), "mappings": {"dynamic": False, "properties": properties}}


def state() -> Json:
    # Journals come and go here; what they leave on disk is let go when the translog is.
    settings = {**_settings(1), "translog.flush_threshold_size": "64mb"}
    return {"settings": settings, "mappings": {"dynamic": False, "enabled": False}}


def _attributes() -> Json:
    """What is known of a record besides its texts, also on its passages; of its parent as well, for kinds that it answers for."""
    scoped: Json = {"handle": {"type": "long"}, "kind": _KEYWORD, "space": _KEYWORD, "parent": _KEYWORD, "state": _KEYWORD}
    listed: Json = {"tags": _KEYWORD, "facet": {"type": "keyword", "doc_values": True}}
    own: Json = {
        "c": _KEYWORD,
        "key": _KEYWORD,
        "ancestors": _KEYWORD,
        "updated": {"type": "double"},
        "said": _KEYWORD,
        "title": {"type": "keyword", "index": False, "ignore_above": 8000},
    }
    return {**scoped, **listed, **own, "p": {"properties": {**scoped, **listed}}}


def _settings(shards: int) -> Json:
    return {
        "number_of_shards": shards,
        # One copy more where there is a second node to hold it.
        "auto_expand_replicas": "0-1",
        # Searches see what a commit has made visible, and nothing in between.
        "refresh_interval": "-1",
        # Versions of deleted documents are remembered for as long as a writer that was given up might come back.
        "gc_deletes": "10m",
    }
