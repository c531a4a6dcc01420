"""Which matches can be shared, and by whom: no other one gives a story away."""

from __future__ import annotations

from dataclasses import replace

from bot.scheduler import day_of, ends_at
from bot.store.queries.matches import MatchRow
from bot.ui.screen import Press
from cogs.replays.queries import ReplayQueries
from cogs.screens import custom_ids
from tests.bot.play.exported import exported
from tests.bot.play.parts import ANN, CAT
from tests.cogs.actions.offline_bot import OfflineBot, say
from tests.cogs.replays.stored import stored

VERBS = ("story", "storypost")


async def told(bot: OfflineBot, row: MatchRow, user: int) -> set[str]:
    """What both buttons say to somebody."""
    pressed = [await bot.press(custom_ids.write(row.id, Press(verb)), user) for verb in VERBS]
    return {text for each in pressed for text in each.texts}


async def test_a_private_match_has_no_story_for_anybody(bot: OfflineBot) -> None:
    row = await stored(bot)
    for seat in (0, 1):
        await ReplayQueries(bot.store).set_private_wish(row.id, seat, wanted=True)
    assert await told(bot, row, ANN) == {say("story.private")}
    assert await told(bot, row, CAT) == {say("match.unknown")}


async def test_a_match_that_is_not_over_has_no_story(bot: OfflineBot) -> None:
    match = exported("haymaker")
    begun = replace(match, records=match.records[:5])
    assert await told(bot, await stored(bot, begun, live=True), ANN) == {say("match.not_over")}


async def test_a_deal_of_the_day_has_no_story_before_its_day_ends(bot: OfflineBot) -> None:
    today = day_of(bot.now())
    row = await stored(bot, day=today)
    closed = say("daily.closed", when=f"<t:{ends_at(today) // 1000}:R>")
    assert await told(bot, row, ANN) == {closed}


async def test_a_shared_deal_has_no_story_while_it_is_closed(bot: OfflineBot) -> None:
    row = await stored(bot, shared=True)
    bot.app.closed_deals.add(lambda _, deal_id: deal_id == row.deal_id)
    assert await told(bot, row, ANN) == {say("shared.closed")}
    assert await told(bot, row, CAT) == {say("shared.closed")}
