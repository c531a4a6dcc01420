"""What tests of matches against computers share."""

from __future__ import annotations

from bot.play.live_match import LiveMatch
from sandbox.clients.views import MessageView
from tests.end_to_end.cardroom import Cardroom, eventually


async def only_match(room: Cardroom) -> LiveMatch:
    """The one match in play, once it has begun."""

    async def began() -> bool:
        return len(room.app.matches) == 1

    await eventually(began)
    (match,) = room.app.matches.live()
    return match


async def says(board: MessageView, *texts: str) -> bool:
    """Whether a message has these texts, also as labels of buttons."""
    said = f"{board.text} {' '.join(board.labels)}"
    return all(text in said for text in texts)
