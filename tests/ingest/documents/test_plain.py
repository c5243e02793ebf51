from dowse.ingest.documents.plain import outline


def titles(text: str) -> list[str]:
    return [section.title for section in outline(text, "notes.txt").sections if section.level]


def test_an_underlined_line_is_a_heading() -> None:
    assert titles("Guide\n=====\n\ntext\n\nUse\n---\ntext\n") == ["Guide", "Use"]


def test_a_short_line_in_capitals_is_a_heading() -> None:
    assert titles("INSTALLING\n\nRun it.\n\nLICENCE TERMS\n\nNone.\n") == ["INSTALLING", "LICENCE TERMS"]


def test_capitals_inside_a_paragraph_are_no_heading() -> None:
    assert titles("some text\nIMPORTANT NOTE\nmore text\n\nSTOP.\n\nOK\n\n") == []


def test_numbered_lines_are_headings_with_levels() -> None:
    read = outline("1. Scope\n\nText.\n\n1.1 Terms\n\nText.\n\n2. Use\n\nText.\n", "a.txt")
    assert [(s.title, s.level) for s in read.sections] == [("1. Scope", 1), ("1.1 Terms", 2), ("2. Use", 1)]


def test_the_items_of_a_list_are_no_headings() -> None:
    assert titles("1. Milk\n\n2. Bread\n\n3. Eggs\n") == []


def test_a_text_without_headings_is_one_section_named_after_the_file() -> None:
    read = outline("Just text.\n\nMore text.\n", "docs/notes.txt")
    assert [(s.title, s.level, s.line, s.line_end) for s in read.sections] == [("notes.txt", 0, 1, 3)]
