"""All screens of all games, a page for each language, for review.

    python -m tests.gallery FOLDER [--language de]

writes a page like `en.html` for each language that Cardroom ships into the folder, or for one of them, and `index.html`
that leads to all pages there. A page has every screen in every form of cards, at two widths and in both themes, drawn
by the code of the sandbox's page. The file needs nothing else. Printed are the messages that are too tall, say too many
words or have too many buttons, and with `--limits` the command fails then. With `--images docs/images` the pictures of
the README are taken again, too: of a match in a browser, on the page as people see it.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
import tempfile
from pathlib import Path
from typing import Final

from bot.art.images import Family
from bot.languages import DEFAULT_LANGUAGE, languages
from discord_sandbox import Sandbox
from discord_sandbox.browser import Tabs, browser
from engines import GAMES
from tests.end_to_end.cardroom import cardroom
from tests.end_to_end.emojis import give_emojis
from tests.gallery import commands, drawing, leaderboards, leagues, matches, measuring, page, profiles, tournaments
from tests.gallery.measuring import Measured
from tests.gallery.scene import EVERYWHERE, HeardWords, complete, locale_of, uploaded, world
from tests.games.cases import case_of
from tests.page import screenshots

INDEX: Final = "index.html"


async def make(
    file: Path, language: str = DEFAULT_LANGUAGE, *, games: tuple[str, ...] = tuple(GAMES)
) -> list[Measured]:
    """Write the gallery of these games in a language; its measures."""
    words = HeardWords(language)
    async with Sandbox.running(world(locale_of(language))) as sandbox:
        give_emojis(sandbox)
        with tempfile.TemporaryDirectory() as data:
            # In each game a challenge is declined, and more than a few an hour would be refused.
            often = cardroom(sandbox, Path(data), CARDROOM_CARD_EMOJIS="on", CARDROOM_MAX_CHALLENGES_IN_VAIN="100")
            async with often as room:
                usable = room.client.card_emojis.usable
                await sandbox.wait_for(lambda: all(map(usable, Family)))
                found, forms = await commands.scenes(sandbox, games, words), room.app.card_forms
        found += profiles.scenes(words)
        found += leaderboards.scenes(words)
        found += tournaments.scenes(words)
        found += leagues.scenes(words)
        for key in games:  # the bot has stopped by now, or this would hold it up
            found += matches.scenes(case_of(key), forms, words)
        order = [EVERYWHERE, *(GAMES[key].info.title for key in games)]
        found.sort(key=lambda scene: order.index(scene.group))
        shown = [uploaded(each) for scene in found for each in scene.shown]
        author = next(message["author"] for message in shown if "author" in message)
        async with browser() as running:
            tabs = Tabs(running, sandbox)
            tab = await tabs.open(sandbox.people[0].name)
            drawn = await tab.draw([complete(message, author) for message in shown])
            pictures = await drawing.pictures(tab, drawn)
            page.write(file, page.Page(language, found, drawn, await drawing.looks(tab), pictures))
            measured = await measuring.measure(tab, found, drawn)
            await tabs.close()
    return measured


def main() -> int:
    """Write the galleries, and print where they are and what was measured. Returns an exit code."""
    parser = argparse.ArgumentParser(prog="python -m tests.gallery", description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--language", choices=languages(), help="one language alone")
    parser.add_argument("--images", type=Path, metavar="FOLDER", help="take the README's pictures again, into a folder")
    parser.add_argument("--limits", action="store_true", help="end with 1 if a message is over a limit of its size")
    given = parser.parse_args()
    is_over = False
    for language in [given.language] if given.language else languages():
        file: Path = given.folder / f"{language}.html"
        measured = asyncio.run(make(file, language))
        over = [f"{each.where}: {'; '.join(found)}" for each in measured if (found := [*each.over()])]
        is_over |= bool(over)
        print(f"{file}: {len(measured)} messages", *over, sep="\n")  # noqa: T201  what the command is for
    page.write_index(given.folder / INDEX)
    if given.images is not None:
        given.images.mkdir(parents=True, exist_ok=True)
        for path in asyncio.run(screenshots.take_for_readme(given.images)):
            print(path)  # noqa: T201  as above
    return 1 if given.limits and is_over else 0


if __name__ == "__main__":
    sys.exit(main())
