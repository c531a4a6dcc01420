"""A bot of another library, hikari, as a program of its own: a slash command, a button, a modal.

It takes its token from the environment, as bots do, and knows nothing of a sandbox. It runs in a Python that has
hikari, which need not be the project's own.
"""

from __future__ import annotations

import asyncio
import os
import signal

import hikari


async def register(event: hikari.StartingEvent) -> None:
    """Sync the commands, once, before the gateway."""
    rest = event.app.rest
    application = await rest.fetch_application()
    offer = rest.slash_command_builder("offer", "Offers a game").add_option(
        hikari.CommandOption(type=hikari.OptionType.USER, name="opponent", description="Against whom", is_required=True)
    )
    ask = rest.slash_command_builder("ask", "Asks for a name")
    await rest.set_application_commands(application.id, [offer, ask])


async def on_interaction(event: hikari.InteractionCreateEvent) -> None:
    """Answer each kind once."""
    interaction = event.interaction
    if isinstance(interaction, hikari.CommandInteraction):
        await on_command(interaction)
    elif isinstance(interaction, hikari.ComponentInteraction):
        await interaction.create_initial_response(
            hikari.ResponseType.MESSAGE_UPDATE,
            f"{interaction.user.display_name} took {interaction.custom_id}",
            components=[],
        )
        await interaction.execute("Good luck!", flags=hikari.MessageFlag.EPHEMERAL)
    elif isinstance(interaction, hikari.ModalInteraction):
        field = interaction.components[0].components[0]
        await interaction.create_initial_response(
            hikari.ResponseType.MESSAGE_CREATE, f"Hello, {field.value}!", flags=hikari.MessageFlag.EPHEMERAL
        )


async def on_command(interaction: hikari.CommandInteraction) -> None:
    """Offer a button, or open a modal."""
    rest = interaction.app.rest
    if interaction.command_name == "ask":
        row = rest.build_modal_action_row().add_text_input("name", "Your name", min_length=2, max_length=20)
        await interaction.create_modal_response("A name", "asked", component=row)
        return
    opponent = (interaction.options or [])[0].value
    row = rest.build_message_action_row().add_interactive_button(hikari.ButtonStyle.SUCCESS, "the offer", label="Take")
    await interaction.create_initial_response(hikari.ResponseType.DEFERRED_MESSAGE_CREATE)
    await interaction.edit_initial_response(f"<@{opponent}>: a game?", component=row, user_mentions=True)


async def main() -> None:
    """Run until SIGTERM."""
    bot = hikari.GatewayBot(
        os.environ["DISCORD_TOKEN"],
        intents=hikari.Intents.GUILDS,
        banner=None,
    )
    bot.subscribe(hikari.StartingEvent, register)
    bot.subscribe(hikari.InteractionCreateEvent, on_interaction)
    asked_to_stop = asyncio.Event()
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, asked_to_stop.set)
    await bot.start(check_for_updates=False)
    await asked_to_stop.wait()
    await bot.close()


if __name__ == "__main__":
    asyncio.run(main())
