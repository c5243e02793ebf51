from dowse.ingest.documents.outline import Link
from dowse.ingest.documents.rst import outline

GUIDE = """\
=====
Guide
=====

Welcome.

.. _setup:

Set up
======

Run this::

    make
    make install

Linux
-----

.. code-block:: py
   :caption: app.py
   :linenos:

   x = 1
   y = 2

Done.
"""


def test_levels_follow_the_order_in_which_adornments_appear() -> None:
    read = outline(GUIDE, "guide.rst")
    assert [(s.title, s.level, s.line) for s in read.sections] == [("Guide", 1, 1), ("Set up", 2, 9), ("Linux", 3, 17)]


def test_a_label_is_the_anchor_of_the_heading_after_it() -> None:
    section = outline(GUIDE, "guide.rst").sections[1]
    assert (section.anchor, section.labels) == ("setup", ("setup",))


def test_a_literal_block_is_an_example() -> None:
    example = outline(GUIDE, "guide.rst").sections[1].examples[0]
    assert (example.language, example.code, example.line, example.line_end) == ("", "make\nmake install", 14, 15)


def test_a_code_block_is_an_example_without_its_options() -> None:
    example = outline(GUIDE, "guide.rst").sections[2].examples[0]
    assert (example.language, example.code, example.title) == ("python", "x = 1\ny = 2", "app.py")
    assert (example.line, example.line_end) == (20, 25)


def test_literal_blocks_have_the_language_of_the_last_highlight_directive() -> None:
    assert outline(".. highlight:: c\n\nSo::\n\n  int x;\n", "a.rst").sections[0].examples[0].language == "c"


def test_a_session_at_the_prompt_is_python() -> None:
    example = outline("Try\n\n>>> 1 + 1\n2\n\nDone\n", "a.rst").sections[0].examples[0]
    assert (example.language, example.code) == ("python", ">>> 1 + 1\n2")


def test_a_code_block_inside_a_note_is_found() -> None:
    text = ".. note::\n\n   See\n\n   .. code-block:: sh\n\n      ls\n"
    assert outline(text, "a.rst").sections[0].examples[0].code == "ls"


def test_an_underline_in_code_makes_no_heading() -> None:
    assert [s.level for s in outline("So::\n\n  Title\n  =====\n", "a.rst").sections] == [0]


def test_a_line_under_a_paragraph_makes_no_heading() -> None:
    assert [s.level for s in outline("one\ntwo\n----\n", "a.rst").sections] == [0]


def test_roles_are_links_and_mentions() -> None:
    section = outline(
        "See :ref:`Set up <setup>`, :doc:`/guide`, :class:`~app.Router`, :func:`run`, ``MAX_SIZE``.", "a.rst"
    ).sections[0]
    assert section.links == (Link("ref:setup", "Set up"), Link("/guide.rst"))
    assert section.mentions == ("app.Router", "run()", "MAX_SIZE")


def test_directives_that_describe_an_object_mention_it() -> None:
    assert outline(".. py:function:: app.run(host, port)\n\n   Runs.\n\n.. autoclass:: app.Router\n", "a.rst").sections[
        0
    ].mentions == (
        "app.run",
        "app.Router",
    )


def test_named_and_external_links_are_found() -> None:
    section = outline("`the site <https://example.org>`_ and `Set up`_", "a.rst").sections[0]
    assert [link.target for link in section.links] == ["https://example.org", "#set-up"]


def test_a_heading_is_shown_without_its_markup() -> None:
    assert outline("The ``Router`` *class*\n======================\n", "a.rst").title == "The Router class"
