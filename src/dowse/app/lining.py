"""Which lines of its file does a record's text stand on?"""

from dowse.model.record import Record
from dowse.model.schema import Kind

# How a text begins that stands below its signature.
_BELOW = (" ", "\t", "{")


def first_line(record: Record, kind: Kind, text: str, *, has_parts: bool) -> int | None:
    """The line on which the text begins, if its rows are lines of the file one after the other; None: nobody knows.

    Text ends where its record ends. Before it stand the heading, or the signature and its documentation.
    """
    lines = record.lines
    if lines is None or "lineEnd" not in record.facets:
        return None
    rows = text.count("\n") + 1
    span = lines[1] - lines[0] + 1
    if rows == span:
        return lines[0]
    if rows > span:
        return None
    if any(field.name == "signature" for field in kind.fields):
        # Without a signature it is what lies between definitions, from several places. A text that begins at the margin begins
        # with decorators and the like, which stand above the signature.
        is_below = bool(record.text("signature")) and text.startswith(_BELOW)
        return lines[1] - rows + 1 if is_below and not has_parts else None
    if record.facets.get("type") == "code":
        return lines[0] + 1 if rows + 2 == span else None
    return lines[1] - rows + 1
