"""Commands are announced to Discord with their languages: once, and again when a language has changed."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from bot.gateway.announced_commands import MOST_CHARACTERS, characters, languages_by_locale, payloads
from bot.languages import LOCALES
from bot.ui.catalogue import forget
from discord_sandbox import Sandbox
from tests.end_to_end.cardroom import Cardroom, cardroom
from tests.languages.made_up import MADE_UP, made_up
from tests.shipped_languages import po, ship


@pytest.fixture(autouse=True)
def _forgotten() -> Iterator[None]:
    yield
    forget()


def announced(sandbox: Sandbox) -> int:
    """How often the commands were announced."""
    return sum(each.method == "PUT" and each.path.endswith("/commands") for each in sandbox.transcript.requests)


async def test_a_changed_language_is_announced_once_and_not_at_every_start(
    sandbox: Sandbox, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "data").mkdir()
    (tmp_path / "bot").mkdir()
    ship(tmp_path / "bot", monkeypatch, {"de": po("de", {"name.play": "spielen", "name.game": "spiel"})})
    for _ in range(2):
        async with cardroom(sandbox, tmp_path / "data"):
            assert announced(sandbox) == 1
    (play,) = [each for each in sandbox.commands() if each["name"] == "play"]
    assert play["name_localizations"] == {"de": "spielen"}
    assert play["options"][0]["name_localizations"] == {"de": "spiel"}
    file = tmp_path / "bot" / "locale" / "de" / "LC_MESSAGES" / "cardroom.po"
    file.write_text(po("de", {"name.play": "los"}))
    forget()
    for _ in range(2):
        async with cardroom(sandbox, tmp_path / "data"):
            assert announced(sandbox) == 2
    (play,) = [each for each in sandbox.commands() if each["name"] == "play"]
    assert (play["name_localizations"], play["options"][0].get("name_localizations")) == ({"de": "los"}, None)


@pytest.mark.parametrize("made", [None, *MADE_UP])
async def test_discord_takes_all_commands_in_all_languages(room: Cardroom, made: str | None) -> None:
    """Also if every language were as long as the longer of the two that are made up."""
    words = languages_by_locale() if made is None else dict.fromkeys(LOCALES, made_up(made))
    found = await payloads(room.client.tree, words)
    assert max(characters(each) for each in found) <= MOST_CHARACTERS
    taken = await room.client.http.bulk_upsert_global_commands(room.client.application_id or 0, found)
    assert len(taken) == len(found)
