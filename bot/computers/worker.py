"""A worker that answers questions (`bot.workers`). `python -m bot.computers.worker` runs it.

It imports the games and their players, and little else.

An error is reported by its type and its place, because its text may contain a hand.
"""

from __future__ import annotations

import json
import struct
import time
from dataclasses import asdict, dataclass
from typing import Any, Final

from bot import logs
from bot.computers.thinker import HintRequest
from bot.workers.serving import packed, serve, unpacked
from engines.players.answering import answer
from engines.players.deal_of_day import DayRequest, choose
from engines.players.question import Question
from engines.players.review import ReviewRequest, hint, review

MODULE: Final = "bot.computers.worker"
"""What Python runs: this module."""
SECONDS: Final = struct.Struct(">d")
"""The seconds to think, at the beginning of a request. The question follows, packed."""

NICENESS: Final = 10
"""How far the worker steps back for the bot: on a busy core it gets about a tenth of the bot's time."""


class Deadline:
    """Says whether the time to think is over, by this process's own clock. Clocks of two processes may differ."""

    def __init__(self, seconds: float) -> None:
        self._at = time.monotonic() + seconds
        self.cut_short = seconds <= 0
        """Whether a player was asked to stop."""

    def __call__(self) -> bool:
        self.cut_short = self.cut_short or time.monotonic() >= self._at
        return self.cut_short


@dataclass(frozen=True, slots=True)
class Found:
    """What a worker found: the fields of an `Answer`, a `Review` or a `Choice`, or a list of those of each `Hint`."""

    found: Any
    cut_short: bool
    """Whether the player had to stop before its rollouts were played."""


@dataclass(frozen=True, slots=True)
class Failed:
    """An error in a player: its type and where it was raised, never its text."""

    error: str
    path: str


def request_of(asked: Question | ReviewRequest | HintRequest | DayRequest, seconds: float) -> bytes:
    """The request to answer a computer player's question, to review a match, for hints or to choose a deal of the day:
    the seconds for it, and what is asked."""
    return SECONDS.pack(seconds) + packed(asked)


def reply_of(data: bytes) -> Found | Failed:
    """What a worker replied."""
    reply = json.loads(data)
    return Failed(**reply) if "error" in reply else Found(**reply)


def replied(request: bytes) -> bytes:
    """What the worker replies to a request, as JSON."""
    return json.dumps(_reply(request)).encode()


def _reply(request: bytes) -> dict[str, Any]:
    try:
        (seconds,) = SECONDS.unpack_from(request)
        deadline = Deadline(seconds)
        asked = unpacked(request[SECONDS.size :])
        found: Any
        match asked:
            case ReviewRequest():
                reviewed = review(asked, deadline)
                found = {**asdict(reviewed), "measure": reviewed.measure.value}
            case DayRequest():
                found = asdict(choose(asked))
            case HintRequest():
                found = [asdict(each) for each in hint(asked.question, deadline)]
            case _:
                found = asdict(answer(asked, deadline))
    except Exception as error:  # noqa: BLE001  a player's code may fail in any way, and the bot must know of it
        return {"error": type(error).__name__, "path": logs.call_path(error)}
    return {"found": found, "cut_short": deadline.cut_short}


def main() -> None:
    """Answer until the input ends."""
    serve(replied, NICENESS)


if __name__ == "__main__":
    main()
