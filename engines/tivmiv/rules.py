"""The rules of Tiv-Miv, ruling by ruling (docs/rulings/tivmiv.md)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from typing import Final, assert_never, get_args

from engines import game
from engines.chance import Chance
from engines.guards import check, check_on, check_time_up, seated
from engines.notation import read_common, write_common
from engines.options import NONE
from engines.places import places
from engines.run import Run
from engines.tivmiv import facts
from engines.tivmiv.facts import LEAST_STALL, MOST_IDLE, MOST_PHASES, Action, Card, Cards, Fact, Options, face_name
from engines.tivmiv.fold import evolved
from engines.tivmiv.table import FACES, PACK, Own, Public, Stage, State, takes

COUNTDOWN: Final = 5
"""Seconds before GO (T-3)."""
IDLE_DRAW: Final = 10
"""Seconds without a draw after which the bot draws, if nobody can play (T-7a)."""
NEXT_DRAW: Final = 2
"""Seconds after which the bot draws again, as long as no player has drawn since (T-7a)."""
ABSENCES: Final = 2
"""Phases in a row without an act after which a seat is out (T-11)."""
MOST_SEATS: Final = 6

_DEALT: Final = len(PACK.cards) - 1
# The bottom card comes to the top at most so often without an act (T-7b): then the phase ends by time (T-11).
_TURNINGS: Final = MOST_IDLE // (LEAST_STALL + COUNTDOWN)
# A phase has at most one draw and one placing per card; a countdown at its beginning and after each placing and each
# leaving; after GO and each placing, once all decks are drawn out, those turnings with a countdown each; the end by
# time; and one ready per seat or the time for it.
_LONGEST_PHASE: Final = 2 * _DEALT + (1 + _DEALT + MOST_SEATS) + (1 + _DEALT) * 2 * _TURNINGS + 1 + (MOST_SEATS + 1)

_FACES: Final = {f"f{value}x{index}": (value, index) for value, index in FACES}
_PLACE: Final[Mapping[tuple[int, int], game.Act[Action]]] = {
    face: game.Act(verb, facts.Place(*face)) for verb, face in _FACES.items()
}
_DRAW: Final[game.Act[Action]] = game.Act("draw", facts.Draw(), lasting=True)
_HANDFUL: Final[game.Act[Action]] = game.Act("handful", facts.DrawHandful(), lasting=True)
_DINNER: Final[game.Act[Action]] = game.Act("dinner", facts.Dinner())
_READY: Final[game.Act[Action]] = game.Act("ready", facts.Ready(), lasting=True)

_BEFORE: Final = frozenset({Stage.DEALT, Stage.SCORED})
"""The stages in which a phase waits for all to be ready."""

_NOT_YET: Final = game.Refusal("T-3", "tivmiv.refusal.before_go")
_PHASE_OVER: Final = game.Refusal("T-10", "tivmiv.refusal.phase_over")
_NO_DECK: Final = game.Refusal("T-6", "tivmiv.refusal.deck_empty")
_READY_ALREADY: Final = game.Refusal("T-10", "tivmiv.refusal.ready_already")


def verb_of(value: int, index: int) -> str:
    """The verb of placing a face. Raises KeyError for an unknown face."""
    return _PLACE[value, index].verb


def face_of(verb: str) -> tuple[int, int] | None:
    """The face that a verb places, or None for another verb."""
    return _FACES.get(verb)


class TivMiv(game.Game[State, Action, Fact, Options, Public, Own]):
    """The rules of Tiv-Miv."""

    info = game.GameInfo(
        key="tivmiv",
        title="Tiv-Miv",
        seats=range(2, MOST_SEATS + 1),
        rules_version=2,
        options=Options,
        presets={"default": Options(), "short": Options(phases=2)},
        recommended=dict.fromkeys(range(2, MOST_SEATS + 1), "short"),
        actions=get_args(Action),
        events=get_args(Fact),
        longest=MOST_PHASES * _LONGEST_PHASE + MOST_SEATS,
        turn_clock=False,
        preparations=(facts.Ready,),  # T-16
        unhurried={"ready_seconds": 600},  # as long as a newcomer's clock waits while they read (C-13)
    )

    def pack(self, options: Options, seats: int) -> game.Pack:  # noqa: ARG002  one pack for all options
        return PACK

    def start(self, options: Options, seats: int) -> State:
        if seats not in self.info.seats:
            raise ValueError("Tiv-Miv is a game for two to six")
        nothing: tuple[Cards, ...] = ((),) * seats
        none = (0,) * seats
        return State(
            options, 0, Stage.SCORED, (), nothing, nothing, left=none, absences=none, dealt=none, faces=((),) * seats
        )

    def deal(self, state: State, chance: Chance) -> game.Facts[Fact, State]:
        """Deal the first phase, and wait for all to be ready (T-10)."""
        run = _Run(evolved, state, chance)
        run.deal_phase()
        run.add(facts.ReadyAsked())
        return run.facts

    # ------------------------------------------------------------------------------------ acts

    def decide(
        self, state: State, actor: game.Seat | None, action: Action | game.TimeUp | game.Resign, chance: Chance
    ) -> game.Facts[Fact, State]:
        check_on(state.ended)
        run = _Run(evolved, state, chance)
        if isinstance(action, game.TimeUp):
            check_time_up(actor, action, _timers(state))
            _time_up(run, action)
            return run.facts
        seat = seated(actor, len(state.left))
        if state.left[seat]:
            raise game.IllegalAction("C-4", "tivmiv.refusal.out")
        match action:
            case game.Resign():
                _resign(run, seat)
            case facts.Draw():
                _draw(run, seat, 1)
            case facts.DrawHandful():
                _draw(run, seat, facts.HANDFUL)
            case facts.Place():
                _place(run, seat, action)
            case facts.Dinner():
                _dinner(run, seat)
            case facts.Ready():
                _ready(run, seat)
            case _:
                assert_never(action)
        return run.facts

    def evolve(self, state: State, event: Fact) -> State:
        return evolved(state, event)

    # ------------------------------------------------------------------------------------ questions

    def window(self, state: State) -> game.Window | None:
        if state.ended is not None:
            return None
        may_act: frozenset[game.Seat] = frozenset()
        awaited = may_act
        if state.stage is Stage.RACE:
            may_act = frozenset(state.playing)
        elif state.stage in _BEFORE:
            may_act = awaited = frozenset(state.playing) - state.ready
        return game.Window(state.phase, may_act, awaited, _timers(state))

    def choices(self, state: State, seat: game.Seat) -> game.Choices[Action]:
        if state.ended is not None or state.left[seat]:
            return game.Choices()
        refusal = _race_refusal(state)
        if refusal is not None:
            acts = (_DRAW, _HANDFUL, *(_PLACE[face] for face in _faces(state.hands[seat])))
            closed = tuple([game.Closed(act.verb, refusal, act) for act in acts])
            if state.stage is Stage.COUNTDOWN:
                return game.Choices((), closed)
            if seat in state.ready:
                return game.Choices((), (game.Closed("ready", _READY_ALREADY, _READY), *closed))
            return game.Choices((_READY,), closed)
        return _race_choices(state, seat)

    def observe_public(self, state: State) -> Public:
        return Public(
            phase=state.phase,
            phases=state.options.phases,
            stage=state.stage,
            top=state.top,
            takes=takes(state.top.value, state.top.index),
            below=len(state.pile) - 1,
            decks=tuple([len(deck) for deck in state.decks]),
            hands=tuple([len(hand) for hand in state.hands]),
            scores=state.scores,
            totals=state.totals(),
            ready=state.ready,
            out=frozenset([seat for seat, left in enumerate(state.left) if left]),
            may_stall=state.may_stall,
        )

    def observe(self, state: State, seat: game.Seat) -> game.Private[Public, Own]:
        return game.Private(
            seat, self.observe_public(state), Own(state.hands[seat], state.faces[seat], state.dealt[seat])
        )

    def outcome(self, state: State) -> game.Outcome | None:
        if state.ended is None:
            return None
        return game.Outcome(state.ended.kind, state.ended.ranks, void=state.ended.kind == "called_off")

    def write(self, action: Action | game.TimeUp | game.Resign) -> str:
        match action:
            case facts.Draw():
                return "draw"
            case facts.DrawHandful():
                return "draw handful"
            case facts.Place(value, index):
                return f"place {value}-{index}"
            case facts.Dinner():
                return "dinner"
            case facts.Ready():
                return "ready"
            case _:
                return write_common(action)

    def read(self, text: str) -> Action | game.TimeUp | game.Resign:
        match text.split(" "):
            case ["draw"]:
                return facts.Draw()
            case ["draw", "handful"]:
                return facts.DrawHandful()
            case ["place", face]:
                value, _, index = face.partition("-")
                return facts.Place(int(value), int(index))
            case ["dinner"]:
                return facts.Dinner()
            case ["ready"]:
                return facts.Ready()
            case _:
                return read_common(text)


class _Run(Run[Fact, State]):
    """An act of Tiv-Miv being worked out."""

    def deal_phase(self) -> None:
        """Shuffle and deal to the seats that play, as equally as it goes."""
        phase = self.state.phase + 1
        seats = self.state.playing
        centre, *rest = self.chance.deck(PACK.cards, deal=phase)
        dealt = len(rest) - len(rest) % len(seats)
        self.add(facts.PhaseBegun(phase), facts.CentreTurned(centre))
        for index, seat in enumerate(seats):
            self.add(facts.DeckDealt(seat, tuple(rest[index : dealt : len(seats)])))
        if rest[dealt:]:  # T-2
            self.add(facts.LeftOver(tuple(rest[dealt:])))

    def begin_phase(self) -> None:
        """Count down to the phase that was waited for; only the first is dealt by then (T-10)."""
        if self.state.stage is not Stage.DEALT:
            self.deal_phase()
        self.add(facts.CountdownBegun())

    def begin_phase_if_ready(self) -> None:
        """The phase that is waited for, once all who play are ready (T-10)."""
        if self.state.ready.issuperset(self.state.playing):
            self.begin_phase()

    def turn_bottom(self) -> None:
        """The bottom card of the pile comes to its top, then there is a countdown (T-7b); perhaps a dead end first."""
        self.add(facts.BottomTurned(self.state.pile[0]))
        if self.state.someone_can_play:
            self.add(facts.CountdownBegun())
        else:
            self.go_on()

    def go_on(self) -> None:
        """If there is a dead end, find the way out of it or end the phase (T-7)."""
        state = self.state
        if state.someone_can_play or _with_deck(state):
            return
        for index, card in enumerate(state.pile[:-1]):
            if state.plays_on(takes(card.value, card.index)):
                self.add(facts.Recycled(state.pile[: index + 1]), facts.CountdownBegun())
                return
        self.end_phase("dead_end", None)

    def end_phase(self, how: str, winner: game.Seat | None) -> None:
        """Score the phase (T-9). Then the match ends, or absent seats leave (T-11)."""
        state = self.state
        points: tuple[int | None, ...] = ()
        if state.acted:  # T-14
            points = tuple([None if left else _worth(state.left_over(seat)) for seat, left in enumerate(state.left)])
        self.add(facts.PhaseEnded(state.phase, how, winner, points))
        absent = tuple([seat for seat in state.playing if self.state.absences[seat] >= ABSENCES])
        if state.phase == state.options.phases:
            self._end_by_points("points")
        elif absent == state.playing:
            self._end_by_points("abandoned")
        elif absent:
            self.put_out(absent, "time")

    def put_out(self, seats: tuple[game.Seat, ...], kind: str) -> None:
        """Remove these seats together and shuffle their cards under the pile (T-13). The last seat left wins."""
        self.add(facts.SeatsOut(seats, kind))
        for seat in seats:
            self.add(facts.Buried(seat, self.chance.use(f"bury{seat}").shuffled(self.state.left_over(seat))))
        if len(self.state.playing) == 1:
            self.add(facts.Ended(kind, _ranks(self.state)))

    def _end_by_points(self, kind: str) -> None:
        """The lowest total wins, equal ones share; without a scored phase the match is called off (T-9, T-11)."""
        ranks = _ranks(self.state)
        if not any(self.state.scores):
            kind, ranks = "called_off", (1,) * len(ranks)
        elif kind == "points" and ranks.count(1) > 1:
            kind = "shared"
        self.add(facts.Ended(kind, ranks))


def _draw(run: _Run, seat: game.Seat, most: int) -> None:
    state = run.state
    check(_race_refusal(state))
    if not state.decks[seat]:
        raise game.IllegalAction.of(_NO_DECK)
    cards = state.decks[seat][:most]
    run.add(*[facts.CardDrawn(seat, card, by_house=False) for card in cards]).go_on()


def _place(run: _Run, seat: game.Seat, action: facts.Place) -> None:
    state = run.state
    check(_race_refusal(state))
    card = _held(state.hands[seat], action.value, action.index)
    if card is None:
        raise game.IllegalAction("C-3", "refusal.card_not_held", card=face_name(action.value, action.index))
    if len(state.left_over(seat)) == 1:  # T-15
        run.add(facts.CardPlaced(seat, card)).end_phase("dinner", seat)
        return
    if card.value not in takes(state.top.value, state.top.index):
        raise game.IllegalAction.of(_does_not_fit(card.value, card.index, state.top.value, state.top.index))
    run.add(facts.CardPlaced(seat, card)).go_on()


def _dinner(run: _Run, seat: game.Seat) -> None:
    state = run.state
    check(_race_refusal(state))
    left = state.left_over(seat)
    if len(left) != 1:
        raise game.IllegalAction("T-8", "tivmiv.refusal.not_the_last_card", left=len(left))
    if state.decks[seat]:
        raise game.IllegalAction("T-8", "tivmiv.refusal.draw_it_first")
    run.add(facts.CardPlaced(seat, left[0])).end_phase("dinner", seat)


def _ready(run: _Run, seat: game.Seat) -> None:
    if run.state.stage not in _BEFORE:
        raise game.IllegalAction("T-10", "tivmiv.refusal.not_between_phases")
    if seat in run.state.ready:
        raise game.IllegalAction.of(_READY_ALREADY)
    run.add(facts.MadeReady(seat)).begin_phase_if_ready()


def _resign(run: _Run, seat: game.Seat) -> None:
    """C-4, T-13: the seat's cards go under the pile at once, which may make a dead end."""
    run.put_out((seat,), "resignation")
    if run.state.ended is not None:
        return
    if run.state.stage in _BEFORE:
        run.begin_phase_if_ready()
    else:
        run.go_on()


def _time_up(run: _Run, action: game.TimeUp) -> None:
    state = run.state
    match action.timer:
        case "go":
            run.add(facts.Go())
        case "draw":  # T-7a
            drawn = [facts.CardDrawn(seat, state.decks[seat][0], by_house=True) for seat in _with_deck(state)]
            run.add(facts.HouseDraws(), *drawn).go_on()
        case "stall":
            run.turn_bottom()
        case "idle":
            run.end_phase("idle", None)
        case _:
            run.begin_phase()


def _race_choices(state: State, seat: game.Seat) -> game.Choices[Action]:
    """What a seat may do in the race; each face it holds is open or closed."""
    hand, deck = state.hands[seat], state.decks[seat]
    offers: list[game.Act[Action]] = []
    closed: list[game.Closed] = []
    if deck:
        offers += [_DRAW, _HANDFUL]
    else:
        closed += [game.Closed(act.verb, _NO_DECK, act) for act in (_DRAW, _HANDFUL)]
    last = len(hand) == 1 and not deck
    if last:
        offers.append(_DINNER)
    top = (state.top.value, state.top.index)
    taken = takes(*top)
    for face in _faces(hand):
        act = _PLACE[face]
        if last or face[0] in taken:
            offers.append(act)
        else:
            closed.append(game.Closed(act.verb, _does_not_fit(*face, *top), act))
    return game.Choices(tuple(offers), tuple(closed))


def _timers(state: State) -> tuple[game.Timer, ...]:
    """The clocks that run: to GO, to the end by time, to an automatic draw or turning, to the next phase."""
    phase = str(state.phase)
    if state.stage in _BEFORE:
        played = phase if state.stage is Stage.SCORED else str(state.phase - 1)
        return (game.Timer("ready", played, game.Seconds(state.options.ready_seconds)),)
    idle = game.Timer("idle", f"{phase}.{state.acts}", game.Seconds(state.options.idle_seconds))
    if state.stage is Stage.COUNTDOWN:
        go = game.Timer("go", f"{phase}.{state.countdowns}", game.Seconds(COUNTDOWN))
        return (go,) if state.countdowns == 1 else (go, idle)
    if _with_deck(state):
        if state.someone_can_play:
            return (idle,)
        seconds = NEXT_DRAW if state.house_drew else IDLE_DRAW
        return idle, game.Timer("draw", f"{phase}.{state.moves}", game.Seconds(seconds), shown=False)
    stall = state.options.stall_seconds
    if stall == NONE or not state.may_stall:
        return (idle,)
    return idle, game.Timer("stall", f"{phase}.{state.moves}.{state.countdowns}", game.Seconds(stall))


def _race_refusal(state: State) -> game.Refusal | None:
    """Why nobody may draw or place now, or None in the race."""
    if state.stage is Stage.RACE:
        return None
    return _PHASE_OVER if state.stage is Stage.SCORED else _NOT_YET


@cache
def _does_not_fit(value: int, index: int, top: int, top_index: int) -> game.Refusal:
    """T-5: a face that cannot be placed, what is on top, and what that takes. Cached: a hand has up to 18 faces."""
    down, up = takes(top, top_index)
    names = {"card": face_name(value, index), "top": face_name(top, top_index)}
    return game.Refusal("T-5", "tivmiv.refusal.does_not_fit", {**names, "down": down, "up": up})


def _faces(hand: Cards) -> list[tuple[int, int]]:
    """The faces of a sorted hand, each once."""
    return list(dict.fromkeys([(card.value, card.index) for card in hand]))


def _held(hand: Cards, value: int, index: int) -> Card | None:
    """The first card of a face in a hand."""
    return next((card for card in hand if (card.value, card.index) == (value, index)), None)


def _with_deck(state: State) -> list[game.Seat]:
    """The seats in play whose deck is not empty."""
    return [seat for seat in state.playing if state.decks[seat]]


def _worth(cards: Iterable[Card]) -> int:
    """The sum of main values (T-9)."""
    return sum([card.value for card in cards])


def _ranks(state: State) -> tuple[int, ...]:
    """Ranks seats in play by their totals, then those that are out, later ones first (C-12)."""
    return places([-total for total in state.totals()], state.left)
