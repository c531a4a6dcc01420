"""What people see of a tournament: its one public message, and private answers.

While matches that are still played have the same deal, nothing of their results is on any screen: those of a round are
"over" until all of them are. `View` has no field for cards.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Final

from bot.art.chart_picture import Chart
from bot.games import GAMES, game_title
from bot.pairing.elimination import bracket, reached
from bot.pairing.model import Format, Played, Scoring
from bot.pairing.standings import TABLE_BREAKS, TIE_BREAKS, Row, TieBreak, ranked
from bot.time_controls import time_control
from bot.ui.catalogue import Translations
from bot.ui.screen import Button, Option, Picture, Press, Rows, Screen, Section, Select, Text, Tone, noted
from cogs.screens.pages import page_of, turning
from cogs.screens.renderer import LONGEST_OPTION, MOST_OPTIONS, utf16_units
from cogs.screens.safe_names import unescaped
from cogs.screens.tables import LONGEST_DESCRIPTION
from cogs.screens.time_control_text import clock_line
from cogs.tournaments import panel, partner_screens
from cogs.tournaments.arenas import waiting
from cogs.tournaments.pictures import MOST_ROWS, bracket_chart, crosstable_chart
from cogs.tournaments.rows import (
    ELIMINATIONS,
    LOST_EVENT,
    Correction,
    DealRow,
    EntrantRow,
    How,
    PairingRow,
    State,
    Tournament,
    Whole,
    points_of,
)
from engines.deals import short_seal

SUBJECT: Final = "tournament"
"""What the controls of the panel act on, in place of a tournament."""
MOST_NAMED: Final = 24
"""How many people the public message names while they join."""
MOST_PAIRED: Final = 24
"""How many people in pairings of a round the public message has."""
BETWEEN: Final = " – "
"""What stands between people who meet."""
UNBROKEN: Final = "\N{NO-BREAK SPACE}–\N{NO-BREAK SPACE}"
"""The same between what they got."""
FRACTIONS: Final = {Fraction(unicodedata.numeric(sign)).limit_denominator(6): sign for sign in "½⅓⅔¼¾⅕⅖⅗⅘⅙⅚"}
"""Parts of a point that have a sign of their own, which is the same in every language."""
MOST_PARTS: Final = 60
"""A point has no smaller parts: places at tables of two to six have these together."""
MOST_LEADING: Final = 5
"""How many lines of the standings it has."""
MOST_WINNERS: Final = 8
"""How many it has in the end, beside a picture of as many."""
PAGE: Final = 16
"""Lines of the standings on a page: those that the picture has."""
MOST_CORRECTIONS: Final = 5
"""How many results that somebody set are named, the latest ones."""
MOST_DEALS: Final = 12
"""How many deals a screen proves. The file has all."""


@dataclass(frozen=True, slots=True)
class View:
    """A tournament as everybody may see it. `names` are safe, by user; `boards` are the addresses of the boards in
    play, by match; `lacks_threads` says that matches are in the channel because no threads could be begun;
    `options` are lines about those of its game."""

    whole: Whole
    names: Mapping[int, str] = field(default_factory=dict)
    boards: Mapping[str, str] = field(default_factory=dict)
    lacks_threads: bool = False
    options: tuple[str, ...] = ()

    @property
    def tournament(self) -> Tournament:
        """Its terms, and how far it is."""
        return self.whole.tournament

    @property
    def open_played(self) -> list[Played]:
        """What is over, without what is closed."""
        return [*self.whole.played_in([each for each in self.whole.pairings if not is_closed(self.whole, each)])]

    @property
    def seeds(self) -> dict[int, int]:
        """The numbers of people, or teams."""
        return {each.user_id: each.seed for each in self.whole.model}

    def name(self, side: int, words: Translations) -> str:
        """What is called by a number in standings: somebody, or both of a team."""
        names = [self.names[each.user_id] for each in self.whole.members(side)]
        return names[0] if len(names) == 1 else words("tournament.team", first=names[0], second=names[1])

    @property
    def rows(self) -> tuple[Row, ...]:
        """The standings by what is open; none before the first round."""
        tournament = self.tournament
        if not tournament.round:
            return ()
        rows = ranked(tournament.format, self.whole.model, self.open_played, tournament.scoring)
        if tournament.format is not Format.ARENA:
            return rows
        return tuple(
            [  # half points: 2 for a win
                replace(row, points=2 * row.points, tie_breaks=tuple([2 * each for each in row.tie_breaks]))
                for row in rows
            ]
        )

    def chart(self, rows: int) -> Chart | None:
        """The picture of what is open: of a table these many rows, of a bracket the levels for as many
        people. None before the first round."""
        tournament = self.tournament
        if not tournament.round:
            return None
        if tournament.format not in ELIMINATIONS:
            in_turn = tournament.format is Format.ARENA
            return crosstable_chart(self.rows[:rows], self.open_played, self.seeds, in_turn=in_turn)
        double = tournament.format is Format.DOUBLE
        number = tournament.round + all(
            each.how is not None and not is_closed(self.whole, each) for each in self.whole.in_round
        )
        return bracket_chart(bracket(self.whole.model, self.open_played, number, double), self.seeds, rows // 2)

    def own_pairing(self, user_id: int) -> PairingRow | None:
        """Somebody's pairing of the latest round."""
        return self.whole.pairing(self.tournament.round, user_id)


def is_closed(whole: Whole, pairing: PairingRow) -> bool:
    """Whether nobody may know yet how a pairing ended, because the deal of its round may still be played."""
    if not whole.tournament.same_deal:
        return False
    ended = any(each.number == pairing.round and each.ended_at is not None for each in whole.rounds)
    over = ended or whole.tournament.ended
    return not over or any(leg.got is None for each in whole.of_round(pairing.round) for leg in each.legs)


# ---------------------------------------------------------------------------------------------- the public message


def public_screen(view: View, words: Translations) -> Screen:
    """The one message about a tournament that everybody reads."""
    tournament = view.tournament
    match tournament.state:
        case State.OPEN:
            return _joining_screen(view, words)
        case State.CHECKING:
            return _checking_screen(view, words)
        case State.PLAYING:
            return _playing_screen(view, words)
        case State.OVER:
            return _over_screen(view, words)
        case State.CALLED_OFF:
            gone = Text(panel.ended_line(tournament, words))
            return Screen(_title(tournament, words), (gone,), ((_standings_button(words), _more_button(words)),))


def _title(tournament: Tournament, words: Translations) -> str:
    return words("tournament.title", game=game_title(tournament.game))


def _joining_screen(view: View, words: Translations) -> Screen:
    tournament, there = view.tournament, view.whole.people
    counted = words.count("tournament.joined", len(there), most=tournament.most)
    if not there:
        counted = words("tournament.nobody_in", most=tournament.most)
    closes = words("tournament.closes", when=_when(tournament.closes_at))
    named = (
        partner_screens.team_lines(view.whole, view.names, words) if tournament.teams else [_named(view, there, words)]
    )
    sections = (
        Text("\n".join((*terms_lines(tournament, words), *view.options))),
        Text("\n".join(filter(None, (counted, *named)))),
        Text(closes),
    )
    join = Button(words("button.join"), Press("tourjoin"), Tone.GOOD)
    return Screen(_title(tournament, words), sections, ((join, _more_button(words)),), _hosted(view, words))


def _checking_screen(view: View, words: Translations) -> Screen:
    tournament, there = view.tournament, view.whole.people
    here = [each for each in there if each.checked_in]
    counted = words.count("tournament.here", len(here), all=len(there)) if here else words("tournament.nobody_here")
    sections = (
        Text(words("tournament.checking", when=_when(tournament.due_at or 0))),
        Text("\n".join(filter(None, (counted, _named(view, here, words))))),
    )
    button = Button(words("tournament.i_am_here"), Press("tourhere"), Tone.GOOD)
    return Screen(_title(tournament, words), sections, ((button, _more_button(words)),), _hosted(view, words))


def _playing_screen(view: View, words: Translations) -> Screen:
    tournament = view.tournament
    arena = tournament.format is Format.ARENA
    sections: list[Section] = [Text(f"**{_round(tournament, words)}**")]
    if tournament.hold is not None:
        sections.append(Text(panel.hold_line(tournament, words)))
    elif tournament.due_at is not None and not arena:
        sections.append(Text(words("tournament.next_round", when=_when(tournament.due_at))))
    pairings = [each for each in view.whole.in_round if not arena or each.how is None]
    lines = [pairing_line(view, each, words) for each in pairings[: MOST_PAIRED // tournament.seats]]
    if len(pairings) > len(lines):
        lines.append(words.count("tournament.more_matches", len(pairings) - len(lines)))
    if arena and (free := len(waiting(view.whole))):
        lines.append(words.count("tournament.waiting", free))
    sections.append(Text("\n".join(lines)))
    if any(is_closed(view.whole, each) for each in pairings):
        sections.append(Text(words("tournament.closed")))
    if view.lacks_threads:
        sections.append(Text(words("thread.no_permission")))
    leading = [row_line(view, each, words, breaks=False) for each in view.rows[:MOST_LEADING]]
    if leading and view.open_played:
        sections.append(Text("\n".join((words("tournament.leading"), *leading))))
    row = [Button(words("hosted.my_match"), Press("tourmine"), Tone.MAIN), _standings_button(words)]
    if view.whole.takes_late:
        row.append(Button(words("tournament.join_late"), Press("tourjoin")))
    return Screen(_title(tournament, words), tuple(sections), ((*row, _more_button(words)),), _hosted(view, words))


def _over_screen(view: View, words: Translations) -> Screen:
    tournament = view.tournament
    winners = [view.name(each.user_id, words) for each in view.rows if each.place == 1]
    key = "tournament.teams_won" if tournament.teams else "tournament.won"
    won = words.count(key, len(winners), players=words.all_of(winners))
    lines = [row_line(view, each, words, breaks=False) for each in view.rows[:MOST_WINNERS]]
    legend = _legend(tournament, words, breaks=False)
    sections = (Text(f"**{won}**"), *_picture(view, words, MOST_WINNERS), Text("\n".join((legend, *lines))))
    row = (_standings_button(words), _more_button(words))
    return Screen(_title(tournament, words), sections, (row,), _hosted(view, words), Tone.GOOD)


def terms_lines(tournament: Tournament, words: Translations) -> list[str]:
    """What somebody knows before they join."""
    pace = next((each for each in panel.Pace if tournament.every == panel.SECONDS[each]), panel.Pace.EVENING)
    dealt = dealt_of(tournament)
    about = words(f"tournament.dealt_about.{panel.Dealt.SAME if dealt is panel.Dealt.FIELD else dealt}")
    lines = [*panel.about_lines(tournament.format, tournament.seats, words), about]
    tables, by_difference = tournament.seats > panel.PLAYERS, tournament.scoring is Scoring.DIFFERENCE
    if by_difference:
        lines.append(words("tournament.by_difference"))
    if tables:
        lines.append(words("tournament.by_difference_tables" if by_difference else "tournament.by_places"))
    game = GAMES.get(tournament.game)  # None while it isn't installed
    if game is not None and game.info.turn_clock:
        lines.append(clock_line(time_control(tournament.clock), words))
    lines.append(panel.pace_line(pace, tournament.lasts, words))
    lines.append(panel.counts_line(tournament.rated, words, shared=tournament.same_deal))
    return lines


def dealt_of(tournament: Tournament) -> panel.Dealt:
    """Which matches of a round have the same deal."""
    if not tournament.same_deal:
        return panel.Dealt.OWN
    if tournament.teams:
        return panel.Dealt.TEAMS
    if tournament.legs > 1:
        return panel.Dealt.TWICE
    return panel.Dealt.FIELD if tournament.scoring is Scoring.DIFFERENCE else panel.Dealt.SAME


def _named(view: View, people: Sequence[EntrantRow], words: Translations) -> str:
    return partner_screens.listed([view.names[each.user_id] for each in people], MOST_NAMED, words)


def _hosted(view: View, words: Translations) -> str:
    host = view.tournament.host_id
    return words("tournament.host", player=view.names[host]) if host is not None else ""


def _round(tournament: Tournament, words: Translations) -> str:
    if tournament.format is Format.ARENA:
        return words("tournament.arena_until", when=f"<t:{(tournament.due_at or 0) // 1000}:t>")
    if tournament.rounds:
        return words("tournament.round_of", round=tournament.round, rounds=tournament.rounds)
    return words("tournament.round", round=tournament.round)


def pairing_line(view: View, pairing: PairingRow, words: Translations) -> str:
    """Who meets in a pairing, and how it is or how it ended, as far as everybody may know."""
    number = pairing.number
    if pairing.is_bye:
        return words("tournament.bye", number=number, player=view.names[pairing.people[0]])
    players = {"number": number, "players": _players(view, pairing)}
    if pairing.how is None:
        leg = pairing.in_play
        link = None if leg is None else view.boards.get(leg.match_id)
        return (
            words("tournament.pairing_board", **players, link=link) if link else words("tournament.pairing", **players)
        )
    if is_closed(view.whole, pairing):
        return words("tournament.pairing_over", **players)
    line = words("tournament.result", **players, result=_result(result_of(pairing)))
    return line if pairing.how is How.PLAYED else f"{line} · {words(f'tournament.how.{pairing.how}')}"


def result_of(pairing: PairingRow) -> tuple[int, ...]:
    """The half points of each."""
    return pairing.total() if pairing.got is None else pairing.got


def _players(view: View, pairing: PairingRow) -> str:
    return BETWEEN.join(view.names[each] for each in pairing.people)


def _result(got: tuple[int, ...]) -> str:
    return UNBROKEN.join(_number(each) for each in points_of(got))


def row_line(view: View, row: Row, words: Translations, *, breaks: bool = True) -> str:
    """A line of the standings: the place, who and their number, the points, and what decides between equal ones unless
    `breaks` is unset. In an elimination nothing but the place counts."""
    tournament, members = view.tournament, view.whole.members(row.user_id)
    named = zip(TIE_BREAKS[tournament.format], row.tie_breaks, strict=True)
    told = (_number(each) if by is TieBreak.WINS else _points(each, tournament) for by, each in named)
    ties = " / ".join(told) if breaks else ""
    who = {
        "place": row.place,
        "player": view.name(row.user_id, words),
        "seat": view.seeds[row.user_id],
    }
    if tournament.format in ELIMINATIONS:
        line = words("tournament.row_place", **who)
    elif ties:
        line = words("tournament.row_breaks", **who, points=_points(row.points, tournament), breaks=ties)
    else:
        line = words("tournament.row", **who, points=_points(row.points, tournament))
    return line if all(each.there for each in members) else f"{line} · {words('tournament.has_left')}"


def _points(points: float, tournament: Tournament) -> str:
    return str(round(100 * points)) if tournament.scoring is Scoring.DIFFERENCE else _number(points)


def _number(number: float) -> str:
    """Points as people write them: `2½`, or `2 7/12` where there is no sign for it."""
    whole, part = divmod(Fraction(number).limit_denominator(MOST_PARTS), 1)
    if not part:
        return str(whole)
    shown = FRACTIONS.get(part)
    return f"{whole or ''}{shown}" if shown else f"{f'{whole} ' if whole else ''}{part}"


def _legend(tournament: Tournament, words: Translations, *, breaks: bool = True) -> str:
    if tournament.format in ELIMINATIONS:
        return words("tournament.legend_place")
    if not breaks:
        return words("tournament.legend")
    named = [words(f"tournament.tie.{each}") for each in TIE_BREAKS[tournament.format]]
    return words("tournament.legend_breaks", breaks=" / ".join(named))


def _pictured(tournament: Tournament) -> str:
    """What the picture shows: a bracket, or a line for each player with their opponents or places."""
    if tournament.format in ELIMINATIONS:
        return "bracket"
    return "places" if tournament.seats > panel.PLAYERS else "table"


def _picture(view: View, words: Translations, rows: int = MOST_ROWS) -> tuple[Section, ...]:
    """The picture (`View.chart`), described by the standings."""
    chart = view.chart(rows)
    if chart is None:
        return ()
    lines = [words(f"tournament.picture_{_pictured(view.tournament)}")]
    lines += [unescaped(row_line(view, each, words).replace("**", "")) for each in view.rows]
    told = ""
    for line in lines:
        if utf16_units(f"{told}{line}\n") > LONGEST_DESCRIPTION:
            break
        told += f"{line}\n"
    return (Picture(chart, told.strip()),)


def _when(at: int) -> str:
    return f"<t:{at // 1000}:R>"


def _standings_button(words: Translations) -> Button:
    return Button(words("tournament.standings"), Press("tourrows"))


def _more_button(words: Translations) -> Button:
    return Button(words("button.more"), Press("tourmore"))


# ---------------------------------------------------------------------------------------------- private answers


def own_screen(view: View, user_id: int, words: Translations, note: str = "", avoided: Sequence[int] = ()) -> Screen:
    """What somebody has to do now, where they stand, and how they leave or come back. `avoided` are those in it whom
    they have blocked."""
    tournament, entrant = view.tournament, view.whole.entrant(user_id)
    lines: list[str] = []
    buttons: list[Button] = []
    rows: Rows = ()
    if tournament.ended:
        lines.append(panel.ended_line(tournament, words))
    elif entrant is None:
        lines.append(words("tournament.not_in"))
        if tournament.state is State.OPEN or view.whole.takes_late:
            buttons.append(Button(words("button.join"), Press("tourjoin"), Tone.GOOD))
    elif not entrant.there:
        lines.append(words("tournament.you_left"))
        buttons.append(Button(words("tournament.come_back"), Press("tourback"), Tone.GOOD))
    else:
        lines += _own_lines(view, entrant, words)
        match_id = _own_match(view, user_id)
        if match_id is not None:
            buttons.append(Button(words("button.my_cards"), Press("open", 0, match_id), Tone.MAIN))
        if tournament.state is State.CHECKING and not entrant.checked_in:
            buttons.append(Button(words("tournament.i_am_here"), Press("tourhere"), Tone.GOOD))
        if tournament.teams:
            lines += partner_screens.partner_lines(view.whole, entrant, view.names, words)
            buttons += partner_screens.askers(view.whole, entrant, view.names, words)
            rows = partner_screens.choice(view.whole, entrant, words)
        buttons += [] if _is_out(view, user_id) else [Button(words("button.leave"), Press("tourleave"))]
    if avoided:
        players = partner_screens.listed([view.names[each] for each in avoided], MOST_NAMED, words)
        lines.append(words.count("tournament.avoided", len(avoided), players=players))
    own = next((each for each in view.rows if each.user_id == view.whole.side(user_id)), None)
    if own is not None and view.open_played:
        lines.append(row_line(view, own, words, breaks=False))
    if tournament.round:
        buttons.append(_standings_button(words))
    if tournament.held_until is not None:  # the public message may be lost with its channel
        lines.append(panel.hold_line(tournament, words))
        buttons.append(_more_button(words))
    return Screen(_title(tournament, words), (*noted(note), Text("\n".join(lines))), (*rows, tuple(buttons)))


def _own_match(view: View, user_id: int) -> str | None:
    pairing = view.own_pairing(user_id)
    leg = None if pairing is None or pairing.how is not None else pairing.in_play
    return None if leg is None else leg.match_id


def _own_lines(view: View, entrant: EntrantRow, words: Translations) -> list[str]:
    tournament, user_id = view.tournament, entrant.user_id
    if tournament.state is State.OPEN:
        return [words("tournament.you_joined"), words("tournament.closes", when=_when(tournament.closes_at))]
    if tournament.state is State.CHECKING:
        key = "tournament.you_checked_in" if entrant.checked_in else "tournament.checking"
        return [words(key, when=_when(tournament.due_at or 0))]
    pairing, arena = view.own_pairing(user_id), tournament.format is Format.ARENA
    waits = words("tournament.you_wait_arena" if arena else "tournament.you_wait")
    waits = words("tournament.you_out") if _is_out(view, user_id) else waits
    if pairing is None:
        return [waits]
    if pairing.is_bye:
        return [words("tournament.you_bye", round=pairing.round)]
    opponents = words.all_of([view.names[each] for each in pairing.people if each != user_id])
    if pairing.how is None:
        plays = "tournament.you_play_arena" if arena else "tournament.you_play"
        key = "tournament.you_begin" if pairing.in_play is None else plays
        return [words(key, round=pairing.round, player=opponents)]
    return [pairing_line(view, pairing, words), waits]


def _is_out(view: View, user_id: int) -> bool:
    """Whether somebody has lost too often to be in the next round, by what is open."""
    form = view.tournament.format
    if form not in ELIMINATIONS or not view.tournament.round:
        return False
    far = reached(view.whole.model, view.open_played, form is Format.DOUBLE)
    return far[view.whole.side(user_id)] < max(far.values())


def standings_screen(view: View, page: int, words: Translations) -> Screen:
    """A page of the standings, the first one with the picture."""
    tournament, rows = view.tournament, view.rows
    if not rows:
        return Screen(_title(tournament, words), (Text(words("tournament.no_standings")),))
    shown, page, last = page_of(rows, page, PAGE)
    lines = [row_line(view, each, words) for each in shown]
    sections = (
        *(_picture(view, words) if page == 0 else ()),
        *([Text(words("tournament.in_picture"))] if page == 0 and _pictured(tournament) == "table" else ()),
        Text("\n".join((_legend(tournament, words), *lines))),
    )
    controls: Rows = (turning("tourrows", page, last, words),) if last else ()
    return Screen(_title(tournament, words), sections, controls)


def more_screen(view: View, words: Translations, *, host: bool, note: str = "") -> Screen:
    """How a tournament goes, and what its host may do with it."""
    tournament = view.tournament
    lines = [*terms_lines(tournament, words), *view.options]
    tables = TABLE_BREAKS if tournament.seats > panel.PLAYERS else ()
    lines += [
        words(f"tournament.tie_{'tables' if each in tables else 'about'}.{each}")
        for each in TIE_BREAKS[tournament.format]
    ]
    if tournament.same_deal:
        lines.append(words("tournament.not_prevented"))
    if host and tournament.event_id == LOST_EVENT:
        lines.append(words("tournament.event_lost"))
    rows: list[tuple[Button | Select, ...]] = []
    lines += [_audit_line(view, each, words) for each in view.whole.corrections[-MOST_CORRECTIONS:]]
    if host and tournament.state in {State.PLAYING, State.OVER} and (correctable := _correctable(view, words)):
        rows.append((Select(Press("tourfix"), words("tournament.correct"), correctable),))
    buttons: list[Button] = []
    if host and tournament.state in {State.OPEN, State.CHECKING}:
        buttons.append(Button(words("tournament.begin"), Press("tourclose"), Tone.GOOD))
    if host and tournament.state is State.PLAYING:
        paused = tournament.hold is not None
        verb, key = ("tourgoon", "tournament.resume") if paused else ("tourpause", "tournament.pause")
        buttons.append(Button(words(key), Press(verb), Tone.GOOD if paused else Tone.PLAIN))
    if host and not tournament.ended:
        buttons.append(Button(words("tournament.call_off"), Press("tourend"), Tone.BAD))
    if tournament.round:
        buttons.append(Button(words("tournament.csv"), Press("tourfile", 1, "csv")))
        buttons.append(Button(words("tournament.json"), Press("tourfile", 2, "json")))
    if tournament.state is State.OVER:
        buttons.append(Button(words("tournament.verify"), Press("tourproof")))
    rows.append(tuple(buttons))
    title = words("tournament.more_title", game=game_title(tournament.game))
    return Screen(title, (*noted(note), Text("\n".join(lines))), tuple(rows))


def _correctable(view: View, words: Translations) -> tuple[Option, ...]:
    """The latest pairings, as lines to choose from. What is closed can't be corrected yet."""
    whole = view.whole
    rows = whole.in_round if whole.tournament.format in ELIMINATIONS else whole.pairings
    found = [each for each in rows if not each.is_bye and not is_closed(whole, each)]
    return tuple(
        Option(unescaped(told_pairing(view, each, words))[:LONGEST_OPTION], f"{each.round}.{each.number}")
        for each in reversed(found[-MOST_OPTIONS:])
    )


def told_pairing(view: View, pairing: PairingRow, words: Translations) -> str:
    """Who meets in which round."""
    return words("tournament.of_round", round=pairing.round, players=_players(view, pairing))


def _audit_line(view: View, correction: Correction, words: Translations) -> str:
    """Who set a result, and to what."""
    of_round = view.whole.of_round(correction.round)
    pairing = next(each for each in of_round if each.number == correction.pairing)
    return words(
        "tournament.audit",
        player=view.names[correction.user_id],
        round=correction.round,
        players=_players(view, pairing),
        result=_result(correction.got),
    )


def ask_screen(view: View, words: Translations) -> Screen:
    """Asks a host before a tournament is called off."""
    row = (
        Button(words("tournament.call_off"), Press("tourendnow"), Tone.BAD),
        Button(words("tournament.keep"), Press("tourmore")),
    )
    return Screen(_title(view.tournament, words), (Text(words("tournament.ask")),), (row,), tone=Tone.BAD)


def proof_screen(view: View, deals: Sequence[DealRow], words: Translations) -> Screen:
    """The seals and seeds of all rounds. Only after the end."""
    lines = [
        words(
            "tournament.proof_line" if each.seed else "tournament.proof_private",
            round=each.round,
            deal=each.deal_id,
            seal=short_seal(each.commitment),
            seed=each.seed.hex(),
        )
        for each in deals[:MOST_DEALS]
    ]
    if len(deals) > len(lines):
        lines.append(words.count("tournament.proof_more", len(deals) - len(lines)))
    sections = (Text(words("tournament.proof")), Text("\n".join(lines)))
    row = (Button(words("tournament.json"), Press("tourfile", 2, "json")),)
    return Screen(_title(view.tournament, words), sections, (row,))
