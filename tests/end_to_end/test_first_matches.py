"""A newcomer takes their time: alone, and in a first match with somebody (C-13)."""

from __future__ import annotations

import pytest

from bot.ui.catalogue import translations
from discord_sandbox import Sandbox
from tests.end_to_end.cardroom import Cardroom, eventually
from tests.end_to_end.players import challenge, hand_of, plain_move, press_where_it_is
from tests.end_to_end.practising import only_match, says

pytestmark = pytest.mark.newcomers

say = translations("en")
TEN_MINUTES = 600.0


async def test_c_13_who_reads_for_ten_minutes_loses_neither_practice_nor_a_first_match(
    sandbox: Sandbox, room: Cardroom
) -> None:
    alice, bob, lobby = sandbox.user("Alice"), sandbox.user("Bob"), sandbox.channel("lobby")
    hand = (await alice.slash(lobby, "haymaker practice")).message
    practised = await only_match(room)
    await press_where_it_is(alice, hand, "Rules")
    room.pass_time(TEN_MINUTES)
    assert not practised.over
    await press_where_it_is(alice, (await alice.press(hand, label=say("button.back_to_cards"))).message, "Resign")
    await alice.press(hand, label="Resign")
    board = await challenge(alice, bob, lobby, clock="blitz")
    (match,) = [each for each in room.app.matches.live() if each.has_clock]
    seat = min(match.awaited)
    reader = (alice, bob)[match.seats.index(alice.id) != seat]
    first = say("board.first_turn", player=reader.name)
    await eventually(lambda: says(board, first))
    await reader.press(board, label="Rules")
    await eventually(lambda: says(board, say("board.reads", player=reader.name)))
    room.pass_time(TEN_MINUTES - 5)
    await reader.press(board, label="Rules")
    assert not match.over
    await plain_move(reader, await hand_of(reader, board))
    await eventually(lambda: _moved(board.text, first))
    assert match.position.acts > 0
    room.pass_time(TEN_MINUTES)
    sentence = say("ending.unrated.first_match", player=(alice, bob)[reader is alice].name)
    await eventually(lambda: says(board, sentence))
    assert match.result is not None
    assert not match.result.counted


async def _moved(text: str, first: str) -> bool:
    return first not in text
