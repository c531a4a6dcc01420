"""The files that a replay can be saved or shown as, in the order of the list on its screen."""

from __future__ import annotations

from typing import Final

from cogs.screens.replays.animation import animation_file
from cogs.screens.replays.export import Export
from cogs.screens.replays.match_files import JSON, PAGE, TEXT

EXPORTS: Final[tuple[Export, ...]] = (
    PAGE,
    TEXT,
    JSON,
    Export("animation", animation_file, public=True, needs_pictures=True),
)
