"""What the rooms show alike whose deals many people try (`bot.play.deals.tried`): how somebody's attempt stands, the
button to it, and how deals are sealed and were chosen."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from bot.games import game_title
from bot.play.deals.tried import AttemptState, ending_of
from bot.scheduler import begins_at
from bot.store.queries.attempts import Attempt, TriedDeal
from bot.ui.catalogue import Translations
from bot.ui.screen import Button, Press, Text, Tone
from engines.deals import short_seal


def date(day: int, words: Translations) -> str:
    """A day as a date, the same day for every reader: theirs may be another one by now."""
    return words.date(begins_at(day))


def own_state(attempt: Attempt | None, words: Translations) -> str:
    """How their own attempt stands, for the person who made it."""
    return words(f"daily.state.{'none' if attempt is None else ending_of(attempt)}")


def deal_lines(deals: Iterable[tuple[TriedDeal, Attempt | None]], words: Translations) -> Text:
    """Deals, and what the reader has made of each."""
    lines = []
    for deal, attempt in deals:
        level = words(f"computer.level.{deal.level}")
        state = own_state(attempt, words)
        lines.append(words("daily.line", game=game_title(deal.game), level=level, state=state))
    return Text("\n".join(lines))


def play_button(verb: str, game: str, attempt: Attempt | None, words: Translations) -> Button:
    """Begins an attempt at the deal of a game, or leads to the reader's own."""
    title, press = game_title(game), Press(verb, 0, game)
    if attempt is None:
        return Button(words("button.daily_play", game=title), press, Tone.GOOD)
    playing = ending_of(attempt) is AttemptState.PLAYING
    key = "button.daily_continue" if playing else "button.daily_result"
    return Button(words(key, game=title), press, Tone.MAIN if playing else Tone.PLAIN)


def seal_lines(deals: Iterable[TriedDeal], words: Translations) -> Text:
    """The seals of deals, which somebody may note before they play."""
    lines = [
        words("daily.seal", game=game_title(deal.game), deal=deal.deal_id, seal=short_seal(deal.commitment))
        for deal in deals
    ]
    return Text("\n".join(lines))


def chosen_lines(about: str, deals: Sequence[TriedDeal], words: Translations) -> tuple[Text, ...]:
    """How deals that are open were chosen, below what to say about it; nothing without deals."""
    chosen = [
        words(
            "daily.chosen",
            game=game_title(deal.game),
            nth=deal.nth,
            root=deal.root.hex(),
            share=worth(deal, words),
            program=deal.program,
        )
        for deal in deals
    ]
    return (Text("\n".join((about, *chosen))),) if chosen else ()


def worth(deal: TriedDeal, words: Translations) -> str:
    """The share of the win, in per cent, that a deal was worth to a decent player."""
    return words.percent(round(deal.worth / 10))
