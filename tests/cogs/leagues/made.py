"""Leagues as screens get them, without a database: at any point."""

from __future__ import annotations

from dataclasses import replace

from bot.play.match_state import codec
from bot.store.queries.invitations import InvitationState
from cogs.leagues.queries import How, League, Member, Offer, Whole
from cogs.leagues.screens import View
from cogs.leagues.seasons import paired, placed
from engines import GAMES

ID = "k3league"
FIRST = 101
"""The user who has the first place."""


def league(game: str = "haymaker") -> League:
    """One that people join."""
    options = codec(game).encode(GAMES[game].info.options())
    return League(ID, 1, 2, 3, game, options, "blitz", 1_000_000, host_id=100)


def joined(count: int) -> Whole:
    """A league that this many people have joined."""
    return Whole(league(), tuple([Member(FIRST + number, number) for number in range(count)]))


def playing(count: int, week: int = 2) -> Whole:
    """The same in a week of its first season: a match is over in each way, one is played and one asked for, a place was
    taken over and another one is vacant, and two wait."""
    whole = joined(count)
    places = [replace(each, substitute=each.number == 2) for each in placed([each.user_id for each in whole.members])]
    ended, weeks = [], max(each.week for each in paired(places))
    for each in paired(places):
        how = [How.PLAYED, How.WALKOVER, How.MISSED, How.LATE][each.number % 4]
        got = {How.PLAYED: (2, 0), How.WALKOVER: (0, 2), How.MISSED: (0, 0), How.LATE: (1, 1)}[how]
        ended.append(replace(each, how=how, got=got) if each.week < week else each)
    open_now = [each for each in ended if each.how is None]
    states = (InvitationState.ACCEPTED, InvitationState.OPEN)
    asked = [(nth % 3, each) for nth, each in enumerate(open_now) if nth % 3 < len(states)]
    offers = [Offer(f"m{each.number}", each.number, each.first, 1, states[which]) for which, each in asked]
    members = (*whole.members[:-1], Member(5, 1), Member(6, 2))
    begun = replace(whole.league, season=1, week=week, weeks=weeks, due_at=9_000_000, changed_at=2_000_000)
    return Whole(begun, members, tuple(places), tuple(ended), tuple(offers))


def over(count: int) -> Whole:
    """The same after its first season."""
    whole = playing(count, 99)
    return replace(whole, league=replace(whole.league, week=0, due_at=None))


def view(whole: Whole, name: str = "Ann") -> View:
    """It as screens see it, with everybody called alike, and links to all that has an address."""
    users = {*[each.user_id for each in whole.members], *[each.user_id for each in whole.places], 100}
    link = f"https://discord.com/channels/{10**18}/{10**18}/{10**18}"
    return View(whole, {user: f"{name}{user}" for user in users}, {each.id: link for each in whole.offers})
