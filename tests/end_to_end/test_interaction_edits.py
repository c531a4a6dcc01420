"""Boards that are edited through the token of the press that made them, on a Discord that enforces its limits."""

from __future__ import annotations

import logging
import random
from pathlib import Path

import pytest

from discord_sandbox import MessageView, Person, Sandbox
from tests.end_to_end.board_edits import edits_of
from tests.end_to_end.cardroom import Cardroom, cardroom
from tests.end_to_end.players import challenge, hand_of, move

BY_BOT, BY_TOKEN = "/channels/", "/webhooks/"


def edits(sandbox: Sandbox, board: MessageView) -> list[str]:
    """How the edits of a board were made that Discord took, in their order."""
    return [BY_TOKEN if BY_TOKEN in each.path else BY_BOT for each in edits_of(sandbox, board)]


async def one_move(sandbox: Sandbox, room: Cardroom, board: MessageView) -> None:
    """Who is asked makes a move; the board shows it."""
    (match,) = room.app.matches.live()
    before, seat = board.raw, min(match.awaited)
    person: Person = next(person for person in sandbox.people if person.id == match.seats[seat])
    assert await move(person, await hand_of(person, board), random.Random(1)) is not None
    await sandbox.wait_for(lambda: board.raw != before)


async def seated(sandbox: Sandbox) -> MessageView:
    return await challenge(sandbox.user("Alice"), sandbox.user("Bob"), sandbox.channel("lobby"), clock="daily")


async def test_a_press_gives_the_token_for_its_board_as_long_as_discord_takes_it(
    sandbox: Sandbox, room: Cardroom, caplog: pytest.LogCaptureFixture
) -> None:
    # An accepted challenge gives the token for its board.
    sandbox.rate_limits.enforced = True
    board = await seated(sandbox)
    for _ in range(3):
        await one_move(sandbox, room, board)
    assert edits(sandbox, board) == [BY_TOKEN] * 3
    await sandbox.wait_for(lambda: room.figures["cardroom_board_edits_total by=interaction"] == 3)
    assert room.figures["cardroom_board_edits_total by=bot"] == 0
    assert room.figures["cardroom_board_lag_seconds_count"] == 3
    assert [each.status for each in sandbox.transcript.requests if each.status >= 400] == []

    # A command that posts the board gives a token for it.
    await room.clear()
    begun = await sandbox.user("Alice").slash(sandbox.channel("lobby"), "tivmiv practice")
    board = begun.message
    await sandbox.wait_for(lambda: "My cards" in board.labels)
    assert set(edits(sandbox, board)) == {BY_TOKEN}

    # Where discord takes the token no more the board is shown all the same.
    await room.clear()
    for ours in ("bot", "cogs"):
        caplog.set_level(logging.DEBUG, logger=ours)
    board = await seated(sandbox)
    await one_move(sandbox, room, board)
    sandbox.advance(15 * 60 + 1)  # for Discord alone: the bot still has it
    await one_move(sandbox, room, board)
    await one_move(sandbox, room, board)
    assert edits(sandbox, board) == [BY_TOKEN, BY_BOT, BY_BOT]
    token = next(each.path for each in edits_of(sandbox, board) if "@original" in each.path).split("/")[-3]
    tried = [each.status for each in sandbox.transcript.requests if f"{token}/messages/@original" in each.path]
    assert tried == [200, 401]
    assert len(token) > 50
    assert token not in caplog.text


@pytest.mark.parametrize(("lean", "tokens"), [("off", "on"), ("on", "off")])
async def test_an_edit_allows_no_mentions_whichever_way_it_goes(
    sandbox: Sandbox, tmp_path: Path, lean: str, tokens: str
) -> None:
    """By Discord's default the answer to an interaction mentions whom it names."""
    settings = {"CARDROOM_LEAN_REQUESTS": lean, "CARDROOM_INTERACTION_EDITS": tokens}
    async with cardroom(sandbox, tmp_path, ahead=0, **settings) as room:
        board = await seated(sandbox)
        await one_move(sandbox, room, board)
        (edit,) = edits_of(sandbox, board)
        assert isinstance(edit.body, dict)
        assert edit.body["allowed_mentions"] == {"parse": []}
