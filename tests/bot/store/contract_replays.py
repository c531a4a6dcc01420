"""What every store does with finished matches that people see again."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.match_readers import Derivable, Reader, Stage, may_derive
from bot.store.errors import Conflict
from bot.store.queries.finished_matches import FinishedMatch
from bot.store.queries.invitations import Origin
from bot.store.special_ids import computer_id
from bot.store.store import Store
from cogs.replays.queries import HistoryQuery, ReplayQueries
from tests.bot.store.rows import (
    ANN,
    BOB,
    CAT,
    DAY,
    GAME,
    GUILD,
    attempted,
    deal,
    invitation,
    match,
    opened,
    played,
    record,
    result,
)
from tests.known import there

DAN, EVE = CAT + 1, CAT + 2
TODAY = DAY + 1


async def seen(store: Store, viewer: int, match_id: str = "m1", *, guild: int = GUILD, today: int = TODAY) -> bool:
    """Whether a person may see a match."""
    return await store.finished_match(guild, match_id, viewer, today) is not None


async def listed(
    store: Store,
    user: int = ANN,
    viewer: int = ANN,
    most: int = 10,
    *,
    game: str | None = None,
    today: int = TODAY,
    **place: str,
) -> list[str]:
    """The ids of a person's finished matches, as they are listed."""
    found = await ReplayQueries(store).finished_matches(HistoryQuery(GUILD, user, viewer, today, game), most, **place)
    return [each.row.id for each in found]


class ReplayContract:
    """A part of `StoreContract`."""

    async def test_a_finished_match_is_seen_by_anybody_of_its_server(self, store: Store) -> None:
        await played(store, "m1", (2, 1), seats=(ANN, BOB))
        ended = there(await store.result("m1"))
        assert await store.finished_match(GUILD, "m1", CAT, TODAY) == FinishedMatch(match(), ended)
        assert ended.ranks == (2, 1)

    async def test_what_nobody_may_see_is_not_there(self, store: Store) -> None:
        await opened(store, "live")
        await played(store, "m1", (1, 2), seats=(ANN, BOB))
        assert not await seen(store, ANN, "live")
        assert not await seen(store, ANN, "unknown")
        assert not await seen(store, ANN, guild=GUILD + 1)
        await store.purge_guild(GUILD)
        assert not await seen(store, ANN)

    async def test_an_attempt_is_seen_when_its_day_is_over(self, store: Store) -> None:
        await attempted(store, "m1")
        await store.append(record(1), (), replace(result(), counted=False))
        assert not await seen(store, ANN, today=DAY)
        assert await listed(store, today=DAY) == []
        assert await seen(store, BOB, today=DAY + 1)
        assert await listed(store) == ["m1"]

    async def test_a_replay_is_private_when_all_players_want_that_and_until_one_does_not(self, store: Store) -> None:
        await played(store, "m1", (1, 2), seats=(ANN, BOB))
        await ReplayQueries(store).set_private_wish("m1", 1, wanted=True)
        found = there(await store.finished_match(GUILD, "m1", CAT, TODAY))
        assert (found.private_wishes, found.is_private) == ((1,), False)
        await ReplayQueries(store).set_private_wish("m1", 0, wanted=True)
        await ReplayQueries(store).set_private_wish("m1", 0, wanted=True)
        assert not await seen(store, CAT)
        assert await listed(store, ANN, CAT) == []
        for player in (ANN, BOB):
            found = there(await store.finished_match(GUILD, "m1", player, TODAY))
            assert (found.private_wishes, found.is_private) == ((0, 1), True)
        assert await listed(store, ANN, BOB) == ["m1"]
        await ReplayQueries(store).set_private_wish("m1", 1, wanted=False)
        assert await seen(store, CAT)

    async def test_computers_and_deleted_players_are_not_asked(self, store: Store) -> None:
        await played(store, "m1", (1, 2), seats=(ANN, computer_id("easy")))
        await played(store, "m2", (1, 2), seats=(ANN, BOB))
        await ReplayQueries(store).set_private_wish("m1", 0, wanted=True)
        assert not await seen(store, CAT)
        await ReplayQueries(store).set_private_wish("m2", 0, wanted=True)
        assert await seen(store, CAT, "m2")
        await store.anonymise(GUILD, BOB, -7, {"m2"})
        assert not await seen(store, CAT, "m2")
        assert await seen(store, ANN, "m2")
        await store.anonymise(GUILD, ANN, -8, {"m1", "m2"})
        assert not await seen(store, CAT, "m2")
        assert not await seen(store, ANN, "m2")

    async def test_each_reader_may_derive_what_the_table_says(self, store: Store) -> None:
        await opened(store, "in_play")
        await attempted(store, "closed")
        for match_id in ("finished", "private"):
            await played(store, match_id, (1, 2), seats=(ANN, BOB))
        for seat in (0, 1):
            await ReplayQueries(store).set_private_wish("private", seat, wanted=True)
        readers = {Reader.PLAYER: (GUILD, ANN), Reader.MEMBER: (GUILD, CAT), Reader.STRANGER: (GUILD + 1, ANN)}
        for stage in Stage:
            for reader, (guild, viewer) in readers.items():
                may, match_id = may_derive(stage, reader), stage.name.lower()
                assert await store.derivable(guild, match_id, viewer, DAY, pressed=match().board_id) is may
                by_code = Derivable.NOTHING if may is Derivable.SEAL else may
                assert await store.derivable(guild, match_id, viewer, DAY) is by_code
                assert await store.derivable(guild, match_id, viewer, DAY, pressed=7) is by_code
        assert await store.derivable(GUILD, "unknown", ANN, DAY) is Derivable.NOTHING

    async def test_who_deleted_their_data_is_no_player_any_more(self, store: Store) -> None:
        await played(store, "m1", (1, 2), seats=(ANN, BOB))
        for seat in (0, 1):
            await ReplayQueries(store).set_private_wish("m1", seat, wanted=True)
        await store.anonymise(GUILD, BOB, -7, {"m1"})
        assert await seen(store, ANN)
        assert not await seen(store, BOB)

    async def test_what_was_begun_from_a_private_match_is_private_to_those_who_played_neither(
        self, store: Store
    ) -> None:
        await played(store, "m1", (1, 2), seats=(ANN, BOB))
        for source, match_id, player in (("m1", "m2", CAT), ("m2", "m3", DAN)):
            origin = Origin(source, 3, bytes(32))
            await store.add_invitation(replace(invitation(match_id, invited=()), origin=origin))
            row = replace(match(match_id, seats=(player, computer_id("easy"))), origin=origin)
            await store.open_match(row, deal(match_id), ())
            await store.append(record(1, match_id), (), result(match_id, counted=False))
        assert await seen(store, EVE, "m3")
        for seat in (0, 1):
            await ReplayQueries(store).set_private_wish("m1", seat, wanted=True)
        told = {user: [await seen(store, user, each) for each in ("m1", "m2", "m3")] for user in (ANN, CAT, DAN, EVE)}
        assert told == {
            ANN: [True, True, True],
            CAT: [False, True, False],
            DAN: [False, False, True],
            EVE: [False, False, False],
        }

    async def test_only_players_of_a_finished_match_can_want_it_to_be_private(self, store: Store) -> None:
        await opened(store, "live")
        await played(store, "m1", (1, 2), seats=(ANN, BOB))
        for match_id, seat in (("live", 0), ("unknown", 0), ("m1", 2), ("m1", -1)):
            with pytest.raises(Conflict):
                await ReplayQueries(store).set_private_wish(match_id, seat, wanted=True)

    async def test_finished_matches_come_page_by_page_the_last_to_end_first(self, store: Store) -> None:
        for number in range(7):
            await played(store, f"m{number}", (1, 2), seats=(ANN, BOB if number % 2 else CAT))
        await played(store, "else", (1, 2), seats=(ANN, BOB), guild=GUILD + 1)
        await opened(store, "live")
        assert await listed(store, most=3) == ["m6", "m5", "m4"]
        assert await listed(store, most=3, before="m4") == ["m3", "m2", "m1"]
        assert await listed(store, most=3, before="m1") == ["m0"]
        assert await listed(store, most=3, before="m0") == []
        assert await listed(store, most=3, after="m1") == ["m4", "m3", "m2"]
        assert await listed(store, most=3, after="m6") == []
        assert await listed(store, BOB, CAT) == ["m5", "m3", "m1"]
        assert await listed(store, most=0) == []

    async def test_a_page_begins_anew_at_a_match_that_the_viewer_may_not_see(self, store: Store) -> None:
        for number in range(3):
            await played(store, f"m{number}", (1, 2), seats=(ANN, BOB))
        for seat in (0, 1):
            await ReplayQueries(store).set_private_wish("m1", seat, wanted=True)
        for place in ("m1", "unknown"):
            assert await listed(store, ANN, CAT, before=place) == ["m2", "m0"]
            assert await listed(store, ANN, CAT, after=place) == ["m2", "m0"]
        assert await listed(store, ANN, BOB, before="m1") == ["m0"]

    async def test_finished_matches_can_be_those_of_one_game(self, store: Store) -> None:
        await played(store, "m1", (1, 2), seats=(ANN, BOB))
        await played(store, "m2", (1, 2), seats=(ANN, BOB), game="ciq")
        assert await listed(store, game=GAME) == ["m1"]
        assert await listed(store, game="ciq") == ["m2"]
        assert await listed(store, game="chess") == []
