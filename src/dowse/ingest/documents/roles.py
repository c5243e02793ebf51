"""Where does a stretch of reStructuredText point, and what does it name?"""

import re

from dowse.ingest.documents.assembling import one_line
from dowse.ingest.documents.outline import Link, anchor_of

# Every repetition is bounded, so that no text makes it slow.
_MARKUP = re.compile(
    r":(?P<role>[A-Za-z][\w:+.-]{0,40}):`(?P<content>[^`]{1,400})`"
    r"|``(?P<literal>[^`\n]{1,200})``"
    r"|`(?P<text>[^`<>]{0,300})<(?P<url>[^<>`]{1,1000})>`_"
    r"|`(?P<plain>[^`\n]{1,200})`(?P<named>_?)"
    r"|^[ \t]{0,40}\.\. +(?:[a-z]{1,10}:)?(?:auto)?"
    r"(?:function|method|class|classmethod|staticmethod|exception|attribute|property|data|module|currentmodule|macro|type|struct)"
    r"::[ \t]+(?P<object>[^\n]{1,300})",
    re.MULTILINE,
)
_TARGETED = re.compile(r"^(.*?)\s*<([^<>]+)>$", re.DOTALL)
_CALLED = ("func", "meth")
_NAMED = (
    "attr class code const data dfn envvar exc file func macro meth member mod obj program struct type var enum "
    "enumerator property trait fn literal samp"
).split()
_REFERRED = ("ref", "numref", "any", "keyword")
_EMPHASIS = re.compile(r"(\*\*?)(?=\S)([^*]{1,300})(?<=\S)\1")


def links_and_mentions(prose: str) -> tuple[tuple[Link, ...], tuple[str, ...]]:
    """What the roles and literals of a text mean.

    >>> links_and_mentions("See :ref:`setup`, :doc:`Guide <guide>` and :func:`~app.run`.")
    ((Link(target='ref:setup', text='', wiki=False), Link(target='guide.rst', text='Guide', wiki=False)), ('app.run()',))
    """
    links, mentions = [], []
    for match in _MARKUP.finditer(prose):
        if match["role"]:
            link, mention = _role(match["role"].lower().split(":")[-1], match["content"])
            links += [link] if link else []
            mentions += [mention] if mention else []
        elif match["url"]:
            links.append(Link(match["url"].strip(), one_line(match["text"])))
        elif match["named"]:
            links.append(Link("#" + anchor_of(match["plain"]), match["plain"]))
        elif match["object"]:
            mentions.append(_object(match["object"]))
        else:
            mentions.append((match["literal"] or match["plain"]).strip())
    return tuple(links), tuple(mention for mention in mentions if mention)


def plain_heading(text: str) -> str:
    """A heading without its markup.

    >>> plain_heading("The :class:`~app.Router` and ``route``")
    'The app.Router and route'
    """
    return one_line(_EMPHASIS.sub(r"\2", _MARKUP.sub(_shown, text)))


def _shown(match: re.Match[str]) -> str:
    if match["role"]:
        text, target = _targeted(match["content"])
        return text or target
    return match["literal"] or match["text"] or match["url"] or match["plain"] or match[0]


def _role(role: str, content: str) -> tuple[Link | None, str]:
    text, target = _targeted(content)
    if role in _REFERRED:
        return Link(f"ref:{target.lower()}", text), ""
    if role == "doc":
        return Link(target if target.endswith((".rst", ".md", "/")) else f"{target}.rst", text), ""
    if role == "download":
        return Link(target, text), ""
    if role in _CALLED:
        return None, target if target.endswith(")") else f"{target}()"
    return None, target if role in _NAMED else ""


def _object(signature: str) -> str:
    """The name in a signature: ``int run(int argc)`` has its type before, ``Router(app)`` has none."""
    name, bracket, _ = signature.partition("(")
    words = name.split() or [""]
    return words[-1] if bracket else words[0]


def _targeted(content: str) -> tuple[str, str]:
    """The text and the target of a role: ``text <target>``, ``~a.b`` shown as its last part, ``!a`` without a link."""
    content = one_line(content)
    match = _TARGETED.match(content)
    text, target = (match[1], match[2]) if match else ("", content)
    return text, target.strip().lstrip("~!.")
