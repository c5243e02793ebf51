"""What does a Backstage catalogue say of a component, a system, a domain, an API or a resource?"""

from dataclasses import dataclass

from dowse.ingest.extract import SourceFile
from dowse.ingest.knowing.loose import Given, given, items, line, text, words
from dowse.ingest.knowing.ties import Links

_API = "backstage.io/"
# People and templates are in the catalogue too; they are no part of the architecture.
_KINDS = frozenset({"component", "system", "domain", "api", "resource"})
# What a property of ``spec`` means, and the kind of entity it names where it does not say.
_LINKS = (
    ("dependsOn", "depends_on", "component"),
    ("dependencyOf", "dependency_of", "component"),
    ("system", "part_of", "system"),
    ("domain", "part_of", "domain"),
    ("subdomainOf", "part_of", "domain"),
    ("subcomponentOf", "part_of", "component"),
    ("partOf", "part_of", "system"),
    ("consumesApis", "uses", "api"),
    ("providesApis", "implements", "api"),
)


@dataclass(frozen=True, slots=True)
class Entity:
    ref_id: str
    names: tuple[str, ...]
    kind: str
    title: str
    summary: str
    tags: tuple[str, ...]
    status: str


def fits(file: SourceFile) -> bool:
    return _API in file.text and "apiVersion" in file.text


def is_entity(document: object) -> bool:
    return text(given(document).get("apiVersion")).startswith(_API)


def entity(document: Given, links: Links) -> Entity | None:
    """The entity, with its links added to the others; None if it is no part of an architecture or has no name."""
    kind = line(document.get("kind")).lower()
    about, spec = given(document.get("metadata")), given(document.get("spec"))
    name = line(about.get("name"))
    if kind not in _KINDS or not name:
        return None
    ref_id = _ref(f"{line(about.get('namespace')) or 'default'}/{name}", kind)
    for property_name, word, meant in _LINKS:
        for other in items(spec.get(property_name)):
            links.add(ref_id, _ref(line(other), meant), word)
    title = line(about.get("title")) or name
    status = line(spec.get("lifecycle")).lower()
    return Entity(ref_id, (ref_id, name, title), kind, title, text(about.get("description")), words(about.get("tags")), status)


def _ref(written: str, kind: str) -> str:
    """An entity's reference in its short form: the default namespace is left out.

    >>> _ref("Resource:default/db", "component"), _ref("auth", "component"), _ref("team/auth", "api")
    ('resource:db', 'component:auth', 'api:team/auth')
    """
    said, colon, rest = written.partition(":")
    if not colon:
        said, rest = kind, written
    name = rest.strip().removeprefix("default/")
    return f"{said.strip().lower()}:{name}" if name else ""
