"""The history of a run: what each person was told about each press and when, and what the bot wrote and when.

What they were told comes from Discord's side of the wire, what was written from the statements of the bot's database,
and what is kept from the last image of its disk. So nothing here is the bot's own opinion.
"""

from __future__ import annotations

import shutil
import sqlite3
import tempfile
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass, field, replace
from enum import Enum, auto
from functools import cached_property
from pathlib import Path
from typing import Any, Final
from unittest import mock

from bot.store.binding import now, person_key, writing
from bot.store.person_key import PersonKey
from bot.store.queries import counting_again, deleting, matches, packing, play
from bot.store.queries.database import Connection
from bot.store.queries.matches import MatchRow, Record, Result, TimerRow
from bot.store.queries.packing import PackedLog
from bot.store.store import Store
from cogs.screens import custom_ids
from tests.simulation import reading
from tests.simulation.happenings import Answer, Delivered, DiskImage, Failed, Happening, Life, Press, Simulation

OPENING: Final = frozenset({"accept", "start", "here"})
"""The verbs of presses that open a match."""
MOVES: Final = frozenset({"a", "d", "leave", "calloff"}) | OPENING
"""The verbs of presses that change a match, if they are accepted."""
MADE_BEFORE: Final = frozenset({"press.already_made", "press.made_before"})
"""Sentences that say that something was made by an earlier press, or by this one when it first came."""
UNDECIDED: Final = frozenset({"match.paused", "store.unsettled"})
"""Sentences that do not say what became of the press."""


_OPENED: Final = "SELECT 1 FROM matches WHERE id = ?1"
_APPLIED: Final = (
    "SELECT 1 FROM records WHERE interaction_id = ?1 UNION SELECT 1 FROM results WHERE interaction_id = ?1"
)

_PRESSES: Final = (
    "SELECT seq, interaction_id FROM records WHERE match_id = :match AND interaction_id IS NOT NULL"
    " UNION ALL SELECT NULL, interaction_id FROM results WHERE match_id = :match AND interaction_id IS NOT NULL"
)
"""The presses of a match, by their records."""


class Told(Enum):
    """What a person was told about a press."""

    NOTHING = auto()
    """No answer has reached them, or one that says nothing about it."""
    MADE = auto()
    MADE_BEFORE = auto()
    REFUSED = auto()
    FAILED = auto()
    """Discord said that the interaction failed."""


@dataclass(slots=True)
class Pressed:
    """A press that may change a match, and what came of it. `at` is when it was pressed."""

    id: int
    person: int
    match: str
    verb: str
    custom_id: str
    values: tuple[str, ...]
    message: int
    at: float
    delivered: list[tuple[float, int]] = field(default_factory=list)
    """When it reached which life of the bot."""
    told: Told = Told.NOTHING
    told_at: float = 0.0
    key: str = ""
    """The key of the sentence of a refusal, where it is one of the catalogue."""
    failed_at: float | None = None
    """When Discord said that it failed."""
    answers: list[tuple[float, str, int]] = field(default_factory=list)
    """When which kinds of answers reached Discord, and their HTTP status."""
    deferred: bool = False

    def reached_bot_before(self, moment: float) -> bool:
        """Whether it had reached the bot by then."""
        return any(at <= moment for at, _ in self.delivered)

    @property
    def in_time(self) -> bool:
        """Whether it had reached the bot when Discord said that it failed, if that did."""
        return self.failed_at is None or self.reached_bot_before(self.failed_at)

    def same_as(self, other: Pressed) -> bool:
        """Whether another press asks for the same of the same match."""
        return (self.person, self.custom_id, self.values) == (other.person, other.custom_id, other.values)


@dataclass(frozen=True, slots=True)
class Written:
    """A record that the bot wrote in a transaction that may have failed; `deal` is the first of a match.

    `at` is virtual time. `timers` are those that run afterwards; their deadlines are in the bot's time of day (ms),
    and so is `record.at`.
    """

    at: float
    record: Record
    timers: tuple[TimerRow, ...]
    over: bool


@dataclass(frozen=True, slots=True)
class Moved:
    """A match was suspended, or resumed with these timers. `at` is virtual time."""

    at: float
    match: str
    resumed: bool
    timers: tuple[TimerRow, ...] = ()


@dataclass(frozen=True)
class Log:
    """What a disk's image keeps: the matches, their records and results, and the presses that ended one."""

    rows: dict[str, MatchRow]
    records: dict[str, list[Record]]
    results: dict[str, Result]
    ended_by: dict[int, str]
    differing: int
    """How many standings are not what the results make."""

    @cached_property
    def presses(self) -> dict[int, str]:
        """The match of every interaction that the log has applied, but for those that opened one."""
        made = {
            record.interaction_id: match
            for match, records in self.records.items()
            for record in records
            if record.interaction_id is not None
        }
        return {**made, **self.ended_by}

    @cached_property
    def times_applied(self) -> Counter[int]:
        """How often the log has each press."""
        found = Counter(record.interaction_id for records in self.records.values() for record in records)
        found.update(self.ended_by.keys())
        return Counter({press: times for press, times in found.items() if press is not None})

    def keeps(self, pressed: Pressed) -> bool:
        """Whether what a press asked for is in the log."""
        return pressed.match in self.rows if pressed.verb in OPENING else pressed.id in self.presses


class History:
    """Everything that people were told and the bot wrote, gathered while a simulation runs."""

    def __init__(self) -> None:
        self.presses: dict[int, Pressed] = {}
        self._second_bots: set[int] = set()
        self.written: list[Written] = []
        self.moved: list[Moved] = []
        self.over: set[str] = set()
        """The matches whose result was written."""
        self.forgotten: dict[str, dict[int | None, int]] = {}
        """By match the presses that were forgotten as its log was packed: by their record, or None where one ended it
        without a record."""
        self.images: list[DiskImage] = []
        self.failures: list[Exception] = []
        """What laws raised while the bot was writing."""
        self._listeners: list[Callable[[Written | Moved], object]] = []
        self._log: tuple[DiskImage, Log] | None = None
        self._simulation: Simulation | None = None
        self._now: Callable[[], float] = lambda: 0.0

    def begin(self, simulation: Simulation) -> None:
        """Listen to a run."""
        self._simulation = simulation
        self._now = lambda: simulation.now
        simulation.record.listen(self.hear)

    def listen(self, listener: Callable[[Written | Moved], object]) -> None:
        """Call it with each thing that the bot writes."""
        self._listeners.append(listener)

    def press_of(self, written: Written) -> Pressed | None:
        """The press that made the bot write something.

        A deal does not name its own: it is the last that reached the bot before, rather one that had not failed, and
        rather one that failed while it was with the bot than one that came too late. After a cut line several come at
        once.
        """
        record = written.record
        if record.seq > 0:
            return self.presses.get(record.interaction_id or 0)
        opening = [
            each
            for each in self.presses.values()
            if each.match == record.match_id and each.verb in OPENING and each.reached_bot_before(written.at)
        ]
        return max(opening, key=lambda each: (each.failed_at is None, each.in_time, each.delivered[0][0]), default=None)

    def _reached_a_second_bot(self, press: int) -> bool:
        """Whether another process with the same token, and other data, was told of a press."""
        return any(life in self._second_bots for _, life in self.presses[press].delivered)

    def applied_at(self, pressed: Pressed) -> float:
        """When what a press asked for was written last; when it was pressed if it never was."""
        times = (each.at for each in reversed(self.written) if each.record.interaction_id == pressed.id)
        return next(times, pressed.at)

    def is_kept(self, pressed: Pressed) -> bool:
        """Whether what a press asked for is in the log of the bot that runs, or of the last image without one."""
        folders = [bot.folder for bot in self._simulation.bots] if self._simulation is not None else []
        folders += [image.path for image in self.images[-1:]]
        return any(_keeps(folder / "cardroom.db", pressed) for folder in folders[:1])

    def log(self) -> Log:
        """What the last image of the disk keeps. Raises LookupError if there is none."""
        if not self.images:
            raise LookupError("no image of the disk was taken")
        return self.log_of(self.images[-1])

    def log_of(self, image: DiskImage) -> Log:
        """What an image of the disk keeps: nothing that can be read, where a lying disk has damaged it. The next life
        goes on in it, so it may keep more by now."""
        if self._log is None or self._log[0] is not image:
            try:
                self._log = image, self._with_forgotten(log_of(image.path))
            except sqlite3.DatabaseError:
                if self._simulation is None or not self._simulation.weather.lying_syncs:
                    raise
                self._log = image, _NOTHING
        return self._log[1]

    def _with_forgotten(self, log: Log) -> Log:
        """A log with the presses that packed logs had."""
        records = {
            match: [replace(each, interaction_id=each.interaction_id or forgotten.get(each.seq)) for each in found]
            for match, found in log.records.items()
            if (forgotten := self.forgotten.get(match))
        }
        ended = {ids[None]: match for match, ids in self.forgotten.items() if None in ids and match in log.results}
        return replace(log, records={**log.records, **records}, ended_by={**log.ended_by, **ended})

    # ------------------------------------------------------------------------------------ what people are told

    def hear(self, happening: Happening) -> None:
        """Take in what has happened."""
        match happening:
            case Press():
                self._pressed(happening)
            case Delivered(press=press, at=at, life=life) if press in self.presses:
                self.presses[press].delivered.append((at, life))
            case Answer(press=press) if press in self.presses:
                _answered(self.presses[press], happening, doubled=self._reached_a_second_bot(press))
            case Life(life=life, folder=folder) if folder.name.startswith("second"):
                self._second_bots.add(life)
            case Failed(press=press, at=at) if press in self.presses:
                pressed = self.presses[press]
                pressed.failed_at = at
                if pressed.told is Told.NOTHING:
                    pressed.told, pressed.told_at = Told.FAILED, at
            case DiskImage():
                self.images.append(happening)

    def _pressed(self, press: Press) -> None:
        try:
            table, read = custom_ids.read(press.custom_id)
        except custom_ids.UnknownCustomId:
            return
        if read.verb in MOVES:
            self.presses[press.id] = Pressed(
                press.id, press.person, table, read.verb, press.custom_id, press.values, press.message, press.at
            )

    # ------------------------------------------------------------------------------------ what the bot writes

    @contextmanager
    def tapping(self) -> Iterator[None]:
        """Hear of everything that the bot writes about matches within the block."""
        usual = {name: getattr(play, name) for name in ("open_match", "append", "end", "suspend", "resume")}

        def open_match(
            db: Connection,
            moment: int,
            match: MatchRow,
            deal: Record,
            timers: Sequence[TimerRow],
            *,
            newcomers: Collection[bytes] = (),
        ) -> None:
            usual["open_match"](db, moment, match, deal, timers, newcomers=newcomers)
            self._write(Written(self._now(), deal, tuple(timers), over=False))

        def append(
            db: Connection,
            key: PersonKey,
            record: Record,
            timers: Sequence[TimerRow],
            result: Result | None = None,
            *more: Any,
        ) -> Any:
            effects = usual["append"](db, key, record, timers, result, *more)
            if result is not None:
                self.over.add(record.match_id)
            self._write(Written(self._now(), record, tuple(timers), over=result is not None))
            return effects

        def end(db: Connection, key: PersonKey, result: Result, *more: Any) -> None:
            usual["end"](db, key, result, *more)
            self.over.add(result.match_id)

        def suspend(db: Connection, match_id: str, *more: Any) -> None:
            usual["suspend"](db, match_id, *more)
            self._write(Moved(self._now(), match_id, resumed=False))

        def resume(db: Connection, match_id: str, channel_id: int, timers: Sequence[TimerRow], *more: Any) -> None:
            usual["resume"](db, match_id, channel_id, timers, *more)
            self._write(Moved(self._now(), match_id, resumed=True, timers=tuple(timers)))

        usual_packing = packing.put

        def put(db: Connection, log: PackedLog) -> None:
            found = db.execute(_PRESSES, {"match": log.match_id}).fetchall()
            self.forgotten.setdefault(log.match_id, {}).update(found)
            usual_packing(db, log)

        bound = {
            "put_packed_log": writing(put),
            "open_match": writing(open_match, now),
            "append": writing(append, person_key),
            "end_match": writing(end, person_key),
            "suspend_match": writing(suspend),
            "resume_match": writing(resume),
        }
        with ExitStack() as taps:
            for tap in (open_match, append, end, suspend, resume):
                taps.enter_context(mock.patch.object(play, tap.__name__, tap))
            taps.enter_context(mock.patch.object(packing, "put", put))
            for name, method in bound.items():
                taps.enter_context(mock.patch.object(Store, name, method))
            yield

    def _write(self, written: Written | Moved) -> None:
        if isinstance(written, Written):
            self.written.append(written)
        else:
            self.moved.append(written)
        for listener in self._listeners:
            try:
                listener(written)
            except Exception as error:  # noqa: BLE001  the bot called this, and must not meet a law's own error
                self.failures.append(error)


def _answered(pressed: Pressed, answer: Answer, *, doubled: bool) -> None:
    """Take in an answer that has reached Discord.

    Where a press was `doubled`, a second bot with other data may have been the first to answer. The bot whose match it
    is then puts its own answer in that place, and this is what its player reads.
    """
    came_second = doubled and bool(pressed.answers) and pressed.answers[-1][2] >= 400
    pressed.answers.append((answer.at, answer.kind, answer.status))
    corrected = came_second and answer.kind == "edit" and pressed.told is Told.REFUSED
    if not answer.taken or (pressed.told in {Told.MADE, Told.MADE_BEFORE, Told.REFUSED} and not corrected):
        return
    if answer.kind in {"deferred", "deferred_update"}:
        pressed.deferred = True
        return
    if answer.kind not in {"message", "update", "edit", "follow_up"}:
        return
    if answer.kind == "edit" and not pressed.deferred and not corrected and not _was_cut(pressed):
        return  # a hand that is kept up to date says nothing about the press that opened it
    told, key = meaning(pressed.verb, answer)
    if told is not Told.NOTHING:
        pressed.told, pressed.key, pressed.told_at = told, key, answer.at


def _was_cut(pressed: Pressed) -> bool:
    """Whether no first answer has reached Discord yet, so an edit is another try at it."""
    return not any(kind in {"message", "update"} and 200 <= status < 300 for _, kind, status in pressed.answers)


def meaning(verb: str, answer: Answer) -> tuple[Told, str]:
    """What an answer says about the press of a verb, and the key of its sentence."""
    said = reading.read(answer.payload)
    if verb in OPENING and any(control.verb == "cards" for control in said.controls):
        return Told.MADE, ""
    if said.is_hand:
        return _meaning_of_hand(said)
    key = next((key for key in map(reading.key_of, said.lines) if key), "")
    if verb == "calloff" and key == "calloff.done":
        return Told.MADE, key
    return _meaning_of_key(key), key


def _meaning_of_hand(said: reading.Reading) -> tuple[Told, str]:
    if said.note:
        key = reading.key_of(said.note)
        return _meaning_of_key(key), key
    if any(key in UNDECIDED or key.startswith("suspended.") for key in map(reading.key_of, said.lines)):
        return Told.NOTHING, ""
    return Told.MADE, ""


def _meaning_of_key(key: str) -> Told:
    if not key or key in UNDECIDED or reading.is_of_result(key):
        return Told.NOTHING
    return Told.MADE_BEFORE if key in MADE_BEFORE else Told.REFUSED


def _keeps(path: Path, pressed: Pressed) -> bool:
    """Whether a database, which may be in use, has what a press asked for."""
    subject: str | int = pressed.match if pressed.verb in OPENING else pressed.id
    statement = _OPENED if pressed.verb in OPENING else _APPLIED
    if not path.exists():
        return False
    with closing(sqlite3.connect(f"file:{path}?mode=ro&vfs=unix", uri=True)) as db:
        return db.execute(statement, (subject,)).fetchone() is not None


_NOTHING: Final = Log({}, {}, {}, {}, 0)
"""What is left by a process that was killed before it had made its file, or the tables in it."""


def log_of(image: Path) -> Log:
    """What a disk's image keeps. Raises sqlite3.DatabaseError for one that is damaged."""
    with tempfile.TemporaryDirectory() as folder:
        for file in image.glob("cardroom.db*"):
            if not file.name.endswith((".lock", "-shm")):
                shutil.copy2(file, folder)
        path = Path(folder) / "cardroom.db"
        if not path.exists():
            return _NOTHING
        with closing(sqlite3.connect(f"file:{path}?mode=rw", uri=True)) as db:
            return _log(db)


def _log(db: sqlite3.Connection) -> Log:
    if db.execute("SELECT 1 FROM sqlite_schema WHERE name = 'results'").fetchone() is None:
        return _NOTHING
    deleting.finish(db)  # as the next start does: until then standings are partly of somebody who is no more
    ids = [match_id for (match_id,) in db.execute("SELECT id FROM matches ORDER BY opened_at, id")]
    rows = {match_id: row for match_id in ids if (row := matches.find(db, match_id)) is not None}
    results = {match_id: result for match_id in ids if (result := matches.result(db, match_id)) is not None}
    records = {match_id: matches.records(db, match_id) for match_id in ids}
    ended = db.execute("SELECT interaction_id, match_id FROM results WHERE interaction_id IS NOT NULL")
    recounted = counting_again.recount(db)
    differing = recounted.differing + recounted.differing_lines
    return Log(rows, records, results, {int(press): str(match) for press, match in ended}, differing)
