"""What a replay's screen offers as a file, beside the steps themselves."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from bot.play.deals.match_export import ExportedMatch
from bot.play.replays import Replay
from cogs.screens.presenter import Presenter, Reader
from cogs.screens.tables.pictured import Pictured


@dataclass(frozen=True, slots=True)
class Exported:
    """A replay and whom it is written for. The reader's names are safe names.

    `match` is all that is stored of it, for an `Export` that needs that.
    """

    replay: Replay
    presenter: Presenter
    reader: Reader
    match: ExportedMatch | None = None


@dataclass(frozen=True, slots=True)
class ExportFile:
    """A finished file. `description` is a picture's alt text, at most 1,024 plain characters."""

    name: str
    content: bytes
    description: str = ""


@dataclass(frozen=True, slots=True)
class Export:
    """A kind of file.

    `key` is in the ids of old messages, so it never changes: up to 24 small letters. Its label is the catalogue's
    `replay.export.<key>`, and `replay.exported.<key>` is what the message with the file says. `make` runs in a thread
    of its own, so it may take a moment, and may raise Refused. With `public` the file is posted in the channel for
    everybody; otherwise only the person who asked gets it. `needs_match` gives it the whole match, and `needs_pictures`
    leaves it out for games without pictures of the table.
    """

    key: str
    make: Callable[[Exported], ExportFile]
    public: bool = False
    needs_match: bool = False
    needs_pictures: bool = False

    def is_offered(self, presenter: Presenter) -> bool:
        """Whether the file can be made of matches of a game."""
        return not self.needs_pictures or isinstance(presenter, Pictured)
