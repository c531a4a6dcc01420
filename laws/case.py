"""The case of one game: what the laws must know about it.

A game's test file has its case, followed by the laws (`laws.suite`)::

    CASE = GameCase(
        game=Duchess(),
        presenter=DuchessPresenter(),
        sees=sees,
        endings=("last_card", "resignation", "time"),
        refusals=refusals,
        golden_folder=Path(__file__).parent / "golden",
    )


    class TestLaws(GameLaws):
        case = CASE

Every game gives these six; the other fields of `GameCase` have a value that fits a small one. Making the case raises a
`CaseError` that says what is missing or cannot be right.
"""

from __future__ import annotations

import importlib
import inspect
import random
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import MISSING, dataclass, field, fields
from functools import cached_property, partial
from pathlib import Path
from typing import Any, Final, Protocol, Self, TypeAlias

from bot.languages import DEFAULT_LANGUAGE
from bot.ui.catalogue import Translations, translations
from bot.ui.preferences import CardStyle
from cogs.screens.presenter import Presenter
from engines.game import AnyGame, Event, GameInfo, Seat
from laws.play import Deal, Odds, fits
from laws.tries import UnknownTypeError, random_acts

Viewer: TypeAlias = Seat | None
"""A seat, or None for spectators and everybody's board."""

Sees: TypeAlias = Callable[[Any, Viewer], Iterable[Any]]
"""From an event and a viewer to the cards that the viewer gets to see by it."""


class Refusals(Protocol):
    """What Discord would refuse in a message of these V2 components, as its tree of errors; empty if it takes them."""

    def __call__(
        self, components: Sequence[dict[str, Any]], emojis: Collection[int], files: Collection[str], /
    ) -> Mapping[str, Any]:
        """`emojis` are the ids of custom emojis that the bot may use, `files` the names of files sent with it."""


PURPOSES: Final[Mapping[str, str]] = {
    "game": "the rules, an instance of the class in your engine",
    "presenter": "how the game is shown, an instance of the class in your cog; all screens are checked",
    "sees": "a function from an event and a viewer (a seat, or None for everybody) to the cards that the viewer gets "
    "to see by it, written from the Knowledge table of your rulings; secrecy is tested against it",
    "endings": 'the kinds of outcome that a match can have, such as ("decision", "resignation", "time"); each has a '
    "transcript, and a long run of matches must reach them",
    "refusals": "a function that says what Discord refuses of a message's components (`Refusals`); "
    "every screen is held against it, and docs/adding-a-game.md names one",
    "golden_folder": 'the folder for the transcripts of whole matches, usually `Path(__file__).parent / "golden"`',
}
"""What each field is for that every game gives."""


class CaseError(ValueError):
    """Raised for a case in which something is missing or cannot be right. Its text says what, where and what for."""


@dataclass(frozen=True, slots=True)
class Search:
    """Where a match with some ending is looked for: at this setting and number of seats, with these odds.

    None is the usual: the first preset, the fewest seats that fit it, the clock and resignations only where they make
    the ending.
    """

    setting: str | None = None
    seats: int | None = None
    odds: Odds | None = None


class _Told:
    """Says which fields are missing before the dataclass's own constructor does, and what they are for."""

    def __new__(cls, *_given: Any, **named: Any) -> Self:
        """A new case. Raises CaseError."""
        known = fields(cls)  # type: ignore[arg-type]  # its one subclass is a dataclass
        frame = inspect.currentframe()
        caller = frame.f_back if frame else None
        where = f"`GameCase(...)` in {caller.f_code.co_filename}" if caller else "its `GameCase(...)`"
        game = getattr(getattr(named.get("game"), "info", None), "key", "a game")
        needed = [each.name for each in known if each.default is MISSING and each.default_factory is MISSING]
        missing = [f"add `{name}=`: {PURPOSES[name]}" for name in needed if name not in named]
        if missing:
            raise CaseError(f"{game}: the laws are not told everything. To {where} " + "; ".join(missing) + ".")
        unknown = sorted(named.keys() - {each.name for each in known})
        if unknown:
            raise CaseError(f"{game}: {where} has {', '.join(unknown)}, but the laws ask for no such thing.")
        return super().__new__(cls)


@dataclass(frozen=True, kw_only=True, eq=False)
class GameCase(_Told):
    """All that the laws know about one game. Raises CaseError."""

    game: AnyGame
    presenter: Presenter
    sees: Sees
    endings: Collection[str]
    refusals: Refusals
    golden_folder: Path

    dealt_anew: type[Event] | None = None
    """The event by which the game takes up all its cards and deals them again: what was seen before tells nothing
    then."""
    variants: Mapping[str, Any] = field(default_factory=dict)
    """Options beside the game's presets that the laws hold for too, by names of their own: together they should try
    every option at its least, its most and in company. Each is played at one number of seats that it fits."""
    refused: Collection[tuple[str, Any, int]] = ()
    """What some number of players cannot choose: option, value, seats."""
    illegal_tries: Callable[[random.Random], list[Any]] | None = None
    """Makes acts that somebody might try, legal or not. None: acts of all the game's classes with any cards."""
    closed: Mapping[str, Any] = field(default_factory=dict)
    """The act that a closed verb stands for, where its `Closed` does not hold it."""
    timed_out: Callable[[Any, int], Collection[Seat]] | None = None
    """The seats that an event takes out because their time ran out (C-5), given the number of seats. None, for two
    players only: the player who did not win a match that ends by "time" lost it by time."""
    eliminated: Callable[[Any, int], Collection[Seat]] | None = None
    """The seats that an event knocks out by the rules, given the number of seats. None: the rules knock nobody out."""
    recall_fields: frozenset[str] = frozenset()
    """The fields of a state that recall cards which lie elsewhere."""
    long_run: int = 400
    """How many matches the long run has at most: it stops once it has come to every ending."""
    rare: Collection[str] = ()
    """The endings that matches played by chance seldom or never come to."""
    longest_golden: int = 120
    """Acts of a match that is still short enough to be kept as a transcript."""
    golden_searches: Mapping[str, Search] = field(default_factory=dict)
    """Where matches with some endings are found sooner, and shorter, than in the usual place."""
    style: CardStyle = CardStyle.TEXT
    """How cards are written on the screens that a law looks at. It looks at each style (`laws.bodies.styled`), and
    `laws.hands.card_words` at words."""
    words: Translations = field(default_factory=partial(translations, DEFAULT_LANGUAGE))
    """The language of the screens that a law looks at."""

    def __post_init__(self) -> None:
        _check(self)

    @property
    def key(self) -> str:
        """The game's key."""
        return self.game.info.key

    @cached_property
    def settings(self) -> Mapping[str, Any]:
        """The options to be tried, by name: the presets, then the variants."""
        return {**self.game.info.presets, **self.variants}

    @cached_property
    def setups(self) -> tuple[tuple[str, int], ...]:
        """Each setting with a number of seats: a preset at each number that it fits, a variant at one, in turn."""
        found: list[tuple[str, int]] = []
        for index, (setting, options) in enumerate(self.settings.items()):
            fitting = [seats for seats in self.game.info.seats if fits(self.game, options, seats)]
            if setting in self.variants and fitting:
                fitting = [fitting[index % len(fitting)]]
            found += [(setting, seats) for seats in fitting]
        return tuple(found)

    def deal(self, setting: str, seats: int, rng: random.Random) -> Deal:
        """A match to be played with one of the setups."""
        return Deal(self.game, self.settings[setting], seats, rng.randbytes(32))

    def tries(self, rng: random.Random) -> list[Any]:
        """Acts that somebody might try, legal or not."""
        if self.illegal_tries is not None:
            return self.illegal_tries(rng)
        setting, seats = self.setups[0]
        try:
            return random_acts(self.game.info.actions, self.game.pack(self.settings[setting], seats).cards, rng)
        except UnknownTypeError as cannot:
            raise self.error(f"{cannot}; add `illegal_tries=`, which makes acts that somebody might try") from None

    def error(self, what: str) -> CaseError:
        """The error for something that the case lacks."""
        return CaseError(f"{self.key}: its GameCase: {what}.")


def load_case(path: str) -> GameCase:
    """The case at a path like `tests.games.test_haymaker`, or `package.module:NAME`. Raises CaseError."""
    module, _, name = path.partition(":")
    name = name or "CASE"
    try:
        case = getattr(importlib.import_module(module), name, None)
    except ModuleNotFoundError as missing:
        if missing.name is None or not f"{module}.".startswith(f"{missing.name}."):
            raise
        raise CaseError(
            f"there is no module {module}: write the game's case there, `{name} = GameCase(...)`."
        ) from None
    if not isinstance(case, GameCase):
        raise CaseError(f"{module} has no case called {name}: write `{name} = GameCase(...)`, as laws/case.py shows.")
    return case


def _check(case: GameCase) -> None:
    """Raise CaseError for what cannot be right."""
    _check_game(case)
    info, endings = case.game.info, case.endings
    if isinstance(endings, str) or not endings:
        raise case.error(f"`endings` is missing: {PURPOSES['endings']}")
    for name in ("rare", "golden_searches"):
        if others := set(getattr(case, name)) - set(endings):
            raise case.error(f"`{name}` names {', '.join(sorted(others))}, which `endings` does not")
    if taken := info.presets.keys() & case.variants.keys():
        raise case.error(f"{', '.join(sorted(taken))} in `variants` is the name of a preset; take another")
    for setting, options in case.variants.items():
        if not isinstance(options, info.options):
            raise case.error(f"`variants` has {setting!r}, which is no {info.options.__name__} of the game")
    for ending, search in case.golden_searches.items():
        if search.setting not in (None, *case.settings):
            raise case.error(f"`golden_searches` looks for {ending!r} at {search.setting!r}, which is no setting")
    if case.timed_out is None and max(info.seats) > 2:
        raise case.error(
            "add `timed_out=`, a function from an event and the number of seats to the seats that the event takes out "
            "because their time ran out; only for two players is that clear from the result"
        )


def _check_game(case: GameCase) -> None:
    for name in ("game", "presenter"):
        if isinstance(getattr(case, name), type):
            raise CaseError(f"`{name}` of a GameCase is an instance, not the class {getattr(case, name).__name__}.")
    if not isinstance(getattr(case.game, "info", None), GameInfo):
        raise CaseError(f"`game` of a GameCase is a game, not {case.game!r}: {PURPOSES['game']}.")
    if not case.game.info.presets:
        raise case.error("the game has no presets, so no law would play it; give its `info` at least one")
    if not case.setups:
        raise case.error("no preset fits any number of seats of the game, so no law would play it")
