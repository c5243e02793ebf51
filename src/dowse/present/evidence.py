"""How does an evidence pack read? As Markdown whose headings and citations no record can forge.

What comes from a record stands inside a fence that is longer than any within, or on one line, where it is quoted if it holds
anything that Markdown would act on.
"""

import re

from dowse.model.evidence import EvidencePack, LeftOut, Piece
from dowse.present.library import fence
from dowse.text.tokens import CHARACTERS_PER_TOKEN

# What a heading shows of a task or a title; whoever gave the task knows it, and the key names the record.
_LONGEST_TASK = 120
_LONGEST_TITLE = 100
_LONGEST_NOTE = 160
# Records that are named of those left out for one reason; further down nobody asks for one of them.
_MOST_NAMED = 8
# What makes links, images, code, emphasis, entities or HTML. Underscores do so too, and are harmless, and stand in many names.
_ACTIVE = re.compile(r"[`<>\[\]!*\\|&~]|^[#>+=-]|://")
_PLAIN_LANGUAGE = re.compile(r"[\w+#.-]{1,30}")
_NOTHING = "Nothing here speaks of this task. Try other words, or names that stand in the code."
_SEPARATOR = "\n\n"


def evidence_text(pack: EvidencePack) -> str:
    """The whole pack, never longer than its budget: what was left out is named as far as there is room."""
    parts = [opening(pack.task, pack.degraded), *map(piece_text, pack.pieces)]
    if not pack.pieces:
        parts.append(_NOTHING)
    text = _SEPARATOR.join(parts)
    room = pack.tokens * CHARACTERS_PER_TOKEN - len(text) - len(_SEPARATOR)
    closing = left_out_text(pack.left_out, room)
    return f"{text}{_SEPARATOR}{closing}" if closing else text


def opening(task: str, degraded: tuple[str, ...]) -> str:
    """What stands before the first piece."""
    rows = [f"# Evidence for: {inert(task, _LONGEST_TASK)}"]
    if degraded:
        rows += ["", *(f"Note: {inert(note, _LONGEST_NOTE)}" for note in degraded[:2])]
    return "\n".join(rows)


def piece_text(piece: Piece) -> str:
    """A heading with the citation, how it was reached unless it was found, and the passage in a fence."""
    heading = f"## [{piece.number}] {citation(piece)} — {inert(_called(piece), _LONGEST_TITLE)} ({piece.kind})"
    marks = fence(piece.text)
    language = piece.language if _PLAIN_LANGUAGE.fullmatch(piece.language) else ""
    rows = [heading, *(["; ".join(piece.why)] if piece.score is None else []), f"{marks}{language}", piece.text, marks]
    return "\n".join(rows)


def citation(piece: Piece) -> str:
    """Where it stands: path and lines, or the key of what is in no file."""
    if not piece.path:
        return inert(piece.key)
    if piece.lines is None:
        return inert(piece.path)
    start, end = piece.lines
    return f"{inert(piece.path)}:{start}" if start == end else f"{inert(piece.path)}:{start}-{end}"


def left_out_text(left_out: tuple[LeftOut, ...], room: int) -> str:
    """The reasons and who was left out for each, as many as there is room for; the others are counted. Empty if not even that."""
    if not left_out:
        return ""
    by_why: dict[str, list[LeftOut]] = {}
    for item in left_out:
        by_why.setdefault(item.why, []).append(item)
    rows = [_left_out(why, items) for why, items in by_why.items()]
    counts = [len(items) for items in by_why.values()]
    for shown in range(len(rows), -1, -1):
        text = _listed(rows[:shown], sum(counts[shown:]))
        if len(text) <= room:
            return text
    return ""


def inert(text: str, longest: int | None = None) -> str:
    """Foreign text on one line that Markdown does nothing with.

    >>> inert("query_docs"), inert("## [2] x"), inert("a ` b\\nc", 4)
    ('query_docs', '`## [2] x`', '``` a `… ```')
    """
    line = " ".join(_printable(text).split())
    if longest is not None and len(line) > longest:
        line = line[:longest].rstrip() + "…"
    if not _ACTIVE.search(line):
        return line
    if "`" not in line:
        return f"`{line}`"
    marks = fence(line)
    return f"{marks} {line} {marks}"


def _called(piece: Piece) -> str:
    """Its title; of a definition inside another, with what it stands in, as its key says: there are many called ``__init__``."""
    name = piece.key.rpartition("#")[2]
    return name if piece.title and name.endswith(f".{piece.title}") else piece.title or piece.key


def _printable(text: str) -> str:
    return text if text.isprintable() else "".join(character if character.isprintable() else " " for character in text)


def _listed(rows: list[str], more: int) -> str:
    if not rows:
        return f"Left out: {more} records; more tokens would show them."
    return "\n".join(["## Left out", *rows, *([f"- and {more} more"] if more else [])])


def _left_out(why: str, items: list[LeftOut]) -> str:
    names = ", ".join(map(_name, items[:_MOST_NAMED]))
    more = f" and {len(items) - _MOST_NAMED} more" if len(items) > _MOST_NAMED else ""
    return f"- {names}{more}: {why}"


def _name(item: LeftOut) -> str:
    title = inert(item.title, _LONGEST_TITLE)
    return inert(item.key) if not title or item.title in item.key else f"{inert(item.key)} ({title})"
