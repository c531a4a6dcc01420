"""What must hold of a week of slow matches: nobody loses time, what is shown is kept, and notices are few."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from bot.play.live_match import LiveMatch
from bot.play.match_state import codec
from bot.store.queries.people import NoticeLevel
from bot.ui.catalogue import translations
from cogs.actions.digests import ALL
from cogs.actions.match_list import LISTED
from cogs.screens import custom_ids
from cogs.screens.board import shown_deadline
from cogs.updates.quiet_hours import Hours
from cogs.updates.shown_records import LITTLE, SOON
from engines.game import TimeUp
from tests.simulation import reading
from tests.simulation.happenings import Bot, Delete, Edit, Happening, MessageChange, Post, Simulation, Violation
from tests.simulation.history import History, Moved, Written
from tests.simulation.laws.foundation import Attendance, BaseLaw

if TYPE_CHECKING:
    from tests.simulation.slow_week import Townspeople

say = translations("en")
MINUTE: Final = 60.0
HOUR: Final = 3600.0
DAY: Final = 24 * HOUR
SLACK: Final = 5 * MINUTE
"""By how much of a day's clock what the looks saw may differ from what was: they are a minute apart."""
RIGHT_WITHIN: Final = HOUR
"""Seconds after which what is shown follows a deadline that has moved: edits of old messages are far apart."""
SILENT: Final = 1 << 12
"""The flag SUPPRESS_NOTIFICATIONS (https://discord.com/developers/docs/resources/message#message-object-message-flags)."""
_MENTION: Final = re.compile(r"<@(\d+)>")
DIGEST: Final = custom_ids.write(LISTED, ALL)
"""The button of a digest."""
WARNS: Final = say("notice.time_short_there", game="|", server="", when="").split("|")[0].lower()
"""How a warning begins, in a direct message and behind a name."""


@dataclass
class Figures:
    """What is printed of a week."""

    acts: int = 0
    planned: int = 0
    """Moves that were planned ahead and made."""
    rang: list[float] = field(default_factory=list)
    """How many seconds of their own each player had who lost by the clock."""
    held: int = 0
    """How often a shown time was held against the kept one."""
    pings: Counter[int] = field(default_factory=Counter)
    warnings: Counter[int] = field(default_factory=Counter)
    silent: Counter[int] = field(default_factory=Counter)
    """Notices, by person."""
    week_posts: int = 0
    week_edits: int = 0


class WeekLaw(BaseLaw):
    """A law about these people."""

    every = MINUTE

    def __init__(self, history: History, people: Townspeople) -> None:
        super().__init__(history)
        self.people = people
        self.attendance = Attendance()

    @property
    def figures(self) -> Figures:
        """Where it counts."""
        return self.people.figures


# ------------------------------------------------------------------------------------ clocks


class OwnTimeIsOwn(WeekLaw):
    """Nobody loses by the clock before they had a whole day in which they could have played."""

    name = "own time is own"
    why = "Nobody may lose by an outage, by a day off or by a pause."

    def __init__(self, history: History, people: Townspeople) -> None:
        super().__init__(history, people)
        self._since: dict[str, tuple[float, float]] = {}
        """By match: since when its question is open, and for how many seconds of that its players could not play."""
        self._looked = 0.0
        self._found: list[Violation] = []
        self._overdue: dict[str, float] = {}

    def begin(self, simulation: Simulation) -> None:
        super().begin(simulation)
        self.history.listen(self._written)

    def look(self) -> Iterable[Violation]:
        now, bot = self.simulation.now, self.attendance.look(self.simulation)
        for match_id, (since, lost) in self._since.items():
            if bot is None or self._stands(bot, match_id):
                self._since[match_id] = since, lost + now - max(self._looked, since)
        self._looked = now
        found, self._found = self._found, []
        yield from found
        if bot is not None and bot.app is not None and now - self.attendance.since > SLACK:
            for match in bot.app.matches.live():
                if any(bot.app.clock.now() - timer.deadline > SLACK * 1000 for timer in match.position.timers):
                    yield self.violation(f"match {match.id}: its clock is overdue and doesn't ring")

    def _stands(self, bot: Bot, match_id: str) -> bool:
        """Whether nobody whom a match waits for can be expected to play, as far as people know."""
        match = None if bot.app is None else bot.app.matches.playing(match_id)
        if match is None:
            return False
        asked = {match.seats[seat] for seat in match.awaited}
        return self.people.paused(match_id, self.simulation.now) or any(
            self.people.away(user, self.simulation.now) for user in asked
        )

    def _written(self, written: Written | Moved) -> None:
        if isinstance(written, Moved):
            return
        record = written.record
        match = next(
            (bot.app.matches.playing(record.match_id) for bot in self.simulation.bots if bot.app is not None), None
        )
        if record.actor is not None and record.computer is None:
            self.figures.acts += 1
            self.figures.planned += record.interaction_id is None
        elif record.seq > 0 and record.action is not None and match is not None and record.match_id in self._since:
            self._judge(record.match_id, codec(match.game.info.key).decode(record.action))
        if written.timers and not written.over:
            self._since[record.match_id] = written.at, 0.0
        else:
            self._since.pop(record.match_id, None)

    def _judge(self, match_id: str, action: object) -> None:
        """Whether a clock that rings is due."""
        if isinstance(action, TimeUp):
            since, lost = self._since[match_id]
            own = self.simulation.now - since - lost
            self.figures.rang.append(own)
            if own < DAY - SLACK:
                self._found.append(self.violation(f"match {match_id}: a clock rang after {own / HOUR:.2f} own hours"))


# ------------------------------------------------------------------------------------ what is shown


class ShownIsKept(WeekLaw):
    """Every deadline that is shown is the kept one: on boards, in notices and in digests."""

    name = "shown is kept"
    why = "People plan their day by what they read."
    every = 10 * MINUTE

    def __init__(self, history: History, people: Townspeople) -> None:
        super().__init__(history, people)
        self._said: dict[int, tuple[int, reading.Reading]] = {}
        self._wrong: dict[tuple[int, str], float] = {}

    def hear(self, happening: Happening) -> None:
        if isinstance(happening, Delete):
            self._said.pop(happening.message, None)
        elif isinstance(happening, MessageChange) and happening.reader is None:
            self._said[happening.message] = happening.channel, reading.read(happening.data)

    def look(self) -> Iterable[Violation]:
        bot = self.attendance.look(self.simulation)
        if bot is None or bot.app is None:
            self._wrong.clear()
            return
        wrong, now = dict[tuple[int, str], float](), self.simulation.now
        for subject, what in self._compare(bot):
            since = wrong[subject] = max(self._wrong.get(subject, now), self.attendance.since)
            if now - since > RIGHT_WITHIN:
                wrong[subject] = now  # say it once
                yield self.violation(what)
        self._wrong = wrong

    def _compare(self, bot: Bot) -> Iterator[tuple[tuple[int, str], str]]:
        assert bot.app is not None
        live = {match.id: match for match in bot.app.matches.live() if not match.inactive}
        for message, (channel, said) in self._said.items():
            match = live.get(said.subject)
            if match is not None:
                deadline = shown_deadline(match)
                times = said.times()
                if deadline is not None and times:
                    self.figures.held += 1
                    if not any(self._agree(bot, each, deadline) for each in times):
                        yield (message, match.id), f"match {match.id}: message {message} shows another deadline"
            elif any(control.custom_id == DIGEST for control in said.controls):
                user = self.people.of_direct(channel)
                if user is not None:
                    yield from self._digest(bot, message, user, said)

    def _digest(
        self, bot: Bot, message: int, user: int, said: reading.Reading
    ) -> Iterator[tuple[tuple[int, str], str]]:
        assert bot.app is not None
        waiting = [match for match in bot.app.matches.of_player(user, None) if _waits(match, user)]
        kept = sorted(found for match in waiting if (found := shown_deadline(match)) is not None)
        shown = sorted(said.times())
        self.figures.held += len(kept)
        if len(kept) != len(shown) or not all(
            self._agree(bot, at, deadline) for at, deadline in zip(shown, kept, strict=True)
        ):
            yield (message, "digest"), f"the digest of {user} shows {shown}, and {kept} are kept"

    def _agree(self, bot: Bot, shown: int, deadline: int) -> bool:
        """Whether a shown moment (s) is a deadline (ms), or so far ahead that little matters yet (decision 34)."""
        moved = abs(shown - deadline // 1000)
        left = min(shown, deadline // 1000) - bot.wall()
        return moved <= 1 or left > max(SOON, LITTLE * moved)


def _waits(match: LiveMatch, user: int) -> bool:
    return not match.inactive and any(match.seats[seat] == user for seat in match.awaited)


# ------------------------------------------------------------------------------------ notices


class NoticesAreFew(WeekLaw):
    """Nobody has more than one ping an hour, any in quiet hours, or one in a way that they did not choose."""

    name = "notices are few"
    why = "Who is called too often mutes the bot, and who sleeps is asleep."

    def __init__(self, history: History, people: Townspeople) -> None:
        super().__init__(history, people)
        self._last: dict[int, float] = {}
        self._digests: dict[int, tuple[float, int]] = {}
        """By person, when their first one came, and how many have come."""
        self._found: list[Violation] = []

    def hear(self, happening: Happening) -> None:
        if not isinstance(happening, Post) or happening.by != "bot" or happening.reader is not None:
            return
        direct = self.people.of_direct(happening.channel)
        notified = [int(each["id"]) for each in happening.data.get("mentions", ())] if direct is None else [direct]
        said = reading.read(happening.data)
        silent = bool(int(happening.data.get("flags", 0)) & SILENT)
        for user in notified:
            self._notice(user, said, silent=silent, direct=direct is not None)
        named = _MENTION.search(said.lines[0]) if said.lines else None
        if not notified and named is not None:
            self.figures.silent[int(named[1])] += 1

    def _notice(self, user: int, said: reading.Reading, *, silent: bool, direct: bool) -> None:
        if silent:
            self.figures.silent[user] += 1
            return
        warning = bool(said.lines) and WARNS in said.lines[0].lower()
        wish, now = self.people.wishes[user], self.simulation.now
        (self.figures.warnings if warning else self.figures.pings)[user] += 1
        if not warning:  # a warning comes in any case
            if now - self._last.get(user, -DAY) < HOUR - 1.0:
                self._found.append(self.violation(f"{user} was notified twice within an hour"))
            self._last[user] = now
            if wish.is_quiet(self.people.time_of_day(now)):
                self._found.append(self.violation(f"{user} was notified in their quiet hours: {said.lines[:1]}"))
        if wish.level is NoticeLevel.DIGEST and not warning:
            first, number = self._digests.get(user, (now, 0))
            self._digests[user] = first, number + 1
            if number + 1 > (now - first) // DAY + 2:  # one at once, and each day one at its hour
                self._found.append(self.violation(f"{user} had more than one notice a day"))
        allowed = {
            NoticeLevel.NONE: (),
            NoticeLevel.QUIET: (),
            NoticeLevel.PING: (False,),
            NoticeLevel.DIRECT: (True,),
            NoticeLevel.DIGEST: (True,),
        }[wish.level]
        if direct not in allowed:
            self._found.append(self.violation(f"{user} was notified otherwise than at {wish.level}: {said.lines[:1]}"))

    def look(self) -> Iterable[Violation]:
        found, self._found = self._found, []
        return found


# ------------------------------------------------------------------------------------ the servers' messages


class OneMessageAKind(WeekLaw):
    """In the channel of its week a server has one silent message of each kind, which is edited."""

    name = "one message a kind"
    why = "A bot that posts into a server again and again is muted or removed."

    def __init__(self, history: History, people: Townspeople) -> None:
        super().__init__(history, people)
        self._there: dict[int, tuple[int, str]] = {}
        self._found: list[Violation] = []

    def hear(self, happening: Happening) -> None:
        if not isinstance(happening, MessageChange) or happening.channel not in self.people.week_channels:
            return
        if isinstance(happening, Delete):
            self._there.pop(happening.message, None)
            return
        kind = reading.read(happening.data).subject
        self._there[happening.message] = happening.channel, kind
        self.figures.week_posts += isinstance(happening, Post)
        self.figures.week_edits += isinstance(happening, Edit)
        if isinstance(happening, Post) and not int(happening.data.get("flags", 0)) & SILENT:
            self._found.append(self.violation(f"message {happening.message} of {kind} is not silent"))

    def look(self) -> Iterable[Violation]:
        found, self._found = self._found, []
        yield from found
        for (channel, kind), number in Counter(self._there.values()).items():
            if number > 1:
                yield self.violation(f"channel {channel} has {number} messages of {kind}")


LAWS: Final = (OwnTimeIsOwn, ShownIsKept, NoticesAreFew, OneMessageAKind)


@dataclass
class Wish:
    """How somebody wants to be notified, as they said it last. `ahead` are the hours of their clock ahead of UTC."""

    level: NoticeLevel = NoticeLevel.PING
    hours: Hours | None = None
    ahead: int = 0

    def is_quiet(self, at: float) -> bool:
        """Whether a moment (s since 1970) is in their quiet hours."""
        return self.hours is not None and self.hours.has((int(at // HOUR) + self.ahead) % 24)
