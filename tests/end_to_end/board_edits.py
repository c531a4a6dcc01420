"""How boards are edited, as the sandbox saw it."""

from __future__ import annotations

import pytest

from discord_sandbox import Exchange, MessageView, Sandbox

edited_by_bot = pytest.mark.parametrize("room", [{"CARDROOM_INTERACTION_EDITS": "off"}], indirect=True, ids=["by bot"])
"""For tests of what happens to a board that the bot's own token edits."""


def edits_of(sandbox: Sandbox, board: MessageView) -> list[Exchange]:
    """The edits of a board that Discord took, through tokens of interactions too, in their order."""
    return [
        each
        for each in sandbox.transcript.requests
        if each.method == "PATCH"
        and each.status == 200
        and isinstance(each.answer, dict)
        and each.answer.get("id") == str(board.id)
    ]
