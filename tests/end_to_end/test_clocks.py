"""Clocks as players pick and type them: read, refused, completed, shown, and kept for the next match."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.durations import (
    DAY,
    LEAST_BANK,
    LEAST_MORE,
    LEAST_TURN,
    MOST_TURN,
    PRESETS,
    Bank,
    NotATime,
    OutOfRange,
    clock_terms,
    key_of,
    key_of_terms,
    read_turn,
)
from bot.languages import languages
from bot.play.refusals import Refused
from bot.settings import load_settings
from bot.time_controls import SLOW_FROM, TIME_CONTROLS, time_control
from bot.ui.catalogue import translations
from cogs.interactions import autocomplete
from cogs.screens.time_control_text import offered_time_controls, read_time_control, time_control_label, time_label
from discord_sandbox import Sandbox
from engines import GAMES
from tests.end_to_end.cardroom import Cardroom
from tests.end_to_end.players import challenge, resign

say = translations("en")
TURNS = st.integers(LEAST_TURN, MOST_TURN)
LEAST, MOST = time_label(LEAST_TURN, say), time_label(MOST_TURN, say)


# ---------------------------------------------------------------------------------------------- reading


@pytest.mark.parametrize(
    ("typed", "seconds"),
    [
        ("90s", 90),
        ("90 sec", 90),
        ("5m", 300),
        ("5 min", 300),
        ("5", 300),
        ("2h", 7200),
        ("3 days", 259_200),
        ("1 Week", 604_800),
        ("1h 30m", 5400),
        ("1h30", 5400),
        ("1 hour and 30 minutes", 5400),
        ("1 hr, 30 mins, 5 secs", 5405),
        ("1.5h", 5400),
        ("2,5 min", 150),
        ("45 s a turn", 45),
        ("  10 MIN / turn ", 600),
        ("５ｍ", 300),
        ("Daily", 86_400),
    ],
)
def test_a_typed_time_is_read(typed: str, seconds: int) -> None:
    assert read_turn(typed) == seconds


@pytest.mark.parametrize(
    ("why", "typed"),
    [
        (NotATime, ["", " ", "fast", "m", "5 parsecs", "1:30", "-5m", "5m 5m", "5 5", "1h and", "½h", "5m!", "a turn"]),
        (NotATime, ["5" * 61]),
        (OutOfRange, ["0", "14s", "14.4 s", "7d 1s", "8 days", "9" * 60]),
    ],
)
def test_what_is_no_time_or_none_that_a_turn_may_take_is_refused(why: type[NotATime], typed: list[str]) -> None:
    for each in typed:
        with pytest.raises(NotATime) as refused:
            read_turn(each)
        assert type(refused.value) is why, each


@given(st.text(max_size=80))
def test_whatever_is_typed_is_read_or_refused(text: str) -> None:
    with suppress(Refused):
        read = read_time_control(text, say)
        assert time_control(read.key) == read
    for label, key in offered_time_controls(text, say)[: autocomplete.MOST_OFFERED]:
        assert 1 <= len(label) <= 100
        assert time_control(key).key == key


@given(TURNS | st.sampled_from(list(PRESETS.values())))
def test_every_clock_is_read_back_from_its_key_and_from_its_label(turn: int) -> None:
    made = time_control(key_of(turn))
    assert made.turn == read_turn(made.key) == turn
    label = time_control_label(made, say)
    assert read_time_control(label, say) == read_time_control(say("clock.offer", clock=label), say) == made
    assert (label, made.key) in [
        (name.removesuffix(" per turn"), key) for name, key in offered_time_controls(made.key, say)
    ]


BANK = st.builds(
    lambda whole, more, by_day: Bank(max(whole, DAY) if by_day else whole, min(whole, more), by_day),
    st.integers(LEAST_BANK, MOST_TURN),
    st.integers(LEAST_MORE, MOST_TURN),
    st.booleans(),
)


@pytest.mark.parametrize("language", languages())
@given(bank=BANK)
def test_every_bank_is_read_back_from_its_key_its_terms_and_its_label(language: str, bank: Bank) -> None:
    made, words = time_control(bank.key), translations(language)
    assert (made.bank, Bank.of_key(bank.key), key_of_terms(clock_terms(bank.key))) == (bank, bank, bank.key)
    for typed in (bank.key, time_control_label(made, words)):
        assert read_time_control(typed, words) == made


@pytest.mark.parametrize(
    ("why", "typed"),
    [
        ("clock.no_bank", ["59s + 5s", "10m + 4s", "10m + 11m", "8 days + 1h", "23h + 1h a day", "0+0"]),
        ("clock.unreadable", ["10m + ", "+ 5s", "10m + 5s + 5s", "10m + soon", "10m ++ 5s"]),
    ],
)
def test_what_is_no_bank_is_refused_with_what_there_is(why: str, typed: list[str]) -> None:
    for each in typed:
        with pytest.raises(Refused) as refused:
            read_time_control(each, say)
        assert refused.value.key == why, each


def test_a_key_that_was_never_written_is_no_clock() -> None:
    banks = ("600s_4s", "59s_5s", "600s_601s", "3600s_60d", "600s_10", "600s_10m", "0600s_10s")
    turns = ("", "s", "90", "90m", "0s", "14s", "604801s", "-90s", "9999999s", "Daily", "90S", "９０s")
    for key in (*turns, *banks):
        with pytest.raises(ValueError, match=r"no such clock|too small or too large"):
            time_control(key)


@given(TURNS)
def test_play_is_slow_from_ten_minutes_a_turn_on(turn: int) -> None:
    made = time_control(key_of(turn))
    assert made.slow == (turn >= SLOW_FROM == 600)
    assert made.invitation == (24 * 3600 if made.slow else 15 * 60)


@pytest.mark.parametrize(
    ("seconds", "told"),
    [
        (15, "15 seconds"),
        (61, "61 seconds"),
        (180, "3 minutes"),
        (3661, "1 hour 1 minute 1 second"),
        (86_460, "1 day 1 minute"),
    ],
)
def test_a_time_is_written_in_its_units(seconds: int, told: str) -> None:
    assert time_label(seconds, say) == told
    assert f"from {LEAST} to {MOST}" in say("help.clocks", clocks="")


# ---------------------------------------------------------------------------------------------- offering


@pytest.mark.parametrize(
    ("typed", "keys"),
    [
        ("", list(TIME_CONTROLS)),
        ("da", ["daily", "259200s_43200s", "259200s_43200d"]),
        ("10 + 10", ["600s_10s"]),
        ("10m+", []),
        ("5 min + 3s", []),
        ("5 min + 5 a move", ["300s_5s"]),
        ("2 days + 6h per day", ["172800s_21600d"]),
        ("90s", ["90s"]),
        ("5", ["300s", "18000s", "432000s", "relaxed"]),
        ("15", ["relaxed", "15s", "54000s"]),
        ("2 min", ["normal"]),
        ("30", ["1800s", "blitz", "108000s"]),
        ("5 parsecs", []),
        ("8 days", []),
    ],
)
def test_what_is_typed_is_offered_as_it_is_read(typed: str, keys: list[str]) -> None:
    assert [key for _, key in offered_time_controls(typed, say)] == keys


async def test_completions_come_through_discord_and_have_one_answer_whatever_fails(
    sandbox: Sandbox, room: Cardroom, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Completions come through discord.
    alice, lobby = sandbox.user("Alice"), sandbox.channel("lobby")
    for game in [key for key, each in GAMES.items() if each.info.turn_clock]:
        offered = await alice.autocomplete(lobby, f"{game} open", option="clock", value="90")
        assert not offered.failed
        assert {"name": "90 seconds per turn", "value": "90s"} in offered.choices
    empty = await alice.autocomplete(lobby, "haymaker challenge", option="clock", value="", opponent=alice)
    assert [choice["value"] for choice in empty.choices] == list(TIME_CONTROLS)
    assert [choice["name"] for choice in empty.choices] == [
        time_control_label(each, say) for each in TIME_CONTROLS.values()
    ]
    nothing = await alice.autocomplete(lobby, "haymaker open", option="clock", value="*" * 6000)
    assert (nothing.failed, nothing.choices) == (False, ())

    # A completion whose answer fails is not answered again.
    sandbox.transcript.clear()
    sandbox.faults.on("POST", "/interactions/*/*/callback", status=400, code=50035)
    failed = await alice.autocomplete(lobby, "haymaker open", option="clock", value="5")
    assert failed.failed
    assert len([each for each in sandbox.transcript.requests if each.path.endswith("/callback")]) == 1
    assert [record.levelname for record in caplog.records if record.name.startswith("discord.app_commands")] == []

    # A completion gets its one answer even if offering fails.
    def failing(*_: object) -> list[tuple[str, str]]:
        raise ZeroDivisionError

    monkeypatch.setattr(autocomplete, "OFFERED", {"clock": failing})
    sandbox.transcript.clear()
    answered = await alice.autocomplete(lobby, "haymaker open", option="clock", value="5")
    assert (answered.kind, answered.choices) == ("choices", ())
    (callback,) = [each for each in sandbox.transcript.requests if each.path.endswith("/callback")]
    assert callback.body == {"type": 8, "data": {"choices": []}}
    assert "completing an option" in caplog.text
    assert room.figures["cardroom_faults_total doing=completing an option"] == 1


# ---------------------------------------------------------------------------------------------- playing by it


async def test_a_typed_clock_is_on_the_challenge_the_board_and_the_rematch(sandbox: Sandbox, room: Cardroom) -> None:
    alice, bob, lobby = sandbox.user("Alice"), sandbox.user("Bob"), sandbox.channel("lobby")
    told = say("challenge.clock", clock="1 hour 30 minutes")
    board = await challenge(alice, bob, lobby, clock="1h 30m")
    (match,) = room.app.matches.live()
    assert match.time_control == time_control("5400s")
    (row,) = await room.store.live_matches()
    assert match.position.timers[0].deadline - row.opened_at in range(5_400_000, 5_460_000)
    assert say("board.clock", clock="1 hour 30 minutes") in (await alice.press(board, label="More…")).text
    await resign(alice, board)
    await sandbox.wait_for(lambda: "Rematch" in board.labels)
    again = await bob.press(board, label="Rematch")
    assert told in again.message.text
    (invitation,) = room.app.invitations.open()
    assert invitation.clock == "5400s"
    assert invitation.expires_at - invitation.created_at == 24 * 3600 * 1000


async def test_a_clock_that_cannot_be_is_refused_privately_and_not_repeated(sandbox: Sandbox, room: Cardroom) -> None:
    alice, bob, lobby = sandbox.user("Alice"), sandbox.user("Bob"), sandbox.channel("lobby")
    for typed, key in [
        ("<@1> `soon`", "clock.unreadable"),
        ("5s", "clock.out_of_range"),
        ("8 days", "clock.out_of_range"),
    ]:
        values = {"least": LEAST, "most": MOST} if key == "clock.out_of_range" else {}
        for command, options in (("haymaker challenge", {"opponent": bob}), ("haymaker open", {})):
            told = await alice.slash(lobby, command, clock=typed, **options)
            assert (told.visibility, told.text) == ("ephemeral", say(key, **values))
        assert not lobby.messages
        assert not room.app.invitations.open()


@pytest.mark.parametrize(("text", "key"), [("blitz", "blitz"), ("5 min", "300s"), ("2m", "normal")])
def test_the_default_clock_may_be_typed(tmp_path: Path, text: str, key: str) -> None:
    data = {"CARDROOM_DATA_DIR": str(tmp_path), "CARDROOM_DEFAULT_CLOCK": text}
    assert load_settings(None, data).default_clock == key
