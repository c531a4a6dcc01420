"""Somebody who runs `python -m tools.prove` on the sandbox, and presses whatever it asks for."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from bot.settings import Settings, load_settings
from bot.ui.catalogue import translations
from discord_sandbox import DrivenChannel, Sandbox
from tools.prove.run import MEASURES, NamedMeasure, prove
from tools.prove.scene import Measure

say = translations("en")
LOOKS = 0.5
"""Seconds between two looks at the channel."""


def settings_for(sandbox: Sandbox, folder: Path) -> Settings:
    """The settings of a bot on the sandbox."""
    environ = {"CARDROOM_DATA_DIR": str(folder), "DISCORD_API_BASE": sandbox.api_base, "DISCORD_TOKEN": sandbox.token}
    return load_settings(None, environ)


async def run(
    sandbox: Sandbox,
    folder: Path,
    *,
    measures: Sequence[NamedMeasure] = MEASURES,
    presses: bool = True,
    again: bool = False,
) -> list[Measure]:
    """A run in the lobby; what it found. Without `presses` the operator only presses *Start*."""
    lobby = sandbox.channel("lobby")
    with pressing(sandbox, lobby, further=presses):
        return await prove(
            settings_for(sandbox, folder),
            sandbox.token,
            lobby.server_id or 0,
            lobby.id,
            again=again,
            measures=measures,
        )


@contextmanager
def pressing(sandbox: Sandbox, channel: DrivenChannel, *, further: bool) -> Iterator[None]:
    """Alice presses *Start* in a channel, and if asked for `further` presses *Here* in it, in what only she sees there,
    and in its threads, each once."""
    task = asyncio.get_running_loop().create_task(_press_all(sandbox, channel, further=further))
    try:
        yield
    finally:
        task.cancel()


async def _press_all(sandbox: Sandbox, channel: DrivenChannel, *, further: bool) -> None:
    alice = sandbox.user("Alice")
    done: set[int] = set()
    while True:
        await asyncio.sleep(LOOKS)
        buttons = [(message, say("place.prove_start")) for message in channel.messages]
        if further:
            places = (channel, *channel.threads)
            buttons += [(each, say("place.prove_here")) for place in places for each in place.messages]
            buttons += [(each, say("place.prove_here")) for each in channel.for_only(alice)]
        for message, label in buttons:
            if message.id not in done and label in message.labels:
                done.add(message.id)
                await alice.press(message, label=label)
