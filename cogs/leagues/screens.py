"""What people see of a league: its one public message, and private answers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from bot.games import GAMES, game_title
from bot.pairing.standings import Row
from bot.store.queries.invitations import InvitationState
from bot.time_controls import time_control
from bot.ui.catalogue import Translations
from bot.ui.screen import Button, Option, Press, Screen, Section, Select, Text, Tone, noted
from cogs.leagues.queries import How, League, Offer, PairingRow, Place, Whole
from cogs.leagues.seasons import LEAST, moving, standings
from cogs.screens.pages import turning
from cogs.screens.renderer import LONGEST_OPTION, MOST_OPTIONS, utf16_units
from cogs.screens.safe_names import unescaped
from cogs.screens.time_control_text import clock_line

SUBJECT: Final = "league"
MOST_NAMED: Final = 24
"""How many people a line names."""
ROOM: Final = 2800
"""UTF-16 units of the public message for divisions. Those without room are behind a button."""


@dataclass(frozen=True, slots=True)
class View:
    """A league as everybody may see it. `names` are safe, by user; `links` are the addresses of challenges and of
    boards in play, by the ids of challenges."""

    whole: Whole
    names: Mapping[int, str] = field(default_factory=dict)
    links: Mapping[str, str] = field(default_factory=dict)

    @property
    def league(self) -> League:
        """Its terms, and how far it is."""
        return self.whole.league

    def name(self, number: int) -> str:
        """Who has a place."""
        return self.names[self.whole.place(number).user_id]

    @property
    def moves(self) -> Mapping[int, int]:
        """Who changes the division, as `moving` says; nobody during a season."""
        return {} if self.league.is_playing else moving(self.whole)

    def current(self, pairing: PairingRow) -> Offer | None:
        """The challenge of a pairing whose match is being played, or that is open."""
        going_on = [
            each for each in self.whole.offers_of(pairing) if each.in_play or each.state is InvitationState.OPEN
        ]
        return max(going_on, key=lambda each: each.in_play, default=None)


# ---------------------------------------------------------------------------------------------- the public message


def public_screen(view: View, words: Translations) -> Screen:
    """The one message about a league that everybody reads."""
    league = view.league
    buttons: list[Button] = []
    if league.ended_at is not None:
        sections: tuple[Section, ...] = (Text(words("league.ended")), *_divisions(view, words))
    elif league.is_playing:
        sections = _playing(view, words)
        buttons = [Button(words("hosted.my_match"), Press("lgmine"), Tone.MAIN)]
    else:
        sections = _joining(view, words)
    if league.ended_at is None:
        buttons.append(Button(words("button.join"), Press("lgjoin"), Tone.PLAIN if league.is_playing else Tone.GOOD))
    buttons += [*_standings_button(view, words), Button(words("button.more"), Press("lgmore"))]
    host = "" if league.host_id is None else words("league.host", player=view.names[league.host_id])
    return Screen(_title(league, words), sections, (tuple(buttons),), host)


def _title(league: League, words: Translations) -> str:
    return words("league.title", game=game_title(league.game))


def _joining(view: View, words: Translations) -> tuple[Section, ...]:
    league, whole = view.league, view.whole
    begins = Text(words("league.begins", least=LEAST))
    if league.season:
        over = Text(words("league.season_over", season=league.season))
        new = [view.names[each.user_id] for each in whole.substitutes]
        return (over, *_divisions(view, words), *_people("league.new", new, words), begins)
    named = [view.names[each.user_id] for each in whole.members]
    people = _people("league.joined", named, words) or (Text(words("league.nobody_in")),)
    return (Text("\n".join(terms_lines(league, words))), *people, begins)


def _people(key: str, named: Sequence[str], words: Translations) -> tuple[Text, ...]:
    """Who they are, by a plural sentence; nothing for nobody."""
    if not named:
        return ()
    left = len(named) - MOST_NAMED
    told = words.all_of([*named[:MOST_NAMED], *([words.count("hosted.others", left)] if left > 0 else ())])
    return (Text(words.count(key, len(named), players=told)),)


def _playing(view: View, words: Translations) -> tuple[Section, ...]:
    waiting = [view.names[each.user_id] for each in view.whole.substitutes]
    return (_now(view, words), *_divisions(view, words), *_people("league.substitutes", waiting, words))


def _now(view: View, words: Translations) -> Text:
    """How far the season is."""
    league = view.league
    if not league.is_playing:
        return Text(words("league.season_over", season=league.season))
    when = _when(league.due_at)
    if league.week > league.weeks:
        return Text(words("league.finishing", season=league.season, when=when))
    return Text(words("league.week", season=league.season, week=league.week, weeks=league.weeks, when=when))


def _divisions(view: View, words: Translations) -> Iterator[Section]:
    """As many divisions as there is room for, and how many more there are."""
    moves, room = view.moves, ROOM
    for division in range(1, 1 + view.whole.divisions):
        text = _division(view, division, moves, words)
        room -= utf16_units(text)
        if room < 0:
            yield Text(words.count("league.more_divisions", view.whole.divisions - division + 1))
            return
        yield Text(text)


def _division(view: View, division: int, moves: Mapping[int, int], words: Translations) -> str:
    """The matches of this week and the standings of a division."""
    league = view.league
    shown = [each for each in view.whole.pairings if each.division == division and _is_shown(league, each)]
    lines = [f"**{words('league.division', division=division)}**"]
    lines += [_pairing_line(view, each, words) for each in shown]
    lines += [_row_line(view, each, moves, words) for each in standings(view.whole, division)]
    return "\n".join(lines)


def _is_shown(league: League, pairing: PairingRow) -> bool:
    """Whether a pairing is of this week, or of an earlier one and still played."""
    return league.is_playing and (pairing.week == league.week or (pairing.week < league.week and pairing.how is None))


def _pairing_line(view: View, pairing: PairingRow, words: Translations) -> str:
    players = {"first": view.name(pairing.first), "second": view.name(pairing.second)}
    if pairing.how is None:
        current = view.current(pairing)
        link = None if current is None else view.links.get(current.id)
        if current is None or link is None:
            return words("league.pairing", **players)
        key = "league.pairing_board" if current.in_play else "league.pairing_asked"
        return words(key, **players, link=link)
    mine, theirs = pairing.got or (0, 0)
    line = words("league.result", **players, mine=_halves(mine), theirs=_halves(theirs))
    return line if pairing.how is How.PLAYED else f"{line} · {words(f'league.how.{pairing.how}')}"


def _row_line(view: View, row: Row, moves: Mapping[int, int], words: Translations) -> str:
    place = view.whole.place(row.user_id)
    line = words("league.row", place=row.place, player=view.name(row.user_id), points=_halves(round(2 * row.points)))
    notes = [words("league.substitute")] if place.substitute else []
    if view.whole.is_vacant(place):
        notes.append(words("league.left"))
    if row.user_id in moves:
        notes.append(words("league.goes_up" if moves[row.user_id] < 0 else "league.goes_down"))
    return " · ".join((line, *notes))


def _halves(number: int) -> str:
    """Half points as people write them."""
    whole, half = divmod(number, 2)
    return f"{whole or ''}½" if half else str(whole)


def _when(at: int | None) -> str:
    return f"<t:{(at or 0) // 1000}:R>"


def _standings_button(view: View, words: Translations) -> list[Button]:
    return [Button(words("league.tables"), Press("lgrows"))] if view.whole.places else []


def terms_lines(league: League, words: Translations) -> list[str]:
    """What somebody knows before they join."""
    lines = [words("league.about"), words("league.about_points"), words("league.about_moves")]
    game = GAMES.get(league.game)  # None while it isn't installed
    if game is not None and game.info.turn_clock:
        lines.append(clock_line(time_control(league.clock), words))
    return [*lines, words("hosted.rated")]


# ---------------------------------------------------------------------------------------------- private answers


def own_screen(view: View, user_id: int, words: Translations, note: str = "") -> Screen:
    """What somebody has to do now, where they stand, and how they join or leave."""
    league, whole = view.league, view.whole
    lines, buttons = _own(view, user_id, words)
    if league.ended_at is None:
        leaves = whole.is_in(user_id)
        key, verb = ("button.leave", "lgleave") if leaves else ("button.join", "lgjoin")
        buttons.append(Button(words(key), Press(verb), Tone.PLAIN if leaves else Tone.GOOD))
    sections: list[Section] = [*noted(note), Text("\n".join(lines))]
    place = whole.place_of(user_id)
    if place is not None:
        sections += [_now(view, words), Text(_division(view, place.division, view.moves, words))]
    return Screen(_title(league, words), tuple(sections), ((*buttons, *_standings_button(view, words)),))


def _own(view: View, user_id: int, words: Translations) -> tuple[list[str], list[Button]]:
    league, whole = view.league, view.whole
    place = whole.place_of(user_id)
    if league.ended_at is not None:
        return [words("league.ended")], []
    if not league.is_playing or place is None:
        key = "league.you_wait" if league.is_playing else "league.you_in"
        return [words(key if whole.is_in(user_id) else "league.not_in")], []
    pairing = whole.pairing_of(place)
    if pairing is None or pairing.how is not None:
        return [words("league.you_free" if pairing is None else "league.over")], []
    return _own_match(view, place, pairing, words)


def _own_match(view: View, place: Place, pairing: PairingRow, words: Translations) -> tuple[list[str], list[Button]]:
    """Whom somebody meets in this week, and how they begin."""
    other = view.whole.place(next(each for each in pairing.places if each != place.number))
    current, player = view.current(pairing), view.names[other.user_id]
    if current is not None and current.in_play:
        return [words("league.in_play")], [Button(words("button.my_cards"), Press("open", 0, current.id), Tone.MAIN)]
    if view.whole.is_vacant(other):
        return [words("league.vacant")], []
    lines = [words("league.you_play", player=player, when=_when(view.league.due_at))]
    if current is not None:
        link = view.links.get(current.id, "")
        own = current.by_place == place.number
        lines.append(words("league.you_asked", link=link) if own else words("league.asked", player=player, link=link))
        return lines, []
    return [*lines, words("league.how_to_play")], [Button(words("league.play"), Press("lgplay"), Tone.MAIN)]


def standings_screen(view: View, page: int, words: Translations) -> Screen:
    """A division, with buttons to the others."""
    count = view.whole.divisions
    page = min(page, count - 1)
    if page < 0:
        return Screen(_title(view.league, words), (Text(words("league.no_season")),))
    sections = (_now(view, words), Text(_division(view, page + 1, view.moves, words)))
    rows = (turning("lgrows", page, count - 1, words),) if count > 1 else ()
    return Screen(_title(view.league, words), sections, rows)


def more_screen(view: View, words: Translations, channel_id: int, *, host: bool, note: str = "") -> Screen:
    """How a league goes, and what its host may do with it in a channel."""
    league = view.league
    rows: list[tuple[Button | Select, ...]] = []
    if host and league.ended_at is None:
        buttons = [] if league.is_playing else [Button(words("league.start"), Press("lgstart"), Tone.GOOD)]
        if channel_id != league.channel_id:
            buttons.append(Button(words("league.move"), Press("lgmove")))
        rows = [(*buttons, Button(words("league.end"), Press("lgend"), Tone.BAD)), *_removable(view, words)]
    sections = (*noted(note), Text("\n".join(terms_lines(league, words))))
    return Screen(_title(league, words), sections, tuple(rows))


def _removable(view: View, words: Translations) -> Iterator[tuple[Select]]:
    """Lists of all who are in it."""
    members = view.whole.members
    for first in range(0, len(members), MOST_OPTIONS):
        some = members[first : first + MOST_OPTIONS]
        options = [Option(unescaped(view.names[each.user_id])[:LONGEST_OPTION], str(each.user_id)) for each in some]
        yield (Select(Press("lgremove", first), words("league.remove"), tuple(options)),)


def ask_screen(view: View, words: Translations) -> Screen:
    """Asks a host before a league is ended."""
    row = (
        Button(words("league.end"), Press("lgendnow"), Tone.BAD),
        Button(words("league.keep"), Press("lgmore")),
    )
    return Screen(_title(view.league, words), (Text(words("league.ask")),), (row,), tone=Tone.BAD)
