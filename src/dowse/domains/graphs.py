"""Six graphs: documentation, code, knowledge, tasks, skills, files."""

from collections.abc import Mapping

from dowse.domains.work import ITEM
from dowse.model.request import Expansion, Fusion, Lane, ListPlan, Mode
from dowse.model.schema import Column, EdgeKind, Field, Kind
from dowse.model.surface import Blank, Parameter, Shape, Surface

# The body of a symbol ranks by its beginning, where a function says what it does; the rest is found, not ranked.
_RANKED_BODY = 2000

DOCUMENT = Kind(
    "document",
    (Field("title", Column.TITLE, named=True), Field("path", named=True), Field("tags", Column.TAGS)),
    about="a documentation file: its path and first heading",
    facets=("language",),
    open_facets=True,
)
SECTION = Kind(
    "section",
    (Field("title", Column.TITLE, named=True), Field("breadcrumb", named=True), Field("content")),
    about="a section of a documentation file",
    facets=("path", "line", "lineEnd", "language"),
    shown=(
        "line",
        "lineEnd",
    ),
    parents=("document", "section"),
    parent_edge="contains",
)
CODEFILE = Kind(
    "codefile",
    (
        Field("title", Column.TITLE, named=True),
        Field("path", named=True),
        Field("exports"),
        Field("imports"),
        Field("doc"),
    ),
    about="a source file: its path, exported names, imports and what it says of itself",
    facets=("language", "test", "generated", "reexports"),
)
SYMBOL = Kind(
    "symbol",
    (
        Field("title", Column.TITLE, named=True),
        Field("path", named=True),
        Field("signature"),
        Field("doc"),
        Field("body", ranked=_RANKED_BODY),
    ),
    about="a function, class or other definition in a source file",
    facets=("symbolKind", "language", "line", "lineEnd", "exported", "test"),
    shown=(
        "line",
        "lineEnd",
    ),
    parents=("codefile", "symbol"),
    parent_edge="contains",
)
KNOWLEDGE = Kind(
    "knowledge",
    (Field("title", Column.TITLE, named=True), Field("content"), Field("tags", Column.TAGS)),
    about="a note of the project's knowledge",
    facets=("source", "path", "line"),
    shown=("line",),
)
SKILL = Kind(
    "skill",
    (Field("title", Column.TITLE, named=True), Field("description"), Field("triggers"), Field("tags", Column.TAGS)),
    about="a recipe an agent can follow, with the words that call for it",
    facets=("path",),
)
FILE = Kind(
    "file",
    (Field("title", Column.TITLE, named=True), Field("path", named=True)),
    about="a file that is neither source nor documentation, by its path",
    facets=("language", "size"),
    shown=("size",),
)
KINDS = (DOCUMENT, SECTION, CODEFILE, SYMBOL, KNOWLEDGE, SKILL, FILE)

EDGES = (
    EdgeKind("contains", carries=0.0, decay=0.95, about="holds the other"),
    EdgeKind("extends", carries=0.0, decay=0.85, about="is a special case of the other"),
    EdgeKind("implements", carries=0.0, decay=0.85, about="fulfils the other"),
    # Half of a project imports its utilities: backwards, this edge leads everywhere.
    EdgeKind("imports", carries=0.0, decay=0.70, incoming=False, about="uses the other file"),
    EdgeKind("calls", carries=0.0, about="calls the other"),
    EdgeKind("tests", carries=0.0, about="tests the other"),
    EdgeKind("references", about="mentions the other"),
    EdgeKind("documents", about="describes the other"),
    EdgeKind("requires", about="needs the other done or read first"),
    EdgeKind("similar_to", about="resembles the other"),
)

_KEYWORD = (ListPlan("bm25", Lane.STEMS),)
_VECTOR = (ListPlan("vector", Lane.VECTORS),)
_MODES = {Mode.HYBRID: (*_KEYWORD, *_VECTOR), Mode.KEYWORD: _KEYWORD, Mode.VECTOR: _VECTOR}
# Paths and names first; what a file exports and imports is in the text lane alone.
_FILE_KEYWORD = (*_KEYWORD, ListPlan("names", Lane.NAMES, weight=0.5))
_FILE_MODES = {Mode.HYBRID: (*_FILE_KEYWORD, *_VECTOR), Mode.KEYWORD: _FILE_KEYWORD, Mode.VECTOR: _VECTOR}
# Every file has a path among its names, whatever else it is; what is inside does not count here.
_PATH_KEYWORD = (ListPlan("names", Lane.NAMES),)
_PATH_MODES = {Mode.HYBRID: (*_PATH_KEYWORD, *_VECTOR), Mode.KEYWORD: _PATH_KEYWORD, Mode.VECTOR: _VECTOR}
_SEARCH_MODE = Parameter("searchMode", "mode", choices=("hybrid", "vector", "keyword"), about="which lists answer")
_LIMITS = (
    Parameter("topK", "expansion.seeds", "integer", "how many of the best hits the graph is walked from"),
    Parameter("bfsDepth", "expansion.depth", "integer", "how many hops"),
    Parameter("maxResults", "limit", "integer", "results, 1 to 100"),
    Parameter("minScore", "min_score", "number", "the least score, of 1"),
    Parameter("bfsDecay", "expansion.decay", "number", "what each hop leaves of a score, for every edge"),
    _SEARCH_MODE,
)
_HIT = (
    ("id", "key"),
    ("kind", "kind"),
    ("title", "title"),
    ("path", "path"),
    ("snippet", "snippet"),
    ("score", "score"),
    ("via", "via"),
)
_SHAPE = Shape(hit=_HIT, bare=True)


def _graph(name: str, about: str, kinds: tuple[str, ...], min_score: float = 0.5) -> Surface:
    return Surface(
        name=name,
        about=about,
        kinds=kinds,
        lists=_MODES,
        mode=Mode.HYBRID,
        fusion=Fusion.RRF,
        blank=Blank.EMPTY,
        limit=5,
        limit_name="maxResults",
        min_score=min_score,
        normalise=True,
        expansion=Expansion(seeds=5, depth=1, default=0.8),
        parameters=_LIMITS,
        shape=_SHAPE,
    )


def _files(name: str, about: str, kinds: tuple[str, ...], lists: Mapping[Mode, tuple[ListPlan, ...]] = _FILE_MODES) -> Surface:
    return Surface(
        name=name,
        about=about,
        kinds=kinds,
        lists=lists,
        mode=Mode.HYBRID,
        fusion=Fusion.RRF,
        blank=Blank.EMPTY,
        limit=10,
        limit_name="maxResults",
        min_score=0.3,
        normalise=True,
        parameters=(
            Parameter("maxResults", "limit", "integer", "results, 1 to 100"),
            Parameter("topK", "limit", "integer", "the same"),
            Parameter("minScore", "min_score", "number", "the least score, of 1"),
            _SEARCH_MODE,
        ),
        shape=_SHAPE,
    )


FILE_SURFACES = {"code": "code_search_files", "docs": "docs_search_files", "files": "files_search"}

SURFACES = (
    _graph("docs_search", "documentation sections", ("section",)),
    _graph("code_search", "definitions in source files", ("symbol",)),
    _graph("notes_search", "knowledge notes", (KNOWLEDGE.name,)),
    _graph("tasks_search", "tasks", (ITEM.name,)),
    _graph("skills_search", "skills", (SKILL.name,)),
    _graph("skills_recall", "skills for the task at hand, with a lower bar", (SKILL.name,), min_score=0.3),
    _files("code_search_files", "source files by path, exported names and imports", (CODEFILE.name,)),
    _files("docs_search_files", "documentation files by path and first heading", (DOCUMENT.name,)),
    _files("files_search", "any file by its path", (FILE.name, CODEFILE.name, DOCUMENT.name), _PATH_MODES),
)
