"""CIQ end to end: people who press only what they see, hands of any size, the block's own clock, piles on request."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from bot.play.clocks.deadlines import GRACE
from bot.store.queries.matches import Record
from bot.ui.catalogue import translations
from discord_sandbox import MessageView, Person, Sandbox
from engines.cards import Suit
from engines.ciq import Card, CardsDrawn, Place, State
from engines.game import Outcome
from tests.end_to_end.cardroom import Cardroom
from tests.end_to_end.players import (
    acts,
    begin,
    card_of,
    challenge,
    chooser,
    hand_of,
    is_picked,
    pick,
    picks,
    resign,
    sit_down,
    turns,
)
from tests.wrapped_text import unwrapped

say = translations("en")

SUITS = {"C": Suit.CLUBS, "D": Suit.DIAMONDS, "H": Suit.HEARTS, "S": Suit.SPADES}


def cards(suit: str, ranks: Sequence[int], copies: int = 1) -> tuple[Card, ...]:
    """So many copies of some cards of a suit."""
    return tuple(Card(rank, SUITS[suit], copy) for rank in ranks for copy in range(copies))


def lay(room: Cardroom, *places: Place, turn: int = 0) -> None:
    """Lay the table of the one match out by hand, as if its deal had led to it. No move has been made yet."""
    (match,) = room.app.matches.live()
    old: State = match.position.state
    state = replace(old, turn=turn, first=0, window=old.window + 1, places=places)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(match.game, "start", lambda *_: state)
        match.replay([Record(match.id, 0, None, None, None, "[]", room.now())], ())
    room.app.clock.follow(match)


def plain(hand: tuple[Card, ...] = ()) -> Place:
    """A player with this hand (or five low hearts), some clubs to draw, and an 8 of clubs for a Defense."""
    hand = hand or cards("H", range(2, 7))
    return Place(attack=cards("C", range(2, 7), 8), defense=cards("C", (8,))).with_hand(hand)


async def test_a_sequence_is_picked_in_its_order_blocked_or_let_through_and_what_is_hidden_stays_so(
    sandbox: Sandbox, room: Cardroom
) -> None:
    # A sequence is picked in its order and says what it moves.
    alice, bob, lobby = sandbox.user("Alice"), sandbox.user("Bob"), sandbox.channel("lobby")
    board = await challenge(alice, bob, lobby, "ciq")
    hand_cards = (*cards("S", (2, 6)), *cards("H", (6, 10)), *cards("D", (12,)))
    lay(room, plain(hand_cards), plain(cards("D", (2, 3, 4, 5, 11))))
    hand = await hand_of(alice, board)
    attack = say("ciq.act.damage_alone")
    assert {option.label for option in chooser(hand, "o").options} >= {attack, say("ciq.act.defend")}
    await begin(alice, hand, "damage1")
    for card in ("2♠", "6♠", "6♥", "10♥"):
        await pick(alice, hand, card)
    assert [button.label for button in picks(hand)] == ["●3 6♥", "●4 10♥", "●1 2♠", "●2 6♠"]
    assert say.count("ciq.worth.damage", 24) in unwrapped(hand.text)
    explained = await alice.press(hand, label=say("hand.explain"))
    assert say("ciq.refusal.attack_card_not_last", card="10♥") in unwrapped(explained.text)
    other = await hand_of(bob, board)
    await alice.press(hand, label=attack)
    assert (
        say(
            "ciq.asked.block",
            attacker="Alice",
            cards="`2♠` `6♠` `6♥` `10♥`",
            moves=say.count("ciq.foretold.moves", 24, blocked=14),
            needed="10",
        )
        in (await hand_of(bob, board)).text
    )
    other = await hand_of(bob, board)
    assert [card_of(button.label) for button in picks(other)] == ["J♦"]
    await pick(bob, other, "J♦")
    await bob.press(other, label=say("ciq.act.block"))
    (match,) = room.app.matches.live()
    assert len(match.position.state.places[1].damage) == 4 + 14
    await sandbox.wait_for(lambda: say("ciq.question.turn", player="Bob") in board.text)

    # A block has a clock of its own and then the attack gets through.
    await room.clear()
    board = await challenge(alice, bob, lobby, "ciq", block_seconds=20)
    lay(room, plain(cards("S", (2, 6))), plain())
    hand = await hand_of(alice, board)
    attack = say("ciq.act.damage_alone")
    await begin(alice, hand, "damage1")
    await pick(alice, hand, "6♠")
    await alice.press(hand, label=attack)
    room.pass_time(19 + GRACE / 1000)
    (match,) = room.app.matches.live()
    assert match.awaited == {1}
    room.pass_time(2)
    await sandbox.wait_for(lambda: say("ciq.told.let_through", player="Bob") in board.text)
    assert match.result is None
    assert match.awaited == {1}, "it is Bob's turn now"

    # The open piles are shown to whoever asks.
    await room.clear()
    carol = sandbox.user("Carol")
    board = await challenge(alice, bob, lobby, "ciq")
    damaged = replace(plain(), damage=cards("S", (9, 10, 11)))
    lay(room, plain(), damaged)
    shown = await carol.press(board, label=say("button.piles"))
    assert shown.visibility == "ephemeral"
    assert say("ciq.pile.damage", player="Bob", n=3) + " `9♠` `10♠` `J♠`" in shown.text
    assert say("ciq.pile.defense", player="Alice", n=1) + " `8♣`" in shown.text
    assert "♥" not in shown.text, "hands stay hidden"
    assert shown.message.buttons == []

    # Only the drawer sees what was drawn.
    await room.clear()
    board = await challenge(alice, bob, lobby, "ciq")
    (match,) = room.app.matches.live()
    first, second = (alice, bob) if match.awaited == {0} else (bob, alice)
    hand = await hand_of(first, board)
    await first.press(hand, label=say("ciq.act.draw"))
    told = say("ciq.told.drew_unseen", player=first.name)
    await sandbox.wait_for(lambda: told in board.text)
    other = await hand_of(second, board)
    assert told in other.text
    (drawn,) = [event.cards for event in await match.read_events() if isinstance(event, CardsDrawn) and event.chosen]
    mine = say("ciq.told.drew", cards=f"`{drawn[0].name}`")
    assert mine in hand.text
    assert mine not in other.text + board.text


async def test_hands_of_many_cards_are_lists_and_every_pick_is_kept(sandbox: Sandbox, room: Cardroom) -> None:
    # A hand of forty cards is lists by suit with reasons.
    alice, bob, lobby = sandbox.user("Alice"), sandbox.user("Bob"), sandbox.channel("lobby")
    board = await challenge(alice, bob, lobby, "ciq")
    held = (*cards("S", range(2, 15), 2), *cards("H", range(2, 15)), Card(0, None, 0))
    assert len(held) == 40
    lay(room, plain(held), plain())
    hand = await hand_of(alice, board)
    attack = say("ciq.act.damage_alone")
    await begin(alice, hand, "damage1")
    _, *lists = hand.selects
    assert [select.placeholder for select in lists] == ["♥", "♠", "🃏"]
    assert [len(select.options) for select in lists] == [13, 13, 1]
    assert "2♠ ×2" in [option.label for option in lists[1].options]
    await choose(alice, hand, "2♠")
    await choose(alice, hand, "2♠")
    await choose(alice, hand, "5♠")
    assert say.count("ciq.worth.damage", 9) in unwrapped(hand.text)
    lines = {option.label: option for select in hand.selects for option in select.options}
    assert lines["4♥"].description == say("ciq.refusal.not_linked", card="5♠")
    assert not lines["● ● 2♠ ×2"].description
    await choose(alice, hand, "4♥")
    assert say("ciq.refusal.not_linked", card="5♠") in unwrapped(hand.text)
    kept = [option.label for select in hand.selects for option in select.options]
    assert "● ● 2♠ ×2" in kept, "what was picked stands"
    await alice.press(hand, label=say("hand.undo"))
    assert say.count("ciq.worth.damage", 4) in unwrapped(hand.text)
    await alice.press(hand, label=attack)
    (match,) = room.app.matches.live()
    assert len(match.position.state.places[0].hand) == 38

    # A sequence too long for an id is kept.
    await room.clear()
    board = await challenge(alice, bob, lobby, "ciq")
    held = cards("S", range(2, 9), 12)
    lay(room, plain(held), plain())
    hand = await hand_of(alice, board)
    weaken = say("ciq.act.defense_alone")
    await begin(alice, hand, "defense1")
    for rank in range(2, 9):
        for _ in range(10):
            await choose(alice, hand, f"{rank}♠")
    (match,) = room.app.matches.live()
    saved = await room.store.selection(match.id, 0, match.window_number)
    assert saved is not None
    assert len(saved) > 70
    undo = hand.button(say("hand.undo")).custom_id
    newer = await hand_of(alice, board)
    await begin(alice, newer, "defense1")
    await choose(alice, newer, "2♠")
    await alice.press(hand, custom_id=undo, force=True)  # it may be closed by now, since a newer one is open
    await choose(alice, hand, "2♠")
    assert say("ciq.worth.defense", top="2♠") in unwrapped(hand.text)
    (ranks,) = [select for select in hand.selects if select.placeholder == "♠"]
    assert all(option.label.count("● ") == 10 for option in ranks.options if option.label[-4:-3] in "2345678")
    await alice.press(hand, label=weaken)
    assert len(match.position.state.places[0].hand) == len(held) - 70
    assert len(match.position.state.places[1].defense) == 71
    assert await room.store.selection(match.id, 0, match.window_number) is None

    # Nine cards are given by two presses and a press too many makes no move.
    await room.clear()
    board = await challenge(alice, bob, lobby, "ciq")
    held = (*cards("S", (3, 9)), *cards("H", range(2, 13)), Card(0, None))
    lay(room, Place(attack=cards("C", (2, 3, 4)), defense=cards("C", (8,))).with_hand(held), plain())
    (match,) = room.app.matches.live()
    hand = await hand_of(alice, board)
    await begin(alice, hand, "damage1")
    for card in ("3♠", "9♠"):
        await pick(alice, hand, card)
    await alice.press(hand, label=say("ciq.act.damage_alone"))
    await bob.press(await hand_of(bob, board), label=say("ciq.act.allow"))
    hand = await hand_of(alice, board)
    given, lowest = match.position.acts, say("ciq.act.lowest", n=9)
    await alice.press(hand, label=lowest)
    assert sorted(card_of(button.label) for button in hand.buttons if is_picked(button.label)) == sorted(
        f"{rank}♥" for rank in range(2, 11)
    )
    again = await alice.press(hand, label=lowest, force=True)
    assert match.position.acts == given
    assert not again.failed
    await alice.press(hand, label=say("ciq.act.give"))
    assert match.position.acts == given + 1
    assert {card.name for card in match.position.state.places[0].hand} == {"J♥", "Q♥", "🃏"}


async def choose(person: Person, hand: MessageView, card: str) -> None:
    """Choose the line of a card from whichever list has it."""
    for select in hand.selects:
        for option in select.options:
            if option.label.replace("● ", "").partition(" ")[0] == card:
                reply = await person.select(hand, custom_id=select.custom_id, values=[option.value])
                assert not reply.failed
                return
    raise AssertionError(f"no line for {card}")


async def test_who_leaves_a_table_of_three_is_out_and_the_others_play_on(sandbox: Sandbox, room: Cardroom) -> None:
    people = [sandbox.user(name) for name in ("Alice", "Bob", "Carol")]
    lobby = sandbox.channel("lobby")
    board = await sit_down(people, lobby, "ciq")
    (match,) = room.app.matches.live()
    alice, bob, _ = people
    await resign(bob, board)
    assert match.result is None
    mine = await hand_of(bob, board)
    assert say("ciq.asked.out") in mine.text
    assert acts(mine) == picks(mine) == turns(mine) == []
    await resign(alice, board)
    assert match.result is not None
    assert match.position.outcome == Outcome("resignation", (2, 3, 1))
    await sandbox.wait_for(lambda: f"**{say('ending.won', winner='Carol')}**\n{say('ending.last_left')}" in board.text)
