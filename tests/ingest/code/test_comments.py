import pytest

from dowse.ingest.code.comments import clean_comment, is_for_machines, is_licence


@pytest.mark.parametrize(
    "comment",
    [
        "# The tide.",
        "// The tide.",
        "/// The tide.",
        "//! The tide.",
        "/* The tide. */",
        "/** The tide. */",
        "-- | The tide.",
        '"""The tide."""',
    ],
)
def test_a_comment_loses_its_marks_and_keeps_its_words(comment: str):
    assert clean_comment(comment) == "The tide."


def test_a_block_comment_keeps_its_paragraphs_and_lists():
    assert clean_comment("/**\n * The tide.\n *\n *   - rises\n */") == "The tide.\n\n  - rises"


def test_the_head_of_a_licence_is_told_from_a_word_about_the_file():
    assert is_licence("# Copyright 2026 The Saltmarsh Authors")
    assert is_licence("// SPDX-License-Identifier: Apache-2.0")
    assert not is_licence("# Reads the gauges along the quay.")


def test_a_line_that_names_the_program_to_run_is_for_machines():
    assert is_for_machines("#!/usr/bin/env python3")
    assert not is_for_machines("# Reads the gauges.")
