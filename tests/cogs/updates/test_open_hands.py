"""Open hands: kept equal to the match while their token lives, each message of its owner alone."""

from __future__ import annotations

import asyncio
from typing import Any

import aiohttp
import pytest

from bot.gateway.requests import EDITS_PER_SECOND
from bot.play.live_match import LiveMatch
from bot.store.errors import NotSaved
from bot.store.queries.screens import HandRow
from bot.telemetry import NO_TELEMETRY
from bot.ui.preferences import CardStyle
from bot.ui.screen import Press, Screen
from cogs.interactions.responses import Interaction
from cogs.screens import custom_ids
from cogs.screens.hands.hand import hand_screen
from cogs.screens.presenter import Reader
from cogs.screens.renderer import sheet
from cogs.updates import open_hands
from cogs.updates.edit_queue import FIRST_RETRY_DELAY, SPACING, TRIES, EditQueue
from cogs.updates.open_hands import FIRST_RESPONSE_SECONDS, OpenHands
from cogs.updates.shown_records import HANDS_EVERY, SWEEP_AFTER, HandRecords
from cogs.updates.token_edits import TOKEN_SECONDS
from cogs.wording import Readers
from discord_sandbox.virtual_time import settle
from engines.game import Pick
from tests.bot.play.parts import an_act, on_turn, press_ids
from tests.bot.store.memory_store import MemoryStore
from tests.cogs.actions.offline_bot import OfflineBot, say
from tests.cogs.fake_interaction import FakeInteraction, Seen, http_error

NEWER = f"### {say('hand.title', game='Haymaker')}\n{say('hand.newer_open')}"


async def waiting_hand(bot: OfflineBot) -> tuple[LiveMatch, FakeInteraction]:
    """A match, and the open hand of the one who waits."""
    match = await bot.opened(clock="daily")
    other = match.seats[1 - on_turn(match)]
    return match, await bot.press_on(match, "cards", other)


async def asked_hand(bot: OfflineBot) -> tuple[LiveMatch, FakeInteraction]:
    """A match, and the open hand of the one who is asked."""
    match = await bot.opened(clock="daily")
    return match, await bot.press_on(match, "cards", bot.asked(match))


def press(bot: OfflineBot, match: LiveMatch, verb: str, user: int, arg: str = "", **more: Any) -> FakeInteraction:
    """A press on a match that nobody has answered."""
    window = more.pop("window", match.window_number)
    return bot.interaction(custom_ids.write(match.id, Press(verb, window, arg)), user, **more)


def cards(bot: OfflineBot, match: LiveMatch, user: int, **more: Any) -> FakeInteraction:
    """A press on *My cards*."""
    return press(bot, match, "cards", user, **more)


def sheet_of(bot: OfflineBot, match: LiveMatch, user: int, selection: str = "") -> str:
    """What a player's hand says now."""
    seat = match.seat_of(user)
    assert seat is not None
    app = bot.app
    reader = app.readers.on_seat(match, seat, say)
    return Seen(sheet(hand_screen(match, seat, app.presenters["haymaker"], reader, selection=selection), match.id)).text


def is_present(bot: OfflineBot, match: LiveMatch, shown: Seen, selection: str = "") -> bool:
    """Whether a message shows the present hand of one of the players."""
    return shown.text in [sheet_of(bot, match, user, selection) for user in match.seats]


def picked(match: LiveMatch, slot: int = 0) -> str:
    """The argument of the seat on turn that picks a card."""
    (pick,) = [offer for offer in match.choices(on_turn(match)) if isinstance(offer, Pick)]
    return custom_ids.write_selection(pick.verb, (slot,), ordered=pick.ordered)


async def other_moves(bot: OfflineBot, match: LiveMatch) -> None:
    """The seat on turn acts, and what follows is shown."""
    with bot.presses.take_up(match.id, next(press_ids)) as press:
        await press.act(match, on_turn(match), an_act(match))
    await settle()


async def test_a_hand_follows_the_others_move_and_stays_one_message(bot: OfflineBot) -> None:
    match, hand = await waiting_hand(bot)
    (before,) = hand.texts
    await other_moves(bot, match)
    assert hand.did == ["send", "edit original"]
    (after,) = hand.texts
    assert after != before


async def test_a_new_hand_with_a_question_is_edited_once_so_that_its_first_press_moves_no_button(
    bot: OfflineBot,
) -> None:
    match, waiting = await waiting_hand(bot)
    hand = await bot.press_on(match, "cards", bot.asked(match))
    await asyncio.sleep(SPACING)
    bot.app.updates.match_changed(match)  # nothing else is to be shown
    await asyncio.sleep(SPACING)
    assert (waiting.did, hand.did) == (["send"], ["send", "edit original"])
    assert is_present(bot, match, hand.answers[0])
    again = await bot.press_on(match, "cards", hand.user_id, source=hand.answers[0])
    await asyncio.sleep(SPACING)
    assert (hand.did, again.did) == (["send", "edit original"], ["edit"])


async def test_a_hand_whose_answer_shows_its_owners_act_is_not_made_again(
    bot: OfflineBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[int] = []

    def counted(match: LiveMatch, seat: int, *args: Any, **more: Any) -> Screen:
        made.append(seat)
        return hand_screen(match, seat, *args, **more)

    match, _ = await waiting_hand(bot)
    hand = await bot.press_on(match, "cards", match.seats[on_turn(match)])
    bot.app.updates.match_changed(match)  # with this press the other's name is known
    await asyncio.sleep(SPACING)
    monkeypatch.setattr(open_hands, "hand_screen", counted)
    bot.app.updates.match_changed(match)
    await asyncio.sleep(SPACING)
    assert not made
    await other_moves(bot, match)
    await asyncio.sleep(SPACING)
    assert sorted(made) == [0, 1]
    await bot.app.preferences.set_card_style(hand.user_id, CardStyle.WORDS)
    bot.app.styled_hands.show(hand.user_id)
    await asyncio.sleep(SPACING)
    assert made[2:] == [match.seats.index(hand.user_id)]


async def test_a_press_asks_for_edits_of_the_others_hands_alone(
    bot: OfflineBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    match, _ = await waiting_hand(bot)
    seat = on_turn(match)
    hand = await bot.press_on(match, "cards", match.seats[seat])
    await asyncio.sleep(SPACING)
    asked: list[object] = []
    request_edit = EditQueue.request_edit

    def counted(self: EditQueue, bucket: tuple[object, ...], *args: Any, **more: Any) -> None:
        if bucket[0] == "hand":
            asked.append(bucket[2])
        request_edit(self, bucket, *args, **more)

    monkeypatch.setattr(EditQueue, "request_edit", counted)
    await bot.press_on(match, "d", hand.user_id, picked(match), source=hand.answers[0])
    await asyncio.sleep(SPACING)
    assert match.position.acts == 1
    assert asked == [1 - seat]


@pytest.mark.parametrize("failure", [http_error(503, 0), http_error(429, 0), OSError()])
async def test_the_older_of_two_messages_says_so_once_and_has_no_buttons(bot: OfflineBot, failure: Exception) -> None:
    match, first = await waiting_hand(bot)
    first.fail("edit original", failure)
    await bot.press_on(match, "cards", first.user_id)
    await asyncio.sleep(600)
    for _ in range(3):
        await other_moves(bot, match)
        await asyncio.sleep(SPACING)
    assert first.did == ["send", "edit original"]
    assert first.texts == [NEWER]


async def test_a_press_on_the_older_message_makes_it_the_newer(bot: OfflineBot) -> None:
    match, first = await waiting_hand(bot)
    second = await bot.press_on(match, "cards", first.user_id)
    await bot.press_on(match, "cards", first.user_id, source=first.answers[0])
    await asyncio.sleep(2 * SPACING)
    assert second.texts == [NEWER]
    assert is_present(bot, match, first.answers[0])
    await other_moves(bot, match)
    assert is_present(bot, match, first.answers[0])


async def test_a_hand_of_another_match_in_its_message_is_not_covered_by_what_comes_later(bot: OfflineBot) -> None:
    match, hand = await waiting_hand(bot)
    another = await bot.opened(clock="daily")
    await bot.press_on(another, "cards", hand.user_id, source=hand.answers[0])
    await asyncio.sleep(SPACING)
    shown = hand.answers[0].text
    assert is_present(bot, another, hand.answers[0])
    await other_moves(bot, match)
    await asyncio.sleep(SPACING)
    assert hand.answers[0].text == shown
    hands, records = await started_again(bot, match, another)
    assert len(hands) == 1
    await records.close()


async def test_however_many_older_messages_there_are_none_waits_for_another(bot: OfflineBot) -> None:
    match, first = await waiting_hand(bot)
    older = [first]
    for _ in range(20):
        older.append(await bot.press_on(match, "cards", first.user_id))
        await asyncio.sleep(0.2)
    newest = await bot.press_on(match, "cards", first.user_id)
    await other_moves(bot, match)
    await asyncio.sleep(0.1)
    assert {text for each in older for text in each.texts} == {NEWER}
    assert is_present(bot, match, newest.answers[0])


async def test_a_slow_closing_is_over_before_a_press_on_its_message_is_shown_anew(bot: OfflineBot) -> None:
    match, first = await waiting_hand(bot)
    first.takes = 3.0
    await bot.press_on(match, "cards", first.user_id)
    await bot.press_on(match, "cards", first.user_id, source=first.answers[0])
    await asyncio.sleep(3.0 + 2 * SPACING)
    assert is_present(bot, match, first.answers[0])


# ---------------------------------------------------------------------------------------------- whatever the delays


async def test_a_move_made_while_an_answers_reply_is_under_way_is_shown(bot: OfflineBot) -> None:
    """X1a: Discord has taken the hand, but its reply takes a moment, and the match goes on meanwhile."""
    match = await bot.opened(clock="daily")
    other = match.seats[1 - on_turn(match)]
    hand = cards(bot, match, other, reply_takes=1.0)
    pressing = asyncio.create_task(bot.send(hand))
    await asyncio.sleep(0.5)
    await other_moves(bot, match)
    await pressing
    await asyncio.sleep(SPACING)
    assert is_present(bot, match, hand.answers[0])


async def test_a_hand_whose_answer_is_under_way_is_shown_in_the_style_that_was_chosen_meanwhile(
    bot: OfflineBot,
) -> None:
    match, first = await waiting_hand(bot)
    app, user = bot.app, first.user_id
    again = cards(bot, match, user, source=first.answers[0], takes=0.5, reply_takes=0.5)
    pressing = asyncio.create_task(bot.send(again))
    await asyncio.sleep(0.2)
    await app.preferences.set_card_style(user, CardStyle.WORDS)
    app.styled_hands.show(user)
    assert first.did == ["send"], "a hand has one writer"
    await pressing
    await asyncio.sleep(SPACING)
    assert " of hearts" in first.answers[0].text


async def test_the_end_that_came_while_a_hand_was_answered_is_shown(bot: OfflineBot) -> None:
    match = await bot.opened(clock="daily")
    hand = cards(bot, match, match.seats[1], reply_takes=1.0)
    pressing = asyncio.create_task(bot.send(hand))
    await asyncio.sleep(0.5)
    await bot.press_on(match, "leave", match.seats[0])
    await pressing
    await asyncio.sleep(SPACING + 0.1)  # the last board's picture is drawn meanwhile
    assert match.over
    assert is_present(bot, match, hand.answers[0])
    assert len(bot.app.updates.open_hands) == 0


async def test_the_end_that_came_while_a_hand_was_edited_is_shown(bot: OfflineBot) -> None:
    match, hand = await waiting_hand(bot)
    hand.takes = 1.0
    await other_moves(bot, match)
    await asyncio.sleep(0.5)
    (other,) = set(match.seats) - {hand.user_id}
    await bot.press_on(match, "leave", other)
    await asyncio.sleep(2.0 + 2 * SPACING)
    assert match.over
    assert hand.did == ["send", "edit original", "edit original"]
    assert is_present(bot, match, hand.answers[0])
    assert len(bot.app.updates.open_hands) == 0


async def test_an_edit_through_an_older_token_that_lands_last_does_not_win(bot: OfflineBot) -> None:
    """X1b: an edit is slow, its owner presses and is answered at once, and the edit lands after the answer."""
    match, first = await waiting_hand(bot)
    first.takes = 3.0
    await other_moves(bot, match)
    while on_turn(match) != match.seat_of(first.user_id):
        await other_moves(bot, match)
    first_card = picked(match)
    pressed = await bot.press_on(match, "p", first.user_id, first_card, source=first.answers[0])
    assert is_present(bot, match, first.answers[0], first_card)
    await asyncio.sleep(3.0)
    assert first.did == ["send", "edit original"]
    await asyncio.sleep(2 * SPACING)
    assert is_present(bot, match, first.answers[0], first_card), "picks under way are never taken back"
    assert pressed.did == ["edit", "edit original"]


async def test_of_two_presses_that_overtake_each_other_the_later_one_counts(bot: OfflineBot) -> None:
    match, hand = await asked_hand(bot)
    user = hand.user_id
    picks = [picked(match, slot) for slot in (0, 1)]
    slow = press(bot, match, "p", user, picks[0], source=hand.answers[0], takes=1.0)
    quick = press(bot, match, "p", user, picks[1], source=hand.answers[0])
    await asyncio.gather(bot.send(slow), bot.send(quick))
    await asyncio.sleep(2 * SPACING)
    assert is_present(bot, match, hand.answers[0], picks[1])


def a_move(bot: OfflineBot, match: LiveMatch, hand: FakeInteraction) -> FakeInteraction:
    """A press by the seat on turn on its open hand, which makes a move and which nobody has answered."""
    return press(bot, match, "d", hand.user_id, picked(match), source=hand.answers[0])


@pytest.fixture
def slow_saving(bot: OfflineBot, monkeypatch: pytest.MonkeyPatch) -> None:
    """A store that takes a moment for a move."""
    append = bot.store.append

    async def slowly(*given: Any, **more: Any) -> Any:
        await asyncio.sleep(0.5)
        return await append(*given, **more)

    monkeypatch.setattr(bot.store, "append", slowly)


@pytest.mark.usefixtures("slow_saving")
async def test_a_hand_that_was_opened_while_a_move_was_saved_is_the_one_that_follows(bot: OfflineBot) -> None:
    match, first = await asked_hand(bot)
    moving = asyncio.create_task(bot.send(a_move(bot, match, first)))
    await asyncio.sleep(0.2)
    second = await bot.press_on(match, "cards", first.user_id)
    await moving
    await asyncio.sleep(2 * SPACING)
    assert match.position.acts == 1
    assert first.texts == [NEWER]
    assert is_present(bot, match, second.answers[0])


async def test_the_later_of_two_presses_counts_though_its_answer_came_first(
    bot: OfflineBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    match, hand = await asked_hand(bot)
    user = hand.user_id
    picks = [picked(match, slot) for slot in (0, 1)]
    slow, quick = [press(bot, match, "p", user, first_card, source=hand.answers[0]) for first_card in picks]
    pressing = Readers.pressing

    async def slowly(readers: Readers, interaction: Interaction, *given: Any) -> Reader:
        if interaction.id == slow.id:
            await asyncio.sleep(0.5)
        return await pressing(readers, interaction, *given)

    monkeypatch.setattr(Readers, "pressing", slowly)
    await asyncio.gather(bot.send(slow), bot.send(quick))
    await asyncio.sleep(2 * SPACING)
    assert is_present(bot, match, hand.answers[0], picks[1])


@pytest.mark.usefixtures("slow_saving")
async def test_a_hand_that_shows_a_slow_move_goes_on_if_discord_did_not_take_the_one_that_was_opened_meanwhile(
    bot: OfflineBot,
) -> None:
    match, first = await asked_hand(bot)
    await asyncio.sleep(TOKEN_SECONDS + 1)
    moving = asyncio.create_task(bot.send(a_move(bot, match, first)))
    await asyncio.sleep(0.2)
    failing = cards(bot, match, first.user_id)
    failing.fail("send", http_error(404, 10062))
    await bot.send(failing)
    await moving
    await asyncio.sleep(FIRST_RESPONSE_SECONDS + 2 * SPACING)
    assert failing.answers == []
    assert is_present(bot, match, first.answers[0])
    assert len(bot.app.updates.open_hands) == 1


async def test_an_answer_that_discord_took_although_its_reply_was_lost_is_kept_up_to_date(bot: OfflineBot) -> None:
    match, first = await waiting_hand(bot)
    lost = cards(bot, match, first.user_id, reply_takes=30.0)
    await bot.send(lost)
    await other_moves(bot, match)
    await asyncio.sleep(FIRST_RESPONSE_SECONDS + 40)
    assert is_present(bot, match, lost.answers[0])
    assert first.texts == [NEWER]


async def test_after_an_answer_that_discord_did_not_take_the_hand_before_it_goes_on(bot: OfflineBot) -> None:
    match, first = await waiting_hand(bot)
    failing = cards(bot, match, first.user_id)
    failing.fail("send", http_error(404, 10062))
    await bot.send(failing)
    await other_moves(bot, match)
    await asyncio.sleep(FIRST_RESPONSE_SECONDS + 2 * SPACING)
    assert failing.answers == []
    assert is_present(bot, match, first.answers[0])
    assert len(bot.app.updates.open_hands) == 1


async def test_a_message_is_closed_though_a_slow_answer_in_it_failed_after_another_was_opened(bot: OfflineBot) -> None:
    match, first = await waiting_hand(bot)
    slow = cards(bot, match, first.user_id, source=first.answers[0], takes=1.0)
    slow.fail("edit", http_error(404, 10062))
    newer = cards(bot, match, first.user_id)
    await asyncio.gather(bot.send(slow), bot.send(newer))
    await asyncio.sleep(FIRST_RESPONSE_SECONDS + 2 * SPACING)
    assert first.texts == [NEWER]
    assert is_present(bot, match, newer.answers[0])


async def test_a_message_is_closed_though_it_was_being_edited_as_another_was_opened(bot: OfflineBot) -> None:
    match, first = await waiting_hand(bot)
    first.takes = 3.0
    await other_moves(bot, match)
    newer = await bot.press_on(match, "cards", first.user_id)
    await asyncio.sleep(10)
    assert first.texts == [NEWER]
    assert is_present(bot, match, newer.answers[0])


async def test_an_older_message_is_closed_though_a_press_on_it_had_no_answer_meanwhile(bot: OfflineBot) -> None:
    match, first = await waiting_hand(bot)
    first.fail("edit original", OSError())
    newer = await bot.press_on(match, "cards", first.user_id)
    refused = cards(bot, match, first.user_id, source=first.answers[0])
    refused.fail("edit", http_error(404, 10062))
    refused.fail("edit original", http_error(404, 10015))
    await bot.send(refused)
    await asyncio.sleep(FIRST_RESPONSE_SECONDS + 4 * SPACING)
    assert first.texts == [NEWER]
    assert is_present(bot, match, newer.answers[0])


async def test_the_end_stays_in_an_older_message_that_was_pressed_again_and_whose_reply_was_lost(
    bot: OfflineBot,
) -> None:
    match, first = await waiting_hand(bot)
    first.fail("edit original", OSError())
    newer = await bot.press_on(match, "cards", first.user_id)
    await bot.send(cards(bot, match, first.user_id, source=first.answers[0], reply_takes=30.0))
    await asyncio.sleep(FIRST_RESPONSE_SECONDS + 80)
    assert (is_present(bot, match, first.answers[0]), newer.texts) == (True, [NEWER])
    await bot.press_on(match, "leave", bot.asked(match))
    await asyncio.sleep(60)
    assert match.over
    assert is_present(bot, match, first.answers[0])


async def test_a_note_stays_until_the_match_moves_on(bot: OfflineBot) -> None:
    match, first = await waiting_hand(bot)
    again = press(bot, match, "o", first.user_id, "x.", window=match.window_number + 7, source=first.answers[0])
    await bot.send(again)
    noted = first.answers[0].text
    assert noted != sheet_of(bot, match, first.user_id)
    bot.app.updates.match_changed(match)
    await asyncio.sleep(SPACING)
    assert first.answers[0].text == noted
    await other_moves(bot, match)
    await asyncio.sleep(SPACING)
    assert is_present(bot, match, first.answers[0])


async def test_a_hand_whose_token_has_expired_is_edited_no_more(bot: OfflineBot) -> None:
    match, hand = await waiting_hand(bot)
    await asyncio.sleep(TOKEN_SECONDS + 1)
    await other_moves(bot, match)
    assert (hand.did, len(bot.app.updates.open_hands)) == (["send"], 0)


async def test_a_hand_that_changed_while_no_process_ran_takes_its_turn(bot: OfflineBot) -> None:
    match, hand = await waiting_hand(bot)
    edits = bot.app.updates.edit_queue
    edits.hold_repairs()
    with edits.repairing():
        await other_moves(bot, match)
    await asyncio.sleep(SPACING)
    assert hand.did == ["send"]
    edits.release_repairs()
    await asyncio.sleep(SPACING)
    assert hand.did == ["send", "edit original"]


async def test_a_hand_whose_token_has_expired_is_forgotten_as_another_one_opens(bot: OfflineBot) -> None:
    match, _ = await waiting_hand(bot)
    await asyncio.sleep(TOKEN_SECONDS + 1)
    assert len(bot.app.updates.open_hands) == 1
    await bot.press_on(match, "cards", bot.asked(match))
    assert len(bot.app.updates.open_hands) == 1


@pytest.mark.parametrize(
    "failure",
    [
        *(http_error(503, 0), aiohttp.ClientConnectionError(), OSError(), http_error(429, 0)),
        *(http_error(400, 50035), http_error(403, 50001)),
    ],
    ids=str,
)
async def test_an_edit_that_failed_is_tried_again(bot: OfflineBot, failure: Exception) -> None:
    match, hand = await waiting_hand(bot)
    for _ in range(3):
        hand.fail("edit original", failure)
    await other_moves(bot, match)
    assert hand.did == ["send"]
    await asyncio.sleep(FIRST_RETRY_DELAY * 2**4)
    assert hand.did == ["send", "edit original"]


async def test_after_the_last_try_a_hand_waits_for_the_next_change(bot: OfflineBot) -> None:
    match, hand = await waiting_hand(bot)
    for _ in range(TRIES):
        hand.fail("edit original", http_error(503, 0))
    await other_moves(bot, match)
    await asyncio.sleep(300)
    assert hand.did == ["send"]
    await other_moves(bot, match)
    assert hand.did == ["send", "edit original"]


@pytest.mark.parametrize(
    ("status", "code"), [(404, 10008), (404, 10015), (400, 50027), (401, 50027), (401, 0), (404, 0)]
)
async def test_a_hand_that_can_be_edited_no_more_is_dropped_at_once(bot: OfflineBot, status: int, code: int) -> None:
    """X3: for these refusals alone."""
    match, hand = await waiting_hand(bot)
    hand.fail("edit original", http_error(status, code))
    await other_moves(bot, match)
    assert len(bot.app.updates.open_hands) == 0
    await asyncio.sleep(300)
    assert hand.did == ["send"]


async def test_the_end_is_shown_in_every_hand_and_then_no_token_is_kept(bot: OfflineBot) -> None:
    match, hand = await waiting_hand(bot)
    other = await bot.press_on(match, "cards", bot.asked(match))
    await bot.press_on(match, "leave", other.user_id)
    await asyncio.sleep(SPACING)
    assert match.over
    assert hand.did == ["send", "edit original"]
    assert len(bot.app.updates.open_hands) == 0


# ---------------------------------------------------------------------------------------------- the next process


async def started_again(bot: OfflineBot, *matches: LiveMatch) -> tuple[OpenHands, HandRecords]:
    """The open hands of the next process, on the same store; those of the last one are written and then do nothing."""
    app = bot.app
    await app.updates.edit_queue.close(0)
    await app.updates.open_hands.close()
    records = HandRecords(bot.store, bot.scheduler)
    hands = OpenHands(
        bot.hand_messages,
        EditQueue(SPACING, EDITS_PER_SECOND, bot.scheduler, NO_TELEMETRY),
        presenters=app.presenters,
        readers=app.readers,
        scheduler=bot.scheduler,
        records=records,
    )
    await hands.load()
    for match in matches:
        hands.restore(match)
    return hands, records


async def test_the_next_process_keeps_an_open_hand_up_to_date(bot: OfflineBot) -> None:
    """U3."""
    match, hand = await waiting_hand(bot)
    hands, records = await started_again(bot, match)
    await asyncio.sleep(SPACING)
    assert (len(hands), hand.did) == (1, ["send"]), "it shows what it should"
    await match.act(on_turn(match), an_act(match))
    hands.match_changed(match)
    await asyncio.sleep(SPACING)
    assert hand.did == ["send", "edit original"]
    assert is_present(bot, match, hand.answers[0])
    await records.close()


async def test_a_move_that_a_killed_process_did_not_show_is_shown_by_the_next(bot: OfflineBot) -> None:
    match, hand = await waiting_hand(bot)
    await match.act(on_turn(match), an_act(match))
    await started_again(bot, match)
    await asyncio.sleep(SPACING)
    assert is_present(bot, match, hand.answers[0])


async def test_picks_under_way_survive_the_next_start(bot: OfflineBot) -> None:
    match, hand = await asked_hand(bot)
    user = hand.user_id
    first_card = picked(match)
    await asyncio.sleep(SPACING)
    pressed = await bot.press_on(match, "p", user, first_card, source=hand.answers[0])
    hands, _ = await started_again(bot, match)
    hands.match_changed(match)
    await asyncio.sleep(SPACING)
    assert (hand.did, pressed.did) == (["send", "edit original"], ["edit"])
    assert is_present(bot, match, hand.answers[0], first_card)


async def test_the_end_that_was_not_shown_is_shown_by_the_next_process_and_the_row_goes(bot: OfflineBot) -> None:
    match, hand = await waiting_hand(bot)
    await match.call_off(0, next(press_ids))
    await match.call_off(1, next(press_ids))
    hands, records = await started_again(bot, match)
    assert len(await bot.store.open_hands()) == 1
    await asyncio.sleep(2 * HANDS_EVERY)
    assert is_present(bot, match, hand.answers[0])
    assert (len(hands), await bot.store.open_hands(), records.idle) == (0, [], True)


async def test_of_two_messages_the_next_process_closes_the_older(bot: OfflineBot) -> None:
    match, first = await waiting_hand(bot)
    for _ in range(TRIES):
        first.fail("edit original", OSError())
    second = await bot.press_on(match, "cards", first.user_id)
    await started_again(bot, match)
    await asyncio.sleep(200)
    assert first.texts == [NEWER]
    assert is_present(bot, match, second.answers[0])


async def test_of_two_messages_whose_presses_overtook_each_other_the_next_process_closes_one(bot: OfflineBot) -> None:
    match = await bot.opened(clock="daily")
    user = match.seats[1 - on_turn(match)]
    slow, quick = cards(bot, match, user, takes=1.0), cards(bot, match, user)
    for hand in (slow, quick):
        hand.fail("edit original", OSError())
    await asyncio.gather(bot.send(slow), bot.send(quick))
    await started_again(bot, match)
    await asyncio.sleep(60)
    assert sorted(hand.texts == [NEWER] for hand in (slow, quick)) == [False, True]


async def test_a_message_in_which_a_slow_answer_failed_is_closed_by_the_next_process(bot: OfflineBot) -> None:
    match, first = await waiting_hand(bot)
    slow = cards(bot, match, first.user_id, source=first.answers[0], takes=1.0)
    slow.fail("edit", http_error(404, 10062))
    slow.fail("edit original", http_error(404, 10015))
    first.fail("edit original", OSError())
    newer = cards(bot, match, first.user_id)
    await asyncio.gather(bot.send(slow), bot.send(newer))
    await started_again(bot, match)
    await asyncio.sleep(FIRST_RESPONSE_SECONDS + 2 * SPACING)
    assert first.texts == [NEWER]
    assert is_present(bot, match, newer.answers[0])


async def test_the_next_process_edits_a_hand_in_whose_message_an_answer_was_not_taken(bot: OfflineBot) -> None:
    match, hand = await asked_hand(bot)
    refused = press(bot, match, "p", hand.user_id, picked(match), source=hand.answers[0])
    refused.fail("edit", http_error(404, 10062))
    refused.fail("edit original", http_error(404, 10015))
    await bot.send(refused)
    await started_again(bot, match)
    await asyncio.sleep(FIRST_RESPONSE_SECONDS + 2 * SPACING)
    assert is_present(bot, match, hand.answers[0], picked(match))


async def test_a_hand_whose_answer_was_under_way_when_the_bot_ended_is_stored_for_the_next_process(
    bot: OfflineBot,
) -> None:
    match, first = await asyncio.create_task(waiting_hand(bot))  # an end gives up the tasks that answer presses
    lost = cards(bot, match, first.user_id, reply_takes=30.0)
    answering = asyncio.create_task(bot.send(lost))
    await settle()
    await bot.dispatcher.close()
    assert {row.message for row in await bot.store.open_hands()} == {first.id, lost.id}
    await asyncio.gather(answering, return_exceptions=True)


async def test_a_row_goes_with_its_hand(bot: OfflineBot) -> None:
    match, hand = await waiting_hand(bot)
    await asyncio.sleep(2 * HANDS_EVERY)
    (row,) = await bot.store.open_hands()
    assert (row.seat, row.token) == (match.seat_of(hand.user_id), hand.token)
    hand.answers[0].deleted = True
    await other_moves(bot, match)
    await asyncio.sleep(2 * HANDS_EVERY)
    assert await bot.store.open_hands() == []


@pytest.mark.parametrize("again", [False, True], ids=["", "after a start"])
async def test_tokens_that_have_expired_are_deleted_though_nobody_presses(bot: OfflineBot, *, again: bool) -> None:
    await waiting_hand(bot)
    if again:
        await started_again(bot)
    await asyncio.sleep(2 * HANDS_EVERY)
    assert len(await bot.store.open_hands()) == 1
    await asyncio.sleep(SWEEP_AFTER + 2 * HANDS_EVERY)
    assert await bot.store.open_hands() == []


async def test_a_start_deletes_tokens_that_have_expired_at_once(bot: OfflineBot) -> None:
    await waiting_hand(bot)
    await bot.app.updates.open_hands.close()
    await asyncio.sleep(TOKEN_SECONDS + 1)
    assert len(await bot.store.open_hands()) == 1
    _, records = await started_again(bot)
    assert await bot.store.open_hands() == []
    await records.close()


async def test_many_presses_are_one_write(bot: OfflineBot, monkeypatch: pytest.MonkeyPatch) -> None:
    writes: list[int] = []
    write = bot.store.write_open_hands

    async def counting(saved: list[HandRow], *others: Any) -> None:
        writes.append(len(saved))
        await write(saved, *others)

    monkeypatch.setattr(bot.store, "write_open_hands", counting)
    match, hand = await waiting_hand(bot)
    for _ in range(5):
        await bot.press_on(match, "cards", hand.user_id, source=hand.answers[0])
    await asyncio.sleep(2 * HANDS_EVERY)
    assert writes == [1]


async def test_hands_that_cannot_be_saved_stop_nothing_and_no_token_is_logged(
    bot: OfflineBot, caplog: pytest.LogCaptureFixture
) -> None:
    match, hand = await waiting_hand(bot)
    assert isinstance(bot.store, MemoryStore)
    bot.store.fail_next_write(NotSaved("the disk is full"))
    await asyncio.sleep(2 * HANDS_EVERY)
    assert "open hands could not be saved: NotSaved" in caplog.text
    assert hand.token not in caplog.text + repr(await bot.store.open_hands())
    await bot.press_on(match, "cards", hand.user_id, source=hand.answers[0])
    await asyncio.sleep(2 * HANDS_EVERY)
    rows = await bot.store.open_hands()
    assert len(rows) == 1
    assert rows[0].token not in repr(rows)
