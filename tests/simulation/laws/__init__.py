"""The laws: what must hold of the bot in any weather. Each class gives its reason in `why`."""

from __future__ import annotations

from contextlib import ExitStack
from typing import Final

from tests.simulation.happenings import Law, Simulation
from tests.simulation.history import History
from tests.simulation.laws import answers, clocks, logs, processes, screens
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
    clocks.DueClocksRing,
    clocks.ClocksAreFair,
    clocks.ShownTimesAreRight,
    processes.ToldEnds,
    processes.StartedIsReady,
    processes.BackupsExist,
    processes.ThirtyDaysAreThirty,
    processes.NoFaultsOfOurs,
)
ON_SCREENS: Final[tuple[type[screens.ScreenLaw], ...]] = (
    screens.HandsAreTrue,
    screens.BoardsAreTrue,
    screens.OneBoardAMatch,
    screens.MentionsAreNeeded,
)


class Judges:
    """All laws, and the history that they judge. For one run, within a `with` block: it listens to the bot's own parts."""

    def __init__(self) -> None:
        self.history = History()
        self._screens = screens.Screens()
        self._pending = PendingEdits()
        self._listening = ExitStack()
        self.laws: list[Law] = [
            *(law(self.history) for law in PLAIN),
            *(law(self.history, self._screens, self._pending) for law in ON_SCREENS),
        ]

    def __enter__(self) -> Judges:
        self._listening.enter_context(self.history.tapping())
        self._listening.enter_context(self._pending.noted())
        return self

    def __exit__(self, *_: object) -> None:
        self._listening.close()

    def begin(self, simulation: Simulation) -> None:
        """Listen to a run that is about to begin, before the laws do."""
        self.history.begin(simulation)
        simulation.record.listen(self._screens.hear)


def reasons() -> dict[str, str]:
    """The laws' names, each with its reason."""
    return {law.name: law.why for law in (*PLAIN, *ON_SCREENS)}
