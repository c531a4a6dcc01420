"""How a match ended: who won and why, and what that did to its series, ratings and the score between two."""

from __future__ import annotations

from bot.play.counting import LEFT
from bot.play.live_match import LiveMatch
from bot.play.matchmaking import series
from bot.store.queries.invitations import StandIn
from bot.store.queries.matches import Result
from bot.store.queries.profiles import HeadToHead
from bot.store.scoring import RatingChange
from bot.store.special_ids import is_chat, is_computer
from bot.ui.catalogue import Translations
from cogs.screens.presenter import Reader
from engines.game import Outcome

COMMON = frozenset(
    {"resignation", "time", "called_off", "lapsed", "lost_place", "abandoned", "moderated", "day_over", "idle"}
)
"""Endings that every game has. All others belong to one game and contain its key."""


def outcome(match: LiveMatch, reader: Reader) -> tuple[str, ...]:
    """The result in lines: in bold who won, why, and why it does not count if it does not; a seat reads "you".

    Raises RuntimeError for a match that is not over.
    """
    result = match.result
    if result is None:
        raise RuntimeError("a match that is being played has no result")
    counted = reader.words("ending.counted_left") if match.counts_though_short else _uncounted(match, result, reader)
    if counted and match.series is not None and not result.counted and series.winner_of(match) is not None:
        counted = reader.words("ending.counted_in_series", why=counted)
    more = (*_forfeited(match, result, reader), *_handed_over(match, result, reader), counted)
    return (*ending(match.game.info.key, result, match.position.outcome, reader), *filter(None, more))


def ending(game: str, result: Result, outcome: Outcome | None, reader: Reader) -> tuple[str, ...]:
    """Who won, in bold, and why. `outcome` is how it was played, even if a seat then counts as resigned (C-8)."""
    why = _why(game, result, outcome, reader)
    return (f"**{why}**",) if not result.ranks else (f"**{_winner(result, reader)}**", why)


def _forfeited(match: LiveMatch, result: Result, reader: Reader) -> tuple[str, ...]:
    """For each seat that a computer played for the most part, that it counts as resigned (C-8)."""
    if match.stand_in is not StandIn.RATED or not result.ranks:
        return ()
    return tuple(
        reader.words(
            "stand_in.forfeited.you" if seat == reader.seat else "stand_in.forfeited", player=reader.names[seat]
        )
        for seat in match.holders.forfeited
    )


def _winner(result: Result, reader: Reader) -> str:
    words, first = reader.words, [seat for seat, rank in enumerate(result.ranks) if rank == 1]
    if len(first) == len(result.ranks):
        return words("ending.draw")
    others = words.all_of(reader.names[seat] for seat in first if seat != reader.seat)
    if reader.seat in first:
        return words("ending.shared.you", winners=others) if others else words("ending.won.you")
    return words("ending.shared" if len(first) > 1 else "ending.won", winner=others, winners=others)


def _why(game: str, result: Result, outcome: Outcome | None, reader: Reader) -> str:
    words, kind = reader.words, result.kind
    if kind not in COMMON:
        return words(f"{game}.ending.{kind}", **_names(result, reader))
    if kind not in LEFT:
        return words(f"ending.{kind}")
    ranks = result.ranks if outcome is None else outcome.ranks
    losers = [seat for seat, rank in enumerate(ranks) if rank != 1]
    if not losers:
        return words("ending.time_both")
    if len(ranks) > 2:
        return words("ending.last_left")  # the others may have left in different ways
    if losers == [reader.seat]:
        return words(f"ending.{kind}.you")
    return words(f"ending.{kind}", loser=reader.names[losers[0]])


def _names(result: Result, reader: Reader) -> dict[str, str]:
    """Who won and who did not, for the sentences of a game. Those of our games name nobody: a winner reads them too."""
    sides: dict[str, list[str]] = {"winner": [], "loser": []}
    for name, rank in zip(reader.names, result.ranks, strict=True):
        sides["winner" if rank == 1 else "loser"].append(name)
    return {side: reader.words.all_of(names) for side, names in sides.items()}


def _handed_over(match: LiveMatch, result: Result, reader: Reader) -> tuple[str, ...]:
    """Why a match counts although a computer played a seat on and the terms say that it usually doesn't (C-8)."""
    if match.stand_in is not StandIn.UNRATED or not result.counted:
        return ()
    return tuple(
        reader.words(
            "stand_in.lost_by_choice.you" if seat == reader.seat else "stand_in.lost_by_choice",
            player=reader.names[seat],
        )
        for seat in match.holders.lost_by_choice(result.ranks)
    )


def _uncounted(match: LiveMatch, result: Result, reader: Reader) -> str:
    """The sentence that a result does not count for the leaderboard, and why; empty if it does."""
    if result.counted or is_chat(match.guild_id):
        return ""
    if match.unrated is not None:
        return reader.words(f"ending.unrated.{match.unrated.why}", player=reader.names[match.unrated.seat])
    if not result.ranks:
        return reader.words("ending.uncounted")
    if match.shared or not match.rated:
        return reader.words("ending.uncounted_agreed")
    return _unrated(match, reader) or reader.words("ending.uncounted_short", least=match.game.info.shortest_counted)


def _unrated(match: LiveMatch, reader: Reader) -> str:
    """Why a match of this kind counts for nobody; empty if it could count."""
    if match.result is not None and match.holders.undone(match.result.ranks, match.stand_in):
        return reader.words("ending.uncounted_stand_in")
    if match.origin is not None:
        return reader.words("ending.uncounted_practice")
    if any(map(is_computer, match.seats)):
        return reader.words("ending.uncounted_computer")
    return ""


def series_lines(match: LiveMatch, reader: Reader) -> tuple[str, ...]:
    """How the series of a match stands (C-9): before it while it is played, and with it afterwards; then also who has
    won the series, or until when its next match can begin. None for a match in no series."""
    if match.series is None:
        return ()
    (first, second), (wins, losses) = reader.names, series.wins_with(match)
    score = {"first": first, "wins": wins, "losses": losses, "second": second, "best_of": match.series.best_of}
    if not match.over:
        return (reader.words("series.playing", number=match.series.number, **score),)
    said = [reader.words("series.score", **score)]
    winner = series.winner_of_series(match)
    if winner is not None:
        return (*said, reader.words("series.won", winner=reader.names[winner]))
    if series.winner_of(match) is None:
        said.append(reader.words("series.replayed"))
    return (*said, reader.words("series.goes_on", when=f"<t:{series.open_until(match) // 1000}:f>"))


def rating_text(change: RatingChange, words: Translations) -> str:
    """A player's rating after a match, and how it changed by it. Whether it is provisional, *Why did my rating change?*
    says."""
    return words("ending.rating", rating=change.after.shown, change=signed(change.after.shown - change.before.shown))


def signed(number: int) -> str:
    """A number with its sign, where it is a change."""
    return f"{'+' if number > 0 else '−' if number < 0 else '±'}{abs(number)}"


def head_to_head_line(record: HeadToHead | None, first: str, second: str, words: Translations) -> str:
    """The wins of two players against each other, and their draws; empty if nothing between them has counted yet.

    The names must be safe.
    """
    if record is None or record == HeadToHead():
        return ""
    wins, losses = record.wins
    score = {"first": first, "wins": wins, "losses": losses, "second": second}
    if not record.draws:
        return words("head_to_head.score", **score)
    return words.count("head_to_head.score_drawn", record.draws, **score)
