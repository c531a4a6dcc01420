"""Makes the acts of computer players in races, where nobody is awaited and the fastest wins.

`engines.players.pace` says what is done here and why: a computer looks when a person in its seat could see something
new, acts on what it saw then, and takes as long as the people of its match take.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from bot import logs
from bot.computers.thinker import Thinker
from bot.play.computers.levels import pace_of, rollouts_of, version_of
from bot.play.facts.read_facts import ReadFacts
from bot.play.live_match import LiveMatch
from bot.play.match_state import Position
from bot.play.refusals import Refused, Unsaved
from bot.scheduler import Scheduler, Tasks
from bot.store.errors import StoreError
from bot.store.special_ids import is_computer, level_of
from bot.store.store import Store
from bot.telemetry import Telemetry
from engines.game import IllegalAction, Resign, Seat
from engines.players.levels import RACERS
from engines.players.pace import Gaps, reaction_ms

UNSAVED: Final = 5.0
"""Seconds after which a computer looks again if its act could not be saved, or the log not be read."""


def is_race(match: LiveMatch) -> bool:
    """Whether the computers of a match race."""
    return match.game.info.key in RACERS


@dataclass
class _Race:
    """What is known of one match: the people's gaps up to the record `folded`, and what each seat saw last."""

    gaps: Gaps
    folded: int
    saw: dict[Seat, int] = field(default_factory=dict)
    """How many acts a computer's seat has seen."""
    acting: dict[Seat, asyncio.Task[None]] = field(default_factory=dict)

    def begin(self, seats: int) -> None:
        """Know nothing of the people, before the first record is folded."""
        self.gaps, self.folded = Gaps.begin(seats), -1

    def fold(self, acts: Iterable[tuple[int, Seat | None, int]], busy: Collection[Seat]) -> None:
        """Note how long people took for these acts, unless it is noted already."""
        for seq, actor, at in acts:
            if seq > self.folded:
                self.gaps = self.gaps.after(at, actor, busy)
                self.folded = seq


@dataclass(slots=True, eq=False)
class Races:
    """The seats of computers in all races in play.

    `acted` is called after each act. After an error the next of the `thinkers` is asked.
    """

    thinkers: Sequence[Thinker]
    store: Store
    read: ReadFacts
    acted: Callable[[LiveMatch], None]
    scheduler: Scheduler
    telemetry: Telemetry
    _races: dict[str, _Race] = field(default_factory=dict, init=False)
    _loading: Tasks = field(default_factory=Tasks, init=False)

    @property
    def idle(self) -> bool:
        """Whether there is no race."""
        return not self._races and not self._loading

    @property
    def tasks(self) -> list[asyncio.Task[None]]:
        """Everything under way."""
        return [*self._loading, *(task for race in self._races.values() for task in race.acting.values())]

    # ------------------------------------------------------------------------------------ noticing

    def resume(self, match: LiveMatch) -> None:
        """Take up a race after a restart: read how fast its people were, then look."""
        self._loading.begin(self._resume(match))

    async def _resume(self, match: LiveMatch) -> None:
        try:
            records = await self.store.records(match.id)
        except StoreError as error:  # then they are taken to be as fast as people are at first
            logs.log_error(error, "reading a race", self.telemetry, match_id=match.id)
            records = []
        if match.over:  # meanwhile
            return
        busy = RACERS[match.game.info.key].busy(match.public())
        race = self._race(match)  # its board may have been shown meanwhile, and computers act on that already
        race.begin(len(match.seats))
        race.fold([(record.seq, record.actor, record.at) for record in records], busy)
        self._look_all(match, match.position)

    def follow(self, match: LiveMatch) -> None:
        """A match has changed: note how long people took, or forget it if it is over."""
        if match.over:
            race = self._races.pop(match.id, None)
            for task in race.acting.values() if race is not None else ():
                if task is not asyncio.current_task():
                    task.cancel()
            return
        race = self._race(match)
        busy = RACERS[match.game.info.key].busy(match.public())
        race.fold(match.latest_acts, busy)

    def _race(self, match: LiveMatch) -> _Race:
        return self._races.setdefault(match.id, _Race(Gaps.begin(len(match.seats)), -1))

    def board_shown(self, match: LiveMatch, seen: Position) -> None:
        """Discord has shown everybody the board of this position."""
        if not match.over:
            self._look_all(match, seen)

    def _look_all(self, match: LiveMatch, seen: Position) -> None:
        for seat, user in enumerate(match.seats):
            if is_computer(user):
                self._look(match, seat, seen)

    def _look(self, match: LiveMatch, seat: Seat, seen: Position) -> None:
        race = self._race(match)
        if seat in race.acting or seen.acts < race.saw.get(seat, 0):
            return
        race.saw[seat] = seen.acts
        if match.inactive or not match.game.choices(seen.state, seat).offers:
            return
        task = asyncio.get_running_loop().create_task(self._race_on(match, race, seat, seen))
        race.acting[seat] = task
        task.add_done_callback(lambda _: race.acting.pop(seat, None))

    # ------------------------------------------------------------------------------------ acting

    async def _race_on(self, match: LiveMatch, race: _Race, seat: Seat, seen: Position) -> None:
        """Act, and look again in answer to the act, until there is nothing to do."""
        failed = 0
        while failed < len(self.thinkers):
            try:
                await self._act(match, race, seat, seen, self.thinkers[failed])
            except Refused:
                return  # it is over or on hold; the next board shows what is next
            except Exception as error:  # noqa: BLE001  whatever it is, other matches go on
                logs.log_error(error, "making a computer's act", self.telemetry, match_id=match.id)
                failed += 1
            else:
                failed = 0
            seen = match.position
            race.saw[seat] = seen.acts
            if match.over or match.inactive or not match.choices(seat).offers:
                return

    async def _act(self, match: LiveMatch, race: _Race, seat: Seat, seen: Position, thinker: Thinker) -> None:
        """React to what was seen.

        If the rules refuse the act after somebody else has acted, it came too late, as a person's can. Raises
        IllegalAction if nobody has.
        """
        key, level = match.game.info.key, level_of(match.seats[seat])
        if match.left_to_computers:
            await self._make(match, seat, Resign(), version_of(key, level))
            return
        pace = pace_of(key, level)
        began = self.scheduler.monotonic()
        try:
            events = await self.read.up_to(match, seen.acts)
        except StoreError:
            await self.scheduler.sleep(UNSAVED)
            return
        question = match.question(seat, level, rollouts_of(key, level), events, seen)
        answer = await thinker.answer(question, deadline_seconds=None)
        people = [other for other, user in enumerate(match.seats) if not is_computer(user) and match.is_in(other)]
        ahead = RACERS[key].ahead(question.view.public, seat)
        seconds = reaction_ms(race.gaps, people, pace, question.luck, ahead) / 1000
        await self.scheduler.sleep(max(0.0, began + seconds - self.scheduler.monotonic()))
        try:
            await self._make(match, seat, match.game.read(answer.act), version_of(key, level))
        except IllegalAction:
            if match.position.acts == seen.acts:
                raise

    async def _make(self, match: LiveMatch, seat: Seat, action: Any, computer: str) -> None:
        """Make an act. If it could not be saved, return after a while. Raises what `LiveMatch.act` raises."""
        try:
            await match.act(seat, action, computer=computer)
        except (Unsaved, StoreError):
            await self.scheduler.sleep(UNSAVED)
            return
        self.acted(match)
