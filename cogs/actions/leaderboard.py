"""The leaderboard of a server and game, one page at a time, with the reader's own rank on every page.

A list changes to another game, and a button goes to the page with the reader's own row.
"""

from __future__ import annotations

from collections import Counter

from bot.games import GAMES
from bot.play.refusals import Refused
from bot.ratings import SETTLED
from bot.store.rows import Standing
from bot.ui.catalogue import Translations
from bot.ui.screen import Button, Option, Press, Screen, Select, Text
from cogs.app import CardroomApp
from cogs.interactions.responses import Interaction

PAGE = 10
MOST_OPTIONS = 25
MARK = "➤ "
"""Before the reader's own row. Names cannot contain it."""


async def leaderboard_screen(
    app: CardroomApp, interaction: Interaction, game: str, page: int, *, own_page: bool = False
) -> Screen:
    """A page of the leaderboard, counted from 0; past the last page it is the last.

    With `own_page` it is the page with the reader's own row, if they have one. Raises Refused outside servers.
    """
    guild_id, user_id = interaction.guild_id, interaction.user.id
    if guild_id is None:
        raise Refused("place.not_a_server")
    words = app.translations_for(interaction)
    ranked = await app.store.count_ranked(guild_id, game)
    above = await app.store.count_listed_above(guild_id, game, user_id) if own_page else None
    last = max(0, (ranked - 1) // PAGE)
    page = min(page if above is None else above // PAGE, last)
    standings = await _page(app, guild_id, game, page)
    title = words("ladder.title", game=GAMES[game].info.title)
    if not standings:
        return Screen(title, (Text(words("ladder.empty", game=game)),), (_games(game, words),))
    await app.display_names.load(guild_id, [row.user_id for row, _ in standings])
    names = app.names(guild_id, [row.user_id for row, _ in standings], words)
    lines = [
        f"{MARK if row.user_id == user_id else ''}{_line(row, name, words, shared=shared)}"
        for (row, shared), name in zip(standings, names, strict=True)
    ]
    own = await app.store.standing(guild_id, game, user_id)
    mine = words("ladder.unranked") if own is None else words("ladder.own", rank=own.rank, of=ranked)
    sections = (Text("\n".join(lines)), Text(mine))
    how = words("ladder.how", least=GAMES[game].info.shortest_counted)
    unsure = (words("ladder.provisional", least=SETTLED),) if any(row.provisional for row, _ in standings) else ()
    footer = "\n".join((words("ladder.page", page=page + 1, pages=last + 1), how, *unsure))
    away = own is not None and all(row.user_id != user_id for row, _ in standings)
    turning = (_turning(page, last, words, away=away),) if last else ()
    return Screen(title, sections, (_games(game, words), *turning), footer)


async def _page(app: CardroomApp, guild_id: int, game: str, page: int) -> list[tuple[Standing, bool]]:
    """The rows of a page, each with whether its rank is shared."""
    first = page * PAGE
    before = min(first, 1)  # one more on either side: players on two pages may share a rank
    around = await app.store.leaderboard(guild_id, game, first - before, before + PAGE + 1)
    ranks = Counter(standing.rank for standing in around)
    return [(standing, ranks[standing.rank] > 1) for standing in around[before : before + PAGE]]


def _line(standing: Standing, name: str, words: Translations, *, shared: bool) -> str:
    rating = words(
        "ladder.rating_provisional" if standing.provisional else "ladder.rating",
        rating=standing.rating.shown,
        uncertainty=standing.rating.uncertainty,
    )
    return words(
        "ladder.line_shared" if shared else "ladder.line",
        rank=standing.rank,
        name=name,
        rating=rating,
        wins=standing.wins,
        losses=standing.losses,
        draws=standing.draws,
    )


def _games(game: str, words: Translations) -> tuple[Select]:
    """The list of games, with this one chosen. Discord's lists have at most 25 lines."""
    keys = [*GAMES][:MOST_OPTIONS]
    if game not in keys:
        keys[-1] = game
    options = tuple(Option(GAMES[key].info.title, key, chosen=key == game) for key in keys)
    return (Select(Press("standings"), words("ladder.game"), options),)


def _turning(page: int, last: int, words: Translations, *, away: bool) -> tuple[Button, ...]:
    """The buttons below a page. `away` says that the reader has a row, but not on this page."""
    previous = Button(words("button.previous"), Press("ranks", 1, str(max(0, page - 1))), enabled=page > 0)
    following = Button(words("button.next"), Press("ranks", 2, str(page + 1)), enabled=page < last)
    mine = Button(words("button.my_rank"), Press("ownrank"), enabled=away)
    return previous, following, mine
