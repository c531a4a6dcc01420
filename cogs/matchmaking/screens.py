"""The private screens of `/play`, and the one where people say of which tables they want to be notified."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Final

from bot.games import GAMES, game_title
from bot.play.computers.levels import levels_of
from bot.play.live_match import LiveMatch
from bot.play.reliability import Level, Reliability
from bot.store.queries.invitations import Invitation
from bot.store.special_ids import message_link
from bot.time_controls import time_control
from bot.ui.catalogue import Translations
from bot.ui.screen import Button, Control, Option, Press, Screen, Section, Select, Text, Tone, noted
from cogs.screens.board import board_link
from cogs.screens.reliability_text import level_text
from cogs.screens.renderer import LONGEST_LABEL, chunks
from cogs.screens.safe_names import unescaped
from cogs.screens.time_control_text import time_control_label

PLAY: Final = "play"
SUBJECT: Final = "tables"
"""What the controls of the screens of `/play`, and of notices, act on in place of a match."""
MOST_TABLES: Final = 5
"""How many tables are offered at once: a row of buttons."""


@dataclass(frozen=True, slots=True)
class OfferedTable:
    """A table, its host's name, safe to show, and how reliably they play."""

    table: Invitation
    host: str
    reliability: Reliability


def play_button(words: Translations) -> tuple[Button, ...]:
    """Finds somebody to play with, as `/play` does."""
    return (Button(words("button.play"), Press(PLAY), Tone.MAIN),)


def choice_screen(
    offered: Sequence[OfferedTable], waiting: Sequence[Invitation], games: Sequence[str], say: Translations, note: str
) -> Screen:
    """Tables to join, where the reader waits already, and the games to begin with: the first has buttons of its own."""
    sections: list[Section] = [*noted(note)]
    sections += [Text(say("play.waiting_already", game=game_title(each.game), link=link_to(each))) for each in waiting]
    if offered:
        sections.append(Text("\n".join(_table_line(each, say) for each in offered)))
    else:
        sections.append(Text(say("play.nobody_waits")))
    joins = _join_buttons(offered, say)
    first = games[0]
    begin = _computer_button(first, say("play.computer", game=game_title(first)))
    if first not in {each.table.game for each in offered}:  # otherwise this would sit them down there
        begin = [Button(say("play.wait", game=game_title(first)), Press("play", 0, first), Tone.MAIN), *begin]
    rows: list[tuple[Control, ...]] = [joins, tuple(begin)]
    if len(games) > 1:
        options = tuple(Option(game_title(game), game) for game in games[1:])
        rows.append((Select(Press("play"), say("play.other_game"), options),))
    rows.append(tables_buttons(say))
    return Screen(say("play.title"), tuple(sections), tuple(rows), tone=Tone.MAIN)


def tables_screen(offered: Sequence[OfferedTable], game: str, say: Translations, note: str) -> Screen:
    """Several tables of one game, whose hosts start them."""
    sections = (
        *noted(note),
        Text(say("play.several")),
        Text("\n".join(_table_line(each, say) for each in offered)),
    )
    joins = _join_buttons(offered, say)
    computer = tuple(_computer_button(game, say("play.computer", game=game_title(game))))
    return Screen(say("play.title_game", game=game_title(game)), sections, (joins, computer), tone=Tone.MAIN)


def waiting_screen(table: Invitation, say: Translations, *, again: bool) -> Screen:
    """The reader sits at a table and waits for others; `again` if they did before."""
    game = game_title(table.game)
    key = "play.waits" if table.auto_start else "play.seated"
    text = say(key, game=game, link=link_to(table), when=f"<t:{table.expires_at // 1000}:R>")
    sections = [Text(say("play.already") if again else ""), Text(text)]
    computer = _computer_button(table.game, say("play.meanwhile"), Tone.MAIN)
    if computer:
        sections.append(Text(say("play.meanwhile_how")))
    rows = ((*computer, *tables_buttons(say)),)
    shown = tuple(each for each in sections if each.text)
    return Screen(say("play.title_game", game=game), shown, rows, tone=Tone.MAIN)


def begun_screen(match: LiveMatch, players: Sequence[str], say: Translations) -> Screen:
    """A match of the reader's that is played, and its hand. Its button acts on the match."""
    text = say("play.begun", players=say("board.versus").join(players), link=board_link(match))
    cards = Button(say("button.my_cards"), Press("cards"), Tone.MAIN)
    return Screen(say("play.title_game", game=match.game.info.title), (Text(text),), ((cards,),), tone=Tone.MAIN)


def no_table_screen(game: str, reason: str, say: Translations) -> Screen:
    """Why no table could be opened, and the computer instead."""
    computer = tuple(_computer_button(game, say("play.computer", game=game_title(game))))
    return Screen(say("play.title_game", game=game_title(game)), (Text(reason),), (computer,))


def tables_buttons(say: Translations) -> tuple[Button, ...]:
    """What opens the screen where people say of which games they want to be notified when a table opens."""
    return (Button(say("button.tables"), Press("tables")),)


def link_to(table: Invitation) -> str:
    """The address of a table's message; its channel if it has none yet."""
    return message_link(table.guild_id, table.channel_id, table.message_id)


def _computer_button(game: str, label: str, tone: Tone = Tone.PLAIN) -> list[Button]:
    """A match against the computer, for games that it plays."""
    return [Button(label, Press("meanwhile", 0, game), tone)] if levels_of(game) else []


def _join_buttons(offered: Sequence[OfferedTable], say: Translations) -> tuple[Control, ...]:
    """A button for each table, in the order of their lines. Those of one host and game have numbers."""
    named = [say("play.join", game=game_title(each.table.game), host=unescaped(each.host)) for each in offered]
    ends = [f" #{named[: index + 1].count(name)}" if named.count(name) > 1 else "" for index, name in enumerate(named)]
    return tuple(
        Button(name[: LONGEST_LABEL - len(end)] + end, Press("seat", 0, each.table.id), Tone.GOOD)
        for each, name, end in zip(offered, named, ends, strict=True)
    )


def _begins(table: Invitation) -> str:
    """When the match of a table begins: a key of the catalogue."""
    if not table.auto_start:
        return "play.host_starts"
    missing = GAMES[table.game].info.seats[0] - len(table.seated)
    return "play.begins_with_you" if missing <= 1 else "play.starts_alone"


def _table_line(offered: OfferedTable, say: Translations) -> str:
    table, info = offered.table, GAMES[offered.table.game].info
    clock = time_control_label(time_control(table.clock), say) if info.turn_clock else ""
    facts = (
        say("play.table_filled", seated=len(table.seated), most=info.seats[-1]),
        say("play.table_clock", clock=clock) if clock else "",
        say(_begins(table)),
        "" if offered.reliability.level is Level.NEW else say("play.host", level=level_text(offered.reliability, say)),
        say("play.for_reliable") if table.reliable else "",
        f"<#{table.channel_id}>",
    )
    return say("play.table", game=info.title, host=offered.host, facts=" · ".join(each for each in facts if each))


def table_notices_screen(wanted: Collection[str], say: Translations, note: str = "") -> Screen:
    """Of which games somebody is notified, and what changes that.

    Every button keeps its slot and its width; that of a game which is on is marked.
    """
    listed = " · ".join(game.info.title for key, game in GAMES.items() if key in wanted)
    state = say("tables.on", games=listed) if listed else say("tables.off")
    sections: tuple[Section, ...] = (*noted(note), Text(f"{say('tables.how')}\n**{state}**"))
    buttons = [_game_button(key, say, on=key in wanted) for key in GAMES]
    return Screen(say("tables.title"), sections, (*chunks(buttons),))


def _game_button(game: str, say: Translations, *, on: bool) -> Button:
    label = say("notify.chosen" if on else "notify.other", level=GAMES[game].info.title)
    return Button(label, Press("tablesoff" if on else "tableson", 0, game), Tone.MAIN if on else Tone.PLAIN)
