"""What every store does with deals of the day, attempts at them and the messages about them."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from functools import partial

import pytest

from bot.store.errors import Conflict
from bot.store.queries import begun_deletions, deleting
from bot.store.queries.begun_deletions import Deletion
from bot.store.queries.database import FEW, LEAST
from bot.store.queries.invitations import InvitationState
from bot.store.queries.matches import Result
from bot.store.store import Store
from cogs.daily.queries import DailyAttempt, DailyQueries
from tests.bot.store.packing import pack_all
from tests.bot.store.rows import (
    ANN,
    BOB,
    CAT,
    DAY,
    GAME,
    GUILD,
    attempt_rows,
    attempted,
    daily_deal,
    daily_message,
    deal,
    record,
    result,
)
from tests.known import there


async def tried(store: Store, match_id: str, user: int = ANN, day: int = DAY, *, ended: Result | None = None) -> None:
    """An attempt that has ended with a person's act."""
    await attempted(store, match_id, user, day)
    won = replace(result(match_id), counted=False)
    await store.append(record(1, match_id), (), won if ended is None else replace(ended, match_id=match_id))


class DailyContract:
    """A part of `StoreContract`."""

    # -- deals

    async def test_a_deal_of_the_day_is_read_as_it_was_sealed(self, store: Store) -> None:
        assert await DailyQueries(store).deal(GUILD, GAME, DAY) is None
        assert await DailyQueries(store).seal(daily_deal()) == daily_deal()
        assert await DailyQueries(store).deal(GUILD, GAME, DAY) == daily_deal()
        assert await DailyQueries(store).deal(GUILD, GAME, DAY + 1) is None
        assert await DailyQueries(store).deal(GUILD, "ciq", DAY) is None
        assert await DailyQueries(store).deal(GUILD + 1, GAME, DAY) is None

    async def test_two_who_seal_the_same_deal_at_once_get_the_same_one(self, store: Store) -> None:
        first, second = daily_deal(seed=b"1" * 32), daily_deal(seed=b"2" * 32)
        sealed = await asyncio.gather(DailyQueries(store).seal(first), DailyQueries(store).seal(second))
        assert sealed[0] == sealed[1] == await DailyQueries(store).deal(GUILD, GAME, DAY)
        assert await DailyQueries(store).seal(second) == sealed[0]

    # -- attempts

    async def test_an_attempt_is_a_live_match_of_its_day_with_an_accepted_invitation(self, store: Store) -> None:
        row = await attempted(store)
        assert await store.match("a1") == row
        assert [each.day for each in await store.live_matches()] == [DAY]
        assert there(await store.invitation("a1"))[1] is InvitationState.ACCEPTED
        assert await store.open_invitations() == []
        expected = DailyAttempt("a1", GUILD, GAME, DAY, ANN, row.channel_id, 0, None, False)
        assert await DailyQueries(store).attempt(GUILD, GAME, DAY, ANN) == expected
        assert await DailyQueries(store).attempt(GUILD, GAME, DAY, BOB) is None
        assert await DailyQueries(store).attempt(GUILD, GAME, DAY - 1, ANN) is None

    async def test_tables_rest_when_their_room_is_gone_and_are_told_as_they_are(self, store: Store) -> None:
        await attempted(store)
        (row,) = (await store.resting_rows((), GUILD, ANN))["daily_attempts"]
        assert row == {"match_id": "a1", "guild_id": GUILD, "game": GAME, "day": DAY, "user_id": ANN, "shown": 0}
        assert (await store.resting_rows((), GUILD, BOB))["daily_attempts"] == []
        assert "daily_attempts" not in await store.resting_rows(("daily",), GUILD, ANN)

    async def test_a_deal_is_tried_once_by_each_person(self, store: Store) -> None:
        await attempted(store)
        with pytest.raises(Conflict):
            await DailyQueries(store).open_attempt(*attempt_rows("a2"), deal("a2"))
        assert await store.match("a2") is None
        assert await store.invitation("a2") is None
        await attempted(store, "a3", BOB)
        await attempted(store, "a4", ANN, DAY + 1)
        await attempted(store, "a5", game="ciq")
        await attempted(store, "a6", guild=GUILD + 1)
        assert [each.match_id for each in await DailyQueries(store).attempts_on(GUILD, DAY)] == ["a1", "a3", "a5"]
        assert [each.match_id for each in await DailyQueries(store).attempts_by(GUILD, ANN)] == ["a1", "a4", "a5"]

    async def test_an_attempt_is_read_while_its_persons_data_are_being_deleted(self, store: Store) -> None:
        await tried(store, "d1")
        await pack_all(store)
        (before,) = await DailyQueries(store).attempts_on(GUILD, DAY)
        deletion = Deletion(GUILD, ANN, -77)
        await store.database.write(lambda db: begun_deletions.begin(db, deletion))
        seats = partial(deleting.run_slices, deleting.STAGES_OF_PERSON[0], deletion, LEAST)
        assert await store.database.write(seats) is None
        assert await DailyQueries(store).attempts_on(GUILD, DAY) == [before]
        assert before.acts == 1

    async def test_of_two_attempts_at_once_one_is_opened(self, store: Store) -> None:
        await DailyQueries(store).seal(daily_deal())
        both = [DailyQueries(store).open_attempt(*attempt_rows(each), deal(each)) for each in ("a1", "a2")]
        refused = [each for each in await asyncio.gather(*both, return_exceptions=True) if each is not None]
        assert [type(each) for each in refused] == [Conflict]
        assert len(await store.live_matches()) == 1

    async def test_an_attempt_counts_the_acts_of_its_person_alone(self, store: Store) -> None:
        await attempted(store)
        for seq, actor in enumerate((0, 1, 0, None), start=1):
            await store.append(record(seq, "a1", actor=actor), ())
        (found,) = await DailyQueries(store).attempts_on(GUILD, DAY)
        assert (found.acts, found.result) == (2, None)

    async def test_an_attempt_that_is_over_has_its_result(self, store: Store) -> None:
        await tried(store, "a1")
        (found,) = await DailyQueries(store).attempts_on(GUILD, DAY)
        ended = await store.result("a1")
        assert found.result == ended
        assert ended is not None
        assert found.result is not None
        assert (found.result.ranks, found.result.chain) == ((1, 2), ended.chain)

    async def test_a_streak_is_of_days_in_a_row_that_were_played_to_the_end(self, store: Store) -> None:
        await tried(store, "won", day=DAY)
        await tried(store, "lost", day=DAY + 1, ended=result(ranks=(2, 1), counted=False))
        await tried(
            store, "resigned", day=DAY + 2, ended=replace(result(ranks=(2, 1), counted=False), kind="resignation")
        )
        await tried(store, "ended", day=DAY + 3, ended=result(ranks=(), counted=False))
        await attempted(store, "playing", day=DAY + 4)
        await tried(store, "other", BOB, DAY + 5)
        await tried(store, "early", day=DAY - 2)
        days = {day: await DailyQueries(store).streak(GUILD, GAME, ANN, day) for day in range(DAY - 2, DAY + 5)}
        assert days == {DAY - 2: 1, DAY - 1: 0, DAY: 1, DAY + 1: 2, DAY + 2: 0, DAY + 3: 0, DAY + 4: 0}
        assert await DailyQueries(store).streak(GUILD, "ciq", ANN, DAY) == 0
        assert await DailyQueries(store).streak(GUILD + 1, GAME, ANN, DAY) == 0

    async def test_a_streak_may_be_longer_than_what_is_read_at_once(self, store: Store) -> None:
        for number in range(FEW + 1):
            await tried(store, f"a{number}", day=DAY + number)
        streaks = [await DailyQueries(store).streak(GUILD, GAME, ANN, DAY + FEW - each) for each in (0, 1, 2)]
        assert streaks == [FEW + 1, FEW, FEW - 1]

    async def test_ends_are_unshown_until_they_are_noted(self, store: Store) -> None:
        await tried(store, "a1", ANN)
        await attempted(store, "a2", BOB)
        await tried(store, "old", CAT, DAY - 1)
        assert [each.match_id for each in await DailyQueries(store).unshown_attempts(DAY)] == ["a1"]
        assert [each.match_id for each in await DailyQueries(store).unshown_attempts(DAY - 1)] == ["a1", "old"]
        await DailyQueries(store).note_shown("a1")
        await DailyQueries(store).note_shown("nobody")
        assert await DailyQueries(store).unshown_attempts(DAY) == []
        assert [each.shown for each in await DailyQueries(store).attempts_on(GUILD, DAY)] == [True, False]

    async def test_who_is_forgotten_has_tried_nothing_but_their_attempts_stay(self, store: Store) -> None:
        await tried(store, "a1", ANN)
        await tried(store, "a2", BOB)
        await store.anonymise(GUILD, ANN, -7, {"a1"})
        assert await DailyQueries(store).attempt(GUILD, GAME, DAY, ANN) is None
        assert [each.user_id for each in await DailyQueries(store).attempts_on(GUILD, DAY)] == [-7, BOB]
        assert [each.acts for each in await DailyQueries(store).attempts_on(GUILD, DAY)] == [1, 1]

    # -- messages

    async def test_a_message_about_a_day_is_replaced_by_the_next_one_in_its_channel(self, store: Store) -> None:
        message = daily_message(message=None)
        assert await DailyQueries(store).message(GUILD, message.channel_id, DAY) is None
        await DailyQueries(store).put_message(message)
        assert await DailyQueries(store).message(GUILD, message.channel_id, DAY) == message
        await DailyQueries(store).put_message(daily_message())
        assert await DailyQueries(store).message(GUILD, message.channel_id, DAY) == daily_message()
        assert await DailyQueries(store).message(GUILD, message.channel_id + 1, DAY) is None
        assert await DailyQueries(store).message(GUILD, message.channel_id, DAY + 1) is None
