"""Files sent with a message: kept, described, served back, shown in components."""

from __future__ import annotations

import io

import aiohttp
import discord
from discord import ui
from yarl import URL

from discord_sandbox import Sandbox
from tests.sample_bot import SampleBot


def picture(name: str = "cards.png") -> discord.File:
    return discord.File(io.BytesIO(b"not quite a picture"), name, description="Three cards")


async def test_a_file_is_served_back(sandbox: Sandbox, bot: SampleBot) -> None:
    sent = await bot.get_partial_messageable(sandbox.channel("lobby").id).send("look", file=picture())
    (attachment,) = sent.attachments
    assert (attachment.filename, attachment.size, attachment.description) == ("cards.png", 19, "Three cards")
    assert attachment.content_type == "image/png"
    assert attachment.url.startswith(sandbox.origin)
    assert await attachment.read() == b"not quite a picture"


async def test_a_gallery_shows_an_uploaded_file(sandbox: Sandbox, bot: SampleBot) -> None:
    view = ui.LayoutView()
    view.add_item(ui.MediaGallery(discord.MediaGalleryItem("attachment://cards.png", description="Cards")))
    await bot.get_partial_messageable(sandbox.channel("lobby").id).send(view=view, file=picture())
    (gallery,) = sandbox.channel("lobby").last.raw["components"]
    item = gallery["items"][0]
    assert item["description"] == "Cards"
    async with aiohttp.ClientSession() as session, session.get(item["media"]["url"]) as answer:
        assert (answer.status, answer.content_type) == (200, "image/png")


async def test_an_edit_may_drop_and_add_files(sandbox: Sandbox, bot: SampleBot) -> None:
    sent = await bot.get_partial_messageable(sandbox.channel("lobby").id).send("look", file=picture())
    edited = await sent.edit(attachments=[*sent.attachments, picture("more.png")])
    assert [each.filename for each in edited.attachments] == ["cards.png", "more.png"]
    dropped = await edited.edit(attachments=[])
    assert dropped.attachments == []


async def test_no_such_file(sandbox: Sandbox) -> None:
    async with aiohttp.ClientSession() as session:
        for path in ("/attachments/1/x.png", f"/attachments/{'1' * 5000}/x", f"/emojis/{'1' * 5000}", "/emojis/²"):
            async with session.get(sandbox.origin + path) as answer:
                assert answer.status == 404, path


async def test_a_file_needs_the_whole_address(sandbox: Sandbox, bot: SampleBot) -> None:
    sent = await bot.get_partial_messageable(sandbox.channel("lobby").id).send("look", file=picture())
    address = URL(sent.attachments[0].url)
    async with aiohttp.ClientSession() as session:
        for wrong in (address.with_query(None), address.with_query(hm=""), address.with_query(hm="0" * 32)):
            async with session.get(wrong) as answer:
                assert answer.status == 404


async def test_an_embed_shows_an_uploaded_file(sandbox: Sandbox, bot: SampleBot) -> None:
    picture = discord.File(io.BytesIO(b"a picture"), "cards.png")
    embed = (
        discord.Embed(title="t")
        .set_image(url="attachment://cards.png")
        .set_footer(text="f", icon_url="attachment://cards.png")
    )
    sent = await bot.get_partial_messageable(sandbox.channel("lobby").id).send(embed=embed, file=picture)
    shown = sent.embeds[0]
    assert shown.image.url == shown.footer.icon_url == sent.attachments[0].url
