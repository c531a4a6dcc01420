"""The laws that the rules of every game keep. Each raises AssertionError for a match that breaks it.

`laws.suite` holds a game to them at each of its settings and numbers of seats.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields, is_dataclass, replace
from functools import partial
from typing import Any, TypeAlias

import pytest

from bot.store.codec import Codec
from cogs.screens.hands.picking import picks_by_cards
from engines import game as engine
from engines.chance import Chance
from laws.case import GameCase, Viewer
from laws.knowledge import exchanged
from laws.play import Clock, Deal, MatchLog, random_picks, with_item

LONGEST_VERB = 12
LONGEST_NOTATION = 400
MOST_STATES = 100
"""How many states of a match are looked at by the laws that try many acts in each, if nobody says less."""

Seen: TypeAlias = Callable[[engine.Event, Viewer], engine.Event | None]


# ---------------------------------------------------------------------------------------------- legal


@dataclass(frozen=True, slots=True)
class _Spot:
    """A seat at a point of a match."""

    game: engine.AnyGame
    state: Any
    seq: int
    seat: engine.Seat | None
    chance: Callable[[int], Chance]

    def refusal(self, action: Any) -> engine.Refusal | None:
        """Why the rules refuse the act here, or None."""
        try:
            events = self.game.decide(self.state, self.seat, action, self.chance(self.seq + 1))
        except engine.IllegalAction as illegal:
            return illegal.refusal
        assert events, "an act was accepted and nothing happened"
        return None

    def accepts(self, action: Any) -> None:
        """The act is accepted here."""
        assert self.refusal(action) is None, f"refused, though offered: {action}"

    def refuses(self, action: Any, told: engine.Refusal) -> None:
        """The act is refused here with the refusal that was given before."""
        refusal = self.refusal(action)
        assert refusal is not None, f"accepted, though said to be {told.key}: {action}"
        assert (refusal.ruling, refusal.key) == (told.ruling, told.key), f"told {told}, then {refusal}"
        assert dict(refusal.values) == dict(told.values)


def offers_are_accepted(case: GameCase, log: MatchLog, rng: random.Random, most: int = MOST_STATES) -> None:
    """What `choices` offers is accepted; what an offer calls unfinished, not addable or closed is refused alike."""
    chance = log.deal.chances()
    for seq, state in _some(log, rng, most):
        window = log.deal.game.window(state)
        for seat in range(log.deal.seats):
            choices = log.deal.game.choices(state, seat)
            if window is None:
                assert choices == engine.Choices(), "acts are offered or refused though the match is over"
            elif seat not in window.may_act:
                assert not choices.offers, "something is offered to a seat that may not act"
            spot = _Spot(log.deal.game, state, seq, seat, chance)
            verbs = [offer.verb for offer in choices] + [shut.verb for shut in choices.closed]
            assert len(set(verbs)) == len(verbs)
            assert all(1 <= len(verb) <= LONGEST_VERB and verb.isascii() and verb.isalnum() for verb in verbs)
            for offer in choices:
                if isinstance(offer, engine.Pick):
                    _walk(spot, offer, rng)
                else:
                    spot.accepts(offer.action)
            for shut in choices.closed:
                spot.refuses(_shut_act(case, shut), shut.refusal)


def _some(log: MatchLog, rng: random.Random, most: int) -> list[tuple[int, Any]]:
    """The states of a match by their number; of a long one a random sample."""
    count = len(log.states)
    return [(seq, log.states[seq]) for seq in sorted(rng.sample(range(count), min(most, count)))]


def _shut_act(case: GameCase, shut: engine.Closed) -> Any:
    """The act that a closed verb stands for: its own where it may be tried, else as the case says."""
    if shut.act is None:
        if shut.verb not in case.closed:
            raise case.error(f"add to `closed=` the act that the closed verb {shut.verb!r} stands for")
        return case.closed[shut.verb]
    assert shut.act.verb == shut.verb
    return shut.act.action


def _walk(spot: _Spot, pick: engine.Pick[Any], rng: random.Random) -> None:
    picked: tuple[int, ...] = ()
    for _ in range(pick.items + 1):
        step = pick.step(picked)
        assert len(step.addable) == pick.items
        if step.unfinished is None:
            spot.accepts(pick.action(picked))
        else:
            spot.refuses(pick.action(picked), step.unfinished)
        for item, refusal in enumerate(step.addable):
            assert refusal is not None or item not in picked
            if refusal is not None:
                spot.refuses(pick.action((*picked, item)), refusal)
        addable = [item for item, refusal in enumerate(step.addable) if refusal is None]
        if not addable:
            return
        picked = with_item(pick, picked, rng.choice(addable))
    raise AssertionError("every item is picked and more can be")


def thin_air_is_refused(case: GameCase, log: MatchLog, rng: random.Random, most: int = MOST_STATES) -> None:
    """Whatever is not offered is refused: other seats' acts, acts at the wrong time, acts with cards not held."""
    chance = log.deal.chances()
    seats = (None, -1, *range(log.deal.seats), log.deal.seats)
    for seq, state in _some(log, rng, most):
        before = repr(state)
        offered = _Offered(log.deal, state)
        spots = [_Spot(log.deal.game, state, seq, seat, chance) for seat in seats]
        tries = [move.action for move in rng.sample(log.moves, min(3, len(log.moves)))]
        tries += case.tries(rng)
        for action in tries:
            for spot in spots:
                if not offered.includes(spot.seat, action):
                    refused = spot.refusal(action) is not None
                    assert refused, f"accepted, though never offered: {action} by {spot.seat}"
        assert repr(state) == before, "a refused act left a trace"


class _Offered:
    """What may be done at a point of a match. The game is asked once for each seat, however many acts are tried."""

    def __init__(self, deal: Deal, state: Any) -> None:
        self._window = deal.game.window(state)
        self._choices = [deal.game.choices(state, seat) for seat in range(deal.seats)]

    def includes(self, seat: engine.Seat | None, action: Any) -> bool:
        """Whether a seat, or the clock (None), may make the act."""
        if self._window is None:
            return False
        if isinstance(action, engine.TimeUp):
            running = [(timer.name, timer.key) for timer in self._window.timers]
            return seat is None and not action.seats and (action.timer, action.key) in running
        if seat is None or not 0 <= seat < len(self._choices):
            return False
        return isinstance(action, engine.Resign) or any(_stands_for(offer, action) for offer in self._choices[seat])


def _stands_for(offer: engine.Act[Any] | engine.Pick[Any], action: Any) -> bool:
    if isinstance(offer, engine.Act):
        return bool(offer.action == action)
    picked = picks_by_cards(offer, action)
    return picked is not None and offer.step(picked).unfinished is None


def unknown_items_are_no_picks(log: MatchLog) -> None:
    """A pick asked for an item it has not, or for one twice, says so by IndexError."""
    for state in log.states:
        for seat in range(log.deal.seats):
            for offer in log.deal.game.choices(state, seat):
                if isinstance(offer, engine.Pick):
                    for picked in ((offer.items,), (-1,)):
                        with pytest.raises(IndexError):
                            offer.step(picked)
                        with pytest.raises(IndexError):
                            offer.action(picked)
                    if offer.items:
                        with pytest.raises(IndexError):
                            offer.step((0, 0))


# ---------------------------------------------------------------------------------------------- windows and the end


def windows_are_sound(log: MatchLog) -> None:
    """A window has somebody or a timer to answer it; its number never falls; who is awaited can answer.

    A game without a clock for turns has no timer that would need one.
    """
    game = log.deal.game
    number = 0
    for state in log.states:
        window = game.window(state)
        if window is None:
            continue
        assert window.number >= max(1, number)
        number = window.number
        assert window.awaited <= window.may_act <= frozenset(range(log.deal.seats))
        assert window.timers, "the clock alone could not end this"
        assert len({timer.name for timer in window.timers}) == len(window.timers)
        assert game.info.turn_clock or all(isinstance(timer.length, engine.Seconds) for timer in window.timers)
        assert all(game.choices(state, seat).offers for seat in window.awaited)


def how_it_ends(log: MatchLog) -> str:
    """The kind of the outcome. There is no window if and only if there is an outcome, a standing of all seats."""
    game = log.deal.game
    for state in log.states:
        assert (game.window(state) is None) == (game.outcome(state) is not None)
    outcome = game.outcome(log.states[-1])
    assert isinstance(outcome, engine.Outcome)
    assert len(log.moves) <= game.info.longest
    assert len(outcome.ranks) == log.deal.seats
    assert min(outcome.ranks) == 1
    assert outcome.void or outcome.winners
    chance = log.deal.chances()
    for seat in (None, *range(log.deal.seats)):
        for action in (engine.Resign(), engine.TimeUp("turn", "1")):
            assert _Spot(game, log.states[-1], len(log.moves), seat, chance).refusal(action) is not None
    return outcome.kind


def the_clock_alone_ends_it(log: MatchLog, at: int) -> None:
    """From the state after this number of moves, nothing but time running out leads to the end."""
    game = log.deal.game
    state, clock, chance = log.states[at], Clock(), log.deal.chances()
    for seq in range(at + 1, at + 1 + game.info.longest):
        window = game.window(state)
        if window is None:
            return
        clock.look(window)
        state = engine.fold(game, state, game.decide(state, None, clock.ring(), chance(seq)))
    raise AssertionError("the clock alone does not end it")


def time_takes_those_whose_it_is(log: MatchLog, at: int) -> None:
    """After this number of moves, a game that takes the time of some (`GameInfo.seat_time`) does nothing to the others
    who are awaited: they are still in or, if that ended the match, not behind the one whose time was up. It refuses the
    time of seats that are not awaited."""
    game, state, chance = log.deal.game, log.states[at], log.deal.chances()
    window = game.window(state)
    if not game.info.seat_time or window is None or not window.awaited:
        return
    name, key = window.timers[0].name, window.timers[0].key
    for late in sorted(window.awaited):
        after = engine.fold(game, state, game.decide(state, None, engine.TimeUp(name, key, (late,)), chance(at + 1)))
        outcome, others = game.outcome(after), window.awaited - {late}
        if outcome is not None:
            assert all(outcome.ranks[other] <= outcome.ranks[late] for other in others), "the wrong one lost by time"
        else:
            assert all(engine.can_resign(game, after, partial(chance, at + 2), other) for other in others), (
                "the wrong one left by time"
            )
    absent = tuple(set(range(log.deal.seats + 1)) - window.awaited)
    for seats in (absent[:1], (min(window.awaited), *absent[:1]), (min(window.awaited),) * 2):
        with pytest.raises(engine.IllegalAction):
            game.decide(state, None, engine.TimeUp(name, key, seats), chance(at + 1))


# ---------------------------------------------------------------------------------------------- cards, replay, notation


def cards_are_conserved(case: GameCase, log: MatchLog) -> None:
    """After every act each card of the pack is in exactly one place (C-3)."""
    pack = log.deal.game.pack(log.deal.options, log.deal.seats).cards
    lying = _Lying(type(pack[0]), case.recall_fields)
    whole = sorted(lying.numbers(pack))
    for state in log.states:
        found = sorted(lying.numbers(state))
        assert found == whole, f"twice {lying.more(found, whole)}, missing {lying.more(whole, found)}"


class _Lying:
    """Finds the cards that lie somewhere in a value, as numbers: equal cards have the same one.

    The states of a match have most of their parts in common. What lies in a tuple is found once.
    """

    def __init__(self, card: type, recall_fields: frozenset[str]) -> None:
        self._card = card
        self._recall_fields = recall_fields
        self._numbers: dict[Any, int] = {}
        self._names: dict[type, tuple[str, ...]] = {}
        self._tuples: dict[int, tuple[Any, list[int]]] = {}  # the tuple is kept, so that its id stays its

    def numbers(self, value: Any) -> list[int]:
        """The number of each card in a value, as often as it lies there."""
        found: list[int] = []
        self._find(value, found)
        return found

    def more(self, these: list[int], those: list[int]) -> list[Any]:
        """The cards that are more often among these than among those."""
        cards = list(self._numbers)
        return [cards[number] for number in (Counter(these) - Counter(those)).elements()]

    def _find(self, value: Any, found: list[int]) -> None:
        if isinstance(value, self._card):
            found.append(self._numbers.setdefault(value, len(self._numbers)))
        elif isinstance(value, tuple):
            found += self._in_tuple(value)
        elif isinstance(value, list | set | frozenset):
            for item in value:
                self._find(item, found)
        elif names := self._names_of(type(value)):
            for name in names:
                self._find(getattr(value, name), found)

    def _in_tuple(self, value: tuple[Any, ...]) -> list[int]:
        kept = self._tuples.get(id(value))
        if kept is None:
            found: list[int] = []
            for item in value:
                self._find(item, found)
            kept = self._tuples[id(value)] = value, found
        return kept[1]

    def _names_of(self, cls: type) -> tuple[str, ...]:
        """The fields of a class in which cards may lie; none for a class without fields."""
        if cls not in self._names:
            all_names = [field.name for field in fields(cls)] if is_dataclass(cls) else []
            self._names[cls] = tuple(name for name in all_names if name not in self._recall_fields)
        return self._names[cls]


def it_replays(log: MatchLog) -> None:
    """The facts alone give every state again, and the acts alone give every fact again (C-1)."""
    deal, game = log.deal, log.deal.game
    chance = deal.chances()
    state, opening = deal.open()
    assert opening == log.opening
    for seq, move in enumerate(log.moves, start=1):
        assert state == log.states[seq - 1]
        assert tuple(game.decide(state, move.actor, move.action, chance(seq))) == move.events
        state = engine.fold(game, state, move.events)
    assert state == log.states[-1]
    assert engine.fold(game, game.start(deal.options, deal.seats), log.events()) == state


def happened(
    deal: Deal, acts: Sequence[tuple[engine.Seat | None, Any]], chance: Callable[[int], Chance]
) -> list[engine.Event]:
    """Everything that happens in a match with this chance."""
    facts = deal.game.deal(deal.game.start(deal.options, deal.seats), chance(0))
    happened = list(facts)
    for seq, (actor, action) in enumerate(acts, start=1):
        facts = deal.game.decide(facts.state, actor, action, chance(seq))
        happened += facts
    return happened


def states_follow_from_the_log(log: MatchLog, codec: Codec) -> None:
    """The state that an act hands on is what its facts make of the one before, once saved and read back.

    The application continues from the one, and from the other after a restart.
    """
    deal, game = log.deal, log.deal.game
    chance = deal.chances()
    made = game.deal(game.start(deal.options, deal.seats), chance(0))
    state = game.start(deal.options, deal.seats)
    for seq, move in enumerate(log.moves, start=1):
        state = _read_back(game, state, made, codec)
        made = game.decide(state, move.actor, move.action, chance(seq))
    _read_back(game, state, made, codec)


def _read_back(game: engine.AnyGame, state: Any, made: engine.Facts[Any, Any], codec: Codec) -> Any:
    state = engine.fold(game, state, codec.decode_all(codec.encode_all(made)))
    assert made.state == state, "the log makes another state than the one that was handed on"
    return state


def notation_round_trips(log: MatchLog) -> None:
    """Every act is one short line of ASCII and is read back as itself."""
    game = log.deal.game
    for action in (*(move.action for move in log.moves), engine.Resign(), engine.TimeUp("turn", "1")):
        text = game.write(action)
        assert text.isascii()
        assert text.isprintable()
        assert text == text.strip()
        assert 0 < len(text) <= LONGEST_NOTATION
        assert game.read(text) == action


def only_declared_classes(log: MatchLog) -> None:
    """A log has only events and acts that the game has declared."""
    info = log.deal.game.info
    assert all(type(event) in info.events for event in log.events())
    assert all(type(move.action) in (*info.actions, engine.TimeUp, engine.Resign) for move in log.moves)


# ---------------------------------------------------------------------------------------------- secrecy


def secrets_are_kept(
    case: GameCase, log: MatchLog, moves: int, rng: random.Random, *, seen: Seen = engine.seen_by
) -> None:
    """After this number of moves, nobody can tell the match from one in which the cards they never saw are others.

    Where the case has another game than the match, or `seen` is another, a leak can be planted.
    """
    game = case.game
    events = log.events(moves)
    pack = game.pack(log.deal.options, log.deal.seats).cards
    start = game.start(log.deal.options, log.deal.seats)
    chance = replace(log.deal, game=game).chances()
    tries = case.tries(random.Random(0))
    state = engine.fold(game, start, events)
    for viewer in (None, *range(log.deal.seats)):
        others = exchanged(case, pack, events, viewer, rng)
        spots = (_Spot(game, at, 0, viewer, chance) for at in (state, engine.fold(game, start, others)))
        mine, theirs = (_view(spot, tries) for spot in spots)
        mine += [seen(event, viewer) for event in events]
        theirs += [seen(event, viewer) for event in others]
        assert _alike(mine, theirs), f"viewer {viewer} can tell what they may not know"


def _view(spot: _Spot, tries: list[Any]) -> list[Any]:
    """All that a viewer can know of a state, None being everybody."""
    game, state, viewer = spot.game, spot.state, spot.seat
    told: list[Any] = [game.observe_public(state), game.outcome(state), _shown(game.window(state))]
    if viewer is not None:
        choices = game.choices(state, viewer)
        told += [spot.refusal(action) for action in tries]
        told += [game.observe(state, viewer), choices]
        told += [_steps(offer) for offer in choices if isinstance(offer, engine.Pick)]
    return told


def _alike(mine: list[Any], theirs: list[Any]) -> bool:
    """Whether two views are the same. They are also compared as text, which shows leaks in an order or a class."""
    return len(mine) == len(theirs) and all(
        one is other or (one == other and repr(one) == repr(other)) for one, other in zip(mine, theirs, strict=True)
    )


def _shown(window: engine.Window | None) -> engine.Window | None:
    """A window without the timers that are not shown."""
    return window and replace(window, timers=tuple(timer for timer in window.timers if timer.shown))


def _steps(pick: engine.Pick[Any]) -> list[Any]:
    """The first steps of a pick, and those of a walk that is the same every time."""
    picked = random_picks(pick, random.Random(0))
    firsts = [pick.step((item,)) for item in range(pick.items)]
    return [pick.step(()), *firsts, *([] if picked is None else [pick.step(picked)])]
