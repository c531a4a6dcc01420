"""Loads the games of other installed packages, and says which of them cannot be used and why.

A mistake in one package must cost that game alone. So each is first tried in a process of its own (`trial`), and only
what came through is loaded here, whole (`checks`). The bot then starts without the others.
"""

from __future__ import annotations

import contextlib
import io
from collections.abc import Iterable
from importlib.metadata import EntryPoint, entry_points

from bot import games
from bot.ops.game_packages import trial
from bot.ops.game_packages.checks import Unusable, check_name, whole


def load(found: Iterable[EntryPoint] | None = None) -> list[games.LeftOut]:
    """Add every installed game that can be used, in order of their keys; return those that are left out.

    `found` is for tests; without it these are the entry points of the group in this environment.
    """
    entries = sorted(
        entry_points(group=games.ENTRY_POINTS) if found is None else found,
        key=lambda entry: (entry.name, _distribution(entry)),
    )
    left_out: list[games.LeftOut] = []
    for entry in entries:
        rivals = [_distribution(other) for other in entries if other.name == entry.name and other is not entry]
        try:
            check_name(entry.name, rivals)
            trial.attempt(entry)
            with contextlib.redirect_stdout(io.StringIO()):  # ours has what somebody asked for
                games.add(whole(entry), _distribution(entry))
        except Unusable as unusable:
            left_out.append(games.LeftOut(entry.name, _distribution(entry), str(unusable)))
    return left_out


def _distribution(entry: EntryPoint) -> str:
    return f"{entry.dist.name} {entry.dist.version}" if entry.dist is not None else "an unknown package"
