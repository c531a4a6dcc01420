"""D13: which of the bot's requests need Embed Links and Attach Files.

It is measured with what the bot has in the channel. To learn more, take a permission away and run it again.
"""

from __future__ import annotations

from collections.abc import AsyncIterator

from bot.ops.check import ADMINISTRATOR, NEEDED
from tools.prove.api import Answer
from tools.prove.bodies import EPHEMERAL, SILENT, texts
from tools.prove.report import Measure, measured
from tools.prove.scene import Scene


async def measure(scene: Scene) -> AsyncIterator[Measure]:
    """Say what the bot lacks, then post a text with a link, and send a private file."""
    lacking = [name for name, bit in NEEDED.items() if not _has(scene, bit)]
    yield measured("permissions that the bot lacks", ", ".join(lacking) or "none", "none", as_expected=not lacking)
    link = await scene.post(texts("https://discord.com", flags=SILENT))
    yield _line(scene, "a text with a link", "Embed Links", link)
    file = await scene.api.request(
        "POST",
        scene.press.hook,
        {"flags": EPHEMERAL, "attachments": [{"id": 0, "filename": "prove.json"}]},
        file=("prove.json", b"{}\n"),
    )
    if file.taken:
        scene.remove_later(f"{scene.press.hook}/messages/{file.body['id']}")
    yield _line(scene, "a file in a private answer", "Attach Files", file)


def _has(scene: Scene, bit: int) -> bool:
    return bool(scene.press.permissions & (bit | ADMINISTRATOR))


def _line(scene: Scene, what: str, permission: str, answer: Answer) -> Measure:
    how = "with" if _has(scene, NEEDED[permission]) else "without"
    return measured(f"{what}, {how} {permission}", str(answer), "taken", as_expected=answer.taken)
