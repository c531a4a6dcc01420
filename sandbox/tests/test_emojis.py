"""The application's own emojis, through discord.py: made, named, used, removed; sizes and names."""

from __future__ import annotations

from base64 import b64encode

import discord
import pytest

from discord_sandbox import Sandbox
from tests.conftest import Api
from tests.sample_bot import SampleBot

PNG = b"\x89PNG\r\n\x1a\n" + bytes(20)


def image(content: bytes, kind: str = "png") -> str:
    return f"data:image/{kind};base64,{b64encode(content).decode()}"


async def test_an_emoji_is_made_named_and_removed(sandbox: Sandbox, bot: SampleBot) -> None:
    made = await bot.create_application_emoji(name="spade", image=PNG)
    assert (made.name, made.animated, made.is_application_owned()) == ("spade", False, True)
    assert [each.id for each in await bot.fetch_application_emojis()] == [made.id]
    renamed = await made.edit(name="ace_of_spades")
    assert (await bot.fetch_application_emoji(made.id)).name == renamed.name == "ace_of_spades"
    await made.delete()
    with pytest.raises(discord.NotFound) as gone:
        await bot.fetch_application_emoji(made.id)
    assert gone.value.code == 10014


async def test_a_button_may_bear_it_while_it_exists(sandbox: Sandbox, bot: SampleBot, api: Api) -> None:
    made = await bot.create_application_emoji(name="spade", image=PNG)
    button = {"type": 2, "style": 1, "custom_id": "b", "emoji": {"id": str(made.id), "name": "spade"}}
    body = {"content": "x", "components": [{"type": 1, "components": [button]}]}
    path = f"/channels/{sandbox.channel('lobby').id}/messages"
    sent = await api("POST", path, body)
    assert sent.status == 200
    assert (await api("PUT", f"{path}/{sent.body['id']}/reactions/spade:{made.id}/@me")).status == 204
    assert sandbox.channel("lobby").last.raw["reactions"][0]["emoji"]["id"] == str(made.id)
    await made.delete()
    refused = await api("POST", path, body)
    assert refused.faults("components", 0, "components", 0, "emoji", "id") == ["BUTTON_COMPONENT_INVALID_EMOJI"]


@pytest.mark.parametrize(
    ("body", "field", "code"),
    [
        ({"name": "x", "image": image(PNG)}, "name", "BASE_TYPE_BAD_LENGTH"),
        ({"name": "two words", "image": image(PNG)}, "name", "STRING_TYPE_REGEX"),
        ({"name": "spade"}, "image", "BASE_TYPE_REQUIRED"),
        ({"name": "spade", "image": "spade.png"}, "image", "IMAGE_INVALID"),
        ({"name": "spade", "image": "data:image/png;base64,%%%"}, "image", "IMAGE_INVALID"),
        ({"name": "spade", "image": image(bytes(256 * 1024 + 1))}, "image", "BINARY_TYPE_MAX_SIZE"),
    ],
)
async def test_what_no_emoji_is(sandbox: Sandbox, api: Api, body: dict[str, str], field: str, code: str) -> None:
    refused = await api("POST", f"/applications/{sandbox.world.application.id}/emojis", body)
    assert refused.faults(field) == [code]


async def test_as_many_as_there_may_be(sandbox: Sandbox, api: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("discord_sandbox.api.endpoints.emojis.MOST_EMOJIS", 1)
    path = f"/applications/{sandbox.world.application.id}/emojis"
    made = await api("POST", path, {"name": "one", "image": image(bytes(256 * 1024), "gif")})
    assert (made.status, made.body["animated"]) == (201, True)
    assert (await api("POST", path, {"name": "two", "image": image(PNG)})).code == 30008
