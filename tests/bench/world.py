"""Many live matches in many servers, laid out at once: rows in a database, and boards in the sandbox's channels.

Matches that were played for an hour or a week, by people who come and go. Some matches of each game are played by
chance to their ends with the rules alone. Each of those is left at some of its stages, evenly from the first act to the
last, and every match that is laid out has one of these histories. What waits for somebody has a mention, as it would
have.
"""

from __future__ import annotations

import itertools
import json
import random
import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path

from bot.play.deals import sealing
from bot.play.match_lifecycle import row_of
from bot.play.match_state import codec
from bot.store import verification
from bot.store.migrations import migrations
from bot.store.queries import invitations, people, play, screens
from bot.store.queries.invitations import Invitation
from bot.store.queries.matches import MatchRow, Record, TimerRow
from bot.store.queries.screens import Notice
from bot.store.sqlite.schema import connect
from bot.store.sqlite.store import BUSY_TIMEOUT
from bot.time_controls import TIME_CONTROLS
from bot.ui.catalogue import translations
from cogs.screens.board import board_screen
from cogs.screens.presenter import Reader
from cogs.screens.renderer import render
from discord_sandbox import Channel, DrivenChannel, JsonObject, Message, MessageView, Person, Sandbox
from laws.bodies import match_of
from laws.play import MatchLog, random_match
from tests.games.cases import case_of

SEATS = {"haymaker": 2, "unbreakable": 2, "ciq": 3, "champions": 3}
"""Games that people play over days, and by how many. Tiv-Miv is a race: a match of it is over in minutes."""
SHARES = ("haymaker", "haymaker", "unbreakable", "ciq", "champions")
"""Of so many matches each is of this game."""
PLAYED = 40
"""Whole matches of each game, at most."""
STAGES = 10
"""Stages of each of them, one by chance in each tenth of it."""
PEOPLE = 8
"""Members of a server."""
PACE = "daily"
PLACEHOLDER = "placeholder"
"""The id of the match in the ids of a history's board."""
COMPONENTS_V2 = 1 << 15
"""The flag of messages that are made of the second components."""


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
    """A live match as those who play it see it; `members` are all people of its server."""

    match_id: str
    people: tuple[Person, ...]
    members: tuple[Person, ...]
    channel: DrivenChannel
    board: MessageView


def plan(servers: int, channels: int) -> JsonObject:
    """So many servers with so many channels each, and their people."""
    names, described = [], []
    for server in range(servers):
        members = [f"P{server}-{number}" for number in range(PEOPLE)]
        names += members
        described.append(
            {
                "name": f"Server {server}",
                "members": members,
                "owner": members[0],
                "channels": [{"name": f"channel-{number}"} for number in range(channels)],
            }
        )
    return {"people": [{"name": name} for name in names], "servers": described}


def lay(sandbox: Sandbox, database: Path, count: int, seed: int = 1) -> list[Laid]:
    """Lay out so many live matches, evenly over all channels. The bot must not run yet."""
    rng = random.Random(seed)
    played = min(PLAYED, 1 + count // len(SHARES) // STAGES)  # no more than are needed
    histories = {game: [each for _ in range(played) for each in _histories(game, rng)] for game in SEATS}
    users = {person.id: person for person in sandbox.people}
    laid = []
    with closing(connect(database, migrations(), BUSY_TIMEOUT)) as db:
        db.execute("PRAGMA synchronous = OFF")
        db.execute("BEGIN")
        writer = _Writer(db, rng)
        for number, channel in zip(range(count), itertools.cycle(sandbox.channels()), strict=False):
            game = SHARES[number % len(SHARES)]
            history = rng.choice(histories[game])
            members = _members(channel.record, users)
            seats = tuple(rng.sample(members, SEATS[game]))
            match_id = f"m{number}"
            components = json.loads(history.board.replace(PLACEHOLDER, match_id))
            board = channel.post({"flags": COMPONENTS_V2, "components": components})
            writer.write(history, _Begun(match_id, tuple(person.id for person in seats), board.record))
            for seat in history.awaited:
                mention = channel.post({"content": "Your turn"})
                screens.add_notice(db, Notice(match_id, seat, seats[seat].id, channel.id, mention.id))
            laid.append(Laid(match_id, seats, members, channel, board))
        for server in sandbox.world.servers.values():
            for member in server.members.values():
                people.set_name(db, server.id, member.user.id, member.user.shown_name)
        db.execute("COMMIT")
    return laid


def _histories(game: str, rng: random.Random) -> Iterator[History]:
    """A match by chance, left at some of its stages."""
    deal = case_of(game).deal("default", SEATS[game], rng)
    log = random_match(deal, rng)
    coded = codec(game)
    acts: list[tuple[int | None, str | None, str]] = [(None, None, coded.encode_all(log.opening))]
    acts += [(move.actor, coded.encode(move.action), coded.encode_all(move.events)) for move in log.moves]
    for stage in range(STAGES):
        moves = int((stage + rng.random()) * len(log.moves) / STAGES)
        yield _left(log, moves, tuple(acts[: moves + 1]))


def _left(log: MatchLog, moves: int, acts: tuple[tuple[int | None, str | None, str], ...]) -> History:
    """A match after some of its moves, which isn't over; `acts` are its opening and they, as written."""
    deal, game = log.deal, log.deal.game.info.key
    window = deal.game.window(log.states[moves])
    if window is None:
        raise RuntimeError(f"a match of {game} is over before its last act")
    case, pace = case_of(game), TIME_CONTROLS[PACE]
    names = tuple(f"Somebody {seat}" for seat in range(deal.seats))
    match = match_of(deal, log.events(moves), moves)
    screen = board_screen(match, case.presenter, Reader(translations("en"), names))
    return History(
        game,
        codec(game).encode(deal.options),
        acts,
        tuple(sorted(window.awaited)),
        tuple((timer.name, timer.key, 1000 * pace.length(timer.length)) for timer in window.timers),
        json.dumps(render(screen, PLACEHOLDER)),
    )


def _members(channel: Channel, users: dict[int, Person]) -> tuple[Person, ...]:
    server = channel.server
    return () if server is None else tuple([users[user] for user in server.members if user in users])


def _guild(channel: Channel) -> int:
    return 0 if channel.server is None else channel.server.id


@dataclass(frozen=True, slots=True)
class _Begun:
    """Where a match is played, and by whom."""

    match_id: str
    seats: tuple[int, ...]
    board: Message


class _Writer:
    """Writes matches into a database, as the bot would have written them one act at a time."""

    def __init__(self, db: sqlite3.Connection, rng: random.Random) -> None:
        self._db = db
        self._rng = rng
        self._interactions = itertools.count(1)
        self._now = int(time.time() * 1000)

    def write(self, history: History, begun: _Begun) -> None:
        """An invitation that was accepted, its match, and the log of that. Its deal is sealed as every other, but the
        cards of its log are another deal's."""
        now, opening = self._now, history.acts[0][2]
        invitation = self._invitation(history, begun)
        match = replace(row_of(invitation, now), board_id=begun.board.id, board_at=now)
        timers = [TimerRow(match.id, name, key, now + length) for name, key, length in history.timers]
        invitations.add(self._db, invitation)
        play.open_match(self._db, now, match, Record(match.id, 0, None, None, None, opening, now), timers)
        self._db.executemany(
            "INSERT INTO records (match_id, seq, guild_id, interaction_id, actor, action, events, at, chain)"
            " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
            self._acts(history, match),
        )

    def _invitation(self, history: History, begun: _Begun) -> Invitation:
        coded = codec(history.game)
        sealed = sealing.seal(history.game, coded.decode(history.options), coded, self._rng, clock=PACE)
        return Invitation(
            begun.match_id,
            _guild(begun.board.channel),
            begun.board.channel.id,
            begun.board.id,
            history.game,
            history.options,
            PACE,
            begun.seats[0],
            begun.seats[1:],
            begun.seats,
            sealed.seed,
            sealed.commitment,
            self._now,
            self._now,
            deal_version=sealed.deal_version,
            deal_id=sealed.deal_id,
            rules_version=sealed.rules_version,
            sealed_options=sealed.sealed_options,
        )

    def _acts(self, history: History, match: MatchRow) -> Iterator[tuple[int | str | bytes | None, ...]]:
        """The rows of a log's acts, chained. The store would look for the last one before each."""
        chain = verification.link_of_values(
            verification.first_link(match.id), 0, None, None, history.acts[0][2], self._now
        )
        for seq, (actor, action, events) in enumerate(history.acts[1:], 1):
            chain = verification.link_of_values(chain, seq, actor, action, events, self._now)
            interaction = None if actor is None else next(self._interactions)
            yield match.id, seq, match.guild_id, interaction, actor, action, events, self._now, chain
