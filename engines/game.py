"""What a game is: the protocol between the rules and everything around them.

A game is a *decider* on immutable values. `decide` turns an act into facts (events), `evolve` folds a fact into
the state, and everything else is a question asked of a state. Nothing here reads a clock, awaits, or draws by itself:
time is a player whose acts are `TimeUp`, and chance is passed in (`engines.chance`).

The log of events *is* the match. It survives a change of the rules, and it can be narrated, replayed and redacted by
type: every event says who may know it, and what the others see instead.

Example: one turn of any two-player game, as the application plays it::

    state = game.deal(game.start(options, seats=2), chance).state
    window = game.window(state)                       # who must answer, by when
    offer = game.choices(state, seat).offers[0]       # what that seat may do
    facts = game.decide(state, seat, action, chance)  # or IllegalAction
    state = facts.state                               # the same as fold(game, state, facts)
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, NoReturn, Protocol, TypeAlias, TypeVar

from engines.chance import Chance

Seat: TypeAlias = int
"""Where somebody sits at the table, from 0, numbered in the order in which the players joined (C-2)."""

Value: TypeAlias = int | str
"""A value for a sentence in a refusal or a selection's worth: a number, or a short text such as a card."""


# ---------------------------------------------------------------------------------------------- refusals


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why an act is not allowed: the ruling that says so, the catalogue's key of the sentence, its values.

    The values may be shown to the player who made the act, so they contain nothing that this player may not know.
    """

    ruling: str
    key: str
    values: Mapping[str, Value] = field(default_factory=dict)


class IllegalAction(Exception):  # noqa: N818  a refused act is an answer, not an error
    """Raised by `Game.decide` for an act that the rules do not allow. Nothing has changed."""

    def __init__(self, ruling: str, key: str, **values: Value) -> None:
        super().__init__(f"{ruling}: {key}")
        self.refusal = Refusal(ruling, key, values)

    @classmethod
    def of(cls, refusal: Refusal) -> IllegalAction:
        """The exception for an existing refusal."""
        return cls(refusal.ruling, refusal.key, **refusal.values)


# ---------------------------------------------------------------------------------------------- actions


@dataclass(frozen=True, slots=True)
class TimeUp:
    """The clock's own act: a timer of the window ran out. C-5 applies to the seats in the window's `awaited`.

    `seats` are those of them whose time is up, in ascending order, if each has a time of its own (C-15); empty for all.
    """

    timer: str
    key: str
    seats: tuple[Seat, ...] = ()


@dataclass(frozen=True, slots=True)
class Resign:
    """A player resigns (C-4). Every seated player may do so at any time."""


# ---------------------------------------------------------------------------------------------- events


class Event:
    """A fact of a match. Subclasses are frozen dataclasses of plain values and name their audience.

    Old logs are read by these classes: fields may be added with a default, never renamed or removed.
    """

    __slots__ = ()

    def audience(self) -> frozenset[Seat] | None:
        """The seats that may know this fact as it is; None means everybody, including spectators."""
        return None

    def face(self) -> Event | None:
        """What everybody outside the audience sees instead; None means that they see nothing."""
        return None

    @property
    def narrated(self) -> bool:
        """Whether the fact is a line among the last events, for those who see it."""
        return True


class Unnarrated(Event):
    """A fact without a line among the last events, because it goes without saying or is on the table anyway."""

    __slots__ = ()

    @property
    def narrated(self) -> bool:
        """See `Event`."""
        return False


def seen_by(event: Event, viewer: Seat | None) -> Event | None:
    """The event as a viewer may know it (None: a spectator): itself, its face, or nothing."""
    audience = event.audience()
    if audience is None or (viewer is not None and viewer in audience):
        return event
    return event.face()


EventT = TypeVar("EventT", bound=Event)
State = TypeVar("State")


class Facts(tuple[EventT, ...], Generic[EventT, State]):  # noqa: SLOT001  a tuple's class cannot have slots of its own
    """The facts of one act in the order in which they happened, and `state`, the state after the last of them.

    It is a tuple and equals the plain tuple of its facts, whatever its state; a slice of it is a plain tuple. The state
    was made while the act was worked out, so nobody has to fold the facts again. After a restart there is only the log,
    so a law compares the state with the facts, written, read back and folded.
    """

    state: State

    def __new__(cls, facts: Iterable[EventT], state: State) -> Facts[EventT, State]:
        """The facts and the state they lead to; `engines.run.Run` makes both together."""
        made = tuple.__new__(cls, facts)
        made.__dict__["state"] = state
        return made

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError(f"facts are past: {name} cannot be set")


# ---------------------------------------------------------------------------------------------- time


@dataclass(frozen=True, slots=True)
class Turn:
    """The time for a turn on the match's clock."""


@dataclass(frozen=True, slots=True)
class Seconds:
    """A length fixed by the rules or an option, in seconds, independent of the match's clock."""

    seconds: int


@dataclass(frozen=True, slots=True)
class Reply:
    """A short answer: this many seconds in live play, the turn's time in slow play."""

    seconds: int


Length: TypeAlias = Turn | Seconds | Reply


@dataclass(frozen=True, slots=True)
class Timer:
    """A running deadline. The application starts it when it first sees (name, key); an unchanged key keeps running.

    A timer that is no longer in the window is dropped; a new key restarts it. `shown` is False if the timer's existence
    would reveal what players may not know (T-7a: that nobody can play from hand).
    """

    name: str
    key: str
    length: Length
    shown: bool = True

    @classmethod
    def of_turn(cls, window: int) -> Timer:
        """The time of a turn, for the question with this number."""
        return cls("turn", str(window), Turn())


@dataclass(frozen=True, slots=True)
class Window:
    """The open question.

    `awaited` (a subset of `may_act`) are those whose answer the match waits for; in a race it is empty. Both are
    empty while a countdown runs. `number` rises only when a different question is asked, not when one of several
    answers arrives; in a race it is the phase.
    """

    number: int
    may_act: frozenset[Seat]
    awaited: frozenset[Seat]
    timers: tuple[Timer, ...]

    @classmethod
    def asking(cls, number: int, seats: frozenset[Seat], timer: Timer) -> Window:
        """A question that each of these seats must answer, and nobody else may."""
        return cls(number, seats, seats, (timer,))


# ---------------------------------------------------------------------------------------------- choices

Action = TypeVar("Action")
Offered_co = TypeVar("Offered_co", covariant=True)
"""The acts that an offer may make; an offer of one kind of act is an offer of the game's acts."""


@dataclass(frozen=True, slots=True)
class Act(Generic[Offered_co]):
    """An offer that is one whole act: to pass, to draw, to name an opponent.

    `verb` is unique among the offers of a seat and short: it travels in button ids. A `lasting` act answers no
    particular question, so a press for an earlier question is not stale: the rules judge it.
    """

    verb: str
    action: Offered_co
    lasting: bool = False


@dataclass(frozen=True, slots=True)
class Step:
    """The state of a pick: what may be added, whether it is already an act, and its numbers.

    `addable[i]` is None if item i may be picked next, otherwise the refusal to show (an item already picked has one
    too). `unfinished` is None if the picked cards are a legal act, otherwise the reason why they are not one yet.
    `worth` has the numbers that the player reads while picking, such as {"strength": 11, "needed": 7}.
    """

    addable: tuple[Refusal | None, ...]
    unfinished: Refusal | None
    worth: Mapping[str, Value]


class Pick(ABC, Generic[Offered_co]):
    """An offer to pick some items, usually cards of the player's hand. It is described, not enumerated.

    `items` is their number. An item is named by its index in a row of the seat's own observation; the verb says which
    row. `ordered` says whether the order of picking matters. `verb` is unique among the offers, as in `Act`. Subclasses
    are frozen dataclasses that contain only what the seat may know.
    """

    verb: str
    ordered: bool

    @property
    @abstractmethod
    def items(self) -> int:
        """How many items there are to pick from."""

    @abstractmethod
    def step(self, picked: tuple[int, ...]) -> Step:
        """Judge the picked indices (ascending unless `ordered`). An unknown or repeated index raises IndexError."""

    @abstractmethod
    def action(self, picked: tuple[int, ...]) -> Offered_co:
        """The act that these picks make; `decide` judges it. An unknown index raises IndexError."""


@dataclass(frozen=True, slots=True)
class Closed:
    """An act that a player would expect but cannot make now, with the reason to show; also while nobody may act. With
    `act`, it may still be tried: in a race it is judged when its turn comes, and may be open by then.
    """

    verb: str
    refusal: Refusal
    act: Act[Any] | None = None


@dataclass(frozen=True, slots=True)
class Choices(Generic[Offered_co]):
    """Everything that a seat may do now except resigning, and what a player would expect but cannot do."""

    offers: tuple[Act[Offered_co] | Pick[Offered_co], ...] = ()
    closed: tuple[Closed, ...] = ()

    def __iter__(self) -> Iterator[Act[Offered_co] | Pick[Offered_co]]:
        return iter(self.offers)

    def find(self, verb: str) -> Act[Offered_co] | Pick[Offered_co] | None:
        """The offer with this verb, or None."""
        return next((offer for offer in self.offers if offer.verb == verb), None)

    def find_closed(self, verb: str) -> Closed | None:
        """The closed act with this verb, or None."""
        return next((shut for shut in self.closed if shut.verb == verb), None)


# ---------------------------------------------------------------------------------------------- observations

Public = TypeVar("Public")
Own = TypeVar("Own")


@dataclass(frozen=True, slots=True)
class Private(Generic[Public, Own]):
    """What one seat may know: what everybody sees, and its own part."""

    seat: Seat
    public: Public
    own: Own


# ---------------------------------------------------------------------------------------------- the end


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a match ended. `ranks[seat]` counts from 1, equal ranks share a place; two seats both ranked 1 drew.

    `void` marks a match that the rules call off (T-11): it has no result and does not count.
    """

    kind: str
    ranks: tuple[int, ...]
    void: bool = False

    @property
    def winners(self) -> tuple[Seat, ...]:
        """The seats ranked first: all of them if everybody drew, none if it is void."""
        return tuple(seat for seat, rank in enumerate(self.ranks) if rank == 1 and not self.void)

    @property
    def is_draw(self) -> bool:
        """Whether all seats share one rank."""
        return len(set(self.ranks)) == 1 and not self.void


# ---------------------------------------------------------------------------------------------- the game

Options = TypeVar("Options")


@dataclass(frozen=True, slots=True)
class Pack:
    """All cards of a match in their order before the first shuffle, and the name of that order.

    `pack_id` is part of the context of every deal, so one id never names two packs.
    """

    pack_id: str
    cards: tuple[Any, ...]


Upcaster: TypeAlias = Callable[[dict[str, Any]], dict[str, Any]]


@dataclass(frozen=True, slots=True)
class GameInfo(Generic[Options]):
    """A game's properties that others need without its rules.

    `key` names it in commands, ids and files. `actions` and `events` are all classes that may occur in its log
    (`TimeUp` and `Resign` are understood). `longest` is an upper bound of the acts in any match, including resignations
    and the clock's acts. If the rules set no bound (ties in Champions of Chance), it is a number that play does not
    reach. `events` never lose a class: old logs are read by it. A match with fewer acts than `shortest_counted` does
    not count in the standings; lower it for a game whose whole matches can be shorter. `turn_clock` is False for a game
    whose timers all have a length of their own (`Seconds`): then nobody is offered or shown a clock for turns.
    `preparations` are those of the actions that are no moves yet, such as being ready: after them a match can still be
    called off (C-6). The first of the `presets` has the author's own settings, which are those of `options()`.
    `recommended` names the preset for a number of players where that isn't the first one (C-11). `seat_time` says that
    the rules take a `TimeUp` for some of the awaited seats; otherwise these share the time of the one with most (C-15).
    `unhurried` are options by name that a match against computers alone has instead of the author's own, so that its
    timers wait for its person.

    If a class's fields change in any way other than a new field with a default, its class variable `V` is raised (it is
    1 if there is none). `upcasters` then has, for the class's name and each earlier version, the function from that
    version's fields (JSON values by name) to those of the next version.
    """

    key: str
    title: str
    seats: range
    rules_version: int
    options: type[Options]
    presets: Mapping[str, Options]
    actions: tuple[type, ...]
    events: tuple[type[Event], ...]
    longest: int
    shortest_counted: int = 4
    upcasters: Mapping[tuple[str, int], Upcaster] = field(default_factory=dict)
    turn_clock: bool = True
    preparations: tuple[type, ...] = ()
    recommended: Mapping[int, str] = field(default_factory=dict)
    seat_time: bool = False
    unhurried: Mapping[str, object] = field(default_factory=dict)

    def recommended_for(self, seats: int) -> str:
        """The preset that the bot chooses for a number of players (C-11)."""
        return self.recommended.get(seats, next(iter(self.presets)))


class Game(Protocol[State, Action, EventT, Options, Public, Own]):
    """The rules of one game. Implementations have no state of their own."""

    info: GameInfo[Options]

    def pack(self, options: Options, seats: int) -> Pack:
        """The cards of a match with these options; `Chance` is made with its `pack_id`."""

    def start(self, options: Options, seats: int) -> State:
        """The empty table. Raises ValueError for a number of seats that the game or these options do not allow."""

    def deal(self, state: State, chance: Chance) -> Facts[EventT, State]:
        """The facts of the opening (who deals, who gets which cards) and the state after them.

        `chance.rules_version` is the version to deal by: a match is dealt, and its deal proven, under its own. None
        means the newest.
        """

    def decide(
        self, state: State, actor: Seat | None, action: Action | TimeUp | Resign, chance: Chance
    ) -> Facts[EventT, State]:
        """The facts that follow from an act of a seat, or of the clock (actor None), and the state after them.

        Raises IllegalAction.
        """

    def evolve(self, state: State, event: EventT) -> State:
        """The state after a fact. Total; applies no rule and no chance."""

    def window(self, state: State) -> Window | None:
        """The open question; None if the match is over."""

    def choices(self, state: State, seat: Seat) -> Choices[Action]:
        """What this seat may do in the current window; it has no offers if it may do nothing."""

    def observe_public(self, state: State) -> Public:
        """What spectators and the board may know."""

    def observe(self, state: State, seat: Seat) -> Private[Public, Own]:
        """What this seat may know."""

    def outcome(self, state: State) -> Outcome | None:
        """The ranks and the kind of ending, once the match is over."""

    def write(self, action: Action | TimeUp | Resign) -> str:
        """The action in short notation, such as ``7S+3S`` or ``pass``; one line of ASCII."""

    def read(self, text: str) -> Action | TimeUp | Resign:
        """The action of a notation. Raises ValueError for any other text."""


AnyGame: TypeAlias = Game[Any, Any, Any, Any, Any, Any]


def fold(game: Game[State, Action, EventT, Options, Public, Own], state: State, events: Sequence[EventT]) -> State:
    """The state after a sequence of facts."""
    evolve = game.evolve
    for event in events:
        state = evolve(state, event)
    return state


def put_out(game: AnyGame, after: Any, late: frozenset[Seat], plays: Callable[[Seat], bool]) -> frozenset[Seat]:
    """Those of the seats that were late whom that put out: not those for whom a default was played. `after` is the
    state that it led to, and `plays` says who still plays in that."""
    outcome = game.outcome(after)
    if outcome is not None:
        return late if outcome.kind == "time" else frozenset()
    return frozenset(seat for seat in late if not plays(seat))


def can_resign(game: AnyGame, state: Any, chances: Callable[[], Chance], seat: Seat) -> bool:
    """Whether a seat still plays: only then may it resign (C-4). `chances` makes the chance of the next act for
    each seat, because none can be used twice."""
    try:
        game.decide(state, seat, Resign(), chances())
    except IllegalAction:
        return False
    return True
