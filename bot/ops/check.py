"""`cardroom check`: checks whether a bot with these settings can run here, and prints one line per check.

Exit codes: 0 all is well · 1 something is wrong that no setting fixes · 78 settings or token are wrong. A warning
changes no exit code. The command only reads: it neither creates a missing database nor takes the lock, and no byte of a
file changes. No line shows any part of the token.
"""

from __future__ import annotations

import asyncio
import base64
import binascii
import importlib.metadata
import json
import platform
import re
import shutil
import sqlite3
from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal, cast
from urllib.parse import urlsplit

import aiohttp

from bot import heartbeat
from bot.games import DISTRIBUTIONS, GAMES, LeftOut
from bot.ops import backups, databases, game_packages
from bot.ops.match_check import verify_all
from bot.play.live_match import LiveMatch
from bot.settings import EXIT_CONFIGURATION, ConfigurationError, Settings
from bot.shard_range import EVERYTHING
from bot.store.dump_format import NotADumpError
from bot.store.errors import AccessRefused, StoreError
from bot.store.migrations import LATEST, migrations
from bot.store.queries import counting_again, matches
from bot.store.sqlite.backup import verify_database
from bot.store.sqlite.instance_lock import lock_holder
from bot.store.sqlite.reading import beside, open_existing
from bot.store.sqlite.schema import has_altered_schema, known_version
from bot.store.sqlite.witness import refuse_older
from bot.store.store import Store
from bot.telemetry import NO_TELEMETRY

if TYPE_CHECKING:
    from bot.ops.databases import Server  # its driver is an extra

API_WITHIN: Final = 10.0
"""Seconds each request to Discord may take."""

LEAST_FREE: Final = 100 * 2**20
"""Bytes that must be free on the disk, and at least twice the database's size, which leaves room for its journal and a
backup."""
LEAST_BESIDE_SERVER: Final = 2**20
"""Bytes that must be free where PostgreSQL has the database: for the heartbeat. What a copy needs, making it shows."""

MOST_NAMED: Final = 5
"""How many matches a line names."""

MOST_ALTERED: Final = 50
"""How many altered matches a line names."""

LEAST_SQLITE: Final = (3, 37, 0)
"""The first version with strict tables (https://www.sqlite.org/stricttables.html)."""

WITHOUT_WAL_RESET_FAULT: Final = (((3, 44, 6), (3, 45, 0)), ((3, 50, 7), (3, 51, 0)), ((3, 51, 3), (4, 0, 0)))
"""The versions of SQLite without the WAL-reset fault, each range from its first version up to but without its last
(https://www.sqlite.org/wal.html#walresetbug). All earlier ones with a WAL have it."""

LIBRARIES: Final = ("discord.py", "aiohttp", "aiosqlite", "pydantic", "orjson", "openskill", "babel", "pillow")

NEEDED: Final = {
    "View Channels": 1 << 10,
    "Send Messages": 1 << 11,
    "Embed Links": 1 << 14,
    "Attach Files": 1 << 15,
    "Read Message History": 1 << 16,
    "Send Messages in Threads": 1 << 38,
}
"""The permissions that the bot needs (https://discord.com/developers/docs/topics/permissions)."""

ADMINISTRATOR: Final = 1 << 3
PRIVILEGED: Final = {"presences": 3 << 12, "server members": 3 << 14, "message content": 3 << 18}
"""The flags of an application with a privileged intent, granted in full or while it is in few servers."""


@dataclass(frozen=True, slots=True)
class Item:
    """One line. `code` is the exit code it asks for; `warns` marks what works but could be better."""

    name: str
    text: str
    code: Literal[0, 1, 78] = 0
    warns: bool = False

    def __str__(self) -> str:
        return f"{'FAIL' if self.code else 'warn' if self.warns else 'ok  '} {self.name}: {self.text}"


def run(settings: Settings) -> int:
    """Print one line per check, and return the exit code."""
    left_out = game_packages.load()  # before the matches are looked at: some may be of these games
    return asyncio.run(_run(settings, left_out))


async def _run(settings: Settings, left_out: Sequence[LeftOut]) -> int:
    worst = 0
    items = [*_here(settings, left_out)]
    for item in items:
        print(item)
        worst = max(worst, item.code)
    if settings.discord_token is not None and not any(item.code and item.name == "token" for item in items):
        async for item in _there(settings):
            print(item)
            worst = max(worst, item.code)
    return worst


def _here(settings: Settings, left_out: Sequence[LeftOut]) -> Iterator[Item]:
    """Check what is on this machine. To get here, the settings were read and the data folder was found writable."""
    yield Item("settings", "all known and valid")
    yield _token(settings)
    yield _data_folder(settings.data_dir)
    yield from database_items(settings)
    yield _disk(settings)
    if settings.database_address is None:
        yield _backups(settings)
    yield _versions()
    yield from sqlite_faults(sqlite3.sqlite_version_info)
    yield from _games(left_out)
    yield _bot(settings)


def _data_folder(folder: Path) -> Item:
    """Whether others may read the folder. A start makes it private, but leaves one that is there as it is."""
    if folder.stat().st_mode & 0o077:
        return Item("data folder", f"{folder.resolve()} is open to other users: chmod 700", warns=True)
    return Item("data folder", f"{folder.resolve()} is writable")


def database_items(settings: Settings) -> Iterator[Item]:
    """Check the database, and if it is sound what is in it.

    What PostgreSQL has is checked in a copy, a SQLite file that is removed again. So there is one check for both, and
    it shows that the database can be dumped and loaded too.
    """
    if settings.database_address is None:
        yield from _sqlite_items(settings)
        return
    try:
        server = databases.server_of(settings)
        yield Item("server", f"{settings.database_name}, version {server.version}, {server.size} bytes")
        yield from _durability(server)
        yield from _shards(server)
        if not server.has_schema:
            yield Item("database", "no tables yet; the first start makes them")
            return
        with databases.copy_as_sqlite(databases.dump_lines(settings), settings.data_dir) as copy:
            yield from _sqlite_items(settings.model_copy(update={"database_address": None, "data_dir": copy.parent}))
    except ConfigurationError as error:
        yield Item("database", str(error), EXIT_CONFIGURATION)
    except NotADumpError as error:
        yield Item("database", f"its rows break the rules of the tables: of its dump, {error}", 1)
    except StoreError as error:
        yield Item("database", str(error), EXIT_CONFIGURATION if isinstance(error, AccessRefused) else 1)
    except OSError as error:
        yield Item("database", f"can't be copied to the data folder ({error.strerror})", 1)


def _durability(server: Server) -> Iterator[Item]:
    """Whether the server keeps what it has acknowledged."""
    if server.unsafe:
        yield Item("durability", f"a power cut may lose moves: the server has {', '.join(server.unsafe)}", 1)
    if not server.checksums:
        yield Item("checksums", "off, so a page that the disk altered isn't noticed", warns=True)


def _shards(server: Server) -> Iterator[Item]:
    """Which process holds which shards, and until when. In servers of other shards nobody is answered."""
    if not server.leases:
        return
    held = [lease for lease in server.leases if lease.owner is not None and lease.left > 0]
    if not held:
        yield Item("shards", "held by no process")
        return
    parts = [f"{each.shards} by {each.owner} for {each.left:.0f} s" for each in held]
    free = [str(each.shards) for each in server.leases if each not in held]
    text = ", ".join([*parts, *(f"{shards} by nobody" for shards in free)])
    yield Item("shards", f"held: {text}", warns=bool(free))


def _sqlite_items(settings: Settings) -> Iterator[Item]:
    database = _database(settings)
    yield database
    if settings.database.exists() and not database.code:
        yield _in_rows(settings, "standings", _standings)
        yield _in_rows(settings, "live matches", _matches)
        yield _in_rows(settings, "seals and logs", _altered)


def _token(settings: Settings) -> Item:
    if settings.discord_token is None:
        return Item("token", "not set; `cardroom run` plays on this machine, and `cardroom bot` won't start")
    if (urlsplit(settings.discord_api_base).hostname or "").endswith("discord.com") and not _looks_like_a_token(
        settings.discord_token.get_secret_value()
    ):
        return Item(
            "token", "DISCORD_TOKEN doesn't look like a bot token: copy the whole token again", EXIT_CONFIGURATION
        )
    return Item("token", "set, and in the right format")


def _looks_like_a_token(token: str) -> bool:
    """Whether a text has a token's form: three parts joined by dots, the first of which is the bot's id in base64
    (https://discord.com/developers/docs/reference#authentication)."""
    if not re.fullmatch(r"[\w-]{16,}\.[\w-]{5,}\.[\w-]{20,}", token, re.ASCII):
        return False
    first = token.partition(".")[0]
    try:
        return base64.urlsafe_b64decode(first + "=" * (-len(first) % 4)).isdigit()
    except binascii.Error:
        return False


def _database(settings: Settings) -> Item:
    try:
        steps = migrations()
        refuse_older(settings.database, settings.backups_dir, steps)
        if not settings.database.exists():
            return Item("database", "none yet; the first start creates it")
        contents = verify_database(settings.database)
        with open_existing(settings.database) as connection:
            if has_altered_schema(connection, steps[: contents.version]):
                return Item("database", f"the tables of {settings.database} are not as they were made", 1)
    except StoreError as error:
        return Item("database", str(error), 1)
    then = "" if contents.version == LATEST else f"; the next start backs it up and upgrades it to version {LATEST}"
    return Item("database", f"sound: {contents}{then}")


def _in_rows(settings: Settings, name: str, check: Callable[[sqlite3.Connection], Item]) -> Item:
    """What a check finds in the rows of a database that has the tables of this program, all of one moment."""
    try:
        with open_existing(settings.database) as connection:
            if known_version(connection, settings.database, migrations()) < LATEST:
                return Item(name, "checked once the database is upgraded")
            connection.execute("BEGIN")
            return check(connection)
    except StoreError as error:
        return Item(name, str(error), 1)


def _standings(connection: sqlite3.Connection) -> Item:
    found = counting_again.recount(connection)
    rows = f"{found.differing_lines} rows of leaderboards" if found.differing_lines else ""
    differing = str(found.differing) if found.differing else rows
    if differing:
        text = f"{differing} differ from the results: stop the bot and run `cardroom rebuild-standings`"
        return Item("standings", text, 1)
    return Item("standings", f"{found.standings}, which match the {found.results} results")


def _matches(connection: sqlite3.Connection) -> Item:
    """Whether this program can replay the log of every live match. It is no fault that a game is not installed."""
    live = matches.live(connection, EVERYTHING)
    rows = [row for row in live if row.game in GAMES]
    unreadable = [row.id for row in rows if not _can_be_replayed(row, matches.records(connection, row.id))]
    if unreadable:
        shown = ", ".join(unreadable[:MOST_NAMED]) + (", …" if len(unreadable) > MOST_NAMED else "")
        text = (
            f"{len(unreadable)} of {len(rows)} would be on hold because this version can't replay their logs: {shown}"
        )
        return Item("live matches", text, 1)
    waiting = Counter(row.game for row in live if row.game not in GAMES)
    more = "".join(f"; {count} more wait for the game {game}" for game, count in sorted(waiting.items()))
    return Item("live matches", f"{len(rows)}, and this version can replay them all{more}")


def _altered(connection: sqlite3.Connection) -> Item:
    """Whether all matches, finished ones too, and all open invitations are as they were saved."""
    found = verify_all(connection)
    if found.altered:
        shown = [f"{key} ({why})" for key, why in [*found.altered.items()][:MOST_ALTERED]]
        more = f" and {len(found.altered) - len(shown)} more" if len(found.altered) > len(shown) else ""
        text = f"{len(found.altered)} are not as they were saved, restore a backup: {', '.join(shown)}{more}"
        return Item("seals and logs", text, 1)
    return Item("seals and logs", f"{found.matches} matches and {found.invitations} open invitations, as saved")


def _can_be_replayed(row: matches.MatchRow, records: Sequence[matches.Record]) -> bool:
    nobody = cast("Store", None)  # replaying a match does not use the store
    try:
        match = LiveMatch(row, nobody, lambda: 0, NO_TELEMETRY)
        match.replay(records, ())
    except Exception:  # noqa: BLE001  its log may be wrong in any way
        return False
    return match.position.outcome is None  # otherwise a result should be stored


def _disk(settings: Settings) -> Item:
    free = shutil.disk_usage(settings.data_dir).free
    size = settings.database.stat().st_size if settings.database.exists() else 0
    least = max(LEAST_FREE, 2 * size) if settings.database_address is None else LEAST_BESIDE_SERVER
    text = f"{free // 2**20} MiB free"
    return (
        Item("disk", text)
        if free >= least
        else Item("disk", f"{text}, but at least {least // 2**20} MiB are needed", 1)
    )


def _backups(settings: Settings) -> Item:
    """How old the newest backup is, and what all take. None of them is read: `cardroom check-backup` does that."""
    made = backups.kept(settings.backups_dir)
    taken = f"{len(made)} by the bot, {sum(each.size for each in made) / 2**20:.1f} MiB"
    whole = {each.number for each in made if not each.needs}
    if lone := [each.file.name for each in made if each.needs and each.needs not in whole]:
        return Item("backups", f"{taken}; the one that {lone[-1]} needs is missing", warns=True)
    if not made or made[-1].time is None:
        return Item("backups", "none by the bot yet")
    age = (datetime.now(UTC) - made[-1].time).total_seconds() / backups.HOUR
    if age * backups.HOUR < -backups.FUTURE:
        return Item("backups", f"{taken}; the newest has a name of the future: check this machine's clock", warns=True)
    late = 0 < settings.backup_hours < age - 1 and lock_holder(beside(settings.database, ".lock")) is not None
    return Item("backups", f"{taken}; the newest was made {max(0.0, age):.1f} hours ago", warns=late)


def _versions() -> Item:
    libraries = ", ".join(f"{name} {importlib.metadata.version(name)}" for name in LIBRARIES)
    text = f"Python {platform.python_version()}, SQLite {sqlite3.sqlite_version}, {libraries}"
    if sqlite3.sqlite_version_info < LEAST_SQLITE:
        return Item("versions", f"{text}; SQLite must be 3.37 or later", 1)
    return Item("versions", text)


def sqlite_faults(version: tuple[int, int, int]) -> Iterator[Item]:
    """A warning about a version of SQLite that can damage a database.

    Cardroom avoids what the fault needs, two connections of which one checkpoints; other programs may not.
    """
    if not any(first <= version < last for first, last in WITHOUT_WAL_RESET_FAULT):
        text = (
            f"{'.'.join(map(str, version))} can damage a database that several programs write, so open it only "
            "with cardroom while a bot runs; the fault is fixed in 3.51.3, 3.50.7 and 3.44.6"
        )
        yield Item("SQLite", text, warns=True)


def _bot(settings: Settings) -> Item:
    """Whether a bot runs. The lock knows; a heartbeat outlives a killed bot by a minute."""
    if settings.database_address is not None:
        return _connected(settings)
    holder = lock_holder(beside(settings.database, ".lock"))
    if holder is None:
        return Item("bot", "not running")
    age = heartbeat.age(settings.heartbeat_file)
    beat = "no heartbeat yet" if age is None else f"last heartbeat {age:.0f} s ago"
    return Item("bot", f"running{f' as process {holder}' if holder else ''}, {beat}")


def _connected(settings: Settings) -> Item:
    """How many processes of the bot the server knows."""
    try:
        server = databases.server_of(settings)
    except (ConfigurationError, StoreError):
        return Item("bot", "not known, because the server can't be asked")
    age = heartbeat.age(settings.heartbeat_file)
    beat = "" if age is None else f"; last heartbeat of the one with this data folder {age:.0f} s ago"
    many = "1 process" if server.bots == 1 else f"{server.bots} processes"
    return Item("bot", f"{many} connected{beat}" if server.bots else "not running")


def _games(left_out: Sequence[LeftOut]) -> Iterator[Item]:
    """The games of other packages, if there are any. One that is left out harms no other, but somebody wants it."""
    if DISTRIBUTIONS:
        names = ", ".join(f"{key} ({distribution})" for key, distribution in DISTRIBUTIONS.items())
        yield Item("installed games", names)
    for each in left_out:
        yield Item("installed games", str(each), 1)


# ---------------------------------------------------------------------------------------------- Discord


class _NotThereError(Exception):
    """Discord did not return what was requested. `item` says so."""

    def __init__(self, item: Item) -> None:
        super().__init__(str(item))
        self.item = item


async def _there(settings: Settings) -> AsyncIterator[Item]:
    """Check what Discord says about this token. This announces nothing and uses no identify."""
    headers = {
        "Authorization": f"Bot {settings.require_token()}",
        "User-Agent": "DiscordBot (cardroom check, 1)",
    }
    within = aiohttp.ClientTimeout(total=API_WITHIN)
    async with aiohttp.ClientSession(headers=headers, timeout=within) as session:
        try:
            user = await _ask(session, settings, "/users/@me")
            yield Item("identity", f"{json.dumps(user['username'])}, id {user['id']}")
            yield intents(await _ask(session, settings, "/applications/@me"))
            yield connecting(await _ask(session, settings, "/gateway/bot"))
            yield permissions(await _ask(session, settings, "/users/@me/guilds"))
        except _NotThereError as error:
            yield error.item
        except (AttributeError, KeyError, TypeError, ValueError):
            yield Item("Discord", "something else answers: is DISCORD_API_BASE right?", 1)


async def _ask(session: aiohttp.ClientSession, settings: Settings, path: str) -> Any:
    try:
        # A redirect would send the token to another host.
        async with session.get(settings.discord_api_base + path, allow_redirects=False) as answer:
            if answer.status == 401:
                refused = Item("identity", "DISCORD_TOKEN: Discord does not accept it", EXIT_CONFIGURATION)
                raise _NotThereError(refused)
            if answer.status != 200:
                raise _NotThereError(Item("Discord", f"{path} returned HTTP {answer.status}", 1))
            return await answer.json()
    except (aiohttp.ClientError, TimeoutError, OSError, ValueError) as error:
        raise _NotThereError(Item("Discord", f"cannot be reached ({type(error).__name__})", 1)) from None


def intents(application: Any) -> Item:
    """The intents that the application may ask for, as Discord describes it."""
    flags = int(application.get("flags") or 0)
    needless = [name for name, bits in PRIVILEGED.items() if flags & bits]
    if needless:
        return Item("intents", f"more than needed: you can switch off {', '.join(needless)} for this application")
    return Item("intents", "guilds only, which needs no approval")


def connecting(gateway: Any) -> Item:
    """How many identifies are left and how many shards are recommended, as Discord describes the gateway."""
    limit = gateway["session_start_limit"]
    text = f"{limit['remaining']} of {limit['total']} identifies left today, shards recommended: {gateway['shards']}"
    return Item("gateway", text) if limit["remaining"] else Item("gateway", f"{text}: wait until tomorrow", 1)


def permissions(servers: Any) -> Item:
    """Check permissions in the first 200 servers. Channels may grant or deny more, so a missing one is not fatal."""
    lacking = []
    for server in servers:
        has = int(server.get("permissions") or 0)
        missing = [name for name, bit in NEEDED.items() if not has & (bit | ADMINISTRATOR)]
        if missing:
            lacking.append(f"server {server['id']} doesn't grant {', '.join(missing)}")
    if lacking:
        return Item("permissions", f"{'; '.join(lacking)}. The bot can play there only in channels that do")
    return Item("permissions", f"all granted, in {len(servers)} servers")
