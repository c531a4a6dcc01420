"""The contract's part on invitations."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest

from bot.store.errors import Conflict, InvitationClosed
from bot.store.queries import invitations
from bot.store.queries.invitations import InvitationState, Origin, Series, StandIn
from bot.store.store import Store
from tests.bot.store.rows import ANN, BOB, CAT, GUILD, deal, invitation, match


class InvitationContract:
    """Invitations, until they close."""

    async def test_an_unknown_invitation_is_none(self, store: Store) -> None:
        assert await store.invitation("nobody") is None

    async def test_an_invitations_id_is_used_once(self, store: Store) -> None:
        await store.add_invitation(invitation())
        with pytest.raises(Conflict):
            await store.add_invitation(invitation(expires_at=1))
        assert await store.invitation("m1") == (invitation(), InvitationState.OPEN)

    @pytest.mark.parametrize("stand_in", StandIn)
    async def test_what_its_host_has_chosen_is_kept(self, store: Store, stand_in: StandIn) -> None:
        chosen = replace(invitation(invited=()), in_thread=True, auto_start=True, stand_in=stand_in)
        for asked in (chosen, replace(invitation("m2"), reliable=True)):
            await store.add_invitation(asked)
            assert await store.invitation(asked.id) == (asked, InvitationState.OPEN)
            assert asked in await store.open_invitations()
        await store.set_invitation_message("m2", 77)
        (noted, _) = await store.invitation("m2") or pytest.fail("no invitation")
        assert noted.message_id == 77
        await store.open_match(replace(match(), stand_in=stand_in), deal(), ())
        assert await store.match("m1") == replace(match(), stand_in=stand_in)

    async def test_where_its_match_begins_is_kept(self, store: Store) -> None:
        asked = replace(invitation(), origin=Origin("m0", 30, bytes(range(32))))
        await store.add_invitation(asked)
        assert await store.invitation("m1") == (asked, InvitationState.OPEN)
        assert await store.open_invitations() == [asked]
        await store.reseat_invitation(replace(asked, seated=(ANN, BOB), origin=None))
        (found, _) = await store.invitation("m1") or pytest.fail("no invitation")
        assert found.origin == asked.origin

    async def test_its_place_in_a_series_is_kept_and_no_match_of_a_series_begins_twice_c_9(self, store: Store) -> None:
        second = Series("m0", 5, 2, (0, 1), 1)
        for match_id in ("m1", "m2"):
            await store.add_invitation(replace(invitation(match_id), series=second))
        assert await store.invitation("m1") == (replace(invitation(), series=second), InvitationState.OPEN)
        assert await store.match_of_series("m0", 2) is None
        await store.open_match(replace(match(), series=second), deal(), ())
        assert await store.match("m1") == replace(match(), series=second)
        with pytest.raises(InvitationClosed):
            await store.open_match(replace(match("m2"), series=second), deal("m2"), ())
        assert await store.match("m2") is None
        assert await store.match_of_series("m0", 2) == "m1"
        assert await store.match_of_series("m0", 3) is None

    @pytest.mark.parametrize(
        "state", [InvitationState.DECLINED, InvitationState.CANCELLED, InvitationState.EXPIRED], ids=str
    )
    async def test_an_invitation_closes_once(self, store: Store, state: InvitationState) -> None:
        await store.add_invitation(invitation())
        assert await store.close_invitation("m1", state)
        assert not await store.close_invitation("m1", InvitationState.CANCELLED)
        assert await store.invitation("m1") == (invitation(), state)

    async def test_of_many_who_close_at_once_one_does(self, store: Store) -> None:
        await store.add_invitation(invitation())
        closing = [store.close_invitation("m1", InvitationState.DECLINED) for _ in range(20)]
        assert sorted(await asyncio.gather(*closing)) == [False] * 19 + [True]

    async def test_open_invitations_come_by_expiry_without_the_closed(self, store: Store) -> None:
        for name, expires_at in (("late", 300), ("soon", 100), ("closed", 50), ("next", 200)):
            await store.add_invitation(invitation(name, expires_at=expires_at))
        await store.close_invitation("closed", InvitationState.EXPIRED)
        assert [row.id for row in await store.open_invitations()] == ["soon", "next", "late"]

    @pytest.mark.parametrize("page", [2, 200])
    async def test_a_persons_open_invitations_are_those_of_all_servers_by_expiry(
        self, store: Store, monkeypatch: pytest.MonkeyPatch, page: int
    ) -> None:
        monkeypatch.setattr(invitations, "_PASSED", page)
        elsewhere = replace(invitation("elsewhere", guild=GUILD + 1, expires_at=100), host_id=CAT, seated=(CAT, ANN))
        rows = (
            invitation("late", expires_at=300),
            elsewhere,
            replace(invitation("others", expires_at=150), host_id=CAT, seated=(CAT,)),
            replace(invitation("longer", invited=(ANN * 10 + 1,)), host_id=CAT, seated=(CAT,)),
            invitation("closed", expires_at=50),
        )
        for row in rows:
            await store.add_invitation(row)
        await store.close_invitation("closed", InvitationState.DECLINED)
        assert await store.open_invitations_of(ANN) == [elsewhere, rows[0]]
        assert await store.open_invitations_of(ANN + 10) == []

    async def test_a_persons_invitations_are_those_that_name_them(self, store: Store) -> None:
        named = (
            replace(invitation("host"), seated=(CAT,)),
            replace(invitation("invited", invited=(ANN, BOB)), host_id=CAT, seated=(CAT,)),
            replace(invitation("seated"), host_id=CAT, seated=(CAT, ANN)),
            replace(invitation("place"), host_id=CAT, seated=(CAT,), places=(BOB, ANN)),
        )
        others = replace(invitation("others"), host_id=CAT, seated=(CAT,))
        for row in (*named, others, invitation("elsewhere", guild=GUILD + 1)):
            await store.add_invitation(row)
        await store.close_invitation("host", InvitationState.EXPIRED)
        came = await store.invitations_of(GUILD, ANN)
        assert {row.id: state for row, state in came} == {
            "host": InvitationState.EXPIRED,
            **dict.fromkeys(("invited", "seated", "place"), InvitationState.OPEN),
        }
        assert {row.id: row for row, _ in came} == {row.id: row for row in named}
        assert [row.id for row, _ in came if row.closed_at is not None] == ["host"]
