"""What a simulation records while it runs, for the laws to judge.

`at` is always the simulation's own time: virtual seconds since its beginning, whatever the clocks of the machines say.
`life` is the number of an incarnation of the bot, from 1 on.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, Protocol, TypeAlias, TypeVar

if TYPE_CHECKING:
    from discord_sandbox import Sandbox
    from tests.insides import Insides
    from tests.simulation.weather_fields import Weather

JsonObject: TypeAlias = dict[str, Any]


# ---------------------------------------------------------------------------------------------- what people do and see


@dataclass(frozen=True, slots=True)
class Press:
    """Somebody pressed a component, chose from a list or sent a command; `id` is the interaction's.

    `custom_id` is empty for a command, `message` is the message whose component it was (0 for a command), `values` are
    what was chosen from a list, and `named` the people whom it names.
    """

    id: int
    at: float
    person: int
    custom_id: str
    message: int
    channel: int
    values: tuple[str, ...] = ()
    command: str = ""
    named: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Delivered:
    """An interaction reached the bot. It happens again where a resumption replays it."""

    press: int
    at: float
    life: int


AnswerKind: TypeAlias = Literal[
    "message", "deferred", "deferred_update", "update", "choices", "modal", "follow_up", "edit", "delete"
]
"""The first six are Discord's callbacks; the others go through the interaction's webhook."""


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer of the bot reached Discord. `status` is Discord's HTTP status: 2xx is taken, anything else refused.

    `payload` is the message in the request's body (of a callback its `data`), {} without one. The bot may not know the
    status: the connection may be cut before the answer is back.
    """

    press: int
    at: float
    kind: AnswerKind
    payload: JsonObject
    status: int
    message: str = ""
    """The message that a webhook's address names: an id or `@original`."""

    @property
    def taken(self) -> bool:
        """Whether Discord did what the bot asked."""
        return 200 <= self.status < 300


@dataclass(frozen=True, slots=True)
class Failed:
    """Discord told somebody that their press failed: no first answer came within its three seconds."""

    press: int
    at: float


Service: TypeAlias = Literal["match", "file", "notice"]


@dataclass(frozen=True, slots=True)
class Served:
    """Honest people beside hostile ones were given what they came for, after so many `seconds`; None if they never
    were."""

    what: Service
    at: float
    seconds: float | None


Author: TypeAlias = Literal["bot", "interaction", "people"]
"""Whose right a message was changed by: the bot's token, an interaction's, or somebody in the server."""


@dataclass(frozen=True, slots=True)
class MessageChange:
    """A message as it now is. `data` is Discord's message object; `reader` is the one person who sees it (None: all).

    `press` is the interaction through which it was changed, 0 for none.
    """

    message: int
    at: float
    channel: int
    reader: int | None
    by: Author
    press: int
    data: JsonObject


class Post(MessageChange):
    """A message is there."""

    __slots__ = ()


class Edit(MessageChange):
    """A message was changed."""

    __slots__ = ()


class Delete(MessageChange):
    """A message is gone; `data` is what it was last."""

    __slots__ = ()


# ---------------------------------------------------------------------------------------------- the bot's lives

Step: TypeAlias = Literal["started", "ready", "told", "ended", "killed"]


@dataclass(frozen=True, slots=True)
class Life:
    """A step in an incarnation of the bot. `code` is the exit code where it ended; None if it raised."""

    life: int
    step: Step
    at: float
    folder: Path
    code: int | None = None


@dataclass(frozen=True, slots=True)
class DiskImage:
    """A copy of the bot's folder at a moment: as a killed process leaves it, or as a power cut does.

    `path` is the folder; in it are `cardroom.db`, perhaps `cardroom.db-wal`, and what else the bot wrote.
    """

    life: int
    at: float
    path: Path
    cause: Literal["kill", "power cut", "end", "look"]


@dataclass(frozen=True, slots=True)
class LogLine:
    """A line that the bot logged; `message` is formatted, and `level` is `logging`'s."""

    life: int
    at: float
    level: int
    logger: str
    message: str


# ---------------------------------------------------------------------------------------------- the weather's acts


@dataclass(frozen=True, slots=True)
class LateWrite:
    """A process that holds no shards any more wrote into the data that it shares with others."""

    life: int
    at: float


@dataclass(frozen=True, slots=True)
class Disturbance:
    """The weather did something: cut a line, jumped a clock, stopped the bot, took a server away.

    `until` is when it is over, where that is known; `at` where it has no length.
    """

    kind: Literal[
        "cut",
        "silence",
        "refusal",
        "session lost",
        "rate limit",
        "server error",
        "standstill",
        "clock step",
        "store error",
        "server gone",
        "server back",
        "channel hidden",
        "channel shown",
        "second bot",
        "database cut",
    ]
    at: float
    until: float
    life: int = 0
    subject: int = 0
    """The server's or channel's id, where there is one."""
    amount: float = 0.0
    """Seconds that a clock jumped, say."""


Happening: TypeAlias = (
    Press
    | Delivered
    | Answer
    | Failed
    | Served
    | Post
    | Edit
    | Delete
    | Life
    | DiskImage
    | LogLine
    | LateWrite
    | Disturbance
)
_H = TypeVar("_H")


class Record:
    """All happenings in their order, and who wants to hear of them at once."""

    def __init__(self, keep: bool = True) -> None:
        """Without `keep` only the listeners get them: long runs need the memory."""
        self._keep = keep
        self._all: list[Happening] = []
        self._listeners: list[Callable[[Happening], object]] = []

    def add(self, happening: Happening) -> None:
        """Record something and tell the listeners, in the order in which they came."""
        if self._keep:
            self._all.append(happening)
        for listener in self._listeners:
            listener(happening)

    def listen(self, listener: Callable[[Happening], object]) -> None:
        """Call it with each happening from now on. It must not touch the simulation."""
        self._listeners.append(listener)

    def of(self, kind: type[_H]) -> Iterable[_H]:
        """The happenings of a kind, oldest first."""
        return (each for each in self._all if isinstance(each, kind))

    def __len__(self) -> int:
        return len(self._all)


# ---------------------------------------------------------------------------------------------- what laws look at


class Bot(Protocol):
    """A running incarnation of the bot, to be looked at between two steps and never changed."""

    @property
    def number(self) -> int:
        """Its number, as in `Life.life`."""

    @property
    def folder(self) -> Path:
        """Its data folder, with `cardroom.db` in it."""

    @property
    def ready(self) -> bool:
        """Whether its session has begun and its matches are taken up."""

    @property
    def connected(self) -> bool:
        """Whether presses reach it, as far as it knows."""

    @property
    def app(self) -> Insides | None:
        """Its parts; None before they are made."""

    @property
    def shards(self) -> Collection[int]:
        """The shards that it surely holds, as far as it knows."""

    def wall(self) -> float:
        """Its machine's time of day, in seconds since 1970: it may be wrong."""


class Simulation(Protocol):
    """What a law sees of a run."""

    @property
    def now(self) -> float:
        """Virtual seconds since the beginning."""

    @property
    def weather(self) -> Weather:
        """The weather of this seed."""

    @property
    def record(self) -> Record:
        """What has happened."""

    @property
    def sandbox(self) -> Sandbox:
        """Discord, with its people."""

    @property
    def bots(self) -> Sequence[Bot]:
        """The incarnations that live now; as a rule one or none."""


@dataclass(frozen=True, slots=True)
class Violation:
    """A law does not hold: its name, the moment, and in one line what was found."""

    law: str
    at: float
    what: str


class Law(Protocol):
    """Something that must hold, however bad the weather is."""

    name: str
    every: float
    """Virtual seconds between two looks; 0 if it judges only what it hears, and the end."""

    def begin(self, simulation: Simulation) -> None:
        """The run is about to begin: listen to its record, and remember it."""

    def look(self) -> Iterable[Violation]:
        """Called between two steps, every `every` seconds."""

    def end(self) -> Iterable[Violation]:
        """The run is over and the last disk image is recorded: no step comes any more."""
