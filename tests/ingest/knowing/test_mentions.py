from dowse.ingest.knowing.mentions import mentions


def said(text: str, own: str = "", prefixes: tuple[str, ...] = ()) -> list[tuple[str, str]]:
    return [(made.kind, made.names[0]) for made in mentions("a", text, own, prefixes)]


def test_numbers_and_addresses_of_issues_are_mentions() -> None:
    text = "See #1, (#2), GH-3 and https://example.org/o/r/issues/4."
    assert said(text) == [("relates_to", f"task:{number}") for number in (1, 2, 3, 4)]


def test_what_only_looks_like_a_number_of_an_issue_is_none() -> None:
    for text in ("#abc", "&#39;", "o/r#5", "x#5", "# 5", "#12ab34", "/docs#5", "##5", "#12345678", "- [x] #1 counts"):
        assert said(text) == [], text


def test_the_words_before_a_number_tell_what_it_is_to_the_task() -> None:
    assert said("Depends on #1, #2 and #3. Blocks: #4") == [
        *[("is_blocked_by", f"task:{number}") for number in (1, 2, 3)],
        ("blocks", "task:4"),
    ]


def test_a_task_does_not_mention_itself() -> None:
    assert said("#7 again", own="7") == []


def test_ids_with_a_known_prefix_are_mentions_and_a_full_stop_ends_them() -> None:
    assert said("See bd-a1.2, bd-c3. Not abd-x or bd-A or xx-1.", prefixes=("bd",)) == [
        ("relates_to", "task:bd-a1.2"),
        ("relates_to", "task:bd-c3"),
    ]
