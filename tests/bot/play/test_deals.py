"""Deals: sealed when the invitation is made, salted until the match begins, dealt as they were sealed."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from bot.games import GAMES
from bot.play.deals.proof import check
from bot.play.deals.sealing import LONGEST
from bot.play.live_match import LiveMatch
from bot.play.matchmaking.invitations import Proposal, Terms
from bot.play.refusals import Refused
from bot.store.errors import Damaged
from bot.store.queries.invitations import Invitation, InvitationKind, Series, StandIn
from bot.store.verification import opens_seal
from engines.deals import NO_SALT, VERSION, salt_digest
from tests.bot.play.parts import ANN, BOB, CAT, CHANNEL, GUILD, MESSAGE, Parts, press_ids
from tests.failing_rules import raising
from tests.known import there


async def sit(parts: Parts, invitation_id: str, user: int) -> Any:
    with parts.presses.take_up(invitation_id, next(press_ids)) as press:
        return await parts.seating.take_seat(invitation_id, user, MESSAGE, press)


async def started(parts: Parts, invitation_id: str, user: int) -> LiveMatch:
    with parts.presses.take_up(invitation_id, next(press_ids)) as press:
        return await parts.seating.start(invitation_id, user, MESSAGE, press)


async def refusal(parts: Parts, invitation: Invitation, user: int, text: str = "x") -> str:
    with pytest.raises(Refused) as refused:
        await parts.seating.add_salt(invitation.id, user, text)
    return refused.value.key


async def a_table(parts: Parts) -> Invitation:
    terms = Terms(GUILD, CHANNEL, "ciq", GAMES["ciq"].info.options(), "normal")
    return await parts.inviting.invite(Proposal(terms, ANN, kind=InvitationKind.TABLE))


# ------------------------------------------------------------------------------------ the seal


async def test_a_new_invitation_has_a_deal_that_its_seal_binds_whole(parts: Parts) -> None:
    invitation = await parts.invited()
    assert (invitation.deal_version, invitation.rules_version) == (VERSION, GAMES[invitation.game].info.rules_version)
    assert opens_seal(invitation)
    assert invitation.deal_id != invitation.id
    for change in (
        {"seed": bytes(32)},
        {"game": "ciq"},
        {"rules_version": 99},
        {"deal_id": "another"},
        {"sealed_options": '{"other":1}'},
        {"options": '{"type":"Options","v":1,"other":1}'},
        {"deal_version": 1},
        {"deal_version": 2},
        {"deal_version": 4},
        {"clock": "relaxed"},
        {"clock": "never"},
        {"stand_in": StandIn.RATED},
        {"series": Series("first", 3)},
    ):
        assert not opens_seal(replace(invitation, **change)), change


async def test_a_match_is_dealt_under_the_rules_version_that_was_sealed(
    parts: Parts, monkeypatch: pytest.MonkeyPatch
) -> None:
    ciq = GAMES["ciq"]
    with monkeypatch.context() as before_the_deploy:
        before_the_deploy.setattr(type(ciq), "info", replace(ciq.info, rules_version=1))
        terms = Terms(GUILD, CHANNEL, "ciq", ciq.info.options(), "normal")
        invitation = await parts.inviting.invite(Proposal(terms, ANN, (BOB,)))
    match = await sit(parts, invitation.id, BOB)
    row = there(await parts.store.match(match.id))
    assert row.rules_version == 1 < ciq.info.rules_version
    records = await parts.store.records(match.id)
    check(row, records)
    assert opens_seal(row)


async def test_a_deal_that_newer_rules_sealed_is_not_dealt_and_stays_open(
    parts: Parts, monkeypatch: pytest.MonkeyPatch
) -> None:
    ciq = GAMES["ciq"]
    with monkeypatch.context() as after_the_deploy:
        after_the_deploy.setattr(type(ciq), "info", replace(ciq.info, rules_version=99))
        terms = Terms(GUILD, CHANNEL, "ciq", ciq.info.options(), "normal")
        invitation = await parts.inviting.invite(Proposal(terms, ANN, (BOB,)))
    with pytest.raises(Refused, match=r"challenge\.newer_rules"):
        await sit(parts, invitation.id, BOB)
    assert [each.id for each in parts.invitations.open()] == [invitation.id]


# ------------------------------------------------------------------------------------ salts


async def test_each_player_of_a_challenge_may_add_one_salt_and_it_stays(parts: Parts) -> None:
    invitation = await parts.invited()
    await parts.seating.add_salt(invitation.id, BOB, "  from Bob ")
    salted = await parts.seating.add_salt(invitation.id, ANN, "from Ann")
    assert salted.salts == ((BOB, "from Bob"), (ANN, "from Ann"))
    assert await refusal(parts, invitation, BOB, "another") == "salt.added_already"
    assert await refusal(parts, invitation, CAT) == "salt.not_playing"
    assert there(await parts.store.invitation(invitation.id))[0].salts == salted.salts


async def test_a_salt_is_neither_empty_nor_too_long(parts: Parts) -> None:
    invitation = await parts.invited()
    assert await refusal(parts, invitation, ANN, " \t ") == "salt.empty"
    assert await refusal(parts, invitation, ANN, "x" * (LONGEST + 1)) == "salt.too_long"
    assert (await parts.seating.add_salt(invitation.id, ANN, "x" * LONGEST)).salts


async def test_salts_take_part_in_the_deal_seat_by_seat(parts: Parts) -> None:
    invitation = await parts.invited()
    await parts.seating.add_salt(invitation.id, BOB, "from Bob")
    match = await sit(parts, invitation.id, BOB)
    row = there(await parts.store.match(match.id))
    assert [salt.digest for salt in row.salts] == [NO_SALT, salt_digest("from Bob")]
    records = await parts.store.records(match.id)
    check(row, records)
    with pytest.raises(Exception, match="does not follow"):
        check(replace(row, salts=row.salts[::-1]), records)


async def test_once_the_match_has_begun_there_is_no_salt_to_add(parts: Parts) -> None:
    invitation = await parts.invited()
    await sit(parts, invitation.id, BOB)
    assert await refusal(parts, invitation, ANN) == "challenge.closed"


async def test_at_a_table_those_who_sit_add_salts_and_take_them_along_when_they_leave(parts: Parts) -> None:
    table = await a_table(parts)
    assert await refusal(parts, table, BOB) == "salt.not_seated"
    for user in (BOB, CAT):
        await sit(parts, table.id, user)
        await parts.seating.add_salt(table.id, user, f"salt of {user}")
    await parts.seating.kick(table.id, ANN, BOB)
    left, _ = await parts.seating.leave(table.id, CAT)
    assert left.salts == ()
    await sit(parts, table.id, BOB)
    await parts.seating.add_salt(table.id, BOB, "again")
    match = await started(parts, table.id, ANN)
    row = there(await parts.store.match(match.id))
    assert [salt.text for salt in row.salts] == ["", "again"]


async def test_a_salt_that_could_not_be_saved_was_not_added(parts: Parts, monkeypatch: pytest.MonkeyPatch) -> None:
    invitation = await parts.invited()
    with monkeypatch.context() as patched:
        patched.setattr(parts.store, "reseat_invitation", raising(Damaged("the database cannot be read")))
        with pytest.raises(Damaged):
            await parts.seating.add_salt(invitation.id, ANN, "x")
    assert (await parts.seating.add_salt(invitation.id, ANN, "x")).salts == ((ANN, "x"),)
