"""Champions of Chance end to end: two to five people who press only what they see."""

from __future__ import annotations

from bot.ui.catalogue import translations
from discord_sandbox import Sandbox
from engines import champions
from tests.end_to_end.cardroom import Cardroom
from tests.end_to_end.players import acts, challenge, do, hand_of, is_picked, picks
from tests.wrapped_text import unwrapped

say = translations("en")


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
