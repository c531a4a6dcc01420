"""Tournaments as screens get them, without a database: of any format, at any point."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from bot import pairing
from bot.pairing.model import Format, Pairing, half_points
from bot.pairing.teams import matches
from bot.play.match_state import codec
from cogs.tournaments.panel import Dealt, Setup
from cogs.tournaments.rows import Ask, EntrantRow, How, Leg, PairingRow, Round, State, Tournament, Whole
from cogs.tournaments.screens import View
from engines import GAMES

ID: Final = "k3tournament"
LONG: Final = "\\_\\_Hieronymus von Langen\\_\\_"
"""A name as wide as names can be, in its safe form."""


def tournament(
    form: Format = Format.SWISS, dealt: Dealt = Dealt.SAME, game: str = "haymaker", *, seats: int = 2
) -> Tournament:
    """One that people join."""
    return Tournament(
        id=ID,
        guild_id=1,
        channel_id=2,
        message_id=3,
        game=game,
        options=codec(game).encode(GAMES[game].info.options()),
        clock="blitz",
        format=form,
        rounds=0,
        most=64,
        legs=2 if dealt is Dealt.TWICE else 1,
        same_deal=dealt is not Dealt.OWN and form is not Format.ARENA,
        scoring=Setup(game, "blitz", "", form, dealt).scoring,
        rated=True,
        check_in=True,
        every=0,
        created_at=1_000_000,
        closes_at=1_900_000,
        teams=dealt is Dealt.TEAMS and form is not Format.ARENA,
        lasts=60 if form is Format.ARENA else 0,
        seats=seats,
        host_id=100,
    )


def joined(count: int, of: Tournament) -> Whole:
    """A tournament that this many people have joined."""
    people = tuple(
        [EntrantRow(number, 99 + number, 1_000_000, checked_in=number % 2 == 0) for number in range(1, 1 + count)]
    )
    asks: tuple[Ask, ...] = ()
    if of.teams and count:  # the first two are a team, and the third has two to choose from
        asks = (Ask(1, 101), Ask(2, 100), Ask(4, 102), Ask(5, 102), Ask(6, 10**18))
    return Whole(of, people, (), (), (), asks)


def played(count: int, of: Tournament, rounds: int, *, luck: int = 0, over: bool = False) -> Whole:
    """The same after some rounds. The matches of the last one are in play, but for those that have ended before it is
    over, every second one; with `over`, all have. An arena is played by rounds too, but as one."""
    whole, arena = joined(count, of), of.format is Format.ARENA
    sides = count // 2 if of.teams else count
    seeded = pairing.seeded(of.format, range(1, sides + 1) if of.teams else [each.user_id for each in whole.entrants])
    expected = pairing.rounds(of.format, sides) or 0
    begun = replace(
        of,
        state=State.PLAYING,
        rounds=0 if of.format in {Format.SINGLE, Format.DOUBLE} else expected,
        began_at=2_000_000,
        due_at=5_000_000 if arena else None,
    )
    entrants = tuple([replace(each, seed=each.number) for each in whole.entrants])
    if of.teams:
        entrants = tuple([replace(each, team=(1 + each.seed) // 2) for each in entrants[: 2 * sides]])
    else:
        seeds = {each.user_id: each.seed for each in seeded}
        entrants = tuple([replace(each, seed=seeds[each.user_id]) for each in entrants])
    whole = replace(whole, tournament=begun, entrants=entrants, asks=())
    for number in range(1, rounds + 1):
        last = number == rounds
        rng = random.Random(f"{number} {luck if last else 0}")
        rows = tuple(_ended(each, of, not last or over, rng) for each in _rows(_paired(whole, number), of, number))
        in_round = 1 if arena else number
        first = len(whole.pairings) if arena else 0
        rows = tuple([replace(each, round=in_round, number=first + each.number) for each in rows])
        ended_at = None if (last and not over) or arena else 3_000_000 + number
        whole = replace(
            whole,
            tournament=replace(whole.tournament, round=in_round),
            rounds=(*whole.rounds[: in_round - 1], Round(in_round, 2_000_000 + number, ended_at)),
            pairings=(*whole.pairings, *rows),
        )
    return whole


def _paired(whole: Whole, number: int) -> tuple[Pairing, ...]:
    of = whole.tournament
    if of.format is Format.ARENA:
        return pairing.pair_waiting(whole.model, whole.played)
    sizes = range(2, 1 + of.seats)
    paired = pairing.pair(of.format, whole.model, whole.played, number, scoring=of.scoring, sizes=sizes)
    if not of.teams:
        return paired
    return tuple([each for both in paired for each in matches(both, whole.as_people, number)])


def _rows(paired: tuple[Pairing, ...], of: Tournament, number: int) -> Iterator[PairingRow]:
    for index, each in enumerate(paired, 1):
        legs = tuple([Leg(leg, f"deal{number}x{leg}", f"m{number}x{index}x{leg}", 1) for leg in range(1, 1 + of.legs)])
        yield PairingRow(number, index, each.seats, legs=() if each.second is None else legs)


def _ended(row: PairingRow, of: Tournament, all_over: bool, rng: random.Random) -> PairingRow:
    if row.is_bye:
        return replace(row, how=How.BYE, ended_at=1)
    got = [half_points([rng.randint(0, 2) for _ in row.people]) for _ in row.legs]
    if all_over or row.number % 2:
        legs = tuple([replace(leg, got=each) for leg, each in zip(row.legs, got, strict=True)])
        return replace(row, how=How.PLAYED, ended_at=1, legs=legs)
    first = replace(row.legs[0], got=got[0]) if of.legs > 1 else row.legs[0]
    return replace(row, legs=(first, *row.legs[1:]))


def ended(whole: Whole) -> Whole:
    """The same, over."""
    return replace(whole, tournament=replace(whole.tournament, state=State.OVER, ended_at=9_000_000))


def view(whole: Whole, name: str = "Ann") -> View:
    """It as screens see it, with everybody called alike, boards of all matches in play, and no threads."""
    names = {each.user_id: f"{name}{each.number}" for each in whole.entrants} | {100: name}
    legs = [each.in_play for each in whole.in_round]
    boards = {leg.match_id: f"https://discord.com/channels/{10**18}/{10**18}/{10**18}" for leg in legs if leg}
    return View(whole, names, boards, lacks_threads=True)
