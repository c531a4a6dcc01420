"""What a person prefers: chosen in servers and direct messages, shown at once, kept, and forgotten with their data."""

from __future__ import annotations

import random
import re
from collections import Counter

import pytest

from bot.ui.catalogue import translations
from bot.ui.preferences import CardStyle
from discord_sandbox import MessageView, Person, Sandbox
from engines import GAMES
from tests.end_to_end.cardroom import Cardroom
from tests.end_to_end.pictures import galleries
from tests.end_to_end.players import challenge, hand_of, play_out, press_where_it_is, sit_down
from tests.end_to_end.racers import DRAW
from tests.end_to_end.test_tivmiv import started
from tests.games.cases import case_of, is_race, typed, with_pictures

say = translations("en")
SIGNS = re.compile("[♠♥♦♣]")
IN_WORDS = re.compile(r"\b(ace|\d+|jack|queen|king) of (clubs|diamonds|hearts|spades)\b")
BUTTON = "g1:preferences:0:cardstyle:{}"


def reads(hand: MessageView) -> set[str]:
    """In which styles a hand's texts, buttons and lists have cards."""
    shown = "\n".join((hand.text, *hand.labels, *(option.label for each in hand.selects for option in each.options)))
    return {name for name, found in (("signs", SIGNS), ("words", IN_WORDS)) if found.search(shown)}


async def choose(person: Person, screen: MessageView, style: CardStyle) -> None:
    reply = await person.press(screen, custom_id=BUTTON.format(style.value))
    assert (reply.kind, say(f"preferences.present.{style.value}") in screen.text) == ("update", True)


async def until_read(sandbox: Sandbox, hand: MessageView, styles: set[str]) -> None:
    """Return once a hand has cards in these styles."""
    await sandbox.wait_for(lambda: reads(hand) == styles)


async def dealt(sandbox: Sandbox) -> tuple[Person, Person, MessageView]:
    """Two people with a match in the lobby."""
    alice, bob, lobby = sandbox.user("Alice"), sandbox.user("Bob"), sandbox.channel("lobby")
    return alice, bob, await challenge(alice, bob, lobby)


async def test_a_style_is_chosen_by_its_example_for_every_server_and_direct_messages(
    sandbox: Sandbox, room: Cardroom
) -> None:
    # A choice counts in every server and in direct messages.
    alice, elsewhere = sandbox.user("Alice"), sandbox.channel("general", server="Second Server")
    await alice.slash(alice.direct_messages, "preferences", cards="words")
    for channel in (sandbox.channel("lobby"), elsewhere, alice.direct_messages):
        assert say("preferences.present.words") in (await alice.slash(channel, "preferences")).text
    other = await sandbox.user("Bob").slash(elsewhere, "preferences")
    assert say("preferences.present.emojis") in other.text

    # Each style has an example and a button that stays where it was.
    for channel in (sandbox.channel("lobby"), alice.direct_messages):
        reply = await alice.slash(channel, "preferences")
        screen = reply.message
        assert reply.visibility == "ephemeral"
        assert "`7♠` `Q♥` `10♦`" in screen.text
        assert "7 of spades\nqueen of hearts\n10 of diamonds" in screen.text
        order = [(button.custom_id, button.label) for button in screen.buttons]
        height = len(screen.text.splitlines())
        for style in (*CardStyle, *CardStyle, CardStyle.EMOJIS):
            await choose(alice, screen, style)
            assert say("settings.saved") in screen.text
            assert [(button.custom_id, button.label) for button in screen.buttons] == order
            assert len(screen.text.splitlines()) == height


async def test_hands_and_tables_follow_the_chosen_style_until_it_is_forgotten(sandbox: Sandbox, room: Cardroom) -> None:
    # Open hands are shown in the chosen style at once and the board and others stay.
    alice, bob, board = await dealt(sandbox)
    hands = {person: await hand_of(person, board) for person in (alice, bob)}
    assert [reads(hand) for hand in hands.values()] == [{"signs"}, {"signs"}]
    before = board.text
    screen = (await alice.slash(sandbox.channel("lobby"), "preferences")).message
    for style, read in ((CardStyle.WORDS, {"words"}), (CardStyle.TEXT, {"signs"}), (CardStyle.WORDS, {"words"})):
        await choose(alice, screen, style)
        await until_read(sandbox, hands[alice], read)
    assert reads(hands[bob]) == {"signs"}
    assert board.text == before

    # The table is a picture for those who read emojis and in their own form for others.
    await room.clear()
    alice, _, board = await dealt(sandbox)
    (match,) = room.app.matches.live()
    held = match.private(match.seats.index(alice.id)).own.hand
    forms = room.app.card_forms
    for style, pictures in ((CardStyle.EMOJIS, 1), (CardStyle.TEXT, 0), (CardStyle.WORDS, 0), (CardStyle.EMOJIS, 1)):
        await alice.slash(sandbox.channel("lobby"), "preferences", cards=style.value)
        shown = (await press_where_it_is(alice, board, say("button.table"))).message
        assert forms.of("haymaker", style, say).row(held) in shown.text
        assert len(galleries(shown)) == len(shown.raw["attachments"]) == pictures

    # What is picked stays picked when the style changes.
    await room.clear()
    alice, bob, board = await dealt(sandbox)
    (match,) = room.app.matches.live()
    (seat,) = match.awaited
    attacker = next(person for person in (alice, bob) if person.id == match.seats[seat])
    hand = await hand_of(attacker, board)
    first = next(button for button in hand.buttons if button.label.startswith("○"))
    await attacker.press(hand, custom_id=first.custom_id)
    await attacker.slash(sandbox.channel("lobby"), "preferences", cards="words")
    await sandbox.wait_for(lambda: bool(hand.selects))
    (cards,) = hand.selects
    (picked,) = [option.label.removesuffix(", picked") for option in cards.options if ", picked" in option.label]
    assert say("hand.picked", cards=picked) in hand.text
    await attacker.press(hand, label=say("hand.clear"))
    assert say("hand.none_picked") in hand.text

    # Deleting ones data anywhere forgets it and open hands show that.
    await room.clear()
    alice, _, board = await dealt(sandbox)
    elsewhere = sandbox.channel("general", server="Second Server")
    hand = await hand_of(alice, board)
    await alice.slash(elsewhere, "preferences", cards="words")
    await sandbox.wait_for(lambda: reads(hand) == {"words"})
    asked = await alice.slash(elsewhere, "mydata delete")
    pressed = await alice.press(asked.message, label=say("button.delete"))
    await sandbox.wait_for(lambda: say("mydata.deleted") in pressed.message.text)
    await sandbox.wait_for(lambda: reads(hand) == {"signs"})
    assert await room.store.preferences([alice.id]) == {}
    assert say("preferences.present.emojis") in (await alice.slash(elsewhere, "preferences")).text


@pytest.mark.nightly(rare=True)  # the words of each game have tests of their own
@pytest.mark.parametrize("game", [key for key in GAMES if not is_race(key)])
async def test_a_whole_match_is_played_in_words(sandbox: Sandbox, room: Cardroom, game: str) -> None:
    setting, seats = case_of(game).setups[0]
    lobby, people = sandbox.channel("lobby"), sandbox.people[:seats]
    for person in people:
        await person.slash(lobby, "preferences", cards="words")
    board = await sit_down(people, lobby, game, **typed(case_of(game), setting))
    await play_out({person.name: person for person in people}, board, random.Random(5), most=900)
    assert not list(room.app.matches.live())
    if game in with_pictures():
        table = (await press_where_it_is(people[0], board, say("button.table"))).message  # no late board takes it away
        assert not SIGNS.search(table.text)


async def test_a_race_in_words_has_its_cards_in_a_list_that_stays_where_it_is(sandbox: Sandbox, room: Cardroom) -> None:
    alice, bob, lobby = sandbox.user("Alice"), sandbox.user("Bob"), sandbox.channel("lobby")
    await alice.slash(lobby, "preferences", cards="words")
    board = await challenge(alice, bob, lobby, "tivmiv")
    match = await started(room)
    hand = await hand_of(alice, board)
    seat = match.seats.index(alice.id)
    rows = [select.custom_id for select in hand.selects]
    labels, placed = [button.label for button in hand.buttons], 0
    for _ in range(30):
        (first, *_) = hand.selects
        held = match.private(seat).own.hand
        counted = Counter(f"{card.value} plus or minus {card.index}" for card in held)
        lines = [say("cards.in_hand", card=card, n=count) for card, count in counted.items()]
        assert sorted(option.label for option in first.options) == sorted(lines or [say("cards.none_held")])
        for option in [] if first.disabled else first.options:
            reply = await alice.select(hand, custom_id=first.custom_id, values=[option.value])
            assert reply.kind == "update"
            if len(match.private(seat).own.hand) < len(held):
                placed += 1
                break
        else:
            await alice.press(hand, label=DRAW)
        assert [select.custom_id for select in hand.selects] == rows
        assert [button.label for button in hand.buttons] == labels
    assert placed > 2
