"""Which nodes of an architecture does a YAML file describe?"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from dowse.domains.pages import slug
from dowse.ingest.extract import Extract, SourceFile
from dowse.ingest.keying import Keys
from dowse.ingest.knowing import backstage
from dowse.ingest.knowing.choosing import DomainReader
from dowse.ingest.knowing.loose import Given, filled, first, given, items, line, tags, text, words
from dowse.ingest.knowing.pointing import file_names
from dowse.ingest.knowing.ties import Links, ends, links_on_node, node_names
from dowse.ingest.knowing.yamls import Lined, documents
from dowse.model.record import Record
from dowse.model.source import Definition, Reference

# The files of a forge or a cluster are full of kinds and ids and describe no architecture.
_ELSEWHERE = re.compile(r"(?:^|/)(?:\.github|\.gitlab|\.circleci|node_modules|charts?|k8s|kubernetes|locales?|i18n)/")
_LISTED = re.compile(r"^nodes[ \t]*:", re.MULTILINE)
_KIND = re.compile(r"\b(?:kind|type)[\"']?[ \t]*:")
_ABOUT = re.compile(r"\b(?:summary|description)[\"']?[ \t]*:")
# Where a folder says what its files are, looser words are believed.
_HINT = re.compile(r"(?:^|/)(?:arch[a-z-]*|adg|graph|nodes|services|features|entities|domains)(?:/|\.ya?ml$)", re.IGNORECASE)
_ID = ("ref_id", "refId", "ref", "id")
_SUMMARY = ("summary", "description")
# Words that a schema of data says of its fields, where an architecture says what a node is.
_DATA_TYPES = frozenset("string str integer int number float boolean bool object array list map enum date null any".split())
_IS_PATH = re.compile(r"^\S+\.(?:mdx?|markdown|rst|adoc|asciidoc|txt|html?|ipynb|pdf)(?:#\S*)?$|^\.{0,2}/\S+$", re.IGNORECASE)


def fits(file: SourceFile) -> bool:
    """Whether the words of a node stand in a YAML file; what they mean is found out by reading it."""
    if not file.path.endswith((".yaml", ".yml")) or _ELSEWHERE.search(file.path):
        return False
    if backstage.fits(file) or _LISTED.search(file.text):
        return True
    return _KIND.search(file.text) is not None and _ABOUT.search(file.text) is not None and "\npaths:" not in file.text


def read(file: SourceFile) -> Extract:
    found = _Found(file, Links())
    for document in documents(file.text, found.problems):
        if backstage.is_entity(document):
            found.entity(backstage.entity(given(document), found.links), getattr(document, "line", 1))
            continue
        nodes = tuple(_nodes(document, _HINT.search(file.path) is not None, found.problems))
        for ref_id, data in nodes:
            found.node(ref_id, data)
        if nodes and isinstance(document, dict) and "nodes" in document:
            found.edges(document.get("edges"))
    # What is wrong with a file that merely has the words of a node is not for us to say: it may be a template.
    ours = found.records or backstage.fits(file) or _LISTED.search(file.text) or _HINT.search(file.path)
    return found.extract() if ours else Extract()


READER = DomainReader("architecture", fits, read, replaces=False)


@dataclass(slots=True)
class _Found:
    file: SourceFile
    links: Links
    records: dict[str, Record] = field(default_factory=dict)
    chunks: list[Record] = field(default_factory=list)
    defines: list[Definition] = field(default_factory=list)
    keys: Keys = field(default_factory=Keys)
    problems: list[str] = field(default_factory=list)

    def node(self, ref_id: str, data: Given) -> None:
        title = line(first(data, "title", "name")) or ref_id
        facets: dict[str, str | int] = {
            "kind": line(first(data, "kind", "type")).lower() or "node",
            "status": line(data.get("status")).lower(),
            "line": getattr(data, "line", 0),
        }
        record = self._record(ref_id, title, text(first(data, *_SUMMARY)), words(data.get("tags")), facets)
        if self._keep(record, (ref_id, title)):
            for word, other in links_on_node(data):
                self.links.add(ref_id, other, word)
            for position, piece in enumerate(items(first(data, "docs", "documents")), 1):
                self._document(record, position, piece)

    def entity(self, said: backstage.Entity | None, line_number: int) -> None:
        if said is not None:
            facets: dict[str, str | int] = {"kind": said.kind, "status": said.status, "line": line_number}
            self._keep(self._record(said.ref_id, said.title, said.summary, said.tags, facets), said.names)

    def edges(self, value: object) -> None:
        for edge in items(value):
            source, target, word = ends(edge)
            if source and target:
                self.links.add(source, target, word)
            else:
                self.problems.append(f"an edge without a source or a target was left out: {source or target!r}")

    def extract(self) -> Extract:
        return Extract(
            records=(*self.records.values(), *self.chunks),
            defines=tuple(self.defines),
            refers=tuple(dict.fromkeys(self.links.refers)),
            problems=tuple(f"{self.file.path}: {problem}" for problem in self.problems),
        )

    def _record(self, ref_id: str, title: str, summary: str, marks: tuple[str, ...], facets: dict[str, str | int]) -> Record:
        return Record(
            key=self.file.part(ref_id),
            kind="node",
            title=title,
            fields=filled(summary=summary),
            space=self.file.space,
            tags=tags(marks),
            facets={"refId": ref_id, "path": self.file.path} | {name: value for name, value in facets.items() if value},
            updated=self.file.modified,
        )

    def _keep(self, record: Record, names: tuple[str, ...]) -> bool:
        if record.key in self.records:
            self.problems.append(f"the node {record.facets['refId']!r} is described twice; the first one counts")
            return False
        self.records[record.key] = record
        self.defines += node_names(record.key, *names)
        return True

    def _document(self, node: Record, position: int, piece: object) -> None:
        said = given(piece)
        path = line(first(said, "path", "file", "href", "url")) if said else line(piece)
        if path and (said or _IS_PATH.match(path)):
            names = file_names(self.file.path, path)
            self.links.refers += [Reference(node.key, "references", names)] if names else []
            return
        content = text(first(said, "content", "text", "body")) if said else text(piece)
        title = line(first(said, "title", "name", "heading"))
        if content:
            name = f"{node.facets['refId']}/{slug(title) or f'doc-{position}'}"
            key = self.keys.take(self.file.part(name))
            facets = {"path": self.file.path}
            fields = {"content": content}
            self.chunks.append(
                Record(key, "chunk", title, fields, self.file.space, node.key, facets=facets, updated=self.file.modified)
            )


def _nodes(document: object, hinted: bool, problems: list[str]) -> Iterator[tuple[str, Given]]:
    """The nodes of a document, by id, in any of the shapes people write them in."""
    if isinstance(document, list) and all(isinstance(node, Lined) and _is_node(node, hinted) for node in document):
        yield from _listed(document, problems)
    data = document if isinstance(document, Lined) else None
    if data is None or "apiVersion" in data or "openapi" in data or "swagger" in data:
        return
    if "nodes" in data:
        yield from _listed(data["nodes"], problems)
    elif _is_node(data, hinted) and line(first(data, *_ID)):
        yield line(first(data, *_ID)), data
    elif data and all(isinstance(value, Lined) and _is_node(value, hinted) for value in data.values()):
        yield from ((line(first(given(value), *_ID)) or line(name), _lined(value)) for name, value in data.items())


def _listed(value: object, problems: list[str]) -> Iterator[tuple[str, Given]]:
    if isinstance(value, Lined):
        yield from ((line(name), _lined(node)) for name, node in value.items() if isinstance(node, Lined) and line(name))
        return
    nodes = [node for node in items(value) if isinstance(node, Lined)]
    if not any(line(first(node, *_ID)) and first(node, "kind", "type", *_SUMMARY) for node in nodes):
        return
    for node in nodes:
        ref_id = line(first(node, *_ID))
        if ref_id:
            yield ref_id, node
        else:
            problems.append(f"line {node.line}: a node without an id was left out")


def _is_node(data: Lined, hinted: bool) -> bool:
    """Strict where nothing else says that these are nodes: many files have a type and a description."""
    said = line(first(data, "kind", "type"))
    if not said or said.lower() in _DATA_TYPES:
        return False
    if hinted or any(name for name, _ in links_on_node(data)):
        return first(data, *_SUMMARY) is not None
    return "kind" in data and text(data.get("summary")) != ""


def _lined(value: object) -> Given:
    return value if isinstance(value, Lined) else {}
