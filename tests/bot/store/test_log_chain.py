"""The hash chain of a log: its published vectors, and that no change of a log keeps it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from bot.store.queries.matches import Record
from bot.store.verification import first_altered, first_link, link_of, link_of_values

EVENTS = '[{"type":"E","v":1}]'
DEAL = Record("G1", 0, None, None, None, EVENTS, 1000)
RESIGNED = Record("G1", 1, 7, 0, '{"type":"Resign","v":1}', EVENTS, 2000)
AFTER_DEAL = "ce61de1982024674e11881602d4d850031330892ac13f05e4a906704333f2f35"
AFTER_RESIGNING = "8c0fb49b896c0b193a334691b905e164c7516f9b248a9e83ee67331c2bfc9a51"


def test_the_published_vectors() -> None:
    dealt = link_of(first_link("G1"), DEAL)
    assert dealt.hex() == AFTER_DEAL
    assert link_of_values(dealt, 1, 0, '{"type":"Resign","v":1}', EVENTS, 2000).hex() == AFTER_RESIGNING
    assert link_of(dealt, RESIGNED).hex() == AFTER_RESIGNING


def chained() -> list[Record]:
    return [
        replace(DEAL, chain=bytes.fromhex(AFTER_DEAL)),
        replace(RESIGNED, chain=bytes.fromhex(AFTER_RESIGNING)),
    ]


def test_a_whole_log_is_as_it_was_chained() -> None:
    assert first_altered("G1", chained()) is None


@pytest.mark.parametrize(
    "change",
    [
        {"actor": 1},
        {"actor": None},
        {"action": '{"type":"Resign","v":2}'},
        {"action": None},
        {"events": "[]"},
        {"at": 2001},
        {"chain": bytes(32)},
        {"chain": b""},
        {"seq": 2},
    ],
)
def test_a_change_of_a_record_is_found_where_it_was_made(change: dict[str, Any]) -> None:
    deal, resigned = chained()
    assert first_altered("G1", [deal, replace(resigned, **change)]) == 1


def test_a_record_that_is_missing_or_of_another_match_is_found() -> None:
    deal, resigned = chained()
    assert first_altered("G1", [resigned]) == 0
    assert first_altered("G1", [resigned, deal]) == 0
    assert first_altered("G1", []) == 0
    assert first_altered("G2", [deal, resigned]) == 0


def test_the_id_of_a_press_is_no_part_of_it() -> None:
    deal, resigned = chained()
    assert first_altered("G1", [deal, replace(resigned, interaction_id=None)]) is None
