"""What somebody has done in a server: a profile as values and on one screen, of its owner in private or for everybody,
or of somebody else.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, StrEnum
from typing import Final

from bot.art.rating_picture import RatingCurve, RatingPoint
from bot.games import game_title
from bot.ratings import SURE, Rating
from bot.store.queries.profiles import PlayerRecord
from bot.store.queries.standings import Standing
from bot.ui.catalogue import Translations
from bot.ui.screen import Button, Option, Picture, Press, Rows, Rule, Screen, Section, Select, Text
from cogs.profiles.queries import Opponent
from cogs.screens.additions import Buttons, GameButtons, Placed, arranged
from cogs.screens.renderer import MOST_OPTIONS

MOST_OPPONENTS: Final = 3
"""How many usual opponents a profile names."""
MOST_RATINGS: Final = 100
"""How many matches a rating's curve goes back."""
MANY_OPPONENTS: Final = 10
"""How many different opponents have an award."""


class AwardKind(StrEnum):
    """What there are awards for."""

    COMEBACK = "comeback"
    """A person won a match in which they had been far behind (`cogs.profiles.comebacks`)."""
    OPPONENTS = "opponents"
    """A person has met `MANY_OPPONENTS` different opponents."""
    SEASON = "season"
    """A person was first of a season when it ended."""


@dataclass(frozen=True, slots=True)
class Award:
    """An award, and when it was earned (ms UTC): by the end of a match, or on the last day of a season. Its game where
    that matters; a season without one was over all games. `times` counts the seasons; `at` is then of the last one."""

    kind: AwardKind
    at: int
    game: str = ""
    times: int = 1


@dataclass(frozen=True, slots=True)
class GameRecord:
    """What somebody has done in a game, and how many people are ranked there; None if the place is not shown."""

    standing: Standing
    game: str
    ranked: int | None


@dataclass(frozen=True, slots=True)
class RatingHistory:
    """Somebody's rating after each of their last matches in a game, at least two, the oldest first."""

    game: str
    ratings: tuple[Rating, ...]


@dataclass(frozen=True, slots=True)
class Named:
    """An opponent with the name that is shown, which is safe."""

    name: str
    opponent: Opponent


@dataclass(frozen=True, slots=True)
class Profile:
    """What is shown of a person in a server, whose `name` is safe.

    `usual` are those whom they met most often: only they themselves read that. `between` is what the reader and the
    person played, if the reader is somebody else. `aside` says that moderators have set their results aside: only they
    themselves read that. `counting` says that the server's results are being counted again.
    """

    user_id: int
    name: str
    record: PlayerRecord
    games: tuple[GameRecord, ...] = ()
    usual: tuple[Named, ...] = ()
    between: Opponent | None = None
    awards: tuple[Award, ...] = ()
    history: RatingHistory | None = None
    aside: bool = False
    counting: bool = False


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


def profile_screen(
    profile: Profile,
    shown: Shown,
    words: Translations,
    added: Placed[GameButtons] = (),
    empty: Placed[Buttons] = (),
) -> Screen:
    """The screen of a profile. `added` is what other rooms add, `empty` what they add to one's own that is empty."""
    title = words("profile.title", player=profile.name)
    sections: list[Section] = [Text(words("ladder.counting"))] if profile.counting else []
    if not profile.games:
        own = shown is Shown.OWN
        none = words("profile.none_own" if own else "profile.none", player=profile.name)
        return Screen(title, (*sections, Text(none)), (arranged((), empty, words),) if own and empty else ())
    sections += [Text(words("ladder.set_aside"))] if profile.aside and shown is Shown.OWN else []
    sections += [Text("\n".join(_game(game, words) for game in profile.games[:MOST_GAMES]))]
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
    return Screen(title, tuple(sections), _rows(profile, shown, words, added), words("profile.foot"))


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


def my_profile_button(words: Translations) -> tuple[Button, ...]:
    """Shows their own profile to the person who presses it, on any screen."""
    return (Button(words("button.my_profile"), Press("profile")),)


def _rows(profile: Profile, shown: Shown, words: Translations, added: Placed[GameButtons]) -> Rows:
    """A list of the games whose rating can be drawn, if there are several, and buttons."""
    if shown is Shown.PUBLIC:
        return (my_profile_button(words),)
    drawn = profile.games[0].game if profile.history is None else profile.history.game
    options = tuple(
        Option(game_title(each.game), f"{profile.user_id}.{each.game}", chosen=each.game == drawn)
        for each in profile.games[:MOST_OPTIONS]
        if each.standing.matches >= FEWEST
    )
    games = (Select(Press("profile"), words("profile.another_game"), options),) if len(options) > 1 else ()
    show = (Button(words("button.show_profile"), Press("showprofile", 0, drawn)),) if shown is Shown.OWN else ()
    buttons = arranged(((10, show),), added, drawn, words)
    return tuple(row for row in (games, buttons) if row)


FEWEST: Final = 2
"""A single rating is no curve."""


def curve_sections(history: RatingHistory, words: Translations) -> tuple[Section, ...]:
    """The picture of a curve, and a text that says what it shows."""
    curve = curve_of(history.ratings)
    told = words(
        "profile.curve",
        game=game_title(history.game),
        n=len(curve.points),
        first=curve.points[0].rating,
        last=curve.newest,
        lowest=curve.lowest,
        highest=curve.highest,
    )
    return Picture(curve, told), Text(f"-# {told}")


def curve_of(ratings: tuple[Rating, ...]) -> RatingCurve:
    """What is drawn. Raises ValueError without a rating."""
    return RatingCurve(tuple(_point(number, rating) for number, rating in enumerate(ratings)))


def _point(number: int, rating: Rating) -> RatingPoint:
    """The band is one sigma to each side. With the three that a leaderboard subtracts, it would be all one sees."""
    band = round(rating.uncertainty / SURE)
    return RatingPoint(number, rating.shown, rating.shown - band, rating.shown + band)
