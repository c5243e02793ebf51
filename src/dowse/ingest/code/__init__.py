"""Reads source code: its definitions, and what they say of each other."""

from dowse.ingest.code.reading import read_blocks, read_code

__all__ = ["read_blocks", "read_code"]
