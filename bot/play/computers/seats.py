"""Makes the acts of computer players: of those that sit at a table, and of those that play an absent seat on (C-8).

An act of a computer goes through the match's queue, as a person's does. It answers the question that was open when the
computer was asked: if somebody else ends that question first, the answer is dropped. Nothing of it is stored before it
is made. So after a restart every computer that a match waits for is simply asked again.

Computers don't play on among themselves: when the last person has left a table, they resign one by one.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Iterable
from typing import Any, Final

from bot import logs
from bot.computers.thinker import SPARE_SECONDS, AnyLegalAct, RuleOfThumb, Thinker
from bot.play.computers.levels import rollouts_of, version_of
from bot.play.computers.races import Races, is_race
from bot.play.facts.read_facts import ReadFacts
from bot.play.live_match import LiveMatch
from bot.play.match_state import Position
from bot.play.observers import Observer
from bot.play.refusals import Refused, Unsaved
from bot.scheduler import Scheduler
from bot.store.errors import StoreError
from bot.store.special_ids import is_computer
from bot.store.store import Store
from bot.telemetry import Telemetry
from engines.game import Event, IllegalAction, Resign, Seat
from engines.players.levels import CHOOSERS
from engines.players.question import thinking_seconds

_log = logging.getLogger(__name__)

UNSAVED: Final = 5.0
"""Seconds after which a computer tries again if its act could not be saved."""
UNSAVED_TRIES: Final = 1000
"""How often it does, more than an hour long."""


class ComputerSeats(Observer):
    """The seats of computers in all matches in play: it notices when a match waits for one."""

    def __init__(
        self,
        thinker: Thinker,
        store: Store,
        *,
        settle: Callable[[LiveMatch], None],
        changed: Callable[[LiveMatch], None],
        scheduler: Scheduler,
        telemetry: Telemetry,
    ) -> None:
        """After an act, `settle` has the clock follow the match, and `changed` notifies the observers."""
        self._thinker = thinker
        # A thinker answers by rule of thumb itself if a player fails. But nobody checks that before the match does.
        self._thinkers: tuple[Thinker, ...] = thinker, RuleOfThumb(telemetry), AnyLegalAct()
        self._settle = settle
        self._changed = changed
        self._scheduler = scheduler
        self._telemetry = telemetry
        self._asked: dict[tuple[str, Seat], tuple[int, asyncio.Task[None]]] = {}
        self._read = ReadFacts()
        self._races = Races(
            self._thinkers, store, self._read, acted=self._acted, scheduler=scheduler, telemetry=telemetry
        )

    @property
    def idle(self) -> bool:
        """Whether no computer is asked anything."""
        return not self._asked and self._races.idle

    async def close(self) -> None:
        """Stop thinking. An act that is being saved is finished."""
        tasks = [*(task for _, task in self._asked.values()), *self._races.tasks]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await self._thinker.close()

    # ------------------------------------------------------------------------------------ noticing

    def resume(self, live: Iterable[LiveMatch]) -> None:
        """Ask the computers that matches waited for when the last process ended."""
        for match in live:
            if _has_computers(match) and is_race(match):
                self._races.resume(match)
            self.match_changed(match)

    def board_shown(self, match: LiveMatch, seen: Position) -> None:
        """Discord shows everybody the board of a position."""
        if _has_computers(match) and is_race(match):
            self._races.board_shown(match, seen)

    def server_purged(self, guild_id: int) -> None:  # noqa: ARG002  an Observer's
        """See `Observer`. All that was read can be read again."""
        self._read.forget_all()

    def match_changed(self, match: LiveMatch) -> None:
        """Ask the computers that the match waits for, and no others."""
        if match.over:
            self._read.forget(match.id)
        if is_race(match):
            if _has_computers(match):
                self._races.follow(match)
            return
        for seat in range(len(match.seats)):
            if match.acting_level(seat) is not None:
                self._ask(match, seat)
            else:
                self._stop(match, seat)

    def _stop(self, match: LiveMatch, seat: Seat) -> None:
        """Stop thinking for a seat whose player took it back. An act in the match's queue is dropped there."""
        asked = self._asked.get((match.id, seat))
        if asked is not None and asked[1] is not asyncio.current_task():
            asked[1].cancel()
            del self._asked[match.id, seat]

    def _ask(self, match: LiveMatch, seat: Seat) -> None:
        key, window = (match.id, seat), match.window_number
        asked = self._asked.get(key)
        if asked is not None:
            if seat in match.awaited and asked[0] == window:
                return
            if asked[1] is asyncio.current_task():  # it has just made this act, and is about to end
                asked[1].add_done_callback(lambda _: self._ask(match, seat))
                return
            asked[1].cancel()
        if seat not in match.awaited or match.acting_level(seat) is None:
            return
        task = asyncio.get_running_loop().create_task(self._play(match, seat, window))
        self._asked[key] = window, task
        task.add_done_callback(lambda done: self._drop(key, done))

    def _drop(self, key: tuple[str, Seat], done: asyncio.Task[None]) -> None:
        asked = self._asked.get(key)
        if asked is not None and asked[1] is done:
            del self._asked[key]

    # ------------------------------------------------------------------------------------ acting

    async def _play(self, match: LiveMatch, seat: Seat, window: int) -> None:
        """Answer the open question for a seat.

        After an error, or an act that the rules refuse, the next thinker is asked, and acts at once. So no fault of a
        player makes a computer lose on time. If somebody else acted meanwhile, as by resigning, the same one is asked
        again.
        """
        thinkers, pretend = list(self._thinkers), True
        while thinkers:
            acts = match.position.acts
            try:
                await self._answer(match, seat, window, thinkers[0], pretend=pretend)
            except (Refused, IllegalAction) as refused:
                if not _waits(match, seat, window):
                    return
                if match.position.acts == acts:
                    _log.error("match %s refused a computer's act: %s", match.id, type(refused).__name__)
                    self._telemetry.fault("making a computer's act")
                    thinkers.pop(0)
            except Exception as error:  # noqa: BLE001  whatever it is, the match must not wait for ever
                logs.log_error(error, "making a computer's act", self._telemetry, match_id=match.id)
                thinkers.pop(0)
            else:
                return
            pretend = False

    async def _answer(self, match: LiveMatch, seat: Seat, window: int, thinker: Thinker, *, pretend: bool) -> None:
        """Have a thinker answer, and make the act, perhaps after the time that a computer pretends to think."""
        key, level = match.game.info.key, match.acting_level(seat)
        if level is None:  # its player has just taken it back
            return
        if match.left_to_computers:
            await self._make(match, seat, window, Resign(), version_of(key, level))
            return
        began = self._scheduler.monotonic()
        position = match.position
        events = await self._facts(match, seat, window, position.acts)
        if not _waits(match, seat, window):
            return
        question = match.question(seat, level, rollouts_of(key, level), events, position)
        left = self._seconds_left(match)
        answer = await thinker.answer(question, deadline_seconds=left)
        action = match.game.read(answer.act)
        if pretend:
            pause = thinking_seconds(CHOOSERS[key].visible_choices(question.view.public), question.luck)
            pause = pause if left is None else min(pause, left - SPARE_SECONDS)
            await self._scheduler.sleep(max(0.0, began + pause - self._scheduler.monotonic()))
        await self._make(match, seat, window, action, version_of(key, level))

    async def _facts(self, match: LiveMatch, seat: Seat, window: int, acts: int) -> tuple[Event, ...]:
        """All facts up to a number of acts. While they cannot be read, it is tried again, as long as the match waits
        for the seat."""
        while _waits(match, seat, window):
            try:
                return await self._read.up_to(match, acts)
            except StoreError:
                await self._scheduler.sleep(UNSAVED)
        return ()

    async def _make(self, match: LiveMatch, seat: Seat, window: int, action: Any, computer: str) -> None:
        """Make the act. While nothing can be saved, it is tried again. Raises what `LiveMatch.act` raises."""
        for _ in range(UNSAVED_TRIES):
            if not _waits(match, seat, window):
                return
            failed = match.failed
            try:
                await match.act(seat, action, window=window, computer=computer)
            except (Unsaved, StoreError):
                await self._scheduler.sleep(UNSAVED)
            except Refused:
                if match.failed == failed:
                    raise
                break
            else:
                break
        self._acted(match)

    def _acted(self, match: LiveMatch) -> None:
        self._settle(match)
        self._changed(match)

    def _seconds_left(self, match: LiveMatch) -> float | None:
        """The seconds until the nearest deadline of the match; None if it has none."""
        deadlines = [timer.deadline for timer in match.position.timers]
        return max(0.0, (min(deadlines) - self._scheduler.now()) / 1000) if deadlines else None


def _has_computers(match: LiveMatch) -> bool:
    return any(map(is_computer, match.seats))


def _waits(match: LiveMatch, seat: Seat, window: int) -> bool:
    """Whether a match still waits for a computer's answer to this question on a seat."""
    return match.window_number == window and seat in match.awaited and match.acting_level(seat) is not None
