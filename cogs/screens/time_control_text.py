"""Time controls as players read and type them, and how long a match lasts with one."""

from __future__ import annotations

import re
from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from bot import durations
from bot.games import GAMES
from bot.play.clocks.match_lengths import expected_minutes
from bot.play.live_match import LiveMatch
from bot.play.refusals import Refused
from bot.time_controls import TIME_CONTROLS, TimeControl, time_control
from bot.ui.catalogue import Translations
from engines.game import Seat

_PARTS = (("d", "clock.days"), ("h", "clock.hours"), ("m", "clock.minutes"), ("s", "clock.seconds"))
_IN_SECONDS = 120
"""Times shorter than this many seconds are shown in seconds only."""


def time_control_label(clock: TimeControl, words: Translations) -> str:
    """The label of a time control: a preset's name and time, both times of a bank, or just the time of any other."""
    bank = clock.bank
    if bank is not None:
        key = "clock.bank_days" if bank.by_day else "clock.bank"
        return words(key, bank=time_label(bank.whole, words), more=time_label(bank.more, words))
    return words(f"clock.{clock.key}") if clock.key in durations.PRESETS else time_label(clock.turn, words)


def clock_line(clock: TimeControl, words: Translations) -> str:
    """A match's clock as a line: how long a turn lasts, or both times of a bank."""
    return words("settings.clock" if clock.bank else "board.clock", clock=time_control_label(clock, words))


def time_label(seconds: int, words: Translations) -> str:
    """A time in words, such as "1 hour 30 minutes"."""
    if seconds < _IN_SECONDS:
        return words.count("clock.seconds", seconds)
    parts: list[str] = []
    for unit, key in _PARTS:
        number, seconds = divmod(seconds, durations.UNITS[unit])
        if number:
            parts.append(words.count(key, number))
    return words.time(parts)


def length_text(
    game: str, options: Any, seats: int, clock: TimeControl, words: Translations, *, others_may_join: bool = False
) -> str:
    """About how long a match lasts, with the number of players if others may join; empty if nobody can say."""
    minutes = expected_minutes(game, options, seats, clock)
    if minutes is None:
        return ""
    if others_may_join and len(GAMES[game].info.seats) > 1:
        return words.count("length.minutes_for", minutes, seats=seats)
    return words.count("length.minutes", minutes)


def read_time_control(text: str, words: Translations) -> TimeControl:
    """The time control that somebody typed or picked. Raises Refused for any other text, with what is accepted."""
    typed = _without_turn(durations.plain(text), words)
    for named in TIME_CONTROLS.values():
        label = durations.plain(time_control_label(named, words))
        if typed in {label, re.split("[,、،]", label)[0]}:
            return named
    typed, by_day = _without_move(typed, words)
    try:
        return time_control(durations.read_clock(typed, words.typed, by_day=by_day))
    except durations.NoSuchBank:
        each = {
            "least": durations.LEAST_BANK,
            "most": durations.MOST_TURN,
            "day": durations.DAY,
            "more": durations.LEAST_MORE,
        }
        raise Refused("clock.no_bank", **{name: time_label(time, words) for name, time in each.items()}) from None
    except durations.OutOfRange:
        least, most = time_label(durations.LEAST_TURN, words), time_label(durations.MOST_TURN, words)
        raise Refused("clock.out_of_range", least=least, most=most) from None
    except durations.NotATime:
        raise Refused("clock.unreadable") from None


def _without_turn(typed: str, words: Translations) -> str:
    """A typed time without what an offer says around it: "per turn"."""
    before, after = durations.plain(words("clock.offer", clock="\0")).split("\0")
    return typed.removeprefix(before).removesuffix(after).strip()


def _without_move(typed: str, words: Translations) -> tuple[str, bool]:
    """A typed bank without what its label says of the second time, and whether that comes by the day."""
    whole, plus, more = (part.strip() for part in typed.partition("+"))
    for key, by_day in (("clock.bank", False), ("clock.bank_days", True)):
        label = durations.plain(words(key, bank="", more="\0")).partition("+")[2]
        before, after = (part.strip() for part in label.split("\0"))
        if plus and more.startswith(before) and more.endswith(after):
            return f"{whole}+{more.removeprefix(before).removesuffix(after)}", by_day
    return typed, False


def offered_time_controls(text: str, words: Translations) -> list[tuple[str, str]]:
    """The time controls to offer for what is typed so far, as (label, key): presets that match, and its own reading.

    A number alone means minutes; it is offered in the other units too.
    """
    typed = text.strip().casefold()
    found = [named for named in TIME_CONTROLS.values() if typed in time_control_label(named, words).casefold()]
    number = durations.bare_number(typed)
    if number is not None:
        lengths = [number * durations.UNITS[unit] for unit in ("m", "s", "h", "d")]
        found = [
            *(
                time_control(durations.key_of(length))
                for length in lengths
                if durations.LEAST_TURN <= length <= durations.MOST_TURN
            ),
            *found,
        ]
    elif typed:
        with suppress(Refused):  # it is not a time yet; the answer to the command will say why
            found.insert(0, read_time_control(typed, words))
    return [(_offer(each, words), each.key) for each in dict.fromkeys(found)]


def _offer(clock: TimeControl, words: Translations) -> str:
    label = time_control_label(clock, words)
    return label if clock.key in TIME_CONTROLS or clock.bank else words("clock.offer", clock=label)


def time_left(match: LiveMatch, seat: Seat, words: Translations) -> str:
    """What a seat had left when the question began, which only acts change. Empty without a bank, and for computers."""
    banks = match.banks
    if banks is None or match.over or seat in banks.by_computers:
        return ""
    return f"⏱️ {_short(banks.left[seat] // 1000, words)}"


def times_left(match: LiveMatch, words: Translations) -> Mapping[Seat, str]:
    """What each seat has left that is still in, counted down by Discord while its time runs. Whom alone the match waits
    for has none here: until when is said beside the question."""
    if match.over or match.banks is None:
        return {}
    told = dict[Seat, str]()
    for seat in filter(match.is_in, range(len(match.seats))):
        due, text = match.due_for(seat), time_left(match, seat, words)
        if text and (due is None or len(match.awaited) > 1):
            told[seat] = text if due is None else f"⏳ <t:{due // 1000}:R>"
    return told


def _short(seconds: int, words: Translations) -> str:
    """A time as on a chess clock; from an hour on in words, and from a day on without minutes."""
    if seconds < durations.UNITS["h"]:
        return f"{seconds // 60}:{seconds % 60:02}"
    unit = durations.UNITS["h"] if seconds >= durations.UNITS["d"] else durations.UNITS["m"]
    return time_label(seconds - seconds % unit, words)
