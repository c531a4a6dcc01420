"""The laws, on every registered game, setting and number of seats, over matches played by chance."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.play.match_state import codec
from engines import GAMES, haymaker
from engines.chance import Chance
from engines.game import Choices, Event, Facts, Private, Resign, Seat, TimeUp, seen_by
from laws import engine as laws
from laws import knowledge
from laws.golden import ENDINGS
from laws.play import MatchLog, Odds, deal_of, random_match, tables
from tests.engines import particulars

SEEDS = st.integers(min_value=0, max_value=2**32 - 1)

TABLES = list(tables())
FEWEST = 3


def law(matches: int) -> Callable[[Callable[[MatchLog, random.Random], None]], Callable[[str, str, int], None]]:
    """A law, held over so many matches a game played to the end by chance: some at each of the game's tables."""

    def hold(check: Callable[[MatchLog, random.Random], None]) -> Callable[[str, str, int], None]:
        @pytest.mark.parametrize(("key", "setting", "seats"), TABLES)
        def test(key: str, setting: str, seats: int) -> None:
            share = max(FEWEST, matches // sum(1 for table in TABLES if table[0] == key))

            @settings(max_examples=share, deadline=None)  # a match is as long as it is
            @given(seed=SEEDS)
            def holds(seed: int) -> None:
                rng = random.Random(seed)
                check(played(key, setting, seats, rng), rng)

            holds()

        return test

    return hold


def played(key: str, setting: str, seats: int, rng: random.Random) -> MatchLog:
    """A match to the end; some by the clock or a resignation."""
    deal = deal_of(key, setting, seats, rng)
    return random_match(deal, rng, rng.choice((None, None, Odds(time=0.02, resign=0.02))))


@law(matches=40)
def test_offers_are_accepted(log: MatchLog, rng: random.Random) -> None:
    laws.offers_are_accepted(log, rng)
    laws.unknown_items_are_no_picks(log)


@law(matches=25)
def test_thin_air_is_refused(log: MatchLog, rng: random.Random) -> None:
    laws.thin_air_is_refused(log, rng)


@law(matches=100)
def test_matches_end_and_replay(log: MatchLog, rng: random.Random) -> None:
    laws.windows_are_sound(log)
    laws.it_ends(log)
    laws.cards_are_conserved(log)
    laws.it_replays(log)
    laws.notation_round_trips(log)
    laws.only_declared_classes(log)


@law(matches=40)
def test_the_clock_alone_ends_it(log: MatchLog, rng: random.Random) -> None:
    for at in rng.sample(range(len(log.states)), min(5, len(log.states))):
        laws.the_clock_alone_ends_it(log, at)


@law(matches=60)
def test_secrets_are_kept(log: MatchLog, rng: random.Random) -> None:
    for moves in rng.sample(range(len(log.states)), min(6, len(log.states))):
        laws.secrets_are_kept(log, moves, rng)


@law(matches=25)
def test_logs_round_trip_as_json(log: MatchLog, rng: random.Random) -> None:
    written = codec(log.deal.game.info.key)
    assert written.decode_all(written.encode_all(log.events())) == log.events()
    for move in log.moves:
        assert written.decode(written.encode(move.action)) == move.action
    assert written.decode(written.encode(log.deal.options)) == log.deal.options


@law(matches=25)
def test_states_follow_from_the_log(log: MatchLog, rng: random.Random) -> None:
    laws.states_follow_from_the_log(log, codec(log.deal.game.info.key))


@pytest.mark.parametrize("key", list(GAMES))
def test_a_long_run_of_matches_reaches_every_ending(key: str) -> None:
    rng = random.Random(f"{key} default 2")
    mine = [table for table in TABLES if table[0] == key]
    kinds = set()
    for at in range(particulars.OF[key].long_run):
        log = played(*mine[at % len(mine)], rng)
        laws.it_ends(log)
        outcome = log.deal.game.outcome(log.states[-1])
        assert outcome is not None
        kinds.add(outcome.kind)
    assert set(ENDINGS[key]) - particulars.OF[key].rare <= kinds <= set(ENDINGS[key])


@pytest.mark.parametrize("key", list(GAMES))
def test_the_laws_are_told_of_every_game(key: str) -> None:
    assert key == GAMES[key].info.key
    assert key in knowledge.SEES
    assert key in particulars.OF
    assert GAMES[key].info.presets, "a game without presets would be played by no law"


# ---------------------------------------------------------------------------------------------- the laws can fail


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


def _look_for_leaks(game: haymaker.Haymaker, seen: laws.Seen = seen_by) -> None:
    rng = random.Random(1)
    for _ in range(10):
        log = random_match(deal_of("haymaker", "default", 2, rng), rng)
        for moves in range(len(log.states)):
            laws.secrets_are_kept(log, moves, rng, game=game, seen=seen)


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
    log = random_match(deal_of("haymaker", "default", 2, rng), rng)
    laws.states_follow_from_the_log(log, codec("haymaker"))
    with pytest.raises(AssertionError, match="makes another state"):
        laws.states_follow_from_the_log(replace(log, deal=replace(log.deal, game=planted)), codec("haymaker"))


def test_a_card_up_a_sleeve_is_found() -> None:
    rng = random.Random(2)
    deal = replace(deal_of("haymaker", "default", 2, rng), game=Sleeveful())
    with pytest.raises(AssertionError):
        laws.cards_are_conserved(random_match(deal, rng))


def test_rules_more_lenient_than_the_offers_are_found() -> None:
    rng = random.Random(3)
    log = random_match(deal_of("haymaker", "default", 2, rng), rng)
    lenient = replace(log, deal=replace(log.deal, game=Lenient()))
    with pytest.raises(AssertionError, match="accepted, though said to be"):
        laws.offers_are_accepted(lenient, rng)
    with pytest.raises(AssertionError, match="accepted, though never offered"):
        laws.thin_air_is_refused(lenient, rng)
