"""The computer players and levels that each game offers: only levels whose strength was measured.

docs/computer-players.md has the figures.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from random import Random
from types import MappingProxyType
from typing import Any, Final, Generic, TypeAlias

from engines import GAMES
from engines.game import AnyGame
from engines.players import tivmiv
from engines.players.champions import player as champions
from engines.players.ciq import player as ciq
from engines.players.haymaker import player as haymaker
from engines.players.haymaker.net import WEIGHTS
from engines.players.pace import PACES, Pace
from engines.players.player import Action, Chooser, Expired, Memory, Player, Policy, Racer, Situation, Thought
from engines.players.slips import Slipping
from engines.players.unbreakable import player as unbreakable
from engines.unbreakable import Options as Unbreakable


@dataclass(frozen=True, slots=True)
class ByRules(Generic[Memory, Action]):
    """A `Policy` that chooses by rule of thumb."""

    player: Chooser[Memory, Action, Any]

    def __call__(
        self,
        situation: Situation[Memory, Action],
        rng: Random,
        rollouts: int,  # noqa: ARG002  it plays none
        expired: Expired,  # noqa: ARG002  it is quick
    ) -> Thought[Action]:
        """Choose an act."""
        return Thought(self.player.rule_of_thumb(situation, rng))


Offered: TypeAlias = Callable[[Any, int], bool]
"""Says whether a level is offered for a match's options and number of seats."""


def always(options: Any, seats: int) -> bool:  # noqa: ARG001  whatever they are
    """Offered for all options and numbers of seats."""
    return True


@dataclass(frozen=True, slots=True)
class Level:
    """A level of a game. `version` changes whenever the level may choose another act, so that logs can name it."""

    version: str
    policy: Policy[Any, Any]
    rollouts: int = 0
    """The budget that it was measured with."""
    pace: Pace | None = None
    """How fast it is in a race; None in a game of turns, where nothing depends on it (`thinking_seconds`)."""
    offered: Offered = always
    """Where the level is what its name says."""


def both_choose(options: Unbreakable, seats: int) -> bool:  # noqa: ARG001  it is a game for two
    """Whether the players of Unbreakable choose their pairs. In swift play hardly anything is left to be good at, so
    all levels would be the same."""
    return options.pace != "swift"


def both_choose_for_long(options: Unbreakable, seats: int) -> bool:
    """The same, in a match that is long enough to show a small difference."""
    return both_choose(options, seats) and options.match_hand >= LONG


LONG: Final = 4
"""Cards in a match hand of Unbreakable."""


def _slipping(player: Player[Any, Any, Any], temperature: float, offered: Offered = always) -> Level:
    """A level that slips, where acts are worth what the player judges."""
    return Level("1", Slipping(player.candidates, player.judge, temperature), offered=offered)


PLAYERS: Final[Mapping[str, Player[Any, Any, Any]]] = MappingProxyType(
    {
        "haymaker": haymaker.PLAYER,
        "ciq": ciq.PLAYER,
        "champions": champions.PLAYER,
        "unbreakable": unbreakable.PLAYER,
    }
)
"""The computer player of each game of turns that has one, by the game's key."""

THUMBS: Final[Mapping[str, Chooser[Any, Any, Any]]] = MappingProxyType({})
"""The computer player of each further game that has one by rule of thumb alone. It sits at tables and, unless the game
is a race, plays absent seats on. Hints, reviews and the deal of the day need a player that searches."""


def by_rule_of_thumb(player: Chooser[Any, Any, Any]) -> Mapping[str, Level]:
    """The levels of a player that knows nothing but its rule of thumb. None was measured, so there is but one."""
    pace = PACES["normal"] if isinstance(player, Racer) else None
    return MappingProxyType({"normal": Level("1", ByRules(player), pace=pace)})


_choosers: Final[dict[str, Chooser[Any, Any, Any]]] = {**PLAYERS, "tivmiv": tivmiv.PLAYER, **THUMBS}
_racers: Final = {key: player for key, player in _choosers.items() if isinstance(player, Racer)}
_played: Final = {key: GAMES[key] for key in _choosers}

CHOOSERS: Final[Mapping[str, Chooser[Any, Any, Any]]] = MappingProxyType(_choosers)
"""The computer player of each game that has one, by the game's key: first our own, then those of installed games."""

RACERS: Final[Mapping[str, Racer[Any, Any, Any]]] = MappingProxyType(_racers)
"""Those of them that play a race."""

PLAYED: Final[Mapping[str, AnyGame]] = MappingProxyType(_played)
"""The games of `CHOOSERS`."""

_levels: Final[dict[str, Mapping[str, Level]]] = {
    "haymaker": MappingProxyType(
        {
            "gentle": Level("1", Slipping(haymaker.PLAYER.candidates, haymaker.worths_by_thumb, 0.42)),
            "easy": Level("2", Slipping(haymaker.PLAYER.candidates, haymaker.worths_by_thumb, 0.195)),
            "normal": Level("1", ByRules(haymaker.PLAYER)),
            "hard": Level(f"3-{WEIGHTS[:8]}", haymaker.hard),
        }
    ),
    "ciq": MappingProxyType(
        {
            "gentle": Level("1", Slipping(ciq.single_cards, ciq.PLAYER.judge, 0.05)),
            "easy": Level("2", Slipping(ciq.beginners_acts, ciq.PLAYER.judge, 10)),
            "casual": Level("1", Slipping(ciq.beginners_acts, ciq.PLAYER.judge, 0.38)),
            "steady": Level("1", Slipping(ciq.beginners_acts, ciq.PLAYER.judge, 0.16)),
            "normal": Level("2", Slipping(ciq.beginners_acts, ciq.PLAYER.judge, 0.073)),
            "skilled": Level("1", ByRules(ciq.PLAYER)),
            "strong": Level("1", ciq.LookingAhead(0.2), ciq.BUDGET),
            "hard": Level("3", ciq.LookingAhead(0.09), ciq.BUDGET),
            "master": Level("1", ciq.LookingAhead(), ciq.BUDGET),
        }
    ),
    "champions": MappingProxyType(
        {
            "gentle": _slipping(champions.PLAYER, 1.0),
            "easy": _slipping(champions.PLAYER, 0.094),
            "normal": Level("1", ByRules(champions.PLAYER)),
        }
    ),
    "tivmiv": MappingProxyType({name: Level("1", ByRules(tivmiv.PLAYER), pace=pace) for name, pace in PACES.items()}),
    "unbreakable": MappingProxyType(
        {
            "gentle": _slipping(unbreakable.PLAYER, 1.2, both_choose),
            "easy": _slipping(unbreakable.PLAYER, 0.175, both_choose),
            "casual": _slipping(unbreakable.PLAYER, 0.08, both_choose),
            "normal": _slipping(unbreakable.PLAYER, 0.045),
            "skilled": _slipping(unbreakable.PLAYER, 0.025, both_choose),
            "strong": _slipping(unbreakable.PLAYER, 0.015, both_choose_for_long),
            "hard": _slipping(unbreakable.PLAYER, 0.0075, both_choose_for_long),
            "master": Level("1", ByRules(unbreakable.PLAYER), offered=both_choose),
        }
    ),
    **{key: by_rule_of_thumb(player) for key, player in THUMBS.items()},
}

LEVELS: Final[Mapping[str, Mapping[str, Level]]] = MappingProxyType(_levels)
"""The levels of each game, weakest first, by the game's key and the level's name."""


def add(game: AnyGame, player: Chooser[Any, Any, Any]) -> None:
    """Add the computer player of an installed game, which plays by its rule of thumb."""
    key = game.info.key
    _played[key], _choosers[key], _levels[key] = game, player, by_rule_of_thumb(player)
    if isinstance(player, Racer):
        _racers[key] = player


def remove(key: str) -> None:
    """Take away the computer player of an installed game again, if it has one."""
    for each in (_played, _choosers, _racers, _levels):
        each.pop(key, None)


def levels_for(game: str, options: Any, seats: int) -> Mapping[str, Level]:
    """The levels that a game offers for these options and this number of seats, weakest first, by name.

    Empty for a game without a computer player.
    """
    levels = LEVELS.get(game, {})
    return {name: level for name, level in levels.items() if level.offered(options, seats)}
