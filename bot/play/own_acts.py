"""The acts of each seat: how many there are, and which of them their player may not know to be made (decision 19).

If Discord says that an interaction failed, its player presses again. The bot must then know that the act was made, and
that the press repeats it. So an act is *unconfirmed* until Discord has taken an answer that shows or reports it. A new
process doesn't know which answers the former one gave. There, the last act of each seat in the log is unconfirmed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from bot.store.codec import Codec
from bot.store.queries.matches import Record
from engines.game import Act, AnyGame, Choices, Event, Resign, Seat, fold

NONE: Final = frozenset[int]()
"""No acts."""


@dataclass(frozen=True, slots=True)
class SeenQuestion:
    """What a player saw who pressed: the question's number, and how many of the seat's own acts the hand counted.

    `acts` is None if the button does not say, because it is of an older version, or its game is no race.
    """

    window: int
    acts: int | None = None


@dataclass(frozen=True, slots=True)
class MadeAct:
    """An act of a seat, from the log. Each seat's own acts are numbered from 1.

    `window` is the question that it answered, or 0 for resigning, which answers none. `verb` is the act's among the
    seat's offers, or "" for a pick.
    """

    number: int
    window: int
    verb: str
    action: Any
    events: tuple[Event, ...]


class OwnActs:
    """The acts of all seats of a match: their number, and those that are unconfirmed, seat by seat.

    After a replay these are None: only the last act is.
    """

    __slots__ = ("_last_actions", "_made", "_unconfirmed")

    def __init__(
        self,
        seats: int,
        actors: Iterable[Seat | None] = (),
        confirmed: Collection[Seat] = (),
        last_actions: Mapping[Seat, str] | None = None,
    ) -> None:
        """`actors` made the acts of the log; None is the clock. No press repeats the last act of a seat `confirmed`.
        `last_actions` are those acts as the log has them, where they are known, and "" for an act that answered an
        earlier question than the open one."""
        made = Counter(actors)
        self._made = [made[seat] for seat in range(seats)]
        known = last_actions or {}
        self._last_actions = tuple([None if seat in confirmed else known.get(seat) for seat in range(seats)])
        self._unconfirmed = [NONE if seat in confirmed else None for seat in range(seats)]

    def count(self, seat: Seat) -> int:
        """How many acts a seat has made."""
        return self._made[seat]

    def unconfirmed(self, seat: Seat) -> frozenset[int]:
        """The numbers of the acts that their player may not know to be made."""
        last, unconfirmed = self._made[seat], self._unconfirmed[seat]
        if unconfirmed is None:
            return frozenset({last}) if last else NONE
        return unconfirmed

    def add(self, seat: Seat, *, confirmed: bool = False) -> int:
        """Record that a seat has made an act. Returns its number.

        It is `confirmed` at once if no press that repeats it can come: a computer made it.
        """
        unconfirmed = self.unconfirmed(seat)
        self._made[seat] += 1
        self._forget_last_action(seat)
        self._note(seat, unconfirmed if confirmed else unconfirmed | {self._made[seat]})
        return self._made[seat]

    def last_action(self, seat: Seat) -> str | None:
        """A seat's last act as the log has it, "" if it answered an earlier question than the open one; None if only
        the log can tell."""
        return self._last_actions[seat]

    def _forget_last_action(self, seat: Seat) -> None:
        if self._last_actions[seat] is not None:
            self._last_actions = tuple([None if at == seat else each for at, each in enumerate(self._last_actions)])

    def confirm(self, seat: Seat, numbers: Collection[int]) -> None:
        """Record that Discord has taken an answer that shows or reports these acts."""
        self._note(seat, self.unconfirmed(seat).difference(numbers))

    def saw(self, seat: Seat, acts: int) -> None:
        """Record that a player pressed on a hand that counted this number of acts, so they have seen them."""
        self._note(seat, frozenset(number for number in self.unconfirmed(seat) if number > acts))

    def _note(self, seat: Seat, unconfirmed: frozenset[int]) -> None:
        self._unconfirmed[seat] = unconfirmed or NONE  # there are thousands of matches, and one empty set is enough

    def shown(self, seat: Seat, reported: Collection[int] = ()) -> int:
        """How many of a seat's acts a hand counts: all before the first that is unconfirmed.

        `reported` are the acts that the hand itself shows or reports.
        """
        return min(self.unconfirmed(seat).difference(reported), default=self._made[seat] + 1) - 1


def made_acts(
    game: AnyGame, start: Any, codec: Codec, records: Sequence[Record], *, seat: Seat, wanted: Callable[[int], bool]
) -> tuple[MadeAct, ...]:
    """The acts of a seat whose numbers are wanted, oldest first. `start` is the empty table.

    Raises what the codec or the rules raise if they cannot read the log.
    """
    state, number, made = start, 0, list[MadeAct]()
    for record in records:
        events = codec.decode_all(record.events)
        if record.actor == seat:
            number += 1
            if wanted(number) and record.action is not None:
                window, action = game.window(state), codec.decode(record.action)
                verb = _verb_of(action, game.choices(state, seat))
                answered = 0 if window is None or isinstance(action, Resign) else window.number
                made.append(MadeAct(number, answered, verb, action, events))
        state = fold(game, state, events)
    return tuple(made)


def _verb_of(action: Any, choices: Choices[Any]) -> str:
    """The verb of the offer that makes this act at once, open or closed; empty if there is none."""
    acts = [offer for offer in choices if isinstance(offer, Act)]
    acts += [closed.act for closed in choices.closed if closed.act is not None]
    return next((act.verb for act in acts if act.action == action), "")
