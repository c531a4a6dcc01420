"""Every kind of bad input there is a way to give, each by its name: one private answer that says what, why and what
next, no trace, no error in the log, and nothing in the database has changed.

What happens at limits stands in tests/end_to_end/test_limits.py, who presses too fast in tests/faults/test_load.py, bad
configuration in tests/project/test_run.py and test_settings.py.
"""

from __future__ import annotations

import asyncio
import json
import random
import re
from collections.abc import Awaitable

import discord
import pytest

from bot.ui.catalogue import translations
from cogs.screens.rules_pages import rules_pages
from engines import GAMES
from engines.options import Choice, Number, takes
from sandbox.clients.driver import DrivenChannel, Person
from sandbox.clients.reply import Reply
from sandbox.clients.views import MessageView
from sandbox.model import payloads
from sandbox.model.wire import JsonObject
from tests.bad_input.hostile import TEXTS
from tests.bad_input.laws import Court
from tests.end_to_end.players import acts, card_of, challenge, chooser, hand_of, move, picks, sit_down
from tests.end_to_end.test_match import asked_first
from tests.wrapped_text import unwrapped

pytestmark = pytest.mark.asyncio(loop_scope="module")

say = translations("en")


@pytest.fixture
def lobby(judge: Court) -> DrivenChannel:
    return judge.sandbox.channel("lobby")


async def two(judge: Court, lobby: DrivenChannel) -> tuple[Person, Person, MessageView]:
    """Alice and Bob at a match of Haymaker, and nothing beside it."""
    await judge.clear()
    alice, bob = judge.people["Alice"], judge.people["Bob"]
    return alice, bob, await challenge(alice, bob, lobby)


async def refusal(judge: Court, acting: Awaitable[Reply], key: str, **values: object) -> None:
    """Raise AssertionError unless an act is answered with this sentence and nothing else, and changes nothing."""
    reply = await judge.refused(acting)
    assert (reply.kind, reply.visibility, reply.text) == ("message", "ephemeral", say(key, **values))


async def refusal_on_hand(judge: Court, acting: Awaitable[Reply], key: str, **values: object) -> None:
    """As `refusal`, where the answer is the hand as it is, with the sentence on it."""
    reply = await judge.refused(acting)
    assert reply.visibility == "ephemeral"
    assert say(key, **values) in unwrapped(reply.text)


def pressed(person: Person, message: MessageView, custom_id: str) -> Awaitable[Reply]:
    return person.press(message, custom_id=custom_id, force=True)


# ---------------------------------------------------------------------------------------- presses on a match


async def test_not_your_turn(judge: Court, lobby: DrivenChannel) -> None:
    alice, bob, board = await two(judge, lobby)
    _, hand, waiting, other = await asked_first([alice, bob], board)
    attack = hand.button("Attack").custom_id
    await refusal_on_hand(judge, pressed(waiting, other, attack), "match.not_your_turn")


async def test_not_seated(judge: Court, lobby: DrivenChannel) -> None:
    alice, bob, board = await two(judge, lobby)
    _, hand, _, _ = await asked_first([alice, bob], board)
    carol = judge.people["Carol"]
    for_all = {"Open piles", "Rules", "Proof", "Show the table"}
    of_board = [button.custom_id for button in board.buttons if button.label not in for_all]
    for custom_id in (*of_board, *(button.custom_id for button in hand.buttons)):
        await refusal(judge, pressed(carol, board, custom_id), "match.not_seated")


async def test_a_stale_press(judge: Court, lobby: DrivenChannel) -> None:
    alice, bob, board = await two(judge, lobby)
    first, hand, _, _ = await asked_first([alice, bob], board)
    old = [button.custom_id for button in hand.buttons]
    assert await move(first, hand, random.Random(1)) is not None
    for custom_id in old:
        await refusal_on_hand(judge, pressed(first, hand, custom_id), "press.stale")


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


async def test_a_card_not_held(judge: Court, lobby: DrivenChannel) -> None:
    alice, bob, board = await two(judge, lobby)
    first, hand, _, _ = await asked_first([alice, bob], board)
    (match,) = judge.room.app.matches.live()
    for mask in (1 << 30, (1 << 60) - 1):
        custom_id = f"g1:{match.id}:{match.window_number}:d:attack.{mask:x}"
        await refusal(judge, pressed(first, hand, custom_id), "press.unknown")


async def test_a_finished_match(judge: Court, lobby: DrivenChannel) -> None:
    alice, bob, board = await two(judge, lobby)
    first, hand, _, _ = await asked_first([alice, bob], board)
    making = hand.button("Attack").custom_id
    ids = {button.label: button.custom_id for button in board.buttons}
    asked = await alice.press(board, label="Resign")
    leave = asked.message.button("Resign").custom_id
    await judge.clear()
    await refusal_on_hand(judge, pressed(first, hand, making), "match.over")
    await refusal(judge, pressed(alice, board, ids["Resign"]), "match.over")
    await refusal(judge, pressed(alice, board, ids["Call off"]), "match.over")
    await refusal(judge, pressed(alice, board, leave), "match.over")
    shown = await judge.refused(pressed(alice, board, ids["My cards"]))
    assert say("ending.resignation.you") in shown.text
    assert not acts(shown.message)


@pytest.mark.parametrize(
    "verb",
    [
        "cards",
        "a",
        "d",
        "p",
        "resign",
        "leave",
        "calloff",
        "rematch",
        "nextmatch",
        "again",
        "sendagain",
        "rules",
        "piles",
    ],
)
async def test_an_unknown_match(judge: Court, lobby: DrivenChannel, verb: str) -> None:
    alice, _, board = await two(judge, lobby)
    await refusal(judge, pressed(alice, board, f"g1:nosuchmatch:1:{verb}:x.1"), "match.unknown")


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
    foreign = judge.sandbox.channel("general", server="Second Table")
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
    mine = board.button("Resign").custom_id.split(":")[1]
    await refusal(judge, pressed(alice, board, f"g1:{mine}:0:differently:1"), "review.not_over")


@pytest.mark.parametrize("verb", ["accept", "join", "decline", "cancel", "getup", "start", "kick"])
async def test_an_unknown_challenge(judge: Court, lobby: DrivenChannel, verb: str) -> None:
    alice, _, board = await two(judge, lobby)
    await refusal(judge, pressed(alice, board, f"g1:nosuchmatch:0:{verb}:1"), "challenge.unknown")


@pytest.mark.parametrize(
    "custom_id",
    [
        *("g0:abc:0:cards", "cards:abc", "g1:abc", "g1:ABC:0:cards", "g1:abc:-1:cards", "g1:abc:0:cards:ä", "?", " "),
        *("g1:abc:0:nosuchverb", "g1:abc:0:cards:" + "x" * 85, "g1:" + "x" * 97, "g1:abc:0000000:cards"),
        *("g1:haymaker:0:page:x", "g1:haymaker:0:page:1.0", "g1:nogame:0:ranks:1", "g1:haymaker:0:ranks:-1"),
        *("g1:panel:0:send:zz", "g1:panel:0:setup:1.99.0.0", "g1:panel:0:setup:1.0.0.0.b7", "g1:abc:0:kick:nobody"),
        *("g1:abc:0:differently", "g1:abc:0:differently:x", "g1:abc:0:differently:-1", "g1:abc:0:differently:1234567"),
    ],
)
async def test_an_id_of_an_older_format_or_malformed_or_oversize(
    judge: Court, lobby: DrivenChannel, custom_id: str
) -> None:
    alice, _, board = await two(judge, lobby)
    await refusal(judge, pressed(alice, board, custom_id), "press.unknown")


async def test_a_form_of_which_we_have_none(judge: Court, lobby: DrivenChannel) -> None:
    alice, _, board = await two(judge, lobby)
    sent: JsonObject = {"custom_id": "g1:abc:0:form", "components": []}
    await refusal(judge, alice.forge(lobby, "modal_submit", sent, board), "press.unknown")


async def test_resigning_and_calling_off_out_of_place(judge: Court, lobby: DrivenChannel) -> None:
    alice, bob, board = await two(judge, lobby)
    call_off = board.button("Call off").custom_id
    await refusal(
        judge, pressed(alice, board, board.button("Resign").custom_id.replace("resign", "rematch")), "rematch.not_over"
    )
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
    await refusal(judge, pressed(bob, table, table.button("Leave").custom_id), "table.not_seated")
    await refusal(judge, pressed(bob, table, table.button("Cancel").custom_id), "table.not_host")
    await bob.press(table, label="Join")
    kick = chooser(table, "kick")
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


async def test_a_challenge_of_others_ones_own_and_one_that_is_no_table(judge: Court, lobby: DrivenChannel) -> None:
    await judge.clear()
    alice, bob, carol = (judge.people[name] for name in ("Alice", "Bob", "Carol"))
    asked = (await alice.slash(lobby, "haymaker challenge", opponent=bob)).message
    await judge.settle()
    accept = asked.button("Accept").custom_id
    for person, label, key in (
        (carol, "Accept", "challenge.not_yours"),
        (carol, "Decline", "challenge.not_yours"),
        (alice, "Accept", "challenge.own_accept"),
        (alice, "Decline", "challenge.decline_not_yours"),
        (bob, "Cancel", "challenge.cancel_not_yours"),
    ):
        await refusal(judge, person.press(asked, label=label), key)
    for verb in ("start", "getup", "kick"):
        custom_id = f"{accept.removesuffix('accept')}{verb}:{alice.id}"
        await refusal(judge, pressed(bob, asked, custom_id), "table.not_a_table")


async def test_an_invitation_pressed_where_it_does_not_stand(judge: Court, lobby: DrivenChannel) -> None:
    alice, bob, board = await two(judge, lobby)
    asked = (await alice.slash(lobby, "unbreakable challenge", opponent=bob)).message
    table = (await bob.slash(lobby, "haymaker open")).message
    await judge.settle()
    for message in (asked, table):
        for button in message.buttons:
            if button.label not in {"Rules", "Proof", "Reliability"}:
                await refusal(judge, pressed(alice, board, button.custom_id), "press.unknown")
    assert board.labels[0] == "My cards"


async def test_asking_bots_absent_people_and_nobody_to_a_table(judge: Court, lobby: DrivenChannel) -> None:
    await judge.clear()
    alice, bob = judge.people["Alice"], judge.people["Bob"]
    table = (await alice.slash(lobby, "haymaker open", private=True)).message
    await judge.settle()
    ask = chooser(table, "ask")
    bot = judge.sandbox.world.application.bot
    member = judge.sandbox.server().members[bob.id]
    told: JsonObject = {
        "users": {str(bob.id): payloads.user(bob.user), str(bot.id): payloads.user(bot)},
        "members": {str(bob.id): {**payloads.member(member, with_user=False), "permissions": "0"}},
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


# ---------------------------------------------------------------------------------------- commands


def forged(game: str, command: str, *options: JsonObject, resolved: JsonObject | None = None) -> JsonObject:
    """The data of a command of a game."""
    inner = {"name": command, "type": 1, "options": list(options)}
    return {"id": "1", "name": game, "type": 1, "options": [inner], "resolved": resolved or {}}


def option(name: str, value: object, kind: int) -> JsonObject:
    return {"name": name, "type": kind, "value": value}


async def test_challenging_oneself_this_bot_a_bot_and_an_absent_member(judge: Court, lobby: DrivenChannel) -> None:
    await judge.clear()
    alice, frank, bot = judge.people["Alice"], judge.people["Frank"], judge.sandbox.world.application.bot
    await refusal(judge, alice.slash(lobby, "haymaker challenge", opponent=alice), "challenge.yourself")
    await refusal(judge, alice.slash(lobby, "haymaker challenge", opponent=str(bot.id)), "challenge.this_bot")
    await refusal(judge, alice.context_menu(lobby, "Challenge…", alice), "challenge.yourself")
    another = {**payloads.user(frank.user), "bot": True}
    sent = forged(
        "haymaker", "challenge", option("opponent", str(frank.id), 6), resolved={"users": {str(frank.id): another}}
    )
    await refusal(judge, alice.forge(lobby, "command", sent), "challenge.a_bot")
    judge.sandbox.remove_member(frank)
    try:
        await refusal(judge, alice.slash(lobby, "haymaker challenge", opponent=frank), "challenge.absent")
        await refusal(judge, alice.context_menu(lobby, "Challenge…", frank), "challenge.absent")
    finally:
        judge.sandbox.add_member(frank)


async def test_a_profile_of_a_bot_of_nobody_and_in_direct_messages(judge: Court, lobby: DrivenChannel) -> None:
    await judge.clear()
    alice, bot = judge.people["Alice"], judge.sandbox.world.application.bot
    own = (await alice.slash(lobby, "profile")).message
    await refusal(judge, alice.slash(lobby, "profile", player=str(bot.id)), "profile.bot")
    sent: JsonObject = {"id": "1", "name": "profile", "type": 1}
    await refusal(judge, alice.forge(alice.direct_messages, "command", sent), "profile.not_a_server")
    for arg in ("nobody", "9" * 20, f"{2**63}.haymaker", "-1.ciq", ".haymaker"):
        made_up = {"component_type": 2, "custom_id": f"g1:profile:0:profile:{arg}", "id": 1}
        await refusal(judge, alice.forge(lobby, "component", made_up, own), "press.unknown")
    there = {"component_type": 2, "custom_id": "g1:profile:0:profile", "id": 1}
    await refusal(judge, alice.forge(alice.direct_messages, "component", there, own), "profile.not_a_server")


NUMBERS = [
    (key, name, taken)
    for key, game in GAMES.items()
    for name, taken in takes(game.info.options).items()
    if isinstance(taken, Number)
]
LIMITS = [each for each in NUMBERS if each[2].or_none and len(each[2].numbers) > 1]
NUMBERS = [each for each in NUMBERS if not each[2].or_none]


@pytest.mark.parametrize(("game", "name", "taken"), LIMITS, ids=[f"{game}-{name}" for game, name, _ in LIMITS])
async def test_a_limit_out_of_range_or_neither_a_number_nor_none(
    judge: Court, lobby: DrivenChannel, game: str, name: str, taken: Number
) -> None:
    alice = judge.people["Alice"]
    told = {"option": name, "least": taken.least, "most": taken.most}
    for text in (str(taken.least - 1), str(taken.most + 1), str(2**62), "-5", "many", "5.5", "", "None of it", "²"):
        sent = forged(game, "open", option(name, text, 3))
        await refusal(judge, alice.forge(lobby, "command", sent), "option.number_or_none", **told)
    former = forged(game, "open", option(name, taken.least, 4))
    await refusal(judge, alice.forge(lobby, "command", former), "command.changed")
    strange: list[object] = [5.5, True, None, [], {}]
    for value in strange:
        sent = forged(game, "open", option(name, value, 3))
        await refusal(judge, alice.forge(lobby, "command", sent), "command.bad_value")


@pytest.mark.parametrize(("game", "name", "taken"), NUMBERS, ids=[f"{game}-{name}" for game, name, _ in NUMBERS])
async def test_an_option_out_of_range_or_not_a_number(
    judge: Court, lobby: DrivenChannel, game: str, name: str, taken: Number
) -> None:
    alice = judge.people["Alice"]
    for number in (taken.least - 1, taken.most + 1, -(2**62), 2**62):
        sent = forged(game, "open", option(name, number, 4))
        await refusal(
            judge, alice.forge(lobby, "command", sent), "option.number", option=name, least=taken.least, most=taken.most
        )
    strange: list[object] = ["many", "5", 5.5, True, None, [], {}]
    for value in strange:
        sent = forged(game, "open", option(name, value, 4))
        await refusal(judge, alice.forge(lobby, "command", sent), "command.bad_value")


CHOICES = [
    (key, name, tuple(taken.words))
    for key, game in GAMES.items()
    for name, taken in takes(game.info.options).items()
    if isinstance(taken, Choice)
] + [(key, "preset", tuple(game.info.presets)) for key, game in GAMES.items() if len(game.info.presets) > 1]


@pytest.mark.parametrize(("game", "name", "known"), CHOICES, ids=[f"{game}-{name}" for game, name, _ in CHOICES])
async def test_an_unknown_preset_or_choice(
    judge: Court, lobby: DrivenChannel, game: str, name: str, known: tuple[str, ...]
) -> None:
    alice = judge.people["Alice"]
    for word in ("", "unheard", known[0].upper(), f"{known[0]}\0", "'; DROP TABLE matches; --"):
        sent = forged(game, "open", option(name, word, 3))
        choices = ", ".join(known)
        await refusal(judge, alice.forge(lobby, "command", sent), "option.choice", option=name, choices=choices)


@pytest.mark.parametrize(
    "sent",
    [
        forged("haymaker", "challenge"),
        forged("haymaker", "open", option("unheard", "x", 3)),
        forged("haymaker", "open", option("clock", "blitz", 3), option("clock", "blitz", 3)),
        forged("haymaker", "open", option("private", "yes", 3)),
        forged("haymaker", "unheard"),
        forged("unheard", "open"),
        {"id": "1", "name": "haymaker", "type": 1},
        {"id": "1", "name": "haymaker", "type": 1, "options": "open"},
        {"id": "1", "name": "unheard", "type": 2, "target_id": "1", "resolved": {}},
        {"id": "1", "name": "Challenge…", "type": 3, "target_id": "1", "resolved": {}},
        {"id": "1", "type": 1},
        {"id": "1", "name": "help", "type": 1, "options": [1]},
    ],
    ids=json.dumps,
)
async def test_a_command_of_another_version(judge: Court, lobby: DrivenChannel, sent: JsonObject) -> None:
    reply = await judge.refused(judge.people["Alice"].forge(lobby, "command", sent))
    assert reply.text in {say("command.changed"), say("command.bad_value")}


@pytest.mark.parametrize("name", [None, 1, ["Challenge…"]])
async def test_a_command_of_a_members_menu_without_its_name(judge: Court, lobby: DrivenChannel, name: object) -> None:
    bob = judge.people["Bob"]
    sent: JsonObject = {
        "id": "1",
        "type": 2,
        "target_id": str(bob.id),
        "resolved": {"users": {str(bob.id): payloads.user(bob.user)}},
    }
    if name is not None:
        sent["name"] = name
    await refusal(judge, judge.people["Alice"].forge(lobby, "command", sent), "command.changed")


async def test_an_option_of_another_type(judge: Court, lobby: DrivenChannel) -> None:
    alice, bob = judge.people["Alice"], judge.people["Bob"]
    told = {"users": {str(bob.id): payloads.user(bob.user)}}
    sent = forged("haymaker", "open", option("clock", str(bob.id), 6), resolved=told)
    await refusal(judge, alice.forge(lobby, "command", sent), "command.changed")


@pytest.mark.parametrize("name", [True, 5, 1.5, ["Bob"], {"a": 1}], ids=repr)
async def test_a_person_whose_name_is_no_text(judge: Court, lobby: DrivenChannel, name: object) -> None:
    alice, bob = judge.people["Alice"], judge.people["Bob"]
    told = {"users": {str(bob.id): {**payloads.user(bob.user), "global_name": name}}}
    sent = forged("haymaker", "challenge", option("opponent", str(bob.id), 6), resolved=told)
    await refusal(judge, alice.forge(lobby, "command", sent), "command.bad_value")


@pytest.mark.parametrize("number", [number for number, text in enumerate(TEXTS) if text != "²"])  # two minutes
async def test_empty_over_long_and_hostile_texts_zalgo_bidi_zero_width_nul_mentions_links_headings_and_sql(
    judge: Court, lobby: DrivenChannel, number: int
) -> None:
    text = TEXTS[number]
    sent = forged("haymaker", "open", option("clock", text, 3))
    reply = await judge.refused(judge.people["Alice"].forge(lobby, "command", sent))
    assert reply.message.mentions == []
    assert len(text) < 4 or text not in reply.text


async def test_a_command_in_direct_messages(judge: Court) -> None:
    alice = judge.people["Alice"]
    there, bob = alice.direct_messages, judge.people["Bob"]
    told = {"users": {str(bob.id): payloads.user(bob.user)}}
    challenged = forged("haymaker", "challenge", option("opponent", str(bob.id), 6), resolved=told)
    await refusal(judge, alice.forge(there, "command", challenged), "place.practice_here", game="haymaker")
    for game in GAMES:
        opened = alice.forge(there, "command", forged(game, "open"))
        await refusal(judge, opened, "place.practice_here", game=game)
    for sent in (
        forged("haymaker", "leaderboard"),
        {"id": "1", "name": "leaderboard", "type": 1},
        {"id": "1", "name": "notify", "type": 1},
        {"id": "1", "name": "notify", "type": 1, "options": [option("level", "none", 3)]},
        {"id": "1", "name": "Challenge…", "type": 2, "target_id": str(bob.id), "resolved": told},
    ):
        await refusal(judge, alice.forge(there, "command", sent), "place.not_a_server")
    listed = await judge.refused(alice.forge(there, "command", {"id": "1", "name": "games", "type": 1}))
    assert (listed.visibility, say("games.title_everywhere") in listed.text) == ("ephemeral", True)
    chosen = await judge.refused(alice.forge(there, "command", {"id": "1", "name": "preferences", "type": 1}))
    assert (chosen.visibility, say("preferences.title") in chosen.text) == ("ephemeral", True)
    for custom_id in (
        *("g1:notify:0:notify:none", "g1:haymaker:0:standings:ciq", "g1:haymaker:0:ownrank"),
        *("g1:haymaker:0:board:w.-", "g1:boards:0:boardhide:t.-.1"),
    ):
        sent = {"component_type": 2, "custom_id": custom_id, "id": 1}
        await refusal(judge, alice.forge(there, "component", sent, listed.message), "place.not_a_server")


async def test_an_unsupported_channel_type(judge: Court, lobby: DrivenChannel, monkeypatch: pytest.MonkeyPatch) -> None:
    alice, bob = judge.people["Alice"], judge.people["Bob"]
    # Discord has no channel yet in which commands can be answered and no match be held; a later one may be such.
    monkeypatch.setattr("cogs.actions.challenging.SUPPORTED_CHANNELS", frozenset({discord.ChannelType.voice}))
    await refusal(judge, alice.slash(lobby, "haymaker open"), "place.channel_type")
    await refusal(judge, alice.slash(lobby, "haymaker challenge", opponent=bob), "place.channel_type")
    await refusal(judge, alice.context_menu(lobby, "Challenge…", bob), "place.channel_type")


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


async def test_deleting_data_with_live_matches_and_open_challenges(judge: Court, lobby: DrivenChannel) -> None:
    alice, bob, _ = await two(judge, lobby)
    carol, dave = judge.people["Carol"], judge.people["Dave"]
    await carol.slash(lobby, "haymaker challenge", opponent=dave)
    await judge.settle()
    for person in (alice, bob, carol, dave):
        reply = await judge.refused(person.slash(lobby, "mydata delete"))
        assert say("mydata.playing") in reply.text
        reply = await judge.refused(pressed(person, reply.message, "g1:mydata:0:forget"))
        assert say("mydata.playing") in reply.text


# ---------------------------------------------------------------------------------------- names


async def test_hostile_names_are_names_and_nothing_more_wherever_they_stand(judge: Court) -> None:
    await judge.clear()
    alice, erin = judge.people["Alice"], judge.people["Erin"]
    lobby = judge.sandbox.channel("games")  # where no other test's boards wait to be painted
    judge.sandbox.transcript.clear()
    board = await sit_down([erin, alice], lobby, "haymaker")
    await hand_of(alice, board)
    await alice.slash(lobby, "games")
    await alice.context_menu(lobby, "Challenge…", erin)
    table = (await alice.slash(lobby, "champions open", private=True)).message
    await alice.select(table, custom_id=chooser(table, "ask").custom_id, values=[str(erin.id)])
    await erin.press(table, label="Join")
    challenged = (await alice.slash(lobby, "unbreakable challenge", opponent=erin)).message
    await erin.press(challenged, label="Decline")
    await judge.clear()
    await judge.sandbox.wait_for(lambda: "Rematch" in board.labels)
    await alice.slash(lobby, "haymaker leaderboard")
    shown = 0
    for request in judge.sandbox.transcript.requests:
        if not request.raw:
            continue
        assert not {"\u202e", "\u200b"} & set(json.dumps(request.body, ensure_ascii=False))
        for text in contents(request.body):
            shown += r"\*\*\@everyone\*\* \<\@\&1\> \[x\]\(https" in text
            acting = re.sub(r"\\.", "", text)
            assert not [sign for sign in ("@everyone", "<@&", "](", "everyone**") if sign in acting], text
        allowed = request.body.get("allowed_mentions", {}) if isinstance(request.body, dict) else {}
        assert not allowed.get("parse")
        assert not allowed.get("roles")
    assert shown >= 5
    assert (await judge.refused(erin.slash(lobby, "games"))).visibility == "ephemeral"


def contents(body: object) -> list[str]:
    """Every text in a request's body in which Discord reads markdown."""
    if isinstance(body, list):
        return [text for each in body for text in contents(each)]
    if not isinstance(body, dict):
        return []
    own = [body["content"]] if isinstance(body.get("content"), str) else []
    return own + [text for each in body.values() for text in contents(each)]
