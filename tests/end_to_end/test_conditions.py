"""Moves planned ahead in a slow match: made when their time comes, over a restart, and told to nobody before."""

from __future__ import annotations

import logging
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from bot.play.live_match import LiveMatch
from bot.ui.catalogue import translations
from cogs.conditions import making
from cogs.conditions.making import LATEST, SOONEST
from cogs.conditions.queries import ConditionQueries
from discord_sandbox import MessageView, Person, Sandbox
from engines import haymaker
from tests.end_to_end.cardroom import Cardroom, cardroom, eventually
from tests.end_to_end.deals import fixed_deals
from tests.end_to_end.exports import exported
from tests.end_to_end.players import acts, challenge, chooser, hand_of, picks, verb

say = translations("en")
PLAN = {
    "people": [{"name": "Alice"}, {"name": "Bob"}],
    "servers": [{"name": "Cardroom", "channels": [{"name": "lobby"}]}],
}
VARIES = re.compile(r"\d{10,20}|https?://127\.0\.0\.1:\S+|\d{4}-\d\d-\d\dT\S+")
"""Ids, times and addresses of the sandbox, which no two runs share. A picture's size says whether it is the same."""

OURS = {"bot.", "cogs"}
"""How the names of the loggers begin that are compared."""


def only_match(room: Cardroom) -> LiveMatch:
    (match,) = room.app.matches.live()
    return match


def who(sandbox: Sandbox, room: Cardroom) -> tuple[Person, Person]:
    """Whom the match waits for, and who waits."""
    match = only_match(room)
    (seat,) = match.awaited
    people = {person.id: person for person in sandbox.people}
    return people[match.seats[seat]], people[match.seats[1 - seat]]


async def plans(person: Person, board: MessageView, occasion: str, *cards: int) -> MessageView:
    """Plan to block with these of the offered cards, or to take the hit if none are named; the list of plans."""
    hand = await hand_of(person, board)
    screen = (await person.press(hand, label=say("button.plan"))).message
    screen = (await person.select(screen, values=[occasion])).message
    if not cards:
        return (await person.press(screen, label=say("haymaker.act.hit"))).message
    for place in cards:
        option = chooser(screen, "plancards").options[place]
        screen = (await person.select(screen, values=[option.value])).message
    return (await person.press(screen, label=say("button.save_plan"))).message


async def attack(person: Person, board: MessageView) -> None:
    """Attack with the first card."""
    hand = await hand_of(person, board)
    picked = (await person.press(hand, custom_id=picks(hand)[0].custom_id)).message
    (button,) = [each for each in acts(picked) if verb(each) == "d"]
    assert not (await person.press(picked, custom_id=button.custom_id)).failed


def moves(room: Cardroom, person: Person) -> int:
    match = only_match(room)
    return match.own_acts.count(match.seats.index(person.id))


async def test_a_block_that_was_planned_is_made_after_a_restart_and_its_player_reads_that(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fixed_deals(monkeypatch, 5)
    async with Sandbox.running(PLAN) as sandbox:
        alice, bob = sandbox.people
        lobby = sandbox.channel("lobby")
        async with cardroom(sandbox, tmp_path) as room:
            board = await challenge(alice, bob, lobby, clock="daily")
            attacker, waiting = who(sandbox, room)
            planned = await plans(waiting, board, "haymaker")
            hand = only_match(room).private(only_match(room).seats.index(waiting.id)).own.hand
            highest = max(range(len(hand)), key=lambda place: hand[place].rank)
            planned = await plans(waiting, board, "any", highest)
            assert say("haymaker.do.hit") in planned.text
            assert say("haymaker.do.block", cards=f"`{hand[highest].name}`") in planned.text
            assert [each["number"] for each in (await exported(waiting, lobby))["conditional_moves"]] == [1, 2]
            assert (await exported(attacker, lobby))["conditional_moves"] == []
            await attack(attacker, board)
            room.pass_time(SOONEST - 1)
            assert moves(room, waiting) == 0
        monkeypatch.setattr(making, "SOONEST", LATEST)
        async with cardroom(sandbox, tmp_path) as room:
            room.pass_time(room.client.settings.notice_after_seconds)

            async def is_notified() -> bool:
                return waiting.id in {notice.user_id for notice in await room.store.notices()}

            async def is_not_notified() -> bool:
                return not await is_notified()

            await eventually(is_notified)
            assert moves(room, waiting) == 0
            room.pass_time(LATEST)

            async def made() -> bool:
                return moves(room, waiting) == 1

            await eventually(made)
            await eventually(is_not_notified)
            *_, record = await room.store.records(only_match(room).id)
            (events,) = await only_match(room).read_acts(record.seq)
            (laid,) = [event for event in events if isinstance(event, haymaker.BlockLaid)]
            assert laid.cards == (hand[highest],)
            assert say("plan.made") in (await hand_of(waiting, board)).text
            assert say("plan.made") not in (await hand_of(attacker, board)).text
            await attack_or_reply(sandbox, room, board)


async def attack_or_reply(sandbox: Sandbox, room: Cardroom, board: MessageView) -> None:
    """Whoever is asked moves as usual."""
    person, _ = who(sandbox, room)
    before = only_match(room).position.acts
    await attack(person, board)
    assert only_match(room).position.acts == before + 1


async def test_a_plan_is_dropped_by_its_button_and_none_is_made_of_a_press_from_before(
    sandbox: Sandbox, room: Cardroom
) -> None:
    alice, bob, lobby = sandbox.user("Alice"), sandbox.user("Bob"), sandbox.channel("lobby")
    board = await challenge(alice, bob, lobby, clock="daily")
    attacker, waiting = who(sandbox, room)
    planned = await plans(waiting, board, "any")
    planned = (await waiting.press(planned, label=say("button.forget_plan", number=1))).message
    assert say("haymaker.do.hit") not in planned.text
    assert await ConditionQueries(room.store).of_match(only_match(room).id) == []
    begun = (await waiting.select(planned, values=["any"])).message
    await attack(attacker, board)
    late = await waiting.press(begun, label=say("haymaker.act.hit"))
    assert say("plan.not_now") in late.message.text
    assert await ConditionQueries(room.store).of_match(only_match(room).id) == []


# ---------------------------------------------------------------------------------------------- the law of secrecy


def texts(value: Any) -> Iterator[str]:
    """All texts of a message as it was sent."""
    match value:
        case dict():
            for key in sorted(value):
                yield key
                yield from texts(value[key])
        case list():
            for each in value:
                yield from texts(each)
        case _:
            yield VARIES.sub("N", str(value))


async def shown(sandbox: Sandbox, room: Cardroom, board: MessageView) -> None:
    """Wait until the board shows who must reply, and nothing else is on its way."""
    _, attacker = who(sandbox, room)
    wanted = say("haymaker.question.attack", attacker=attacker.name)
    await sandbox.wait_for(lambda: wanted not in board.text and room.app.updates.edit_queue.idle)


async def seen_by_others(
    folder: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, *, planned: bool
) -> dict[str, list[str]]:
    """Everything that anybody but the waiting player can see of a match, until a moment before the plan is used."""
    caplog.clear()
    for name in ("bot", "cogs"):
        caplog.set_level(logging.DEBUG, name)
    async with Sandbox.running(PLAN) as sandbox, cardroom(sandbox, folder) as room:
        fixed_deals(monkeypatch, 5)
        for name in ("SOONEST", "LATEST"):  # so that the notice comes first
            monkeypatch.setattr(making, name, 3600.0)
        alice, bob = sandbox.people
        lobby = sandbox.channel("lobby")
        board = await challenge(alice, bob, lobby, clock="daily")
        attacker, waiting = who(sandbox, room)
        hand = await hand_of(waiting, board)
        screen = (await waiting.press(hand, label=say("button.plan"))).message
        screen = (await waiting.select(screen, values=["any"])).message
        if planned:
            await waiting.press(screen, label=say("haymaker.act.hit"))
        else:
            await waiting.press(screen, label=say("button.previous"))
        await attack(attacker, board)
        await shown(sandbox, room, board)
        room.pass_time(room.client.settings.notice_after_seconds)
        await sandbox.wait_for(lambda: len(lobby.messages) > 1)
        kept = await ConditionQueries(room.store).of_match(only_match(room).id)
        assert len(kept) == planned
        public = [text for message in lobby.messages for text in texts(message.raw)]
        theirs = await hand_of(attacker, board)
        more = (await attacker.press(board, label=say("button.more"))).message
        games = (await attacker.slash(lobby, "games")).message
        proof = (await attacker.slash(lobby, "verify", code=only_match(room).id)).message
        export = await exported(attacker, lobby)
        figures = sorted(name for name in room.figures if "seconds" not in name)
        logged = sorted(VARIES.sub("N", each.getMessage()) for each in caplog.records if each.name[:4] in OURS)
        records = await room.store.records(only_match(room).id)
        return {
            "public": public,
            "hand": [*texts(theirs.raw)],
            "more": [*texts(more.raw)],
            "games": [*texts(games.raw)],
            "proof": [*texts(proof.raw)],
            "export": [*texts(export)],
            "figures": figures,
            "logged": logged,
            "records": [f"{each.seq} {each.actor} {each.action} {each.events}" for each in records],
        }


async def test_nobody_else_can_see_whether_something_is_planned_until_it_is_made(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    found = []
    for planned in (False, True):
        folder = tmp_path / str(planned)
        folder.mkdir()
        found.append(await seen_by_others(folder, monkeypatch, caplog, planned=planned))
    without, with_plan = found
    assert all(without.values())
    for name in without:
        assert without[name] == with_plan[name], name
