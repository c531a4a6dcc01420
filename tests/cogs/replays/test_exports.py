"""The files that a replay is saved as: a page and JSON, for the person who asks."""

from __future__ import annotations

from bot.play.deals.match_export import ExportedMatch, read
from bot.ui.catalogue import translations
from bot.ui.preferences import CardStyle
from cogs.replays.exports import EXPORTS, Exported, ExportFile
from cogs.replays.replay import Replay
from cogs.screens.cards.forms import CardForms
from cogs.screens.presenter import Reader
from tests.bot.play.exported import exported, text_of
from tests.games.cases import case_of

EVER = 2**62
BY_KEY = {each.key: each for each in EXPORTS}
NAMES = ("Ann", "Bob")


def made(key: str, match: ExportedMatch, reader: Reader | None = None) -> ExportFile:
    """A file of a match, made for somebody."""
    export = BY_KEY[key]
    replay = Replay(match.row, match.records, match.result, EVER)
    reader = Reader(translations("en"), NAMES) if reader is None else reader
    whole = match if export.needs_match else None
    return export.make(Exported(replay, case_of(match.row.game).presenter, reader, whole))


def test_json_is_the_whole_match_and_names_nobody() -> None:
    match = exported("haymaker")
    data = made("json", match)
    assert data.name == "cardroom-29dh6ucu93.json"
    assert data.content == text_of(match) == text_of(read(data.content))
    assert not any(name.encode() in data.content for name in NAMES)


def test_a_page_is_the_same_for_everybody() -> None:
    match, words = exported("haymaker"), translations("en")
    spoken = CardForms().of("haymaker", CardStyle.WORDS, words)
    page = made("page", match)
    assert page.name == "cardroom-29dh6ucu93.html"
    assert b"<title>Haymaker: Ann vs Bob</title>" in page.content
    assert made("page", match, Reader(words, NAMES, 1, spoken)) == page
