"""What stands on Discord is the present state, whenever nothing is under way."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from math import isinf
from typing import Final

from bot.play.live_match import LiveMatch
from bot.ui.isolation import ISOLATE
from bot.ui.screen import Screen
from cogs.screens import custom_ids
from cogs.screens.board import board_screen
from cogs.screens.hands.hand import hand_screen
from cogs.screens.renderer import render
from cogs.screens.safe_names import safe_name
from cogs.updates.shown_records import LITTLE, SOON
from tests.insides import Insides
from tests.simulation.happenings import Delete, Disturbance, Happening, Life, MessageChange, Press, Violation
from tests.simulation.history import History
from tests.simulation.laws.foundation import (
    Attendance,
    BaseLaw,
    Troubles,
    requests_fail,
    slowest_way,
    slowness,
)
from tests.simulation.laws.pending import PendingEdits
from tests.simulation.reading import Reading, key_of, read
from tests.wrapped_text import unwrapped

QUIET: Final = 8.0
"""Seconds after which a screen is right again, if nothing changes."""
PRESSED: Final = 6.0
"""Seconds for which a press may still change its own screen."""
REPAIRED: Final = 150.0
"""Seconds after which a screen is right again though requests fail: all tries of an edit, and a little more."""
LOSSES: Final = ("channel hidden", "server gone")
"""Disturbances by which the bot loses a place for a time. What it may not do then it does not try again."""
NOTE_LINES: Final = 5
"""How many lines a note may take the place of."""
_MOMENT: Final = re.compile(r"<t:(\d+):R>")
_NAMED_FIRST: Final = re.compile(rf"{ISOLATE}?<@(\d+)>")
"""How a notice begins in a channel."""
TOKEN: Final = 14 * 60.0
"""Seconds for which a hand is kept up to date: a little less than its token is valid."""


@dataclass(slots=True)
class Shown:
    """A message on Discord: where it is, who reads it (None: all), and the press through which it was made last."""

    id: int
    channel: int
    reader: int | None
    press: int
    said: Reading
    at: float
    """When it was first there."""


class Screens:
    """All messages of the bot that are there, as they were last changed."""

    def __init__(self) -> None:
        self.messages: dict[int, Shown] = {}
        self.pressed: dict[int, tuple[float, str]] = {}
        """When each interaction was made, and on which match."""
        self.latest: dict[tuple[str, int], int] = {}
        """The message with the latest hand that was opened, by match and person."""
        self._deleted: set[int] = set()
        """The channels that were deleted: what only one person saw there is gone without an event of its own."""

    def hear(self, happening: Happening) -> None:
        """Take in what has happened."""
        if isinstance(happening, Press):
            self.pressed[happening.id] = happening.at, table_of(happening.custom_id)
        elif isinstance(happening, Delete):
            self.messages.pop(happening.message, None)
        elif isinstance(happening, Disturbance) and happening.kind == "channel hidden" and isinf(happening.until):
            self._deleted.add(happening.subject)
            for message in [each.id for each in self.messages.values() if each.channel == happening.subject]:
                del self.messages[message]
        elif isinstance(happening, MessageChange) and happening.channel not in self._deleted:
            said = read(happening.data)
            former = self.messages.get(happening.message)
            press = max(happening.press, former.press if former else 0)
            at = happening.at if former is None else former.at
            shown = Shown(happening.message, happening.channel, happening.reader, press, said, at)
            self.messages[happening.message] = shown
            subject = said.subject or self.pressed.get(press, (0.0, ""))[1]  # a hand may have no button
            if happening.reader is not None and said.is_hand and subject:
                seat = subject, happening.reader
                last = self.messages.get(self.latest.get(seat, 0))
                if last is None or last.press <= press:
                    self.latest[seat] = happening.message


class ScreenLaw(BaseLaw, ABC):
    """A law that compares messages with the bot's state again and again.

    Something may be wrong for `QUIET` seconds after the last change while no edit is under way. If requests may fail it
    may be wrong for `REPAIRED` seconds, but then whatever changes meanwhile.
    """

    every = 3.0
    screens: Screens
    pending: PendingEdits

    def __init__(self, history: History, screens: Screens, pending: PendingEdits) -> None:
        super().__init__(history)
        self.screens = screens
        self.pending = pending
        self.attendance = Attendance()
        self.troubles = Troubles()
        self._acts: dict[str, tuple[object, float]] = {}
        self._wrong: dict[object, float] = {}

    def hear(self, happening: Happening) -> None:
        self.troubles.hear(happening)

    def board_is_pending(self, app: Insides, match: LiveMatch) -> bool:
        """Whether an edit of a match's board was asked for in either way, and not carried out yet."""
        channel = match.channel_id
        buckets = ("channel", channel), ("old messages", channel), ("board", match.board_id)
        return any((app.updates.edit_queue, bucket, match.id) in self.pending for bucket in buckets)

    def look(self) -> Iterable[Violation]:
        bot = self.attendance.look(self.simulation)
        if bot is None or bot.app is None:
            self._wrong.clear()
            return
        for match in bot.app.matches.live():
            self._note_change(match)
        wrong: dict[object, float] = {}
        for subject, changed, busy, what in self.compare(bot.app):
            now = self.simulation.now
            since = self._wrong.get(subject, now)
            wrong[subject] = since
            quiet_since = max(since, changed, self.attendance.since, self.troubles.last("standstill"))
            settled = not busy and now - quiet_since > self._quiet()
            if settled or now - max(since, self.attendance.since) > REPAIRED + 4 * slowness(self.simulation.weather):
                wrong[subject] = now + 600.0  # say it once
                yield self.violation(f"{what}, wrong since {since:.1f}")
        self._wrong = wrong

    @abstractmethod
    def compare(self, app: Insides) -> Iterator[tuple[object, float, bool, str]]:
        """What is wrong now: its subject, when that last changed, whether an edit is under way, and in words."""

    def changed(self, match: LiveMatch) -> float:
        """When a match was last seen to change."""
        return self._acts[match.id][1] if match.id in self._acts else self.simulation.now

    def _note_change(self, match: LiveMatch) -> None:
        state = (match.position, match.over, match.suspended, match.failed, match.agreed, match.board_id)
        former = self._acts.get(match.id)
        if former is None or former[0] != state:
            self._acts[match.id] = state, self.simulation.now

    def _quiet(self) -> float:
        """Seconds without a change after which everything is right. A slow edit is still pending, but a slow answer to
        a press is not, and the edit that sets it right begins once the bot hears that it was taken."""
        weather = self.simulation.weather
        bot = 6 * weather.disk_latency + 50_000 * weather.step_cost
        return (REPAIRED if requests_fail(weather) else QUIET) + 2 * slowest_way(weather) + bot


class HandsAreTrue(ScreenLaw):
    """An open hand shows the present state."""

    name = "hands are true"
    why = "X1, X3: a hand that stays wrong makes its owner play on what is no longer so."

    def __init__(self, history: History, screens: Screens, pending: PendingEdits) -> None:
        super().__init__(history, screens, pending)
        self._began = 0.0

    def hear(self, happening: Happening) -> None:
        super().hear(happening)
        if isinstance(happening, Life) and happening.step == "started":
            self._began = happening.at

    def compare(self, app: Insides) -> Iterator[tuple[object, float, bool, str]]:
        now = self.simulation.now
        began = self._began
        for (match_id, person), message in list(self.screens.latest.items()):
            shown, match = self.screens.messages.get(message), app.matches.playing(match_id)
            if shown is None or match is None or not shown.said.is_hand:
                continue
            pressed, _ = self.screens.pressed.get(shown.press, (0.0, ""))
            if pressed < began or now - pressed > TOKEN:
                continue
            seat = match.seat_of(person)
            if seat is None:
                continue
            difference = self._difference(app, match, seat, shown.said)
            if difference:
                busy = self.pending.anything(app.updates.edit_queue, "hand", match.id, seat)
                changed = max(self.changed(match), pressed - QUIET + PRESSED)
                yield (
                    (message, match_id),
                    changed,
                    busy,
                    f"{match.game.info.key} {match_id}: hand {message} {difference}",
                )

    def _difference(self, app: Insides, match: LiveMatch, seat: int, said: Reading) -> str:
        """What is wrong with a hand; empty if nothing is."""
        return next(
            iter(
                sorted(
                    (differences(said, self._rendered(app, match, seat, selection)) for selection in selections(said)),
                    key=len,
                )
            )
        )

    def _rendered(self, app: Insides, match: LiveMatch, seat: int, selection: str) -> Reading:
        reader = app.readers.on_seat(match, seat, app.wording.of_server(match.guild_id))  # in their own form of cards
        presenter = app.presenters[match.game.info.key]
        screen = hand_screen(match, seat, presenter, reader, selection=selection)
        return read({"components": render(screen, match.id)})


class BoardsAreTrue(ScreenLaw):
    """A board shows the present state."""

    name = "boards are true"
    why = "Everybody goes by the board, and no press of theirs repairs it."

    def compare(self, app: Insides) -> Iterator[tuple[object, float, bool, str]]:
        for match in app.matches.live():
            shown = self.screens.messages.get(match.board_id or 0)
            if match.suspended is not None or shown is None:
                continue
            difference = self._difference(app, match, shown.said, app.public_screens.board(match))
            if difference and all(
                self._difference(app, match, shown.said, each) for each in _in_both_forms(app, match)
            ):
                busy = self.board_is_pending(app, match)
                what = f"{match.game.info.key} {match.id}: board {shown.id} {difference}"
                yield match.id, self.changed(match), busy, what

    def _difference(self, app: Insides, match: LiveMatch, said: Reading, board: Screen) -> str:
        expected = read({"components": render(board, match.id)})
        return differences(
            _with_moved_moments(_with_names(said, match, app), expected, app.clock.now() // 1000), expected
        )


def _in_both_forms(app: Insides, match: LiveMatch) -> Iterator[Screen]:
    """A board as a picture and in words: after a late edit those of a channel are words for a while, and each changes
    its form with its next edit alone."""
    reader, presenter = app.readers.public(match), app.presenters[match.game.info.key]
    for pictured in (True, False):
        yield board_screen(match, presenter, reader, pictured=pictured)


def _with_names(said: Reading, match: LiveMatch, app: Insides) -> Reading:
    """What a board says, with the names of players who had none yet: it shows a new name with its next change."""
    lines = said.lines
    for user, name in zip(match.seats, app.readers.public(match).names, strict=True):
        nameless = safe_name("", user)
        lines = tuple([line.replace(nameless, name) for line in lines])
    return replace(said, lines=lines)


def _with_moved_moments(said: Reading, expected: Reading, now: int) -> Reading:
    """What a board says, with deadlines as they are now where they moved little: it shows those an hour before they
    are due, or sooner if they moved more (decision 34)."""
    wanted = {_MOMENT.sub("", line): line for line in expected.lines}

    def moved(line: str) -> str:
        other = wanted.get(_MOMENT.sub("", line), line)
        pairs = zip(map(int, _MOMENT.findall(line)), map(int, _MOMENT.findall(other)), strict=True)
        late = all(was == at or at - max(SOON, LITTLE * abs(at - was)) > now for was, at in pairs)
        return other if late else line

    return replace(said, lines=tuple(map(moved, said.lines)))


class OneBoardAMatch(ScreenLaw):
    """No match has two boards with living buttons."""

    name = "one board a match"
    why = "F8, F44: an old board beside the new one shows an old state for ever."

    def compare(self, app: Insides) -> Iterator[tuple[object, float, bool, str]]:
        boards = Counter(
            shown.said.subject
            for shown in self.screens.messages.values()
            if shown.reader is None and any(control.verb == "resign" for control in shown.said.controls)
        )
        for match in app.matches.live():
            if boards[match.id] > 1 and match.suspended is None:
                busy = self.board_is_pending(app, match)
                yield match.id, self.changed(match), busy, f"match {match.id} has {boards[match.id]} boards"


class MentionsAreNeeded(ScreenLaw):
    """A mention stands only while its player is awaited."""

    name = "mentions are needed"
    why = "A mention of an answered question calls people for nothing."

    def compare(self, app: Insides) -> Iterator[tuple[object, float, bool, str]]:
        awaited = {(match.channel_id, match.seats[seat]) for match in app.matches.live() for seat in match.awaited}
        changed = max((self.changed(match) for match in app.matches.live()), default=0.0)
        for shown in self.screens.messages.values():
            if shown.reader is not None or not shown.said.lines:
                continue
            first = shown.said.lines[0]
            named = _NAMED_FIRST.match(first)
            if named is None or key_of(first.partition(" https://")[0]) not in {
                "notice.your_turn",
                "notice.time_short",
            }:
                continue
            person = int(named[1])
            if (shown.channel, person) not in awaited and not self._was_lost(shown):
                busy = self.pending.anything(app.updates.edit_queue, "notice", shown.channel)
                yield shown.id, changed if busy else 0.0, busy, f"mention {shown.id} of {person} is not needed"

    def _was_lost(self, shown: Shown) -> bool:
        """Whether the bot could not reach the message's channel or its server for a time."""
        channel = self.simulation.sandbox.world.channels.get(shown.channel)
        server = 0 if channel is None or channel.server is None else channel.server.id
        return any(
            each.subject in {0, shown.channel, server}
            for each in self.troubles.between(shown.at, self.simulation.now, *LOSSES)
        )


# ------------------------------------------------------------------------------------ comparing


def selections(said: Reading) -> tuple[str, ...]:
    """What may be selected on a hand, as in the ids: what it shows, and nothing."""
    return tuple(dict.fromkeys((said.selection, "")))


def differences(said: Reading, expected: Reading) -> str:
    """What differs, in words and without cards; empty if nothing does.

    A note is allowed: a sentence that answers a press. It takes the place of other lines, so nothing moves.
    """
    lacks, surplus = Counter(expected.lines) - Counter(said.lines), Counter(said.lines) - Counter(expected.lines)
    note = unwrapped(said.note)
    for line in list(surplus) if note else ():
        if line.endswith("…") or unwrapped(line).removeprefix("-# ").strip("*") in note:  # or a line is cut for it
            del surplus[line]
    if surplus.total() > 0 or lacks.total() > (NOTE_LINES if note else 0):
        return f"says {_kinds(+surplus)} instead of {_kinds(lacks)}"
    shown = [(control.custom_id, control.label, control.disabled) for control in said.controls]
    wanted = [(control.custom_id, control.label, control.disabled) for control in expected.controls]
    if shown != wanted:
        return f"has other buttons: {_verbs(said)} instead of {_verbs(expected)}"
    return ""


def _kinds(lines: Counter[str]) -> str:
    """The sentences that lines are, without what is filled in."""
    kinds = sorted(key_of(line.removeprefix("> ").removeprefix("-# ")) or "a line of another kind" for line in lines)
    return ", ".join(kinds) or "nothing"


def _verbs(said: Reading) -> str:
    found = Counter(f"{control.verb}{_window(control.custom_id)}" for control in said.controls)
    return " ".join(f"{verb}×{times}" if times > 1 else verb for verb, times in found.items())


def table_of(custom_id: str) -> str:
    """The match that a button acts on, or that it opens from elsewhere; empty if its id is none of ours."""
    try:
        target, press = custom_ids.read(custom_id)
    except custom_ids.UnknownCustomId:
        return ""
    return press.arg if press.verb == "open" else target


def _window(custom_id: str) -> str:
    try:
        return str(custom_ids.read(custom_id)[1].window or "")
    except custom_ids.UnknownCustomId:
        return ""
