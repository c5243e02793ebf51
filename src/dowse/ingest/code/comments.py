"""What does a comment say, without the marks that make it one?"""

import re
from inspect import cleandoc

_QUOTES = re.compile(r"""^[A-Za-z]{0,3}("{3}|'{3}|"|'|`)|~[SsHh]""")
_BLOCK_OPENS = re.compile(r"^\s*(?:/\*+!?<?|\(\*+|\{-+\s*\|?|<!--|=begin\b|--\[=*\[)")
_BLOCK_CLOSES = re.compile(r"(?:\*+/|\*+\)|-+\}|-->|=end\b|\]=*\])\s*$")
_STARS = re.compile(r"^[ \t]*\*+[ \t]?", re.MULTILINE)
_LINE_MARKS = re.compile(r"^[ \t]*(?://+[!<]?|#+[!:]?|--+|;+|%+)[ \t]?(?:[|^](?:[ \t]|$))?", re.MULTILINE)
# What C# puts around the sentences of a comment; the other tags say what their sentence is about.
_XML_TAGS = re.compile(r"</?(?:summary|remarks|para)>")
# Words that only the head of a licence has, near its beginning.
_LICENCE = re.compile(r"copyright|licen[cs]ed?\b|spdx-|all rights reserved|redistribution and use", re.IGNORECASE)
# The line that says which program runs the file, or in which encoding it is, documents nothing.
_MACHINE = re.compile(
    r"^#!|^#.*-\*-|^# *(?:en)?coding[:=]|^# *frozen_string_literal:"
    r"|^//go:build|^// \+build|^#.*\bvim?:|^/\* eslint|^// @ts-|^'use strict'"
)


def clean_comment(text: str) -> str:
    """The text of a comment of any language, or of a string that documents.

    >>> clean_comment("/** The tide.\\n *  @since 2\\n */")
    'The tide.\\n@since 2'
    >>> clean_comment("/// The tide\\n/// rises.")
    'The tide\\nrises.'
    >>> clean_comment("-- |\\n-- The tide.")
    'The tide.'
    >>> clean_comment("/// <summary>\\n/// The tide.\\n/// </summary>")
    'The tide.'
    """
    if _QUOTES.match(text):
        return clean_docstring(text)
    if _BLOCK_OPENS.match(text):
        inner = _BLOCK_CLOSES.sub("", _BLOCK_OPENS.sub("", text))
        return _unindented(_STARS.sub("", inner) if "\n" in inner else inner)
    inner = _LINE_MARKS.sub("", text)
    return _unindented(_XML_TAGS.sub("", inner) if text.startswith("///") else inner)


def clean_docstring(text: str) -> str:
    """The text of a string literal that documents.

    >>> clean_docstring("r'''One.\\n\\n    Two.'''")
    'One.\\n\\nTwo.'
    """
    inner = text.lstrip("rRuUbBfF~sShH")
    for quote in ('"""', "'''", '"', "'", "`"):
        if inner.startswith(quote):
            return _unindented(inner[len(quote) :].removesuffix(quote))
    return _unindented(inner)


def _unindented(text: str) -> str:
    """As ``cleandoc`` does it, without the white space around; most comments are a line."""
    return cleandoc(text).strip() if "\n" in text else text.expandtabs().strip()


def is_licence(text: str) -> bool:
    """Whether a comment is the licence of a file rather than a word about it."""
    return bool(_LICENCE.search(text[:600]))


def is_for_machines(text: str) -> bool:
    """Whether a comment speaks to a tool: which program runs the file, in which encoding it is."""
    return bool(_MACHINE.match(text))
