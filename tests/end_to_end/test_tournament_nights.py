"""Whole tournaments through the real client: an evening of 16, one of weeks, and what goes wrong."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterable
from io import StringIO
from pathlib import Path
from typing import Any

import pytest

from bot.pairing.standings import ranked
from bot.play.live_match import LiveMatch
from bot.scheduler import DAY
from bot.ui.catalogue import translations
from cogs.tournaments.queries import TournamentQueries
from cogs.tournaments.rounds import BREAK, CHECK_IN
from cogs.tournaments.rows import Hold, How, State, Whole
from cogs.tournaments.screens import BETWEEN, UNBROKEN
from discord_sandbox import MessageView, Person, Reply, Sandbox
from tests.end_to_end.cardroom import Cardroom, cardroom, eventually
from tests.end_to_end.players import chooser
from tests.end_to_end.test_my_data import delete
from tests.end_to_end.test_stuck_matches import choose, screen_of
from tests.end_to_end.test_tournaments import JOIN, MINE, MORE, file_of, may_host
from tests.faults.lost_venues import resumed_from_games

say = translations("en")
PAUSE = BREAK / 1000
NAMES = [f"P{number:02}" for number in range(1, 17)]
PLAN = {
    "people": [{"name": name} for name in (*NAMES, "Host", "Late", "Eve", "Boss")],
    "servers": [
        {
            "name": "S",
            "owner": "Boss",
            "members": [*NAMES, "Host", "Late", "Eve", "Boss"],
            "channels": [{"name": "hall"}, {"name": "annex"}],
        }
    ],
}


@pytest.fixture
async def sandbox() -> Any:
    async with Sandbox.running(PLAN) as running:
        yield running


class Night:
    """A tournament of the server S in its hall, as a script that knows everything looks on."""

    def __init__(self, sandbox: Sandbox, room: Cardroom) -> None:
        self.sandbox, self.room = sandbox, room
        self.hall, self.annex = sandbox.channel("hall"), sandbox.channel("annex")
        self.host, self.eve = sandbox.user("Host"), sandbox.user("Eve")
        self.people = {person.id: person for person in sandbox.people}
        self.queries = TournamentQueries(room.store)
        self.id = ""

    async def open(self, joining: Iterable[Person], dealt: str = "", **options: object) -> MessageView:
        """Open it and have these join."""
        may_host(self.sandbox, self.host)
        options = {"game": "haymaker", "clock": "blitz", **options}
        panel = (await self.host.slash(self.hall, "tournament new", **options)).message
        if dealt:
            (lists,) = [each for each in panel.selects if dealt in {option.label for option in each.options}]
            (value,) = [option.value for option in lists.options if option.label == dealt]
            panel = (await self.host.select(panel, custom_id=lists.custom_id, values=[value])).message
        told = await self.host.press(panel, label=say("tournament.open"))
        assert say("hosted.opened") in told.text
        known = {each.id for each in await self.queries.of_server(self.hall.server_id or 0)}
        (self.id,) = known - {self.id}
        await self.sandbox.wait_for(lambda: any(JOIN in each.labels for each in self.hall.messages))
        for person in joining:
            joined = await person.press(self.public, label=JOIN)
            assert say("tournament.you_joined") in joined.text
        return self.public

    @property
    def public(self) -> MessageView:
        """Its message."""
        return self.messages[-1]

    @property
    def seen(self) -> list[MessageView]:
        """What everybody sees in the server."""
        return [*self.hall.messages, *self.annex.messages]

    @property
    def messages(self) -> list[MessageView]:
        """All messages of tournaments in the server."""
        title = f"### {say('tournament.title', game='Haymaker')}"
        return [each for each in self.seen if title in each.text and each.labels and each.labels[-1] == MORE]

    async def whole(self) -> Whole:
        """What is kept of it."""
        found = await self.queries.whole(self.hall.server_id or 0, self.id)
        assert found is not None
        return found

    async def until(self, check: Any) -> Whole:
        """Wait until it is so; what is kept of it then."""

        async def so() -> bool:
            return bool(check(await self.whole()))

        await eventually(so)
        return await self.whole()

    async def in_round(self, number: int) -> list[LiveMatch]:
        """The matches of a round, once all of them are in play, with boards."""
        live = self.room.app.matches.live

        def are_live(whole: Whole) -> bool:
            begun = {leg.match_id for each in whole.in_round for leg in each.legs if leg.got is None}
            return bool(begun) and begun <= {match.id for match in live() if match.board_id}

        await self.until(
            lambda whole: (
                whole.tournament.round == number
                and all(each.legs or each.is_bye or each.how for each in whole.in_round)
                and are_live(whole)
            )
        )
        return [*self.room.app.matches.live()]

    async def next_round(self, number: int) -> list[LiveMatch]:
        """The same of the round after one whose matches are over."""
        await self.until(lambda whole: whole.rounds[number - 2].ended_at is not None)
        self.room.pass_time(PAUSE)
        return await self.in_round(number)

    async def forge(self, person: Person, verb: str, target: str = "", where: MessageView | None = None) -> Reply:
        """A press that no button on a screen need offer."""
        custom_id = f"g1:{target or self.id}:0:{verb}"
        return await person.press(where or self.public, custom_id=custom_id, force=True)

    async def end(self, match: LiveMatch) -> None:
        """Have the one resign whose name comes later."""
        await self.sandbox.wait_for(lambda: match.board_id in {each.id for each in self.seen})
        board = next(each for each in self.seen if each.id == match.board_id)
        person = max((self.people[user] for user in match.seats), key=lambda each: each.name)
        await self.forge(person, "leave", match.id, board)
        await eventually(lambda: _is(match.over))

    async def manage(self, label: str) -> Reply:
        """Have the host press something behind *More…*."""
        more = (await self.host.press(self.public, label=MORE)).message
        return await self.host.press(more, label=label)

    async def correct(self, which: str, label: str) -> Reply:
        """Have the host set a result."""
        more = (await self.host.press(self.public, label=MORE)).message
        chosen = await self.host.select(more, custom_id=chooser(more, "tourfix").custom_id, values=[which])
        return await self.host.press(chosen.message, label=label)


async def _is(value: object) -> object:
    return value


def recounted(whole: Whole, winners: dict[str, int | None]) -> dict[int, float]:
    """Everybody's points, counted again by who won which match, without the standings' own code."""
    points = dict.fromkeys((each.user_id for each in whole.entrants), 0.0)
    for pairing in whole.pairings:
        if pairing.how is How.BYE:
            points[pairing.people[0]] += 1
        elif pairing.got is not None:
            for user, half in zip(pairing.people, pairing.got, strict=True):
                points[user] += half / 2
        else:
            for leg in pairing.legs:
                winner = winners[leg.match_id]
                for user in pairing.people:
                    points[user] += 0.5 if winner is None else float(winner == user)
    return points


async def test_an_evening_of_sixteen_with_late_ones_leavers_and_a_correction(sandbox: Sandbox, room: Cardroom) -> None:
    night = Night(sandbox, room)
    players = [sandbox.user(name) for name in NAMES[:13]]
    late, eve = sandbox.user("Late"), night.eve
    await night.open(players, players=16, minutes=60)
    await night.manage(say("tournament.begin"))
    await sandbox.wait_for(lambda: say("tournament.i_am_here") in night.public.labels)
    for person in players[:12]:
        await person.press(night.public, label=say("tournament.i_am_here"))
    room.pass_time(CHECK_IN / 1000)
    matches = await night.in_round(1)
    assert len(matches) == 6
    assert (await night.whole()).entrant(players[12].id) is None  # missed the check-in
    assert say("tournament.left") not in (await players[12].press(night.public, label=MINE)).text
    shown, winners = set[int](), dict[str, int | None]()
    joined = await late.press(night.public, label=say("tournament.join_late"))
    assert say("tournament.you_joined_late", round=2) in joined.text
    gone, returning = players[10], players[11]
    for person in (gone, returning):
        assert say("hosted.you_left") in (await night.forge(person, "tourleave")).text
    assert say("tournament.you_came_back") in (await night.forge(returning, "tourback")).text
    for number in range(1, 5):
        if number == 3:
            assert say("tournament.paused") in (await night.manage(say("tournament.pause"))).text
            room.pass_time(10 * PAUSE)
            await sandbox.wait_for(lambda: say("tournament.hold.host") in night.public.text)
            assert (await night.whole()).tournament.round == 2
            assert say("tournament.resumed") in (await night.manage(say("tournament.resume"))).text
        if number > 1:
            matches = await night.next_round(number)
        assert len({match.deal_id for match in matches}) == 1
        for match in matches[:-1]:
            await night.end(match)
        await _learns_nothing(night, eve, matches[0])
        shown.add(night.public.id)
        await night.end(matches[-1])
        for match in matches:
            winners[match.id] = min(match.seats, key=lambda user: night.people[user].name)
        await night.until(lambda whole, number=number: whole.rounds[number - 1].ended_at is not None)
        if number == 2:
            people = (await night.whole()).of_round(1)[0].people
            corrected = await night.correct("1.1", say("tournament.draw"))
            assert say("tournament.corrected") in corrected.text
            more = (await eve.press(night.public, label=MORE)).message
            pair, drawn = BETWEEN.join(night.people[each].name for each in people), UNBROKEN.join("½½")
            audit = say("tournament.audit", player="Host", round=1, players=pair, result=drawn)
            assert audit in more.text
    whole = await night.until(lambda whole: whole.tournament.ended)
    await sandbox.wait_for(lambda: "the tournament" in night.public.text)
    assert whole.tournament.state is State.OVER
    rows = ranked(whole.tournament.format, whole.model, whole.played)
    assert {row.user_id: row.points for row in rows} == recounted(whole, winners)
    byes = [each.people[0] for each in whole.pairings if each.how is How.BYE]
    assert len(byes) == len(set(byes))
    assert len({frozenset(each.people) for each in whole.pairings}) == len(whole.pairings)
    assert all(gone.id not in each.people for each in whole.pairings if each.round > 1)
    assert {each.round for each in whole.pairings if returning.id in each.people} == {1, 2, 3, 4}
    assert {each.round for each in whole.pairings if late.id in each.people} == {2, 3, 4}
    await sandbox.wait_for(lambda: len(night.messages) == 1)
    assert len(shown) == 4  # it was edited all the time, and posted again only when a round began and at the end
    paths = tuple([f"/messages/{message_id}" for message_id in shown])
    edits = [each for each in sandbox.transcript.requests if each.path.endswith(paths)]
    assert len(edits) <= 2 * len(whole.pairings)
    await _everything_is_open(night, eve, whole)


async def _learns_nothing(night: Night, eve: Person, over: LiveMatch) -> None:
    """Somebody who looks on finds nothing of a deal that is still played: not who won, and no file, replay or proof."""
    round_ = (await night.whole()).tournament.round
    await night.sandbox.wait_for(lambda: " · over" in night.public.text)
    shown = night.public.text.split(say("tournament.closed"))[0]
    assert "**1\xa0–\xa00**" not in shown
    assert "**0\xa0–\xa01**" not in shown
    told = json.loads(await file_of(await night.forge(eve, "tourfile:json")))
    assert told["deals"] == []
    assert {each["round"] for each in told["results"]} <= set(range(1, round_))
    written = (await file_of(await night.forge(eve, "tourfile:csv"))).decode("utf-8-sig")
    assert {int(row["round"]) for row in csv.DictReader(StringIO(written))} <= set(range(1, round_))
    assert (await night.forge(eve, "tourproof")).text == say("tournament.not_over")
    assert (await night.forge(eve, "tourfix:1.1")).text == say("hosted.not_yours")
    board = next(each for each in night.hall.messages if each.id == over.board_id)
    assert all(seat not in board.text for seat in ("wins", "resigned"))
    for verb, told_why in (("export", "shared.closed"), (f"replayopen:{over.id}", "replay.unknown")):
        reply = await night.forge(eve, verb, over.id)
        assert (reply.visibility, reply.text) == ("ephemeral", say(told_why)), verb
    assert (await eve.slash(night.hall, "verify", code=over.id)).visibility == "ephemeral"
    held = [each for each in await night.queries.deals(night.hall.server_id or 0, night.id) if each.round == round_]
    seen = [str(each.raw) for each in night.hall.seen_by(eve)]
    assert not any(each.seed.hex() in message for each in held for message in seen)


async def _everything_is_open(night: Night, eve: Person, whole: Whole) -> None:
    """After the end everybody can look at everything, and check it."""
    proof = await night.forge(eve, "tourproof")
    told = json.loads(await file_of(await night.forge(eve, "tourfile:json")))
    assert [deal["round"] for deal in told["deals"]] == [1, 2, 3, 4]
    assert all(deal["seed"] in proof.text for deal in told["deals"])
    assert len(told["results"]) == len(whole.pairings)
    one = whole.pairings[0].legs[0].match_id
    verified = await eve.slash(night.hall, "verify", code=one)
    assert told["deals"][0]["seed"] in verified.text
    ids = {str(user) for user in night.people}
    assert not any(user in json.dumps(told) for user in ids)


async def test_a_cup_of_weeks_goes_on_over_restarts_and_nobody_waits_longer_than_a_week(
    sandbox: Sandbox, tmp_path: Path
) -> None:
    week, played = 7 * DAY / 1000, 0.0
    async with cardroom(sandbox, tmp_path) as room:
        night = Night(sandbox, room)
        await night.open([sandbox.user(name) for name in NAMES[:4]], players=4, clock="daily", rounds="week")
        first, second = await night.in_round(1)
        assert first.deal_id != second.deal_id
        await night.end(first)
        await sandbox.wait_for(lambda: "**1\xa0–\xa00**" in night.public.text or "**0\xa0–\xa01**" in night.public.text)
        tournament = night.id
        room.pass_time(played := week / 2)
    async with cardroom(sandbox, tmp_path, ahead=played) as room:
        night = Night(sandbox, room)
        night.id = tournament
        for _ in range(2):  # the second match is played by nobody, so its clock ends it
            room.pass_time(week / 4)
        await night.until(lambda whole: whole.tournament.round == 2)
        whole = await night.whole()
        assert {each.how for each in whole.of_round(1)} <= {How.PLAYED, How.LATE}
        assert whole.rounds[1].began_at - whole.rounds[0].began_at >= 7 * DAY
        for match in await night.in_round(2):
            await night.end(match)
        whole = await night.until(lambda whole: whole.tournament.ended)
        assert [each.ended_at is not None for each in whole.rounds] == [True, True]
        await sandbox.wait_for(lambda: "the tournament" in night.public.text)


async def test_bars_deletions_and_a_lost_channel_stop_nobody_else(sandbox: Sandbox, room: Cardroom) -> None:
    night = Night(sandbox, room)
    boss = sandbox.user("Boss")
    players = [sandbox.user(name) for name in NAMES[:6]]
    barred, deleted = players[4], players[5]
    await night.open(players, players=6)
    cup = night.id
    matches = await night.in_round(1)
    other = await night.open([sandbox.user("Late")], players=4)
    assert (await players[0].press(other, label=JOIN)).text == say("tournament.in_another")
    assert (await night.forge(players[0], "tourjoin", cup)).visibility == "ephemeral"
    (other_id, night.id) = (night.id, cup)
    assert (await deleted.slash(night.hall, "mydata delete")).text == say("mydata.playing")
    for match in matches:
        await night.end(match)
    await choose(boss, await screen_of(boss, night.hall, barred), "bar", "day")
    await choose(boss, await screen_of(boss, night.hall, night.host), "bar", "day")
    kept_away = say("moderate.you", when="|").split("|")[0]
    assert (await night.forge(night.host, "tourpause")).text.startswith(kept_away)
    await delete(sandbox, deleted, night.hall)
    matches = await night.next_round(2)
    whole = await night.whole()
    assert whole.entrant(deleted.id) is None
    assert {user for each in whole.in_round for user in each.people} == {each.id for each in players[:4]}
    assert (await night.forge(barred, "tourback")).text.startswith(kept_away)
    await night.end(matches[0])
    sandbox.delete_channel(night.hall)
    await night.until(lambda whole: whole.tournament.hold is Hold.VENUE)
    own = await players[0].slash(night.annex, "tournament me")
    assert say("tournament.hold.place") in own.text
    more = (await boss.slash(night.annex, "tournament me")).message
    more = (await boss.press(more, label=MORE)).message
    resumed = await boss.press(more, label=say("tournament.resume"))
    assert say("tournament.resumed") in resumed.text
    await sandbox.wait_for(lambda: bool(night.messages))
    stuck = night.people[matches[1].seats[0]]
    await resumed_from_games(stuck, night.annex)
    await night.end(matches[1])
    for match in await night.next_round(3):
        assert match.channel_id == night.annex.id
        await night.end(match)
    whole = await night.until(lambda whole: whole.tournament.ended)
    assert whole.tournament.state is State.OVER
    assert (await TournamentQueries(room.store).find(whole.tournament.guild_id, other_id)) is not None
