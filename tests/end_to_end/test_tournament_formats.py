"""Tournaments of teams and of tables, as people have them on Discord."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator

import pytest

from bot.games import game_title
from bot.play.live_match import LiveMatch
from bot.ui.catalogue import translations
from bot.ui.isolation import mention
from cogs.tournaments.queries import TournamentQueries
from cogs.tournaments.rounds import BREAK
from discord_sandbox import DrivenChannel, MessageView, Person, Sandbox
from tests.end_to_end.cardroom import Cardroom
from tests.end_to_end.players import chooser
from tests.end_to_end.test_tournaments import JOIN, MORE, file_of, may_host, public, resigned

say = translations("en")
NAMES = ("Alice", "Bob", "Carol", "Dave", "Erin", "Frank", "Grace", "Heidi")


async def panel(host: Person, lobby: DrivenChannel, sandbox: Sandbox, label: str, **options: object) -> MessageView:
    """The public message of a tournament that a host has opened, after this was chosen on the panel."""
    may_host(sandbox, host)
    options = {"game": "haymaker", "clock": "blitz", **options}
    shown = (await host.slash(lobby, "tournament new", **options)).message
    select, value = next(
        (select, option.value) for select in shown.selects for option in select.options if option.label == label
    )
    shown = (await host.select(shown, custom_id=select.custom_id, values=[value])).message
    told = await host.press(shown, label=say("tournament.open"))
    assert say("hosted.opened") in told.text
    await sandbox.wait_for(lambda: any(JOIN in each.labels for each in lobby.messages))
    return next(each for each in lobby.messages if JOIN in each.labels)


@pytest.fixture
async def sandbox() -> AsyncIterator[Sandbox]:
    plan = {
        "application": {"name": "Your Bot"},
        "people": [{"name": name} for name in NAMES],
        "servers": [{"name": "First Server", "channels": [{"name": "lobby"}]}],
    }
    async with Sandbox.running(plan) as running:
        yield running


async def test_eight_people_play_in_four_teams(sandbox: Sandbox, room: Cardroom) -> None:
    people = {person.id: person for person in map(sandbox.user, NAMES)}
    lobby, named = sandbox.channel("lobby"), {person.name: person for person in people.values()}
    alice, heidi = named["Alice"], named["Heidi"]
    message = await panel(alice, lobby, sandbox, say("tournament.dealt.teams"), players=8)
    own = (await alice.press(message, label=JOIN)).message
    assert say("tournament.no_partner") in own.text
    asked = await alice.select(own, custom_id=chooser(own, "tourask").custom_id, values=[str(heidi.id)])
    assert say("tournament.you_asked", player=mention(heidi.id)) in asked.text
    await sandbox.wait_for(lambda: say("tournament.asks", player="Alice", other=mention(heidi.id)) in message.text)
    theirs = (await heidi.press(message, label=JOIN)).message
    agreed = await heidi.press(theirs, label=say("tournament.play_with", player="Alice"))
    assert say("tournament.partner", player="Alice") in agreed.text
    await sandbox.wait_for(lambda: say("tournament.team", first="Alice", second="Heidi") in message.text)
    assert say("tournament.partner", player="Heidi") in (await alice.slash(lobby, "tournament me")).text
    for name in NAMES[1:-1]:
        await named[name].press(message, label=JOIN)
    for number in (1, 2):
        if number > 1:
            await sandbox.wait_for(lambda: "The next round starts" in public(lobby).text)
            room.pass_time(BREAK / 1000)
        await sandbox.wait_for(lambda: len([*room.app.matches.live()]) == 4)
        playing = [*room.app.matches.live()]
        assert len({match.deal_id for match in playing}) == 1
        assert {alice.id, heidi.id} not in [set(match.seats) for match in playing]
        assert say("tournament.partner", player="Alice") in (await heidi.slash(lobby, "tournament me")).text
        for match in playing:
            loser = next((user for user in match.seats if user not in {alice.id, heidi.id}), match.seats[1])
            await resigned(sandbox, people[loser], lobby, match)
    team = say("tournament.team", first="Alice", second="Heidi")
    await sandbox.wait_for(
        lambda: any(
            say.count("tournament.teams_won", 1, players=each) in public(lobby).text
            for each in (team, say("tournament.team", first="Heidi", second="Alice"))
        )
    )
    more = (await alice.press(public(lobby), label=MORE)).message
    told = json.loads(await file_of(await alice.press(more, label=say("tournament.json"))))
    assert len(told["results"]) == 8
    assert sorted(seed for both in told["teams"].values() for seed in both) == [*range(1, 9)]
    assert {row["team"] for row in told["standings"]["rows"]} == {1, 2, 3, 4}
    assert (told["standings"]["rows"][0]["points"], len(told["deals"])) == (2, 2)


async def test_seven_people_play_the_same_deals_at_tables_of_three(sandbox: Sandbox, room: Cardroom) -> None:
    people = {person.id: person for person in map(sandbox.user, NAMES[:7])}
    lobby, host = sandbox.channel("lobby"), next(iter(people.values()))
    queries = TournamentQueries(room.store)
    label = say("tournament.format.tables", seats=3)
    message = await panel(host, lobby, sandbox, label, game="champions", players=7)
    assert say("tournament.about.tables", seats=3) in message.text
    assert say("tournament.by_places") in message.text
    for person in people.values():
        await person.press(message, label=JOIN)
    (cup,) = await queries.of_server(lobby.server_id or 0)
    points = dict.fromkeys(people, 0.0)

    def shown() -> MessageView:
        title = say("tournament.title", game=game_title("champions"))
        return [each for each in lobby.messages if title in each.text and MORE in each.labels][-1]

    def boards() -> set[int | None]:
        return {match.board_id for match in room.app.matches.live()}

    async def resigns(user: int, match: LiveMatch) -> None:
        board = next(each for each in lobby.messages if each.id == match.board_id)
        await people[user].press(board, custom_id=f"g1:{match.id}:0:leave", force=True)

    for number in (1, 2, 3):
        if number > 1:
            await sandbox.wait_for(lambda: "The next round starts" in shown().text)
            room.pass_time(BREAK / 1000)
        await sandbox.wait_for(lambda: len([*room.app.matches.live()]) == 3)
        playing = [*room.app.matches.live()]
        await sandbox.wait_for(lambda: boards() <= {each.id for each in lobby.messages})
        assert sorted(len(each.seats) for each in playing) == [2, 2, 3]
        assert len({each.deal_id for each in playing}) == 1
        large = max(playing, key=lambda each: len(each.seats))
        me, *others = large.seats
        told = (await people[me].slash(lobby, "tournament me")).text
        assert (
            say("tournament.you_play", round=number, player=say.all_of([people[each].name for each in others])) in told
        )
        for match in playing:
            order = sorted(match.seats, key=lambda user: people[user].name)
            for user in order[:0:-1]:
                await resigns(user, match)
            await sandbox.wait_for(lambda: match.id not in {each.id for each in room.app.matches.live()})  # noqa: B023  at once
            for index, user in enumerate(order):
                points[user] += 1 - index / (len(order) - 1)
            if match is not playing[-1]:
                assert say("tournament.closed") in shown().text
    await sandbox.wait_for(lambda: say.count("tournament.won", 1, players="Alice") in shown().text)
    whole = await queries.whole(lobby.server_id or 0, cup.id)
    assert whole is not None
    assert len({leg.deal for each in whole.pairings for leg in each.legs}) == 3
    more = (await host.press(shown(), label=MORE)).message
    which = chooser(more, "tourfix")
    table = next(each for each in whole.of_round(1) if len(each.people) == 3)
    first = (await host.select(more, custom_id=which.custom_id, values=[f"1.{table.number}"])).message
    assert chooser(first, "tourfix").placeholder == say("tournament.correct_place", place=1)
    for order_so_far in ("2", "20"):  # who was on the last seat wins, before who was on the first
        asked = chooser(first, "tourfix" if order_so_far == "2" else "tourresult")
        first = (
            await host.select(first, custom_id=asked.custom_id, values=[f"1.{table.number}.{order_so_far}"])
        ).message
    assert say("tournament.corrected") in first.text
    before = sorted(table.people, key=lambda user: people[user].name)
    for index, user in enumerate(before):
        points[user] += {0: 0.5, 1: 0.0, 2: 1.0}[table.people.index(user)] - (1 - index / 2)
    told = json.loads(await file_of(await host.press(first, label=say("tournament.json"))))
    by_name = {told["players"][str(row["player"])]: row["points"] for row in told["standings"]["rows"]}
    assert by_name == {people[user].name: each for user, each in points.items()}
    assert (told["seats"], len(told["deals"])) == (3, 3)
    csv = (await file_of(await host.press(first, label=say("tournament.csv")))).decode("utf-8-sig")
    assert len(csv.splitlines()) == 10
    assert csv.startswith("round,match,player_1,player_2,player_3,points_1,points_2,points_3,how,codes")
    assert say("tournament.proof") in (await host.press(first, label=say("tournament.verify"))).text
