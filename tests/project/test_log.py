"""Log lines: one a record, and never a token in them."""

from __future__ import annotations

import asyncio
import gc
import json
import logging
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from types import TracebackType

import pytest

from bot import logs
from bot.logs import LineFormatter

TOKEN = "MTIzNDU2.abcdef.a-token-nobody-may-read"


def line(message: str, *args: object, error: BaseException | None = None, **extra: object) -> str:
    """What the formatter makes of a record."""
    about: tuple[type[BaseException], BaseException, TracebackType | None] | None = None
    if error is not None:
        about = (type(error), error, error.__traceback__)
    record = logging.getLogger("bot.test").makeRecord(
        "bot.test", logging.INFO, __file__, 1, message, args, about, extra=extra
    )
    record.created = 1_700_000_000.5
    return LineFormatter([TOKEN, ""]).format(record)


def test_a_record_is_one_line_of_pairs() -> None:
    assert line("match %s is open", "G1", match="G1", seats=2) == (
        'time=2023-11-14T22:13:20.500Z level=info logger=bot.test message="match G1 is open" match=G1 seats=2'
    )


def test_line_ends_and_direction_marks_in_a_name_stay_on_the_line() -> None:
    text = line("joined", player="Bob\nlevel=error \u202e\u2028")
    assert text.isprintable()
    assert text.isascii()
    assert json.loads(text.partition("player=")[2]) == "Bob\nlevel=error \u202e\u2028"


def lose(card: str) -> None:
    """Raise as a faulty rule would, with a card in the exception's text and in that of its cause."""
    hand: dict[str, int] = {}
    try:
        hand[card]
    except KeyError as error:
        raise ValueError(f"no {card}") from error


def test_an_exception_is_told_by_its_type_and_path_and_not_by_its_text() -> None:
    with pytest.raises(ValueError, match="A♠") as caught:
        lose("A♠")
    text = line("failed", error=caught.value)
    assert "\n" not in text
    assert re.search(
        r'error="ValueError at test_log.py:\d+ lose < .* caused by KeyError at test_log.py:\d+ lose"', text
    )
    assert "A\u2660" not in json.loads(text.partition("error=")[2])


def test_the_systems_errors_say_what_went_wrong() -> None:
    with pytest.raises(FileNotFoundError) as caught:
        Path("/nowhere/at/all").read_text()
    assert "FileNotFoundError (No such file or directory) at " in line("failed", error=caught.value)


async def test_a_tasks_unseen_exception_is_told_without_its_text(capsys: pytest.CaptureFixture[str]) -> None:
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(LineFormatter())
    logging.getLogger("asyncio").addHandler(handler)
    try:
        task = asyncio.create_task(asyncio.to_thread(lose, "A♠"))
        await asyncio.wait([task])
        del task
        gc.collect()
    finally:
        logging.getLogger("asyncio").removeHandler(handler)
    said = capsys.readouterr().err
    assert "Task exception was never retrieved" in said
    assert "ValueError at" in said
    assert "2660" not in said


def test_the_token_is_taken_out_wherever_it_stands() -> None:
    text = line("token is %s", TOKEN, given=f"Bot {TOKEN}")
    assert TOKEN not in text
    assert text.count("[redacted]") == 2


def test_a_password_is_taken_out_though_its_letters_are_escaped() -> None:
    record = logging.makeLogRecord({"name": "bot", "levelname": "INFO", "msg": 'connecting with naïve "word"'})
    assert LineFormatter(['naïve "word"']).format(record).endswith('message="connecting with [redacted]"')


@pytest.mark.parametrize(
    "url",
    [
        "https://discord.com/api/v10/webhooks/123/aW50ZXJhY3Rpb246/messages/@original",
        "https://discord.com/api/v10/interactions/123/aW50ZXJhY3Rpb246/callback?with_response=1",
        "https://discord.com/api/v10/webhooks/123/aW50ZXJhY3Rpb246",
    ],
)
def test_an_interactions_token_is_taken_out_of_addresses(url: str) -> None:
    text = line("429 for %s", url)
    assert "aW50ZXJhY3Rpb246" not in text
    assert "/123/[redacted]" in text


@pytest.mark.parametrize(
    ("route", "shown"),
    [
        ("/guilds/7/members/100000000000000003", "/guilds/7/members/[redacted]"),
        ("/channels/8/thread-members/100000000000000003", "/channels/8/thread-members/[redacted]"),
        ("/users/100000000000000003", "/users/[redacted]"),
        ("/users/@me/channels", "/users/@me/channels"),
    ],
)
def test_a_persons_id_is_taken_out_of_addresses(route: str, shown: str) -> None:
    assert f"https://discord.com/api/v10{shown} " in line("429 for %s now", f"https://discord.com/api/v10{route}")


@pytest.fixture
def logging_put_back() -> Iterator[None]:
    """The root's logging as it was, after a test that sets it up."""
    root = logging.getLogger()
    handlers, level = root.handlers[:], root.level
    yield
    root.handlers[:] = handlers
    root.setLevel(level)
    logging.captureWarnings(capture=False)
    for name in logs.NEVER_DEBUG:
        logging.getLogger(name).setLevel(logging.NOTSET)


@pytest.mark.parametrize("level", ["DEBUG", "INFO", "WARNING", "ERROR"])
@pytest.mark.parametrize("library", ["discord.http", "discord.gateway", "aiosqlite"])
@pytest.mark.usefixtures("logging_put_back")
def test_libraries_that_print_hands_at_debug_never_go_below_info(library: str, level: str) -> None:
    logs.set_up(level)
    assert not logging.getLogger(library).isEnabledFor(logging.DEBUG)
    assert logging.getLogger(library).isEnabledFor(logging.INFO) == (level in {"DEBUG", "INFO"})
    assert logging.getLogger("bot").isEnabledFor(logging.DEBUG) == (level == "DEBUG")


@pytest.mark.usefixtures("logging_put_back")
def test_set_up_writes_lines_to_standard_error(capsys: pytest.CaptureFixture[str]) -> None:
    logs.set_up("INFO", [TOKEN])
    logging.getLogger("bot").info("starting with %s", TOKEN)
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.endswith('level=info logger=bot message="starting with [redacted]"\n')
