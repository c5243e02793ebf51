"""Work items in a tree, notes on them, dependencies between them."""

from dowse.model.request import Fusion, Lane, ListPlan, Mode
from dowse.model.schema import Column, EdgeKind, Field, Kind
from dowse.model.surface import Blank, Grammar, Parameter, Shape, Surface

ROLES = ("queue", "work", "review", "terminal", "blocked")
PRIORITIES = ("high", "medium", "low")

ITEM = Kind(
    "item",
    (
        Field("title", Column.TITLE, named=True),
        Field("summary"),
        Field("description"),
        Field("tags", Column.TAGS),
    ),
    about="a task or any other piece of work; items form a tree",
    facets=("role", "priority", "status", "type", "path", "line", "url", "number", "assignee"),
    shown=("line",),
    choices={"role": ROLES},
    parents=("item",),
)
NOTE = Kind(
    "note",
    (Field("body"),),
    about="a note on a work item, under a key that is unique there",
    facets=("noteKey", "role", "path", "url", "author"),
    choices={"role": ROLES},
    parents=("item",),
    parent_required=True,
)
KINDS = (ITEM, NOTE)

EDGES = (
    EdgeKind("blocks", about="must be done before the other can start"),
    EdgeKind("is_blocked_by", about="waits for the other"),
    EdgeKind("relates_to", about="has to do with the other"),
)

# The two lists of the seed under its own names, fused by rank.
_TRIGRAM = ListPlan("trigram", Lane.SUBSTRING)
_TEXT = ListPlan("text", Lane.STEMS)
_LISTS = {Mode.AUTO: (_TRIGRAM, _TEXT), Mode.SUBSTRING: (_TRIGRAM,), Mode.TEXT: (_TEXT,)}

_MATCH_MODE = Parameter("matchMode", "mode", choices=("auto", "substring", "text"), about="both lists fused, or one of them")
_PAGING = (
    Parameter("limit", "limit", "integer", "hits per page, 1 to 100"),
    Parameter("offset", "offset", "integer", "hits to skip"),
    Parameter("explain", "explain", "boolean", "what each list said of a hit"),
)
_ANCESTOR = Parameter("scope.ancestorId", "scope.ancestor", "id", "this item and everything below it")
_ENVELOPE = (
    ("hits", "hits"),
    ("totalHits", "total"),
    ("nextOffset", "next_offset"),
    ("truncated", "truncated"),
    ("relaxed", "relaxed"),
)


def note_key(item: str, key: str) -> str:
    """The record key of the note with this key on this item.

    >>> note_key("a1b2", "plan")
    'a1b2#note/plan'
    """
    return f"{item}#note/{key}"


ITEMS = Surface(
    name="items",
    about="work items by title, summary and description (query_items)",
    kinds=("item",),
    lists=_LISTS,
    fusion=Fusion.RRF,
    grammar=Grammar.PLAIN,
    blank=Blank.ERROR,
    lists_all=True,
    substring_needs_trigram=True,
    parameters=(
        _MATCH_MODE,
        _ANCESTOR,
        Parameter("scope.itemId", "scope.keys", "id", "this item alone"),
        Parameter("scope.tags", "scope.tags", "strings", "items with any of these tags"),
        Parameter("scope.role", "scope.facets.role", about="items in this role", choices=ROLES),
        *_PAGING,
    ),
    shape=Shape(
        hit=(
            ("kind", "kind"),
            ("itemId", "key"),
            ("title", "title"),
            ("field", "field"),
            ("snippet", "snippet"),
            ("score", "score"),
            ("matchedIn", "matched_in"),
            ("explain", "raw_ranks"),
        ),
        envelope=_ENVELOPE,
    ),
)

NOTES = Surface(
    name="notes",
    companion="parent",
    about="notes on work items by their body (query_notes)",
    kinds=("note",),
    lists=_LISTS,
    fusion=Fusion.RRF,
    grammar=Grammar.PLAIN,
    blank=Blank.ERROR,
    lists_all=True,
    substring_needs_trigram=True,
    parameters=(
        _MATCH_MODE,
        _ANCESTOR,
        Parameter("scope.itemId", "scope.parents", "id", "notes of this item alone"),
        *_PAGING,
    ),
    shape=Shape(
        hit=(
            ("kind", "kind"),
            ("itemId", "parent"),
            ("title", "parent_title"),
            ("noteKey", "facet:noteKey"),
            ("field", "field"),
            ("snippet", "snippet"),
            ("score", "score"),
            ("matchedIn", "matched_in"),
            ("explain", "raw_ranks"),
        ),
        envelope=_ENVELOPE,
    ),
)

SURFACES = (ITEMS, NOTES)
