"""The scenes of profiles: one's own, somebody else's, one that is shown to everybody, and one of a newcomer."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Final

from bot.ratings import NEW, Rating, rate
from bot.store.queries.profiles import PlayerRecord
from bot.store.queries.standings import Standing
from cogs.leaderboards.screens import leaderboard_button
from cogs.matchmaking.screens import play_button
from cogs.profiles.queries import Opponent
from cogs.profiles.screens import (
    SUBJECT,
    Award,
    AwardKind,
    GameRecord,
    Named,
    Profile,
    RatingHistory,
    Shown,
    profile_screen,
)
from cogs.screens.tables import with_pictures
from tests.gallery.scene import EVERYWHERE, NAMES, HeardWords, Scene, of_screen

ALICE: Final = 1
NEWS: Final = 1_790_000_000_000
"""When the matches ended, ms UTC."""


def history(matches: int, chance: float, seed: int) -> tuple[Rating, ...]:
    """The ratings of somebody who wins this share of their matches against new players."""
    luck, found = random.Random(seed), [NEW]
    for _ in range(matches):
        found.append(rate([found[-1], NEW], (1, 2) if luck.random() < chance else (2, 1))[0])
    return tuple(found[1:])


def _profile(name: str, *met: str) -> Profile:
    ratings = history(38, 0.6, 5)
    awards = (
        Award(AwardKind.COMEBACK, NEWS, "haymaker"),
        Award(AwardKind.OPPONENTS, NEWS + 9 * 86_400_000),
        Award(AwardKind.SEASON, NEWS + 20 * 86_400_000, "champions", 2),
        Award(AwardKind.SEASON, NEWS + 20 * 86_400_000),
    )
    return Profile(
        ALICE,
        name,
        PlayerRecord(51, 3, 7),
        (
            GameRecord(Standing(3, ALICE, ratings[-1], 23, 14, 1), "haymaker", 12),
            GameRecord(Standing(1, ALICE, history(12, 0.8, 6)[-1], 9, 3, 0), "champions", 8),
            GameRecord(Standing(4, ALICE, history(1, 0, 7)[-1], 0, 1, 0), "ciq", 4),
        ),
        usual=(
            Named(met[0], Opponent(2, 24, 14, 9, 1)),
            Named(met[1], Opponent(3, 11, 3, 2, 0)),
            Named(met[2], Opponent(4, 4)),
        ),
        awards=awards,
        history=RatingHistory("haymaker", ratings),
    )


def scenes(words: HeardWords, names: Sequence[str] = NAMES) -> list[Scene]:
    """The scenes, of people of these names."""
    own = _profile(*names[:4])
    other = Profile(ALICE, own.name, own.record, own.games, (), Opponent(ALICE, 24, 9, 14, 1), own.awards, own.history)
    new = Profile(ALICE, own.name, PlayerRecord())
    shown = [
        of_screen(
            caption,
            with_pictures(profile_screen(profile, how, words, ((20, leaderboard_button),), ((10, play_button),))),
            SUBJECT,
            private=how is not Shown.PUBLIC,
        )
        for caption, profile, how in (
            ("One's own", own, Shown.OWN),
            ("The same for somebody else", other, Shown.OTHER),
            ("Shown to everybody", own, Shown.PUBLIC),
            ("One's own before any match counts", new, Shown.OWN),
        )
    ]
    return [Scene(EVERYWHERE, "Profiles", "text", tuple(shown))]
