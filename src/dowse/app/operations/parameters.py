"""Parameters that several operations share."""

from dowse.app.operations.operation import OperationParameter, Type
from dowse.domains.everything import SCHEMA

KINDS = tuple(SCHEMA.kinds)
EDGES = tuple(SCHEMA.edges)

QUERY = OperationParameter("query", about="what to look for", required=True)
KEY = OperationParameter(
    "key", Type.ID, "an id, the beginning of one (four characters or more), or a place: path, path:line", required=True
)
FILTERS = (
    OperationParameter("spaces", Type.STRINGS, "only this space: a project or a library version", one="space", default=()),
    OperationParameter("under", Type.ID, "only this record or folder and everything below it"),
    OperationParameter("tags", Type.STRINGS, "only records with this tag; several: any of them", one="tag", default=()),
    OperationParameter("facets", Type.OBJECT, "only records whose facet has this value", one="facet", default={}),
)
