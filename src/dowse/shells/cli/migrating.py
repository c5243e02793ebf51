"""How does one copy a workspace from a command line? From a file or a cluster to another, with progress on stderr."""

import json
import sys
from argparse import Namespace
from collections.abc import Callable, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from dowse.app import settings
from dowse.errors import InvalidRequest, NotFound

if TYPE_CHECKING:
    from dowse.app.migrating_workspaces import Migrating

# Plain progress says something this often, so that a log of an hour's copy stays readable.
_PERCENT = 10


def migrate(options: Namespace, values: Mapping[str, Any]) -> int:
    from dowse.app.migrating_workspaces import migrate as copy
    from dowse.app.opening import open_engine
    from dowse.domains.everything import SCHEMA

    source, target = str(values["source"]), str(values["target"])
    if source == target:
        raise InvalidRequest("Source and target are the same workspace.")
    if not settings.is_there(Path(source)):
        raise NotFound(f"There is no workspace at {source}.")
    old = open_engine(source, create=False)
    try:
        new = open_engine(target, expected=sum(old.status().records.values()))
        try:
            done = copy(old, new, SCHEMA, _lines())
        finally:
            new.close()
    finally:
        old.close()
    if options.json:
        print(json.dumps(asdict(done)))
    else:
        again = " (went on where an earlier copy stopped)" if done.resumed else ""
        print(
            f"Copied {done.records:,} records, {done.edges:,} edges and {done.files:,} files to {done.target}{again}."
            f" Both hold the same: {done.digest}."
        )
    return 0


def _lines() -> Callable[["Migrating"], None]:
    told: tuple[str, int] = ("", 0)

    def report(progress: "Migrating") -> None:
        nonlocal told
        percent = 100 * progress.done // max(progress.total, 1)
        if progress.stage != told[0] or percent >= told[1] + _PERCENT:
            told = progress.stage, percent
            if progress.stage != "done":
                print(f"dowse: {progress.stage}: {percent} %", file=sys.stderr)

    return report
