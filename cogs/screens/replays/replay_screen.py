"""A step of a replay on one screen: what happened, the board as it looked, and the hands that these eyes saw.

It tells neither who won nor how long the match is, until somebody asks for the result or has come to the last step.
The rows below the text are the same at every step, so no button moves under a finger.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

from bot.play.live_match import LiveMatch
from bot.play.replays import Eyes, Replay, Seen
from bot.store.direct_places import is_direct
from bot.store.rows.replays import FinishedMatch
from bot.ui.screen import (
    Button,
    Control,
    Log,
    Option,
    Picture,
    Press,
    Rule,
    Screen,
    Section,
    Select,
    Text,
    Tone,
)
from cogs.screens import tables
from cogs.screens.board import HANDS, MOST_SINGLY
from cogs.screens.cards.fitting import fitting
from cogs.screens.endings import outcome
from cogs.screens.presenter import Pictured, Presenter, Reader
from cogs.screens.renderer import LONGEST_OPTION, is_whole
from cogs.screens.replays.exports import EXPORTS
from cogs.screens.replays.place import Place, Way
from cogs.screens.replays.told_step import board_after, step_words
from cogs.screens.safe_names import unescaped

LONG_PAUSE: Final = 3600 * 1000
"""After so long (ms) without a step, the next one is shown with its date."""


@dataclass(frozen=True, slots=True)
class ShownReplay:
    """A replay, the match that it is of, how its game is shown, and who wants it to be private."""

    replay: Replay
    match: LiveMatch
    presenter: Presenter
    finished: FinishedMatch


def first_place(reader: Reader) -> Place:
    """Where a replay begins: at the deal, for a player through their own eyes, for others with all hands."""
    eyes = Eyes.all_hands(len(reader.names)) if reader.seat is None else Eyes.of(reader.seat)
    return Place(0, eyes)


def replay_screen(shown: ShownReplay, place: Place, reader: Reader) -> Screen:
    """A step of a replay. The reader's seat is their own in the match, also when they look through other eyes."""
    return fitting(reader, lambda reader: _screen(shown, place, reader), is_whole)


def replay_title(shown: ShownReplay, reader: Reader) -> str:
    """The game and who played; not who won."""
    players = reader.words("board.versus").join(reader.names)
    return reader.words("replay.title", game=shown.match.game.info.title, players=players)


def _screen(shown: ShownReplay, place: Place, reader: Reader) -> Screen:
    replay, presenter = shown.replay, shown.presenter
    seen = replay.see(place.step, place.eyes)
    told = step_words(replay, seen, presenter, reader)
    sections: tuple[Section, ...] = (
        Text(_heading(shown, place, reader)),
        *((Log(told),) if told else ()),
        *_result(shown, place, reader),
        Rule(),
        *_picture(seen, place, presenter, reader),
        *board_after(replay, seen, presenter, reader),
        *_hands(seen, presenter, reader),
    )
    rows: tuple[tuple[Control, ...], ...] = (
        *_lists(shown, place, reader),
        _asking(shown, place, reader),
        _ways(place, replay.last, reader),
    )
    return Screen(replay_title(shown, reader), sections, rows, _footer(shown, reader), Tone.MAIN)


# ---------------------------------------------------------------------------------------------- what it shows


def _tells_end(shown: ShownReplay, place: Place) -> bool:
    return place.result or place.step == shown.replay.last


def _heading(shown: ShownReplay, place: Place, reader: Reader) -> str:
    """Which step this is, and when it was made; of how many, only to those who asked for the result."""
    words, last = reader.words, shown.replay.last
    at = shown.replay.steps[place.step].at
    paused = not place.step or at - shown.replay.steps[place.step - 1].at > LONG_PAUSE
    when = f"<t:{at // 1000}:{'f' if paused else 't'}>"  # with its date, or the time of day alone
    if not place.step:
        return words("replay.deal", when=when)
    if _tells_end(shown, place):
        return words("replay.move_of", number=place.step, last=last, when=when)
    return words("replay.move", number=place.step, when=when)


def _result(shown: ShownReplay, place: Place, reader: Reader) -> tuple[Section, ...]:
    if not _tells_end(shown, place):
        return ()
    return (Text("\n".join(outcome(shown.match, reader))),)


def _picture(seen: Seen, place: Place, presenter: Presenter, reader: Reader) -> tuple[Section, ...]:
    if not place.picture or not isinstance(presenter, Pictured):
        return ()
    layout = presenter.picture(seen.public, seen.private)
    return (Picture(layout, tables.description(layout, reader)),)


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
        names = words("names.and")
        if reader.seat in finished.private_wishes:
            lines.append(words("replay.waits", players=names.join(reader.names[seat] for seat in open_)))
        else:
            lines.append(words("replay.wished", players=names.join(reader.names[seat] for seat in wanted)))
    return "\n".join(lines)


# ---------------------------------------------------------------------------------------------- what can be pressed


def _ways(place: Place, last: int, reader: Reader) -> tuple[Button, ...]:
    words, begun, left = reader.words, place.step > 0, place.step < last
    return (
        Button(words("replay.first"), place.press(Way.FIRST), enabled=begun),
        Button(words("replay.back"), place.press(Way.BACK), enabled=begun),
        Button(words("replay.next"), place.press(Way.NEXT), Tone.MAIN, enabled=left),
        Button(words("replay.last"), place.press(Way.LAST), enabled=left),
    )


def _asking(shown: ShownReplay, place: Place, reader: Reader) -> tuple[Button, ...]:
    """What can be asked for: the result, a picture, that others can look at it, that others cannot."""
    words = reader.words
    result = words("replay.hide_result" if place.result else "replay.show_result")
    picture = words("replay.hide_picture" if place.picture else "replay.show_picture")
    told = place.step == shown.replay.last  # there it is shown anyway
    buttons = [Button(result, replace(place, result=not place.result).press(Way.STAY), enabled=not told)]
    if isinstance(shown.presenter, Pictured):
        buttons.append(Button(picture, replace(place, picture=not place.picture).press(Way.STAY)))
    if is_direct(shown.match.guild_id):
        return tuple(buttons)
    buttons.append(Button(words("replay.share"), Press("replayshare"), enabled=not shown.finished.is_private))
    if reader.seat is not None:
        wants = reader.seat in shown.finished.private_wishes
        label = words("replay.keep_open" if wants else "replay.keep_private")
        buttons.append(Button(label, Press("replaykeep", place.step, place.arg("0" if wants else "1"))))
    return tuple(buttons)


def _lists(shown: ShownReplay, place: Place, reader: Reader) -> tuple[tuple[Select, ...], ...]:
    """Whose eyes there are, and the files that can be made."""
    words, seats = reader.words, len(reader.names)

    def eyes(chosen: Eyes, label: str) -> Option:
        value = replace(place, eyes=chosen).arg(Way.STAY)
        return Option(label[:LONGEST_OPTION], value, chosen=chosen == place.eyes)

    options = [eyes(Eyes.all_hands(seats), words("replay.eyes.all"))] if seats > 1 else []
    options += [
        eyes(Eyes.of(seat), words("replay.eyes.player", player=unescaped(name)))
        for seat, name in enumerate(reader.names)
    ]
    options.append(eyes(Eyes(), words("replay.eyes.board")))
    lists: tuple[tuple[Select, ...], ...] = (
        (Select(Press("replay", place.step, "eyes"), words("replay.eyes"), tuple(options)),),
    )
    offered = [each for each in EXPORTS if each.is_offered(shown.presenter)]
    if offered:
        files = tuple([Option(words(f"replay.export.{each.key}"), each.key) for each in offered])
        lists += ((Select(Press("replayfile", place.step), words("replay.exports"), files),),)
    return lists
