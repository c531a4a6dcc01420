"""Every kind of bad press there is a way to make, each by its name: one private answer that says what, why and what
next, no trace, no error in the log, and nothing in the database has changed. Commands are in test_bad_commands.py.

What happens at limits stands in tests/end_to_end/test_limits.py, who presses too fast in tests/faults/test_load.py, bad
configuration in tests/project/test_run.py and test_settings.py.
"""

from __future__ import annotations

import asyncio
import random

import pytest

from cogs.screens.rules_pages import rules_pages
from discord_sandbox import DrivenChannel, JsonObject, member_object, user_object
from tests.bad_input.hostile import TEXTS
from tests.bad_input.laws import Court
from tests.bad_input.refusals import pressed, refusal, refusal_on_hand, say, two
from tests.end_to_end.players import acts, asked_first, behind_more, card_of, chooser, move, picks, press_where_it_is

pytestmark = pytest.mark.asyncio(loop_scope="module")


# ---------------------------------------------------------------------------------------- presses on a match


async def test_a_double_press(judge: Court, lobby: DrivenChannel) -> None:
    alice, bob, board = await two(judge, lobby)
    first, hand, _, _ = await asked_first([alice, bob], board)
    await first.press(hand, custom_id=picks(hand)[0].custom_id)
    attack = hand.button("Attack").custom_id
    await asyncio.gather(pressed(first, hand, attack), pressed(first, hand, attack))
    (match,) = judge.room.app.matches.live()
    assert len(await judge.room.store.records(match.id)) == 2
    await refusal_on_hand(judge, pressed(first, hand, attack), "press.stale")


async def test_illegal_cards_are_refused_by_the_rule_they_break(judge: Court, lobby: DrivenChannel) -> None:
    alice, bob, board = await two(judge, lobby)
    first, hand, second, other = await asked_first([alice, bob], board)
    (match,) = judge.room.app.matches.live()
    seat = match.seat_of(first.id)
    assert seat is not None
    cards = match.private(seat).own.hand
    suits = {card.suit: place for place, card in enumerate(cards)}
    unlike = sum(1 << place for place in list(suits.values())[:2])
    of_window = f"g1:{match.id}:{match.window_number}:d"
    await refusal_on_hand(judge, pressed(first, hand, f"{of_window}:attack.{unlike:x}"), "haymaker.refusal.two_suits")
    await refusal_on_hand(judge, pressed(first, hand, f"{of_window}:attack.0"), "haymaker.refusal.attack_without_cards")
    highest = max(picks(hand), key=lambda button: _strength(button.label))
    await first.press(hand, custom_id=highest.custom_id)
    await first.press(hand, label="Attack")
    await judge.sandbox.wait_for(lambda: other.find_button("Take the hit"))
    needed = _strength(highest.label)
    of_window = f"g1:{match.id}:{match.window_number}:d"
    await refusal_on_hand(
        judge, pressed(second, other, f"{of_window}:block.0"), "haymaker.refusal.block_without_cards", needed=needed
    )


def _strength(label: str) -> int:
    rank = card_of(label)[:-1]
    return {"J": 11, "Q": 12, "K": 13, "A": 1}.get(rank, 0) or int(rank)


async def test_a_finished_match(judge: Court, lobby: DrivenChannel) -> None:
    alice, bob, board = await two(judge, lobby)
    first, hand, _, _ = await asked_first([alice, bob], board)
    making = hand.button("Attack").custom_id
    more = (await alice.press(board, label="More…")).message
    ids = {button.label: button.custom_id for button in (*board.buttons, *more.buttons)}
    asked = await press_where_it_is(alice, board, "Resign")
    leave = asked.message.button("Resign").custom_id
    await judge.clear()
    await refusal_on_hand(judge, pressed(first, hand, making), "refusal.match_over")
    await refusal(judge, pressed(alice, board, ids["Resign"]), "refusal.match_over")
    await refusal(judge, pressed(alice, board, ids["Call off"]), "refusal.match_over")
    await refusal(judge, pressed(alice, board, leave), "refusal.match_over")
    shown = await judge.refused(pressed(alice, board, ids["My cards"]))
    assert say("ending.resignation.you") in shown.text
    assert not acts(shown.message)


async def test_an_unknown_or_hostile_code_of_a_replay_and_that_of_a_match_that_is_played(
    judge: Court, lobby: DrivenChannel
) -> None:
    alice, bob, _ = await two(judge, lobby)
    (match,) = judge.room.app.matches.live()
    for code in ("nosuchcode", match.id, "", "x" * 2000, "'; DROP TABLE matches; --", *TEXTS):
        await refusal(judge, bob.slash(lobby, "replay", code=code), "replay.unknown")
    for arg in ("o", "n.a.", "l.a.r"):
        pressed = {"component_type": 2, "custom_id": f"g1:{match.id}:0:replay:{arg}"}
        await refusal(judge, alice.forge(lobby, "component", pressed), "replay.unknown")
    foreign = judge.sandbox.channel("general", server="Second Server")
    await refusal(judge, alice.slash(foreign, "replay", code=match.id), "replay.unknown")


async def test_a_page_of_a_history_that_no_button_has(judge: Court, lobby: DrivenChannel) -> None:
    alice = judge.people["Alice"]
    for arg in ("", "0", "999", "1.haymaker", "1..", "1..m1:2", "'..m1"):
        pressed = {"component_type": 2, "custom_id": f"g1:history:1:history:{arg}"}
        await refusal(judge, alice.forge(lobby, "component", pressed), "press.unknown")


async def test_a_move_to_try_differently_of_an_unknown_match_and_of_one_that_is_played(
    judge: Court, lobby: DrivenChannel
) -> None:
    alice, _, board = await two(judge, lobby)
    await refusal(judge, pressed(alice, board, "g1:nosuchmatch:0:differently:1"), "match.unknown")
    mine = board.button("My cards").custom_id.split(":")[1]
    await refusal(judge, pressed(alice, board, f"g1:{mine}:0:differently:1"), "match.not_over")


async def test_resigning_and_calling_off_out_of_place(judge: Court, lobby: DrivenChannel) -> None:
    alice, bob, board = await two(judge, lobby)
    cards = board.button("My cards").custom_id
    call_off = cards.replace("cards", "calloff")
    await refusal(judge, pressed(alice, board, cards.replace("cards", "rematch")), "match.not_over")
    first, hand, _, _ = await asked_first([alice, bob], board)
    assert await move(first, hand, random.Random(1)) is not None
    for person in (alice, bob):
        await refusal(judge, pressed(person, board, call_off), "calloff.moved")


# ---------------------------------------------------------------------------------------- presses on invitations


async def test_a_table_full_joined_twice_after_the_start_with_too_few_and_not_by_its_host(
    judge: Court, lobby: DrivenChannel
) -> None:
    await judge.clear()
    alice, bob, carol = (judge.people[name] for name in ("Alice", "Bob", "Carol"))
    table = (await alice.slash(lobby, "haymaker open")).message
    await judge.settle()
    join, start = table.button("Join").custom_id, table.button("Start").custom_id
    await refusal(judge, pressed(alice, table, start), "table.too_few", least=2, seated=1)
    await refusal(judge, pressed(alice, table, join), "table.seated_already")
    mine = await behind_more(alice, table)
    await refusal(judge, pressed(bob, table, mine.button("Leave").custom_id), "table.not_seated")
    await refusal(judge, pressed(bob, table, mine.button("Take back").custom_id), "table.not_host")
    await bob.press(table, label="Join")
    kick = chooser(await behind_more(alice, table), "kick")
    of_kick = kick.custom_id
    await refusal(judge, pressed(bob, table, join), "table.seated_already")
    await refusal(judge, pressed(carol, table, join), "table.full")
    await refusal(judge, pressed(bob, table, start), "table.not_host")
    await refusal(judge, bob.select(table, custom_id=of_kick, values=[str(alice.id)], force=True), "table.not_host")
    myself = alice.select(table, custom_id=of_kick, values=[str(alice.id)], force=True)
    await refusal(judge, myself, "table.kick_yourself")
    nobody = alice.select(table, custom_id=of_kick, values=[str(carol.id)], force=True)
    await refusal(judge, nobody, "table.they_left")
    await alice.press(table, label="Start")
    for late in (carol, bob):
        await refusal(judge, pressed(late, table, join), "challenge.accepted_already")


async def test_an_invitation_pressed_where_it_does_not_stand(judge: Court, lobby: DrivenChannel) -> None:
    alice, bob, board = await two(judge, lobby)
    asked = (await alice.slash(lobby, "unbreakable challenge", opponent=bob)).message
    table = (await bob.slash(lobby, "haymaker open")).message
    await judge.settle()
    theirs = [await behind_more(person, message) for person, message in ((alice, asked), (bob, table))]
    for message in (asked, table, *theirs):
        for button in message.buttons:
            if button.label not in {"More…", "Rules", "Proof", "Reliability", "Decline for good"}:
                await refusal(judge, pressed(alice, board, button.custom_id), "press.unknown")
    assert board.labels[0] == "My cards"


async def test_asking_bots_absent_people_and_nobody_to_a_table(judge: Court, lobby: DrivenChannel) -> None:
    await judge.clear()
    alice, bob = judge.people["Alice"], judge.people["Bob"]
    table = (await alice.slash(lobby, "haymaker open", private=True)).message
    await judge.settle()
    ask = chooser(await behind_more(alice, table), "ask")
    bot = judge.sandbox.world.application.bot
    member = judge.sandbox.server().members[bob.id]
    told: JsonObject = {
        "users": {str(bob.id): user_object(bob.user), str(bot.id): user_object(bot)},
        "members": {str(bob.id): {**member_object(member, with_user=False), "permissions": "0"}},
    }
    for values, resolved, key in (
        ([str(bot.id)], told, "challenge.a_bot"),
        ([str(bob.id)], {"users": told["users"]}, "challenge.absent"),
        (["77"], told, "challenge.absent"),
        (["nobody"], told, "press.unknown"),
        ([], told, "press.unknown"),
        ([str(bob.id)], None, "press.unknown"),
    ):
        sent = {"component_type": 5, "custom_id": ask.custom_id, "id": 1, "values": values, "resolved": resolved}
        await refusal(judge, alice.forge(lobby, "component", sent, table), key)


# ---------------------------------------------------------------------------------------- presses on other messages


async def test_a_lesson_that_nobody_can_have_come_to(judge: Court, lobby: DrivenChannel) -> None:
    await judge.clear()
    erin = judge.people["Erin"]
    lesson = (await erin.slash(lobby, "learn", game="haymaker")).message
    for tail in ("1:learn:zz", "1:learn:a--", "1:learn:aa", f"1:learn:{'b' * 70}", "1:learn:-1", "1:learn:bcb-"):
        await refusal(judge, pressed(erin, lesson, f"g1:haymaker:{tail}"), "press.unknown")
    for custom_id in ("g1:chess:1:learn:b", "g1:note:0:lesson:chess", "g1:haymaker:0:lesson", "g1:chess:0:learnplay"):
        await refusal(judge, pressed(erin, lesson, custom_id), "press.unknown")


async def test_pages_zero_and_999(judge: Court, lobby: DrivenChannel) -> None:
    alice, _, board = await two(judge, lobby)
    pages = rules_pages("haymaker", "en")
    for page, shown in ((0, 0), (999, len(pages) - 1), (999_999, len(pages) - 1)):
        reply = await judge.refused(pressed(alice, board, f"g1:haymaker:0:page:{page}"))
        assert say("rules.page", page=shown + 1, pages=len(pages)) in reply.text
        reply = await judge.refused(pressed(alice, board, f"g1:haymaker:1:ranks:{page}"))
        assert say("ladder.title", game="Haymaker") in reply.text
        reply = await judge.refused(pressed(alice, board, f"g1:games:1:matches:{page}"))
        assert say("games.title") in reply.text
    for wrong in ("-1", "1000000", "9" * 60, "x"):
        await refusal(judge, pressed(alice, board, f"g1:haymaker:0:page:{wrong}"), "press.unknown")
        await refusal(judge, pressed(alice, board, f"g1:haymaker:1:ranks:{wrong}"), "press.unknown")
        await refusal(judge, pressed(alice, board, f"g1:games:1:matches:{wrong}"), "press.unknown")
