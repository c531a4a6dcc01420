"""People who read other languages: in private their own, in public the server's, and English where either lacks one."""

from __future__ import annotations

import logging
import random
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path

import pytest

from bot.store.queries.people import NoticeLevel
from bot.ui.catalogue import forget, translations
from bot.ui.preferences import LANGUAGE
from discord_sandbox import DrivenChannel, MessageView, Person, Sandbox
from tests.end_to_end.cardroom import Cardroom, cardroom, eventually
from tests.end_to_end.players import challenge, hand_of, play_out
from tests.shipped_languages import po, ship

say = translations("en")
NINE = {
    "button.accept": "Aceitar",
    "button.my_cards": "Minhas cartas",
    "button.more": "Mais…",
    "hand.title": "{game}: suas cartas",
    "button.table": "Ver a mesa",
    "notice.your_turn": "{player}, é a sua vez no {game}.",
    "notice.your_turn_there": "É a sua vez no {game} (servidor: {server}).",
    "preferences.title": "Como você vê as cartas",
    "settings.title": "Definições",
}


@pytest.fixture(autouse=True)
def nine_messages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A folder as Discord names it, with nine messages; and one that is broken."""
    ship(tmp_path, monkeypatch, {"pt-BR": po("pt_BR", NINE), "de": "Guten Tag"})
    yield
    monkeypatch.undo()
    forget()


def reads(sandbox: Sandbox, person: Person, locale: str) -> None:
    """Have somebody's Discord be in a language."""
    sandbox.world.users[person.id].locale = locale


@asynccontextmanager
async def brazilian(sandbox: Sandbox, folder: Path) -> AsyncIterator[tuple[Cardroom, Person, Person, DrivenChannel]]:
    """The bot, Alice who reads Brazilian Portuguese, Bob who reads English, and their channel."""
    alice, bob = sandbox.user("Alice"), sandbox.user("Bob")
    reads(sandbox, alice, "pt-BR")
    async with cardroom(sandbox, folder) as room:
        yield room, alice, bob, sandbox.channel("lobby")


async def test_a_brazilian_plays_a_match_with_nine_messages_and_english(
    sandbox: Sandbox, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async with brazilian(sandbox, tmp_path) as (room, alice, bob, lobby):
        assert "Como você vê as cartas" in (await alice.slash(lobby, "preferences")).text
        board = await challenge(bob, alice, lobby)
        assert board.find_button("My cards") is not None, "everybody reads the server's language"
        hands = {person: await hand_of(person, board) for person in (alice, bob)}
        assert "Haymaker: suas cartas" in hands[alice].text
        assert "Haymaker: your cards" in hands[bob].text
        await play_out({"Alice": alice, "Bob": bob}, board, random.Random(3))
        assert not list(room.app.matches.live())
        lacking = {name: count for name, count in room.figures.items() if "sentences_lacking" in name}
    assert [*lacking] == ["cardroom_sentences_lacking language=pt_BR"]
    assert all(count > 10 for count in lacking.values())
    assert left_out(caplog) == ["the catalogue in de is left out, so English is read there"]


def left_out(caplog: pytest.LogCaptureFixture) -> list[str]:
    """What was logged as wrong, without the reasons."""
    found = [record.getMessage() for record in caplog.records if record.levelno >= logging.WARNING]
    return [each.partition(":")[0] for each in found]


async def test_the_language_of_a_server_is_discords_unless_its_settings_say_otherwise(
    sandbox: Sandbox, tmp_path: Path
) -> None:
    async with brazilian(sandbox, tmp_path) as (room, alice, bob, lobby):
        board = await challenge(alice, bob, lobby)
        assert board.find_button("My cards") is not None
        screen = (await alice.slash(lobby, "settings")).message
        await language(alice, screen, "pt_BR")
        await sandbox.wait_for(lambda: board.find_button("Minhas cartas") is not None)
        assert "Definições" in screen.text, "what only Alice sees is in her own language all the same"
        listed = (await alice.press(screen, label=say("settings.changes"))).message.text
        assert f"{say('settings.language.discord')} → **Português (Brasil)**" in listed
        screen = (await alice.slash(lobby, "settings")).message
        await language(alice, screen, "")
        await sandbox.wait_for(lambda: board.find_button("My cards") is not None)
        assert room.app.server_settings.of(lobby.server_id or 0).language == ""


async def language(person: Person, screen: MessageView, code: str) -> None:
    (control,) = [each for each in screen.selects if f"language.{code}" in [option.value for option in each.options]]
    assert [option.value for option in control.options] == ["language.", "language.en", "language.de", "language.pt_BR"]
    reply = await person.select(screen, custom_id=control.custom_id, values=[f"language.{code}"])
    assert not reply.failed


async def test_a_notice_is_in_the_language_in_which_somebody_last_used_the_bot(
    sandbox: Sandbox, tmp_path: Path
) -> None:
    async with brazilian(sandbox, tmp_path) as (room, alice, bob, lobby):
        for person in (alice, bob):
            await person.slash(lobby, "notify", level=NoticeLevel.DIRECT.value)
        await challenge(bob, alice, lobby)
        (match,) = room.app.matches.live()
        (seat,) = match.awaited
        away = next(person for person in (alice, bob) if person.id == match.seats[seat])
        reads(sandbox, away, "pt-BR")
        await away.slash(lobby, "notify")
        await eventually(partial(reads_now, room, away, "pt_BR"))
    async with cardroom(sandbox, tmp_path) as room:
        await sandbox.wait_for(lambda: not room.app.updates.notices.idle)
        room.pass_time(room.client.settings.notice_after_seconds)
        await sandbox.wait_for(lambda: bool(away.direct_messages.messages))
        assert "É a sua vez no Haymaker (servidor: " in away.direct_messages.last.text


async def reads_now(room: Cardroom, person: Person, language: str) -> bool:
    found = await room.store.preferences([person.id])
    return found.get(person.id, {}).get(LANGUAGE) == language
