"""Matches between people in chats that the bot is no member of: only answers to presses reach them."""

from __future__ import annotations

import asyncio
import random
from pathlib import Path
from typing import Any

import pytest

from bot.play.live_match import LiveMatch
from bot.store.special_ids import chat_venue
from bot.ui.catalogue import translations
from bot.ui.screen import Screen
from cogs.actions.finding import Finder
from cogs.interactions import responses, time_limits
from cogs.interactions.responses import Interaction
from cogs.screens.renderer import Sheet
from cogs.updates.token_edits import BoardTokens
from discord_sandbox import DrivenChannel, MessageView, Person, Refused, Sandbox
from tests.end_to_end.cardroom import Cardroom, cardroom, eventually
from tests.end_to_end.exports import exported
from tests.end_to_end.players import OVER, behind_more, challenge, chooser, move, press_where_it_is, resign, sit_down
from tests.end_to_end.practising import only_match
from tests.end_to_end.racers import READY, Racer
from tests.end_to_end.test_tivmiv import LONGEST_RACE, hurried

say = translations("en")
ON = "on"
DAY = 24 * 3600


async def hand_below(person: Person, board: MessageView, chat: DrivenChannel) -> MessageView:
    """Press *My cards*: the board is brought up to date, and the hand follows in a message of its own."""
    before = {each.id for each in chat.for_only(person)}
    reply = await person.press(board, label="My cards")
    assert (reply.kind, reply.message.id) == ("update", board.id)

    async def came() -> bool:
        return any(each.id not in before for each in chat.for_only(person))

    await eventually(came)
    return chat.for_only(person)[-1]


def two_in(sandbox: Sandbox, kind: str) -> tuple[Person, Person, DrivenChannel]:
    """Alice, who has installed the bot, Bob, who hasn't, and their chat."""
    alice, bob = sandbox.user("Alice"), sandbox.user("Bob")
    alice.user.has_installed = True
    return alice, bob, sandbox.chat(alice, bob, *[sandbox.user("Carol")] * (kind == "group"))


def check_nothing_got_there_by_token(sandbox: Sandbox, chat: DrivenChannel) -> None:
    """The bot has asked for nothing in a chat by its own token, and Discord has refused it nothing."""
    asked = [each for each in sandbox.transcript.requests if f"/channels/{chat.id}" in each.path]
    assert asked == []
    refused = [(each.method, each.path, each.status) for each in sandbox.transcript.requests if each.status >= 400]
    assert refused == []


@pytest.mark.parametrize(("game", "kind"), [("haymaker", "direct"), ("champions", "group")])
async def test_two_play_where_the_bot_is_not(sandbox: Sandbox, tmp_path: Path, game: str, kind: str) -> None:
    (alice, bob, chat), rng = two_in(sandbox, kind), random.Random(5)
    async with cardroom(sandbox, tmp_path, CARDROOM_USER_INSTALL=ON) as room:
        board = await challenge(alice, bob, chat, game)
        match = await only_match(room)
        assert (match.guild_id, match.rated, match.time_control.slow) == (chat_venue(chat.id), False, True)
        people = {person.id: person for person in (alice, bob)}
        for _ in range(4):
            player = people[match.seats[min(match.awaited)]]
            hand, acted = await hand_below(player, board, chat), match.position.acts
            assert await move(player, hand, rng) is not None
            assert match.position.acts > acted
        leaver = people[match.seats[0]]
        rules = await press_where_it_is(bob, board, say("button.rules"))
        assert (rules.visibility, rules.text != say("match.unknown")) == ("ephemeral", True)
        await resign(leaver, board)
        assert match.over
        await eventually(lambda: _has(board, *OVER))
        await eventually(room.is_quiet)
        assert [each.id for each in chat.messages] == [board.id]
        titles = [say("hand.title", game=name) for name in ("Haymaker", "CIQ", "Unbreakable", "Champions of Chance")]
        public = " ".join(str(each.body) for each in sandbox.transcript.seen_by(None))
        assert not any(title in public for title in titles)
        replay = await bob.press(board, label="Replay")
        assert (replay.visibility, replay.message.find_button(say("button.previous")) is not None) == (
            "ephemeral",
            True,
        )
        rematch = await bob.press(board, label="Rematch")
        assert rematch.visibility == "public"
    check_nothing_got_there_by_token(sandbox, chat)


async def test_an_end_that_comes_while_the_board_is_edited_is_shown(
    sandbox: Sandbox, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    alice, bob, chat = two_in(sandbox, "direct")
    async with cardroom(sandbox, tmp_path, CARDROOM_USER_INSTALL=ON) as room:
        board = await challenge(alice, bob, chat)
        match = await only_match(room)
        people = {person.id: person for person in (alice, bob)}
        hand = await hand_below(people[match.seats[min(match.awaited)]], board, chat)
        edit, held, may_edit = BoardTokens.edit, asyncio.Event(), asyncio.Event()

        async def slowly(tokens: BoardTokens, message_id: int, made: Sheet) -> bool:
            held.set()
            await may_edit.wait()
            return await edit(tokens, message_id, made)

        monkeypatch.setattr(BoardTokens, "edit", slowly)
        await move(people[match.seats[min(match.awaited)]], hand, random.Random(5))
        await asyncio.wait_for(held.wait(), 10)
        await resign(bob, board)
        assert match.over
        may_edit.set()
        await eventually(lambda: _has(board, *OVER))


async def test_an_answer_that_comes_after_the_end_does_not_hide_the_result(
    sandbox: Sandbox, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    alice, bob, chat = two_in(sandbox, "direct")
    async with cardroom(sandbox, tmp_path, CARDROOM_USER_INSTALL=ON):
        board = await challenge(alice, bob, chat)
        answer, held, may_answer = responses.edit_source, asyncio.Event(), asyncio.Event()

        async def slowly(interaction: Interaction, screen: Screen, subject: str) -> Sheet | None:
            held.set()
            await may_answer.wait()
            return await answer(interaction, screen, subject)

        monkeypatch.setattr(responses, "edit_source", slowly)
        looking = asyncio.create_task(bob.press(board, label="My cards"))
        await asyncio.wait_for(held.wait(), 10)
        await resign(alice, board)
        await eventually(lambda: _has(board, *OVER))
        may_answer.set()
        await looking
        await eventually(lambda: _has(board, *OVER))


async def _has(board: MessageView, *labels: str) -> bool:
    return all(label in board.labels for label in labels)


async def test_what_nobody_could_be_told_is_told_at_the_next_press(sandbox: Sandbox, tmp_path: Path) -> None:
    alice, bob, chat = two_in(sandbox, "direct")
    async with cardroom(sandbox, tmp_path, CARDROOM_USER_INSTALL=ON) as room:
        unanswered = (await alice.slash(chat, "haymaker challenge", opponent=bob)).message
        _later(sandbox, room, 2 * DAY)
        assert unanswered.find_button("Accept") is not None  # as nobody has pressed
        await bob.press(unanswered, label="Accept")
        assert unanswered.find_button("Accept") is None
        board = await challenge(alice, bob, chat)
        match = await only_match(room)
        shown = board.text
        _later(sandbox, room, 3600)
    async with cardroom(sandbox, tmp_path, ahead=2 * DAY, CARDROOM_USER_INSTALL=ON) as room:
        match = await only_match(room)
        assert match.suspended is None
        await eventually(lambda: _runs_out(room, match))  # a restart has forgotten all tokens
        assert board.text == shown
        awaited = alice if match.seats[0] == alice.id else bob
        assert (await awaited.press(board, label="My cards")).kind == "update"
        assert (board.text != shown, await _has(board, *OVER)) == (True, True)
    check_nothing_got_there_by_token(sandbox, chat)


async def test_only_slow_matches_are_begun_by_who_has_installed_it(sandbox: Sandbox, tmp_path: Path) -> None:
    alice, bob, chat = two_in(sandbox, "direct")
    async with cardroom(sandbox, tmp_path, CARDROOM_USER_INSTALL=ON) as room:
        fast = await alice.slash(chat, "haymaker challenge", opponent=bob, clock="blitz")
        assert (fast.visibility, fast.text) == ("ephemeral", say("place.slow_only"))
        with pytest.raises(Refused):
            await bob.slash(chat, "haymaker challenge", opponent=alice)
        board = await challenge(alice, bob, chat, clock="15m")
        assert (await only_match(room)).time_control.slow
        more = await behind_more(alice, board)
        assert more.find_button(say("button.bring_down")) is None  # only the bot's token could post it again
        listed = await alice.slash(chat, "games")
        assert say("games.chat") in listed.text
        await resign(bob, board)
        await eventually(lambda: _has(board, *OVER))
        panel = (await press_where_it_is(alice, board, say("button.other_options"))).message
        (blitz,) = [(each, option) for each in panel.selects for option in each.options if "blitz" in option.label]
        await alice.select(panel, custom_id=blitz[0].custom_id, values=[blitz[1].value])
        fast = await alice.press(panel, label=say("panel.send"))
        assert (fast.visibility, fast.text) == ("ephemeral", say("place.slow_only"))
    check_nothing_got_there_by_token(sandbox, chat)


async def test_what_was_played_in_a_chat_is_deleted_on_request_and_a_week_later(
    sandbox: Sandbox, tmp_path: Path
) -> None:
    alice, bob, chat = two_in(sandbox, "direct")
    async with cardroom(sandbox, tmp_path, CARDROOM_USER_INSTALL=ON) as room:
        board = await challenge(alice, bob, chat)
        match = await only_match(room)
        refused = await alice.slash(chat, "mydata delete")
        assert refused.text == say("mydata.playing")
        await resign(bob, board)
        held = await exported(bob, bob.direct_messages)
        assert [each["id"] for each in held["chats"][0]["matches"]] == [match.id]
        asked = await bob.slash(bob.direct_messages, "mydata delete")
        await bob.press(asked.message, label=say("button.delete"))

        async def gone() -> bool:
            return await room.store.matches_of(match.guild_id, bob.id) == []

        await eventually(gone)
        assert len(await room.store.matches_of(match.guild_id, alice.id)) == 1
        for _ in range(8):
            assert match.guild_id in await room.store.known_guilds()
            room.pass_time(DAY)

        async def purged() -> bool:
            return match.guild_id not in await room.store.known_guilds()

        await eventually(purged)


async def test_a_group_sits_down_at_a_table_and_plays(sandbox: Sandbox, tmp_path: Path) -> None:
    (alice, bob, chat), carol, rng = two_in(sandbox, "group"), sandbox.user("Carol"), random.Random(5)
    async with cardroom(sandbox, tmp_path, CARDROOM_USER_INSTALL=ON) as room:
        table = (await alice.slash(chat, "ciq open", private=True, preset="quick", thread=True)).message
        refused = await bob.press(table, label="Join")
        assert (refused.visibility, refused.text) == ("ephemeral", say("table.private"))
        more = await behind_more(alice, table)
        await alice.select(more, custom_id=chooser(more, "ask").custom_id, values=[str(bob.id), str(carol.id)])
        for person in (bob, carol):
            assert (await person.press(table, label="Join")).kind == "update"
        more = await behind_more(alice, table)
        await alice.select(more, custom_id=chooser(more, "kick").custom_id, values=[str(carol.id)])
        await eventually(lambda: _says(table, "Carol", is_there=False))  # through the token of the last press
        await alice.select(more, custom_id=chooser(more, "ask").custom_id, values=[str(carol.id)])
        await carol.press(table, label="Join")
        room.pass_time(DAY / 2)  # long after all pressed: slow play asks nobody whether they are ready
        board = (await alice.press(table, label="Start")).message
        match = await only_match(room)
        assert (match.guild_id, match.rated, len(match.seats)) == (chat_venue(chat.id), False, 3)
        people = {person.id: person for person in (alice, bob, carol)}
        for _ in range(3):
            player = people[match.seats[min(match.awaited)]]
            hand, acted = await hand_below(player, board, chat), match.position.acts
            assert await move(player, hand, rng) is not None
            assert match.position.acts > acted
        for leaver in (carol, bob):
            await resign(leaver, board)
        assert match.over
        await eventually(lambda: _has(board, *OVER))
        again = await alice.press(board, label="Rematch")
        assert (again.visibility, chat.messages[-1].id) == ("public", again.message.id)
    check_nothing_got_there_by_token(sandbox, chat)


async def _says(message: MessageView, text: str, *, is_there: bool) -> bool:
    return (text in message.text) is is_there


@pytest.mark.nightly  # a whole race; the other matches here are of turns
async def test_people_race_where_the_bot_is_not(sandbox: Sandbox, tmp_path: Path) -> None:
    alice, bob, chat = two_in(sandbox, "group")
    people = [alice, bob, sandbox.user("Carol")]
    async with cardroom(sandbox, tmp_path, CARDROOM_USER_INSTALL=ON) as room:
        board = await sit_down(people, chat, "tivmiv", phases=1)
        match = await only_match(room)
        assert (match.guild_id, match.rated) == (chat_venue(chat.id), False)
        racers = []
        for number, person in enumerate(people):
            hand = await hand_below(person, board, chat)
            await person.press(hand, label=READY)
            racers.append(Racer(person, board, random.Random(number), hand))
        async with hurried(room, match), asyncio.timeout(LONGEST_RACE):
            await asyncio.gather(*(racer.race() for racer in racers))
        assert match.result is not None
        assert match.result.kind in ("points", "shared")
        await eventually(lambda: _has(board, *OVER))
        assert [each.id for each in chat.messages] == [board.id]
        assert all(racer.told["card"] for racer in racers)
    check_nothing_got_there_by_token(sandbox, chat)


def _later(sandbox: Sandbox, room: Cardroom, seconds: float) -> None:
    """Let time pass for everybody: all tokens are old then."""
    sandbox.advance(seconds)
    room.pass_time(seconds)


async def _runs_out(room: Cardroom, match: LiveMatch) -> bool:
    """Whether the match is over; if not, let the time of its question pass."""
    if not match.over:
        room.pass_time(DAY)
    return match.over


async def test_an_answer_that_comes_late_is_private_and_leaves_the_board_alone(
    sandbox: Sandbox, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    alice, bob, chat = two_in(sandbox, "group")
    async with cardroom(sandbox, tmp_path, CARDROOM_USER_INSTALL=ON):
        board = await challenge(alice, bob, chat)
        shown = board.text
        monkeypatch.setattr(time_limits, "DEFER_AFTER", 0.0)
        loading = Finder.match

        async def slowly(*given: Any) -> Any:
            await asyncio.sleep(0.1)
            return await loading(*given)

        monkeypatch.setattr(Finder, "match", slowly)
        late = await bob.press(board, label="My cards")
        assert late.visibility == "ephemeral"
        await eventually(lambda: _is_hand(late.message))
        asked = await alice.slash(chat, "ciq challenge", opponent=bob)
        assert asked.visibility == "ephemeral"
        assert (board.text, [each.id for each in chat.messages]) == (shown, [board.id])
    check_nothing_got_there_by_token(sandbox, chat)


async def _is_hand(message: MessageView) -> bool:
    return say("hand.title", game="Haymaker") in message.text
