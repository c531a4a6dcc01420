"""Whole matches, line by line. See `laws.golden` for how the files are made anew."""

from __future__ import annotations

import pytest

from engines import GAMES
from laws import golden

MATCHES = [(key, ending) for key, endings in golden.ENDINGS.items() for ending in endings]


@pytest.mark.parametrize(("key", "ending"), MATCHES)
def test_a_match_is_played_as_it_was(key: str, ending: str) -> None:
    text = golden.file_of(key, ending).read_text(encoding="utf-8")
    assert golden.transcript(*golden.read(text)) == text
    assert f"outcome: Outcome kind={ending} " in text


def test_every_game_has_transcripts_and_every_transcript_a_game() -> None:
    assert set(golden.ENDINGS) == set(GAMES)
    files = {golden.file_of(key, ending) for key, ending in MATCHES}
    assert files == set(golden.FOLDER.glob("*.txt"))


def test_another_deal_is_another_match() -> None:
    text = golden.file_of(*MATCHES[0]).read_text(encoding="utf-8")
    seed = golden.read(text)[0].seed
    deal, _ = golden.read(text.replace(seed.hex(), bytes(reversed(seed)).hex()))
    assert golden.transcript(deal, []).splitlines()[7:] != text.splitlines()[7:]
