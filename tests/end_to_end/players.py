"""Players for tests: they press only what they see."""

from __future__ import annotations

import random

from bot.ui.catalogue import Translations, translations
from cogs.screens import custom_ids
from cogs.screens.card_text import NOT_PICKED, PICKED
from discord_sandbox import Button, DrivenChannel, MessageView, Person, Reply, Select

ENGLISH = translations("en")
MOST_PRESSES = 2000
OVER = ["Rematch", "Replay", "More…"]
"""The buttons of a board that shows the result."""
CALL_OFF_ASKED = frozenset(ENGLISH(key) for key in ("calloff.asked", "calloff.asked_alone_later"))
"""What a player reads who would like to call a match off: it depends on whether they are on turn (C-6)."""


async def challenge(
    host: Person, guest: Person, channel: DrivenChannel, game: str = "haymaker", **options: object
) -> MessageView:
    """Challenge and accept; the board."""
    asked = await host.slash(channel, f"{game} challenge", opponent=guest, **options)
    accepted = await guest.press(asked.message, label="Accept")
    assert not accepted.failed
    return accepted.message


async def hand_of(person: Person, board: MessageView) -> MessageView:
    """Press *My cards*; the hand. In a match without a board there is nothing but the hand."""
    if board.find_button("My cards") is None and board.ephemeral:
        return board
    reply = await person.press(board, label="My cards")
    assert reply.visibility == "ephemeral"
    return reply.message


async def behind_more(person: Person, message: MessageView, words: Translations = ENGLISH) -> MessageView:
    """What *More…* opens on a message."""
    return (await person.press(message, label=words("button.more"))).message


async def press_where_it_is(person: Person, message: MessageView, label: str, words: Translations = ENGLISH) -> Reply:
    """Press a button of a message or, if it is not on it, behind its *More…*: a button, or a line of the list there."""
    if message.find_button(label) is None and message.find_button(words("button.more")) is not None:
        message = await behind_more(person, message, words)
    listed = [(acts, each) for acts in message.selects for each in acts.options if each.label == label]
    if listed and message.find_button(label) is None:
        acts, line = listed[0]
        return await person.select(message, custom_id=acts.custom_id, values=[line.value])
    return await person.press(message, label=label)


async def resign(person: Person, message: MessageView) -> None:
    """Press *Resign* on a board or a hand, and once more where that asks."""
    asked = await press_where_it_is(person, message, "Resign")
    assert not (await press_where_it_is(person, asked.message, "Resign")).failed


def chooser(message: MessageView, verb: str) -> Select:
    """The list of a message that makes presses of this kind."""
    (found,) = [select for select in message.selects if custom_ids.read(select.custom_id)[1].verb == verb]
    return found


def verb(button: Button) -> str:
    """What kind of press a button of ours is."""
    return custom_ids.read(button.custom_id)[1].verb


def acts(hand: MessageView) -> list[Button]:
    """The enabled buttons that make a move."""
    return [button for button in hand.buttons if verb(button) in "ad" and not button.disabled]


def picks(hand: MessageView) -> list[Button]:
    """The enabled buttons that pick a card."""
    return [button for button in hand.buttons if verb(button) == "p" and not button.disabled]


def is_picked(label: str) -> bool:
    """Whether the label of a card, or of a list's line, says that it is picked."""
    return label.startswith(PICKED)


def shows_picked(button: Button) -> bool:
    """Whether a card's button says that it is picked: by its mark, or beside an emoji by its colour."""
    return is_picked(button.label) or (bool(button.emoji) and button.style == 1)


def card_of(label: str) -> str:
    """The card that a label names, without its mark."""
    return label.partition(" ")[2] if label.startswith((PICKED, NOT_PICKED)) else label


async def pick(person: Person, hand: MessageView, card: str) -> Reply:
    """Press a card by its name."""
    (button,) = [button for button in picks(hand) if card_of(button.label) == card]
    return await person.press(hand, custom_id=button.custom_id)


def turns(hand: MessageView) -> list[Button]:
    """The enabled buttons that turn the hand to something else that can be done, or back."""
    return [button for button in hand.buttons if verb(button) in "oc" and not button.disabled]


def openings(hand: MessageView, verb: str = "o") -> list[tuple[str, str]]:
    """What a list can begin, or with another verb do or pick: the list's id and a value, for each line."""
    return [
        (select.custom_id, option.value)
        for select in hand.selects
        if custom_ids.read(select.custom_id)[1].verb == verb and not select.disabled
        for option in select.options
    ]


async def begin(person: Person, hand: MessageView, deed: str) -> Reply:
    """Choose what to pick cards for, by its verb, from the list of all that can be done."""
    return await person.select(hand, custom_id=chooser(hand, "o").custom_id, values=[f"{deed}."])


async def do(person: Person, hand: MessageView, act: str) -> Reply:
    """Make an act of this verb, by its line in a list or its button."""
    for custom_id, value in openings(hand, "a"):
        if value == act:
            return await person.select(hand, custom_id=custom_id, values=[value])
    (button,) = [each for each in acts(hand) if custom_ids.read(each.custom_id)[1].arg == act]
    return await person.press(hand, custom_id=button.custom_id)


async def move(person: Person, hand: MessageView, rng: random.Random) -> Reply | None:
    """Make one random move with the hand as it is shown; None where it offers none."""
    for _ in range(MOST_PRESSES):
        doable = [*((button.custom_id, "") for button in acts(hand)), *openings(hand, "a")]
        pickable = [button for button in picks(hand) if not shows_picked(button)]
        turnable = [button for button in turns(hand) if verb(button) == "o"]
        listed = [*openings(hand), *openings(hand, "p")]
        if not doable and not pickable and not turns(hand) and not listed:
            return None
        if doable and (not (pickable or turnable or listed) or rng.random() < 0.5):
            custom_id, value = rng.choice(doable)
            if value:
                return await person.select(hand, custom_id=custom_id, values=[value])
            return await person.press(hand, custom_id=custom_id)
        presses = [(button.custom_id, "") for button in [*pickable, *turnable] or ([] if listed else turns(hand))]
        custom_id, value = rng.choice([*presses, *listed])
        if value:
            reply = await person.select(hand, custom_id=custom_id, values=[value])
        else:
            reply = await person.press(hand, custom_id=custom_id)
        assert not reply.failed
    raise AssertionError("the hand never came to a move")


async def plain_move(person: Person, hand: MessageView) -> Reply:
    """Throw one card, or take the hit. By such moves alone every match of Haymaker lasts 21 acts."""
    if hand.find_button("Take the hit") is None:
        await person.press(hand, custom_id=picks(hand)[0].custom_id)
        return await person.press(hand, label="Attack")
    return await person.press(hand, label="Take the hit")


async def play_out(people: dict[str, Person], board: MessageView, rng: random.Random, most: int = 400) -> int:
    """Play a match to its end, whoever is offered something moving; the number of moves."""
    hands = {name: await hand_of(person, board) for name, person in people.items()}
    for made in range(most):
        if "My cards" not in board.labels:
            return made
        for name, person in rng.sample(list(people.items()), len(people)):
            hand = hands[name]
            listed = not all(select.disabled for select in hand.selects)
            if hand.deleted or not (acts(hand) or picks(hand) or turns(hand) or listed):
                if "My cards" not in board.labels:  # painted over meanwhile
                    return made
                hand = hands[name] = await hand_of(person, board)
            if await move(person, hand, rng) is not None:
                break
        else:
            return made
    raise AssertionError(f"the match is not over after {most} moves")


async def sit_down(people: list[Person], channel: DrivenChannel, game: str, **options: object) -> MessageView:
    """The first opens a table, the others join, the first starts; the board."""
    host, *others = people
    table = (await host.slash(channel, f"{game} open", **options)).message
    for person in others:
        joined = await person.press(table, label="Join")
        assert joined.kind == "update"
    started = await host.press(table, label="Start")
    assert not started.failed
    return started.message


async def asked_first(people: list[Person], board: MessageView) -> tuple[Person, MessageView, Person, MessageView]:
    """Who attacks first with their hand, then the other with theirs."""
    hands = [await hand_of(person, board) for person in people]
    first = 0 if picks(hands[0]) else 1
    return people[first], hands[first], people[1 - first], hands[1 - first]


async def ready_to_attack(people: list[Person], board: MessageView) -> tuple[Person, MessageView, Person, MessageView]:
    """The attacker with a card picked, and the other."""
    attacker, hand, other, waiting = await asked_first(people, board)
    await attacker.press(hand, custom_id=picks(hand)[0].custom_id)
    return attacker, hand, other, waiting
