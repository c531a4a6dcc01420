"""A finished match as a file for the person who asks: a page, a text, and JSON. `EXPORTS` lists them.

Text and JSON name nobody, because they outlive a deletion and prove the deal. The page shows the names that the person
sees on the screen anyway. All three are of a match that is over and that this person may see.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from bot.play.deals import match_export, notation
from bot.play.deals.match_export import ExportedMatch
from bot.play.refusals import Refused
from cogs.screens.card_text import TEXT_CARDS
from cogs.screens.deals.proof import EXPORTED
from cogs.screens.replays.export import Export, Exported, ExportFile
from cogs.screens.replays.replay_page import replay_page

_NAME: Final = EXPORTED.removesuffix(".json")


def _page(exported: Exported) -> ExportFile:
    reader = replace(exported.reader, seat=None, cards=TEXT_CARDS)  # a page has neither our emojis nor an owner
    content = replay_page(exported.replay, exported.presenter, reader)
    return ExportFile(f"{_NAME.format(match=exported.replay.id)}.html", content)


def _text(exported: Exported) -> ExportFile:
    match = _whole(exported)
    try:
        content = notation.write(match)
    except notation.NotWritableError:
        raise Refused("replay_file.no_text") from None
    return ExportFile(f"{_NAME.format(match=match.row.id)}.txt", content)


def _json(exported: Exported) -> ExportFile:
    match = _whole(exported)
    return ExportFile(EXPORTED.format(match=match.row.id), match_export.write(notation.export_of(match)))


def _whole(exported: Exported) -> ExportedMatch:
    if exported.match is None:
        raise RuntimeError("this file needs the whole match")
    return exported.match


PAGE: Final = Export("page", _page)
TEXT: Final = Export("text", _text, needs_match=True)
JSON: Final = Export("json", _json, needs_match=True)
