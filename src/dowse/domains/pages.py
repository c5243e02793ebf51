"""Pages with tags and wiki links."""

import re

from dowse.model.record import Edge, Record
from dowse.model.request import Fusion, Lane, ListPlan, Mode, Weights
from dowse.model.schema import Column, EdgeKind, Field, Kind
from dowse.model.surface import Blank, Marks, Parameter, Shape, Surface

PAGE = Kind(
    "page",
    (Field("title", Column.TITLE, named=True), Field("content"), Field("tags", Column.TAGS)),
    about="a page of Markdown with tags and wiki links; its key is its slug",
    facets=("slug", "path"),
    parents=("page",),
    open_facets=True,
)
KINDS = (PAGE,)
EDGES = (EdgeKind("links_to", about="names the other in a wiki link"),)

_WIKI_LINK = re.compile(r"\[\[([^\[\]|]+)(?:\|([^\[\]|]+))?\]\]")
_WEIGHTS = Weights(title=10.0, body=1.0, tags=5.0).in_order()

_KEYWORD = (ListPlan("keyword", Lane.STEMS, column_weights=_WEIGHTS),)
_HYBRID = (*_KEYWORD, ListPlan("semantic", Lane.VECTORS))

PAGES = Surface(
    name="pages",
    about="pages by words and by meaning",
    kinds=("page",),
    lists={Mode.AUTO: _HYBRID, Mode.KEYWORD: _KEYWORD, Mode.HYBRID: _HYBRID},
    fusion=Fusion.RRF,
    blank=Blank.EMPTY,
    excerpt_fields=("content", "tags", "title"),
    marks=Marks(ellipsis="..."),
    parameters=(
        Parameter("mode", "mode", choices=("auto", "keyword", "hybrid"), about="what answers; auto decides by the query"),
        Parameter("tags", "scope.tags", "strings", "pages with any of these tags"),
        Parameter("limit", "limit", "integer", "hits per page, 1 to 100"),
        Parameter("offset", "offset", "integer", "hits to skip"),
        Parameter("explain", "explain", "boolean", "what each list said of a hit"),
    ),
    shape=Shape(
        hit=(
            ("id", "key"),
            ("title", "title"),
            ("slug", "facet:slug"),
            ("tags", "tags"),
            ("snippet", "snippet"),
            ("score", "score"),
            ("matchedIn", "matched_in"),
        ),
        envelope=(("results", "hits"), ("total", "total"), ("intent", "intent"), ("warnings", "degraded")),
    ),
)
SURFACES = (PAGES,)


def slug(title: str) -> str:
    """The slug of a title.

    >>> slug("Design: the Router!")
    'design-the-router'
    """
    return "-".join(re.findall(r"[^\W_]+", title.lower()))


def wiki_links(page: Record) -> tuple[Edge, ...]:
    """The edges a page's wiki links make: ``[[Title]]`` or ``[[Title|slug]]``.

    >>> [e.target for e in wiki_links(Record("a", "page", fields={"content": "see [[The Router]] and [[Home|start]]"}))]
    ['start', 'the-router']
    """
    targets = {(named or slug(title)).strip() for title, named in _WIKI_LINK.findall(page.text("content"))}
    return tuple(Edge(page.key, target, "links_to") for target in sorted(targets) if target and target != page.key)
