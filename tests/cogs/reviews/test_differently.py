"""Matches that are begun from an earlier one, with the cards as they lay there."""

from __future__ import annotations

import random
from collections.abc import Awaitable, Callable
from dataclasses import replace

import pytest

from bot.play.deals.match_export import ExportedMatch, NotAnExportError, export, read, write
from bot.play.deals.proof import Finding, Verdict, judge
from bot.play.live_match import LiveMatch
from bot.play.matchmaking.invitations import Proposal, Terms
from bot.play.refusals import Refused
from bot.store import verification
from bot.store.queries.invitations import Invitation, InvitationKind, InvitationState
from bot.store.queries.matches import MatchRow
from bot.store.special_ids import computer_id, is_computer
from bot.store.verification import Altered, verify
from bot.telemetry import NO_TELEMETRY
from bot.ui.catalogue import translations
from bot.ui.screen import Button
from cogs.reviews.openings import Opening, opening_before
from cogs.screens.invitation import invitation_screen
from engines.game import Event, Resign
from engines.players.review import PERSON
from laws.bodies import bodies
from laws.knowledge import exchanged
from laws.play import random_act
from tests.bot.play.exported import rechained, with_record
from tests.bot.play.parts import ANN, CAT, CHANNEL, GUILD, MESSAGE, Parts, an_act, on_turn, press_ids
from tests.bot.store.memory_store import MemoryStore
from tests.bot.store.rows import standings_of
from tests.games.cases import case_of

ACT = 7
"""The act before which the matches here begin."""
GAMES = ("haymaker", "unbreakable", "champions", "ciq")


async def ended(parts: Parts, game: str = "haymaker") -> LiveMatch:
    """A match of a few moves that somebody has given up."""
    match, rng = await parts.opened(game=game), random.Random(3)
    for _ in range(ACT + 2):
        seat = min(match.awaited)
        await match.act(seat, random_act(match.choices(seat), rng), interaction_id=next(press_ids))
    await match.act(1, Resign(), interaction_id=next(press_ids))
    parts.clock.settle(match)
    assert match.over
    return match


async def opening_of(parts: Parts, match: LiveMatch, number: int = ACT) -> Opening:
    return opening_before(match, await parts.store.records(match.id), number)


async def asked(parts: Parts, match: LiveMatch, opening: Opening, user: int = CAT) -> Invitation:
    """The invitation to a match from an opening, against a computer."""
    terms = Terms(GUILD, CHANNEL, match.game.info.key, match.options, "blitz")
    places = (user, computer_id("normal"))
    return await parts.inviting.invite(
        Proposal(
            terms,
            user,
            kind=InvitationKind.TABLE,
            places=places if opening.seat == 0 else places[::-1],
            computers=places[1:],
            private=True,
            origin=opening.origin,
        )
    )


async def begun(parts: Parts, match: LiveMatch, number: int = ACT) -> LiveMatch:
    """A match that somebody has begun from just before an act."""
    invitation = await asked(parts, match, await opening_of(parts, match, number))
    return await started(parts, invitation)


async def started(parts: Parts, invitation: Invitation) -> LiveMatch:
    with parts.presses.take_up(invitation.id, next(press_ids)) as press:
        return await parts.seating.start(invitation.id, invitation.host_id, MESSAGE, press)


async def row_of(parts: Parts, match: LiveMatch) -> MatchRow:
    row = await parts.store.match(match.id)
    assert row is not None
    return row


# ---------------------------------------------------------------------------------------------- how it begins


async def test_its_review_is_told_who_sat_where(parts: Parts) -> None:
    again = await begun(parts, await ended(parts))
    await again.act(again.seat_of(CAT), Resign(), interaction_id=next(press_ids))
    request = again.review_request(await parts.store.records(again.id))
    assert sorted(request.players) == ["normal", PERSON]
    assert request.players.index(PERSON) == again.seat_of(CAT)


@pytest.mark.parametrize("game", GAMES)
async def test_it_begins_with_the_cards_as_they_lay_and_a_computer_on_the_other_seat(parts: Parts, game: str) -> None:
    match = await ended(parts, game)
    again = await begun(parts, match)
    facts = await again.read_events()
    assert facts == tuple(match.events[: len(facts)])
    (actor,) = [record.actor for record in await parts.store.records(match.id) if record.seq == ACT]
    assert again.seat_of(CAT) == actor
    assert [is_computer(user) for user in again.seats].count(True) == 1
    assert again.private(actor or 0) == match.earlier(len(facts), actor or 0)[1]
    assert actor in again.awaited
    assert again.can_call_off
    (record,) = await parts.store.records(again.id)
    assert (record.seq, record.actor, record.action) == (0, None, None)


async def test_it_has_a_seed_of_its_own_for_what_is_drawn_later(parts: Parts) -> None:
    match = await ended(parts)
    first, second = await begun(parts, match), await begun(parts, match)
    seeds = {(await row_of(parts, each)).seed for each in (match, first, second)}
    assert len(seeds) == 3


async def test_it_goes_on_after_a_restart_and_never_counts(parts: Parts) -> None:
    match = await ended(parts)
    before = await standings_of(parts.store, match.seats)
    again = await begun(parts, match)
    await again.act(on_turn(again), an_act(again), interaction_id=next(press_ids))
    other = Parts(parts.store, parts.scheduler)
    await other.restore_all()
    (restored,) = other.registry.live()
    assert (restored.origin, restored.position.state, restored.window_number) == (
        again.origin,
        again.position.state,
        again.window_number,
    )
    for viewer in (None, 0, 1):
        assert bodies(case_of("haymaker"), restored, viewer) == bodies(case_of("haymaker"), again, viewer)
    while not restored.over:
        await restored.act(on_turn(restored), an_act(restored), interaction_id=next(press_ids))
    assert restored.result is not None
    assert not restored.result.counted
    assert await standings_of(parts.store, match.seats) == before
    await other.close()


async def test_a_restart_before_the_start_loses_nothing_and_the_invitation_says_that_it_is_practice(
    parts: Parts,
) -> None:
    match = await ended(parts)
    opening = await opening_of(parts, match)
    invitation = await asked(parts, match, opening)
    other = Parts(parts.store, parts.scheduler)
    await other.invitations.resume()
    (open_again,) = other.invitations.open()
    assert open_again == invitation
    assert not open_again.is_rematch
    words = translations("en")
    screen = invitation_screen(open_again, InvitationState.OPEN, case_of("haymaker").presenter, words, str)
    assert screen.footer == words("deal.practice")
    assert [control.press.verb for row in screen.rows for control in row if isinstance(control, Button)] == [
        *("join", "start", "more")
    ]
    again = await started(other, open_again)
    assert again.origin == opening.origin
    assert len(await again.read_events()) == opening.origin.facts
    await other.close()


async def test_even_among_people_it_would_not_count(parts: Parts) -> None:
    match = await ended(parts)
    opening = await opening_of(parts, match, 1)
    terms = Terms(GUILD, CHANNEL, "haymaker", match.options, "blitz")
    invitation = await parts.inviting.invite(Proposal(terms, ANN, (CAT,), places=(ANN, CAT), origin=opening.origin))
    with parts.presses.take_up(invitation.id, next(press_ids)) as press:
        again = await parts.seating.take_seat(invitation.id, CAT, MESSAGE, press)
    assert isinstance(again, LiveMatch)
    rng = random.Random(3)
    while not again.over:
        acts = random_act(again.choices(on_turn(again)), rng)
        await again.act(on_turn(again), acts, interaction_id=next(press_ids))
    assert again.result is not None
    assert again.position.acts >= again.game.info.shortest_counted
    assert not again.result.counted


async def test_one_can_begin_from_a_match_that_was_itself_begun_so(parts: Parts) -> None:
    match = await ended(parts)
    again = await begun(parts, match, 1)
    for _ in range(3):
        await again.act(on_turn(again), an_act(again), interaction_id=next(press_ids))
    await again.act(0, Resign(), interaction_id=next(press_ids))
    parts.clock.settle(again)
    third = await begun(parts, again, 2)
    assert third.origin is not None
    assert third.origin.match_id == again.id
    assert list(await third.read_events()) == list(again.events[: third.origin.facts])


# ---------------------------------------------------------------------------------------------- what is refused


@pytest.mark.parametrize("number", [0, 10, 11, 999_999])
async def test_nobody_begins_before_an_act_that_was_none_or_that_gave_up(parts: Parts, number: int) -> None:
    match = await ended(parts)
    assert len(await parts.store.records(match.id)) == 11
    with pytest.raises(Refused, match="no_move") as refused:
        await opening_of(parts, match, number)
    assert refused.value.key == "differently.no_move"


async def test_the_cards_of_a_match_that_is_played_are_never_taken(parts: Parts) -> None:
    match = await parts.opened()
    with pytest.raises(RuntimeError):
        opening_before(match, await parts.store.records(match.id), 1)


async def test_a_match_by_older_rules_is_refused(parts: Parts) -> None:
    match = await ended(parts)
    older = LiveMatch(
        replace(await row_of(parts, match), rules_version=match.rules_version - 1), parts.store, parts.now, NO_TELEMETRY
    )
    older.replay(await parts.store.records(match.id), (), match.result)
    with pytest.raises(Refused) as refused:
        await opening_of(parts, older)
    assert refused.value.key == "differently.other_rules"


async def test_nothing_begins_from_a_match_that_was_purged_or_altered_meanwhile(parts: Parts) -> None:
    match = await ended(parts)
    opening = await opening_of(parts, match)
    lost = replace(opening, origin=replace(opening.origin, match_id="lost"))
    other = replace(opening, origin=replace(opening.origin, digest=bytes(32)))
    for each, key in ((lost, "differently.gone"), (other, "challenge.deal_altered")):
        invitation = await asked(parts, match, each)
        with pytest.raises(Refused) as refused:
            await started(parts, invitation)
        assert refused.value.key == key
        assert parts.invitations.open_by_id(invitation.id) is not None


async def test_who_plays_is_settled_and_there_is_nothing_to_salt(parts: Parts) -> None:
    match = await ended(parts)
    invitation = await asked(parts, match, await opening_of(parts, match))
    changes: list[tuple[Callable[[], Awaitable[object]], str]] = [
        (lambda: parts.seating.add_computer(invitation.id, CAT, "easy"), "differently.settled"),
        (lambda: parts.seating.kick(invitation.id, CAT, computer_id("normal")), "differently.settled"),
        (lambda: parts.seating.ask(invitation.id, CAT, (ANN,)), "differently.settled"),
        (lambda: parts.seating.add_salt(invitation.id, CAT, "apple"), "salt.practice"),
    ]
    for change, key in changes:
        with pytest.raises(Refused) as refused:
            await change()
        assert refused.value.key == key


# ---------------------------------------------------------------------------------------------- what it proves


async def exported_match(parts: Parts) -> ExportedMatch:
    match = await ended(parts)
    again = await begun(parts, match, 1)
    for _ in range(3):
        seat = on_turn(again)
        mark = "normal 1" if again.has_computer(seat) else None
        await again.act(seat, an_act(again), interaction_id=next(press_ids), computer=mark)
    await again.act(again.seats.index(CAT), Resign(), interaction_id=next(press_ids))
    row, records, result = await row_of(parts, again), await parts.store.records(again.id), again.result
    assert result is not None
    stored = await parts.store.result(again.id)
    return read(write(export(row, records, stored, 1)))


async def test_a_verdict_calls_it_no_proof_and_finds_what_was_altered(parts: Parts) -> None:
    match = await exported_match(parts)

    def found(altered: ExportedMatch) -> Verdict:
        return judge(altered.row, altered.records, altered.result, altered.sealed_at)

    whole = found(match)
    assert (whole.fits, whole.is_wrong, whole.seal, whole.options, whole.salts) == (False, False, None, None, None)
    assert (whole.deal, whole.acts, whole.log, whole.end) == (Finding.NOT_DEALT, *[Finding.FITS] * 3)
    other = found(rechained(with_record(match, 0, events=match.records[0].events.replace('"rank":3', '"rank":4'))))
    assert other.deal is Finding.DOES_NOT_FIT
    assert other.is_wrong
    assert found(with_record(match, 2, events="[]")).log is Finding.DOES_NOT_FIT
    assert found(rechained(with_record(match, 2, events="[]"))).acts is Finding.DOES_NOT_FIT


async def test_the_file_has_no_seal_and_says_where_the_match_began(parts: Parts) -> None:
    match = await exported_match(parts)
    told = export(match.row, match.records, match.result, 1)
    assert "seal" not in told["deal"]
    assert match.row.origin is not None
    assert told["begun_from"] == {
        "match": match.row.origin.match_id,
        "facts": match.row.origin.facts,
        "sha256": match.row.origin.digest.hex(),
    }
    for wrong in (
        {**told, "begun_from": {**told["begun_from"], "facts": 0}},
        {**told, "begun_from": None},
        {**told, "deal": {**told["deal"], "seal": "0" * 64}},
        {name: part for name, part in told.items() if name != "begun_from"},
    ):
        with pytest.raises(NotAnExportError):
            read(write(wrong))


async def test_an_altered_opening_is_found_when_the_match_is_taken_up_even_with_a_new_chain(parts: Parts) -> None:
    match = await ended(parts)
    again = await begun(parts, match)
    row, records = await row_of(parts, again), await parts.store.records(again.id)
    verify(row, records, None)
    changed = replace(records[0], events=records[0].events.replace('"rank":3', '"rank":4'))
    assert changed.events != records[0].events
    for altered in (changed, replace(changed, chain=verification.link_of(verification.first_link(row.id), changed))):
        with pytest.raises(Altered):
            verify(row, [altered], None)


# ---------------------------------------------------------------------------------------------- secrecy


@pytest.mark.parametrize("game", GAMES)
async def test_a_computer_and_every_screen_know_only_what_their_seat_had_seen(parts: Parts, game: str) -> None:
    match = await ended(parts, game)
    again = await begun(parts, match)
    case, row = case_of(game), await row_of(parts, again)
    pack = again.game.pack(again.options, 2).cards
    changed, facts = 0, await again.read_events()

    def dealt(facts: tuple[Event, ...]) -> LiveMatch:
        made = LiveMatch(row, MemoryStore(now=parts.now), lambda: 0, NO_TELEMETRY)
        made.deal(facts)
        return made

    for seat in range(2):
        others = exchanged(case, pack, facts, seat, random.Random(seat))
        changed += others != facts
        mine, theirs = dealt(facts), dealt(others)
        assert mine.question(seat, "normal", 0, facts) == theirs.question(seat, "normal", 0, others)
        assert bodies(case, mine, seat) == bodies(case, theirs, seat)
    others = exchanged(case, pack, facts, None, random.Random(9))
    assert bodies(case, dealt(facts), None) == bodies(case, dealt(others), None)
    assert changed
