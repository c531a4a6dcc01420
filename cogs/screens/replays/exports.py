"""The files that a replay can be saved or shown as, in the order of the list on its screen.

JSON names nobody, because it outlives a deletion and proves the deal. The page shows the names that the person sees on
the screen anyway. All are of a match that is over and that this person may see.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from bot.play.deals.match_export import export, write
from cogs.screens.card_text import TEXT_CARDS
from cogs.screens.deals.proof import EXPORTED
from cogs.screens.replays.animation import animation_file
from cogs.screens.replays.export import Export, Exported, ExportFile
from cogs.screens.replays.replay_page import replay_page


def _page(exported: Exported) -> ExportFile:
    reader = replace(exported.reader, seat=None, cards=TEXT_CARDS)  # a page has neither our emojis nor an owner
    content = replay_page(exported.replay, exported.presenter, reader)
    return ExportFile(EXPORTED.format(match=exported.replay.id, kind="html"), content)


def _json(exported: Exported) -> ExportFile:
    match = exported.match
    if match is None:
        raise RuntimeError("this file needs the whole match")
    content = write(export(match.row, match.records, match.result, match.sealed_at))
    return ExportFile(EXPORTED.format(match=match.row.id, kind="json"), content)


EXPORTS: Final[tuple[Export, ...]] = (
    Export("page", _page),
    Export("json", _json, needs_match=True),
    Export("animation", animation_file, public=True, needs_pictures=True),
)
