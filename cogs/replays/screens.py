"""A step of a replay on one screen: what happened, the board as it looked, and the hands that these eyes saw.

It tells neither who won nor how long the match is, until somebody asks for the result or has come to the last step.
The rows below the text are the same at every step, so no button moves under a finger.

Whose eyes there are, the result and the files are behind *More…*.

What is shown is in the buttons' ids, so nothing of it is stored, and it survives a restart. The id's window is the
present step, and its argument is `<way>.<eyes>.<shown>`: where to go from there (`Way`), through whose eyes
(`Eyes.name`), and what was asked to be shown: `r` the result, `m` what is behind *More…*. So no id tells how long a
match is. The argument of `REPLAY` opens a replay at the deal.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import partial
from typing import Final

from bot.play.live_match import LiveMatch
from bot.store.queries.finished_matches import FinishedMatch
from bot.store.special_ids import is_direct
from bot.ui.screen import Button, Log, Option, Picture, Press, Rows, Rule, Screen, Section, Select, Text, Tone
from cogs.replays.exports import EXPORTS
from cogs.replays.replay import Eyes, Replay, Seen, read_eyes
from cogs.replays.told_step import board_after, step_words
from cogs.screens import tables
from cogs.screens.cards.fitting import fitting
from cogs.screens.custom_ids import UnknownCustomId
from cogs.screens.endings import outcome
from cogs.screens.presenter import Pictured, Presenter, Reader, seat_discs
from cogs.screens.renderer import LONGEST_OPTION, is_whole
from cogs.screens.result import HANDS, MOST_SINGLY
from cogs.screens.safe_names import unescaped
from engines.game import Seat

REPLAY: Final = Press("replay", 0, "o")
"""Opens the replay of a match that is over."""
LONG_PAUSE: Final = 3600 * 1000
"""After so long (ms) without a step, the next one is shown with its date."""

_VIEW: Final = re.compile(r"([a-z0-9])\.([a-z0-9]{1,2})\.(r?m?)")


@dataclass(frozen=True, slots=True)
class ShownReplay:
    """A replay, the match that it is of, how its game is shown, and who wants it to be private."""

    replay: Replay
    match: LiveMatch
    presenter: Presenter
    finished: FinishedMatch

    def title(self, reader: Reader) -> str:
        """The game and who played; not who won."""
        players = reader.words("board.versus").join(reader.names)
        return reader.words("replay.title", game=self.match.game.info.title, players=players)


def replay_button(_match: LiveMatch, reader: Reader) -> tuple[Button, ...]:
    """Opens the replay of a finished match."""
    return (Button(reader.words("button.replay"), REPLAY),)


def first_view(reader: Reader) -> View:
    """Where a replay begins: at the deal, for a player through their own eyes, for others with all hands."""
    eyes = Eyes.all_hands(len(reader.names)) if reader.seat is None else Eyes.of(reader.seat)
    return View(0, eyes)


def replay_screen(shown: ShownReplay, view: View, reader: Reader) -> Screen:
    """A step of a replay, or what is behind its *More…*. The reader's seat is their own in the match, also when they
    look through other eyes. The table is a picture for all who don't have cards as words."""
    if view.more:
        return _more(shown, view, reader)
    if isinstance(shown.presenter, Pictured) and not reader.cards.is_spoken:
        return _step(shown, view, reader, shown.presenter)
    return _in_words(shown, view, reader)


def _in_words(shown: ShownReplay, view: View, reader: Reader) -> Screen:
    return fitting(reader, lambda reader: _step(shown, view, reader), is_whole)


def _step(shown: ShownReplay, view: View, reader: Reader, pictured: Pictured | None = None) -> Screen:
    replay, presenter = shown.replay, shown.presenter
    seen = replay.see(view.step, view.eyes)
    told = step_words(replay, seen, presenter, reader)
    if pictured is None:
        table, in_words = (*board_after(replay, seen, presenter, reader), *_hands(seen, presenter, reader)), None
    else:
        table, in_words = _picture(shown, seen, pictured, reader), partial(_in_words, shown, view, reader)
    sections: tuple[Section, ...] = (
        Text(_heading(shown, view, reader)),
        *((Log(told),) if told else ()),
        *_result(shown, view, reader),
        Rule(),
        *table,
    )
    rows = (_ways(view, replay.last, reader),)
    return Screen(shown.title(reader), sections, rows, _footer(shown, reader), Tone.MAIN, in_words)


def _more(shown: ShownReplay, view: View, reader: Reader) -> Screen:
    """What few people press: whose eyes, which files, and what can be asked for."""
    sections = (Text(_heading(shown, view, reader)),)
    rows: Rows = (*_lists(shown, view, reader), _asking(shown, view, reader))
    return Screen(shown.title(reader), sections, rows, _footer(shown, reader), Tone.MAIN)


# ---------------------------------------------------------------------------------------------- what it shows


def _tells_end(shown: ShownReplay, view: View) -> bool:
    return view.result or view.step == shown.replay.last


def _heading(shown: ShownReplay, view: View, reader: Reader) -> str:
    """Which step this is, and when it was made; of how many, only to those who asked for the result."""
    words, last = reader.words, shown.replay.last
    at = shown.replay.steps[view.step].at
    paused = not view.step or at - shown.replay.steps[view.step - 1].at > LONG_PAUSE
    when = f"<t:{at // 1000}:{'f' if paused else 't'}>"  # with its date, or the time of day alone
    if not view.step:
        return words("replay.deal", when=when)
    if _tells_end(shown, view):
        return words("replay.move_of", number=view.step, last=last, when=when)
    return words("replay.move", number=view.step, when=when)


def _result(shown: ShownReplay, view: View, reader: Reader) -> tuple[Section, ...]:
    if not _tells_end(shown, view):
        return ()
    return (Text("\n".join(outcome(shown.match, reader))),)


def _picture(shown: ShownReplay, seen: Seen, presenter: Pictured, reader: Reader) -> tuple[Section, ...]:
    """The table as these eyes saw it, and whose discs are on it."""
    replay, layout = shown.replay, presenter.picture(seen.public, seen.private)
    if seen.step == replay.last:
        layout, awaited = tables.with_winners(layout, replay.result.ranks), frozenset[Seat]()
    else:
        layout, awaited = tables.with_awaited(layout, seen.awaited), seen.awaited
    people = seat_discs(presenter, seen.public, reader, awaited, seen.stand_ins)
    return Picture(layout, tables.description(layout, reader)), people


def _hands(seen: Seen, presenter: Presenter, reader: Reader) -> tuple[Section, ...]:
    """What the players held whose eyes these are."""
    known = [(seat, presenter.held(own)) for seat, own in enumerate(seen.private) if own is not None]
    if not known:
        return ()
    grouped = any(len(cards) > MOST_SINGLY for _, cards in known)
    rows = [
        reader.cards.listed(
            reader.words("replay.hand", player=reader.names[seat]), cards, together=grouped, room=HANDS // len(known)
        )
        for seat, cards in known
        if cards
    ]
    return (Rule(), *rows) if rows else ()


def _footer(shown: ShownReplay, reader: Reader) -> str:
    """The code, and for players what they and the others want."""
    words, finished = reader.words, shown.finished
    lines = [words("replay.code", code=shown.replay.id)]
    if finished.is_private:
        lines.append(words("replay.private"))
    elif reader.seat is not None and finished.private_wishes:
        wanted = [seat for seat in finished.private_wishes if seat != reader.seat]
        open_ = [
            seat for seat, user in enumerate(shown.replay.seats) if user > 0 and seat not in (*wanted, reader.seat)
        ]
        if reader.seat in finished.private_wishes:
            lines.append(words("replay.waits", players=words.all_of(reader.names[seat] for seat in open_)))
        else:
            lines.append(words("replay.wished", players=words.all_of(reader.names[seat] for seat in wanted)))
    return "\n".join(lines)


# ---------------------------------------------------------------------------------------------- what can be pressed


def _ways(view: View, last: int, reader: Reader) -> tuple[Button, ...]:
    words, begun, left = reader.words, view.step > 0, view.step < last
    return (
        Button(words("replay.first"), view.press(Way.FIRST), enabled=begun),
        Button(words("replay.back"), view.press(Way.BACK), enabled=begun),
        Button(words("replay.next"), view.press(Way.NEXT), Tone.MAIN, enabled=left),
        Button(words("replay.last"), view.press(Way.LAST), enabled=left),
        Button(words("button.more"), replace(view, more=True).press(Way.STAY)),
    )


def _asking(shown: ShownReplay, view: View, reader: Reader) -> tuple[Button, ...]:
    """The way back to the step, and what can be asked for: the result, that others can look at it, that others
    cannot."""
    words, step = reader.words, replace(view, more=False)
    result = words("replay.hide_result" if view.result else "replay.show_result")
    told = view.step == shown.replay.last  # there it is shown anyway
    buttons = [
        Button(words("button.previous"), step.press(Way.STAY)),
        Button(result, replace(step, result=not view.result).press(Way.STAY), enabled=not told),
    ]
    if is_direct(shown.match.guild_id):
        return tuple(buttons)
    buttons.append(Button(words("replay.share"), Press("replayshare"), enabled=not shown.finished.is_private))
    if reader.seat is not None:
        wants = reader.seat in shown.finished.private_wishes
        label = words("replay.keep_open" if wants else "replay.keep_private")
        buttons.append(Button(label, Press("replaykeep", view.step, view.arg("0" if wants else "1"))))
    return tuple(buttons)


def _lists(shown: ShownReplay, view: View, reader: Reader) -> tuple[tuple[Select, ...], ...]:
    """Whose eyes there are, and the files that can be made."""
    words, seats = reader.words, len(reader.names)

    def eyes(chosen: Eyes, label: str) -> Option:
        value = replace(view, eyes=chosen, more=False).arg(Way.STAY)
        return Option(label[:LONGEST_OPTION], value, chosen=chosen == view.eyes)

    options = [eyes(Eyes.all_hands(seats), words("replay.eyes.all"))] if seats > 1 else []
    options += [
        eyes(Eyes.of(seat), words("replay.eyes.player", player=unescaped(name)))
        for seat, name in enumerate(reader.names)
    ]
    options.append(eyes(Eyes(), words("replay.eyes.board")))
    lists: tuple[tuple[Select, ...], ...] = (
        (Select(Press("replay", view.step, "eyes"), words("replay.eyes"), tuple(options)),),
    )
    offered = [each for each in EXPORTS if each.is_offered(shown.presenter)]
    if offered:
        files = tuple([Option(words(f"replay.export.{each.key}"), each.key) for each in offered])
        lists += ((Select(Press("replayfile", view.step), words("replay.exports"), files),),)
    return lists


class Way(StrEnum):
    """Where a press leads from the present step."""

    FIRST = "f"
    BACK = "b"
    NEXT = "n"
    LAST = "l"
    STAY = "s"


@dataclass(frozen=True, slots=True)
class View:
    """A step of a replay, through whose eyes it is seen, whether the result is shown with it, and whether what is
    behind *More…* is shown instead."""

    step: int
    eyes: Eyes
    result: bool = False
    more: bool = False

    def arg(self, way: str) -> str:
        """The argument of a press that leads from here."""
        return f"{way}.{self.eyes.name}.{'r' * self.result}{'m' * self.more}"

    def press(self, way: Way, verb: str = "replay") -> Press:
        """A press that leads from here."""
        return Press(verb, self.step, self.arg(way))

    def moved(self, way: Way, last: int) -> View:
        """The view to which a way leads, in a match with this last step."""
        step = self.step
        match way:
            case Way.FIRST:
                step = 0
            case Way.BACK:
                step = max(0, step - 1)
            case Way.NEXT:
                step = min(last, step + 1)
            case Way.LAST:
                step = last
        return replace(self, step=step)


def next_view(arg: str, step: int, replay: Replay) -> View:
    """The view of a replay to which a press leads. Raises UnknownCustomId."""
    way, view = read_view(arg, step, replay)
    try:
        return view.moved(Way(way), replay.last)
    except ValueError:
        raise UnknownCustomId("no way through a replay") from None


def read_view(arg: str, step: int, replay: Replay) -> tuple[str, View]:
    """What comes first in an argument, and the view; of a step past the last it is the last. Raises
    UnknownCustomId."""
    found = _VIEW.fullmatch(arg)
    if found is None:
        raise UnknownCustomId("no view in a replay")
    way, name, shown = found.groups()
    try:
        eyes = read_eyes(name, len(replay.seats))
    except ValueError:
        raise UnknownCustomId("nobody's eyes") from None
    return way, View(min(step, replay.last), eyes, "r" in shown, "m" in shown)
