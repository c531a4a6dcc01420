"""The final table of a season, as a whole server reads it for a week."""

from __future__ import annotations

from collections.abc import Sequence

import discord
import pytest

from bot.play.days import Days
from bot.play.seasons import final_standings, season_of
from bot.play.server_settings import KnownServerSettings, ServerSettings
from bot.scheduler import DAY, day_of
from bot.store import match_weights
from bot.ui.catalogue import Translations
from cogs.leaderboards.calendar import TOLD_FOR, SeasonEnds
from cogs.leaderboards.queries import LeaderboardQueries
from cogs.screens.renderer import sheet
from cogs.updates.server_week import WeekPost
from tests.bot.store.contract_boards import ended
from tests.bot.store.memory_store import MemoryStore
from tests.bot.store.rows import ANN, BOB, CAT, GUILD
from tests.cogs.fake_messages import texts
from tests.cogs.updates.following import FakeWording, say
from tests.movable_scheduler import MovableScheduler

DAN = CAT + 1
NAMES = {ANN: "Ann", BOB: "Bob", CAT: "Cat", DAN: "Dan"}


class Names(FakeWording):
    """Everybody by name."""

    async def loaded(
        self, guild_id: int, user_ids: Sequence[int], words: Translations, *_seen: discord.abc.User
    ) -> tuple[str, ...]:
        assert (guild_id, words) == (GUILD, say)
        return tuple(NAMES[user] for user in user_ids)


@pytest.fixture(autouse=True)
def _grown(monkeypatch: pytest.MonkeyPatch) -> None:
    """Few are enough for a game to count over all games."""
    monkeypatch.setattr(match_weights, "YOUNG", 0)


class House:
    def __init__(self) -> None:
        self.scheduler = MovableScheduler()
        self.store = MemoryStore(now=self.scheduler.now)
        days = Days(None, None, None, self.scheduler)  # type: ignore[arg-type]  # it only tells the day
        settings = KnownServerSettings(self.store, self.scheduler.now)
        self.ends = SeasonEnds(self.store, LeaderboardQueries(self.store), days, settings, Names())
        self.season = season_of(day_of(self.scheduler.now()), ServerSettings().season)

    async def play(self, rounds: int = 5) -> None:
        """Ann beats Bob and Cat, and Bob beats Cat."""
        for number in range(rounds):
            for first, second in ((ANN, BOB), (ANN, CAT), (BOB, CAT)):
                day = self.season[number % len(self.season)]
                await ended(self.store, f"{number}.{first}.{second}", (first, second), (1, 2), day=day)

    def to(self, day: int) -> None:
        self.scheduler.advance((day * DAY - self.scheduler.now()) / 1000 + 1)

    async def post(self) -> WeekPost:
        found = await self.ends.post(GUILD)
        assert found is not None
        return found


async def test_a_season_is_told_of_for_a_week_after_its_end_and_names_its_first() -> None:
    house = House()
    await house.play()
    assert await house.ends.post(GUILD) is None
    house.to(house.season.stop)
    post = await house.post()
    assert (post.edition, post.firsts) == (house.season.stop, (ANN,))
    lines = "\n".join(texts(sheet(post.screen, "week"))).splitlines()
    assert [name for line in lines for name in NAMES.values() if name in line] == ["Ann", "Bob", "Cat"]
    assert say.count("ladder.season_ranked", 3) in lines
    house.to(house.season.stop + TOLD_FOR - 1)
    assert await house.post() == post
    house.to(house.season.stop + TOLD_FOR)
    assert await house.ends.post(GUILD) is None


async def test_who_hides_is_not_named_and_nobody_is_first_of_two() -> None:
    house = House()
    await house.play()
    await LeaderboardQueries(house.store).set_hidden(GUILD, ANN, hidden=True)
    house.to(house.season.stop)
    assert await house.ends.post(GUILD) is None


@pytest.mark.parametrize("deleted", [False, True], ids=["hides", "deleted"])
async def test_who_hides_or_has_their_data_deleted_on_its_last_day_is_not_named_any_more(*, deleted: bool) -> None:
    house = House()
    await house.play()
    for first in (ANN, BOB, CAT):
        for number in range(5):
            await ended(house.store, f"dan.{number}.{first}", (first, DAN), (1, 2), day=house.season.start)
    house.to(house.season.stop + TOLD_FOR - 1)
    assert (await house.post()).firsts == (ANN,)
    if deleted:
        played = [row.id for row in await house.store.matches_of(GUILD, ANN)]
        await house.store.anonymise(GUILD, ANN, -77, played)
    else:
        await LeaderboardQueries(house.store).set_hidden(GUILD, ANN, hidden=True)
    post = await house.post()
    assert post.firsts == (BOB,)
    assert not any("Ann" in text for text in texts(sheet(post.screen, "week")))


async def test_few_matches_give_no_rank_and_equal_points_share_one() -> None:
    house = House()
    await house.play(2)
    assert await final_standings(house.store, GUILD, house.season) == []
    for number in range(6):
        pair = ((ANN, BOB), (BOB, CAT), (CAT, ANN))[number % 3]
        await ended(house.store, f"drawn.{number}", pair, (1, 1), day=house.season.start, game="other")
    found = await final_standings(house.store, GUILD, house.season)
    assert [each.rank for each in found] == sorted(each.rank for each in found)
    assert {each.user_id for each in found} == {ANN, BOB, CAT}
    assert found[0].rank == 1
