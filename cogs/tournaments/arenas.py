"""Who is paired in an arena, and when."""

from __future__ import annotations

from typing import Final

from bot import pairing as pairings
from bot.pairing.model import Apart, Entrant, Pairing
from cogs.tournaments.rows import Whole

GATHER: Final = 5_000
"""How long (ms) two people who wait are left waiting, because somebody else may become free."""
PATIENCE: Final = 60_000
"""How long (ms) they wait for others than those whom they have just met, or are kept apart from."""


def waiting(whole: Whole) -> list[tuple[int, int]]:
    """Who is there and in no match: since when (ms UTC), and who, those who wait longest first."""
    busy = _busy(whole)
    since = {user_id: each.ended_at or 0 for each in whole.in_round for user_id in each.people}
    return sorted(
        (max(each.joined_at, since.get(each.user_id, 0)), each.user_id)
        for each in whole.people
        if each.user_id not in busy
    )


def paired_at(whole: Whole) -> int | None:
    """When those who wait are paired at the earliest; None while somebody else has to wait first."""
    free = waiting(whole)
    if len(free) < 2:
        return None
    second, _ = free[1]
    return second + GATHER if whole.in_round else second


def next_pairs(whole: Whole, apart: Apart, now: int) -> tuple[Pairing, ...]:
    """Whom to pair now. Nobody if those who wait have just met, or are kept apart, and it isn't `patient_until` yet."""
    model = {each.user_id: each for each in whole.model}
    who: list[Entrant] = [model[user_id] for _, user_id in waiting(whole)]
    return pairings.pair_waiting(who, whole.played, apart, _busy(whole) if now < patient_until(whole) else ())


def patient_until(whole: Whole) -> int:
    """Until when people wait for somebody better to play with."""
    return waiting(whole)[1][0] + PATIENCE


def _busy(whole: Whole) -> set[int]:
    return {user_id for each in whole.in_round if each.how is None for user_id in each.people}
