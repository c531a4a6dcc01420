"""The law of screens: when everything is quiet, every open hand and every board shows the present state.

Discord is slow here, by chance and each way: before a request has its effect, before its reply, and with its events. In
the middle the bot is started again, with edits under way.
"""

from __future__ import annotations

import asyncio
import contextlib
import random
import re
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest

from bot.play.live_match import LiveMatch
from bot.ui.catalogue import translations
from bot.ui.screen import Picture, Screen
from cogs.screens import custom_ids
from cogs.screens.board import board_screen
from cogs.screens.hands.hand import hand_screen
from cogs.screens.renderer import Component, render
from discord_sandbox import MessageView, Person, Sandbox
from tests.end_to_end.cardroom import Cardroom, cardroom
from tests.end_to_end.players import challenge, move, press_where_it_is, sit_down, verb
from tests.simulation.reading import key_of
from tests.wrapped_text import unwrapped

say = translations("en")

MOMENT = re.compile(r"<t:\d+:R>")
MOST_DELAY = 0.4
"""Seconds each way, but now and then `TAIL`."""
TAIL = 1.2
PLAY_SECONDS = 2.0
ROUNDS = 6
MOST_QUIET_SECONDS = 240
TABLES = (("haymaker", 2), ("tivmiv", 3), ("champions", 2), ("unbreakable", 2))


@dataclass
class Screens:
    """What one player has had on their screen, and how they press: at random, twice, and *My cards* again."""

    person: Person
    board: MessageView
    rng: random.Random
    hands: list[MessageView] = field(default_factory=list)

    async def play(self, seconds: float) -> None:
        """Press for a while."""
        loop = asyncio.get_running_loop()
        until = loop.time() + seconds
        while loop.time() < until:
            await asyncio.sleep(self.rng.uniform(0.1, 1.2))
            await self.press()

    async def press(self) -> None:
        """Press something."""
        alive = [hand for hand in self.hands if not hand.deleted and hand.buttons]
        if not alive or self.rng.random() < 0.2:
            await self._open()
        elif self.rng.random() < 0.1:
            await self._doubt()
        else:
            await self._move(alive[-1])

    async def _open(self) -> None:
        if "My cards" in self.board.labels:
            reply = await self.person.press(self.board, label="My cards")
            if reply.message_or_none is not None:
                self.hands.append(reply.message)

    async def _doubt(self) -> None:
        if "Resign" in self.board.labels:
            asked = await press_where_it_is(self.person, self.board, "Resign")
            if asked.message_or_none is not None and "Keep playing" in asked.message.labels:
                kept = await self.person.press(asked.message, label="Keep playing")
                if not kept.failed:
                    self.hands.append(asked.message)

    async def resign(self, match: LiveMatch) -> None:
        """End a match. An answer may come too late: then they press again."""
        while not match.over:
            asked = await press_where_it_is(self.person, self.board, "Resign")
            if asked.message_or_none is not None:
                self.hands.append(asked.message)
                await self.person.press(asked.message, label="Resign")

    async def _move(self, hand: MessageView) -> None:
        # An answer may be too late, or the hand change under their finger: people see that, and press again.
        with contextlib.suppress(AssertionError, LookupError):
            await move(self.person, hand, self.rng)


@asynccontextmanager
async def slow(sandbox: Sandbox, rng: random.Random) -> AsyncIterator[None]:
    """Delay everything, each thing by another time."""
    requests = [
        sandbox.faults.on("*", path, times=None) for path in ("/interactions/**", "/webhooks/**", "/channels/**")
    ]
    events = sandbox.faults.on_event("INTERACTION_CREATE", times=None)

    def drawn() -> float:
        return rng.uniform(0, TAIL if rng.random() < 0.05 else MOST_DELAY)

    async def draw() -> None:
        while True:
            for fault in requests:
                fault.delay, fault.answer_delay = drawn(), drawn()
            events.delay = drawn() / 2
            await asyncio.sleep(0.01)

    drawing = asyncio.create_task(draw())
    try:
        yield
    finally:
        drawing.cancel()
        sandbox.faults.clear()


def lines(components: list[Component]) -> Iterator[str]:
    """Every line of text, without the deadlines, which move while the bot is away."""
    for component in components:
        yield from MOMENT.sub("", component.get("content", "")).split("\n")
        yield from lines(component.get("components", []))


def controls(components: list[Component]) -> Iterator[tuple[str, object, object]]:
    for component in components:
        if "custom_id" in component:
            yield component["custom_id"], component.get("label"), component.get("disabled", False)
        yield from controls(component.get("components", []))


def shows(message: MessageView, screen: Screen, table: str) -> bool:
    """Whether a message shows a screen. It may have a note, too, which takes the place of other lines."""
    shown, made = message.raw["components"], render(screen, table)
    missing = set(lines(made)) - set(lines(shown))
    surplus = "\n".join(line for line in lines(shown) if line not in set(lines(made)))
    note = unwrapped(surplus).removeprefix("-# ").strip("*")
    return (not missing or bool(key_of(note))) and list(controls(shown)) == list(controls(made))


def without_picture(screen: Screen) -> Screen:
    """The words of a screen that stand beside its picture."""
    return replace(screen, sections=tuple([each for each in screen.sections if not isinstance(each, Picture)]))


def picked(message: MessageView) -> str:
    """What is picked in a hand, as its buttons say."""
    for button in message.buttons:
        if verb(button) == "d":
            return custom_ids.read(button.custom_id)[1].arg
    return ""


def wrong(room: Cardroom, played: list[tuple[LiveMatch, list[Screens]]]) -> list[str]:
    """What does not show the present state, and who has not exactly one open hand."""
    found: list[str] = []
    for former, seated in played:
        match = room.app.matches.playing(former.id) or former
        presenter, everybody = room.app.presenters[match.game.info.key], room.app.public_screens.readers.public(match)
        # A late edit of another board may have changed the form that this one has with its next act.
        forms = [board_screen(match, presenter, everybody, pictured=pictured) for pictured in (False, True)]
        if match.over:  # however slow all is, a result has its picture, which isn't drawn here
            forms = [without_picture(screen) for screen in forms]
        if not any(shows(seated[0].board, screen, match.id) for screen in forms):
            found.append(f"the board of {match.game.info.title}: {seated[0].board.text}")
        for screens in seated:
            seat = match.seat_of(screens.person.id)
            assert seat is not None
            reader = room.app.readers.on_seat(match, seat, say)
            there = [hand for hand in screens.hands if not hand.deleted]
            still_open = [hand for hand in there if say("hand.newer_open") not in hand.text]
            if len(still_open) != 1 and not (still_open and match.over):  # a result stays in each message that had it
                found.append(f"{len(still_open)} open hands of {match.game.info.title}")
            for hand in still_open:
                screen = hand_screen(match, seat, presenter, reader, selection=picked(hand))
                if not shows(hand, screen, match.id):
                    found.append(f"a hand of {match.game.info.title}: {hand.text}")
    return found


async def play(everybody: list[Screens]) -> None:
    """Let all play for a while, and then press once more, all at once."""
    await asyncio.gather(*(screens.play(PLAY_SECONDS) for screens in everybody))
    await asyncio.gather(*(screens.press() for screens in everybody))


async def check_when_quiet(room: Cardroom, played: list[tuple[LiveMatch, list[Screens]]]) -> None:
    """Wait until nothing has been under way for some seconds, and check everything then."""
    quiet = 0
    for _ in range(10 * MOST_QUIET_SECONDS):
        await asyncio.sleep(0.1)
        quiet = quiet + 1 if room.app.updates.edit_queue.idle else 0
        if quiet > 10 * (2 * TAIL + 1):
            assert wrong(room, played) == []
            return
    raise AssertionError("it never becomes quiet")


@pytest.mark.nightly  # each seed plays four matches
@pytest.mark.parametrize("seed", [1, 2, 3])
async def test_when_all_is_quiet_every_hand_and_board_shows_the_present_state(
    sandbox: Sandbox, tmp_path: Path, seed: int
) -> None:
    rng = random.Random(seed)
    lobby = sandbox.channel("lobby")
    played: list[tuple[LiveMatch, list[Screens]]] = []
    async with cardroom(sandbox, tmp_path) as room:
        for game, seats in TABLES:
            before = {match.id for match in room.app.matches.live()}
            people = rng.sample(sandbox.people, seats)
            if seats == 2:
                board = await challenge(people[0], people[1], lobby, game, clock="daily")
            else:
                board = await sit_down(people, lobby, game)
            (match,) = [match for match in room.app.matches.live() if match.id not in before]
            played.append((match, [Screens(person, board, random.Random(rng.random())) for person in people]))
        everybody = [screens for _, seated in played for screens in seated]
        async with slow(sandbox, rng):
            for _ in range(ROUNDS):
                await play(everybody)
                await check_when_quiet(room, played)
            await play(everybody)
    async with cardroom(sandbox, tmp_path) as room, slow(sandbox, rng):
        await check_when_quiet(room, played)
        # All are restored by now. One that ends below is looked at as this process knows it.
        played = [(room.app.matches.playing(former.id) or former, seated) for former, seated in played]
        await play(everybody)
        await check_when_quiet(room, played)
        await asyncio.gather(*[seated[0].resign(match) for match, seated in played if len(seated) == 2])
        await check_when_quiet(room, played)
