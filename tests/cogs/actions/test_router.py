"""What every kind of id does when it is pressed, and how what cannot be is refused."""

from __future__ import annotations

import asyncio
import random

import pytest

from bot.play.live_match import LiveMatch
from bot.store.errors import NotSaved
from bot.store.queries.matches import Suspension
from bot.ui.screen import Press
from cogs.interactions.arrivals import SECOND
from cogs.screens import custom_ids
from cogs.screens.card_text import PICKED
from cogs.screens.renderer import sheet
from cogs.updates.edit_queue import SPACING
from engines.game import Pick
from laws.play import random_picks
from tests.bot.play.parts import ANN, BOB, CAT, CHANNEL, GUILD, MESSAGE, on_turn
from tests.cogs.actions.offline_bot import OfflineBot, say
from tests.cogs.fake_interaction import FakeInteraction, Seen, http_error
from tests.failing_rules import raising
from tests.wrapped_text import unwrapped

ELSEWHERE_GUILD = GUILD + 1


def picked(match: LiveMatch) -> str:
    """The argument of an act that the seat on turn may make with cards of its hand."""
    rng = random.Random(1)
    for offer in match.choices(on_turn(match)):
        if isinstance(offer, Pick) and (picks := random_picks(offer, rng)) is not None:
            return custom_ids.write_selection(offer.verb, picks, ordered=offer.ordered)
    raise AssertionError("nothing can be picked")


def told(press: FakeInteraction) -> str:
    """The one answer."""
    (text,) = press.texts
    return text


def said(press: FakeInteraction) -> str:
    """The one answer, its sentences whole."""
    return unwrapped(told(press))


# ---------------------------------------------------------------------------------------------- ids


UNKNOWN = (
    *("", "g0:abc:0:cards", "g1:haymaker:0:page:x", "g1:haymaker:0:page:", "g1:haymaker:0:ranks:-1"),
    *("g1:nosuchgame:0:ranks:0", "g1:haymaker:0:standings", "g1:haymaker:0:standings:nosuchgame"),
    *("g1:nosuchgame:0:ownrank", "g1:haymaker:0:board", "g1:haymaker:0:board:t.nosuchgame"),
    *("g1:haymaker:0:board:t.haymaker.p.x", "g1:haymaker:0:boardhide", "g1:haymaker:0:boardhide:t.haymaker"),
    *("g1:boards:0:boardhide:t.nosuchgame.1", "g1:notify:0:notify", "g1:notify:0:notify:loud"),
)
"""Ids that no version wrote, or only an earlier one; `test_custom_ids` has those of no form."""
ON_A_HAND = ("cards", "resign", "leave", "stay", "calloff", "p", "c", "o", "a", "d")


async def test_an_id_that_this_version_did_not_write_is_refused(bot: OfflineBot) -> None:
    for custom_id in UNKNOWN:
        assert told(await bot.press(custom_id)) == say("press.unknown"), custom_id
        await asyncio.sleep(SECOND)  # so that nobody presses too fast
    nothing = bot.interaction("")
    del nothing.data["custom_id"]
    assert told(await bot.send(nothing)) == say("press.unknown")


async def test_a_line_that_stands_in_no_list_or_names_no_act_is_refused(bot: OfflineBot) -> None:
    match = await bot.opened()
    values: dict[str, list[list[object] | None]] = {
        "p": [[""], ["a b"], [7], [None], ["a" * 71]],
        "acts": [["nosuchverb"], ["acts"], ["acts.rules"], [".rules"], None],
    }
    for verb, value in [(verb, each) for verb, several in values.items() for each in several]:
        assert told(await bot.press_on(match, verb, values=value)) == say("press.unknown"), (verb, value)
        await asyncio.sleep(SECOND)


async def test_a_line_of_a_list_of_acts_is_the_press_of_its_own_button(bot: OfflineBot) -> None:
    match = await bot.opened()
    listed = await bot.press_on(match, "acts", values=["rules"])
    assert told(listed) == told(await bot.press_on(match, "rules"))
    second = await bot.press_on(match, "acts", values=["page.0"])
    assert told(second) == told(await bot.press_on(match, "page", arg="0"))
    assert told(listed) != told(second)


async def test_a_match_that_is_not_there_or_of_another_server_is_unknown(bot: OfflineBot) -> None:
    match = await bot.opened(clock="daily")
    for verb in (*ON_A_HAND, "piles"):
        assert told(await bot.press(f"g1:abcdefghij:1:{verb}:x")) == say("match.unknown"), verb
        foreign = await bot.press_on(match, verb, arg="x", guild_id=ELSEWHERE_GUILD)
        assert told(foreign) == say("match.unknown"), verb
        await asyncio.sleep(SECOND)
    assert (match.position.acts, match.over) == (0, False)


async def test_who_does_not_play_may_not_press_on_a_hand(bot: OfflineBot) -> None:
    match = await bot.opened(clock="daily")
    for verb in ON_A_HAND:
        assert told(await bot.press_on(match, verb, CAT, "x")) == say("match.not_seated"), verb
        await asyncio.sleep(SECOND)
    assert (match.position.acts, match.over) == (0, False)


async def test_an_invitation_that_is_not_there_is_unknown_or_closed(bot: OfflineBot) -> None:
    for verb in ("accept", "join", "decline", "cancel", "getup", "start", "kick", "ask"):
        press = await bot.press(f"g1:abcdefghij:0:{verb}:1")
        assert told(press) in {say("challenge.unknown"), say("challenge.closed")}, verb
        await asyncio.sleep(SECOND)


# ---------------------------------------------------------------------------------------------- reading


async def test_why_a_rating_changed_is_told_to_its_player_once_a_match_counted(bot: OfflineBot) -> None:
    match = await bot.opened()
    assert told(await bot.press_on(match, "rating")) == say("match.not_over")
    ended = await bot.ended()
    assert told(await bot.press_on(ended, "rating", CAT)) == say("rating.not_seated")
    assert told(await bot.press_on(ended, "rating")) == say("rating.none")
    for target in ("abcdefghij", ""):
        assert told(await bot.press(f"g1:{target}:0:rating")) in {say("match.unknown"), say("press.unknown")}
    foreign = await bot.press_on(ended, "rating", guild_id=ELSEWHERE_GUILD)
    assert told(foreign) == say("match.unknown")


async def test_rules_of_a_match_and_of_an_invitation_are_read_where_they_are(bot: OfflineBot) -> None:
    match = await bot.opened()
    invitation = await bot.invited(ANN, CAT)
    for target in (match.id, invitation.id):
        assert "Haymaker" in told(await bot.press(f"g1:{target}:0:rules", CAT))
        elsewhere = await bot.press(f"g1:{target}:0:rules", CAT, guild_id=ELSEWHERE_GUILD)
        assert told(elsewhere) == say("match.unknown")


# ---------------------------------------------------------------------------------------------- a hand


async def test_a_public_message_of_a_match_that_is_not_its_board_is_deleted_when_it_is_pressed(bot: OfflineBot) -> None:
    """F-44."""
    match = await bot.opened()
    bot.app.updates.match_changed(match)
    await asyncio.sleep(SPACING)
    board = match.board_id
    assert board not in (None, MESSAGE)
    orphan = await bot.messages.post(GUILD, CHANNEL, sheet(bot.app.public_screens.board(match), match.id))
    pressed = bot.interaction(custom_ids.write(match.id, Press("cards", 0, "")), bot.asked(match))
    pressed.message.id = orphan.message_id
    await bot.send(pressed)
    await asyncio.sleep(2 * SPACING)
    assert pressed.texts[0].startswith(f"### {say('hand.title', game='Haymaker')}")
    assert [each.posted.message_id for each in bot.messages.there(CHANNEL)] == [board]


async def test_a_hand_is_private_and_takes_the_place_of_the_one_that_was_pressed(bot: OfflineBot) -> None:
    match = await bot.opened()
    opened = await bot.press_on(match, "cards", bot.asked(match))
    (hand,) = opened.answers
    assert hand.private
    text = hand.text
    assert text.startswith(f"### {say('hand.title', game='Haymaker')}")
    own = Seen("hand", private=True)
    again = await bot.press_on(match, "cards", bot.asked(match), source=own)
    assert (again.did, again.answers) == (["edit"], [])
    assert own.text == text


async def test_a_card_is_picked_and_the_pick_shown_without_an_act(bot: OfflineBot) -> None:
    match = await bot.opened()
    own = Seen("hand", private=True)
    await bot.press_on(match, "p", bot.asked(match), picked(match), source=own)
    assert PICKED in own.text
    assert match.position.acts == 0


async def test_an_act_is_made_answered_with_the_hand_and_then_shown_on_the_board(bot: OfflineBot) -> None:
    match = await bot.opened()
    user, own = bot.asked(match), Seen("hand", private=True)
    press = await bot.press_on(match, "a", user, picked(match), source=own)
    assert press.did == ["edit"]
    assert match.position.acts == 1
    (record,) = [each for each in await bot.store.records(match.id) if each.interaction_id is not None]
    assert record.interaction_id == press.id
    await asyncio.sleep(0.5)
    assert [doing for doing, _ in bot.messages.requests] == ["post"], "the board that was pressed is not there"


async def test_an_act_for_a_question_that_is_answered_is_refused_and_the_hand_shown(bot: OfflineBot) -> None:
    match = await bot.opened()
    user, argument, window = bot.asked(match), picked(match), match.window_number
    await bot.press_on(match, "a", user, argument)
    acts = match.position.acts
    stale = await bot.press_on(match, "a", user, argument, window=window)
    assert match.position.acts == acts
    assert "Haymaker" in told(stale)


async def test_an_act_out_of_turn_is_refused_and_the_hand_shown(bot: OfflineBot) -> None:
    match = await bot.opened()
    other = next(user for user in match.seats if user != bot.asked(match))
    press = await bot.press_on(match, "a", other, picked(match))
    assert say("refusal.not_your_turn") in told(press)
    assert match.position.acts == 0


async def test_cards_that_nobody_holds_make_no_act(bot: OfflineBot) -> None:
    match = await bot.opened(clock="daily")
    for argument in ("nosuchoffer.1", "attack.", "attack.zz", "attack.fffffffffffff", "attack"):
        press = await bot.press_on(match, "a", bot.asked(match), argument)
        assert (len(press.texts), match.position.acts) == (1, 0), argument
        await asyncio.sleep(SECOND)


async def test_an_act_that_cannot_be_saved_is_not_made_and_its_pick_is_kept(
    bot: OfflineBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = await bot.opened()

    user, own = bot.asked(match), Seen("hand", private=True)
    with monkeypatch.context() as patched:
        patched.setattr(bot.store, "append", raising(NotSaved("the disk is full")))
        await bot.press_on(match, "a", user, picked(match), source=own)
    assert say("store.unsaved") in unwrapped(own.text)
    assert PICKED in own.text
    assert match.position.acts == 0
    await bot.press_on(match, "a", user, picked(match), source=own)
    assert match.position.acts == 1


async def test_an_act_whose_answer_is_refused_stands_and_the_board_shows_it(bot: OfflineBot) -> None:
    match = await bot.opened()
    press = bot.interaction(
        custom_ids.write(match.id, Press("a", match.window_number, picked(match))), bot.asked(match)
    )
    press.fail("send", http_error(404, 10062))
    await bot.send(press)
    assert (press.texts, match.position.acts) == ([], 1)
    assert [doing for doing, _ in bot.messages.requests] == ["post"]


# ---------------------------------------------------------------------------------------------- leaving


async def test_in_a_suspended_match_nothing_can_be_done(bot: OfflineBot) -> None:
    match = await bot.opened()
    await bot.lifecycle.suspend(match, Suspension.CHANNEL_GONE, CHANNEL)
    argument = "attack.1"
    for verb in ("cards", "a", "calloff"):
        press = await bot.press_on(match, verb, ANN, argument if verb == "a" else "")
        assert say("suspended.channel_gone") in told(press)
    assert (match.position.acts, match.over) == (0, False)


# ---------------------------------------------------------------------------------------------- invitations


async def test_a_challenge_is_accepted_by_who_was_asked_and_once(bot: OfflineBot) -> None:
    invitation = await bot.invited()
    assert told(await bot.press(f"g1:{invitation.id}:0:accept", ANN)) == say("challenge.own_accept")
    assert told(await bot.press(f"g1:{invitation.id}:0:accept", CAT)) == say("challenge.not_yours")
    await bot.press(f"g1:{invitation.id}:0:accept", BOB)
    await bot.press(f"g1:{invitation.id}:0:accept", BOB)
    assert len(bot.registry) == 1
