"""Which indices does a workspace have, and how does a new one take the place of an old one?"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import asdict
from typing import Any

from dowse.engines.opensearch import mapping
from dowse.engines.opensearch.committing import State
from dowse.engines.opensearch.driver import Cluster, Json
from dowse.errors import NewerWorkspace, StorageError
from dowse.model.passage import Pooling, Profile

# Points in time came with 2.4; everything else that is used here is older.
_OLDEST = (2, 4)


# Above the templates that clusters come with, and what people make for all indices.
_PRIORITY = 500


def numbers_of(version: str) -> tuple[int, ...]:
    """A version to compare by: its first two numbers."""
    return tuple(int(part) for part in re.findall(r"\d+", version)[:2])


def check_version(cluster: Cluster) -> str:
    """Refuses a server that cannot hold a workspace; returns its version."""
    told = cluster.request("GET", "/")
    version = told.get("version", {})
    number = str(version.get("number", "unknown"))
    if version.get("distribution") != "opensearch":
        raise StorageError(
            f"{cluster.address} is no OpenSearch cluster, but {version.get('distribution') or 'something else'} {number}."
        )
    if numbers_of(number) < _OLDEST:
        raise StorageError(f"{cluster.address} runs OpenSearch {number}; dowse needs {'.'.join(map(str, _OLDEST))} or newer.")
    return number


def state_index(prefix: str) -> str:
    return f"{prefix}-state"


def numbered(prefix: str, what: str, number: int) -> str:
    return f"{prefix}-{what}-{number}"


def following(name: str) -> str:
    """The name of the index that takes the place of another."""
    stem, _, number = name.rpartition("-")
    return f"{stem}-{int(number) + 1}"


def found_workspace(cluster: Cluster, prefix: str, fingerprint: str, expected: int) -> State:
    """Makes the indices of a new workspace; several processes may do so at once."""
    state = State(fingerprint, numbered(prefix, "truth", 1), numbered(prefix, "words", 1))
    create(cluster, state_index(prefix), mapping.state())
    create(cluster, state.truth, mapping.truth(mapping.shards_for(expected)))
    create(cluster, state.words, mapping.words())
    point(cluster, prefix, state)
    return state


def create(cluster: Cluster, name: str, body: Json) -> None:
    """Makes an index, unless it is there: from the template of its kind, or whole where templates are not ours to make."""
    shards = {"settings": {"number_of_shards": body["settings"]["number_of_shards"]}}
    answer = cluster.request("PUT", f"/{name}", shards if _has_template(cluster, name, body) else body, {"ignore": 400})
    if "error" in answer and "resource_already_exists" not in str(answer["error"]):
        raise StorageError(f"{cluster.address} does not make the index {name}: {answer['error'].get('reason', answer['error'])}.")


def _has_template(cluster: Cluster, name: str, body: Json) -> bool:
    """Puts the template of all indices that a number follows; an index that someone restores or makes by hand fits then too."""
    stem, _, number = name.rpartition("-")
    if not number.isdecimal():
        return False
    settings = {name: value for name, value in body["settings"].items() if name != "number_of_shards"}
    template = {
        "index_patterns": [f"{stem}-*"],
        "priority": _PRIORITY,
        "template": {"settings": settings, "mappings": body["mappings"]},
        "_meta": {"made_by": "dowse"},
    }
    try:
        # Refused as wrong where another template of the same weight fits the same names.
        return "error" not in cluster.request("PUT", f"/_index_template/{stem}", template, {"ignore": 400})
    except StorageError:
        return False  # Templates are the whole cluster's: not everyone who may write an index may make them.


def remove_workspace(cluster: Cluster, prefix: str) -> None:
    """Takes a workspace away, with everything that was made for it."""
    for path in (f"/{prefix}-*", f"/_index_template/{prefix}-*"):
        cluster.request("DELETE", path, parameters={"ignore": 404})


def drop(cluster: Cluster, names: Iterable[str | None]) -> None:
    for name in names:
        if name is not None:
            cluster.request("DELETE", f"/{name}", parameters={"ignore": 404})


def point(cluster: Cluster, prefix: str, state: State) -> None:
    """Lets the aliases name the indices in use, for whoever looks at the cluster from outside."""
    wanted = {f"{prefix}-truth": state.truth, f"{prefix}-words": state.words, f"{prefix}-passages": state.passages}
    told = cluster.request("GET", f"/_alias/{','.join(wanted)}", parameters={"ignore": 404})
    held = [(name, alias) for name, entry in told.items() if isinstance(entry, dict) for alias in entry.get("aliases", ())]
    actions: list[Json] = [{"remove": {"index": name, "alias": alias}} for name, alias in held if wanted.get(alias) != name]
    actions += [{"add": {"index": name, "alias": alias}} for alias, name in wanted.items() if name is not None]
    cluster.request("POST", "/_aliases", {"actions": actions}, {"ignore": 404})


def unused(cluster: Cluster, prefix: str, used: Sequence[str | None]) -> list[str]:
    """Numbered indices of the workspace that nothing names any more: an interrupted rebuild leaves them."""
    listed = cluster.request("GET", f"/_cat/indices/{prefix}-*", parameters={"format": "json", "h": "index"})
    ours = re.compile(rf"{re.escape(prefix)}-(truth|words|passages)-\d+")
    return sorted(item["index"] for item in listed if ours.fullmatch(item["index"]) and item["index"] not in used)


def dump_profile(profile: Profile | None) -> Json | None:
    return {**asdict(profile), "pooling": str(profile.pooling)} if profile is not None else None


def load_profile(stored: Json | None) -> Profile | None:
    if stored is None:
        return None
    try:
        values: dict[str, Any] = {**stored, "pooling": Pooling(stored["pooling"])}
        return Profile(**values)
    except (TypeError, ValueError) as error:
        raise NewerWorkspace(f"The workspace was written by a newer dowse ({error}). Update dowse.") from error


def is_same_model(one: Profile | None, other: Profile | None) -> bool:
    """Whether vectors of one can be compared with the other's."""
    if one is None or other is None:
        return one is other
    return (one.fingerprint, one.dimension) == (other.fingerprint, other.dimension)
