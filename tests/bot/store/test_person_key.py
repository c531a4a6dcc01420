"""The key file: nobody but its owner reads it, and nothing that a player does fails because of it."""

from __future__ import annotations

import logging
import secrets
import stat
from pathlib import Path

import pytest

from bot.store.person_key import PersonKey
from tests.known import there


def test_the_file_is_written_when_it_is_first_needed_and_only_its_owner_reads_it(tmp_path: Path) -> None:
    path = tmp_path / "person-key"
    assert PersonKey(path).digest(1, 2) is None
    assert not path.exists()
    first = there(PersonKey(path).digest(1, 2, create=True))
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert PersonKey(path).digest(1, 2) == first
    assert len(first) == 32
    assert [file.name for file in tmp_path.iterdir()] == ["person-key"]


def test_every_person_server_and_key_has_a_hash_of_its_own(tmp_path: Path) -> None:
    one, other = PersonKey(tmp_path / "one"), PersonKey(tmp_path / "other")
    people = [(1, 2), (2, 1), (12, 3), (1, 23)]
    hashes = [key.digest(*person, create=True) for key in (one, other) for person in people]
    assert len(set(hashes)) == 8


def test_two_processes_that_need_it_first_at_the_same_moment_have_the_same_key(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    one, other = PersonKey(tmp_path / "person-key"), PersonKey(tmp_path / "person-key")
    token_bytes = secrets.token_bytes

    def meanwhile(number: int) -> bytes:
        monkeypatch.setattr(secrets, "token_bytes", token_bytes)
        assert other.digest(1, 2, create=True) is not None
        return token_bytes(number)

    monkeypatch.setattr(secrets, "token_bytes", meanwhile)
    assert one.digest(1, 2, create=True) == other.digest(1, 2) == PersonKey(tmp_path / "person-key").digest(1, 2)
    assert [file.name for file in tmp_path.iterdir()] == ["person-key"]


@pytest.mark.parametrize("text", ["", "no hexadecimal digits", "00ff"])
def test_without_a_usable_key_there_is_no_hash_and_one_warning(
    tmp_path: Path, text: str, caplog: pytest.LogCaptureFixture
) -> None:
    path = tmp_path / "person-key"
    path.write_text(text)
    key = PersonKey(path)
    with caplog.at_level(logging.WARNING):
        assert [key.digest(1, 2), key.digest(1, 2, create=True)] == [None, None]
    assert len(caplog.records) == 1
    assert path.read_text() == text
