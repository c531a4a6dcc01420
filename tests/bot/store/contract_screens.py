"""What every store does with open hands and postings."""

from __future__ import annotations

from dataclasses import replace

from bot.store.queries.matches import SavedMatch, Suspension
from bot.store.queries.screens import BoardMark
from bot.store.store import Store
from tests.bot.store.rows import ANN, BOB, GUILD, deal, hand, opened, played, posting, result, timer
from tests.known import there


class ScreenContract:
    """A part of `StoreContract`."""

    # -- open hands

    async def test_an_open_hand_is_read_as_it_was_written_and_replaced_by_its_key(self, store: Store) -> None:
        await opened(store)
        await store.write_open_hands([hand(), hand(seat=1)], [], 1000)
        assert await store.open_hands() == [hand(), hand(seat=1)]
        later = replace(hand(), token="another", window=8, selection="", shown=b"", expires_at=9500)
        await store.write_open_hands([later], [], 1000)
        assert await store.open_hands() == [hand(seat=1), later]

    async def test_a_seat_may_have_several_messages_and_each_is_removed_alone(self, store: Store) -> None:
        await opened(store)
        await store.write_open_hands([hand(message=1), hand(message=2)], [], 1000)
        await store.write_open_hands([], [hand(message=1).key, ("nobody", 0, 1)], 1000)
        assert await store.open_hands() == [hand(message=2)]

    async def test_what_has_expired_is_deleted_with_the_next_write(self, store: Store) -> None:
        await opened(store)
        await store.write_open_hands([hand(message=1, expires_at=2000), hand(message=2, expires_at=2001)], [], 1000)
        await store.write_open_hands([], [], 2000)
        assert await store.open_hands() == [hand(message=2, expires_at=2001)]

    async def test_a_hand_of_an_unknown_match_is_not_saved(self, store: Store) -> None:
        await store.write_open_hands([hand("nobody")], [], 1000)
        assert await store.open_hands() == []

    async def test_a_hand_outlives_its_match_until_it_has_shown_the_end(self, store: Store) -> None:
        await opened(store)
        await store.write_open_hands([hand()], [], 1000)
        await store.end_match(result(ranks=(), counted=False), 71)
        assert await store.open_hands() == [hand()]
        await store.write_open_hands([hand(seat=1)], [hand().key], 1000)
        assert await store.open_hands() == [hand(seat=1)]

    async def test_a_departure_deletes_the_hands_of_its_server_alone(self, store: Store) -> None:
        await opened(store)
        await opened(store, "m2", guild=GUILD + 1)
        await store.write_open_hands([hand(), hand("m2")], [], 1000)
        await store.record_departure(GUILD, 2000)
        assert await store.open_hands() == [hand("m2")]

    async def test_who_is_forgotten_keeps_no_hand(self, store: Store) -> None:
        await played(store, "m1", (1, 2), seats=(ANN, BOB))
        await played(store, "m2", (1, 2), seats=(BOB, ANN), guild=GUILD + 1)
        await store.write_open_hands([hand(), hand(seat=1), hand("m2", seat=1)], [], 1000)
        await store.anonymise(GUILD, ANN, -1, {"m1"})
        assert await store.open_hands() == [hand(seat=1), hand("m2", seat=1)]

    # -- postings

    async def test_postings_are_read_as_written_until_they_are_removed(self, store: Store) -> None:
        await opened(store)
        for each in (posting(), posting(seat=1, former=None), posting(channel=9)):
            await store.add_posting(each)
        await store.add_posting(posting(seat=1, former=4))
        await store.add_posting(posting("nobody"))
        assert await store.postings() == [posting(), posting(channel=9), posting(seat=1, former=4)]
        for _ in range(2):
            await store.remove_posting("m1", None, posting().channel_id)
        assert await store.postings() == [posting(channel=9), posting(seat=1, former=4)]

    # -- boards

    async def test_a_mark_of_a_board_is_read_as_it_was_written_and_replaced(self, store: Store) -> None:
        await opened(store, timers=(timer(),))
        for mark in (BoardMark(0, b"a board"), BoardMark(3, b"another")):
            await store.write_board_marks({"m1": mark, "nobody": mark})
            assert (await store.saved_matches(["m1", "nobody"])) == {
                "m1": SavedMatch((deal(),), (timer(),), mark),
                "nobody": SavedMatch(),
            }
        await store.write_board_marks({"m1": None})
        assert (await store.saved_matches(["m1"]))["m1"].board_mark is None

    async def test_a_mark_goes_with_its_board_and_with_its_match(self, store: Store) -> None:
        await opened(store)
        row = there(await store.match("m1"))

        async def marked() -> bool:
            return (await store.saved_matches(["m1"]))["m1"].board_mark is not None

        await store.write_board_marks({"m1": BoardMark(0, b"a board")})
        await store.set_board("m1", row.channel_id, 77, 2000)
        assert not await marked(), "another message is the board"
        await store.write_board_marks({"m1": BoardMark(0, b"a board")})
        await store.suspend_match("m1", 7000, Suspension.CHANNEL_GONE)
        await store.resume_match("m1", row.channel_id, ())
        assert not await marked(), "there is no board yet"
        await store.write_board_marks({"m1": BoardMark(0, b"a board")})
        await store.end_match(result(ranks=(), counted=False), 71)
        assert not await marked()
        await store.write_board_marks({"m1": BoardMark(0, b"a board")})
        assert not await marked(), "it is over"
