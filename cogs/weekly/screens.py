"""Screens of the deal of the week, which tell no card, no seed and nothing of a hand before the week is over, and of
other servers no more than names and scores."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from bot.games import game_title
from bot.play.live_match import LiveMatch
from bot.scheduler import ends_at
from bot.store.queries.attempts import Attempt, TriedDeal
from bot.store.special_ids import is_direct
from bot.ui.catalogue import Translations
from bot.ui.screen import Button, Press, Screen, Section, Text, Tone
from cogs.screens.attempts import chosen_lines, date, deal_lines, own_state, play_button, seal_lines
from cogs.screens.presenter import Reader
from cogs.screens.renderer import chunks
from cogs.screens.safe_names import safe_server_name
from cogs.weekly.deals import DRAW, LEAST_WIN, MOST_LOSS, WIN, first_day, points_of
from cogs.weekly.queries import BEST, LEAST_RATED, ServerStanding, WeeklyAttempt

SUBJECT: Final = "weekly"
"""What the controls of these screens act on, in place of a match."""
MOST_NAMED: Final = 10
"""How many people of a server, and how many servers, are in the standings."""
FIRST: Final = 3
"""How many servers of last week are named for each game."""


@dataclass(frozen=True, slots=True)
class Standings:
    """The first servers at a deal, and maybe the reader's own behind them; `here` is that one. Names are safe."""

    servers: Sequence[ServerStanding]
    here: int

    @classmethod
    def of(cls, standings: Sequence[ServerStanding], here: int) -> Standings:
        """The same of servers whose names are as their owners wrote them."""
        return cls([replace(each, name=safe_server_name(each.name, each.guild_id)) for each in standings], here)


@dataclass(frozen=True, slots=True)
class Own:
    """The reader's attempt, and who has made the best attempts `here`, in their server, with how many points; `names`
    are safe. `is_shown` says whether the server is in the standings."""

    attempt: WeeklyAttempt
    here: Sequence[tuple[int, int]]
    names: Mapping[int, str]
    is_shown: bool


def week_screen(
    deals: Sequence[tuple[TriedDeal, Attempt | None]],
    former: Sequence[Attempt],
    standings: Mapping[str, Standings],
    week: int,
    words: Translations,
) -> Screen:
    """This week's deals with the reader's attempts, the first servers of last week by games, and the reader's own
    attempts of then, whose deals are open by now."""
    points = words("weekly.points", least=LEAST_WIN, win=WIN, draw=DRAW, lost=MOST_LOSS)
    about = "\n".join((words("weekly.intro", when=_end(week)), points))
    sections: list[Section] = [Text(about), deal_lines(deals, words)]
    firsts = [
        words("weekly.first", game=game_title(game), servers=words.all_of(_lines(standings, words)))
        for game, standings in standings.items()
        if standings.servers
    ]
    if firsts:
        sections.append(Text("\n".join((words("weekly.last_week"), *firsts))))
    proof = Button(words("button.proof"), Press("weeklyproof"))
    rows = [*chunks([*(play_button("weeklyplay", deal.game, tried, words) for deal, tried in deals), proof])]
    rows += chunks([_look_button(each, words) for each in former])
    return Screen(_title(week, words), tuple(sections), tuple(rows))


def seals_screen(deals: Sequence[TriedDeal], former: Sequence[TriedDeal], week: int, words: Translations) -> Screen:
    """The seals of a week's deals, when their seeds are shown, and how those of last week were chosen."""
    about = words("daily.seals", when=_end(week))
    sections = (Text(about), seal_lines(deals, words), *chosen_lines(words("daily.how_chosen"), former, words))
    return Screen(_title(week, words), sections, ((_back(words),),))


def result_screen(own: Own, standings: Standings, words: Translations, *, added: Sequence[Button] = ()) -> Screen:
    """The reader's own result, what their server has made of the deal, and the standings of servers; in a chat
    there is no server of theirs. `added` are what other rooms offer for it."""
    tried = own.attempt
    lines = [words("weekly.own_result", state=own_state(tried, words), points=points_of(tried))]
    outside = is_direct(tried.guild_id)
    if not tried.counts:
        lines.append(words("weekly.outside") if outside else words("weekly.not_counted", least=LEAST_RATED))
    sections = [
        Text("\n".join(lines)),
        *(() if outside else [Text("\n".join(_of_server(own, words)))]),
        Text("\n".join(_of_servers(own, standings, words))),
        Text(words("daily.closed", when=_end(tried.day))),
    ]
    title = words("weekly.result_title", game=game_title(tried.game), date=date(first_day(tried.day), words))
    return Screen(title, tuple(sections), ((_back(words), *added),), tone=Tone.GOOD)


def _of_server(own: Own, words: Translations) -> list[str]:
    """The score of the reader's server, and who made it."""
    points = [points for _, points in own.here]
    lines = [words("weekly.server", score=sum(points[:BEST]) // BEST)]
    for user_id, worth in own.here:
        place = points.index(worth) + 1
        lines.append(words("weekly.line", place=place, name=own.names[user_id], score=worth))
    return lines


def _of_servers(own: Own, standings: Standings, words: Translations) -> list[str]:
    """The standings of servers, with that of the reader in any case, if it is there."""
    lines = [words("weekly.servers"), *_lines(standings, words)]
    if not standings.servers:
        lines.append(words("weekly.no_servers"))
    if not own.is_shown and not is_direct(own.attempt.guild_id):
        lines.append(words("weekly.not_shown"))
    return lines


def _lines(standings: Standings, words: Translations) -> list[str]:
    return [_line(each, standings, words) for each in standings.servers]


def _line(each: ServerStanding, standings: Standings, words: Translations) -> str:
    bold = f"**{each.name}**" if each.guild_id == standings.here else each.name
    return words("weekly.line", place=each.place, name=bold, score=each.score)


def look_button(match: LiveMatch, reader: Reader) -> tuple[Button, ...]:
    """Shows how somebody's attempt ended, and how servers did."""
    if not match.everywhere:
        return ()
    return (Button(reader.words("button.weekly_look"), Press("weeklyend", 0, match.id), Tone.MAIN),)


def _look_button(attempt: Attempt, words: Translations) -> Button:
    label = words("button.weekly_last", game=game_title(attempt.game))
    return Button(label, Press("weeklyend", 0, attempt.match_id))


def _back(words: Translations) -> Button:
    return Button(words("button.weekly"), Press("weekly"))


def _title(week: int, words: Translations) -> str:
    return words("weekly.title", date=date(first_day(week), words))


def _end(week: int) -> str:
    return f"<t:{ends_at(week) // 1000}:R>"
