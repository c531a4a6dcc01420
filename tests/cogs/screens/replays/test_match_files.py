"""The files that a replay is saved as: a page, a text and JSON, for the person who asks."""

from __future__ import annotations

import pytest

from bot.play.deals import match_export, notation
from bot.play.deals.match_export import ExportedMatch
from bot.play.refusals import Refused
from bot.play.replays.replay import Replay
from bot.ui.card_styles import CardStyle
from bot.ui.catalogue import translations
from cogs.screens.cards.forms import CardForms
from cogs.screens.presenter import Reader
from cogs.screens.replays.export import Exported, ExportFile
from cogs.screens.replays.exports import EXPORTS
from engines.haymaker import Haymaker
from tests.bot.play.exported import exported, text_of, with_record
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


def test_text_and_json_are_the_whole_match_and_name_nobody() -> None:
    match = exported("haymaker")
    text, data = made("text", match), made("json", match)
    assert (text.name, data.name) == ("cardroom-29dh6ucu93.txt", "cardroom-29dh6ucu93.json")
    assert text_of(notation.read(text.content)) == data.content == text_of(match)
    assert text_of(match_export.read(data.content)) == text_of(match)
    for file in (text, data):
        assert not any(name.encode() in file.content for name in NAMES)


def test_a_page_is_the_same_for_everybody() -> None:
    match, words = exported("haymaker"), translations("en")
    spoken = CardForms().of("haymaker", CardStyle.WORDS, words)
    page = made("page", match)
    assert page.name == "cardroom-29dh6ucu93.html"
    assert b"<title>Haymaker: Ann vs Bob</title>" in page.content
    assert made("page", match, Reader(words, NAMES, 1, spoken)) == page


def test_no_file_is_posted_in_a_channel() -> None:
    assert not any(BY_KEY[key].public for key in ("page", "text", "json"))


def test_a_match_under_other_rules_has_no_text_but_still_its_data(monkeypatch: pytest.MonkeyPatch) -> None:
    match = exported("haymaker")
    before = Haymaker.decide
    monkeypatch.setattr(Haymaker, "decide", lambda *given: before(*given)[:1])
    with pytest.raises(Refused) as refused:
        made("text", match)
    assert refused.value.key == "replay_file.no_text"
    assert refused.value.__cause__ is None
    assert made("json", match).content == text_of(match)
    assert made("page", match).content


def test_a_match_whose_log_was_altered_is_no_text() -> None:
    match = exported("haymaker")
    with pytest.raises(Refused):
        BY_KEY["text"].make(
            Exported(
                Replay(match.row, match.records, match.result, EVER),
                case_of("haymaker").presenter,
                Reader(translations("en"), NAMES),
                with_record(match, 3, at=7),
            )
        )
