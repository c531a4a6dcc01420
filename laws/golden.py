"""Whole matches as text that can be read: what was done, what followed, and what everybody then knew.

`test_golden` plays the acts of each file again and compares every line. When the rules have changed on purpose, write
the files anew and read the difference before you commit it::

    python -m laws.golden
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from enum import Enum
from pathlib import Path
from typing import Any, Final

from engines import GAMES, champions, ciq, tivmiv
from engines.cards import Card
from engines.chance import commitment
from engines.game import AnyGame, Seat, fold
from laws.play import Deal, MatchLog, Odds, deal_of, random_match, settings_of

FOLDER: Final = Path(__file__).parents[1] / "tests" / "games" / "golden"

ENDINGS: Final[dict[str, tuple[str, ...]]] = {
    "champions": ("out_of_cards", "score", "score_shared", "resignation", "time", "nobody_left"),
    "ciq": ("emptied", "decision", "resignation", "time"),
    "unbreakable": ("unbreakable", "decision", "draw", "resignation", "time"),
    "haymaker": ("knockout", "technical_knockout", "decision", "draw", "resignation", "time"),
    "tivmiv": ("points", "shared", "abandoned", "resignation", "time", "called_off"),
}
"""The endings each game has a file for."""

ODDS: Final[dict[tuple[str, str], tuple[str, Odds]]] = {
    ("champions", "score"): ("chosen_victory_wacky_icons", Odds()),
    ("champions", "score_shared"): ("blind_victory", Odds()),
    ("champions", "nobody_left"): ("default", Odds(time=0.1)),
    ("ciq", "emptied"): ("quick", Odds()),
    ("ciq", "decision"): ("short", Odds()),
    ("ciq", "resignation"): ("quick", Odds(resign=0.1)),
    ("ciq", "time"): ("quick", Odds(time=0.1)),
    ("tivmiv", "points"): ("one_phase", Odds()),
    ("tivmiv", "shared"): ("one_phase", Odds(time=0.1)),
    ("tivmiv", "abandoned"): ("default", Odds(time=0.9)),
    ("tivmiv", "time"): ("default", Odds(time=0.9)),
    ("tivmiv", "called_off"): ("default", Odds(time=0.99)),
}
"""The settings and the odds with which some endings are found sooner, and in shorter matches, than with the usual."""

SEATS: Final[dict[tuple[str, str], int]] = {("ciq", "emptied"): 3, ("ciq", "resignation"): 4, ("ciq", "time"): 3}
"""The seats of some, where it is more than the fewest that the game has."""

LONGEST: Final = 120
"""Acts of a match that is still short enough to be read."""

_ACT: Final = "> "


def file_of(key: str, ending: str) -> Path:
    """The file of a game's match with this ending."""
    return FOLDER / f"{key}-{ending.replace('_', '-')}.txt"


def transcript(deal: Deal, acts: list[tuple[Seat | None, Any]]) -> str:
    """A match as text. Raises IllegalAction where the rules refuse an act."""
    return "\n".join(_lines(deal, acts)) + "\n"


def read(text: str) -> tuple[Deal, list[tuple[Seat | None, Any]]]:
    """The match that a transcript tells of: how it was dealt, and who did what."""
    head = dict(line.split(": ", 1) for line in text.split("\n\n", 1)[0].splitlines())
    game = GAMES[head["game"]]
    deal = Deal(game, settings_of(head["game"])[head["options"]], int(head["seats"]), bytes.fromhex(head["seed"]))
    acts = [line.removeprefix(_ACT).split(": ", 1) for line in text.splitlines() if line.startswith(_ACT)]
    return deal, [(None if who == "clock" else int(who.removeprefix("seat ")), game.read(act)) for who, act in acts]


def _lines(deal: Deal, acts: list[tuple[Seat | None, Any]]) -> Iterator[str]:
    game = deal.game
    setting = next(name for name, options in settings_of(game.info.key).items() if options == deal.options)
    yield f"game: {game.info.key}"
    yield f"rules: {game.info.rules_version}"
    yield f"options: {setting}"
    yield f"seats: {deal.seats}"
    yield f"seed: {deal.seed.hex()}"
    yield f"commitment: {commitment(deal.seed)}"
    state, opening = deal.open()
    yield ""
    yield from (f"  {show(event)}" for event in opening)
    yield from _known(deal, state)
    for seq, (actor, action) in enumerate(acts, start=1):
        events = game.decide(state, actor, action, deal.chance(seq))
        state = fold(game, state, events)
        yield ""
        yield f"{_ACT}{'clock' if actor is None else f'seat {actor}'}: {game.write(action)}"
        yield from (f"  {show(event)}" for event in events)
        yield from _known(deal, state)
    yield ""
    yield f"outcome: {show(game.outcome(state))}"


def _known(deal: Deal, state: Any) -> Iterator[str]:
    game = deal.game
    yield f"  all: {show(game.observe_public(state))}"
    for seat in range(deal.seats):
        yield f"  seat {seat}: {show(game.observe(state, seat).own)}"
    window = game.window(state)
    if window is not None:
        timers = ", ".join(f"{timer.name} {timer.key} {show(timer.length)}" for timer in window.timers)
        yield f"  window {window.number}: asks {show(window.may_act)}, awaits {show(window.awaited)}, {timers}"


def show(value: Any) -> str:
    """A value in short: cards by their codes, empty fields left out."""
    if isinstance(value, Card | ciq.Card | champions.Card | tivmiv.Card):
        return value.code
    if isinstance(value, Enum):
        return str(value.value)
    if is_dataclass(value) and not isinstance(value, type):
        shown = [(field.name, getattr(value, field.name)) for field in fields(value)]
        return " ".join(
            [type(value).__name__, *(f"{name}={show(item)}" for name, item in shown if item not in ((), None))]
        )
    if isinstance(value, tuple):
        return "[" + " ".join(show(item) for item in value) + "]"
    if isinstance(value, frozenset):
        return "[" + " ".join(str(item) for item in sorted(value)) + "]"
    return str(value)


def _write_all() -> None:
    FOLDER.mkdir(exist_ok=True)
    for key, endings in ENDINGS.items():
        for ending in endings:
            log = _search(GAMES[key], ending)
            acts = [(move.actor, move.action) for move in log.moves]
            file_of(key, ending).write_text(transcript(log.deal, acts), encoding="utf-8")


def _search(game: AnyGame, ending: str) -> MatchLog:
    """The first match by chance that ends so, in which something has happened before, and that is not too long."""
    key = game.info.key
    usual = Odds(time=0.03, resign=0.03) if ending in ("time", "resignation") else Odds()
    setting, odds = ODDS.get((key, ending), (next(iter(game.info.presets)), usual))
    seats = SEATS.get((key, ending), min(game.info.seats))
    for seed in range(100_000):
        rng = random.Random(seed)
        log = random_match(deal_of(key, setting, seats, rng), rng, odds)
        outcome = game.outcome(log.states[-1])
        if outcome is not None and outcome.kind == ending and 8 <= len(log.moves) <= LONGEST:
            return log
    raise LookupError(f"no match of {game.info.key} ends by {ending}")


if __name__ == "__main__":
    _write_all()
