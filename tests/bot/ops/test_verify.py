"""`cardroom verify`: what it says of a file, as a process of its own, and how it ends."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from bot.ops import verify
from bot.play.deals.match_export import ExportedMatch
from bot.store.queries.invitations import Origin
from bot.store.verification import opening_digest
from engines.deals import short_seal
from engines.haymaker import Haymaker
from tests.bot.ops.databases import cardroom, environment, refused
from tests.bot.ops.samples import assert_excerpt, masked, samples
from tests.bot.play.exported import SALTS, exported, json_of, sealed, text_of, with_record, without_player

pytestmark = pytest.mark.slow  # starts a process for each file

COMPARE = "Compare the seal with the one you saw before the match, and the chain with the one in its *Proof*."


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """An exported match of Haymaker."""
    return put(tmp_path, exported("haymaker"))


def put(folder: Path, match: ExportedMatch) -> Path:
    """The file of a match."""
    path = folder / "match.json"
    path.write_bytes(text_of(match))
    return path


def altered(match: ExportedMatch) -> ExportedMatch:
    """A match with another time in one record."""
    return with_record(match, 3, at=7)


def said(printed: str) -> dict[str, str]:
    """The line about each thing, by its name."""
    return {line.partition(": ")[0]: line.partition(": ")[2] for line in printed.splitlines() if ": " in line}


# ---------------------------------------------------------------------------------------------- as a process


def test_a_whole_match_fits_and_needs_neither_settings_nor_a_database(tmp_path: Path, file: Path) -> None:
    match = exported("haymaker")
    (tmp_path / ".env").write_text("CARDROOM_NO_SUCH_SETTING=1\n")
    done = cardroom(tmp_path, "verify", file, CARDROOM_PURGE_DAYS="0", CARDROOM_DATA_DIR="/dev/null/x")
    assert (done.returncode, done.stderr) == (0, "")
    lines = said(done.stdout)
    assert lines["match"] == f"{match.row.id}, Haymaker, rules version 1"
    assert lines["deal"] == f"version 3, id {match.row.deal_id}"
    assert lines["seal"] == f"{short_seal(match.row.commitment)}, in full {match.row.commitment.hex()}"
    assert lines["seed"] == match.row.seed.hex()
    assert lines["salts"] == '"apple", none'
    chain = match.result.chain.hex()
    assert lines["chain"] == f"{chain[:16]}, in full {chain}"
    assert lines["times"] == (
        "sealed 2027-01-15 08:00:00 UTC, begun 2027-01-15 08:01:00 UTC, "
        f"ended 2027-01-15 08:{1 + (len(match.records) - 1) // 60:02}:{(len(match.records) - 1) % 60:02} UTC"
    )
    checked = [line[5:].partition(": ")[0] for line in done.stdout.splitlines() if line.startswith("ok   ")]
    assert checked == ["seal", "options", "salts", "deal", "acts", "times", "log", "end", "result"]
    assert done.stdout.endswith(f"Everything fits.\n{COMPARE}\n")
    assert sorted(path.name for path in tmp_path.iterdir()) == [".env", "match.json"]


def test_an_altered_match_does_not_fit(tmp_path: Path) -> None:
    done = cardroom(tmp_path, "verify", put(tmp_path, altered(exported("haymaker"))))
    assert (done.returncode, done.stderr) == (1, "")
    assert "FAIL log: its chain is broken at record 3: it was altered there\n" in done.stdout
    assert done.stdout.endswith("Something doesn't fit: this isn't how the match was sealed and played.\n")


@pytest.mark.parametrize("text", [b"", b"{}", b"[" * 10_000, b"\xff", b"\x00" * 100])
def test_another_file_is_refused_in_one_line(tmp_path: Path, text: bytes) -> None:
    path = tmp_path / "match.json"
    path.write_bytes(text)
    assert refused(cardroom(tmp_path, "verify", path), 65).startswith(f"cardroom: {path}: not an exported match: ")


def test_a_missing_file_is_refused_in_one_line(tmp_path: Path) -> None:
    assert refused(cardroom(tmp_path, "verify", "none.json"), 65) == "cardroom: none.json: No such file or directory\n"
    assert refused(cardroom(tmp_path, "verify", tmp_path), 65) == f"cardroom: {tmp_path}: Is a directory\n"


def test_arguments_are_checked(tmp_path: Path, file: Path) -> None:
    assert cardroom(tmp_path, "verify").returncode == 2
    assert cardroom(tmp_path, "verify", file, "--seed", "1").returncode == 2
    assert "--seal" in refused(cardroom(tmp_path, "verify", file, "--seal", "abc"), 2)
    assert "--chain" in refused(cardroom(tmp_path, "verify", file, "--chain", "xyz"), 2)


@pytest.mark.nightly  # a process each
@pytest.mark.parametrize("encoding", ["utf-8", "ascii"])
def test_it_reads_standard_input_and_prints_on_any_terminal(tmp_path: Path, encoding: str) -> None:
    done = subprocess.run(
        [sys.executable, "-P", "-m", "bot.launcher", "verify", "-"],
        input=text_of(exported("ciq", "default", 4)),
        capture_output=True,
        env={**environment(tmp_path), "PYTHONIOENCODING": encoding},
        cwd=tmp_path,
        timeout=60,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, b"")
    ace = "\N{PLAYING CARD ACE OF SPADES}"
    assert (ace if encoding == "utf-8" else "\\U0001f0a1") in done.stdout.decode(encoding)


def test_the_sample_is_what_it_prints(tmp_path: Path) -> None:
    (command, (sample,)), *others = [each for each in samples().items() if each[0].startswith("cardroom verify")]
    assert not others
    match = exported("haymaker")
    _, verb, name, *options = command.split()
    assert name == f"{match.row.id}.json"
    (tmp_path / name).write_bytes(text_of(match))
    done = cardroom(tmp_path, verb, name, *options)
    assert (done.returncode, done.stderr) == (0, "")
    assert_excerpt(masked(sample), masked(done.stdout))


# ---------------------------------------------------------------------------------------------- what it says


@pytest.mark.parametrize("shortened", [False, True])
@pytest.mark.parametrize("change", [str.upper, str.lower, lambda text: f" {text[:9]} {text[9:]} "])
def test_what_somebody_noted_is_compared_in_any_letter_case(
    shortened: bool, change: object, file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert callable(change)
    match = exported("haymaker")
    whole, chain = match.row.commitment, match.result.chain.hex()
    seal = short_seal(whole) if shortened else whole.hex()
    assert verify.run(str(file), change(seal), change(chain[:16] if shortened else chain)) == 0
    printed = capsys.readouterr().out
    assert "ok   noted seal: it is the file's\n" in printed
    assert "ok   noted chain: it is the file's\n" in printed
    assert printed.endswith("Everything fits.\n")


def test_another_seal_or_chain_than_the_noted_one_does_not_fit(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    match = exported("haymaker")
    other = exported("haymaker", seed=2)
    assert verify.run(str(file), seal=short_seal(other.row.commitment)) == 1
    assert "FAIL noted seal: it isn't the file's\n" in capsys.readouterr().out
    assert verify.run(str(file), seal=other.row.commitment.hex()) == 1
    assert verify.run(str(file), chain=other.result.chain.hex()[:16]) == 1
    assert "FAIL noted chain: it isn't the file's\n" in capsys.readouterr().out
    assert verify.run(str(file), chain=match.result.chain.hex()[:15]) == 2


def test_a_game_that_is_not_installed_can_be_checked_in_part(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    match = exported("haymaker")
    path = put(tmp_path, replace(match, row=sealed(replace(match.row, game="whist"))))
    assert verify.run(str(path)) == 69
    printed = capsys.readouterr().out
    assert "warn deal: the game whist isn't installed here\n" in printed
    assert "ok   seal: the seed makes it, together with the game" in printed
    assert printed.endswith(f"Nothing wrong was found, but not everything could be checked.\n{COMPARE}\n")


def test_a_match_under_other_rules_can_be_checked_in_part(
    file: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    before = Haymaker.decide
    monkeypatch.setattr(Haymaker, "decide", lambda *given: before(*given)[:1])
    monkeypatch.setattr(Haymaker, "info", replace(Haymaker.info, rules_version=2))
    assert verify.run(str(file)) == 69
    printed = capsys.readouterr().out
    assert "ok   deal: dealt as the seed says\n" in printed
    assert "would have gone otherwise by the rules of this program, which are version 2" in printed
    assert "ok   result: follows from the log\n" in printed


def test_a_match_under_newer_rules_asks_for_a_newer_program(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    match = exported("haymaker")
    newer = replace(match, row=sealed(replace(match.row, rules_version=9)))
    assert verify.run(str(put(tmp_path, newer))) == 69
    assert "warn deal: this program only knows the rules up to version 1: try a newer one\n" in capsys.readouterr().out


def test_it_says_what_a_deleted_player_leaves_to_check(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    match = exported("haymaker")
    assert verify.run(str(put(tmp_path, without_player(match, 0)))) == 0
    assert f"salts: deleted (SHA-256 {match.row.salts[0].digest.hex()}), none\n" in capsys.readouterr().out


def test_practice_without_a_seal_is_called_no_proof(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    match = exported("haymaker")
    origin = Origin("earlier", 9, opening_digest(match.records[0].events))
    match = replace(match, result=replace(match.result, counted=False))
    path = put(tmp_path, replace(match, row=replace(match.row, origin=origin)))
    assert verify.run(str(path)) == verify.EXIT_UNCHECKED
    printed = capsys.readouterr().out
    lines = said(printed)
    assert (lines["seal"], lines["begun from"]) == ("none", "match earlier, after 9 of its facts")
    assert lines["warn deal"] == "the opening has the cards of another match, so no seed says how they lie"
    assert "ok   seal" not in printed
    assert COMPARE not in printed
    assert printed.endswith("This match was practice without a seal. So the file proves nothing about its cards.\n")
    assert verify.run(str(path), seal=short_seal(match.row.commitment)) == verify.EXIT_WRONG
    other = put(tmp_path, replace(match, row=replace(match.row, origin=replace(origin, digest=bytes(32)))))
    assert verify.run(str(other)) == verify.EXIT_WRONG
    assert "FAIL deal" in capsys.readouterr().out


def test_what_cannot_have_happened_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    match = exported("haymaker")
    for seq in range(1, 8):
        match = with_record(match, seq, action="{}")
    assert verify.run(str(put(tmp_path, match))) == 1
    printed = capsys.readouterr().out
    assert "FAIL acts: records 1, 2, 3, 4, 5 and 2 more can't have happened like this\n" in printed


def test_no_text_of_a_file_steers_the_terminal(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    told = json_of(exported("haymaker"))
    evil = "\x1b[2J\u202eevil\x07\u2028"
    told["result"]["kind"] = told["seats"][0]["salt"] = evil
    path = tmp_path / "match.json"
    path.write_text(json.dumps(told))
    assert verify.run(str(path)) == 1
    printed = capsys.readouterr().out
    assert all(line.isprintable() for line in printed.split("\n"))
    assert printed.count(r"\x1b[2J\u202eevil\x07\u2028") == 2
    assert SALTS[0] not in printed
    assert verify.run(f"no{evil}such") == 65
    assert capsys.readouterr().err.strip().isprintable()
