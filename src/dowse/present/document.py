"""How does a text in Markdown look on a page? As HTML made of escaped text alone: what it says is never run and never fetched."""

import html
import re
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any
from urllib.parse import quote, urlsplit

from markdown_it import MarkdownIt
from markdown_it.rules_inline import StateInline
from markdown_it.token import Token

from dowse.present.colouring import colour

# Where a link may lead. Everything else, javascript: and data: among them, is shown as text.
_LINKED = ("http", "https", "mailto")
# The page has its own first headings: those of a text stand below them.
_BELOW = 2
_LOWEST = 6
_WIKI_LINK = re.compile(r"\[\[([^\[\]|]+)(?:\|([^\[\]|]+))?\]\]")
# Texts are shown this far; a browser should not have to lay out a book.
_LONGEST = 200_000


def render(text: str) -> str:
    """The text as HTML for the page. Wiki links name their page in ``data-page``; images are told, not shown.

    >>> render("**Five** attempts, <b>then</b> [[Siren]]")
    '<p><strong>Five</strong> attempts, &lt;b&gt;then&lt;/b&gt; <a href="?open=siren" data-page="siren">Siren</a></p>\\n'
    """
    cut = text[:_LONGEST]
    made: str = _markdown().render(cut)
    return made if len(cut) == len(text) else f"{made}<p>…</p>\n"


@lru_cache(maxsize=1)
def _markdown() -> MarkdownIt:
    made = MarkdownIt("commonmark", {"html": False}).enable(["table", "strikethrough"])
    made.inline.ruler.before("link", "wiki", _wiki_link)
    for name, element in _ELEMENTS.items():
        made.add_render_rule(name, _rule(element))
    return made


def _rule(element: Callable[[Token], str]) -> Callable[..., str]:
    return lambda _, tokens, at, *_rest: element(tokens[at])


def _wiki_link(state: StateInline, silent: bool) -> bool:
    found = _WIKI_LINK.match(state.src, state.pos)
    if found is None:
        return False
    if not silent:
        token = state.push("wiki", "", 0)
        token.content = found[1].strip()
        token.meta = {"page": (found[2] or _slug(found[1])).strip()}
    state.pos = found.end()
    return True


def _slug(title: str) -> str:
    return "-".join(re.findall(r"[^\W_]+", title.lower()))


def _code(token: Token) -> str:
    language = next(iter(token.info.split()), "")
    lines = "\n".join(colour(token.content.removesuffix("\n"), language))
    return f'<pre class="code" tabindex="0"><code>{lines}</code></pre>\n'


def _level(token: Token) -> int:
    return min(int(token.tag.removeprefix("h")) + _BELOW, _LOWEST)


def _link(token: Token) -> str:
    target = str(token.attrGet("href") or "")
    if _scheme(target) in _LINKED:
        return f'<a href="{html.escape(target)}" rel="noopener noreferrer" target="_blank">'
    return f'<a class="elsewhere" title="{html.escape(target)}">'


def _cell(token: Token) -> str:
    # A style in an attribute is what a careful page refuses; a class says the same.
    side = str(token.attrGet("style") or "").removeprefix("text-align:")
    return f'<{token.tag} class="{side}">' if side in ("center", "right") else f"<{token.tag}>"


def _wiki(token: Token) -> str:
    page = token.meta["page"]
    return f'<a href="?open={quote(page)}" data-page="{html.escape(page)}">{html.escape(token.content)}</a>'


def _scheme(target: str) -> str:
    try:
        return urlsplit(target.strip()).scheme.lower()
    except ValueError:
        return ""


def facts(facets: Mapping[str, Any]) -> dict[str, str]:
    """Facets as people read them.

    >>> facts({"lineEnd": 3, "test": True})
    {'line end': '3', 'test': 'yes'}
    """
    return {_spaced(name): _told(value) for name, value in facets.items() if value not in ("", None)}


def _spaced(name: str) -> str:
    return re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name).lower()


def _told(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value)


# What the page does its own way; a wide table is moved sideways by itself, also by who has no mouse.
_ELEMENTS: dict[str, Callable[[Token], str]] = {
    "fence": _code,
    "code_block": _code,
    "image": lambda token: f'<span class="image">{html.escape(token.content or "image")}</span>',
    "heading_open": lambda token: f"<h{_level(token)}>",
    "heading_close": lambda token: f"</h{_level(token)}>\n",
    "link_open": _link,
    "wiki": _wiki,
    "table_open": lambda _: '<div class="wide" tabindex="0" role="group" aria-label="table"><table>\n',
    "th_open": _cell,
    "td_open": _cell,
    "table_close": lambda _: "</table></div>\n",
}
