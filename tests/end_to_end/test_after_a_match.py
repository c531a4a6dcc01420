"""A match is played to its end, and everybody looks at it again: its result, its table, its deal, what decided it, its
story, and the same cards once more."""

from __future__ import annotations

import asyncio
import random
import re
from dataclasses import dataclass

import pytest

from bot.play.live_match import LiveMatch
from bot.store.special_ids import computer_id, is_computer
from bot.ui.catalogue import translations
from bot.ui.screen import Picture, Press
from cogs.reviews.story import LONGEST
from cogs.screens import custom_ids
from cogs.screens.tables import with_pictures
from discord_sandbox import DrivenChannel, MessageView, Person, Reply, Sandbox
from engines import GAMES
from engines.chance import SeededChance
from engines.deals import NO_SALT, Deal, commitment_of, short_seal
from engines.players.review import Review, ReviewRequest
from tests import quick_reviewer
from tests.end_to_end.cardroom import Cardroom, eventually
from tests.end_to_end.deals import fixed_deals
from tests.end_to_end.pictures import galleries, picture_of
from tests.end_to_end.players import OVER, challenge, hand_of, play_out, press_where_it_is
from tests.end_to_end.practising import only_match
from tests.quick_reviewer import QuickReviewer

say = translations("en")
MORE, REVIEW, SHARE, POST = (say(key) for key in ("button.more", "button.review", "story.share", "story.post"))
FIRST = say("button.differently", place=1)


@dataclass
class Played:
    """A match of Haymaker between Alice and Bob, at which Carol looks on."""

    sandbox: Sandbox
    room: Cardroom
    lobby: DrivenChannel
    alice: Person
    bob: Person
    carol: Person
    board: MessageView
    match: LiveMatch

    async def forge(self, person: Person, verb: str, arg: str = "") -> Reply:
        """A press on the board of a button that nobody was shown."""
        data = {"custom_id": custom_ids.write(self.match.id, Press(verb, arg=arg)), "component_type": 2}
        return await person.forge(self.lobby, "component", data, self.board)


async def test_a_match_is_played_to_its_end_and_everybody_looks_at_it_again(
    sandbox: Sandbox, room: Cardroom, monkeypatch: pytest.MonkeyPatch
) -> None:
    fixed_deals(monkeypatch, 5)  # somebody wins, and one of the moves costs much
    monkeypatch.setattr(quick_reviewer, "SHARE", 1)
    alice, bob, carol, lobby = *map(sandbox.user, ("Alice", "Bob", "Carol")), sandbox.channel("lobby")
    board = await challenge(alice, bob, lobby)
    (match,) = room.app.matches.live()
    played = Played(sandbox, room, lobby, alice, bob, carol, board, match)
    opened = [await hand_of(person, board) for person in (alice, bob)]
    dealt = [" ".join((hand.text, *hand.labels)) for hand in opened]
    await _nothing_of_it_before(played)
    assert await play_out({"Alice": alice, "Bob": bob}, board, random.Random(3)) >= 4
    await sandbox.wait_for(lambda: board.labels == OVER)
    await _its_result_counts(played)
    _its_table_has_all_hands_open(played)
    await _its_seed_deals_the_same_cards(played, dealt)
    await _what_decided_it(played, monkeypatch)
    await _its_story(played)
    await _the_same_deal_with_seats_exchanged(played)
    await _an_onlooker_tries_it_differently(played)


async def _nothing_of_it_before(played: Played) -> None:
    assert REVIEW not in played.board.labels
    for verb, arg in (("review", ""), ("exchanged", ""), ("differently", "1")):
        early = await played.forge(played.carol, verb, arg)
        assert (early.visibility, early.text) == ("ephemeral", say("match.not_over")), verb


async def _its_result_counts(played: Played) -> None:
    board, result = played.board, played.match.result
    assert result is not None
    assert short_seal(bytes.fromhex(played.match.commitment)) not in board.text
    ladder = (await played.alice.slash(played.lobby, "leaderboard")).text
    for name in ("Alice", "Bob"):
        ((rating, change),) = re.findall(rf"\*\*{name}\*\* · rating (\d+) \(([+−±]\d+)\)", board.text)
        assert f"**{name}** · new" in ladder
        assert int(rating) == 1000 + int(change.replace("−", "-").removeprefix("±"))
    wins, losses = [int(rank < other) for rank, other in (result.ranks, result.ranks[::-1])]
    score = {"first": "Alice", "wins": wins, "losses": losses, "second": "Bob"}
    assert say("head_to_head.score", **score) in board.text.splitlines()
    assert say("ladder.own", rank=1 + losses, of=2) in ladder
    assert not list(played.room.app.matches.live())
    await played.sandbox.wait_for(lambda: len(played.room.app.updates.open_hands) == 0)


def _its_table_has_all_hands_open(played: Played) -> None:
    sections = with_pictures(played.room.app.public_screens.board(played.match)).sections
    (expected,) = [section for section in sections if isinstance(section, Picture)]
    assert picture_of(played.sandbox, played.board) == expected.png
    (item,) = galleries(played.board)
    assert item["description"] == expected.description
    lines = item["description"].splitlines()
    for seat, name in enumerate(("Alice", "Bob")):
        (line,) = [line for line in lines if f"{name}, " in line and "in hand" in line]
        assert " ".join(card.name for card in played.match.private(seat).own.hand) in line
    assert sum("winner" in line for line in lines) == 1


async def _its_seed_deals_the_same_cards(played: Played, hands: list[str]) -> None:
    proof = (await press_where_it_is(played.bob, played.board, "Proof")).text
    shown = re.search(r"Seed: `(\w+)`\n[^§]*Seal: `(\w+)`[^§]*\nDeal: `(\w+)`[^§]*Options: `([^`]+)`", proof)
    assert shown is not None
    seed, seal, deal_id, sealed = bytes.fromhex(shown[1]), bytes.fromhex(shown[2]), shown[3], shown[4]
    game = GAMES["haymaker"]
    assert commitment_of(seed, "haymaker", game.info.rules_version, deal_id, sealed, terms="off 120") == seal
    table = Deal("haymaker", game.info.rules_version, deal_id, (NO_SALT, NO_SALT))
    options = game.info.options()
    chance = SeededChance(seed, table, 0, game.pack(options, 2).pack_id)
    dealt = game.deal(game.start(options, 2), chance)
    cards = {event.seat: event.cards for event in dealt if type(event).__name__ == "HandDealt"}
    for seat, hand in enumerate(hands):
        assert all(card.name in hand for card in cards[seat])


async def _what_decided_it(played: Played, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is worked out once, whoever asks."""
    worked_out, review = [], QuickReviewer.review

    async def counted(self: QuickReviewer, request: ReviewRequest) -> Review:
        worked_out.append(request)
        await asyncio.sleep(0.2)
        return await review(self, request)

    monkeypatch.setattr(QuickReviewer, "review", counted)
    more = (await played.carol.press(played.board, label=MORE)).message
    assert SHARE not in more.labels
    first, _ = await asyncio.gather(played.carol.press(more, label=REVIEW), played.forge(played.bob, "review"))
    assert len(worked_out) == 1
    assert first.visibility == "ephemeral"
    assert say("review.title", game="Haymaker") in first.text
    assert say("review.chance") in first.text
    again = await press_where_it_is(played.bob, played.board, REVIEW)
    assert again.text == first.text


async def _its_story(played: Played) -> None:
    """A player reads it in private, and then posts it."""
    board, bob = played.board, played.bob
    for verb in ("story", "storypost"):
        forged = await played.forge(played.carol, verb)
        assert (forged.visibility, forged.text) == ("ephemeral", say("story.not_yours"))
    own = await press_where_it_is(bob, board, SHARE)
    assert own.visibility == "ephemeral"
    assert " wins." in own.text
    assert own.message.labels == [POST]
    posted = await bob.press(own.message, label=POST)
    assert posted.visibility == "public"
    assert posted.message.labels == []
    assert posted.text == own.text
    assert len(posted.text) < LONGEST + len(say("story.title", game="Haymaker")) + 150  # the players and the footer
    (picture,) = galleries(posted.message)
    assert "winner" in picture["description"]
    assert not any(name in picture["description"] for name in ("Alice", "Bob"))
    for player in (played.alice, bob):
        again = await player.press((await press_where_it_is(player, board, SHARE)).message, label=POST)
        assert (again.visibility, again.text[:24]) == ("ephemeral", say("post.again", when="")[:24])


async def _the_same_deal_with_seats_exchanged(played: Played) -> None:
    await played.forge(played.alice, "exchanged")
    again = await only_match(played.room)
    assert again.origin is not None
    assert again.origin.match_id == played.match.id
    seat = played.match.seats.index(played.bob.id)
    assert again.seats[seat] == played.alice.id
    assert is_computer(again.seats[1 - seat])
    dealt = played.match.earlier(again.origin.facts, seat)[1]
    assert (await again.read_events())[: again.origin.facts] == played.match.events[: again.origin.facts]
    assert len(again.private(seat).own.hand) >= len(dealt.own.hand) - 1  # the computer may have moved first
    await played.room.clear()


async def _an_onlooker_tries_it_differently(played: Played) -> None:
    """Several presses make one match."""
    carol, bob = played.carol, played.bob
    review = (await press_where_it_is(carol, played.board, REVIEW)).message
    button = review.button(FIRST)
    replies = await asyncio.gather(*[carol.press(review, custom_id=button.custom_id) for _ in range(3)])
    begun = await only_match(played.room)
    assert [is_computer(user) for user in begun.seats].count(True) == 1
    assert computer_id("normal") in begun.seats
    assert carol.id in begun.seats
    assert all(each.visibility == "ephemeral" for each in replies)
    late = await played.forge(carol, "differently", custom_ids.read(button.custom_id)[1].arg)
    assert say("hand.title", game="Haymaker") in late.text
    await bob.press((await press_where_it_is(bob, played.board, REVIEW)).message, label=FIRST)
    await eventually(lambda: _counts(played.room, 2))


async def _counts(room: Cardroom, matches: int) -> bool:
    return len(room.app.matches) == matches
