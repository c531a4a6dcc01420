"""A profile on one screen: of its owner in private or for everybody, or of somebody else."""

from __future__ import annotations

from enum import Enum
from typing import Final

from bot.games import GAMES, game_title
from bot.store.rows.profiles import Opponent
from bot.ui.catalogue import Translations
from bot.ui.screen import Button, Control, Option, Press, Rule, Screen, Section, Select, Text
from cogs.screens.profiles.profile import Award, AwardKind, GameRecord, Profile
from cogs.screens.profiles.rating_curve import FEWEST, curve_sections
from cogs.screens.renderer import MOST_OPTIONS

SUBJECT: Final = "profile"
"""What the controls of a profile act on, in place of a match."""
MOST_GAMES: Final = 8
"""How many games a profile lists, those that were played most: more would not be one screen."""


class Shown(Enum):
    """Whose profile is shown to whom."""

    OWN = "own"
    """A person's own, in private."""
    OTHER = "other"
    """Somebody else's, in private."""
    PUBLIC = "public"
    """A person's own, shown to everybody in a channel because they wanted it."""


def profile_screen(profile: Profile, shown: Shown, words: Translations) -> Screen:
    """The screen of a profile."""
    title = words("profile.title", player=profile.name)
    if not profile.games:
        none = "profile.none_own" if shown is Shown.OWN else "profile.none"
        return Screen(title, (Text(words(none, player=profile.name)),))
    sections: list[Section] = [Text("\n".join(_game(game, words) for game in profile.games[:MOST_GAMES]))]
    if profile.history is not None:
        sections += curve_sections(profile.history, words)
    sections += (Rule(), Text(_record(profile, words)))
    if profile.usual and shown is Shown.OWN:
        lines = [_opponent("profile.opponent", each.opponent, each.name, words) for each in profile.usual]
        sections.append(Text("\n".join((words("profile.opponents"), *lines))))
    if profile.between is not None:
        sections.append(Text(_opponent("profile.between", profile.between, profile.name, words)))
    if profile.awards:
        lines = [_award(each, words) for each in profile.awards]
        sections += (Rule(), Text("\n".join((words("profile.awards"), *lines))))
    return Screen(title, tuple(sections), _rows(profile, shown, words), words("profile.foot"))


def _game(game: GameRecord, words: Translations) -> str:
    standing = game.standing
    title = game_title(game.game)
    first = (
        words("profile.game_unplaced", game=title)
        if game.ranked is None
        else words("profile.game", game=title, rank=standing.rank, of=game.ranked)
    )
    second = words(
        "profile.rating_provisional" if standing.provisional else "profile.rating",
        rating=standing.rating.shown,
        uncertainty=standing.rating.uncertainty,
        wins=standing.wins,
        losses=standing.losses,
        draws=standing.draws,
    )
    return f"{first}\n{second}"


def _record(profile: Profile, words: Translations) -> str:
    record = profile.record
    matches = words.count("profile.matches", record.matches)
    return words("profile.record", matches=matches, streak=record.streak, longest=record.longest_streak)


def _opponent(key: str, opponent: Opponent, name: str, words: Translations) -> str:
    """How often somebody met an opponent, and what they won. `key` is that of the sentence."""
    matches = words.count("profile.matches", opponent.matches)
    met = words(key, player=name, matches=matches)
    if not opponent.alone:
        return met
    won = {"wins": opponent.wins, "losses": opponent.losses, "draws": opponent.draws}
    alone = "profile.won" if opponent.alone == opponent.matches else "profile.won_alone"
    return words(alone, met=met, **won)


def _award(award: Award, words: Translations) -> str:
    when = f"<t:{award.at // 1000}:d>"
    if award.kind is AwardKind.SEASON:
        game = game_title(award.game) if award.game else words("ladder.all_games")
        return words.count("profile.award.season", award.times, when=when, game=game)
    return words(f"profile.award.{award.kind.value}", when=when, game=game_title(award.game))


def my_profile_button(words: Translations) -> Button:
    """Shows their own profile to the person who presses it, on any screen."""
    return Button(words("button.my_profile"), Press("profile"))


def _rows(profile: Profile, shown: Shown, words: Translations) -> tuple[tuple[Control, ...], ...]:
    """A list of the games whose rating can be drawn, if there are several, and buttons."""
    if shown is Shown.PUBLIC:
        return ((my_profile_button(words),),)
    drawn = profile.games[0].game if profile.history is None else profile.history.game
    options = tuple(
        Option(game_title(each.game), f"{profile.user_id}.{each.game}", chosen=each.game == drawn)
        for each in profile.games[:MOST_OPTIONS]
        if each.standing.matches >= FEWEST
    )
    games = (Select(Press("profile"), words("profile.another_game"), options),) if len(options) > 1 else ()
    show = (Button(words("button.show_profile"), Press("showprofile", 0, drawn)),) if shown is Shown.OWN else ()
    ranks = (Button(words("button.leaderboard"), Press("standings", 0, drawn)),) if drawn in GAMES else ()
    return tuple(row for row in (games, (*show, *ranks)) if row)
