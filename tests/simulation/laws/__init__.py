"""The laws: what must hold of the bot in any weather. Each class gives its reason in `why`."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from contextlib import ExitStack
from typing import Final

from tests.simulation.happenings import Law, Simulation, Violation
from tests.simulation.history import History
from tests.simulation.laws import (
    answers,
    clocks,
    clusters,
    deals,
    logs,
    privacy,
    processes,
    screens,
    society,
    tournaments,
)
from tests.simulation.laws.foundation import BaseLaw
from tests.simulation.laws.pending import PendingEdits

PLAIN: Final[tuple[type[BaseLaw], ...]] = (
    answers.ConfirmedIsKept,
    answers.RefusedIsNotKept,
    answers.FailedIsNotApplied,
    answers.AtMostOnce,
    answers.RepeatedIsNotApplied,
    answers.FreshIsAnswered,
    logs.LogFollows,
    logs.StandingsFollow,
    deals.SaltsAreHidden,
    deals.SaltsTakePart,
    privacy.StoredAreAllowed,
    society.HonestAreServed,
    society.PostsInBudget,
    society.NobodySpeaksThroughTheBot,
    tournaments.RoundsEnd,
    tournaments.TournamentsFollow,
    tournaments.TournamentsAreApart,
    clocks.DueClocksRing,
    clocks.ClocksAreFair,
    clocks.ShownTimesAreRight,
    processes.ToldEnds,
    processes.StartedIsReady,
    processes.BackupsExist,
    processes.ThirtyDaysAreThirty,
    processes.NoFaultsOfOurs,
    clusters.OneOwner,
    clusters.OwnersWrite,
)
ON_SCREENS: Final[tuple[type[screens.ScreenLaw], ...]] = (
    screens.HandsAreTrue,
    screens.BoardsAreTrue,
    screens.OneBoardAMatch,
    screens.MentionsAreNeeded,
)


class Judges:
    """All laws, and the history that they judge, for one run.

    The run is within its `with` block, in which it hears what the bot's own parts write and ask for.
    """

    def __init__(self, left_out: Collection[str] = (), only: Collection[str] | None = None) -> None:
        """`left_out` are names of laws that are not asked; with `only`, no others are asked than these."""
        self.history = History()
        self._screens = screens.Screens()
        self._pending = PendingEdits()
        self._listening = ExitStack()
        asked: list[BaseLaw] = [
            *(law(self.history) for law in PLAIN),
            *(law(self.history, self._screens, self._pending) for law in ON_SCREENS),
        ]
        self.laws: list[Law] = [
            _Ears(self.history, self._screens),
            *(law for law in asked if law.name not in left_out and (only is None or law.name in only)),
        ]

    def __enter__(self) -> Judges:
        self._listening.enter_context(self.history.tapping())
        self._listening.enter_context(self._pending.noted())
        return self

    def __exit__(self, *_: object) -> None:
        self._listening.close()


class _Ears(BaseLaw):
    """No law: it hears everything before the laws do."""

    name = "history"
    why = "The laws ask it."
    every = 60.0

    def __init__(self, history: History, seen: screens.Screens) -> None:
        super().__init__(history)
        self._screens = seen

    def begin(self, simulation: Simulation) -> None:
        self.history.begin(simulation)
        simulation.record.listen(self._screens.hear)
        super().begin(simulation)

    def look(self) -> Iterable[Violation]:
        if self.history.failures:
            raise self.history.failures[0]
        return ()

    def end(self) -> Iterable[Violation]:
        return self.look()


def reasons() -> dict[str, str]:
    """The laws' names, each with its reason."""
    return {law.name: law.why for law in (*PLAIN, *ON_SCREENS)}
