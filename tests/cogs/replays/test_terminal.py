"""`cardroom replay`: what it prints of a file, in a terminal and elsewhere, and how it ends."""

from __future__ import annotations

import json
import os
import pty
import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from bot import launcher
from bot.play.deals.match_export import ExportedMatch
from bot.store.queries.matches import Salt
from cogs.replays import terminal
from engines import GAMES
from tests.bot.ops.databases import environment
from tests.bot.ops.samples import samples
from tests.bot.play.exported import exported, json_of, rechained, text_of, with_record

pytestmark = pytest.mark.slow  # tells whole matches through all eyes


def put(folder: Path, match: ExportedMatch) -> str:
    """The file of a match."""
    path = folder / "match.json"
    path.write_bytes(text_of(match))
    return str(path)


def printed(capsys: pytest.CaptureFixture[str], *arguments: str) -> list[str]:
    """The lines that were printed of a file that can be shown."""
    assert terminal.main(arguments) == 0
    out, err = capsys.readouterr()
    assert err == ""
    return out.splitlines()


SETUPS = dict.fromkeys(GAMES, ("", 0)) | {"tivmiv": ("one_phase", 4)}
"""A table of each game, and not the longest."""


@pytest.mark.parametrize("key", GAMES)
def test_every_game_is_told_to_its_end_through_any_eyes(
    tmp_path: Path, key: str, capsys: pytest.CaptureFixture[str]
) -> None:
    match = exported(key, *SETUPS[key])
    file = put(tmp_path, match)
    shown = {eyes: printed(capsys, file, "--eyes", eyes) for eyes in ("board", "0", "1", "all")}
    for lines in shown.values():
        assert [line for line in lines if line.startswith("Step ")] == [f"Step {n}" for n in range(len(match.records))]
        assert any(line.endswith(" wins.") or "draw" in line for line in lines[-4:])
        assert not any("`" in line or "**" in line or "\\" in line for line in lines)
    for eyes, seats in (("board", ""), ("0", "0"), ("1", "1"), ("all", "01")):
        for seat in "01":
            assert (f"  What Seat {seat} saw:" in shown[eyes]) is (seat in seats)
    assert len(shown["all"]) > len(shown["0"]) > len(shown["board"])


def test_the_sample_is_how_the_output_begins(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (command, (sample,)), *others = [each for each in samples().items() if each[0].startswith("cardroom replay")]
    assert not others
    *_, name, eyes, seat = command.split()
    match = exported("haymaker")
    assert name == f"{match.row.id}.json"
    lines = sample.splitlines()
    assert printed(capsys, put(tmp_path, match), eyes, seat)[: len(lines)] == lines


def test_the_others_cards_are_not_in_one_players_eyes(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lines = printed(capsys, put(tmp_path, exported("haymaker")), "--eyes", "0")
    first = lines[: lines.index("Step 1")]
    assert "    Your 10 cards: 3♣ 4♣ 9♣ 10♣ 3♦ 7♦ 2♥ A♠ 2♠ 10♠" in first
    assert not any("2♣" in line for line in first)  # Seat 1 has it


# ---------------------------------------------------------------------------------------------- other files


def refused(capsys: pytest.CaptureFixture[str], code: int, *arguments: str) -> str:
    """The one line with which the command gave up with this exit code."""
    assert terminal.main(arguments) == code
    err = capsys.readouterr().err
    assert err.startswith("cardroom: ")
    assert err.count("\n") == 1
    assert err[:-1].isprintable()
    return err


def test_what_is_no_match_of_an_installed_game_and_eyes_of_nobody_are_refused_in_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "no\x1b[31m match"
    for text in (b"", b"{}", b"\xff", b"\x1b[2J\n"):
        path.write_bytes(text)
        assert "not an exported match: " in refused(capsys, 65, str(path))
    assert "No such file" in refused(capsys, 65, str(tmp_path / "none"))
    assert "directory" in refused(capsys, 65, str(tmp_path))
    file = put(tmp_path, exported("haymaker"))
    for eyes in ("2", "-1", "a", "b", "", "²", "00", "x"):
        assert "all, board, or a seat from 0 to 1" in refused(capsys, 2, file, f"--eyes={eyes}")
    path = tmp_path / "match.json"
    path.write_text(json.dumps({**json_of(exported("haymaker")), "game": "whist"}))
    assert "the game whist isn't installed here" in refused(capsys, 69, str(path))


HOSTILE: dict[str, dict[str, Any]] = {
    "no facts": {"events": "[]"},
    "facts of nothing": {"events": '["\\u001b[2J"]'},
    "an end with an escape": {"events": '[{"type":"Ended","v":1,"kind":"\\u001b[2J","winner":0}]'},
    "a seat that is not there": {"events": '[{"type":"TurnBegun","v":1,"attacker":7,"may_pass":true}]'},
    "an act that is none": {"action": "{}"},
    "an act of another game": {"action": '{"type":"Draw","v":1}'},
}


@pytest.mark.parametrize("name", HOSTILE)
def test_a_made_up_log_ends_with_one_line_and_no_escape(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str
) -> None:
    match = rechained(with_record(exported("haymaker"), 1, **HOSTILE[name]))
    path = tmp_path / "match.json"
    path.write_bytes(text_of(match))
    code = terminal.main([str(path)])
    out, err = capsys.readouterr()
    assert code in (0, 65)
    assert err.count("\n") == (code == 65)
    assert all(line.isprintable() for line in (out + err).splitlines())


def test_a_salt_is_never_printed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    match = exported("haymaker")
    salted = replace(
        match, row=replace(match.row, salts=(Salt(match.row.salts[0].digest, "\x1b]0;x"), match.row.salts[1]))
    )
    assert not any("0;x" in line for line in printed(capsys, put(tmp_path, salted)))


# ---------------------------------------------------------------------------------------------- as a process


def test_the_launcher_becomes_the_command_without_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    became: list[list[str]] = []

    class Became(Exception):  # noqa: N818  what really follows: this process is another one
        pass

    def execve(_path: str, command: list[str], _environ: dict[str, str]) -> None:
        became.append(command)
        raise Became

    monkeypatch.setattr(os, "execve", execve)
    monkeypatch.setenv("CARDROOM_NO_SUCH_SETTING", "1")
    with pytest.raises(Became):
        launcher.main(["replay", "--eyes", "1", "match.json"])
    assert became[0][1:] == ["-P", "-m", "cogs.replays.terminal", "--eyes", "1", "--", "match.json"]


@pytest.mark.real_time
def test_in_a_terminal_it_goes_on_and_back_and_stops_when_asked(tmp_path: Path) -> None:
    file = put(tmp_path, exported("haymaker"))
    ours, theirs = pty.openpty()
    os.write(ours, b"\nB\n\nq\n")
    command = [sys.executable, "-P", "-m", "cogs.replays.terminal", "--eyes", "board", file]
    done = subprocess.run(command, stdin=theirs, stdout=theirs, env=environment(tmp_path), timeout=60, check=False)
    os.close(theirs)
    shown = os.read(ours, 100_000).decode()
    os.close(ours)
    assert done.returncode == 0
    assert re.findall(r"Step \d+", shown) == ["Step 0", "Step 1", "Step 0", "Step 1"]
    assert "Enter: next step" in shown
