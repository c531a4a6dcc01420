"""What the environment and `.env` may say, and what is answered when they say it wrongly."""

from __future__ import annotations

import re
import stat
from pathlib import Path
from urllib.parse import quote

import pytest

from bot.settings import KEYS, ConfigurationError, load_settings
from bot.shard_range import EVERYTHING

ROOT = Path(__file__).parents[2]
SECRET = "MTIzNDU2.abcdef.a-token-nobody-may-read"


@pytest.fixture
def data(tmp_path: Path) -> dict[str, str]:
    """An environment that keeps its data in a temporary folder."""
    return {"CARDROOM_DATA_DIR": str(tmp_path / "data")}


def refusal(environ: dict[str, str], env_file: Path | None = None) -> str:
    """The one line that a wrong configuration is answered with."""
    with pytest.raises(ConfigurationError) as caught:
        load_settings(env_file, environ)
    line = str(caught.value)
    assert "\n" not in line
    return line


def test_environment_wins_over_file(data: dict[str, str], tmp_path: Path) -> None:
    env_file = tmp_path / ".env"
    env_file.write_text("CARDROOM_PORT=1111\nexport CARDROOM_NOTICE_AFTER_SECONDS='7'  # soon\nOTHER=1\n")
    settings = load_settings(env_file, {**data, "CARDROOM_PORT": "2222"})
    assert (settings.port, settings.notice_after_seconds) == (2222, 7)


def test_an_empty_value_counts_as_not_set(data: dict[str, str], tmp_path: Path) -> None:
    env_file = tmp_path / ".env"
    env_file.write_text("DISCORD_TOKEN=\nCARDROOM_PORT=1111\n")
    settings = load_settings(env_file, {**data, "CARDROOM_PORT": ""})
    assert settings.discord_token is None
    assert settings.port == 1111


def test_token_is_never_shown(data: dict[str, str]) -> None:
    settings = load_settings(None, {**data, "DISCORD_TOKEN": SECRET})
    assert settings.require_token() == SECRET
    assert SECRET not in repr(settings)
    assert SECRET not in str(settings.model_dump())


PASSWORD = "p%40ss/w0rd-nobody-may-read"
ADDRESS = f"postgresql://cardroom:{quote(PASSWORD, safe='')}@db.example:5433/cardroom?sslmode=require"


def test_the_databases_password_is_never_shown(data: dict[str, str]) -> None:
    settings = load_settings(None, {**data, "CARDROOM_DATABASE": ADDRESS})
    assert settings.database_address is not None
    assert settings.database_address.get_secret_value() == ADDRESS
    assert settings.database_name == "PostgreSQL database cardroom on db.example:5433"
    for shown in (repr(settings), str(settings.model_dump()), settings.database_name):
        assert PASSWORD not in shown
        assert quote(PASSWORD, safe="") not in shown
    assert {ADDRESS, PASSWORD, quote(PASSWORD, safe="")} <= set(settings.secrets)


def test_a_database_is_named_by_its_file_or_its_socket(data: dict[str, str]) -> None:
    assert load_settings(None, data).database_name == str(Path(data["CARDROOM_DATA_DIR"]) / "cardroom.db")
    on_socket = load_settings(None, {**data, "CARDROOM_DATABASE": "postgresql://cardroom@/cards?host=/run/postgresql"})
    assert on_socket.database_name == "PostgreSQL database cards on /run/postgresql"
    two = load_settings(None, {**data, "CARDROOM_DATABASE": "postgresql://u:p@one:5432,two:5433/cards"})
    assert two.database_name == "PostgreSQL database cards on one:5432,two:5433"


def test_a_password_in_the_query_and_a_token_are_secrets_and_a_short_word_alone_is_not(data: dict[str, str]) -> None:
    address = "postgresql:///cards?host=db&user=u&password=hidden-there"
    settings = load_settings(None, {**data, "CARDROOM_DATABASE": address, "DISCORD_TOKEN": SECRET})
    assert {SECRET, address, "hidden-there"} <= set(settings.secrets)
    short = load_settings(None, {**data, "CARDROOM_DATABASE": "postgresql://u:move@db/cards"})
    assert set(short.secrets) == {"postgresql://u:move@db/cards"}


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("DISCORD_TOKEN", f"Bot {SECRET}"),
        ("DISCORD_API_BASE", "discord.com/api/v10"),
        ("DISCORD_API_BASE", "https://discord.com/api"),
        ("DISCORD_API_BASE", "https://discord.com/api/v9"),
        ("DISCORD_API_BASE", f"ftp://{SECRET}@discord.com/api/v10"),
        ("DISCORD_API_BASE", "http://127.0.0.1:99999/api/v10"),
        ("DISCORD_API_BASE", "https://discord.com/api/v10?a=b#/v10"),
        ("DISCORD_API_BASE", f"https://u:{SECRET}@proxy.example/api/v10"),
        ("DISCORD_API_BASE", "https://discord..com/api/v10"),
        ("CARDROOM_DATABASE", f"data/{SECRET}.db"),
        ("CARDROOM_DATABASE", f"mysql://u:{SECRET}@db/cards"),
        ("CARDROOM_DATABASE", f"postgresql://u:{SECRET}@db"),
        ("CARDROOM_DATABASE", f"postgresql://u:{SECRET}@db/"),
        ("CARDROOM_DATABASE", f"postgresql://u:{SECRET}@db/cards/more"),
        ("CARDROOM_DATABASE", f"postgresql://u:{SECRET}@/cards"),
        ("CARDROOM_DATABASE", f"postgresql://u:{SECRET}#1@db/cards"),
        ("CARDROOM_DATABASE", f"postgresql://u:{SECRET}/1@db/cards"),
        ("CARDROOM_DATABASE", f"postgresql://u:{SECRET}@db:99999/cards"),
        ("CARDROOM_DATABASE", f"postgresql://u:123/{SECRET}@db"),
        ("CARDROOM_DATABASE", f"postgresql://u:{SECRET}@db/cards?{SECRET}"),
        ("CARDROOM_DATABASE", f"postgresql://u:{SECRET} @db/cards"),
        ("CARDROOM_LOG_LEVEL", SECRET),
        ("CARDROOM_PORT", SECRET),
        ("CARDROOM_PORT", "65536"),
        ("CARDROOM_PORT", "-1"),
        ("CARDROOM_LANGUAGE", "tlh"),
        ("CARDROOM_LANGUAGE", "../en"),
        ("CARDROOM_DEFAULT_CLOCK", "bullet"),
        ("CARDROOM_NOTICE_AFTER_SECONDS", "0"),
        ("CARDROOM_MAX_MATCHES_PER_PLAYER", "many"),
        ("CARDROOM_MAX_MATCHES_PER_CHANNEL", "0"),
        ("CARDROOM_MAX_MATCHES_PER_SERVER", "1e3"),
        ("CARDROOM_MAX_INVITATIONS_PER_PLAYER", "0"),
        ("CARDROOM_MAX_INVITATIONS_PER_CHANNEL", "-1"),
        ("CARDROOM_MAX_INVITATIONS_PER_SERVER", "10001"),
        ("CARDROOM_MAX_INVITATIONS_RECEIVED", "ten"),
        ("CARDROOM_MAX_CHALLENGES_IN_VAIN", "0"),
        ("CARDROOM_PRESSES_PER_SECOND", "0"),
        ("CARDROOM_SHARDS", SECRET),
        ("CARDROOM_SHARDS", "0-15"),
        ("CARDROOM_SHARDS", "0-16/16"),
        ("CARDROOM_SHARDS", "15-0/64"),
        ("CARDROOM_SHARDS", "0-15,15-31/64"),
        ("CARDROOM_SHARDS", "0-15,/64"),
        ("CARDROOM_SHARDS", "-1/64"),
        ("CARDROOM_SHARDS", "0/0"),
        ("CARDROOM_SHARDS", "0/99999"),
        ("CARDROOM_SHARDS", "0-²/64"),
        ("CARDROOM_EDITS_PER_SECOND", "-1"),
        ("CARDROOM_EDITS_PER_SECOND", "inf"),
        ("CARDROOM_COMPUTER_WORKERS", "0"),
        ("CARDROOM_DATA_DIR", "a\0b"),
    ],
)
def test_a_wrong_value_is_refused_by_its_key_and_not_repeated(data: dict[str, str], key: str, value: str) -> None:
    line = refusal({**data, key: value})
    assert line.startswith(f"{key}: ")
    assert SECRET not in line


def test_shards_are_read_as_ranges_of_which_one_is_served(data: dict[str, str]) -> None:
    def ranges(value: str) -> list[str]:
        settings = load_settings(None, {**data, "CARDROOM_SHARDS": value})
        return [str(each) for each in settings.shard_ranges]

    assert ranges("0-15/64") == ["0-15/64"]
    assert ranges(" 0-15, 16-31 / 64") == ["0-15/64", "16-31/64"]
    assert ranges("3/4") == ["3-3/4"]
    assert load_settings(None, data).shard_ranges == (EVERYTHING,)


def test_api_base_loses_its_last_slash(data: dict[str, str]) -> None:
    base = "http://127.0.0.1:8787/api/v10"
    assert load_settings(None, {**data, "DISCORD_API_BASE": base + "/"}).discord_api_base == base


def test_an_unknown_key_of_ours_is_refused_with_a_hint(data: dict[str, str]) -> None:
    assert refusal({**data, "CARDROOM_PROT": "1"}) == "CARDROOM_PROT: unknown setting; did you mean CARDROOM_PORT?"
    assert refusal({**data, "cardroom_port": "1"}).startswith("cardroom_port: unknown setting")


def test_the_file_may_hold_no_unknown_key_of_discord(data: dict[str, str], tmp_path: Path) -> None:
    env_file = tmp_path / ".env"
    env_file.write_text(f"DISCORD_TOKN={SECRET}\n")
    line = refusal(data, env_file)
    assert line.startswith("DISCORD_TOKN: unknown setting in ")
    assert SECRET not in line
    assert load_settings(None, {**data, "DISCORD_WEBHOOK": "of another program"}).discord_token is None


@pytest.mark.parametrize("text", [SECRET, f"# ours\n{SECRET}\n", f'DISCORD_TOKEN="{SECRET}\n'])
def test_a_line_that_is_no_setting_is_refused_by_its_number(data: dict[str, str], tmp_path: Path, text: str) -> None:
    env_file = tmp_path / ".env"
    env_file.write_text(text)
    line = refusal(data, env_file)
    assert re.search(r"line \d is not KEY=value$", line)
    assert SECRET not in line


def test_an_unreadable_file_is_refused(data: dict[str, str], tmp_path: Path) -> None:
    assert "cannot be read" in refusal(data, tmp_path)
    (tmp_path / ".env").write_bytes(b"\xff\xfe")
    assert "cannot be read" in refusal(data, tmp_path / ".env")


def test_a_file_that_cannot_even_be_looked_for_counts_as_missing(data: dict[str, str], tmp_path: Path) -> None:
    """As where a command is called in a folder that is closed to its user. A name that is too long fails alike, and for
    root too."""
    too_long = tmp_path / ("a" * 300)
    assert load_settings(too_long, data).discord_token is None
    assert load_settings(None, {**data, "CARDROOM_PERSON_KEY_FILE": str(too_long)}).person_key_file == too_long


def test_a_folder_that_cannot_be_made_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    assert refusal({"CARDROOM_DATA_DIR": str(tmp_path / "file" / "data")}).startswith("CARDROOM_DATA_DIR: the folder")


def test_a_new_data_folder_is_its_owners_alone_and_one_that_is_there_stays_as_it_is(tmp_path: Path) -> None:
    made, there = tmp_path / "made", tmp_path / "there"
    there.mkdir(mode=0o755)
    for folder in (made, there):
        load_settings(None, {"CARDROOM_DATA_DIR": str(folder)})
    assert [stat.S_IMODE(folder.stat().st_mode) for folder in (made, there)] == [0o700, 0o755]


def test_a_folder_that_takes_no_files_is_refused() -> None:
    assert refusal({"CARDROOM_DATA_DIR": "/proc/self/fdinfo"}).startswith(
        "CARDROOM_DATA_DIR: the folder is not writable"
    )


def test_the_heartbeats_folder_is_checked_under_its_own_key(data: dict[str, str], tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    line = refusal({**data, "CARDROOM_HEARTBEAT_FILE": str(tmp_path / "file" / "beat")})
    assert line.startswith("CARDROOM_HEARTBEAT_FILE: ")


def test_the_key_files_folder_is_checked_under_its_own_key(data: dict[str, str], tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    line = refusal({**data, "CARDROOM_PERSON_KEY_FILE": str(tmp_path / "file" / "key")})
    assert line.startswith("CARDROOM_PERSON_KEY_FILE: ")


def test_a_key_file_that_is_there_may_be_where_nobody_writes(data: dict[str, str]) -> None:
    there = "/proc/self/status"
    assert load_settings(None, {**data, "CARDROOM_PERSON_KEY_FILE": there}).person_key_file == Path(there)
    assert refusal({**data, "CARDROOM_PERSON_KEY_FILE": "/proc/self/none"}).startswith("CARDROOM_PERSON_KEY_FILE: ")


def test_example_file_lists_every_setting_and_no_other() -> None:
    example = (ROOT / ".env.example").read_text(encoding="utf-8")
    assert set(re.findall(r"^#?([A-Z][A-Z_]+)=", example, re.MULTILINE)) == set(KEYS)
    for entry in example.split("\n\n")[1:]:
        assert entry.startswith("# "), f"no comment above {entry}"


def test_example_file_shows_the_defaults(data: dict[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    example = (ROOT / ".env.example").read_text(encoding="utf-8")
    env_file = tmp_path / ".env"
    env_file.write_text(re.sub(r"^#([A-Z][A-Z_]+=)", r"\1", example, flags=re.MULTILINE))
    shown, default = load_settings(env_file, {}), load_settings(None, {})
    assert shown.heartbeat_file == default.heartbeat_file
    assert shown.person_key_file == default.person_key_file
    paths = {"heartbeat_path", "person_key_path"}
    assert shown.model_dump(exclude=paths) == default.model_dump(exclude=paths)
