"""Finds anything a software project knows.

>>> import dowse
>>> workspace = dowse.open(":memory:")
>>> _ = workspace.put(kind="item", key="a1b2", title="Cap the retries", summary="They run forever")
>>> [hit.record.key for hit in workspace.search("retry").hits]
['a1b2']
>>> workspace.close()
"""

from dowse.version import __version__

# What type checkers read; "typing" itself would be most of what "dowse --version" loads.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from dowse.app.opening import open
    from dowse.app.workspace import Workspace
    from dowse.model.record import Edge, Record

__all__ = ["Edge", "Record", "Workspace", "__version__", "open"]

# Loaded on first use: "dowse --version" needs none of it.
_LAZY = {
    "open": "dowse.app.opening",
    "Workspace": "dowse.app.workspace",
    "Record": "dowse.model.record",
    "Edge": "dowse.model.record",
}


def __getattr__(name: str) -> object:
    if name not in _LAZY:
        raise AttributeError(f"module 'dowse' has no attribute {name!r}")
    import importlib

    return getattr(importlib.import_module(_LAZY[name]), name)
