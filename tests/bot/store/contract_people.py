"""The contract's part on people."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.scheduler import DAY
from bot.store.errors import Conflict
from bot.store.queries.attendances import Attendance, Stay
from bot.store.queries.invitations import InvitationState
from bot.store.queries.matches import Suspension
from bot.store.queries.people import NoticeLevel
from bot.store.queries.screens import Notice
from bot.store.special_ids import chat_venue, direct_venue
from bot.store.store import Store
from cogs.matchmaking.queries import TableSubscriber, TableSubscriptions
from engines.deals import NO_SALT, salt_digest
from tests.bot.store.rows import (
    ANN,
    BOB,
    CAT,
    GAME,
    GUILD,
    attended,
    change,
    invitation,
    match,
    notice,
    opened,
    played,
    record,
    result,
)
from tests.known import there

MARKER = -12345


class PeopleContract:
    """Names, notice levels, and putting a marker in somebody's place."""

    # -------------------------------------------------------------------------------------- names and notice levels

    async def test_names_are_each_servers_own_and_the_latest(self, store: Store) -> None:
        await store.set_name(GUILD, ANN, "Ann")
        await store.set_name(GUILD, ANN, "Ännchen '); DROP TABLE names; --")
        await store.set_name(GUILD + 1, BOB, "Bob")
        assert await store.names(GUILD, [ANN, BOB]) == {ANN: "Ännchen '); DROP TABLE names; --"}
        assert await store.names(GUILD, []) == {}

    async def test_the_notice_level_is_kept_for_each_server_and_the_latest_counts(self, store: Store) -> None:
        assert await store.notice_level(GUILD, ANN) is NoticeLevel.PING
        for level in NoticeLevel:
            await store.set_notice_level(GUILD, ANN, level)
            assert await store.notice_level(GUILD, ANN) is level
        assert await store.notice_level(GUILD + 1, ANN) is NoticeLevel.PING
        assert await store.notice_level(GUILD, BOB) is NoticeLevel.PING

    async def test_a_preference_is_kept_for_all_servers_and_the_latest_counts(self, store: Store) -> None:
        assert await store.preferences([ANN, BOB]) == {}
        for value in ("words", "text"):
            await store.set_preference(ANN, "card_style", value)
            assert await store.preferences([ANN, BOB]) == {ANN: {"card_style": value}}
        await store.set_preference(ANN, "language", "de")
        await store.set_preference(CAT, "card_style", "emojis")
        assert await store.preferences([ANN, BOB]) == {ANN: {"card_style": "text", "language": "de"}}
        assert await store.preferences([]) == {}

    # -------------------------------------------------------------------------------------- how they attended matches

    async def test_attendances_are_each_servers_own_and_the_last_to_end_come_first(self, store: Store) -> None:
        ends = {"m1": 8000, "m2": 9500, "m3": 9000, "m4": 9500}
        for name, ended_at in ends.items():
            await opened(store, name)
            await store.append(record(1, name), (), attended(name, ended_at=ended_at))
        await opened(store, "there", guild=GUILD + 1)
        await store.append(record(1, "there"), (), attended("there", Stay.LEFT))
        found = await store.attendances(GUILD, BOB, 3)
        assert [each.match_id for each in found] == ["m4", "m2", "m3"]
        assert found[2] == Attendance("m3", 1, 2000, 9000, Stay.OUT_OF_TIME, asked=9, in_time=8)
        assert [each.stay for each in await store.attendances(GUILD, ANN, 9)] == [Stay.FINISHED] * 4
        assert [each.stay for each in await store.attendances(GUILD + 1, ANN, 9)] == [Stay.LEFT]
        assert await store.attendances(GUILD, CAT, 9) == []

    async def test_a_persons_chats_are_those_in_which_they_have_a_name(self, store: Store) -> None:
        first, second = chat_venue(4), chat_venue(1 << 61)
        for venue in (GUILD, direct_venue(ANN), first, second):
            await store.set_name(venue, ANN, "Ann")
        await store.set_name(chat_venue(5), BOB, "Bob")
        assert await store.chats_of(ANN) == [second, first]
        await store.anonymise(first, ANN, -1, set())
        assert await store.chats_of(ANN) == [second]

    async def test_attendances_are_kept_of_those_alone_whom_the_result_names(self, store: Store) -> None:
        await opened(store, "m1")
        await store.append(record(1, "m1"), (), attended("m1", Stay.LEFT))
        await opened(store, "m2")
        await store.append(record(1, "m2"), (), result("m2"))
        assert [each.match_id for each in await store.attendances(GUILD, ANN, 9)] == ["m1"]
        assert await store.attendances(GUILD, BOB, 9) == []
        assert there(await store.result("m1")).attendances == ()

    async def test_attendances_of_a_person_and_of_a_server_are_deleted_with_them(self, store: Store) -> None:
        for name, guild in (("m1", GUILD), ("m2", GUILD + 1)):
            await opened(store, name, guild=guild)
            await store.append(record(1, name), (), attended(name))
        await store.anonymise(GUILD, ANN, MARKER, {"m1"})
        assert await store.attendances(GUILD, ANN, 9) == await store.attendances(GUILD, MARKER, 9) == []
        assert len(await store.attendances(GUILD, BOB, 9)) == len(await store.attendances(GUILD + 1, ANN, 9)) == 1
        await store.purge_guild(GUILD + 1)
        assert await store.attendances(GUILD + 1, BOB, 9) == []

    async def test_a_digest_is_due_at_once_and_then_at_its_hour(self, store: Store) -> None:
        await store.set_notice_level(GUILD, ANN, NoticeLevel.DIGEST)
        digest = there(await store.digest(ANN))
        assert await store.due_digests(digest.due - 1) == []
        assert await store.due_digests(digest.due) == [ANN]
        assert await store.notice_level(GUILD + 1, ANN) is NoticeLevel.PING
        await store.begin_posting_digest(ANN, 5, 1000)
        assert await store.shown_digests() == []
        await store.end_posting_digest(ANN, 6, digest.due + 1)
        (shown,) = await store.shown_digests()
        assert (shown.channel_id, shown.message_id, shown.posting_at, shown.due) == (5, 6, None, digest.due + 1)
        await store.set_digest_hour(ANN, 7)
        found = there(await store.digest(ANN))
        assert (found.hour, found.due % DAY) == (7, 7 * 3_600_000)
        await store.set_notice_level(GUILD, ANN, NoticeLevel.DIRECT)
        assert await store.notice_level(GUILD, ANN) is NoticeLevel.DIRECT
        assert await store.due_digests(10**15) == []
        assert await store.shown_digests() == []

    async def test_a_digest_ends_in_a_server_with_its_persons_data_and_in_all_with_what_is_kept_everywhere(
        self, store: Store
    ) -> None:
        for guild in (GUILD, GUILD + 1):
            await store.set_notice_level(guild, ANN, NoticeLevel.DIGEST)
        await store.purge_guild(GUILD + 1)
        assert await store.notice_level(GUILD + 1, ANN) is NoticeLevel.PING
        assert await store.notice_level(GUILD, ANN) is NoticeLevel.DIGEST

    async def test_somebody_is_notified_of_one_question_an_hour_and_again_of_the_same(self, store: Store) -> None:
        assert await store.last_ping(ANN) is None
        assert await store.claim_ping(ANN, "m1", 3)
        assert await store.claim_ping(ANN, "m1", 3), "nobody knows whether its notice was sent"
        assert not await store.claim_ping(ANN, "m1", 4)
        assert not await store.claim_ping(ANN, "m2", 3)
        assert await store.claim_ping(BOB, "m2", 3)
        assert await store.claim_ping(ANN, "m2", 3, anyway=True)
        assert there(await store.last_ping(ANN))[1:] == ("m2", 3)

    # -------------------------------------------------------------------------------------- notices of tables

    async def test_nobody_is_subscribed_to_tables_before_they_ask(self, store: Store) -> None:
        assert await TableSubscriptions(store).games_of(GUILD, ANN) == []
        await TableSubscriptions(store).set_subscription(GUILD, ANN, GAME, wanted=False)
        assert await TableSubscriptions(store).games_of(GUILD, ANN) == []
        for game in ("other", GAME, GAME):
            await TableSubscriptions(store).set_subscription(GUILD, ANN, game, wanted=True)
        await TableSubscriptions(store).set_subscription(GUILD, BOB, GAME, wanted=True)
        assert await TableSubscriptions(store).games_of(GUILD, ANN) == sorted([GAME, "other"])
        assert await TableSubscriptions(store).games_of(GUILD + 1, ANN) == []
        await TableSubscriptions(store).set_subscription(GUILD, ANN, GAME, wanted=False)
        assert await TableSubscriptions(store).games_of(GUILD, ANN) == ["other"]
        assert await TableSubscriptions(store).games_of(GUILD, BOB) == [GAME]

    async def test_subscribers_are_read_a_few_at_a_time_with_their_last_notice(self, store: Store) -> None:
        for user in (CAT, ANN, BOB):
            await TableSubscriptions(store).set_subscription(GUILD, user, GAME, wanted=True)
        await TableSubscriptions(store).set_subscription(GUILD, CAT + 1, "other", wanted=True)
        await TableSubscriptions(store).set_subscription(GUILD + 1, CAT + 2, GAME, wanted=True)
        for at in (2000, 1000):
            await TableSubscriptions(store).record_notice(BOB, at)
        first, second, third = sorted((ANN, BOB, CAT))
        told = {BOB: 1000}
        slices = [await TableSubscriptions(store).subscribers(GUILD, GAME, after, 2) for after in (0, second, third)]
        assert slices[0] == [TableSubscriber(user, told.get(user)) for user in (first, second)]
        assert slices[1:] == [[TableSubscriber(third, told.get(third))], []]
        assert await TableSubscriptions(store).last_notice(BOB) == 1000
        assert await TableSubscriptions(store).last_notice(ANN) is None

    async def test_nothing_is_recorded_of_a_notice_to_who_wants_none_any_more(self, store: Store) -> None:
        tables = TableSubscriptions(store)
        assert not await tables.record_notice(ANN, 1000)
        await tables.set_subscription(GUILD, ANN, GAME, wanted=True)
        assert await tables.record_notice(ANN, 1000)
        await store.anonymise(GUILD, ANN, MARKER, set())
        assert not await tables.record_notice(ANN, 2000)
        assert await tables.last_notice(ANN) is None

    async def test_tables_that_rest_say_what_is_the_same_in_all_servers(self, store: Store) -> None:
        for user, at in ((ANN, 1000), (BOB, 2000)):
            await TableSubscriptions(store).set_subscription(GUILD, user, GAME, wanted=True)
            assert await TableSubscriptions(store).record_notice(user, at)
        found = await store.resting_rows(("daily",), GUILD, ANN)
        assert found["table_notices"] == [{"user_id": ANN, "at": 1000}]
        assert "preferences" not in found  # the core's

    # -------------------------------------------------------------------------------------- taking somebody out

    async def test_a_marker_takes_the_place_of_who_is_forgotten(self, store: Store) -> None:
        await played(store, "m1", (1, 2), seats=(ANN, BOB))
        await played(store, "m2", (2, 1), seats=(BOB, CAT))
        await store.add_notice(replace(notice(), user_id=ANN, seat=0, mark=b"it names her"))
        for user in (ANN, BOB):
            await store.set_name(GUILD, user, "name")
            await store.set_notice_level(GUILD, user, NoticeLevel.QUIET)
            await store.change_setting(change(user=user))
            await store.set_preference(user, "card_style", "words")
            await TableSubscriptions(store).set_subscription(GUILD, user, GAME, wanted=True)
            await TableSubscriptions(store).record_notice(user, 1000)
        before = there(await store.standing(GUILD, GAME, ANN))
        await store.anonymise(GUILD, ANN, MARKER, {"m1"})
        assert [each.user_id for each in await store.setting_changes(GUILD)] == [BOB, MARKER]
        row = there(await store.match("m1"))
        assert row.seats == (MARKER, BOB)
        found = there(await store.invitation("m1"))
        assert (found[0].host_id, found[0].seated, found[0].invited) == (MARKER, (MARKER,), (BOB,))
        assert found[0].salts == ()
        assert [(salt.text, salt.digest) for salt in row.salts] == [(None, salt_digest("a pinch")), ("", NO_SALT)]
        assert await store.standing(GUILD, GAME, ANN) is None
        assert await store.standing(GUILD, GAME, MARKER) == replace(before, user_id=MARKER)
        assert [each.seats for each in await store.matches_ended_since(0)] == [(MARKER, BOB), (BOB, CAT)]
        assert await store.notices() == [Notice("m1", 0, MARKER, notice().channel_id, notice().message_id)]
        assert await store.names(GUILD, [ANN, BOB, MARKER]) == {BOB: "name"}
        assert await store.notice_level(GUILD, ANN) is NoticeLevel.PING
        assert await store.notice_level(GUILD, BOB) is NoticeLevel.QUIET
        assert await store.preferences([ANN, BOB]) == {BOB: {"card_style": "words"}}
        assert await TableSubscriptions(store).subscribers(GUILD, GAME, 0, 9) == [TableSubscriber(BOB, 1000)]
        assert await TableSubscriptions(store).games_of(GUILD, MARKER) == []
        assert await TableSubscriptions(store).last_notice(ANN) is None
        assert await store.matches_of(GUILD, ANN) == []
        assert await store.invitations_of(GUILD, ANN) == []

    async def test_one_server_is_forgotten_and_no_other(self, store: Store) -> None:
        for name, guild in (("m1", GUILD), ("m2", GUILD + 1)):
            await played(store, name, (1, 2), seats=(ANN, BOB), guild=guild)
            await store.set_name(guild, ANN, "Ann")
            await store.change_setting(change(guild=guild))
            await TableSubscriptions(store).set_subscription(guild, ANN, GAME, wanted=True)
        await store.anonymise(GUILD, ANN, MARKER, {"m1"})
        assert await store.setting_changes(GUILD + 1) == [change(guild=GUILD + 1)]
        assert await store.match("m2") == match("m2", guild=GUILD + 1)
        assert await store.names(GUILD + 1, [ANN]) == {ANN: "Ann"}
        assert await TableSubscriptions(store).games_of(GUILD + 1, ANN) == [GAME]
        assert await store.standing(GUILD + 1, GAME, ANN) is not None

    async def test_who_still_plays_is_not_forgotten(self, store: Store) -> None:
        await store.set_name(GUILD, ANN, "Ann")
        await store.set_preference(ANN, "card_style", "words")
        await opened(store)
        with pytest.raises(Conflict):
            await store.anonymise(GUILD, ANN, MARKER, {"m1"})
        assert await store.names(GUILD, [ANN]) == {ANN: "Ann"}
        assert await store.preferences([ANN]) == {ANN: {"card_style": "words"}}
        assert await store.match("m1") == match()

    async def test_a_player_with_a_suspended_match_is_not_forgotten(self, store: Store) -> None:
        await opened(store)
        await store.suspend_match("m1", 7000, Suspension.REMOVED)
        with pytest.raises(Conflict):
            await store.anonymise(GUILD, ANN, MARKER, {"m1"})

    async def test_who_has_an_open_invitation_is_not_forgotten(self, store: Store) -> None:
        await store.add_invitation(invitation())
        for user in (ANN, BOB):
            with pytest.raises(Conflict):
                await store.anonymise(GUILD, user, MARKER, ())
        assert await store.invitation("m1") == (invitation(), InvitationState.OPEN)

    async def test_who_has_no_open_invitation_is_forgotten_though_their_id_is_in_that_of_another(
        self, store: Store
    ) -> None:
        await store.add_invitation(replace(invitation(), host_id=5678, invited=(), seated=(5678,)))
        await store.set_name(GUILD, 67, "Ann")
        await store.anonymise(GUILD, 67, MARKER, ())
        assert await store.names(GUILD, [67]) == {}

    async def test_nobody_is_forgotten_without_the_keys_of_every_match(self, store: Store) -> None:
        await played(store, "m1", (1, 2), seats=(ANN, BOB))
        with pytest.raises(Conflict):
            await store.anonymise(GUILD, ANN, MARKER, ())
        assert await store.match("m1") == match()
