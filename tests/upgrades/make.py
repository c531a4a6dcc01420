"""What every upgrade is tried on: a database of each version of the tables, and matches of each version of the rules.

For a new game, and before a game's `rules_version` is raised, run::

    python -m tests.upgrades.make --game KEY

It plays matches of the game under its present rules and writes them to `logs/`. Once there was a release, run before a
migration is added::

    python -m tests.upgrades.make --database

It plays on a sandbox with the program as it is and writes the database of the present tables to `databases/`. For a
release, run::

    python -m tests.upgrades.make --release

It writes that database, and to `promised/` what people and other programs hold the release to (`promised.py`). What is
there is never written over: it was made by the program of its day, and that is what it is for. Look the new files over
and commit them with the change.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import sqlite3
import sys
import tempfile
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, Final

from bot.play.match_state import codec
from bot.store.migrations import LATEST
from bot.store.queries.matches import Suspension
from bot.store.queries.people import NoticeLevel
from bot.store.queries.screens import HandRow, Posting
from bot.store.queries.seasons import SeasonFirst
from bot.store.queries.server_settings import SettingChange
from bot.store.special_ids import is_computer
from cogs.away.queries import Absences
from cogs.blocks.queries import Blocks
from cogs.conditions.queries import ConditionalMove, ConditionQueries
from cogs.daily.queries import DailyMessage, DailyQueries
from cogs.leaderboards.queries import LeaderboardQueries
from cogs.matchmaking.queries import TableSubscriptions
from cogs.server_week.queries import PostRow, WeekQueries
from cogs.servers.queries import Bars, Greetings, SetAsides
from cogs.tournaments.queries import TournamentQueries
from cogs.tournaments.rows import Ask, Correction, EntrantRow, How
from cogs.weekly.queries import WeeklyQueries
from discord_sandbox import Person, Sandbox
from engines import GAMES
from engines.game import Resign, TimeUp
from laws.case import GameCase
from laws.play import FIRST_USER, MatchLog, Odds, random_act, random_match
from tests.bot.store.contract_leagues import league_began
from tests.bot.store.packing import pack_all
from tests.end_to_end.cardroom import Cardroom, cardroom
from tests.end_to_end.players import challenge, sit_down
from tests.end_to_end.test_tournaments import JOIN, opened
from tests.games.cases import case_of, typed
from tests.upgrades import promised
from tests.upgrades.knowing import known

HERE: Final = Path(__file__).parent
DATABASES: Final = HERE / "databases"
LOGS: Final = HERE / "logs"

MARKS: Final = ("user_version", "application_id")
"""What a database says of its tables beside the tables themselves."""
ELSEWHERE: Final = 200_000_000_000_000_999
"""A server that the bot was removed from."""

MADE: Final = 8
"""Acts that are made in a match that is left in play, or in one that is then left by its players; in a short match
fewer."""
MOST_SEATS: Final = 5
"""So many people are left with matches in play; the sixth has none and has their data deleted."""
ROOM: Final = {
    "CARDROOM_MAX_MATCHES_PER_CHANNEL": "1000",
    "CARDROOM_MAX_MATCHES_PER_PLAYER": "1000",
    "CARDROOM_NOTICE_AFTER_SECONDS": "3600",
}
"""Settings under which a channel has room for matches of any number of games, and nobody is mentioned before long."""
FEWEST: Final = 6
"""Acts of a match that is worth keeping, where matches of the game have twice as many."""
SAMPLE: Final = 20
"""Matches that are played to see how long those of a game are."""
LONGEST: Final = 60
"""Acts of a match that is kept whole."""
CUT: Final = 24
"""Acts that are kept of a longer one."""
TRIES: Final = 1200
"""Matches that are looked at for facts and acts not kept yet."""


def database_file(version: int) -> Path:
    """The file with a database of this version of the tables."""
    return DATABASES / f"schema-{version:04}.sql"


def logs_file(key: str, version: int) -> Path:
    """The file with matches of a game under this version of its rules."""
    return LOGS / f"{key}-v{version}.jsonl"


# ---------------------------------------------------------------------------------------------- a database


class Players:
    """People who act by chance, without a look at their hands; their presses are numbered from `press` on."""

    def __init__(self, room: Cardroom, rng: random.Random, press: int = 1) -> None:
        self._room = room
        self._rng = rng
        self._press = press

    async def play(self, match: Any, most: int) -> None:
        """Make so many acts, the clock's among them where nobody has anything to do."""
        for _ in range(most):
            window = match.position.window
            if window is None:
                return
            for seat in self._rng.sample(sorted(window.may_act), len(window.may_act)):
                action = random_act(match.choices(seat), self._rng)
                if action is not None:
                    await self.act(match, seat, action)
                    break
            else:
                timer = min(match.position.timers, key=lambda each: each.deadline)
                await self.act(match, None, TimeUp(timer.name, timer.key))

    async def leave(self, match: Any) -> None:
        """Have all but the last resign."""
        for seat in range(len(match.seats) - 1):
            if not match.over:
                await self.act(match, seat, Resign())

    async def act(self, match: Any, seat: int | None, action: Any) -> None:
        """Make one act."""
        if seat is None:
            await match.act(None, action)
            self._room.app.clock.settle(match)
            self._room.app.updates.match_changed(match)
            return
        self._press += 1
        with self._room.press(match, self._press) as press:
            await press.act(match, seat, action)


async def to_the_end(room: Cardroom, match: Any, most: int = 200) -> None:
    """Make all acts that are left of a match, by chance and without a look at its screens."""
    await Players(room, random.Random(2), press=1_000_000).play(match, most)


async def fill(sandbox: Sandbox, room: Cardroom) -> None:
    """Have everything happen that leaves a row."""
    people, lobby = sandbox.people, sandbox.channel("lobby")
    alice, bob, carol, dave, erin, frank = people
    those_who_stay = [alice, bob, carol, dave, frank, erin]
    players = Players(room, random.Random(1))

    async def seated(those: list[Person], game: str, options: dict[str, object]) -> Any:
        before = {match.id for match in room.app.matches.live()}
        if len(those) == 2:
            await challenge(those[0], those[1], lobby, game, **options)
        else:
            await sit_down(those, lobby, game, **options)
        (match,) = [match for match in room.app.matches.live() if match.id not in before]
        return match

    first = await seated([erin, frank], "haymaker", {})
    await players.play(first, 200)
    await pack_all(room.store)
    for case in map(case_of, GAMES):
        setting, seats = case.setups[0]
        match = await seated([erin, frank, alice, bob, carol, dave][:seats], case.key, typed(case, setting))
        await players.play(match, MADE)
        await players.leave(match)
    off = await seated([frank, erin], "unbreakable", {})
    for seat, number in ((0, 900_001), (1, 900_002)):
        with room.press(off, number) as press:
            await press.call_off(off, seat)
    for case in map(case_of, GAMES):
        await seated(those_who_stay[: case.setups[0][1]], case.key, typed(case, case.setups[0][0]))
        setting, seats = [setup for setup in case.setups if setup[1] <= MOST_SEATS][-1]
        for acts in (MADE, MADE // 2, MADE // 4, 1):
            clock = {"clock": "daily"} if case.game.info.turn_clock else {}
            match = await seated(those_who_stay[:seats], case.key, {**typed(case, setting), **clock})
            await players.play(match, acts)
            if not match.over:
                break
    waiting = await seated([carol, bob], "haymaker", {"clock": "relaxed"})
    (seat,) = waiting.awaited
    room.app.updates.notices.warn(waiting, seat)
    await until(room.store.notices)
    agreed = await seated([bob, carol], "champions", {})
    with room.press(agreed, 900_003) as press:
        await press.call_off(agreed, 0)

    await alice.slash(lobby, "haymaker challenge", opponent=bob)
    declined = await bob.slash(lobby, "ciq challenge", opponent=alice)
    await alice.press(declined.message, label="Decline")
    table = await carol.slash(lobby, "tivmiv open", phases=3)
    await bob.press(table.message, label="Join")
    await fill_the_rest(room, sandbox, players)


async def fill_the_rest(room: Cardroom, sandbox: Sandbox, players: Players) -> None:
    """What leaves no row while people just play."""
    store, lobby = room.store, sandbox.channel("lobby")
    alice, bob, carol, dave, erin, frank = sandbox.people
    await alice.slash(lobby, "notify", level="quiet")
    await bob.slash(lobby, "notify", level="none")
    asked = await erin.slash(lobby, "mydata delete")
    await erin.press(asked.message, label="Delete my data")
    await until(lambda: lacks(store.matches_of(lobby.server_id or 0, erin.id)))
    match = next(match for match in room.app.matches.live() if match.game.info.key == "ciq")
    await store.save_selection(match.id, 0, match.window_number, "defend.0")
    match = next(match for match in room.app.matches.live() if match.game.info.key == "unbreakable")
    await room.app.lifecycle.suspend(match, Suspension.NO_ACCESS)
    await store.record_departure(ELSEWHERE, room.app.clock.now())
    match = next(match for match in room.app.matches.live() if match.game.info.key == "haymaker")
    expires_at = room.app.clock.now() + 10 * 60_000
    hand = HandRow(match.id, 0, 1, 2, "a token", "en-GB", match.window_number, "", b"shown", expires_at)
    await store.write_open_hands([hand], [], room.app.clock.now())
    planned = ConditionalMove(match.id, 0, 1, match.guild_id, match.seats[0], 0, "any", "hit", "hit")
    await ConditionQueries(store).add(planned)
    await store.add_posting(Posting(match.id, None, match.channel_id, match.board_id, room.app.clock.now()))
    asked = await dave.slash(lobby, "unbreakable challenge", opponent=carol)
    for invitation in room.app.invitations.open():  # Alice's challenge stays open
        if invitation.host_id in (alice.id, dave.id):
            await room.app.seating.add_salt(invitation.id, invitation.host_id, "a pinch")
    await carol.press(asked.message, label="Accept")
    guild_id, at = lobby.server_id or 0, room.app.clock.now()
    await store.change_setting(SettingChange(guild_id, alice.id, at, "place", "", "thread"))
    await Greetings(store).greet(guild_id, at)
    await Bars(store).bar(guild_id, 5, None)
    await SetAsides(store).set_aside(guild_id, 5)
    await Absences(store).begin(5, at, 1)
    await store.set_notice_level(guild_id, 5, NoticeLevel.DIGEST)
    await WeekQueries(store).put(PostRow(guild_id, "daily", 1, lobby.id, 78, at, b"shown"))
    await WeekQueries(store).note_given(guild_id, 5, 79)
    await Blocks(store).add(alice.id, 5, at)
    await store.set_preference(alice.id, "card_style", "words")
    await TableSubscriptions(store).set_subscription(lobby.server_id or 0, alice.id, "ciq", wanted=True)
    await TableSubscriptions(store).record_notice(alice.id, room.app.clock.now())
    await alice.slash(lobby, "daily", game="haymaker")
    await bob.slash(lobby, "ciq practice", computers=2)
    await until(lambda: practised(room))  # it begins in a thread
    (match,) = await practised(room)
    await players.act(match, match.seats.index(bob.id), Resign())  # so the computers resign too
    await until(lambda: moved_by_a_computer(room, match.id))
    asked = await bob.slash(lobby, "haymaker challenge", opponent=carol, stand_in="rated")
    await carol.press(asked.message, label="Accept")
    guild_id, today = lobby.server_id or 0, room.app.days.today()
    await DailyQueries(store).put_message(DailyMessage(guild_id, lobby.id, today, 77, room.app.clock.now()))
    await challenge(erin, frank, lobby, "haymaker")  # who comes back, after the deletion above
    again = next(match for match in room.app.matches.live() if erin.id in match.seats)
    await players.play(again, 200)
    await LeaderboardQueries(store).set_hidden(lobby.server_id or 0, dave.id, hidden=True)
    for person in sandbox.people:
        await person.slash(lobby, "profile")
    played = [key.user_id for user in sandbox.people for key in await store.counted_days(lobby.server_id or 0, user.id)]
    await store.judge_seasons(lobby.server_id or 0, 1, [(user_id, SeasonFirst("", 1)) for user_id in played])
    await store.take_turn("identify:0", 5500)
    await store.database.write(lambda db: db.execute("INSERT INTO deletions VALUES (?, 0, 0)", (ELSEWHERE,)))
    await store.database.write(lambda db: db.execute("INSERT INTO standings_resets VALUES (?, 1, 1, 1)", (ELSEWHERE,)))
    await store.database.write(lambda db: db.execute("INSERT INTO recounts VALUES (?, 1)", (ELSEWHERE,)))
    for person in (bob, alice):
        await person.slash(lobby, "weekly", game="haymaker")
    await store.database.write(lambda db: db.execute("UPDATE weekly_attempts SET counts = 1"))
    tried = next(match for match in room.app.matches.live() if match.everywhere and alice.id in match.seats)
    await players.act(tried, tried.seats.index(alice.id), Resign())
    await WeeklyQueries(store).score(tried.id)
    await hold_tournaments(room, sandbox, players)
    await league_began(store, "league", lobby.server_id or 0)


async def hold_tournaments(room: Cardroom, sandbox: Sandbox, players: Players) -> None:
    """A tournament in its first round, of which a result was set, and one of teams that somebody has asked for."""
    alice, bob, carol, dave, *_ = sandbox.people
    lobby, queries = sandbox.channel("lobby"), TournamentQueries(room.store)
    guild_id = lobby.server_id or 0
    message = await opened(sandbox, alice, lobby, players=4)
    for person in (alice, bob, carol, dave):
        await person.press(message, label=JOIN)
    (cup,) = await queries.of_server(guild_id)

    async def first() -> str | None:
        whole = await queries.whole(guild_id, cup.id)
        return next((leg.match_id for each in whole.pairings for leg in each.legs), None) if whole is not None else None

    await until(first)
    begun = await first()
    await players.leave(next(match for match in room.app.matches.live() if match.id == begun))
    whole = await queries.whole(guild_id, cup.id)
    assert whole is not None
    at = room.app.clock.now()
    decided = replace(whole.pairings[0], how=How.CORRECTED, got=(1, 1), ended_at=at)
    await queries.correct(guild_id, cup.id, decided, Correction(1, 1, 1, at, alice.id, (1, 1)))
    teams = replace(cup, id="teams", message_id=None, teams=True, most=8)
    await queries.create(teams)
    await queries.put_entrants(guild_id, teams.id, [EntrantRow(1, alice.id, at), EntrantRow(2, bob.id, at)])
    await queries.ask(guild_id, teams.id, Ask(1, bob.id))


async def practised(room: Cardroom) -> list[Any]:
    """The matches of a person against computers, but for the day's deal."""
    live = room.app.matches.live()
    return [match for match in live if match.day is None and any(map(is_computer, match.seats))]


async def moved_by_a_computer(room: Cardroom, match_id: str) -> bool:
    """Whether the log of a match has a computer's move."""
    return any(record.computer for record in await room.store.records(match_id))


async def lacks(found: Awaitable[object]) -> bool:
    """Whether nothing is found."""
    return not await found


async def until(there: Callable[[], Awaitable[object]]) -> None:
    """Return once something is there. Raises TimeoutError after a minute."""
    for _ in range(3000):
        if await there():
            return
        await asyncio.sleep(0.02)
    raise TimeoutError("what was waited for did not come")


async def make_database(folder: Path) -> Path:
    """A database of the present tables in which something of everything has happened; where it is."""
    async with Sandbox.running() as sandbox:
        bot = cardroom(sandbox, folder, ahead=0, **ROOM)
        async with bot as room:
            await fill(sandbox, room)
            await room.store.record_heartbeat(room.app.clock.now())
    return folder / "cardroom.db"


def as_sql(database: Path) -> str:
    """The statements that make a database again."""
    with closing(sqlite3.connect(database)) as db:
        marks = [f"PRAGMA {name} = {db.execute(f'PRAGMA {name}').fetchone()[0]};" for name in MARKS]
        return "\n".join([*db.iterdump(), *marks, ""])


# ---------------------------------------------------------------------------------------------- matches


def make_logs(case: GameCase) -> Iterator[str]:
    """Matches of a game under its present rules, as JSON lines: one at each setting, then those with something new.

    Each begins with a line on the match; its records follow, and after some of them what everybody then knew.
    """
    key, game, kept = case.key, case.game, set[type]()
    rng, fewest = random.Random(key), _worth_keeping(case)
    settings = list(case.settings)
    wanted = {*game.info.events, *game.info.actions, TimeUp, Resign}
    for number in range(TRIES):
        setting = settings[number % len(settings)]
        seats = rng.choice(game.info.seats)
        odds = Odds() if number < len(settings) else Odds(time=rng.choice((0.05, 0.3)), resign=0.03)
        deal = replace(case.deal(setting, seats, rng), match_id=f"kept{number}")
        try:
            log = random_match(deal, rng, odds)
        except ValueError:  # options that do not fit so many seats
            continue
        longest = LONGEST if number < TRIES // 2 else 3 * LONGEST  # what is new yet comes late in a match
        acts = len(log.moves) if len(log.moves) <= longest else CUT
        classes = {type(event) for event in log.events(acts)} | {type(move.action) for move in log.moves[:acts]}
        if acts >= fewest and (number < min(3, len(settings)) or classes - kept):
            kept |= classes
            yield from _lines(log, acts)
        if number >= len(settings) and not wanted - kept:
            return
    if wanted - kept:
        sys.stderr.write(f"{key}: not in any match: {', '.join(sorted(cls.__name__ for cls in wanted - kept))}\n")


def _worth_keeping(case: GameCase) -> int:
    """The fewest acts of a match that is kept: `FEWEST`, in a game of short matches half of what they come to."""
    rng = random.Random(0)
    longest = max(
        len(random_match(case.deal(*case.setups[0], rng), rng, moves=2 * FEWEST).moves) for _ in range(SAMPLE)
    )
    return min(FEWEST, longest // 2)


def _lines(log: MatchLog, acts: int) -> Iterator[str]:
    deal, written = log.deal, codec(log.deal.game.info.key)
    head = {
        "id": deal.match_id,
        "game": deal.game.info.key,
        "rules_version": deal.game.info.rules_version,
        "options": written.encode(deal.options),
        "seats": [FIRST_USER + seat for seat in range(deal.seats)],
        "seed": deal.seed.hex(),
    }
    yield _line({"match": head})
    looked = {0, acts // 3, 2 * acts // 3, max(0, acts - 2), acts}
    for seq in range(acts + 1):
        move = log.moves[seq - 1] if seq else None
        record = {
            "seq": seq,
            "actor": move.actor if move else None,
            "action": written.encode(move.action) if move else None,
            "events": written.encode_all(move.events if move else log.opening),
        }
        yield _line({"record": record})
        if seq in looked:
            yield _line({"known": known(deal.game, log.states[seq], deal.seats)})


def _line(value: object) -> str:
    return f"{json.dumps(value, separators=(',', ':'), ensure_ascii=True)}\n"


# ---------------------------------------------------------------------------------------------- the command


def main(arguments: Sequence[str] | None = None) -> None:
    """Write what is not there yet."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.upgrades.make", description="Keep what upgrades are tried on."
    )
    parser.add_argument("--game", choices=GAMES, action="append", help="matches of this game only")
    parser.add_argument("--database", action="store_true", help="the database of the present tables, and no matches")
    parser.add_argument("--release", action="store_true", help="that, and what else the release of today promises")
    parser.add_argument("--in", dest="folder", type=Path, help="put the database into this data folder, to be used")
    given = parser.parse_args(arguments)
    if given.database and given.folder:
        asyncio.run(make_database(given.folder))
    elif given.database or given.release:
        keep(database_file(LATEST), _database_of_today)
    if given.release:
        keep(promised.file_of(promised.version()), promised.written)
    if given.game or not (given.database or given.release):
        for key in given.game or GAMES:
            case = case_of(key)
            keep(logs_file(key, case.game.info.rules_version), partial(_joined, case))


def keep(file: Path, make: Callable[[], str]) -> None:
    """Write what is made to a file, unless it is there."""
    if not file.exists():
        file.parent.mkdir(exist_ok=True)
        file.write_text(make(), encoding="utf-8")
        sys.stdout.write(f"made {file}\n")


def _database_of_today() -> str:
    with tempfile.TemporaryDirectory() as folder:
        return as_sql(asyncio.run(make_database(Path(folder))))


def _joined(case: GameCase) -> str:
    return "".join(make_logs(case))


if __name__ == "__main__":
    main()
