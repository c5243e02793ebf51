"""What does a process hold that has answered and written for long? No more than at first: caches have bounds, and what belongs to
an older commit goes with it. Counted in our own objects, for what the system says depends on its allocator."""

import gc
import random
from pathlib import Path

import dowse
from dowse.app.remembering import RememberedPages
from dowse.app.workspace import Workspace
from dowse.engines.sqlite.columns import Columns
from dowse.engines.sqlite.postings import PostingsCache
from dowse.engines.sqlite.vectors import Segment
from dowse.engines.sqlite.viewing import SqliteView

_WORDS = [f"{start}{end}" for start in ("tide", "harbour", "rope", "sail", "mast") for end in ("", "master", "line", "wright")]
_COMMITS = 200


def _held() -> dict[str, int]:
    """How many objects there are of what belongs to one commit, and what our caches count."""
    found: dict[str, int] = dict.fromkeys(("columns", "segments", "views", "postings", "characters"), 0)
    for item in gc.get_objects():
        if isinstance(item, Columns):
            found["columns"] += 1
        elif isinstance(item, Segment):
            found["segments"] += 1
        elif isinstance(item, SqliteView):
            found["views"] += 1
        elif isinstance(item, PostingsCache):
            found["postings"] += item.bytes
        elif isinstance(item, RememberedPages):
            found["characters"] += item.characters
    return found


def _work(workspace: Workspace, rng: random.Random, number: int) -> None:
    """A commit and what people ask after it. As much is replaced as is written."""
    text = " ".join(rng.choices(_WORDS, k=30))
    workspace.put(kind="page", key=f"page-{number % 20}", title=f"{rng.choice(_WORDS)} {number % 20}", content=text)
    asked = " ".join(rng.choices(_WORDS, k=2))
    workspace.search(f"how does {asked} work")
    workspace.search(f'"{asked}"')
    workspace.search(asked[:4], mode="substring", explain=True)
    workspace.list(kinds=("page",))


def test_hundreds_of_commits_and_searches_leave_no_more_in_memory_than_the_first_few(tmp_path: Path) -> None:
    rng = random.Random(8)
    # What other tests left is not to go while this one counts.
    gc.collect()
    before = _held()
    with dowse.open(tmp_path / "w.dowse") as workspace:
        seen = []
        for number in range(_COMMITS):
            _work(workspace, rng, number)
            if number in (_COMMITS // 2, _COMMITS - 1):
                # Without collecting: what lies in a circle would stay for as long as the collector waits.
                seen.append({name: count - before[name] for name, count in _held().items()})
    middle, end = seen
    assert (end["columns"], end["segments"], end["views"]) == (1, 1, 0)
    # All words were asked for by then, so that nothing new comes into any cache.
    assert end["postings"] <= middle["postings"] * 1.1
    assert end["characters"] <= 4 * 20 * 400
