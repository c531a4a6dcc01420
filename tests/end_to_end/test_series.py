"""Series (C-9): played on by both, won, declined, lapsed, over a restart; and rematches with other options."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from bot.play.computers.levels import levels_of
from bot.play.matchmaking.series import WAIT
from bot.settings import Settings
from bot.store.special_ids import computer_id
from bot.ui import isolation
from bot.ui.catalogue import translations
from cogs.actions import command_parameters
from discord_sandbox import DrivenChannel, MessageView, Person, Sandbox
from engines import GAMES
from engines.options import Switch
from tests.end_to_end.cardroom import Cardroom, cardroom
from tests.end_to_end.exports import exported
from tests.end_to_end.players import behind_more, challenge, press_where_it_is, resign
from tests.end_to_end.practising import only_match

say = translations("en")
NEXT = say("button.next_match")
READY = say("button.ready")
OTHER, MORE = say("button.other_options"), say("button.more")


async def lose(sandbox: Sandbox, person: Person, board: MessageView) -> None:
    """Resign, and wait for the result."""
    await resign(person, board)
    await sandbox.wait_for(lambda: MORE in board.labels and "My cards" not in board.labels)


def board_after(lobby: DrivenChannel, board: MessageView) -> MessageView:
    """The message that was posted last, which isn't this board."""
    last = lobby.messages[-1]
    assert last.id != board.id
    return last


def _id(board: MessageView, verb: str) -> str:
    """The id of a press on this board that it may not offer."""
    _, match, *_ = board.buttons[0].custom_id.split(":")
    return f"g1:{match}:0:{verb}"


async def test_c_9_a_series_goes_on_after_a_restart_between_two_matches(sandbox: Sandbox, tmp_path: Path) -> None:
    alice, bob, lobby = sandbox.user("Alice"), sandbox.user("Bob"), sandbox.channel("lobby")
    async with cardroom(sandbox, tmp_path):
        board = await challenge(alice, bob, lobby, series="3", clock="blitz")
        await lose(sandbox, alice, board)
        asked = (await alice.press(board, label=NEXT)).message
    async with cardroom(sandbox, tmp_path) as room:
        assert say("series.score", best_of=3, first="Alice", wins=0, losses=1, second="Bob") in board.text
        assert (await alice.press(board, label=NEXT)).text == say("series.waits")
        await bob.press(asked, label=READY)
        assert say("series.playing", number=2, best_of=3, first="Bob", wins=1, losses=0, second="Alice") in asked.text
    async with cardroom(sandbox, tmp_path) as room:
        await lose(sandbox, alice, asked)
        assert say("series.won", winner="Bob") in asked.text
        assert room.app.invitations.open() == ()


async def test_c_9_a_series_takes_one_press_of_each_between_its_matches(sandbox: Sandbox, room: Cardroom) -> None:
    # C-9: two who are ready at once begin one match.
    alice, bob, lobby = sandbox.user("Alice"), sandbox.user("Bob"), sandbox.channel("lobby")
    board = await challenge(alice, bob, lobby, series="3", clock="blitz")
    await lose(sandbox, bob, board)
    replies = await asyncio.gather(*(person.press(board, label=NEXT) for person in (alice, bob)))
    assert {reply.visibility for reply in replies} == {"ephemeral", "public"}
    match = await only_match(room)
    assert match.series is not None
    assert match.series.number == 2
    assert room.app.invitations.open() == ()
    await sandbox.wait_for(lambda: "My cards" in board_after(lobby, board).labels)
    assert len(lobby.messages) == 2

    # C-9: a series that is not continued says so and ends.
    await room.clear()
    board = await challenge(alice, bob, lobby, series="5", clock="blitz")
    await lose(sandbox, bob, board)
    result = (await room.app.matches.find(board.buttons[0].custom_id.split(":")[1])) or None
    assert result is not None
    assert result.result is not None
    until = (result.result.ended_at + WAIT) // 1000
    assert say("series.goes_on", when=f"<t:{until}:f>") in board.text
    asked = (await alice.press(board, label=NEXT)).message
    assert say("series.declined", guest="Bob", number=2) in (await bob.press(asked, label="Decline")).text
    asked = (await bob.press(board, label=NEXT)).message
    assert say("series.cancelled", host="Bob", number=2) in (await press_where_it_is(bob, asked, "Take back")).text
    asked = (await bob.press(board, label=NEXT)).message
    await sandbox.wait_for(lambda: room.app.invitations.open()[0].message_id is not None)
    room.pass_time(15 * 60)
    await sandbox.wait_for(lambda: say("series.expired", guest="Alice", number=2) in asked.text)
    room.pass_time(24 * 3600)
    for person in (alice, bob):
        assert (await person.press(board, label=NEXT)).text == say("series.lapsed")
    assert room.app.invitations.open() == ()

    # C-9: a series takes one press of each between its matches.
    await room.clear()
    carol = sandbox.user("Carol")
    sent = await alice.slash(lobby, "haymaker challenge", opponent=bob, series="3", clock="blitz")
    assert say("series.terms", best_of=3, needed=2) in sent.text
    board = (await bob.press(sent.message, label="Accept")).message
    assert say("series.playing", number=1, best_of=3, first="Alice", wins=0, losses=0, second="Bob") in board.text
    assert (await alice.press(board, custom_id=_id(board, "nextmatch"), force=True)).text == say("match.not_over")
    await lose(sandbox, bob, board)
    assert say("series.score", best_of=3, first="Alice", wins=1, losses=0, second="Bob") in board.text
    assert board.labels[0] == NEXT
    assert "Rematch" not in board.labels

    waits = await bob.press(board, label=NEXT)
    assert (waits.visibility, waits.message.mentions) == ("public", [alice.id])
    assert say("series.title", game="Haymaker", number=2) in waits.text
    assert say("series.asks", host="Bob", guest=isolation.mention(alice.id), number=2) in waits.text
    assert say("series.score", best_of=3, first="Bob", wins=0, losses=1, second="Alice") in waits.text
    assert waits.message.labels[0] == READY
    assert (await bob.press(board, label=NEXT)).text == say("series.waits")
    assert (await carol.press(board, label=NEXT)).text == say("match.not_seated")
    assert (await alice.press(waits.message, label=READY)).message == waits.message
    second = waits.message
    assert say("series.playing", number=2, best_of=3, first="Bob", wins=0, losses=1, second="Alice") in second.text
    assert f"/{second.id}" in (await alice.press(board, label=NEXT)).text
    await lose(sandbox, alice, second)

    await bob.press(second, label=NEXT)
    third = board_after(lobby, second)
    begins = await alice.press(second, label=NEXT)  # both pressed on the result
    assert begins.visibility == "ephemeral"
    assert f"/{third.id}" in begins.text
    await sandbox.wait_for(lambda: "My cards" in third.labels)
    assert say("series.playing", number=3, best_of=3, first="Alice", wins=1, losses=1, second="Bob") in third.text
    await lose(sandbox, alice, third)
    assert say("series.won", winner="Bob") in third.text
    assert third.labels[0] == "Rematch"
    assert (await bob.press(third, custom_id=_id(third, "nextmatch"), force=True)).text == say("series.decided")
    again = await bob.press(third, label="Rematch")
    assert say("series.terms", best_of=3, needed=2) in again.text


async def test_two_who_both_press_rematch_play_one(sandbox: Sandbox, room: Cardroom) -> None:
    alice, bob, lobby = sandbox.user("Alice"), sandbox.user("Bob"), sandbox.channel("lobby")
    board = await challenge(alice, bob, lobby, clock="blitz")
    await lose(sandbox, bob, board)
    asked, begins = await asyncio.gather(*(person.press(board, label="Rematch") for person in (alice, bob)))
    assert (asked.visibility, begins.visibility) == ("public", "ephemeral")
    assert f"/{asked.message.id}" in begins.text
    assert (await only_match(room)).seats == (bob.id, alice.id)
    assert room.app.invitations.open() == ()
    await sandbox.wait_for(lambda: "My cards" in asked.message.labels)
    await lose(sandbox, alice, asked.message)

    # Who wants to play it otherwise asks for that.
    panel = await press_where_it_is(alice, asked.message, OTHER)
    clock = panel.message.selects[1]
    picked = await alice.select(panel.message, custom_id=clock.custom_id, values=[clock.options[-1].value])
    otherwise = await alice.press(picked.message, label=say("panel.send"))
    await bob.press(asked.message, label="Rematch")
    assert len(room.app.invitations.open()) == 2
    assert say("rematch.title", game="Haymaker") in otherwise.text


async def test_a_series_ends_when_one_of_its_players_has_their_data_deleted(sandbox: Sandbox, room: Cardroom) -> None:
    alice, bob, lobby = sandbox.user("Alice"), sandbox.user("Bob"), sandbox.channel("lobby")
    board = await challenge(alice, bob, lobby, series="3", clock="blitz")
    await lose(sandbox, bob, board)
    held = (await exported(alice, lobby))["matches"][0]
    place = {"id": held["id"], "best_of": 3, "number": 1, "won": 0, "lost": 0, "acts_first": None}
    assert held["series"] == place
    asked = await alice.slash(lobby, "mydata delete")
    await alice.press(asked.message, label=say("button.delete"))
    await sandbox.wait_for(lambda: say("mydata.deleted") in asked.message.text)
    for label in (NEXT, OTHER):
        assert (await press_where_it_is(bob, board, label)).text == say("rematch.deleted")


async def test_other_options_begin_with_those_of_the_match_and_ask_all_its_people(
    sandbox: Sandbox, room: Cardroom
) -> None:
    # Other options begin with those of the match.
    alice, bob, carol = sandbox.user("Alice"), sandbox.user("Bob"), sandbox.user("Carol")
    board = await challenge(
        alice, bob, sandbox.channel("lobby"), "ciq", clock="90 seconds", preset="quick", round_limit=40
    )
    await lose(sandbox, bob, board)
    assert OTHER not in (await behind_more(carol, board)).labels
    again = (await behind_more(bob, board)).button(OTHER).custom_id
    assert (await carol.press(board, custom_id=again, force=True)).text == say("match.not_seated")
    panel = await press_where_it_is(bob, board, OTHER)
    assert panel.visibility == "ephemeral"
    assert say("panel.title", name="Alice") in panel.text
    shown = [option.label for select in panel.message.selects for option in select.options if option.default]
    assert {"CIQ", "90 seconds", "Rounds: 40", "Series: one match"} <= set(shown)
    series = panel.message.selects[2]
    picked = await bob.select(panel.message, custom_id=series.custom_id, values=[series.options[2].value])
    sent = await bob.press(picked.message, label=say("panel.send"))
    assert (sent.visibility, sent.message.mentions) == ("public", [alice.id])
    assert say("series.terms", best_of=5, needed=3) in sent.text
    (invitation,) = room.app.invitations.open()
    assert (invitation.clock, invitation.places) == ("90s", (bob.id, alice.id))
    assert '"round_limit":40' in invitation.options

    # Other options ask all people of a table.
    await room.clear()
    people = [sandbox.user(name) for name in ("Alice", "Bob", "Carol")]
    alice, bob, carol = people
    asked = (await alice.slash(sandbox.channel("lobby"), "champions open")).message
    for person in (bob, carol):
        await person.press(asked, label="Join")
    await alice.press(asked, label="Start")
    for person in (alice, bob):
        await resign(person, asked)
    await sandbox.wait_for(lambda: "My cards" not in asked.labels)
    panel = await press_where_it_is(carol, asked, OTHER)
    games = panel.message.selects[0]
    assert say("panel.about_all") in panel.text
    assert not any(label.startswith("Series") for select in panel.message.selects for label in _labels(select.options))
    ciq = next(option for option in games.options if option.label == "CIQ")
    changed = await carol.select(panel.message, custom_id=games.custom_id, values=[ciq.value])
    sent = await carol.press(changed.message, label=say("panel.send"))
    assert sent.message.mentions == [alice.id, bob.id]
    (invitation,) = room.app.invitations.open()
    assert (invitation.game, invitation.host_id, invitation.places) == ("ciq", carol.id, (bob.id, carol.id, alice.id))

    # Other options against a computer begin at once.
    await room.clear()
    alice, lobby = sandbox.user("Alice"), sandbox.channel("lobby")
    board = (await alice.slash(lobby, "haymaker practice", level="easy")).message
    await sandbox.wait_for(lambda: "More…" in board.labels)
    await lose(sandbox, alice, board)
    panel = await press_where_it_is(alice, board, OTHER)
    games = panel.message.selects[0]
    assert {option.label for option in games.options} == {
        GAMES[key].info.title for key in GAMES if "easy" in levels_of(key)
    }
    unbreakable = next(option for option in games.options if option.label == "Unbreakable")
    changed = await alice.select(panel.message, custom_id=games.custom_id, values=[unbreakable.value])
    await alice.press(changed.message, label=say("panel.send"))
    match = await only_match(room)
    assert match.game.info.key == "unbreakable"
    assert match.seats == (computer_id("easy"), alice.id)

    # A race after a slow match does not take over its clock.
    await room.clear()
    bob = sandbox.user("Bob")
    board = await challenge(alice, bob, lobby, clock="daily")
    await lose(sandbox, bob, board)
    panel = await press_where_it_is(bob, board, OTHER)
    games = panel.message.selects[0]
    race = next(option for option in games.options if option.label == GAMES["tivmiv"].info.title)
    changed = await bob.select(panel.message, custom_id=games.custom_id, values=[race.value])
    await bob.press(changed.message, label=say("panel.send"))
    (invitation,) = room.app.invitations.open()
    assert (invitation.game, invitation.clock) == ("tivmiv", Settings().default_clock)


def test_a_game_that_has_an_option_called_series_keeps_it(monkeypatch: pytest.MonkeyPatch) -> None:
    assert [each.name for each in command_parameters.series_parameters("haymaker")] == ["series"]
    monkeypatch.setattr(command_parameters, "takes", lambda _options: {"series": Switch()})
    assert command_parameters.series_parameters("haymaker") == []


def _labels(options: object) -> list[str]:
    """What the lines of a list say."""
    assert isinstance(options, list | tuple)
    return [option.label for option in options]
