"""Tournaments and leagues among people who mean no good: who may play nowhere plays in none, what a host moves is a
post like any other, and what players keep private stays so when it is over."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from bot.play.server_settings import CHANNELS, EXCLUDED_ROLES, write_ids
from bot.ui.catalogue import translations
from cogs.leagues.leagues import Leagues
from cogs.tournaments.cups import Tournaments
from discord_sandbox import DrivenChannel, MessageView, Person, Reply, Role, Sandbox
from tests.end_to_end import test_tournaments
from tests.end_to_end.cardroom import Cardroom, eventually
from tests.end_to_end.practising import says
from tests.end_to_end.test_privacy import KEEP, REPLAY, stored
from tests.end_to_end.test_stuck_matches import choose, made_moderator, screen_of
from tests.end_to_end.test_tournaments import JOIN, MORE, file_of, may_host

say = translations("en")
MANAGE_SERVER = 1 << 5
"""A permission (https://discord.com/developers/docs/topics/permissions)."""

THREE_POSTS = [pytest.param({"CARDROOM_POSTS_PER_MINUTE": "3"}, id="three posts a minute")]


def excluded(sandbox: Sandbox, person: Person) -> Role:
    """Give somebody a role that may be excluded."""
    server = sandbox.server()
    role = server.roles[79] = Role(79, "Outside", 0, 1)
    server.members[person.id].role_ids.append(79)
    return role


async def forged(person: Person, message: MessageView, verb: str, *, where: DrivenChannel | None = None) -> Reply:
    """A press on what a message is about that no button on a screen need offer, perhaps in another channel."""
    target = next(each.custom_id for each in message.buttons if each.custom_id).split(":")[1]
    if where is not None:
        message = (await person.slash(where, "help")).message
    return await person.press(message, custom_id=f"g1:{target}:0:{verb}", force=True)


async def opened_league(sandbox: Sandbox, host: Person, lobby: DrivenChannel) -> MessageView:
    """The public message of a league that somebody who may host has just opened."""
    await host.slash(lobby, "league new", game="haymaker")
    title = say("league.title", game="Haymaker")
    await sandbox.wait_for(lambda: any(title in each.text for each in lobby.messages))
    return next(each for each in lobby.messages if title in each.text)


async def test_whom_a_servers_roles_exclude_joins_neither_a_tournament_nor_a_league(
    sandbox: Sandbox, room: Cardroom
) -> None:
    alice, bob, lobby = sandbox.user("Alice"), sandbox.user("Bob"), sandbox.channel("lobby")
    cup = await test_tournaments.opened(sandbox, alice, lobby)
    league = await opened_league(sandbox, alice, lobby)
    assert say("tournament.you_joined") in (await bob.press(cup, label=JOIN)).text
    excluded(sandbox, bob)
    await room.app.server_settings.change(sandbox.server().id, alice.id, EXCLUDED_ROLES, "79")
    assert (await bob.press(league, label=JOIN)).text == say("place.roles")
    own = await bob.press(cup, label=JOIN)  # it shows how they leave
    assert say("tournament.not_in") in (await bob.press(own.message, label=say("button.leave"))).text
    for verb in ("tourjoin", "tourback", "tourhere"):
        assert (await forged(bob, cup, verb)).text == say("place.roles")


async def test_who_only_looks_at_tournaments_and_leagues_is_stored_nowhere(
    sandbox: Sandbox, room: Cardroom, tmp_path: Path
) -> None:
    lobby, erin = sandbox.channel("lobby"), sandbox.user("Erin")
    people = await test_tournaments.begun(sandbox, room, lobby)
    league = await opened_league(sandbox, next(iter(people.values())), lobby)
    cup = test_tournaments.public(lobby)
    for command in ("tournament me", "league me"):
        assert not (await erin.slash(lobby, command)).failed
    for verb in ("tourmine", "tourrows", "tourmore", "tourfile:csv", "tourfile:json", "tourproof", "tourend"):
        assert not (await forged(erin, cup, verb)).failed
    for verb in ("lgmine", "lgrows", "lgmore", "lgend"):
        assert not (await forged(erin, league, verb)).failed
    assert stored(tmp_path, erin) == {}


@pytest.mark.parametrize("room", THREE_POSTS, indirect=True)
async def test_where_a_host_moves_a_league_is_a_post_of_theirs(sandbox: Sandbox, room: Cardroom) -> None:
    alice, lobby, games = sandbox.user("Alice"), sandbox.channel("lobby"), sandbox.channel("games")
    may_host(sandbox, alice)
    league = await opened_league(sandbox, alice, lobby)
    told = [(await forged(alice, league, "lgmove", where=channel)).text for channel in (games, lobby, games)]
    assert [say("league.moved") in text for text in told] == [True, True, False]
    assert told[-1].startswith(say("post.too_many", limit=3, when="|").split("|")[0])
    assert say("league.moved") in (await forged(alice, league, "lgmove", where=lobby)).text  # it is there already


@pytest.mark.parametrize("room", THREE_POSTS, indirect=True)
async def test_a_host_resumes_a_tournament_only_where_games_are_allowed_and_a_move_is_a_post(
    sandbox: Sandbox, room: Cardroom
) -> None:
    lobby, games = sandbox.channel("lobby"), sandbox.channel("games")
    people = await test_tournaments.begun(sandbox, room, lobby)
    alice, change = next(iter(people.values())), room.app.server_settings.change
    cup = test_tournaments.public(lobby)
    await forged(alice, cup, "tourpause")
    await change(sandbox.server().id, alice.id, CHANNELS, write_ids((lobby.id,)))
    refused = await forged(alice, cup, "tourgoon", where=games)
    assert refused.text == say("place.not_allowed", channels=f"<#{lobby.id}>")
    await change(sandbox.server().id, alice.id, CHANNELS, "")
    told = []
    for channel in (games, lobby, games):
        told.append((await forged(alice, cup, "tourgoon", where=channel)).text)
        await forged(alice, cup, "tourpause")
    mine = say("hosted.my_match")
    await sandbox.wait_for(
        lambda: [mine in each.labels for each in (*lobby.messages, *games.messages)].count(True) == 1
    )
    assert [say("tournament.resumed") in text for text in told] == [True, True, False]
    assert told[-1].startswith(say("post.too_many", limit=3, when="|").split("|")[0])


def held_once(monkeypatch: pytest.MonkeyPatch, of: type, name: str) -> tuple[asyncio.Event, asyncio.Event]:
    """Have the first call of a method wait: what is set once it does, and what lets it go on."""
    method: Callable[..., Awaitable[Any]] = getattr(of, name)
    held, may_go_on = asyncio.Event(), asyncio.Event()

    async def slowly(*given: object) -> Any:
        if not held.is_set():
            held.set()
            await may_go_on.wait()
        return await method(*given)

    monkeypatch.setattr(of, name, slowly)
    return held, may_go_on


@pytest.mark.parametrize("kind", ["league", "tournament"])
async def test_what_its_host_moves_twice_at_once_is_shown_in_one_channel(
    sandbox: Sandbox, room: Cardroom, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    alice, lobby, games = sandbox.user("Alice"), sandbox.channel("lobby"), sandbox.channel("games")
    may_host(sandbox, alice)
    if kind == "league":
        shown, verb = await opened_league(sandbox, alice, lobby), "lgmove"
        held, may_go_on = held_once(monkeypatch, Leagues, "move")
    else:
        await test_tournaments.begun(sandbox, room, lobby)
        shown, verb = test_tournaments.public(lobby), "tourgoon"
        held, may_go_on = held_once(monkeypatch, Tournaments, "resume")
    title = say(f"{kind}.title", game="Haymaker")

    def stands_in(channel: DrivenChannel) -> bool:
        there = [title in each.text for each in (*lobby.messages, *games.messages)]
        return there.count(True) == 1 and any(title in each.text for each in channel.messages)

    async def move(channel: DrivenChannel) -> None:
        if kind == "tournament":
            await forged(alice, shown, "tourpause")
        await forged(alice, shown, verb, where=channel)

    first = asyncio.create_task(move(games))
    await asyncio.wait_for(held.wait(), 10)
    for channel in (games, lobby):
        await move(channel)
        await sandbox.wait_for(lambda: stands_in(channel))  # noqa: B023  it is waited for within the turn
    if kind == "tournament":
        await forged(alice, shown, "tourpause")
    may_go_on.set()
    await first
    await sandbox.wait_for(lambda: stands_in(games))


async def test_a_barred_host_looks_after_no_league(sandbox: Sandbox, room: Cardroom) -> None:
    alice, bob, lobby = sandbox.user("Alice"), sandbox.user("Bob"), sandbox.channel("lobby")
    may_host(sandbox, bob)
    league = await opened_league(sandbox, bob, lobby)
    made_moderator(sandbox, alice, MANAGE_SERVER)  # type: ignore[arg-type]
    await choose(alice, await screen_of(alice, lobby, bob), "bar", "day")
    kept_away = say("moderate.you", when="|").split("|")[0]
    for verb in ("lgjoin", "lgstart", "lgmove", f"lgremove:{alice.id}", "lgendnow"):
        assert (await forged(bob, league, verb)).text.startswith(kept_away)


async def test_the_seed_of_a_tournaments_private_match_is_for_its_players_alone(
    sandbox: Sandbox, room: Cardroom
) -> None:
    lobby = sandbox.channel("lobby")
    people = await test_tournaments.begun(sandbox, room, lobby, same_deal=False)
    alice = next(iter(people.values()))
    first, second = room.app.matches.live()
    for match in (first, second):
        await test_tournaments.resigned(sandbox, people[match.seats[0]], lobby, match)
    await _kept_private(people, lobby, first.board_id or 0, first.seats)
    await forged(alice, test_tournaments.public(lobby), "tourendnow")
    await sandbox.wait_for(lambda: say("tournament.called_off") in test_tournaments.public(lobby).text)
    shown = test_tournaments.public(lobby)
    rows = [await room.store.match(each.id) for each in (first, second)]
    (secret, seal), (other, _) = [(row.seed.hex(), row.commitment.hex()) for row in rows if row is not None]
    player, stranger = people[first.seats[1]], people[second.seats[1]]
    for person, sees in ((player, True), (stranger, False)):
        more = (await person.press(shown, label=MORE)).message
        proof = (await forged(person, shown, "tourproof")).text
        told = json.loads(await file_of(await person.press(more, label=say("tournament.json"))))
        assert (secret in proof, other in proof) == (sees, True)
        assert {each["seed"] for each in told["deals"]} == {other, secret if sees else None}
        assert seal in {each["seal"] for each in told["deals"]}


async def _kept_private(people: dict[int, Person], lobby: DrivenChannel, board_id: int, seats: tuple[int, ...]) -> None:
    """Have the players of a match that is over keep it private."""
    board = next(each for each in lobby.messages if each.id == board_id)
    await eventually(lambda: says(board, REPLAY))
    for user in seats:
        replay = (await people[user].press(board, label=REPLAY)).message
        await people[user].press(replay, label=MORE)
        await people[user].press(replay, label=KEEP)
