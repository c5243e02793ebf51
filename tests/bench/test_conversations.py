"""Conversations become judged sets whose turns are pieces of sessions."""

import json
from pathlib import Path

import pytest
from bench.conversations import main
from bench.judged import load

TALK = {
    "speaker_a": "Ada",
    "session_1_date_time": "1 pm",
    "session_1": [
        {"speaker": "Ada", "dia_id": "D1:1", "text": "I bought a boat."},
        {"speaker": "Ben", "dia_id": "D1:2", "text": "Look!", "blip_caption": "a red kite"},
    ],
    "session_2": [{"speaker": "Ben", "dia_id": "D2:1", "text": "It sank."}],
    "qa": [
        {"question": "What did Ada buy and what became of it?", "evidence": ["D1:1; D2:1", "D1:1"], "category": 1},
        {"question": "What did Ada never say?", "evidence": ["D1:1"], "category": 5},
        {"question": "Who said what is not there?", "evidence": ["D9:1"], "category": 1},
    ],
}


def test_a_question_is_answered_by_turns_and_by_the_sessions_they_are_of(tmp_path: Path) -> None:
    (tmp_path / "26.json").write_text(json.dumps(TALK))
    main([str(tmp_path), str(tmp_path / "out")])
    turns, sessions = (load(tmp_path / "out", name) for name in ("turns", "sessions"))
    assert [item.text for item in turns.documents] == ["Ada: I bought a boat.", "Ben: Look! [shows a red kite]", "Ben: It sank."]
    assert [item.whole for item in turns.documents] == ["26.1", "26.1", "26.2"]
    assert turns.grades == {"26-0": {"26.1_chunk_1": 1, "26.2_chunk_1": 1}}
    assert sessions.grades == {"26-0": {"26.1": 1, "26.2": 1}}


def test_a_folder_without_conversations_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main([str(tmp_path), str(tmp_path / "out")])
    assert str(tmp_path) in capsys.readouterr().err
