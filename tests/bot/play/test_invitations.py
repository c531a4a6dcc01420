"""Invitations: who may sit down, when they expire, and how often a challenge may go unanswered."""

from __future__ import annotations

import asyncio
from collections.abc import Collection
from dataclasses import replace
from typing import Any

import pytest

from bot.budgets import QUIET_AFTER
from bot.games import GAMES
from bot.play.clocks.match_clock import UNSAVED_GRACE
from bot.play.limits import Limits
from bot.play.live_match import LiveMatch
from bot.play.matchmaking.invitations import Proposal, Terms
from bot.play.refusals import Refused, Unsaved
from bot.settings import Settings
from bot.store.errors import Busy, Damaged, Fenced, NotSaved, StoreError
from bot.store.queries.attendances import Stay
from bot.store.queries.invitations import Invitation, InvitationKind, InvitationState
from bot.store.special_ids import computer_id
from bot.ui.isolation import mention
from tests.bot.play.parts import ANN, BOB, CAT, CHANNEL, ELSEWHERE, GUILD, MESSAGE, Parts, attended_badly, press_ids
from tests.failing_rules import raising
from tests.known import there

EXPIRES = 15 * 60_000
UNANSWERED = Settings().max_challenges_in_vain


async def pressed(parts: Parts, what: Any, invitation_id: str, user: int) -> Any:
    """What becomes of a table by somebody's press."""
    with parts.presses.take_up(invitation_id, next(press_ids)) as press:
        return await what(invitation_id, user, MESSAGE, press)


async def sit(parts: Parts, invitation_id: str, user: int) -> Any:
    with parts.presses.take_up(invitation_id, next(press_ids)) as press:
        return await parts.seating.take_seat(invitation_id, user, MESSAGE, press)


@pytest.mark.parametrize(
    ("stay", "in_time", "key"),
    [(Stay.LEFT, 10, "table.not_reliable"), (Stay.FINISHED, 4, "table.plays_late")],
)
async def test_a_table_for_reliable_people_says_what_is_missing(
    parts: Parts, stay: Stay, in_time: int, key: str
) -> None:
    await attended_badly(parts.store, BOB, parts.now(), stay, in_time)
    terms = Terms(GUILD, CHANNEL, "ciq", GAMES["ciq"].info.options(), "blitz")
    table = await parts.inviting.invite(Proposal(terms, ANN, kind=InvitationKind.TABLE, reliable=True))
    with pytest.raises(Refused) as refused:
        await sit(parts, table.id, BOB)
    assert refused.value.key == key
    assert int(refused.value.values["needed"]) > 1
    assert (await sit(parts, table.id, CAT)).seated == (ANN, CAT)
    anybody = await parts.inviting.invite(Proposal(terms, ANN, kind=InvitationKind.TABLE))
    assert (await sit(parts, anybody.id, BOB)).seated == (ANN, BOB)


async def test_whom_the_host_invites_may_join_a_table_for_reliable_people(parts: Parts) -> None:
    await attended_badly(parts.store, BOB, parts.now())
    terms = Terms(GUILD, CHANNEL, "ciq", GAMES["ciq"].info.options(), "blitz")
    table = await parts.inviting.invite(
        Proposal(terms, ANN, (BOB,), kind=InvitationKind.TABLE, private=True, reliable=True)
    )
    assert (await sit(parts, table.id, BOB)).seated == (ANN, BOB)


async def test_it_expires_after_its_time_and_its_observers_are_told(parts: Parts) -> None:
    invitation = await parts.invited()
    await parts.pass_time(EXPIRES - 1)
    assert parts.invitations.open() == (invitation,)
    await parts.pass_time(1)
    assert parts.invitations.open() == ()
    assert parts.heard.take() == [("closed", (invitation.id, InvitationState.EXPIRED))]
    assert parts.invitations.idle
    with pytest.raises(Refused, match=r"challenge\.closed"):
        await sit(parts, invitation.id, BOB)


async def test_an_expiry_that_cannot_be_saved_leaves_it_open_for_an_answer(
    parts: Parts, monkeypatch: pytest.MonkeyPatch
) -> None:
    invitation = await parts.invited()
    with monkeypatch.context() as patched:
        patched.setattr(parts.store, "close_invitation", raising(NotSaved("the disk is full")))
        await parts.pass_time(EXPIRES)
    assert parts.heard.take() == []
    assert isinstance(await sit(parts, invitation.id, BOB), LiveMatch)


async def test_an_expiry_that_failed_is_tried_again(parts: Parts, monkeypatch: pytest.MonkeyPatch) -> None:
    invitation = await parts.invited()
    with monkeypatch.context() as patched:
        patched.setattr(parts.store, "close_invitation", raising(Damaged("the database cannot be read")))
        await parts.pass_time(EXPIRES)
    assert parts.invitations.open() == (invitation,)
    await parts.pass_time(UNSAVED_GRACE)
    assert parts.invitations.open() == ()
    assert parts.heard.take() == [("closed", (invitation.id, InvitationState.EXPIRED))]


async def test_while_nobody_can_answer_no_time_passes_for_it(parts: Parts) -> None:
    invitation = await parts.invited()
    await parts.store.record_heartbeat(parts.now())
    parts.invitations.pause_clocks()
    await parts.pass_time(2 * EXPIRES)
    assert parts.invitations.open() == (invitation,)
    await parts.store.credit_downtime(parts.now())
    await parts.invitations.read_deadlines()
    parts.invitations.resume_clocks()
    await parts.pass_time(EXPIRES - 1)
    assert len(parts.invitations.open()) == 1
    await parts.pass_time(1)
    assert parts.invitations.open() == ()


async def test_one_that_is_closed_while_the_deadlines_are_read_stays_closed(
    parts: Parts, monkeypatch: pytest.MonkeyPatch
) -> None:
    invitation = await parts.invited()
    parts.invitations.pause_clocks()
    read = parts.store.open_invitations

    async def slowly() -> list[Invitation]:
        found = await read()
        await asyncio.sleep(1)
        return found

    monkeypatch.setattr(parts.store, "open_invitations", slowly)
    reading = asyncio.create_task(parts.invitations.read_deadlines())
    await asyncio.sleep(0.5)
    await parts.seating.turn_down(invitation.id, ANN)
    await reading
    assert parts.invitations.open() == ()


@pytest.mark.parametrize(
    ("user", "key"), [(ANN, "challenge.own_accept"), (CAT, "challenge.not_yours")], ids=["host", "other"]
)
async def test_only_who_was_challenged_may_accept(parts: Parts, user: int, key: str) -> None:
    invitation = await parts.invited()
    with pytest.raises(Refused) as refused:
        await sit(parts, invitation.id, user)
    assert refused.value.key == key
    assert parts.invitations.open() == (invitation,)


async def test_of_two_who_accept_at_once_one_match_comes(parts: Parts) -> None:
    invitation = await parts.invited()
    both = await asyncio.gather(*(sit(parts, invitation.id, BOB) for _ in range(2)), return_exceptions=True)
    assert sorted(type(each).__name__ for each in both) == ["LiveMatch", "Refused"]
    assert len(parts.registry) == 1
    assert parts.invitations.idle


@pytest.mark.parametrize(
    ("error", "key"),
    [
        (NotSaved("the disk is full"), "store.unsaved"),
        (Busy("locked"), "store.busy"),
        (Fenced("another process serves the shards"), "store.busy"),
    ],
)
@pytest.mark.parametrize("failing", ["add_invitation", "head_to_head", "is_anybody_set_aside"])
async def test_what_cannot_be_saved_is_not_open(
    parts: Parts, monkeypatch: pytest.MonkeyPatch, error: StoreError, key: str, failing: str
) -> None:
    monkeypatch.setattr(parts.store, failing, raising(error))
    with pytest.raises(Unsaved) as unsaved:
        await parts.invited()
    assert unsaved.value.key == key
    assert parts.invitations.idle
    assert await parts.store.open_invitations() == []


@pytest.mark.parametrize("saved", [False, True])
async def test_one_that_is_closed_while_it_is_saved_stays_closed(
    parts: Parts, monkeypatch: pytest.MonkeyPatch, *, saved: bool
) -> None:
    save, invitations = parts.store.add_invitation, parts.invitations

    async def closed_meanwhile(invitation: Invitation) -> None:
        if saved:
            await save(invitation)
        await invitations.make_room(invitations.open_in(GUILD))
        if not saved:
            await save(invitation)

    monkeypatch.setattr(parts.store, "add_invitation", closed_meanwhile)
    with pytest.raises(Refused, match=r"challenge\.closed"):
        await parts.invited()
    assert (invitations.open(), await parts.store.open_invitations()) == ((), [])


async def test_one_challenge_at_a_time_of_the_same_people_to_the_same_game(parts: Parts) -> None:
    await parts.invited()
    with pytest.raises(Refused, match=r"challenge\.already_open"):
        await parts.invited()
    await parts.invited(BOB, ANN)


@pytest.mark.parametrize("closed", ["expired", "cancelled", "declined"])
async def test_challenges_that_go_unanswered_are_few_within_an_hour(parts: Parts, closed: str) -> None:
    for number in range(UNANSWERED):
        invitation = await parts.invited()
        if closed == "expired" and not number:
            await parts.pass_time(EXPIRES)
        else:
            await parts.seating.turn_down(invitation.id, ANN if closed == "cancelled" else BOB)
    with pytest.raises(Refused) as refused:
        await parts.invited()
    assert (refused.value.key, refused.value.values["limit"]) == ("limit.in_vain", UNANSWERED)
    await parts.invited(ANN, CAT)  # of others, each with their own count
    await parts.pass_time(3_600_000)
    await parts.invited()


async def test_an_accepted_challenge_counts_for_nothing(parts: Parts) -> None:
    for _ in range(UNANSWERED + 1):
        match = await parts.opened()
        for seat in (0, 1):
            await match.call_off(seat, next(press_ids))
        parts.clock.settle(match)


async def test_a_table_begins_when_its_host_says_so_and_enough_sit(parts: Parts) -> None:
    terms = Terms(GUILD, CHANNEL, "champions", GAMES["champions"].info.options(), "normal")
    table = await parts.inviting.invite(Proposal(terms, ANN, kind=InvitationKind.TABLE))

    async def start(user: int) -> LiveMatch:
        with parts.presses.take_up(table.id, next(press_ids)) as press:
            return await parts.seating.start(table.id, user, MESSAGE, press)

    with pytest.raises(Refused, match=r"table\.too_few"):
        await start(ANN)
    await sit(parts, table.id, BOB)
    with pytest.raises(Refused, match=r"table\.seated_already"):
        await sit(parts, table.id, BOB)
    with pytest.raises(Refused, match=r"table\.not_host"):
        await start(BOB)
    await sit(parts, table.id, CAT)
    assert set((await start(ANN)).seats) == {ANN, BOB, CAT}


def terms_of(game: str, channel: int = CHANNEL) -> Terms:
    return Terms(GUILD, channel, game, GAMES[game].info.options(), "normal")


async def waiting(parts: Parts, game: str, host: int, channel: int = CHANNEL) -> Invitation:
    """A table that starts by itself."""
    return await parts.inviting.invite(
        Proposal(terms_of(game, channel), host, kind=InvitationKind.TABLE, auto_start=True)
    )


@pytest.mark.parametrize("game", ["haymaker", "ciq"])
async def test_a_table_that_starts_by_itself_begins_when_enough_sit(parts: Parts, game: str) -> None:
    table = await waiting(parts, game, ANN)
    assert GAMES[game].info.seats[0] == 2
    match = await sit(parts, table.id, BOB)
    assert isinstance(match, LiveMatch)
    assert match.seats == (ANN, BOB)
    assert parts.invitations.open() == ()


async def test_a_table_that_starts_by_itself_does_so_after_a_restart(parts: Parts) -> None:
    table = await waiting(parts, "haymaker", ANN)
    await parts.close()
    again = Parts(parts.store, parts.scheduler)
    await again.invitations.resume()
    assert isinstance(await sit(again, table.id, BOB), LiveMatch)
    await again.close()


def limited(**limits: int) -> Limits:
    """The usual limits, with these instead."""
    return Limits(Settings().model_copy(update=limits))


async def test_a_table_without_room_for_its_match_stays_open(parts: Parts, monkeypatch: pytest.MonkeyPatch) -> None:
    table = await waiting(parts, "haymaker", ANN)
    monkeypatch.setattr(parts.seating, "limits", limited(max_matches_per_player=0))
    monkeypatch.setattr(parts.lifecycle, "limits", limited(max_matches_per_player=0))
    with pytest.raises(Refused, match=r"challenge\.too_many_matches"):
        await sit(parts, table.id, BOB)
    assert parts.invitations.open() == (table,)


async def test_the_tables_for_somebody_are_those_where_they_can_sit_down(parts: Parts) -> None:
    async def opened(game: str, host: int, **kinds: Any) -> str:
        await parts.pass_time(1)
        return (await parts.inviting.invite(Proposal(terms_of(game), host, kind=InvitationKind.TABLE, **kinds))).id

    first, second = await opened("ciq", ANN), await opened("haymaker", CAT, auto_start=True)
    await opened("ciq", CAT, private=True, guests=(BOB,))  # there they are asked by name
    await opened("haymaker", ANN, computers=(computer_id("normal"),))  # full
    await opened("ciq", BOB)
    await parts.invited(ANN, BOB)
    elsewhere = Terms(GUILD + 1, CHANNEL, "ciq", GAMES["ciq"].info.options(), "normal")
    await parts.inviting.invite(Proposal(elsewhere, ANN, kind=InvitationKind.TABLE))

    def found() -> list[str]:
        return [each.id for each in parts.seating.tables_for(BOB, GUILD)]

    assert found() == [first, second]
    await sit(parts, first, BOB)
    assert found() == [second]
    await parts.pass_time(EXPIRES)
    assert found() == []


async def test_no_table_is_for_somebody_who_has_no_room_for_its_match(
    parts: Parts, monkeypatch: pytest.MonkeyPatch
) -> None:
    await waiting(parts, "haymaker", ANN)
    monkeypatch.setattr(parts.seating, "limits", limited(max_matches_per_player=0))
    assert parts.seating.tables_for(BOB, GUILD) == []
    monkeypatch.setattr(parts.seating, "limits", Limits(Settings()))
    assert len(parts.seating.tables_for(BOB, GUILD)) == 1


async def test_a_lost_channel_closes_its_own_and_says_nothing(parts: Parts) -> None:
    await parts.invited()
    terms = Terms(GUILD, ELSEWHERE, "haymaker", GAMES["haymaker"].info.options(), "blitz")
    other = await parts.inviting.invite(Proposal(terms, BOB, (ANN,)))
    await parts.invitations.close_lost([each for each in parts.invitations.open() if each.channel_id == CHANNEL])
    assert parts.invitations.open() == (other,)
    assert parts.heard.take() == []


async def test_a_start_takes_up_what_was_open(parts: Parts) -> None:
    invitation = await parts.invited()
    await parts.close()
    again = Parts(parts.store, parts.scheduler)
    await again.invitations.resume()
    assert [each.id for each in again.invitations.open()] == [invitation.id]
    await again.pass_time(EXPIRES)
    assert again.heard.take() == [("closed", (invitation.id, InvitationState.EXPIRED))]
    await again.close()


async def test_a_host_who_starts_asks_those_who_have_been_quiet_whether_they_are_ready(parts: Parts) -> None:
    table = await parts.inviting.invite(Proposal(terms_of("ciq"), ANN, kind=InvitationKind.TABLE))
    await sit(parts, table.id, BOB)
    await parts.pass_time(1000 * QUIET_AFTER)
    await sit(parts, table.id, CAT)
    asked = there(await parts.seating.ask_ready(table.id, ANN))
    presence = parts.invitations.presence
    assert presence.awaited(asked) == presence.untold(asked) == (BOB,)
    assert presence.untold(there(await parts.seating.ask_ready(table.id, ANN))) == (), "each is told once"
    still = await pressed(parts, parts.seating.ready, table.id, CAT)
    assert isinstance(still, Invitation), "nobody waits for them"
    with pytest.raises(Refused, match=r"table\.not_seated"):
        await pressed(parts, parts.seating.ready, table.id, 99)
    match = await pressed(parts, parts.seating.ready, table.id, BOB)
    assert isinstance(match, LiveMatch)
    assert match.seats == (ANN, BOB, CAT)


async def test_a_match_that_waited_for_ready_does_not_begin_once_too_few_sit_there(
    parts: Parts, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(type(GAMES["ciq"].info), "seats", range(3, 7))
    table = await parts.inviting.invite(Proposal(terms_of("ciq"), ANN, kind=InvitationKind.TABLE))
    await sit(parts, table.id, BOB)
    await parts.pass_time(1000 * QUIET_AFTER)
    await sit(parts, table.id, CAT)
    assert await parts.seating.ask_ready(table.id, ANN) is not None
    await parts.seating.leave(table.id, CAT)
    still = await pressed(parts, parts.seating.ready, table.id, BOB)
    assert still.seated == (ANN, BOB)
    assert parts.invitations.open_by_id(table.id) is not None


@pytest.mark.parametrize("meanwhile", ["alone", "with a computer", "with somebody else"])
async def test_a_match_that_waited_for_ready_begins_only_when_its_new_host_starts_it(
    parts: Parts, meanwhile: str
) -> None:
    table = await parts.inviting.invite(Proposal(terms_of("ciq"), ANN, kind=InvitationKind.TABLE))
    await sit(parts, table.id, BOB)
    await parts.pass_time(1000 * QUIET_AFTER)
    if meanwhile == "with a computer":
        await parts.seating.add_computer(table.id, ANN, "normal")
    elif meanwhile == "with somebody else":
        await sit(parts, table.id, CAT)
    assert await parts.seating.ask_ready(table.id, ANN) is not None
    left, _ = await parts.seating.leave(table.id, ANN)
    assert left.host_id == BOB
    assert parts.invitations.presence.awaited(left) == ()
    still = await pressed(parts, parts.seating.ready, table.id, BOB)
    assert isinstance(still, Invitation), "nobody who sits there has started it"


async def test_c_9_a_table_begins_no_series_since_more_than_two_may_sit_there(parts: Parts) -> None:
    terms = replace(terms_of("champions"), best_of=3)
    challenge = await parts.inviting.invite(Proposal(terms, ANN, (BOB,)))
    assert challenge.series is not None
    table = await parts.inviting.invite(Proposal(terms, ANN, kind=InvitationKind.TABLE))
    assert table.series is None


async def test_one_that_is_withdrawn_while_somebody_sits_down_stays_closed(
    parts: Parts, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = await parts.inviting.invite(Proposal(terms_of("ciq"), ANN, kind=InvitationKind.TABLE))

    async def withdrawing(_guild_id: int, _users: Collection[int]) -> bool:
        await parts.invitations.withdraw(table)
        return False

    monkeypatch.setattr(parts.store, "is_anybody_set_aside", withdrawing)
    with pytest.raises(Refused, match=r"challenge\.closed"):
        await sit(parts, table.id, BOB)
    assert parts.invitations.open() == ()


async def test_a_slow_match_begins_whoever_is_there(parts: Parts) -> None:
    terms = Terms(GUILD, CHANNEL, "haymaker", GAMES["haymaker"].info.options(), "daily")
    table = await parts.inviting.invite(Proposal(terms, ANN, kind=InvitationKind.TABLE))
    await sit(parts, table.id, BOB)
    await parts.pass_time(1000 * QUIET_AFTER)
    assert await parts.seating.ask_ready(table.id, ANN) is None


async def test_who_has_pressed_anything_at_the_table_lately_is_there(parts: Parts) -> None:
    table = await parts.inviting.invite(Proposal(terms_of("ciq"), ANN, kind=InvitationKind.TABLE))
    await sit(parts, table.id, BOB)
    await parts.pass_time(1000 * QUIET_AFTER)
    for user in (BOB, CAT):
        parts.invitations.note_pressed(table.id, user)
    assert await parts.seating.ask_ready(table.id, ANN) is None
    assert parts.invitations.presence.quiet(replace(table, seated=(BOB, CAT))) == (CAT,), "nobody sits there who looked"


@pytest.mark.parametrize("why", ["may not play", "kept apart"])
async def test_no_match_begins_with_somebody_who_must_not_be_in_it_any_more(parts: Parts, why: str) -> None:
    """A moderator barred them, or one of the two blocked the other, after both had sat down."""
    admission = parts.invitations.admission
    reached: list[bool] = []

    async def may_play(_guild_id: int, user_id: int) -> None:
        if reached and why == "may not play" and user_id == BOB:
            raise Refused("moderate.you_for_good")

    async def kept_apart(_user_id: int, others: Collection[int]) -> Collection[int]:
        return [other for other in others if reached and why == "kept apart" and other == BOB]

    admission.add(may_play, kept_apart)
    table = await parts.inviting.invite(Proposal(terms_of("ciq"), ANN, kind=InvitationKind.TABLE))
    challenge = await parts.inviting.invite(Proposal(terms_of("haymaker"), BOB, (CAT,)))
    await sit(parts, table.id, BOB)
    await sit(parts, table.id, CAT)
    reached.append(True)
    for begin in (parts.seating.ask_ready(table.id, ANN), pressed(parts, parts.seating.start, table.id, ANN)):
        with pytest.raises(Refused) as refused:
            await begin
        assert (refused.value.key, refused.value.values) == ("challenge.takes_none", {"player": mention(BOB)})
    with pytest.raises(Refused, match=r"table\.not_now"):
        await sit(parts, challenge.id, CAT)
    assert {each.id for each in parts.invitations.open()} == {table.id, challenge.id}
