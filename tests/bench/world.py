"""Many live matches in many servers, laid out at once: rows in a database, and boards in the sandbox's channels.

Matches that were played for an hour or a week, by people who come and go: a few dozen histories of each game, played by
chance with the rules alone, of which every match has one. What waits for somebody has a mention, as it would have.
"""

from __future__ import annotations

import itertools
import json
import random
import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bot.play.match_state import codec
from bot.store.sqlite.schema import MIGRATIONS, connect, migrations
from bot.store.sqlite.store import BUSY_TIMEOUT
from bot.time_controls import TIME_CONTROLS
from bot.ui.catalogue import translations
from cogs.screens.board import board_screen
from cogs.screens.presenter import Reader
from cogs.screens.renderer import render
from engines import GAMES
from laws.bodies import match_of
from laws.play import random_match
from sandbox import Sandbox
from sandbox.clients.driver import DrivenChannel, Person
from sandbox.clients.views import MessageView
from sandbox.model.errors import Faults
from sandbox.model.state import Channel, Message, MessageFlag
from sandbox.model.wire import JsonObject
from sandbox.service.messages import Request
from sandbox.validation.forms import Form
from tests.games.cases import case_of

SEATS = {"haymaker": 2, "unbreakable": 2, "ciq": 3, "champions": 3}
"""Games that people play over days, and by how many. Tiv-Miv is a race: a match of it is over in minutes."""
SHARES = ("haymaker", "haymaker", "unbreakable", "ciq", "champions")
"""Of so many matches each is of this game."""
HISTORIES = 24
LONGEST = 30
"""Acts that were made at most."""
PEOPLE = 8
"""Members of a server."""
PACE = "daily"
PLACEHOLDER = "placeholder"
"""The id of the match in the ids of a history's board."""


@dataclass(frozen=True, slots=True)
class History:
    """What was played: (actor, action, events) an act, as it is written down; who is waited for, the deadlines that run
    (name, key, ms from now), and the board for the match called PLACEHOLDER."""

    game: str
    options: str
    acts: tuple[tuple[int | None, str | None, str], ...]
    awaited: tuple[int, ...]
    timers: tuple[tuple[str, str, int], ...]
    board: str


@dataclass(frozen=True, slots=True)
class Laid:
    """A live match as those who play it see it."""

    match_id: str
    people: tuple[Person, ...]
    channel: DrivenChannel
    board: MessageView


def plan(servers: int, channels: int) -> JsonObject:
    """So many servers with so many channels each, and their people."""
    people, described = [], []
    for server in range(servers):
        members = [f"P{server}-{number}" for number in range(PEOPLE)]
        people += members
        described.append(
            {
                "name": f"Server {server}",
                "members": members,
                "owner": members[0],
                "channels": [{"name": f"channel-{number}"} for number in range(channels)],
            }
        )
    return {"people": [{"name": name} for name in people], "servers": described}


def lay(sandbox: Sandbox, database: Path, matches: int, seed: int = 1) -> list[Laid]:
    """Lay out so many live matches, evenly over all channels. The bot must not run yet."""
    rng = random.Random(seed)
    histories = {game: [_played(game, rng) for _ in range(HISTORIES)] for game in SEATS}
    users = {person.id: person for person in sandbox.people}
    channels = [channel for server in sandbox.world.servers.values() for channel in server.channels.values()]
    laid = []
    with closing(connect(database, migrations(MIGRATIONS), BUSY_TIMEOUT)) as db:
        db.execute("PRAGMA synchronous = OFF")
        db.execute("BEGIN")
        for number, channel in zip(range(matches), itertools.cycle(channels), strict=False):
            game = SHARES[number % len(SHARES)]
            history = rng.choice(histories[game])
            seats = rng.sample(_members(channel, users), SEATS[game])
            match_id = f"m{number}"
            board = _post(sandbox, channel, json.loads(history.board.replace(PLACEHOLDER, match_id)))
            _write(db, history, _Place(match_id, [person.id for person in seats], board, rng.randbytes(32)))
            for seat in history.awaited:
                mention = _post(sandbox, channel, [{"type": 10, "content": "Your turn"}])
                db.execute(
                    "INSERT INTO notices (match_id, seat, guild_id, user_id, channel_id, message_id)"
                    " VALUES (?, ?, ?, ?, ?, ?)",
                    (match_id, seat, _guild(channel), seats[seat].id, channel.id, mention.id),
                )
            laid.append(Laid(match_id, tuple(seats), DrivenChannel(sandbox.backend, channel), MessageView(board)))
        db.executemany(
            "INSERT INTO names (guild_id, user_id, name) VALUES (?, ?, ?)",
            [
                (server.id, member.user.id, member.user.shown_name)
                for server in sandbox.world.servers.values()
                for member in server.members.values()
            ],
        )
        db.execute("COMMIT")
    return laid


def _played(game: str, rng: random.Random) -> History:
    """A match that is not over after a number of acts by chance."""
    for _ in range(100):
        deal = case_of(game).deal("default", SEATS[game], rng)
        log = random_match(deal, rng, moves=rng.randint(1, LONGEST))
        window = deal.game.window(log.states[-1])
        if window is not None:
            break
    else:
        raise RuntimeError(f"every match of {game} was over")
    written = codec(game)
    acts: list[tuple[int | None, str | None, str]] = [(None, None, written.encode_all(log.opening))]
    acts += [(move.actor, written.encode(move.action), written.encode_all(move.events)) for move in log.moves]
    match = match_of(deal, log.events(), len(log.moves))
    names = tuple(f"Somebody {seat}" for seat in range(deal.seats))
    screen = board_screen(match, case_of(game).presenter, Reader(translations("en"), names))
    pace = TIME_CONTROLS[PACE]
    return History(
        game,
        written.encode(deal.options),
        tuple(acts),
        tuple(sorted(window.awaited)),
        tuple((timer.name, timer.key, 1000 * pace.length(timer.length)) for timer in window.timers),
        json.dumps(render(screen, PLACEHOLDER)),
    )


def _members(channel: Channel, users: dict[int, Person]) -> list[Person]:
    server = channel.server
    return [] if server is None else [users[user] for user in server.members if user in users]


def _guild(channel: Channel) -> int:
    return 0 if channel.server is None else channel.server.id


def _post(sandbox: Sandbox, channel: Channel, components: list[JsonObject]) -> Message:
    body: JsonObject = {"flags": int(MessageFlag.IS_COMPONENTS_V2), "components": components}
    bot = sandbox.world.application.bot
    return sandbox.backend.messages.create(channel, bot, Request(Form(body, Faults())))


_interactions: Iterator[int] = itertools.count(1)


@dataclass(frozen=True, slots=True)
class _Place:
    """Where a match is played, by whom, and its seed."""

    match_id: str
    seats: list[int]
    board: Message
    seed: bytes


def _write(db: sqlite3.Connection, history: History, place: _Place) -> None:
    match_id, seats, board, seed = place.match_id, place.seats, place.board, place.seed
    now, guild, channel = int(time.time() * 1000), _guild(board.channel), board.channel.id
    game, options = history.game, history.options
    every: list[tuple[str, dict[str, Any]]] = [
        (
            "invitations",
            {
                "id": match_id,
                "guild_id": guild,
                "channel_id": channel,
                "message_id": board.id,
                "game": game,
                "options": options,
                "clock": PACE,
                "host_id": seats[0],
                "invited": json.dumps(seats[1:]),
                "seated": json.dumps(seats),
                "seed": seed,
                "created_at": now,
                "expires_at": now,
                "kind": "challenge",
                "private": 0,
                "places": "[]",
                "state": "accepted",
                "closed_at": now,
            },
        ),
        (
            "matches",
            {
                "id": match_id,
                "guild_id": guild,
                "channel_id": channel,
                "board_id": board.id,
                "board_at": now,
                "game": game,
                "rules_version": GAMES[game].info.rules_version,
                "options": options,
                "clock": PACE,
                "seed": seed,
                "opened_at": now,
            },
        ),
    ]
    for seat, user in enumerate(seats):
        every.append(("seats", {"match_id": match_id, "seat": seat, "guild_id": guild, "user_id": user}))
    for table, row in every:
        places = ", ".join("?" * len(row))
        db.execute(f"INSERT INTO {table} ({', '.join(row)}) VALUES ({places})", tuple(row.values()))
    db.executemany(
        "INSERT INTO records (match_id, seq, guild_id, interaction_id, actor, action, events, at)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        [
            (match_id, seq, guild, None if actor is None else next(_interactions), actor, action, events, now)
            for seq, (actor, action, events) in enumerate(history.acts)
        ],
    )
    db.executemany(
        "INSERT INTO timers (match_id, name, key, guild_id, deadline) VALUES (?, ?, ?, ?, ?)",
        [(match_id, name, key, guild, now + length) for name, key, length in history.timers],
    )
