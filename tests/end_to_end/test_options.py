"""Options that do not suit the number who sit: a table says so at *Start*, in words, and stays open."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, cast

import pytest

from bot.play.limits import Limits
from bot.play.match_clock import MatchClock
from bot.play.match_lifecycle import MatchLifecycle
from bot.play.match_press import MatchPresses
from bot.play.match_registry import MatchRegistry
from bot.play.match_state import codec
from bot.play.observers import Observers
from bot.play.quarantine import Quarantine
from bot.play.refusals import Refused
from bot.settings import load_settings
from bot.store.protocols.store import Store
from bot.store.rows import Invitation, MatchRow, Record, TimerRow
from bot.telemetry import NO_TELEMETRY
from bot.ui.catalogue import translations
from engines import GAMES
from engines.game import AnyGame
from engines.options import Choice, Number, Takes, takes
from sandbox import Sandbox
from tests.end_to_end.cardroom import Cardroom

say = translations("en")

REFUSED = {("ciq", "decks", 1, 5), ("ciq", "decks", 1, 6)} | {
    ("ciq", "decks", decks, seats) for seats in range(2, 7) for decks in range(seats + 1, 7)
}
"""Everything that some number of players cannot choose, as Q-18 has it: game, option, value, seats."""


@dataclass
class MatchesOpened:
    """A store that only hears of new matches."""

    rows: list[MatchRow] = field(default_factory=list)

    async def open_match(self, row: MatchRow, _deal: Record, _timers: tuple[TimerRow, ...]) -> None:
        """Note the match."""
        self.rows.append(row)


def taken(takes: Takes) -> Iterator[Any]:
    """Every value that an option takes."""
    match takes:
        case Number(least=least, most=most, step=step):
            yield from range(least, most + 1, step)
        case Choice(words=choices):
            yield from choices
        case _:
            yield from (False, True)


def table(game: AnyGame, options: Any, seats: int) -> Invitation:
    """A table with these options, at which everybody sits."""
    people = tuple(range(1, seats + 1))
    coded = codec(game.info.key).encode(options)
    return Invitation("m", 1, 2, 3, game.info.key, coded, "normal", 1, (), people, bytes(32), 0, 0)


@pytest.mark.parametrize(("key", "seats"), [(key, seats) for key, game in GAMES.items() for seats in game.info.seats])
async def test_every_value_of_every_option_begins_a_match_or_is_refused_in_words(key: str, seats: int) -> None:
    game = GAMES[key]
    opened = MatchesOpened()
    store, observers = cast("Store", opened), Observers()
    quarantine = Quarantine(store, NO_TELEMETRY)
    registry = MatchRegistry(store, quarantine, lambda: 0, NO_TELEMETRY)
    clock = MatchClock(store, registry, observers, lambda: 0)
    clock.pause()
    lifecycle = MatchLifecycle(
        store,
        registry,
        clock,
        quarantine=quarantine,
        limits=Limits.of(load_settings(None, {})),
        observers=observers,
        now=lambda: 0,
        telemetry=NO_TELEMETRY,
    )
    presses = MatchPresses(clock, observers)

    async def begin(options: Any) -> None:
        with presses.take_up("m", 1) as press:
            await lifecycle.open(table(game, options, seats), press)

    await begin(game.info.options())
    refused, told, tried = set(), [], 1
    for name, each in takes(game.info.options).items():
        for value in taken(each):
            tried += 1
            try:
                await begin(game.info.options(**{name: value}))
            except Refused as refusal:
                told.append(say(refusal.key, **refusal.values))
                refused.add((key, name, value, seats))
    await clock.close()
    assert all(told)
    assert refused == {each for each in REFUSED if (each[0], each[3]) == (key, seats)}
    assert len(opened.rows) == tried - len(refused)


@pytest.mark.parametrize(("decks", "seats"), [(6, 2), (3, 2), (1, 6)])
async def test_q_18_decks_that_do_not_suit_those_who_joined_are_refused_at_start_and_the_table_stays(
    sandbox: Sandbox, room: Cardroom, decks: int, seats: int
) -> None:
    people, lobby = sandbox.people[:seats], sandbox.channel("lobby")
    opened = (await people[0].slash(lobby, "ciq open", decks=decks)).message
    for person in people[1:]:
        await person.press(opened, label="Join")
    for _ in range(2):
        refused = await people[0].press(opened, label="Start")
        least = 2 if seats > 4 else 1
        told = say("ciq.refusal.decks", seats=seats, least=least, most=seats)
        assert (refused.visibility, refused.text) == ("ephemeral", told)
    (invitation,) = room.app.invitations.open()
    assert invitation.seated == tuple(person.id for person in people)
    assert list(room.app.matches.live()) == []


async def test_q_18_a_table_that_was_refused_begins_when_enough_have_joined(sandbox: Sandbox, room: Cardroom) -> None:
    alice, bob, carol = sandbox.people[:3]
    opened = (await alice.slash(sandbox.channel("lobby"), "ciq open", decks=3)).message
    await bob.press(opened, label="Join")
    assert (await alice.press(opened, label="Start")).text == say("ciq.refusal.decks", seats=2, least=1, most=2)
    await carol.press(opened, label="Join")
    started = await alice.press(opened, label="Start")
    assert started.message.labels[0] == "My cards"
    (match,) = room.app.matches.live()
    assert match.seats == (alice.id, bob.id, carol.id)
