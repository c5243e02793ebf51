"""Libraries, their versions, and the snippets of their documentation."""

import math

from dowse.model.record import Record
from dowse.model.request import Lane, ListPlan, Mode
from dowse.model.schema import Column, EdgeKind, Field, Kind
from dowse.model.surface import Blank, Grammar, Parameter, Shape, Surface
from dowse.text.folding import fold
from dowse.text.words import plain_words

STATES = ("pending", "indexing", "indexed", "error")
SOURCES = ("github", "local")
SNIPPET_TYPES = ("code", "info")

LIBRARY = Kind(
    "library",
    (Field("title", Column.TITLE, named=True), Field("identifier", named=True), Field("description"), Field("rules")),
    about="a library whose documentation is here; its key is /owner/name or /local/name",
    facets=(
        *("source", "stars", "state", "trust", "snippets", "defaultVersion", "ready"),
        *("origin", "follows", "keepSecrets", "error"),
    ),
    # Where it was read from and how, for the next time, and why that failed.
    shown=("origin", "follows", "keepSecrets", "error"),
    choices={"source": SOURCES, "state": STATES},
)
VERSION = Kind(
    "version",
    (Field("title", Column.TITLE, named=True),),
    about="a tagged version of a library",
    facets=("tag",),
    parents=("library",),
    parent_required=True,
)
SNIPPET = Kind(
    "snippet",
    (Field("title", Column.TITLE, named=True), Field("breadcrumb", named=True), Field("content")),
    about="a piece of documentation: code or text of a library, or an example in a section of a document",
    facets=("type", "language", "version", "path", "line", "lineEnd"),
    shown=(
        "line",
        "lineEnd",
    ),
    choices={"type": SNIPPET_TYPES},
    parents=("library", "version", "document", "section"),
    parent_required=True,
)
KINDS = (LIBRARY, VERSION, SNIPPET)
EDGES: tuple[EdgeKind, ...] = ()

# What identity is worth, beside size and trust; an exact name is first whatever those say.
EXACT, _PREFIX, _DESCRIPTION = 100.0, 50.0, 20.0
_SNIPPETS_PER_POINT = 100.0
_TRUST_FACTOR = 10.0

DOCS = Surface(
    name="docs",
    about="documentation snippets of one library (searchSnippets, query-docs)",
    kinds=("snippet",),
    companion="space",
    lists={
        Mode.AUTO: (
            ListPlan("text", Lane.STEMS),
            ListPlan("names", Lane.NAMES, weight=0.4, bonus=True),
            ListPlan("prefix", Lane.PREFIX, weight=0.3, tier=1),
            # Who asks a library something seldom knows what it calls that (docs/ranking.md).
            ListPlan("vectors", Lane.VECTORS, weight=1.25, echo=0.45, prose=True),
        )
    },
    grammar=Grammar.BOOLEAN,
    corrects=(Mode.AUTO,),
    blank=Blank.EMPTY,
    nearness=0.12,
    lone_stop_words=False,
    parameters=(
        Parameter("repositoryId", "scope.library", "id", "the library, /owner/name", required=True),
        Parameter("versionId", "scope.version", about="a version tag; default: the library's default version"),
        Parameter("type", "scope.facets.type", about="code or info", choices=SNIPPET_TYPES),
        Parameter("limit", "limit", "integer", "snippets, 1 to 100"),
        Parameter("offset", "offset", "integer", "snippets to skip"),
    ),
    shape=Shape(
        hit=(
            ("snippet", "record"),
            ("score", "score"),
            ("repository", "library"),
        ),
        bare=True,
    ),
)
SURFACES = (DOCS,)


def space(library: str, version: str = "") -> str:
    """The space the snippets of one version live in.

    >>> space("/acme/rocket", "v2"), space("/acme/rocket")
    ('/acme/rocket@v2', '/acme/rocket')
    """
    return f"{library}@{version}" if version else library


def trust(library: Record, snippets: int) -> float:
    """0 to 10, one decimal: stars, coverage, source, state and a description.

    >>> facets = {"stars": 9999, "source": "github", "state": "indexed"}
    >>> trust(Record("/a/b", "library", fields={"description": "x"}, facets=facets), 1500)
    10.0
    """
    stars = float(library.facets.get("stars") or 0)
    points = min(4.0, math.log10(stars + 1)) + min(3.0, snippets / 500)
    points += library.facets.get("source") == "github"
    points += library.facets.get("state") == "indexed"
    points += bool(library.text("description").strip())
    return min(10.0, round(points, 1))


def identity(library: Record, name: str) -> float:
    """How surely the name means this library: 100 exact, 50 its beginning, 20 in the description, 0 not at all.

    Case and separators do not matter: "ReactRouter", "react-router" and "react_router" are one name.
    """
    wanted = _bare(name)
    if not wanted:
        return 0.0
    own = [_bare(library.title), _bare(library.key), _bare(library.key.rsplit("/", 1)[-1])]
    if wanted in own:
        return EXACT
    if any(item.startswith(wanted) for item in own):
        return _PREFIX
    inside = any(wanted in item for item in own)
    return _DESCRIPTION if inside or wanted in _bare(library.text("description")) else 0.0


def score(library: Record, name: str) -> float:
    """Identity first; size and trust decide among equals."""
    popularity = (
        float(library.facets.get("snippets") or 0) / _SNIPPETS_PER_POINT + float(library.facets.get("trust") or 0) * _TRUST_FACTOR
    )
    return identity(library, name) + popularity


def _bare(text: str) -> str:
    return "".join(plain_words(fold(text)))
