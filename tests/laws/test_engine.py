"""The laws on rules find what was planted: leaks, cards up a sleeve, rules more lenient than the offers, lost facts."""

from __future__ import annotations

import random
from dataclasses import dataclass, replace

import pytest

from bot.play.match_state import codec
from engines import haymaker
from engines.chance import Chance
from engines.game import Choices, Event, Facts, Private, Resign, Seat, TimeUp, seen_by
from laws import engine
from laws.play import MatchLog, random_match
from tests.games.cases import case_of

CASE = case_of("haymaker")


def played(rng: random.Random, game: haymaker.Haymaker | None = None) -> MatchLog:
    """A match by chance, under the rules of a game with a fault."""
    deal = CASE.deal("default", 2, rng)
    return random_match(deal if game is None else replace(deal, game=game), rng)


class Blabbing(haymaker.Haymaker):
    """Shows everybody, by way of a count, the card on top of the draw pile."""

    def observe_public(self, state: haymaker.State) -> haymaker.Public:
        public = super().observe_public(state)
        return replace(public, draw=state.draw[0].rank if state.draw else 0)


class Peeking(haymaker.Haymaker):
    """Shows the other player the two cards drawn in a pass."""

    def observe(self, state: haymaker.State, seat: Seat) -> Private[haymaker.Public, haymaker.Own]:
        own = super().observe(state, seat)
        return replace(own, own=replace(own.own, drawn=state.drawn))


class Hinting(haymaker.Haymaker):
    """Offers to take the hit first when the attacker's hand is the stronger one."""

    def choices(self, state: haymaker.State, seat: Seat) -> Choices[haymaker.Action]:
        choices = super().choices(state, seat)
        mine, theirs = (haymaker.strength(state.hands[each]) for each in (seat, 1 - seat))
        return Choices(choices.offers[::-1], choices.closed) if theirs > mine else choices


@dataclass(frozen=True, slots=True)
class Sighed(Event):
    """Says what was drawn without naming a card."""

    total: int


def telling(event: Event, viewer: Seat | None) -> Event | None:
    """A narrator who lets slip what the cards drawn after a reversal are worth."""
    if isinstance(event, haymaker.CardsDrawn) and not event.passing:
        return Sighed(haymaker.strength(event.cards))
    return seen_by(event, viewer)


@pytest.mark.parametrize("leak", [Blabbing(), Peeking(), Hinting()], ids=lambda leak: type(leak).__name__)
def test_a_planted_leak_is_found(leak: haymaker.Haymaker) -> None:
    with pytest.raises(AssertionError, match="can tell what they may not know"):
        _look_for_leaks(leak)


def test_a_leak_planted_in_an_event_is_found() -> None:
    with pytest.raises(AssertionError, match="can tell what they may not know"):
        _look_for_leaks(haymaker.Haymaker(), telling)


def test_without_a_leak_none_is_found() -> None:
    _look_for_leaks(haymaker.Haymaker())


def _look_for_leaks(game: haymaker.Haymaker, seen: engine.Seen = seen_by) -> None:
    rng = random.Random(1)
    for _ in range(10):
        log = played(rng)
        for moves in range(len(log.states)):
            engine.secrets_are_kept(replace(CASE, game=game), log, moves, rng, seen=seen)


class Sleeveful(haymaker.Haymaker):
    """Puts a card up a sleeve now and then."""

    def evolve(self, state: haymaker.State, event: haymaker.Fact) -> haymaker.State:
        after = super().evolve(state, event)
        return replace(after, draw=after.draw[1:]) if isinstance(event, haymaker.HitTaken) else after


class Lenient(haymaker.Haymaker):
    """Takes a pass whenever one is tried at all."""

    def decide(
        self, state: haymaker.State, actor: Seat | None, action: haymaker.Action | TimeUp | Resign, chance: Chance
    ) -> Facts[haymaker.Fact, haymaker.State]:
        if isinstance(action, haymaker.Pass) and state.ended is None:
            state = replace(state, may_pass=True, phase=haymaker.Phase.ATTACK)
            actor = state.attacker
        return super().decide(state, actor, action, chance)


class Absentminded(haymaker.Haymaker):
    """Hands on a state in which a hit is forgotten again: the next turn offers no pass, but the log does."""

    def decide(
        self, state: haymaker.State, actor: Seat | None, action: haymaker.Action | TimeUp | Resign, chance: Chance
    ) -> Facts[haymaker.Fact, haymaker.State]:
        facts = super().decide(state, actor, action, chance)
        return Facts(facts, replace(facts.state, may_pass=False)) if isinstance(action, haymaker.TakeHit) else facts


class Secretive(haymaker.Haymaker):
    """Deals so that the state holds what no fact says."""

    def deal(self, state: haymaker.State, chance: Chance) -> Facts[haymaker.Fact, haymaker.State]:
        facts = super().deal(state, chance)
        return Facts(facts, replace(facts.state, burned=facts.state.burned[1:]))


@pytest.mark.parametrize("planted", [Absentminded(), Secretive()], ids=lambda game: type(game).__name__)
def test_a_state_that_the_log_does_not_make_is_found(planted: haymaker.Haymaker) -> None:
    rng = random.Random(5)
    log = played(rng)
    engine.states_follow_from_the_log(log, codec("haymaker"))
    with pytest.raises(AssertionError, match="makes another state"):
        engine.states_follow_from_the_log(replace(log, deal=replace(log.deal, game=planted)), codec("haymaker"))


def test_a_card_up_a_sleeve_is_found() -> None:
    rng = random.Random(2)
    log = played(rng, Sleeveful())
    with pytest.raises(AssertionError):
        engine.cards_are_conserved(CASE, log)


def test_rules_more_lenient_than_the_offers_are_found() -> None:
    rng = random.Random(3)
    log = played(rng)
    lenient = replace(log, deal=replace(log.deal, game=Lenient()))
    with pytest.raises(AssertionError, match="accepted, though said to be"):
        engine.offers_are_accepted(CASE, lenient, rng)
    with pytest.raises(AssertionError, match="accepted, though never offered"):
        engine.thin_air_is_refused(CASE, lenient, rng)
