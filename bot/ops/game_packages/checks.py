"""Finds out whether a package of a game can be used, and why not.

A game is taken whole, with its cog, sentences and rules page, or not at all.
"""

from __future__ import annotations

import importlib
import inspect
import re
import warnings
from collections.abc import Sequence
from importlib.metadata import EntryPoint
from typing import Final, cast

from bot.games import GAMES, GamePackage
from bot.languages import DEFAULT_LANGUAGE, languages
from bot.logs import call_path
from bot.ui.catalogue import UnknownPage, UnknownSentence, catalogue, keys, package_catalogue, rules_text
from engines.game import Game, GameInfo
from engines.players.player import Chooser, Racer

MOST_GAMES: Final = 25
"""/leaderboard and the panel of *Challenge…* list all games, and Discord allows a list 25 lines
(https://discord.com/developers/docs/interactions/application-commands)."""

LONGEST_TITLE: Final = 60
"""Characters. A command's description is a sentence with the title in it and may have 100."""

RESERVED: Final = frozenset(
    {
        *("games", "leaderboard", "help", "notify", "preferences", "mydata", "play", "daily", "profile", "learn"),
        *("history", "replay", "verify", "settings", "calloff", "moderate", "block", "tournament", "panel"),
        *("tables", "weekly", "league", "away"),
    }
)
"""Our commands that belong to no game, and what the ids of buttons name instead of a match."""

_KEY: Final = re.compile(r"[a-z][a-z0-9_]{0,23}")


class Unusable(Exception):  # noqa: N818  says what was found
    """A package that cannot be used; the text is the reason."""


def whole(entry: EntryPoint) -> GamePackage:
    """The package that an entry point names, found to be whole. Raises Unusable."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)  # of what a package uses; no mistake
            package = entry.load()
            _check_game(package, entry.name)
            _check_cog(package)
        _check_sentences(package)
        _check_rules(package)
    except (Unusable, KeyboardInterrupt):
        raise
    except BaseException as error:
        raise Unusable(describe(error)) from error
    return cast("GamePackage", package)


def describe(error: BaseException) -> str:
    """An exception in one line: its type and path, and the module or the sentence that is missing.

    Other texts may hold anything.
    """
    what = error.msg if isinstance(error, ImportError) else error.args[0] if isinstance(error, UnknownSentence) else ""
    return f"{type(error).__name__}{f' ({what})' if what else ''} at {call_path(error)}"


def check_name(key: str, rivals: Sequence[str]) -> None:
    if not _KEY.fullmatch(key):
        raise Unusable("a key is a small letter and up to 23 small letters, digits and underscores")
    if key in GAMES:
        raise Unusable(f"Cardroom has a game {key} already")
    if key in RESERVED or any(known.partition(".")[0] == key for known in keys(catalogue(DEFAULT_LANGUAGE))):
        raise Unusable(f"Cardroom uses the name {key} for something else")
    if rivals:  # to take either could have matches read by the wrong rules
        raise Unusable(f"there is a game {key} in another package too: {', '.join(rivals)}")
    if len(GAMES) >= MOST_GAMES:
        raise Unusable(f"there are {MOST_GAMES} games already, as many as Discord can list")


def _check_game(package: object, name: str) -> None:
    if not isinstance(package, GamePackage):
        raise Unusable(f"its entry point names a {type(package).__name__}, not a GamePackage")
    game = package.game
    if not isinstance(getattr(game, "info", None), GameInfo):
        raise Unusable(f"its game is a {type(game).__name__} without a GameInfo as `info`")
    _check_methods(game, Game, "its game")
    info = game.info
    if info.key != name:
        raise Unusable(f"its entry point is called {name} and its game {info.key}")
    if not 0 < len(info.title) <= LONGEST_TITLE:
        raise Unusable(f"its title has {len(info.title)} characters; it needs 1 to {LONGEST_TITLE}")
    if not info.seats or info.seats[0] < 1 or not info.presets:
        raise Unusable("its game has no seats or no presets")
    if package.player is not None:
        _check_methods(package.player, Chooser if info.turn_clock else Racer, "its computer player")


def _check_methods(found: object, protocol: type, what: str) -> None:
    names = [name for name, _ in inspect.getmembers(protocol, inspect.isfunction) if not name.startswith("_")]
    missing = [name for name in names if not callable(getattr(found, name, None))]
    if missing:
        raise Unusable(f"{what} has no {', '.join(missing)}")


def _check_cog(package: GamePackage) -> None:
    if not callable(getattr(importlib.import_module(package.cog), "setup", None)):
        raise Unusable(f"its cog {package.cog} has no setup(registry)")


def _check_sentences(package: GamePackage) -> None:
    """A package may define sentences of its own game only, and English is what other languages fall back to. Another
    language that cannot be read is left out where somebody reads it (`bot.ui.catalogue`)."""
    key = package.game.info.key
    if not keys(package_catalogue(package.resources, DEFAULT_LANGUAGE)):
        raise Unusable(f"no English sentences: {package.resources} has none in locale/en/LC_MESSAGES/*.po")
    for language in languages(package.resources):
        try:
            found = keys(package_catalogue(package.resources, language))
        except Exception:
            if language == DEFAULT_LANGUAGE:
                raise
            continue
        foreign = [each for each in found if not each.startswith(f"{key}.")]
        if foreign:
            raise Unusable(f"its sentences may only begin with `{key}.`, and {foreign[0]} ({language}) does not")


def _check_rules(package: GamePackage) -> None:
    try:
        rules_text(package.game.info.key, package=package)
    except UnknownPage:
        raise Unusable(f"no rules page: {package.resources} has no rules/{package.game.info.key}.md") from None
