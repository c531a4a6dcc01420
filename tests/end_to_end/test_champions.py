"""Champions of Chance end to end: two to five people who press only what they see."""

from __future__ import annotations

import random
from typing import Any

from bot.ui.catalogue import translations
from cogs.screens.renderer import NO_BREAK
from discord_sandbox import DrivenChannel, MessageView, Person, Sandbox
from engines import champions
from tests.end_to_end.cardroom import Cardroom
from tests.end_to_end.players import acts, challenge, do, hand_of, is_picked, picks, play_out, press_where_it_is
from tests.wrapped_text import unwrapped

say = translations("en")

PEOPLE = ("Alice", "Bob", "Carol", "Dave", "Erin")
ALL = {"victory_dice": True, "wacky_numbers": True, "icon_tiebreak": True}


async def seated(people: list[Person], lobby: DrivenChannel, options: dict[str, Any]) -> MessageView:
    """Open a table, let everybody join, and start; the board."""
    host, *others = people
    table = (await host.slash(lobby, "champions open", **options)).message
    for person in others:
        assert (await person.press(table, label="Join")).kind == "update"
    return (await host.press(table, label="Start")).message


async def test_two_dice_are_made_in_secret_and_for_good(sandbox: Sandbox, room: Cardroom) -> None:
    alice, bob, lobby = sandbox.user("Alice"), sandbox.user("Bob"), sandbox.channel("lobby")
    board = await challenge(alice, bob, lobby, "champions")
    hands = {person: await hand_of(person, board) for person in (alice, bob)}
    asked, other = (alice, bob) if hands[alice].selects else (bob, alice)
    (numbers,) = hands[asked].selects
    assert [option.label for option in numbers.options] == [f"{number} cards" for number in range(2, 7)]
    assert not acts(hands[other])
    assert not hands[other].selects
    await do(asked, hands[asked], "number2")
    await sandbox.wait_for(lambda: len(picks(hands[other])) == 6)
    for place in (3, 1):
        await asked.press(hands[asked], custom_id=picks(hands[asked])[place].custom_id)
    assert "**2** of **2**" in hands[asked].text
    third = next(button for button in hands[asked].buttons if button.disabled)
    assert not is_picked(third.label)
    explained = await asked.press(hands[asked], label=say("hand.explain"))
    assert say("champions.refusal.die_too_large", size=2) in unwrapped(explained.text)
    await asked.press(hands[asked], label=say("champions.act.select"))
    assert say("champions.sealed.dice") in hands[asked].text
    assert picks(hands[asked]) == acts(hands[asked]) == [], "what is chosen is final"
    await sandbox.wait_for(lambda: "Die of " in board.text)
    assert say("champions.die") not in hands[other].text
    for place in (0, 5):
        await other.press(hands[other], custom_id=picks(hands[other])[place].custom_id)
    await other.press(hands[other], label=say("champions.act.select"))
    await sandbox.wait_for(lambda: acts(hands[other]))
    assert [button.label for button in acts(hands[other])] == ["Highest wins", "Lowest wins"]
    assert say("champions.die") in hands[other].text
    await other.press(hands[other], label="Lowest wins")
    (match,) = room.app.matches.live()
    await sandbox.wait_for(lambda: any(isinstance(event, champions.Rolled) for event in match.last_facts()))


async def test_the_challenge_and_the_rules_show_the_options(sandbox: Sandbox, room: Cardroom) -> None:
    alice, bob, lobby = sandbox.user("Alice"), sandbox.user("Bob"), sandbox.channel("lobby")
    asked = await alice.slash(lobby, "champions challenge", opponent=bob, die="blind", **ALL)
    terms = [say(f"champions.terms.{name}") for name in ("blind", *ALL)]
    assert all(line in asked.text for line in terms)
    rules = await press_where_it_is(bob, asked.message, "Rules")
    assert all(line in rules.text for line in terms)
    plain = await bob.slash(lobby, "champions rules")
    assert not any(line in plain.text for line in terms)


async def test_who_resigns_from_a_table_is_out_and_the_others_play_on(sandbox: Sandbox, room: Cardroom) -> None:
    people, lobby = [sandbox.user(name) for name in PEOPLE[:3]], sandbox.channel("lobby")
    board = await seated(people, lobby, {})
    (match,) = room.app.matches.live()
    alice, bob, carol = people
    sure = await press_where_it_is(alice, board, "Resign")
    await alice.press(sure.message, label="Resign")
    await sandbox.wait_for(lambda: say("champions.left").replace(" ", NO_BREAK) in board.text)
    assert not match.over
    hand = await hand_of(alice, board)
    assert say("champions.asked.left") in hand.text
    assert picks(hand) == acts(hand) == []
    await play_out({"Bob": bob, "Carol": carol}, board, random.Random(2), most=400)
    assert match.result is not None
    assert match.result.ranks[0] == 3
