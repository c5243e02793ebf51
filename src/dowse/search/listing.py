"""What is there? Records by filter alone, latest first."""

import numpy as np

from dowse.errors import InvalidRequest
from dowse.model.page import Listing
from dowse.model.request import Scope
from dowse.model.schema import Schema
from dowse.ports import View
from dowse.search.cut import cut
from dowse.search.plan import check_offset, check_scope

MOST_LISTED = 1000


def browse(view: View, scope: Scope, schema: Schema, limit: int, offset: int) -> Listing:
    """One page of everything in scope."""
    if not 1 <= limit <= MOST_LISTED:
        raise InvalidRequest(f"limit is {limit}; it must be from 1 to {MOST_LISTED}.")
    check_offset(offset)
    check_scope(scope, schema)
    ranking = view.recent(view.select(scope))
    handles = np.asarray(ranking.handles, np.int64)
    places = cut(handles, np.asarray(ranking.scores, np.float64), np.zeros(len(handles), np.int8), view.order, offset, limit)
    return Listing(tuple(view.fetch(handles[places].tolist())), len(handles), offset, limit)
