"""Whom a table waits for is asked whether they are ready, and nobody is asked of one that waits no more."""

from __future__ import annotations

from typing import Any

import pytest

from cogs.updates.ready_questions import ReadyQuestions
from tests.bot.play.parts import BOB, CAT
from tests.cogs.updates.following import FakeWording, Following


def asking(room: Following) -> ReadyQuestions:
    return ReadyQuestions(room.notifier, room.edits, FakeWording(), room.invitations.waits_for)


def told(room: Following) -> list[tuple[int, ...]]:
    """Whom the messages that are there notify."""
    return [each.notified for each in room.mentions()]


async def test_who_is_ready_sooner_is_not_asked_and_all_questions_go_with_the_table(room: Following) -> None:
    table, questions = await room.readying(), asking(room)
    questions.ask(table, (BOB, CAT))
    room.invitations.presence.note_ready(table.id, BOB)
    await room.seconds(10)
    assert told(room) == [(CAT,)]
    room.invitations.remove(table.id)
    questions.settle(table.id)
    await room.seconds(10)
    assert told(room) == []


async def test_a_question_goes_again_if_its_table_was_closed_while_it_was_posted(
    room: Following, monkeypatch: pytest.MonkeyPatch
) -> None:
    table, questions, post = await room.readying(), asking(room), room.messages.post_text

    async def closed_meanwhile(*given: Any) -> Any:
        room.invitations.remove(table.id)
        questions.settle(table.id)
        return await post(*given)

    monkeypatch.setattr(room.messages, "post_text", closed_meanwhile)
    questions.ask(table, (BOB,))
    await room.seconds(10)
    assert told(room) == []
