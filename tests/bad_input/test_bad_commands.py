"""Every kind of bad command there is a way to send, answered as in test_bad_presses.py, and people with bad names."""

from __future__ import annotations

import json
import re

import discord
import pytest

from bot.ui.text_lines import BLANK
from discord_sandbox import DrivenChannel, JsonObject, user_object
from engines import GAMES
from engines.options import Choice, Number, takes
from tests.bad_input.laws import Court
from tests.bad_input.refusals import pressed, refusal, say, two
from tests.end_to_end.players import behind_more, chooser, hand_of, sit_down

pytestmark = pytest.mark.asyncio(loop_scope="module")


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
    another = {**user_object(frank.user), "bot": True}
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


async def test_a_command_in_direct_messages(judge: Court) -> None:
    alice = judge.people["Alice"]
    there, bob = alice.direct_messages, judge.people["Bob"]
    told = {"users": {str(bob.id): user_object(bob.user)}}
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


OWN_BLANK = re.compile(rf'\\n{BLANK}(?=\\n|")')
"""A line of a hand that the bot keeps free, as JSON has it: nothing else is in it."""


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
    hosts = await behind_more(alice, table)
    await alice.select(hosts, custom_id=chooser(hosts, "ask").custom_id, values=[str(erin.id)])
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
        sent = json.dumps(request.body, ensure_ascii=False)
        assert not {"\u202e", "\u200b"} & set(OWN_BLANK.sub("", sent))
        for text in contents(request.body):
            shown += r"\*\*\@everyone\*\* \<\@\&1\> \[x\]" in text
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
