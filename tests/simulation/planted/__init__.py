"""Faults that are planted to see whether the laws find them: mended ones put back, and some that never were."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import Final
from unittest import mock

from tests.simulation import keeper
from tests.simulation.laws import Judges
from tests.simulation.planted.clocks import CLOCKS
from tests.simulation.planted.dealing import DEALING
from tests.simulation.planted.fault import Fault
from tests.simulation.planted.owning import OWNING
from tests.simulation.planted.privacy import PRIVACY
from tests.simulation.planted.showing import SHOWING
from tests.simulation.planted.society import SOCIETY
from tests.simulation.planted.storing import STORING
from tests.simulation.planted.tournaments import TOURNAMENTS
from tests.simulation.run import Result, simulate

_ALL: Final = (*STORING, *CLOCKS, *SHOWING, *DEALING, *OWNING, *PRIVACY, *SOCIETY, *TOURNAMENTS)
FAULTS: Final = {fault.name: fault for fault in _ALL}


@contextmanager
def put(fault: Fault, *, whole: bool = False) -> Iterator[None]:
    """Break the bot within the block; with `whole`, only what is around it."""
    with ExitStack() as stack:
        for patch in fault.around if whole else (*fault.around, *fault.patches):
            stack.enter_context(patch())
        stack.enter_context(mock.patch.dict(keeper.SETTINGS, fault.settings))
        yield


def run(fault: Fault, seed: int, *, whole: bool = False) -> Result:
    """One run with the fault, or of the `whole` bot in the same surroundings. To be called once in a process, as
    `simulate`."""
    with put(fault, whole=whole), Judges(only=fault.laws) as judges:
        return simulate(seed, fault.hours, fault.weather, judges.laws)
