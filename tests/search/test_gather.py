"""Do the hits of one file speak for each other, and stand back for other files?"""

import pytest
from reasoning import reasons

from dowse.app.workspace import Workspace
from dowse.model.page import Hit


def file(workspace: Workspace, path: str, *bodies: str) -> None:
    """A source file with a symbol for each body; keys are the path and a number."""
    workspace.put(kind="codefile", key=path, title=path, path=path)
    for number, body in enumerate(bodies):
        workspace.put(kind="symbol", key=f"{path}#{number}", title="step", body=body, parent=path)


def found(workspace: Workspace, query: str) -> dict[str, Hit]:
    return {hit.record.key: hit for hit in workspace.search(query, explain=True, limit=100).hits}


def added(hit: Hit, name: str) -> float:
    return sum(signal.added for signal in hit.signals if signal.name == name)


def test_a_file_with_several_hits_stands_above_one_with_a_slightly_better_hit(by_words: Workspace) -> None:
    file(by_words, "one.py", "cap retries of a parcel")
    file(by_words, "many.py", *["cap retries of a parcel soon"] * 3)
    hits = found(by_words, "cap retries")
    first, alone = hits["many.py#0"], hits["one.py#0"]
    assert next(iter(hits)) == "many.py#0"
    assert first.score - added(first, "same file") < alone.score


def test_the_second_hit_of_a_file_stands_back_for_other_files(by_words: Workspace) -> None:
    file(by_words, "many.py", "cap retries", "cap retries now")
    file(by_words, "one.py", "cap retries now and then")
    assert list(found(by_words, "cap retries")) == ["many.py#0", "one.py#0", "many.py#1"]


def test_an_explanation_says_what_the_file_gave_and_what_it_cost(by_words: Workspace) -> None:
    file(by_words, "many.py", "cap retries", "cap retries now", "cap retries now and then")
    hits = found(by_words, "cap retries")
    assert [[signal.name for signal in reasons(hit)] for hit in hits.values()] == [
        ["same file"],
        ["same file", "file already shown"],
        ["same file", "file already shown"],
    ]
    assert [hit.signals[-1].factor for hit in hits.values()] == [1.0, 0.5, 0.25]
    assert len({added(hit, "same file") for hit in hits.values()}) == 1


def test_whoever_asks_why_a_record_stands_there_is_told_the_same(by_words: Workspace) -> None:
    file(by_words, "many.py", "cap retries", "cap retries now")
    hit = found(by_words, "cap retries")["many.py#1"]
    explanation = by_words.why_not("many.py#1", "cap retries")
    assert (explanation.rank, explanation.score, explanation.signals) == (hit.rank, hit.score, hit.signals)


def test_a_hit_that_is_alone_in_its_file_is_left_as_it_is(by_words: Workspace) -> None:
    file(by_words, "one.py", "cap retries")
    assert reasons(found(by_words, "cap retries")["one.py#0"]) == ()


def test_records_in_no_file_are_left_as_they_are(by_words: Workspace) -> None:
    by_words.put(kind="item", key="parent", title="Cap retries")
    for key in ("a", "b"):
        by_words.put(kind="item", key=key, title="Cap retries", parent="parent")
    assert [reasons(hit) for hit in found(by_words, "cap retries").values()] == [(), (), ()]


def test_the_file_itself_is_one_of_its_hits(by_words: Workspace) -> None:
    by_words.put(kind="document", key="guide", title="Cap retries", path="guide.md")
    by_words.put(kind="section", key="guide#a", title="Intro", content="cap retries", parent="guide")
    hits = found(by_words, "cap retries")
    assert all(added(hit, "same file") > 0 for hit in hits.values())
    assert set(hits) == {"guide", "guide#a"}


def test_hits_of_a_nested_section_count_for_their_document(by_words: Workspace) -> None:
    by_words.put(kind="document", key="guide", title="Guide", path="guide.md")
    by_words.put(kind="section", key="outer", title="Intro", content="cap retries", parent="guide")
    by_words.put(kind="section", key="inner", title="More", content="cap retries", parent="outer")
    assert all(added(hit, "same file") > 0 for hit in found(by_words, "cap retries").values())


def test_what_only_a_link_led_to_is_no_hit_of_its_file(by_words: Workspace) -> None:
    file(by_words, "many.py", "cap retries", "paint the depot")
    by_words.put(kind="item", key="note", title="Cap retries soon")
    by_words.link("note", "many.py#1", "references")
    hits = found(by_words, "cap retries")
    assert hits["many.py#1"].via
    assert [signal.name for signal in reasons(hits["many.py#1"])] == ["linked"]
    assert reasons(hits["many.py#0"]) == ()


def test_weak_hits_of_a_file_add_little(by_words: Workspace) -> None:
    file(by_words, "strong.py", "cap retries", "cap retries")
    file(
        by_words,
        "weak.py",
        "cap retries",
        "the cap of a bottle and many more words that have nothing to do with what is asked " * 3,
    )
    hits = found(by_words, "cap retries")
    own = {key: hit.score / hit.signals[-1].factor - added(hit, "same file") for key, hit in hits.items() if key.endswith("#1")}
    share = added(hits["weak.py#0"], "same file") / added(hits["strong.py#0"], "same file")
    assert share == pytest.approx((own["weak.py#1"] / own["strong.py#1"]) ** 2)
    assert share < 0.5


def test_a_long_file_gains_no_more_than_its_best_hits_give(by_words: Workspace) -> None:
    file(by_words, "five.py", *["cap retries"] * 5)
    file(by_words, "fifty.py", *["cap retries"] * 50)
    hits = found(by_words, "cap retries")
    assert hits["fifty.py#0"].score == pytest.approx(hits["five.py#0"].score)


def guide(workspace: Workspace, key: str, *contents: str) -> None:
    """A document with a section for each content."""
    workspace.put(kind="document", key=key, title="Depot", path=f"{key}.md")
    for number, content in enumerate(contents):
        workspace.put(kind="section", key=f"{key}#{number}", title="Part", content=content, parent=key)


def test_where_only_documents_answer_no_section_stands_back(by_words: Workspace) -> None:
    guide(by_words, "long", "cap retries", "cap retries now")
    guide(by_words, "short", "cap retries now and then")
    hits = found(by_words, "cap retries")
    assert list(hits) == ["long#0", "long#1", "short#0"]
    assert not any(signal.name == "file already shown" for hit in hits.values() for signal in hit.signals)


def test_a_section_comes_up_to_the_best_one_of_its_document(by_words: Workspace) -> None:
    guide(by_words, "about", "cap retries", "how retries are counted at the depot and everything else about them")
    guide(by_words, "other", "how retries are counted at the depot and everything else")
    assert list(found(by_words, "cap retries")) == ["about#0", "about#1", "other#0"]


def test_a_long_document_with_many_weak_sections_does_not_pass_one_that_answers(by_words: Workspace) -> None:
    guide(by_words, "short", "cap retries of a parcel")
    guide(by_words, "long", *["cap retries at the depot of parcels, letters and all else that is sent"] * 5)
    assert next(iter(found(by_words, "cap retries"))) == "short#0"


def test_pieces_of_a_file_that_no_grammar_takes_apart_are_pieces_of_a_text(by_words: Workspace) -> None:
    by_words.put(kind="codefile", key="many.f90", title="many.f90", path="many.f90")
    for number in range(3):
        facets = {"symbolKind": "block", "line": 1 + number}
        by_words.put(kind="symbol", key=f"many.f90#{number}", title="many", body="cap retries", parent="many.f90", facets=facets)
    assert all([signal.name for signal in reasons(hit)] == ["same file"] for hit in found(by_words, "cap retries").values())


def test_beside_code_further_sections_stand_back_and_the_best_document_counts_as_a_file(by_words: Workspace) -> None:
    guide(by_words, "guide", *["cap retries of a parcel"] * 3)
    file(by_words, "many.py", *["cap retries of a parcel"] * 3)
    hits = found(by_words, "cap retries")
    assert hits["guide#0"].score == pytest.approx(hits["many.py#0"].score)
    assert hits["guide#1"].signals[-2].name == "file already shown"
    assert 0.5 < hits["guide#1"].signals[-2].factor < 1.0


def test_what_else_answers_leaves_the_order_of_documents_as_it_is(by_words: Workspace) -> None:
    guide(by_words, "short", "cap retries of a parcel")
    guide(by_words, "long", *["cap retries at the depot of parcels, letters and all else that is sent"] * 3)
    by_words.put(kind="item", key="task", title="Parcels", description="cap retries")
    hits = [key for key in found(by_words, "cap retries") if key != "task"]
    assert hits[:2] == ["short#0", "long#0"]
