"""A bot that listens: replies, edits and deletes what it wrote, greets who comes, and does something by the clock."""

from __future__ import annotations

import discord
from discord.ext import tasks

from tests.conformance.bots.client import SmallBot


class Talker(SmallBot):
    """Answers what is written; `noticed` are the events it was told of."""

    def __init__(self) -> None:
        intents = discord.Intents(guilds=True, guild_messages=True, message_content=True, members=True)
        super().__init__(intents=intents)
        self.noticed: list[str] = []
        self.ticks = 0

    async def on_message(self, message: discord.Message) -> None:
        """Answer a few words, never one's own."""
        if message.author == self.user:
            return
        if message.content == "!hello":
            await message.reply("Hello!", mention_author=True)
        elif message.content == "!edit":
            written = await message.channel.send("10")
            await written.edit(content="40")
        elif message.content == "!delete":
            written = await message.channel.send("gone soon")
            await written.delete()
        elif message.content == "!last":
            said = [each.content async for each in message.channel.history(limit=3)]
            async with message.channel.typing():
                await message.channel.send(" < ".join(said))

    async def on_message_edit(self, before: discord.Message, after: discord.Message) -> None:
        """Take note."""
        self.noticed.append(f"{before.content} -> {after.content}")

    async def on_message_delete(self, message: discord.Message) -> None:
        """Take note."""
        self.noticed.append(f"deleted {message.content}")

    async def on_member_join(self, member: discord.Member) -> None:
        """Greet."""
        await member.guild.text_channels[0].send(f"Welcome {member.mention}")

    async def on_ready(self) -> None:
        """Begin the task once there is a channel to write in."""
        if not self.tick.is_running():
            self.tick.start()

    @tasks.loop(seconds=0.05, count=3)
    async def tick(self) -> None:
        """Write three times, then be done."""
        channel = self.guilds[0].text_channels[1]
        self.ticks += 1
        await channel.send(f"tick {self.ticks}")


def bot() -> Talker:
    """The bot."""
    return Talker()
