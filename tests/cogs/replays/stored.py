"""Finished matches in a bot's store, played by chance without the bot."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

from bot.play.deals.match_export import ExportedMatch
from bot.store.queries.invitations import Invitation
from bot.store.queries.matches import MatchRow
from bot.ui.screen import Press
from cogs.screens import custom_ids
from cogs.screens.renderer import Sheet
from tests.bot.play.exported import exported, sealed
from tests.bot.play.parts import ANN, BOB, GUILD
from tests.cogs.actions.offline_bot import OfflineBot, say
from tests.cogs.fake_interaction import FakeInteraction


async def stored(
    bot: OfflineBot,
    match: ExportedMatch | None = None,
    *,
    users: tuple[int, ...] = (ANN, BOB),
    guild: int = GUILD,
    live: bool = False,
    altered: bool = False,
    **changes: Any,
) -> MatchRow:
    """A match of these people; of Haymaker if no other is given. A live one has no result,
    and the deal of an altered one is not as it was sealed."""
    match = exported("haymaker") if match is None else match
    row = sealed(
        replace(
            match.row,
            guild_id=guild,
            channel_id=5,
            clock="normal",
            seats=users,
            alone=changes.get("day") is not None,
            **changes,
        )
    )
    if altered:
        row = replace(row, deal_id="another")
    invitation = Invitation(
        id=row.id,
        guild_id=guild,
        channel_id=5,
        message_id=None,
        game=row.game,
        options=row.options,
        clock=row.clock,
        host_id=users[0],
        invited=users[1:],
        seated=users,
        seed=row.seed,
        commitment=row.commitment,
        created_at=1,
        expires_at=bot.now() + 1,
    )
    await bot.store.add_invitation(invitation)
    deal, *acts = match.records
    await bot.store.open_match(row, deal, ())
    for record in acts[:-1]:
        await bot.store.append(record, ())
    await bot.store.append(acts[-1], (), None if live else match.result)
    return row


def shown_by(pressed: FakeInteraction) -> Sheet:
    """The screen that a press was answered with. Raises AssertionError if there is none."""
    sheet = pressed.answers[-1].shown
    assert isinstance(sheet, Sheet), pressed.texts
    return sheet


def controls(sheet: Sheet) -> list[dict[str, Any]]:
    """The buttons and lists of a screen, in rows one after the other."""
    (container,) = sheet.to_components()
    return [each for row in container["components"] if row["type"] == 1 for each in row["components"]]


def ids(sheet: Sheet) -> dict[str, str]:
    """The ids of the buttons that can be pressed, by label."""
    return {
        each["label"]: each["custom_id"] for each in controls(sheet) if "label" in each and not each.get("disabled")
    }


async def press(
    bot: OfflineBot, match_id: str, arg: str, step: int = 0, *, user: int = ANN, verb: str = "replay"
) -> str:
    """Press a control of a replay; what the answer says."""
    pressed = await bot.press(custom_ids.write(match_id, Press(verb, step, arg)), user)
    (text,) = pressed.texts
    return text


def moves_in(text: str) -> list[str]:
    """The numbers of moves that a text names."""
    return re.findall(r"Move (\d+)", text)


async def more(bot: OfflineBot, pressed: FakeInteraction, user: int, *, guild_id: int | None = GUILD) -> Sheet:
    """What is behind *More…* on a step of a replay that a press was answered with."""
    custom_id = ids(shown_by(pressed))[say("button.more")]
    return shown_by(await bot.press(custom_id, user, guild_id=guild_id))
