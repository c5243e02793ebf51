"""Nodes of an architecture graph and the documents that describe them."""

from dowse.model.request import Lane, ListPlan, Mode
from dowse.model.schema import Column, EdgeKind, Field, Kind
from dowse.model.surface import Blank, Grammar, Marks, Parameter, Shape, Surface

NODE = Kind(
    "node",
    (Field("title", Column.TITLE, named=True), Field("summary"), Field("tags", Column.TAGS)),
    about="a node of the architecture graph; its key is its ref_id",
    facets=("kind", "refId", "path", "line", "status"),
    shown=("line",),
)
CHUNK = Kind(
    "chunk",
    (Field("title", Column.TITLE), Field("content")),
    about="a piece of a document about a node",
    facets=("path", "line", "lineEnd"),
    shown=(
        "line",
        "lineEnd",
    ),
    parents=("node",),
    parent_required=True,
)
KINDS = (NODE, CHUNK)
EDGES = (
    EdgeKind("depends_on", about="needs the other"),
    EdgeKind("part_of", about="belongs to the other"),
    EdgeKind("uses", about="calls or reads the other"),
    EdgeKind("touches_entity", about="reads or writes the other"),
)

ARCHITECTURE = Surface(
    name="architecture",
    about="architecture nodes by id, summary and documents",
    kinds=("node",),
    lists={
        Mode.AUTO: (
            ListPlan("text", Lane.STEMS),
            ListPlan("names", Lane.NAMES, weight=0.4, bonus=True),
            ListPlan("substring", Lane.SUBSTRING, weight=0.3, tier=1, fills=True),
        )
    },
    grammar=Grammar.PLAIN,
    blank=Blank.EMPTY,
    nearness=0.12,
    limit=10,
    marks=Marks("<b>", "</b>", "..."),
    fold_kinds=("chunk",),
    parameters=(
        Parameter("kind", "scope.facets.kind", about="only nodes of this kind (domain, feature, service, entity, adr, …)"),
        Parameter("limit", "limit", "integer", "hits, 1 to 100"),
    ),
    shape=Shape(
        hit=(
            ("ref_id", "ref"),
            ("kind", "facet:kind"),
            ("summary", "field:summary"),
            ("snippet", "snippet"),
            ("rank", "negative_score"),
        ),
        bare=True,
    ),
)
SURFACES = (ARCHITECTURE,)
