"""What a worker replies. How its process lives and dies is in `test_pool.py`."""

from __future__ import annotations

from dataclasses import asdict
from itertools import count
from types import SimpleNamespace

import pytest

from bot.computers.worker import Deadline, Failed, Found, replied, reply_of, request_of
from engines.players.answering import answer, fallback
from tests.bot.computers.questions import broken, long_question, some_questions


def test_it_replies_with_the_levels_answer() -> None:
    for question in some_questions("haymaker", "hard", 5):
        assert reply_of(replied(request_of(question, 60.0))) == Found(
            asdict(answer(question, lambda: False)), cut_short=False
        )


def test_a_thought_without_time_is_the_rule_of_thumb() -> None:
    question = long_question()
    assert reply_of(replied(request_of(question, 0.0))) == Found(asdict(fallback(question)), cut_short=True)


def test_a_thought_ends_with_its_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bot.computers.worker.time", SimpleNamespace(monotonic=count().__next__))
    reply = reply_of(replied(request_of(long_question(100), 2.5)))
    assert isinstance(reply, Found)
    assert reply.cut_short
    assert 0 < reply.found["rollouts"] < 100


def test_an_error_is_reported_by_its_type_and_place_and_never_by_its_text() -> None:
    (question,) = some_questions("haymaker", "normal", 1)
    data = replied(request_of(broken(question), 60.0))
    reply = reply_of(data)
    assert isinstance(reply, Failed)
    assert reply.error == "AttributeError"
    assert ".py:" in reply.path
    assert b"NoneType" not in data


@pytest.mark.parametrize("request_", [b"", b"\x00" * 8, b"\x00" * 8 + b"nonsense"])
def test_a_request_that_cannot_be_read_is_an_error_too(request_: bytes) -> None:
    assert isinstance(reply_of(replied(request_)), Failed)


def test_time_that_a_player_never_asked_about_cut_nothing_short(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bot.computers.worker.time", SimpleNamespace(monotonic=count().__next__))
    deadline = Deadline(1.5)
    assert not deadline.cut_short
    assert [deadline(), deadline.cut_short, deadline(), deadline.cut_short] == [False, False, True, True]
