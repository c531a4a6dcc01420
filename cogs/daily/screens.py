"""Screens of the deal of the day, which tell no card, no seed and nothing of a hand before the day ends.

They are the list of `/daily`, what somebody who has finished may see, and the one message a day and channel that says
how people did.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from bot.games import game_title
from bot.play.deals.tried import AttemptState, ending_of
from bot.play.live_match import LiveMatch
from bot.scheduler import ends_at
from bot.ui.catalogue import Translations
from bot.ui.screen import Button, Press, Rule, Screen, Section, Text, Tone
from cogs.daily.deals import by_score, score_of, tally
from cogs.daily.queries import DailyAttempt, DailyDeal
from cogs.screens.attempts import chosen_lines, date, deal_lines, own_state, play_button, seal_lines, worth
from cogs.screens.presenter import Reader
from cogs.screens.renderer import chunks

SUBJECT: Final = "daily"
"""What the controls of these screens act on, in place of a match."""

MOST_NAMED: Final = 10
"""How many people the message names for each game: the latest to finish."""
MOST_SCORED: Final = 3
"""How many it names for each score of the day before."""
MOST_SQUARES: Final = 10
"""How many squares a line of a histogram has at most."""
_SQUARES: Final = {AttemptState.WON: "■", AttemptState.DRAWN: "▨", AttemptState.LOST: "□"}


@dataclass(frozen=True, slots=True)
class TodaysDeal:
    """A deal, and what the reader has made of it."""

    deal: DailyDeal
    attempt: DailyAttempt | None


@dataclass(frozen=True, slots=True)
class OpenDeal:
    """A deal whose day is over, with attempts at it."""

    deal: DailyDeal
    attempts: Sequence[DailyAttempt]


def day_screen(today: Sequence[TodaysDeal], yesterday: Sequence[OpenDeal], day: int, words: Translations) -> Screen:
    """Today's deals, and the reader's own attempts of yesterday, whose deals are open by now."""
    opens = f"<t:{ends_at(day) // 1000}:R>"
    lines = deal_lines([(each.deal, each.attempt) for each in today], words)
    sections = [Text(words("daily.intro", when=opens)), lines]
    proof = Button(words("button.proof"), Press("dailyproof"))
    rows = [*chunks([*(play_button("dailyplay", each.deal.game, each.attempt, words) for each in today), proof])]
    if yesterday:
        own = [_own_score(each.deal, attempt, words) for each in yesterday for attempt in each.attempts]
        sections.append(Text("\n".join((words("daily.yesterday"), *own))))
        rows += chunks([_look_button(attempt, words) for each in yesterday for attempt in each.attempts])
    return Screen(words("daily.title", date=date(day, words)), tuple(sections), tuple(rows))


def _own_score(deal: DailyDeal, attempt: DailyAttempt, words: Translations) -> str:
    """What somebody got above the worth of a deal that is open by now."""
    score = score_of(attempt, deal)
    told = words("daily.state.unfinished") if score is None else f"{score:+}"
    return words("daily.scored", game=game_title(deal.game), share=worth(deal, words), score=told)


def seals_screen(deals: Sequence[DailyDeal], yesterday: Sequence[DailyDeal], day: int, words: Translations) -> Screen:
    """The seals of a day's deals, when their seeds are shown, and how those of yesterday were chosen."""
    about = words("daily.seals", when=f"<t:{ends_at(day) // 1000}:R>")
    row = (Button(words("button.daily"), Press("daily")),)
    sections = (Text(about), seal_lines(deals, words), *chosen_lines(words("daily.how_chosen"), yesterday, words))
    return Screen(words("daily.title", date=date(day, words)), sections, (row,))


def _look_button(attempt: DailyAttempt, words: Translations) -> Button:
    label = words("button.daily_yesterday", game=game_title(attempt.game))
    return Button(label, Press("dailyend", 0, attempt.match_id))


def result_screen(
    own: DailyAttempt,
    attempts: Sequence[DailyAttempt],
    streak: int,
    words: Translations,
    *,
    added: Sequence[Button] = (),
) -> Screen:
    """The reader's own result, their streak, and how everybody in the server did in the same deal. `added` are what
    other rooms offer for it."""
    state = words("daily.own_result", state=own_state(own, words))
    sections = (
        Text("\n".join(filter(None, (state, streak_text(streak, words))))),
        Text(everybody(attempts, words)),
        Text(words("daily.closed", when=f"<t:{ends_at(own.day) // 1000}:R>")),
    )
    rows = ((Button(words("button.daily"), Press("daily")), *added),)
    title = words("daily.result_title", game=game_title(own.game), date=date(own.day, words))
    return Screen(title, sections, rows, tone=Tone.GOOD)


@dataclass(frozen=True, slots=True)
class GameOfDay:
    """A game's deal of a day: who finished it in the channel, the earliest first, and all attempts in the server."""

    game: str
    level: str
    finished: Sequence[DailyAttempt]
    attempts: Sequence[DailyAttempt]


def channel_message(
    games: Sequence[GameOfDay],
    yesterday: Sequence[OpenDeal],
    day: int,
    *,
    streaks: Mapping[str, int],
    names: Mapping[int, str],
    words: Translations,
) -> Screen:
    """The message, with the scores of the day before; `streaks` are by match and `names`, which must be safe, by
    user."""
    sections: list[Section] = []
    for each in games:
        named = each.finished[-MOST_NAMED:]
        lines = [
            words("daily.channel_game", game=game_title(each.game), level=words(f"computer.level.{each.level}")),
            *(told_ending(tried, names[tried.user_id], streaks[tried.match_id], words) for tried in named),
        ]
        if len(each.finished) > len(named):
            lines.append(words.count("daily.others", len(each.finished) - len(named)))
        sections += [Text("\n".join(lines)), Text(everybody(each.attempts, words)), Rule()]
    scored = [line for each in yesterday for line in _score_lines(each, names, words)]
    if scored:
        sections += [Text("\n".join((words("daily.channel_yesterday"), *scored))), Rule()]
    sections.append(Text(words("daily.channel_closed", when=f"<t:{ends_at(day) // 1000}:R>")))
    button = Button(words("button.daily"), Press("daily", 0, str(day)))
    return Screen(words("daily.title", date=date(day, words)), tuple(sections), ((button,),))


def week_screen(yesterday: Sequence[OpenDeal], day: int, names: Mapping[int, str], words: Translations) -> Screen:
    """That there are deals today, for a whole server, with the scores of the day before."""
    sections: list[Section] = [Text(words("daily.channel_closed", when=f"<t:{ends_at(day) // 1000}:R>"))]
    scored = [line for each in yesterday for line in _score_lines(each, names, words)]
    if scored:
        sections += [Rule(), Text("\n".join((words("daily.channel_yesterday"), *scored)))]
    button = Button(words("button.daily"), Press("daily"))
    return Screen(words("daily.title", date=date(day, words)), tuple(sections), ((button,),))


def look_button(match: LiveMatch, reader: Reader) -> tuple[Button, ...]:
    """Shows how somebody's attempt ended, and how everybody did."""
    if match.everywhere:
        return ()
    return (Button(reader.words("button.daily_look"), Press("dailyend", 0, match.id), Tone.MAIN),)


def told_ending(attempt: DailyAttempt, name: str, streak: int, words: Translations) -> str:
    """How an attempt ended, for everybody, in a line."""
    told = words(f"daily.told.{ending_of(attempt)}", player=name)
    return f"{told} {streak_text(streak, words)}".strip()


def streak_text(streak: int, words: Translations) -> str:
    """How many days in a row somebody has finished; empty for a single one."""
    return words.count("daily.streak", streak) if streak > 1 else ""


def everybody(attempts: Sequence[DailyAttempt], words: Translations) -> str:
    """How all attempts of a server at a deal ended, without a word of what it is worth, and how many resigned."""
    ends = tally(attempts)
    finished = sum(ends.values())
    lines = [words.count("daily.everybody", finished)] if finished else [words("daily.nobody")]
    scale = _scale(ends.values())
    lines += [
        f"{_SQUARES[ending] * math.ceil(n / scale)} {words.count(f'daily.band.{ending}', n)}"
        for ending, n in ends.items()
    ]
    resigned = sum(ending_of(each) is AttemptState.RESIGNED for each in attempts)
    if resigned:
        lines.append(words.count("daily.resigned", resigned))
    return "\n".join(lines)


def _score_lines(open_deal: OpenDeal, names: Mapping[int, str], words: Translations) -> list[str]:
    """The scores at a deal whose day is over, best first: a square for each person (or a few of them), and who."""
    deal, scores = open_deal.deal, by_score(open_deal.attempts, open_deal.deal)
    if not scores:
        return []
    scale = _scale([len(attempts) for attempts in scores.values()])
    width = max(len(f"{score:+}") for score in scores)
    lines = [words("daily.channel_worth", game=game_title(deal.game), share=worth(deal, words))]
    for score, attempts in scores.items():
        squares = "■" * math.ceil(len(attempts) / scale)
        lines.append(f"`{score:>+{width}}` {squares} {_some_of([names[each.user_id] for each in attempts], words)}")
    return lines


def _some_of(names: Sequence[str], words: Translations) -> str:
    left = len(names) - MOST_SCORED
    return words.all_of([*names[:MOST_SCORED], *([words.count("daily.more", left)] if left > 0 else ())])


def _scale(numbers: Iterable[int]) -> int:
    """How many people a square stands for."""
    return max([math.ceil(n / MOST_SQUARES) for n in numbers], default=1)
