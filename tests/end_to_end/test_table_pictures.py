"""Pictures of tables through the real client: at the end of a match, on demand, and where files may not be attached."""

from __future__ import annotations

import random

import pytest

from bot.ui.screen import Picture
from cogs.screens import tables
from cogs.screens.tables import with_pictures
from discord_sandbox import Permission, Person, Sandbox
from tests.bot.play.parts import on_turn
from tests.end_to_end.board_edits import edited_by_bot
from tests.end_to_end.cardroom import Cardroom
from tests.end_to_end.pictures import galleries, picture_of
from tests.end_to_end.players import OVER, challenge, move, press_where_it_is, resign
from tests.end_to_end.players import hand_of as opened


async def test_a_board_shows_the_table_after_each_act_as_everybody_may_see_it(sandbox: Sandbox, room: Cardroom) -> None:
    # A board shows the table as everybody sees it after each act.
    alice, bob, lobby = sandbox.user("Alice"), sandbox.user("Bob"), sandbox.channel("lobby")
    board = await challenge(alice, bob, lobby)
    (match,) = room.app.matches.live()
    seen = [picture_of(sandbox, board)]
    for _ in range(2):
        person = (alice, bob)[on_turn(match)]
        await move(person, await opened(person, board), random.Random(7))
        await sandbox.wait_for(lambda: picture_of(sandbox, board) not in seen)
        seen.append(picture_of(sandbox, board))
    sections = with_pictures(room.app.public_screens.board(match)).sections
    (expected,) = [section for section in sections if isinstance(section, Picture)]
    assert seen[-1] == expected.png
    (item,) = galleries(board)
    assert item["description"] == expected.description
    hidden = {card.name for seat in (0, 1) for card in match.private(seat).own.hand}
    assert hidden.isdisjoint(f"{item['description']} {board.text}".replace("`", " ").split())

    # Anybody is shown the table as they may see it.
    await room.clear()
    carol = sandbox.user("Carol")
    board = await challenge(alice, bob, lobby)
    (match,) = room.app.matches.live()
    views: dict[Person, tuple[bytes, str, str]] = {}
    for person in (alice, bob, carol):
        reply = await press_where_it_is(person, board, "Show the table")
        assert (reply.visibility, reply.message.labels) == ("ephemeral", [])
        (item,) = galleries(reply.message)
        views[person] = picture_of(sandbox, reply.message), item["description"], reply.message.text
    assert len({picture for picture, _, _ in views.values()}) == 3
    for seat, owner in enumerate((alice, bob)):
        hand = {card.name for card in match.private(seat).own.hand}
        for person, (_, description, text) in views.items():
            shown = set(description.split())
            assert (hand <= shown) == (person is owner)
            assert hand.isdisjoint(shown) == (person is not owner)
            assert all((f"`{card}`" in text) == (person is owner) for card in hand)

    # Every game shows its table.
    await room.clear()
    for game in ["unbreakable", "ciq", "champions", "tivmiv"]:
        await room.clear()
        board = await challenge(sandbox.user("Alice"), sandbox.user("Bob"), sandbox.channel("lobby"), game)
        reply = await press_where_it_is(sandbox.user("Carol"), board, "Show the table")
        assert picture_of(sandbox, reply.message).startswith(b"\x89PNG")
        (item,) = galleries(reply.message)
        assert [line[:7] for line in item["description"].splitlines()[:2]] == ["1 Alice", "2 Bob, "]

    # A board in words has no file any more.
    await room.clear()
    board = await challenge(sandbox.user("Alice"), sandbox.user("Bob"), sandbox.channel("lobby"))
    (match,) = room.app.matches.live()
    assert picture_of(sandbox, board)
    room.app.public_screens.pictures.note_refused(match)
    room.app.updates.match_changed(match)
    await sandbox.wait_for(lambda: (galleries(board), board.raw["attachments"]) == ([], []))


# ---------------------------------------------------------------------------------------------- without a picture


@edited_by_bot
async def test_a_board_without_leave_to_attach_files_says_all_in_words(sandbox: Sandbox, room: Cardroom) -> None:
    alice, bob, lobby = sandbox.user("Alice"), sandbox.user("Bob"), sandbox.channel("lobby")
    lobby.deny(Permission.ATTACH_FILES)
    board = await challenge(alice, bob, lobby)
    (match,) = room.app.matches.live()
    await resign(alice, board)
    await sandbox.wait_for(lambda: board.labels == OVER)
    assert (galleries(board), board.raw["attachments"]) == ([], [])
    assert match.suspended is None
    for seat in (0, 1):
        held = match.private(seat).own.hand
        assert " ".join(f"`{card.name}`" for card in held) in board.text


async def test_an_error_in_drawing_costs_the_picture_alone(
    sandbox: Sandbox, room: Cardroom, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def failing(_: object) -> bytes:
        raise ValueError("7♠")

    monkeypatch.setattr(tables, "draw", failing)
    board = await challenge(sandbox.user("Alice"), sandbox.user("Bob"), sandbox.channel("lobby"))
    await resign(sandbox.user("Alice"), board)
    await sandbox.wait_for(lambda: board.labels == OVER)
    reply = await press_where_it_is(sandbox.user("Carol"), board, "Show the table")
    assert (galleries(board), galleries(reply.message)) == ([], [])
    assert "1 **Alice**" in reply.message.text
    assert "while drawing a table: ValueError" in caplog.text
    assert "7♠" not in caplog.text
    assert room.figures["cardroom_faults_total doing=drawing a table"] >= 2
