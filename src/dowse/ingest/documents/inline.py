"""Where does a stretch of Markdown point, and what does it name in backticks?

The inline grammar of CommonMark takes as long as the blocks and more; for links and code spans one expression does, and no
text makes it slow: every repetition is bounded.
"""

import re
from collections.abc import Mapping

from dowse.ingest.documents.outline import Link

# The first branch that fits wins, from left to right, so that nothing inside a code span is a link.
_MARKUP = re.compile(
    r"(?P<ticks>`{1,3})(?!`)(?P<code>[^`\n](?:[^\n]{0,198}?[^`\n])??)(?P=ticks)(?!`)"
    r"|`+"
    r"|\[\[(?P<wiki>[^\[\]|\n]{1,300})(?:\|(?P<slug>[^\[\]|\n]{1,300}))?\]\]"
    r"|\[(?P<text>[^\[\]]{0,300})\]"
    r"(?:\([ \t]{0,9}(?:<(?P<angled>[^<>\n]{1,1000})>|(?P<bare>[^\s()<>]{1,1000}(?:\([^\s()<>]{0,200}\)[^\s()<>]{0,200})?))"
    r"|\[(?P<label>[^\[\]]{0,300})\])"
    r"|<a\s[^<>]{0,300}?href=[\"'](?P<href>[^\"'<>\n]{1,1000})[\"']"
)
_CODE_IN_LINK = re.compile(r"`([^`\n]{1,200})`")
_DEFINITION = re.compile(r"^ {0,3}\[([^\[\]\n]{1,300})\]:[ \t]*\n?[ \t]*<?([^\s<>]{1,1000})", re.MULTILINE)
_SPACES = re.compile(r"\s+")


def definitions(text: str) -> dict[str, str]:
    """The targets of ``[label]: target``, by label."""
    found: dict[str, str] = {}
    if "]:" in text:
        for label, target in _DEFINITION.findall(text):
            found.setdefault(_label(label), target)
    return found


def links_and_mentions(prose: str, targets: Mapping[str, str]) -> tuple[tuple[Link, ...], tuple[str, ...]]:
    """What a text points to, and its code spans.

    >>> links_and_mentions("See [the guide](guide.md), [[Home|start]] and `Router.route`.", {})
    ((Link(target='guide.md', text='the guide', wiki=False), Link(target='start', text='Home', wiki=True)), ('Router.route',))
    """
    links, mentions = [], []
    for match in _MARKUP.finditer(prose):
        if match["code"]:
            mentions.append(match["code"].strip())
        elif match["wiki"]:
            links.append(Link((match["slug"] or match["wiki"]).strip(), match["wiki"].strip(), wiki=True))
        elif target := _target(match, targets):
            links.append(Link(target, _SPACES.sub(" ", match["text"] or "").strip()))
            mentions.extend(code.strip() for code in _CODE_IN_LINK.findall(match["text"] or ""))
    return tuple(links), tuple(mentions)


def _target(match: re.Match[str], targets: Mapping[str, str]) -> str:
    found = match["angled"] or match["bare"] or match["href"]
    if found or match["label"] is None:
        return (found or "").strip()
    return targets.get(_label(match["label"] or match["text"]), "")


def _label(label: str) -> str:
    return _SPACES.sub(" ", label).strip().casefold()
