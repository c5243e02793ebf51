"""Nodes, decisions, tasks, skills, pages and notes, from the files people keep them in."""

from dowse.ingest.knowing import checklists, decisions, issues, nodes, notes, skills, taskfiles
from dowse.ingest.knowing.choosing import DomainReader, choose
from dowse.ingest.knowing.vaults import page_reader

# Of those that replace the usual reader the first that fits is run: what a file says of itself goes before where it lies,
# so the reader of a project's vaults comes after all of these.
READERS: tuple[DomainReader, ...] = (
    nodes.READER,
    issues.READER,
    skills.READER,
    checklists.READER,
    decisions.READER,
    taskfiles.READER,
    notes.READER,
)

__all__ = ["READERS", "DomainReader", "choose", "page_reader"]
