"""What is in an HTML page? Its text in blocks under its headings, without what frames the page."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from selectolax.lexbor import LexborHTMLParser, LexborNode

from dowse.ingest.documents import plain
from dowse.ingest.documents.assembling import LONGEST_TITLE, Draft, assemble, one_line
from dowse.ingest.documents.languages import language_name
from dowse.ingest.documents.outline import Example, Link, Outline

_DROPPED = frozenset("script style nav template svg iframe canvas object select button".split())
_HEADINGS = {f"h{level}": level for level in range(1, 7)}
# A line of its own, without a blank line around it.
_TIGHT = frozenset("br dd dt figcaption li option td th tr".split())
_BLOCKS = _TIGHT | frozenset(
    "address article aside blockquote body center details dialog div dl fieldset figure footer form header hr html legend main ol "
    "p section summary table tbody tfoot thead title ul".split()
)
_SPACES = re.compile(r"\s+")
_LANGUAGE = re.compile(r"(?:^|\s)(?:language|lang|highlight|highlight-source|brush:?|source)[-: ]\s*([\w+#-]+)")
# Marks that generators put behind a heading as a link to it.
_HEADER_LINK = re.compile(r"\s*[¶#§🔗]+\s*$")
# The parser looks at every open tag for every new one: ten thousand take a fraction of a second, a hundred thousand half a minute.
_DEEPEST = 10_000
_OPENING = re.compile(
    r"<(?!/|!|\?|(?:area|br|col|dd|dt|hr|img|input|li|link|meta|option|p|source|td|th|tr|wbr)\b)[A-Za-z]", re.IGNORECASE
)
_TAG = re.compile(r"<[^<>]{0,2000}>?")
_DESCRIBED = frozenset(("author", "description", "keywords"))


@dataclass(slots=True)
class _Page:
    drafts: list[Draft] = field(default_factory=lambda: [Draft("", 0)])
    blocks: list[tuple[bool, str]] = field(default_factory=list)
    """The text of the section at hand, block by block, and whether it stands close to others of its kind."""
    run: list[str] = field(default_factory=list)
    links: list[Link] = field(default_factory=list)
    mentions: list[str] = field(default_factory=list)


def outline(text: str, path: str) -> Outline:
    """The outline of an HTML page. There are no line numbers: where a block began is not known after parsing."""
    if _is_too_deep(text):
        read = plain.outline(_TAG.sub(" ", text), path)
        return Outline(
            read.title, {}, read.sections, (f"{path}: this page opens too many tags without closing them; its text is kept.",)
        )
    tree = LexborHTMLParser(text)
    page = _Page()
    mains = tree.css("main")
    # What a page calls its main part leaves out the menus and hints around it.
    root = mains[0] if len(mains) == 1 else tree.body
    if root is not None:
        for node, entering in _walk(root):
            _visit(page, node, entering)
    _close(page)
    heading = next((draft.title for draft in page.drafts if draft.level), "")
    named = tree.css_first("head > title")
    title = one_line(named.text()) if named is not None else ""
    # Generators put the name of the site behind that of the page.
    return assemble(path, page.drafts, _front(tree), title=heading if heading and title.startswith(heading) else title)


def _is_too_deep(text: str) -> bool:
    closing = text.count("</")
    return text.count("<") - 2 * closing > _DEEPEST and sum(1 for _ in _OPENING.finditer(text)) - closing > _DEEPEST


def _front(tree: LexborHTMLParser) -> dict[str, str]:
    front = {}
    for meta in tree.css("head > meta[name]"):
        name, content = meta.attributes.get("name"), meta.attributes.get("content")
        if name and content and name.lower() in _DESCRIBED:
            front[name.lower()] = one_line(content)
    return front


def _walk(root: LexborNode) -> Iterator[tuple[LexborNode, bool]]:
    """Every node as it begins and ends, in the order of the text; without recursion, since pages nest as deep as they like."""
    node: LexborNode | None = root.first_child
    above: list[LexborNode] = []
    while node is not None or above:
        if node is None:
            node = above.pop()
            yield node, False
            node = node.next
            continue
        yield node, True
        inner = None if node.tag in _DROPPED or node.tag in _HEADINGS or node.tag == "pre" else node.first_child
        if inner is None:
            yield node, False
            node = node.next
        else:
            above.append(node)
            node = inner


def _visit(page: _Page, node: LexborNode, entering: bool) -> None:
    tag = node.tag or ""
    if tag == "-text":
        if entering:
            page.run.append(node.text_content or "")
    elif tag in _DROPPED:
        return
    elif tag in _HEADINGS:
        if entering:
            _begin(page, node, _HEADINGS[tag])
    elif tag == "pre":
        if entering:
            _show(page, node)
    elif tag in _BLOCKS:
        _flush(page, tight=tag in _TIGHT)
    elif entering:
        _notice(page, node, tag)


def _begin(page: _Page, node: LexborNode, level: int) -> None:
    title = _HEADER_LINK.sub("", one_line(node.text()))
    _close(page)
    draft = Draft(title[:LONGEST_TITLE], level, _id(node))
    page.drafts.append(draft)
    if len(title) > LONGEST_TITLE:
        page.run.append(title)
    for link in node.css("a[href]"):
        _notice(page, link, "a")
    for code in node.css("code"):
        _notice(page, code, "code")


def _id(node: LexborNode) -> str:
    """The anchor of a heading: its own, that of a link in it, or that of the section it opens."""
    inner = node.css_first("a[id], a[name], span[id]")
    around = node.parent if node.parent is not None and node.parent.tag in ("section", "div") and _is_first(node) else None
    for holder in (node, inner, around):
        if holder is not None and (name := holder.attributes.get("id") or holder.attributes.get("name")):
            return name
    return ""


def _is_first(node: LexborNode) -> bool:
    before = node.prev
    while before is not None and (before.tag == "-comment" or (before.tag == "-text" and not (before.text_content or "").strip())):
        before = before.prev
    return before is None


def _show(page: _Page, node: LexborNode) -> None:
    code = node.text().strip("\n")
    _flush(page)
    if code.strip():
        page.blocks.append((False, code))
        page.drafts[-1].examples.append(Example(_language(node), code))


def _language(pre: LexborNode) -> str:
    holders = [pre, pre.css_first("code"), pre.parent, pre.parent.parent if pre.parent is not None else None]
    for holder in holders:
        if holder is not None:
            named = holder.attributes.get("data-lang") or holder.attributes.get("data-language")
            match = _LANGUAGE.search(holder.attributes.get("class") or "")
            if named or match:
                return language_name(named or (match[1] if match else ""))
    return ""


def _notice(page: _Page, node: LexborNode, tag: str) -> None:
    if tag == "a" and (target := node.attributes.get("href")):
        text = one_line(node.text())
        if not _HEADER_LINK.fullmatch(text):
            page.links.append(Link(target.strip(), text))
    elif tag == "code":
        page.mentions.append(one_line(node.text())[:200])


def _flush(page: _Page, *, tight: bool = False) -> None:
    text = _SPACES.sub(" ", "".join(page.run)).strip()
    page.run.clear()
    if text:
        page.blocks.append((tight, text))


def _close(page: _Page) -> None:
    _flush(page)
    draft = page.drafts[-1]
    before = False
    parts = []
    for tight, block in page.blocks:
        parts += ["\n" if tight and before else "\n\n", block]
        before = tight
    draft.text = "".join(parts[1:])
    draft.links, draft.mentions = tuple(page.links), tuple(page.mentions)
    page.blocks, page.links, page.mentions = [], [], []
