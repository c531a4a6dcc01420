"""A computer plays an absent seat on, everybody sees that, and its player takes it back with one press (C-8)."""

from __future__ import annotations

import asyncio
import random
from pathlib import Path

import pytest

from bot.play.computers import seats
from bot.play.live_match import LiveMatch
from bot.store.queries.invitations import StandIn
from bot.ui.catalogue import translations
from cogs.screens.renderer import NO_BREAK
from discord_sandbox import MessageView, Person, Sandbox
from tests.bot.store.recounts import recount_standings
from tests.end_to_end.cardroom import Cardroom, eventually
from tests.end_to_end.players import acts, challenge, hand_of, move, picks
from tests.end_to_end.test_absence import run_out

say = translations("en")
MOST_ACTS = 400
PLAYS_ON = say("stand_in.plays_on")
HELD = say("stand_in.held")


@pytest.fixture
def slow_thoughts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Computers think until a test is over."""
    monkeypatch.setattr(seats, "thinking_seconds", lambda _size, _luck: 3600.0)


async def let_play(person: Person, hand: MessageView) -> MessageView:
    """Ask the computer to play on; the hand then."""
    await asyncio.sleep(1)  # a hand that was just opened is edited once, over what a quick press has opened
    asked = await person.press(hand, label=say("button.let_play"))
    assert say("stand_in.title") in asked.text
    return (await person.press(asked.message, label=say("button.let_play"))).message


async def take_back(person: Person, board: MessageView) -> MessageView:
    """Take the seat back; the hand then."""
    back = await person.press(await hand_of(person, board), label=say("button.take_back"))
    assert say("stand_in.back") in back.text
    return back.message


async def until_over(match: LiveMatch, people: list[Person], board: MessageView) -> None:
    """Have the people play on whose seats no computer plays, until the match is over."""
    rng = random.Random(5)
    for _ in range(MOST_ACTS):

        async def waits() -> bool:
            return match.over or any(not match.has_computer(seat) for seat in match.awaited)

        await eventually(waits)
        if match.over:
            return
        seat = min(seat for seat in match.awaited if not match.has_computer(seat))
        await move(people[seat], await hand_of(people[seat], board), rng)
    raise AssertionError("the match does not end")


# ---------------------------------------------------------------------------------------------- absence


@pytest.mark.usefixtures("slow_thoughts")
async def test_c_8_when_time_runs_out_the_computer_plays_on_until_its_player_is_back(
    sandbox: Sandbox, room: Cardroom
) -> None:
    people, lobby = [sandbox.user("Alice"), sandbox.user("Bob")], sandbox.channel("lobby")
    asked = await people[0].slash(lobby, "haymaker challenge", opponent=people[1], clock="9m", stand_in="rated")
    assert say("stand_in.terms.rated") in asked.text
    board = (await people[1].press(asked.message, label="Accept")).message
    (match,) = room.app.matches.live()
    (away,) = match.awaited
    await run_out(sandbox, room)
    assert not match.over
    plays_on = PLAYS_ON.replace(" ", NO_BREAK)
    await sandbox.wait_for(lambda: plays_on in board.text)
    (line,) = [line for line in board.text.splitlines() if plays_on in line]
    assert people[away].name in line
    hand = await hand_of(people[away], board)
    assert HELD in hand.text
    assert [button.label for button in hand.buttons] == [say("button.take_back")]
    hand = (await people[away].press(hand, label=say("button.take_back"))).message
    assert say("stand_in.back") in hand.text
    assert acts(hand) or picks(hand)
    await sandbox.wait_for(lambda: PLAYS_ON not in board.text)
    assert await move(people[away], hand, random.Random(1)) is not None
    assert match.holders.seats[away].own == 1


async def test_c_8_rated_a_match_that_the_computer_played_counts_as_left(
    sandbox: Sandbox, room: Cardroom, tmp_path: Path
) -> None:
    people, lobby = [sandbox.user("Alice"), sandbox.user("Bob")], sandbox.channel("lobby")
    board = await challenge(people[0], people[1], lobby, clock="9m", stand_in="rated")
    (match,) = room.app.matches.live()
    await let_play(people[0], await hand_of(people[0], board))
    await until_over(match, people, board)
    assert match.result is not None
    assert (match.result.counted, match.result.ranks) == (True, (2, 1))
    forfeited = say("stand_in.forfeited", player="Alice")
    await sandbox.wait_for(lambda: forfeited in board.text)
    assert say("ending.won", winner="Bob", winners="Bob") in board.text
    standing = await room.store.standing(match.guild_id, "haymaker", people[1].id)
    assert standing is not None
    assert (standing.wins, standing.losses) == (1, 0)
    assert recount_standings(tmp_path / "cardroom.db").differing == 0
    verified = await people[1].slash(lobby, "verify")
    assert say("verify.all_fits") in verified.text
    await people[1].press(board, label="Rematch")
    (again,) = room.app.invitations.open()
    assert again.stand_in is StandIn.RATED


# ---------------------------------------------------------------------------------------------- the option


async def test_c_8_the_panel_and_the_servers_defaults_offer_it(sandbox: Sandbox, room: Cardroom) -> None:
    alice, bob, lobby = sandbox.user("Alice"), sandbox.user("Bob"), sandbox.channel("lobby")
    settings = (await alice.slash(lobby, "settings")).message
    (defaults,) = [each for each in settings.selects if each.custom_id.split(":")[3] == "defaults"]
    page = (await alice.select(settings, custom_id=defaults.custom_id, values=["haymaker"])).message
    (control,) = [each for each in page.selects if "haymaker.stand_in.rated" in [line.value for line in each.options]]
    await alice.select(page, custom_id=control.custom_id, values=["haymaker.stand_in.rated"])
    await alice.slash(lobby, "haymaker challenge", opponent=bob)
    (invitation,) = room.app.invitations.open()
    assert invitation.stand_in is StandIn.RATED
    panel = (await bob.context_menu(lobby, "Challenge…", alice)).message
    label = say("panel.value", option=say("stand_in.name"), value=say("stand_in.unrated"))
    rated = say("panel.value", option=say("stand_in.name"), value=say("stand_in.rated"))
    (control,) = [each for each in panel.selects if label in [line.label for line in each.options]]
    assert [line.label for line in control.options if line.default] == [rated]
    (value,) = [line.value for line in control.options if line.label == label]
    await bob.select(panel, custom_id=control.custom_id, values=[value])
    sent = await bob.press(panel, label=say("panel.send"))
    assert say("stand_in.terms.unrated") in sent.text
    await alice.slash(lobby, "haymaker practice")
    waits = (await bob.slash(lobby, "play", game="haymaker")).message
    await bob.press(waits, label=say("play.meanwhile"))

    async def begun() -> bool:
        return len(room.app.matches) == 2

    await eventually(begun)
    assert {match.stand_in for match in room.app.matches.live()} == {StandIn.OFF}
