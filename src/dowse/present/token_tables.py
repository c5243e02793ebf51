"""How do tokens look to someone at a terminal?"""

import time
from collections.abc import Sequence

from rich.console import Group
from rich.table import Table
from rich.text import Text

from dowse.model.token import NewToken, Token
from dowse.present.styled import DIM, TITLE, line


def new_token(made: NewToken) -> Group:
    """The secret on a line of its own, to be copied."""
    said = Text.assemble(f"The secret of {line(made.token.name)}, shown only now; whoever has it may ", _may(made.token), ":")
    return Group(said, Text(made.secret, TITLE, no_wrap=True, overflow="ignore"))


def revoked_token(token: Token) -> Text:
    """One that opens nothing any more."""
    return Text.assemble((line(token.name), TITLE), f" is revoked; it was for {_may(token)}, {_until(token)}")


def token_table(tokens: Sequence[Token]) -> Table:
    table = Table(box=None, padding=(0, 2, 0, 0), header_style=DIM, show_edge=False)
    for column in ("ID", "NAME", "MAY", "OF", "UNTIL"):
        table.add_column(column, overflow="fold")
    for token in tokens:
        until = Text(_until(token), DIM if token.expired else "")
        table.add_row(token.id, Text(line(token.name), TITLE), ", ".join(token.capabilities), _of(token), until)
    return table


def _may(token: Token) -> str:
    return f"{', '.join(token.capabilities)} of {_of(token)}"


def _of(token: Token) -> str:
    parts = (("spaces", token.spaces), ("under", token.under), ("kinds", token.kinds))
    named = [f"{name} {', '.join(line(item) for item in items)}" for name, items in parts if items]
    return "; ".join(named) or "everything"


def _until(token: Token) -> str:
    if token.expires is None:
        return "until revoked"
    day = time.strftime("%Y-%m-%d", time.localtime(token.expires))
    return f"expired {day}" if token.expired else f"until {day}"
