"""The leaderboard of a server and game, one page at a time, with the reader's own rank on every page."""

from __future__ import annotations

from collections import Counter

from bot.games import GAMES
from bot.play.refusals import Refused
from bot.store.rows import Standing
from bot.ui.catalogue import Translations
from bot.ui.screen import Button, Press, Screen, Text
from cogs.app import CardroomApp
from cogs.interactions.responses import Interaction

PAGE = 10


async def leaderboard_screen(app: CardroomApp, interaction: Interaction, game: str, page: int) -> Screen:
    """A page of the leaderboard, counted from 0; past the last page it is the last. Raises Refused outside servers."""
    guild_id = interaction.guild_id
    if guild_id is None:
        raise Refused("place.not_a_server")
    words = app.translations_for(interaction)
    ranked = await app.store.count_ranked(guild_id, game)
    last = max(0, (ranked - 1) // PAGE)
    page = min(page, last)
    first = page * PAGE
    before = min(first, 1)  # one more on either side: players on two pages may share a rank
    around = await app.store.leaderboard(guild_id, game, first - before, before + PAGE + 1)
    ranks = Counter(standing.rank for standing in around)
    standings = around[before : before + PAGE]
    own = await app.store.standing(guild_id, game, interaction.user.id)
    await app.display_names.load(guild_id, [standing.user_id for standing in standings])
    names = app.names(guild_id, [standing.user_id for standing in standings])
    lines = [
        _line(standing, name, words, shared=ranks[standing.rank] > 1)
        for standing, name in zip(standings, names, strict=True)
    ]
    info = GAMES[game].info
    title = words("ladder.title", game=info.title)
    if not lines:
        return Screen(title, (Text(words("ladder.empty", game=game)),))
    mine = words("ladder.unranked") if own is None else words("ladder.own", rank=own.rank, of=ranked)
    sections = (Text("\n".join(lines)), Text(mine))
    how = words("ladder.how", least=info.shortest_counted)
    footer = f"{words('ladder.page', page=page + 1, pages=last + 1)}\n{how}"
    return Screen(title, sections, _turning(page, last, words), footer)


def _line(standing: Standing, name: str, words: Translations, *, shared: bool) -> str:
    return words(
        "ladder.line_shared" if shared else "ladder.line",
        rank=standing.rank,
        name=name,
        rating=standing.rating.shown,
        uncertainty=standing.rating.uncertainty,
        wins=standing.wins,
        losses=standing.losses,
        draws=standing.draws,
    )


def _turning(page: int, last: int, words: Translations) -> tuple[tuple[Button, ...], ...]:
    if last == 0:
        return ()
    previous = Button(words("button.previous"), Press("ranks", 1, str(max(0, page - 1))), enabled=page > 0)
    following = Button(words("button.next"), Press("ranks", 2, str(page + 1)), enabled=page < last)
    return ((previous, following),)
