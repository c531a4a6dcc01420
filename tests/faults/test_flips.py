"""F-29 on every byte: a sample of `python -m tests.soak.flips`."""

# ruff: noqa: N802  a test's name bears the number of its fault

from __future__ import annotations

import random
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from laws.suite import SHARE
from tests.soak.flips import Judge, Judged, Verdict, report
from tests.soak.small_database import make_small_database

SAMPLE = 240 if SHARE >= 1 else 40
"""How many bytes are flipped here. All of them take a quarter of an hour."""


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_small_database(tmp_path_factory.mktemp("small"))


@pytest.fixture
def judge(small: Path, tmp_path: Path) -> Judge:
    return Judge(small.read_bytes(), tmp_path)


@pytest.mark.real_time
def test_F_29_a_flipped_byte_is_refused_noticed_or_listed(judge: Judge) -> None:
    rng = random.Random(29)
    indexes = rng.sample(range(len(judge.whole)), SAMPLE)
    found = [judge.judge(index, rng.randrange(8)) for index in indexes]
    assert not [each for each in found if each.verdict is Verdict.WRONG], report(found, 0)
    assert len({each.verdict for each in found}) > 1, "which part has which verdict is tested below"


def flipped(judge: Judge, value: bytes) -> Judged:
    """What becomes of a flip in the middle of a value, where the file has it once or first."""
    index = judge.whole.index(value)
    return judge.judge(index + len(value) // 2, 0)


@pytest.mark.real_time
def test_F_29_each_part_of_a_database_has_the_verdict_that_is_expected(judge: Judge, small: Path) -> None:
    with closing(sqlite3.connect(small)) as db:
        acts = db.execute(
            "SELECT match_id, game, events FROM records JOIN matches ON id = match_id"
            " WHERE live = 1 AND suspended_at IS NULL ORDER BY match_id, seq"
        ).fetchall()
        live, game, events = next(act for act in acts if judge.whole.count(act[2].encode()) == 1)
        (chain,) = db.execute("SELECT chain FROM records WHERE match_id = ? AND seq = 1", (live,)).fetchone()
        (over,) = db.execute("SELECT chain FROM results").fetchone()
        (name,) = db.execute("SELECT name FROM names").fetchone()
    assert flipped(judge, events.encode()).verdict is Verdict.ON_HOLD, game
    assert flipped(judge, chain).verdict is Verdict.ON_HOLD
    assert flipped(judge, over).verdict is Verdict.CHECK
    assert flipped(judge, b"CREATE TABLE records").verdict is Verdict.REFUSED
    assert flipped(judge, b"a record is never changed").verdict is Verdict.REFUSED
    assert flipped(judge, b"CHECK (seat >= 0)").verdict in (Verdict.REFUSED, Verdict.CHECK)
    assert judge.judge(16, 1).verdict is Verdict.REFUSED  # the size of a page
    assert judge.judge(63, 1).verdict is Verdict.REFUSED  # the version of the tables
    letter = flipped(judge, name.encode())
    assert (letter.verdict, letter.what) == (Verdict.UNNOTICED, frozenset({"names.name"}))
