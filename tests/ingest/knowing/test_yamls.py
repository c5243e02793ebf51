from dowse.ingest.knowing.yamls import documents


def read(text: str) -> tuple[list[object], list[str]]:
    problems: list[str] = []
    return list(documents(text, problems)), problems


def test_values_stay_as_they_are_written() -> None:
    assert read("a: 007\nb: yes\nc: 2024-13-45\nd: !!int x\n") == ([{"a": "007", "b": "yes", "c": "2024-13-45", "d": "x"}], [])


def test_a_mapping_knows_its_line() -> None:
    (document,), _ = read("a: 1\nb:\n  - c: 2\n  - d: 3\n")
    assert document.line == 1  # type: ignore[attr-defined]
    assert [entry.line for entry in document["b"]] == [3, 4]  # type: ignore[index]


def test_what_cannot_be_read_is_a_problem_and_what_came_before_is_kept() -> None:
    found, problems = read("a: 1\n---\nb: [\n")
    assert found == [{"a": "1"}]
    assert problems == ["line 4: not valid YAML (did not find expected node content); nothing from here on was read"]


def test_deep_nesting_is_refused_before_it_can_end_the_process() -> None:
    for text in ("[" * 100_000, "- " * 5000, "a: " + "{a: " * 5000):
        found, problems = read(text)
        assert found == []
        assert len(problems) == 1


def test_an_anchor_within_itself_a_list_as_a_key_and_half_a_pair_are_problems() -> None:
    for text in ("a: &a [*a]", "? [a]\n: b", "a: \ud800", "a: \0"):
        found, problems = read(text)
        assert (found, len(problems)) == ([], 1), text
