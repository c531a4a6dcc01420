"""After an answer that failed, the next press is told what was made, and nothing is made twice (decision 19)."""

from __future__ import annotations

import aiohttp
import pytest

from bot.play.clocks.deadlines import GRACE
from bot.play.live_match import LiveMatch
from bot.ui.screen import Press
from cogs.interactions.time_limits import FIRST_RESPONSE_WITHIN
from cogs.screens import custom_ids
from engines.tivmiv import COUNTDOWN
from tests.bot.play.parts import ANN, BOB
from tests.cogs.actions.offline_bot import OfflineBot, say
from tests.cogs.actions.test_router import picked, said, told
from tests.cogs.fake_interaction import FakeInteraction, Seen, http_error

MADE = say("press.made_before", told="").strip()
STALE = say("press.stale")
FAILURES = ["late", "refused", "cut", "slow"]


def fail(press: FakeInteraction, how: str) -> None:
    """Have the answer to a press fail, so that Discord tells the presser that the interaction failed."""
    match how:
        case "late":
            press.fail_first_response(http_error(404, 10062))
        case "refused":
            for _ in range(2):  # the answer, and its plain form
                press.fail_first_response(http_error(400, 50035))
        case "cut":
            for _ in range(20):
                press.fail_first_response(aiohttp.ServerDisconnectedError())
        case _:
            press.takes = FIRST_RESPONSE_WITHIN + 0.1


async def lose(bot: OfflineBot, custom_id: str, user: int, how: str = "late") -> FakeInteraction:
    """Press with an answer that fails."""
    press = bot.interaction(custom_id, user, source=Seen("hand", private=True))
    fail(press, how)
    await bot.send(press)
    assert press.texts == []
    return press


@pytest.fixture
async def match(bot: OfflineBot) -> LiveMatch:
    return await bot.opened()


@pytest.fixture
async def race(bot: OfflineBot) -> LiveMatch:
    """Tiv-Miv after its first GO. Nobody has pressed anything, not even *Ready*."""
    match = await bot.opened(game="tivmiv")
    await bot.pass_time(match.options.ready_seconds * 1000 + GRACE)
    await bot.pass_time(COUNTDOWN * 1000)
    return match


def attack(match: LiveMatch) -> str:
    """The id of the button that makes an act on the present question."""
    return custom_ids.write(match.id, Press("d", match.window_number, picked(match)))


# ---------------------------------------------------------------------------------------------- a turn


@pytest.mark.parametrize("how", FAILURES)
async def test_after_a_lost_answer_the_same_press_is_told_what_was_made(
    bot: OfflineBot, match: LiveMatch, how: str
) -> None:
    user, button = bot.asked(match), attack(match)
    await lose(bot, button, user, how)
    assert match.position.acts == 1
    again = await bot.press(button, user)
    assert MADE in said(again)
    (line,) = [line for line in told(again).splitlines() if MADE in line]
    assert f"User {user} throws a haymaker" in line
    assert all(answer.private for answer in again.answers)
    assert match.position.acts == 1
    assert STALE in said(await bot.press(button, user))


async def test_it_is_told_until_an_answer_arrives(bot: OfflineBot, match: LiveMatch) -> None:
    user, button = bot.asked(match), attack(match)
    await lose(bot, button, user)
    await lose(bot, button, user)
    assert MADE in said(await bot.press(button, user))


async def test_looking_at_ones_cards_meanwhile_changes_nothing(bot: OfflineBot, match: LiveMatch) -> None:
    user, button = bot.asked(match), attack(match)
    await lose(bot, button, user)
    await bot.press_on(match, "cards", user)
    assert MADE in said(await bot.press(button, user))


async def test_who_resigned_without_an_answer_is_told_so(bot: OfflineBot, match: LiveMatch) -> None:
    button = custom_ids.write(match.id, Press("leave"))
    await lose(bot, button, ANN)
    assert match.over
    again = said(await bot.press(button, ANN))
    assert say("press.already_made") in again or MADE in again
    assert say("ending.resignation.you") in again


async def test_who_called_off_without_an_answer_is_told_so(bot: OfflineBot, match: LiveMatch) -> None:
    button = custom_ids.write(match.id, Press("calloff"))
    await bot.press(button, ANN)
    await lose(bot, button, BOB)
    assert said(await bot.press(button, BOB)) == say("calloff.done")


# ---------------------------------------------------------------------------------------------- a race


def cards(match: LiveMatch) -> int:
    """How many cards Ann holds."""
    return len(match.position.state.hands[match.seat_of(ANN)])


def draw_button(press: FakeInteraction) -> str:
    """The id of *Draw* on the hand that answered a press."""
    buttons = [button for row in _rows(press) for button in row]
    return next(button["custom_id"] for button in buttons if ":a:draw" in button["custom_id"])


def _rows(press: FakeInteraction) -> list[list[dict[str, str]]]:
    (answer,) = press.answers
    assert not isinstance(answer.shown, str)
    return [
        row["components"]
        for container in answer.shown.to_components()
        for row in container["components"]
        if row["type"] == 1
    ]


@pytest.mark.parametrize("how", FAILURES)
async def test_in_a_race_a_repeated_press_is_told_what_was_made_and_not_applied(
    bot: OfflineBot, race: LiveMatch, how: str
) -> None:
    button = draw_button(await bot.press_on(race, "cards", ANN))
    await lose(bot, button, ANN, how)
    assert cards(race) == 1
    (card,) = race.position.state.hands[race.seat_of(ANN)]
    again = await bot.press(button, ANN)
    assert cards(race) == 1
    assert say("press.made_before", told=say("tivmiv.told.drew", card=f"`{card.name}`")) in said(again)
    await bot.press(draw_button(again), ANN)
    assert cards(race) == 2


async def test_in_a_race_a_hand_that_is_opened_anew_does_not_forget_that_nobody_was_said(
    bot: OfflineBot, race: LiveMatch
) -> None:
    await lose(bot, draw_button(await bot.press_on(race, "cards", ANN)), ANN)
    anew = await bot.press_on(race, "cards", ANN)
    again = await bot.press(draw_button(anew), ANN)
    assert MADE in said(again)
    assert cards(race) == 1
    await bot.press(draw_button(again), ANN)
    assert cards(race) == 2


async def test_in_a_race_buttons_of_older_versions_still_work_and_repeat_nothing(
    bot: OfflineBot, race: LiveMatch
) -> None:
    button = custom_ids.write(race.id, Press("a", 0, "draw"))
    await bot.press(button, ANN)
    await bot.press(button, ANN)
    assert cards(race) == 2
    await lose(bot, button, ANN)
    assert MADE in said(await bot.press(button, ANN))
    assert cards(race) == 3
