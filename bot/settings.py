"""Typed settings, read once at start from the environment and a `.env` file; the environment wins.

The text below each setting is what operators read: `make reference` writes `.env.example` and docs/settings.md from it.
A wrong setting ends the program before it does anything, with exit code 78 (sysexits.h: EX_CONFIG) and one line that
names the key. No message repeats a value, because a token pasted into the wrong line must not end up in a log.
"""

from __future__ import annotations

import os
import re
import tempfile
from collections.abc import Mapping
from difflib import get_close_matches
from pathlib import Path
from typing import Annotated, Final, Literal
from urllib.parse import parse_qs, unquote, urlsplit

from dotenv.parser import parse_stream
from pydantic import AfterValidator, BaseModel, ConfigDict, Field, SecretStr, ValidationError

from bot.durations import PRESETS, NotATime, read_clock
from bot.languages import DEFAULT_LANGUAGE, language_for, languages
from bot.shard_range import EVERYTHING, ShardRange, read_ranges

EXIT_DATABASE: Final = 73
"""sysexits.h: EX_CANTCREAT."""
EXIT_UNREACHABLE: Final = 75
"""sysexits.h: EX_TEMPFAIL."""
EXIT_CONFIGURATION: Final = 78
"""The exit code for a wrong configuration; a service manager should not restart on it."""

ACCEPT_OLDER: Final = "--accept-older"
ACCEPT_OLDER_HELP: Final = "start with the database as it is, even if it lacks what was saved or is missing"
"""An option of a start and no setting, because it must not stay in force."""
LOCAL: Final = "--local"
LOCAL_HELP: Final = "for a bot on a Discord of this machine, where sessions cost nothing: begin each one at once"
"""An option of a start and no setting, because with a real token it would spend Discord's sessions."""

OUR_PREFIX: Final = "CARDROOM_"
FILE_PREFIXES: Final = (OUR_PREFIX, "DISCORD_")
"""Prefixes of keys that must be known. In the `.env` file both count. In the environment only `CARDROOM_` does, because
other programs may set a `DISCORD_…` there."""


LEAST_REDACTED: Final = 6
"""Letters of a password that is removed from logs by itself; a shorter one would be found in other words. The address
that contains it is removed in any case."""


class ConfigurationError(Exception):
    """A setting is missing, unknown or wrong. Its text is one line that names the key and contains no value."""


def _token(value: SecretStr) -> SecretStr:
    if any(character.isspace() for character in value.get_secret_value()):
        raise ValueError("a token has no spaces; set the token alone, without 'Bot'")
    return value


def _api_base(value: str) -> str:
    base = value.rstrip("/")
    try:
        parts = urlsplit(base)
        parts.port  # noqa: B018  reading it checks it
        (parts.hostname or "").encode("idna")  # as whatever looks up the name will do
    except ValueError:
        raise ValueError("not a web address") from None
    if parts.scheme not in {"http", "https"} or not parts.hostname:
        raise ValueError("must be a full web address, such as https://discord.com/api/v10")
    if parts.query or parts.fragment or "@" in parts.netloc:
        raise ValueError("must be a plain address, without '?', '#' or '@'")
    if not parts.path.endswith("/v10"):
        raise ValueError("must end with /v10, the API version the bot uses")
    return base


def _database(value: SecretStr) -> SecretStr:
    address = value.get_secret_value()
    try:
        parts = urlsplit(address)
        hosts = parts.netloc.rpartition("@")[2].split(",")
        for host in hosts:
            urlsplit(f"//{host}").port  # noqa: B018  reading it checks it
        hosts += [*parse_qs(parts.query, strict_parsing=bool(parts.query)).get("host", ())]
    except ValueError:
        raise ValueError(
            "not an address of a database; write special characters of a password as %40 and the like"
        ) from None
    if parts.scheme not in {"postgresql", "postgres"}:
        raise ValueError(
            "must begin with postgresql://; without it everything is stored in a file of CARDROOM_DATA_DIR"
        )
    if parts.fragment or any(character.isspace() or not character.isprintable() for character in address):
        raise ValueError("must have no spaces and no '#'; write them as %20 and %23")
    if not any(hosts) or not re.fullmatch("/[^/@]+", parts.path):
        raise ValueError("must name a server and a database, as postgresql://user:password@host/database does")
    return value


def _language(value: str) -> str:
    if language_for(value, languages()) is None:
        raise ValueError("unknown language; available: " + ", ".join(languages()))
    return value


def _clock(value: str) -> str:
    try:
        return read_clock(value)
    except NotATime:
        known = ", ".join(PRESETS)
        times = "a time from 15 seconds to 7 days such as 90s or 2h, or both times of a bank such as 10m + 10s"
        raise ValueError(f"must be one of {known}, {times}") from None


def _shards(value: str) -> str:
    if value:
        read_ranges(value)
    return value


def _upper(value: object) -> object:
    return value.upper() if isinstance(value, str) else value


class Settings(BaseModel):
    """All settings. Each field's alias is its key in the environment. A default that depends on others is a property
    below: `heartbeat_file`, `person_key_file`, `shard_ranges`."""

    model_config = ConfigDict(frozen=True, extra="forbid", hide_input_in_errors=True, validate_default=True)

    discord_token: Annotated[SecretStr | None, AfterValidator(lambda value: value and _token(value))] = Field(
        default=None, alias="DISCORD_TOKEN"
    )
    """The bot's token, from https://discord.com/developers/applications. Keep it private. Without a token, `make run`
    and `cardroom run` play on this machine, and `cardroom bot` does not start."""

    discord_api_base: Annotated[str, AfterValidator(_api_base)] = Field(
        default="https://discord.com/api/v10", alias="DISCORD_API_BASE"
    )
    """Base address of Discord's HTTP API, with the version. Change it to use a
    proxy."""

    data_dir: Path = Field(default=Path("data"), alias="CARDROOM_DATA_DIR")
    """The folder for everything the bot stores. The bot creates it if it is missing."""

    database_address: Annotated[SecretStr | None, AfterValidator(lambda value: value and _database(value))] = Field(
        default=None, alias="CARDROOM_DATABASE"
    )
    """The address of a PostgreSQL database for everything the bot stores, such as
    postgresql://cardroom:password@db.example/cardroom. Without it, that is the file `cardroom.db` of the data
    folder. docs/scaling.md says when to change."""

    log_level: Literal["DEBUG", "INFO", "WARNING", "ERROR"] = Field(default="INFO", alias="CARDROOM_LOG_LEVEL")
    """How much to log. discord.py never logs below INFO, because there it would print hands."""

    port: int = Field(default=8787, alias="CARDROOM_PORT", ge=0, le=65535)
    """The port on this machine on which `cardroom run` plays without a token; 0 picks a free one."""

    language: Annotated[str, AfterValidator(_language)] = Field(default=DEFAULT_LANGUAGE, alias="CARDROOM_LANGUAGE")
    """The language of messages in a channel, if Discord doesn't send the server's language."""

    default_clock: Annotated[str, AfterValidator(_clock)] = Field(default="normal", alias="CARDROOM_DEFAULT_CLOCK")
    """The match clock if a challenge and its server name none: blitz (30 seconds per turn), normal (2 minutes),
    relaxed (15 minutes), daily (24 hours), a time per turn such as 90s, 5m or 2h, or both times of a bank, such as
    10m + 10s."""

    notice_after_seconds: int = Field(default=20, alias="CARDROOM_NOTICE_AFTER_SECONDS", ge=1, le=3600)
    """After how many seconds without a move the bot mentions a player to say that it is their turn."""

    max_matches_per_player: int = Field(default=25, alias="CARDROOM_MAX_MATCHES_PER_PLAYER", ge=1, le=1000)
    """Unfinished matches that one person may have in one server."""

    max_practice_per_player: int = Field(default=3, alias="CARDROOM_MAX_PRACTICE_PER_PLAYER", ge=1, le=1000)
    """How many of these may be against computers alone."""

    max_matches_per_channel: int = Field(default=20, alias="CARDROOM_MAX_MATCHES_PER_CHANNEL", ge=1, le=1000)
    """Matches between people in one channel or thread, of which nobody may have more than a third. With 20 of them
    a board is at most 20 seconds late. Those on hold, and those with ten minutes or more per turn, do not count. In
    a full channel somebody who has no match there is let in all the same, and a match of the person who has most
    goes on hold."""

    max_matches_per_server: int = Field(default=200, alias="CARDROOM_MAX_MATCHES_PER_SERVER", ge=1, le=10_000)
    """Matches between people in one server, except for those on hold. A full one lets people in as a full channel
    does."""

    max_invitations_per_player: int = Field(default=5, alias="CARDROOM_MAX_INVITATIONS_PER_PLAYER", ge=1, le=100)
    """Open challenges and tables that one person may have made in one server."""

    max_invitations_per_channel: int = Field(default=20, alias="CARDROOM_MAX_INVITATIONS_PER_CHANNEL", ge=1, le=1000)
    """Open challenges and tables in one channel or thread. In a full one somebody who has none there may make one all
    the same, and the oldest of the person who has most is closed."""

    max_invitations_per_server: int = Field(default=100, alias="CARDROOM_MAX_INVITATIONS_PER_SERVER", ge=1, le=10_000)
    """Open challenges and tables in one server."""

    max_invitations_received: int = Field(default=10, alias="CARDROOM_MAX_INVITATIONS_RECEIVED", ge=1, le=1000)
    """Challenges and private tables in one server that may wait for one person's answer. One of somebody else closes
    the oldest of the person who has most."""

    max_challenges_in_vain: int = Field(default=5, alias="CARDROOM_MAX_CHALLENGES_IN_VAIN", ge=1, le=1000)
    """Challenges from one person to another that may be declined, cancelled or left unanswered within an hour."""

    card_emojis: bool = Field(default=True, alias="CARDROOM_CARD_EMOJIS")
    """Whether the bot uploads pictures of cards as emojis of its application, and shows cards by them. `off`: cards are
    text."""

    lean_requests: bool = Field(default=True, alias="CARDROOM_LEAN_REQUESTS")
    """Whether presses are read and answered in the way that costs less. `off`: discord.py's own way, in case of trouble
    with a proxy."""

    interaction_edits: bool = Field(default=True, alias="CARDROOM_INTERACTION_EDITS")
    """Whether the bot edits boards through the presses that made them while it can. `off`: all boards are edited by
    the bot's own token."""

    user_install: bool = Field(default=False, alias="CARDROOM_USER_INSTALL")
    """Whether people may install the bot for themselves, to learn, practise and play in any chat.
    Set it once you have allowed *User Install* in Discord's Developer Portal."""

    shards: Annotated[str, AfterValidator(_shards)] = Field(default="", alias="CARDROOM_SHARDS")
    """Which shards this process serves, if several processes are one bot: 0-15/64 for the first 16 of 64. A spare
    process names several ranges, 0-15,16-31/64, and serves the first one that is free. Without it, one process serves
    all servers."""

    edits_per_second: float = Field(default=0, alias="CARDROOM_EDITS_PER_SECOND", ge=0, le=10_000, allow_inf_nan=False)
    """Edits and posts per second that this process makes by the bot's own token. 0: its share of what Discord grants
    the bot. Set it only if a proxy keeps all processes within Discord's limit."""

    presses_per_second: int = Field(default=10, alias="CARDROOM_PRESSES_PER_SECOND", ge=1, le=1000)
    """Presses and commands per second that the bot accepts from one person. It ignores the rest and says so."""

    posts_per_minute: int = Field(default=3, alias="CARDROOM_POSTS_PER_MINUTE", ge=1, le=1000)
    """Challenges, tables, replays and other messages per minute that the bot posts in public because of one person.
    Where a channel has slow mode, it keeps them to that too."""

    heartbeat_path: Path | None = Field(default=None, alias="CARDROOM_HEARTBEAT_FILE")
    """The file that the bot updates while it is alive, for `python -m bot.heartbeat`. By default `heartbeat` in the
    data folder."""

    person_key_path: Path | None = Field(default=None, alias="CARDROOM_PERSON_KEY_FILE")
    """The file with the key by which a deleted person is recognised if they come back within 90 days. By default
    `person-key` in the data folder. Never put it among the backups."""

    backup_hours: float = Field(default=1.0, alias="CARDROOM_BACKUP_HOURS", ge=0, le=8760, allow_inf_nan=False)
    """Hours between backups, which the running bot makes in the folder `backups` of the data folder; 0 turns them
    off."""

    backups_gib: float = Field(default=0.0, alias="CARDROOM_BACKUPS_GIB", ge=0, le=1_000_000, allow_inf_nan=False)
    """How many GiB these backups may take together; the oldest go first. 0 sets no bound but the disk, of which a
    tenth, or 1 GiB, stays free in any case."""

    purge_days: int = Field(default=30, alias="CARDROOM_PURGE_DAYS", ge=1, le=3650)
    """Days until the bot deletes everything about a server that removed it. Until then matches can be resumed once
    it is added again. The bot also calls off a match that lost its channel and wasn't resumed for this long."""

    computer_workers: int = Field(default=1, alias="CARDROOM_COMPUTER_WORKERS", ge=1, le=64)
    """Processes that think for computer players, started when a computer player first needs one. Each takes about 30 MB
    of memory and gives way to the bot. One is enough for 200 matches at once."""

    metrics_port: int = Field(default=0, alias="CARDROOM_METRICS_PORT", ge=0, le=65535)
    """Port on this machine for `/metrics` (for Prometheus) and `/health`; 0 turns them off."""

    @property
    def database(self) -> Path:
        """The SQLite file with everything the bot stores."""
        return self.data_dir / "cardroom.db"

    @property
    def database_name(self) -> str:
        """What messages call the database: the path of the SQLite file, or PostgreSQL's server and database without
        what is secret."""
        if self.database_address is None:
            return str(self.database)
        parts = urlsplit(self.database_address.get_secret_value())
        servers = parts.netloc.rpartition("@")[2] or parse_qs(parts.query)["host"][0]
        return f"PostgreSQL database {unquote(parts.path[1:])} on {servers}"

    @property
    def secrets(self) -> tuple[str, ...]:
        """What must appear in no log: the token, and the database's address and password."""
        found = [self.discord_token and self.discord_token.get_secret_value()]
        if self.database_address is not None:
            address = self.database_address.get_secret_value()
            parts = urlsplit(address)
            given = [parts.password, *parse_qs(parts.query).get("password", ())]
            passwords = [each for each in given if each and len(each) >= LEAST_REDACTED]
            found += [address, *passwords, *map(unquote, passwords)]
        return tuple(secret for secret in found if secret)

    @property
    def backups_dir(self) -> Path:
        """The folder for backups, created with the first one."""
        return self.data_dir / "backups"

    @property
    def heartbeat_file(self) -> Path:
        """The file that the bot renews while its event loop runs (`bot.heartbeat`)."""
        return self.heartbeat_path or self.data_dir / "heartbeat"

    @property
    def person_key_file(self) -> Path:
        """The file with the key by which deleted people are recognised. It is in neither the database nor a backup."""
        return self.person_key_path or self.data_dir / "person-key"

    @property
    def shard_ranges(self) -> tuple[ShardRange, ...]:
        """The ranges of shards of which this process serves one, the first that is free; by default all servers."""
        return read_ranges(self.shards) if self.shards else (EVERYTHING,)

    def require_token(self) -> str:
        """The bot's token, only for the client. Raises ConfigurationError if there is none."""
        if self.discord_token is None:
            raise ConfigurationError(
                "DISCORD_TOKEN: missing; set it in the environment or in .env, "
                "or start `cardroom run` to play on this machine without one"
            )
        return self.discord_token.get_secret_value()


KEYS: Final = tuple(field.alias or name for name, field in Settings.model_fields.items())
"""Every setting's key, in the order of the class."""


def load_settings(env_file: Path | None = Path(".env"), environ: Mapping[str, str] | None = None) -> Settings:
    """Load this process's settings, create its data folder, and check that it is writable. `environ` stands in for
    `os.environ` in tests; an empty value counts as not set. Raises ConfigurationError."""
    from_file = {} if env_file is None else _read_env_file(env_file)
    from_environment = os.environ if environ is None else environ
    _refuse_unknown(from_file, FILE_PREFIXES, f" in {env_file}")
    _refuse_unknown(from_environment, (OUR_PREFIX,), "")
    given = {key: value for source in (from_file, from_environment) for key, value in source.items() if value}
    values: dict[str, object] = {key: given[key] for key in KEYS if key in given}
    if "CARDROOM_LOG_LEVEL" in values:
        values["CARDROOM_LOG_LEVEL"] = _upper(values["CARDROOM_LOG_LEVEL"])
    try:
        settings = Settings.model_validate(values)
    except ValidationError as error:
        raise ConfigurationError(_one_line(error)) from None
    _check_writable("CARDROOM_DATA_DIR", settings.data_dir)
    _check_writable("CARDROOM_HEARTBEAT_FILE", settings.heartbeat_file.parent)
    if not _is_there(settings.person_key_file):  # one that was made for several processes may be where nobody writes
        _check_writable("CARDROOM_PERSON_KEY_FILE", settings.person_key_file.parent)
    return settings


def _read_env_file(path: Path) -> dict[str, str]:
    if not _is_there(path):
        return {}
    values: dict[str, str] = {}
    try:
        with path.open(encoding="utf-8-sig") as lines:
            for binding in parse_stream(lines):
                if binding.error or (binding.key is not None and binding.value is None):
                    # The line itself is not shown: it may be a token that lost its key.
                    raise ConfigurationError(f"{path}: line {binding.original.line} is not KEY=value")
                if binding.key is not None:
                    values[binding.key] = binding.value or ""
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigurationError(f"{path}: cannot be read ({type(error).__name__})") from None
    return values


def _is_there(path: Path) -> bool:
    """Whether there is such a file, as far as this user may see: a command may be called in a folder that is closed to
    it."""
    return os.path.exists(path)  # noqa: PTH110  until Python 3.14 a Path's own raises for a closed folder


def _refuse_unknown(source: Mapping[str, str], prefixes: tuple[str, ...], where: str) -> None:
    for key in source:
        if key not in KEYS and key.upper().startswith(prefixes):
            near = get_close_matches(key.upper(), KEYS, n=1)
            hint = f"; did you mean {near[0]}?" if near else ""
            raise ConfigurationError(f"{key}: unknown setting{where}{hint}")


def _one_line(error: ValidationError) -> str:
    first = error.errors(include_url=False, include_context=False, include_input=False)[0]
    return f"{first['loc'][0]}: {first['msg'].removeprefix('Value error, ')}"


def _check_writable(key: str, folder: Path) -> None:
    """Create the folder and a file in it, because permission bits say little to root and nothing on a read-only
    disk."""
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)  # what is in it is nobody else's business
        with tempfile.TemporaryFile(dir=folder):
            pass
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else type(error).__name__
        raise ConfigurationError(f"{key}: the folder is not writable ({reason})") from None
