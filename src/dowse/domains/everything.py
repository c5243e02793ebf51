"""All domains as one schema, and the surface that searches everything in one ranking."""

from dowse.domains import architecture, graphs, library, pages, work
from dowse.model.request import Boost, Gathering, Lane, ListPlan, Mode, Nesting, Spreading, Texts
from dowse.model.schema import Schema
from dowse.model.surface import Blank, Grammar, Parameter, Shape, Surface

_DOMAINS = (work, library, architecture, pages, graphs)

SCHEMA = Schema(
    kinds={kind.name: kind for domain in _DOMAINS for kind in domain.KINDS},
    edges={edge.name: edge for domain in _DOMAINS for edge in domain.EDGES},
)

# Names are words of the text as well, so their list finds nothing new: it adds, with its own length norm (docs/ranking.md).
# The form that was typed counts a little more than others of its stem.
_TEXT = ListPlan("text", Lane.STEMS, exact=0.1)
_NAMES = ListPlan("names", Lane.NAMES, weight=0.4, bonus=True)
# A string search earns its place on a partial identifier; on questions it adds nothing (docs/ranking.md).
_SUBSTRING = ListPlan("substring", Lane.SUBSTRING, weight=0.3, tier=1, fills=True, tokens=2)

# What a question means, beside what it says. Code seldom says it in the words of the question, so there meaning counts three times
# as much, unless the question names what it is about: that stands in the code as it stands in the question (docs/ranking.md).
_CODE = tuple([(kind, 3.2, 1.2) for kind in ("symbol", "codefile")])
_VECTORS = ListPlan("vectors", Lane.VECTORS, weight=1.25, by_kind=_CODE, echo=0.45, prose=True)

_PASSING_ON = ("export", "exports", "exported", "import", "imports", "reexport", "reexports")
_TELLING = ("section", "document", "snippet", "page", "skill")
_TYPES = ("class", "interface", "type", "enum", "module")
_FILES = ("codefile", "document", "file")
# A definition shows where to look, and one a file is enough. A section, or a piece of a file that no grammar takes apart, says what
# no other says: there several of a file are wanted, and the best one tells what the others are about (docs/ranking.md).
_TEXTS = Texts(("document",), share=0.1, pull=0.5, facet="symbolKind", values=("block",))
_BOOSTS = (
    # Who types a name wants what is called so, a type before a function of the same name (docs/ranking.md).
    Boost("called so", "definition", add=0.6),
    Boost("a type called so", "definition", add=0.4, facet="symbolKind", values=_TYPES),
    # Code in a note or a page, or of a language nobody takes apart (docs/ranking.md).
    Boost("defines it", "defining text", add=0.3),
    Boost("file called so", "file name", add=0.4, kinds=_FILES),
    # Who asks how to do something wants to be told; what does it is code, and says the same words (docs/ranking.md).
    Boost("says how", "how to", 1.5, kinds=_TELLING),
    # Of two tasks or pages that answer alike, the one people worked on lately. Set by hand and small: no judged set has times.
    Boost("changed lately", "recent", add=0.05, kinds=("item", "note", "page", "knowledge")),
    # Of two libraries whose documentation answers alike, the one that is known and cared for. As small, for the same reason.
    Boost("less trusted library", "trust", add=0.05, kinds=("library",)),
    # A test says the words of what it tests, often more of them; who looks for the thing itself should find that first.
    Boost("test", "facet", 0.7, facet="test", values=(True,), unless=("test", "tests", "testing", "tested", "spec", "specs")),
    # A file that only passes on what others define says their names and nothing about them.
    Boost("only passes on", "facet", 0.7, facet="reexports", values=(True,), unless=_PASSING_ON),
    Boost("generated", "facet", 0.6, facet="generated", values=(True,), unless=("generated",)),
)

EVERYTHING = Surface(
    name="everything",
    about="every kind at once, in one ranking",
    kinds=(),
    lists={
        Mode.AUTO: (_TEXT, _NAMES, _SUBSTRING, _VECTORS),
        Mode.KEYWORD: (_TEXT, _NAMES),
        Mode.TEXT: (_TEXT,),
        Mode.SUBSTRING: (ListPlan("substring", Lane.SUBSTRING),),
        Mode.VECTOR: (_VECTORS,),
        Mode.HYBRID: (_TEXT, _NAMES, _SUBSTRING, _VECTORS),
    },
    grammar=Grammar.FULL,
    corrects=(Mode.AUTO, Mode.HYBRID),
    blank=Blank.ERROR,
    # Words side by side in the question and in the text: +.003 on the mean of the judged sets, most on abstracts (docs/ranking.md).
    nearness=0.12,
    boosts=_BOOSTS,
    gathering=Gathering(_FILES, share=0.7, members=5, repeat=0.5, texts=_TEXTS),
    spreading=Spreading(weight=0.4, seeds=20, fan=0.5),
    nesting=Nesting(inner=("snippet",), outer=("section",)),
    limit=10,
    parameters=(
        Parameter("kinds", "scope.kinds", "strings", "only these kinds"),
        Parameter("spaces", "scope.spaces", "strings", "only these spaces"),
        Parameter("under", "scope.ancestor", "id", "this record or folder and everything below it"),
        Parameter("tags", "scope.tags", "strings", "records with any of these tags"),
        Parameter("facets", "scope.facets", "facets", "records whose facets have these values"),
        Parameter("mode", "mode", choices=tuple(mode.value for mode in Mode), about="which lists answer"),
        Parameter("limit", "limit", "integer", "hits per page, 1 to 100"),
        Parameter("offset", "offset", "integer", "hits to skip"),
        Parameter("count", "count", "strings", "count all hits by these: kind, space, tag, or a facet"),
        Parameter("explain", "explain", "boolean", "why each hit stands where it stands"),
        Parameter("rescore", "rescore", about="a second model that scores the best hits anew"),
    ),
    shape=Shape(
        hit=(
            ("rank", "rank"),
            ("key", "key"),
            ("kind", "kind"),
            ("space", "space"),
            ("title", "title"),
            ("path", "path"),
            ("line", "line"),
            ("lineEnd", "line_end"),
            ("field", "field"),
            ("snippet", "snippet"),
            ("score", "score"),
            ("matchedIn", "matched_in"),
            ("explain", "explain"),
        ),
        envelope=(
            ("hits", "hits"),
            ("total", "total"),
            ("offset", "offset"),
            ("nextOffset", "next_offset"),
            ("relaxed", "relaxed"),
            ("truncated", "truncated"),
            ("intent", "intent"),
            ("lists", "lists"),
            ("degraded", "degraded"),
            ("ignored", "ignored"),
            ("corrected", "corrected"),
            ("generation", "generation"),
            ("updated", "updated"),
            ("counts", "counts"),
        ),
    ),
)

SURFACES: dict[str, Surface] = {
    surface.name: surface for surface in (EVERYTHING, *(surface for domain in _DOMAINS for surface in domain.SURFACES))
}
