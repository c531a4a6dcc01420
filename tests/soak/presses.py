"""L4: fifty presses on one match within a second, in each game: one is applied for each seat and question, except where
the rules let a seat act again (races, and the sealed choice of U-1), and the board is edited once a second at most."""

from __future__ import annotations

import asyncio
import itertools
import tempfile
from collections import Counter
from pathlib import Path

from bot.play.live_match import LiveMatch
from bot.play.match_state import codec
from bot.store.queries.matches import Record
from discord_sandbox import MessageView, Person, Reply, Sandbox
from engines import GAMES
from engines.game import fold
from tests.end_to_end.board_edits import edits_of
from tests.end_to_end.cardroom import Cardroom, cardroom
from tests.end_to_end.players import acts, challenge, hand_of, picks
from tests.end_to_end.test_tivmiv import started
from tests.soak.laws import listening
from tests.soak.report import Load, waited

PRESSES = 50
SECONDS = 1.0
NEAR_ENOUGH = 0.9
"""Seconds between two edits as the sandbox saw them come in; they are sent a second apart."""
MOST_STEPS = 60


async def run() -> list[Load]:
    """Each game, one after the other."""
    return [await _press_fifty_times(game) for game in GAMES]


async def _press_fifty_times(game: str) -> Load:
    load = Load(f"L4 {game}")
    with tempfile.TemporaryDirectory() as folder, listening(load):
        async with Sandbox.running() as sandbox, cardroom(sandbox, Path(folder)) as room:
            people = [sandbox.user("Alice"), sandbox.user("Bob")]
            board = await challenge(people[0], people[1], sandbox.channel("lobby"), game)
            (match,) = room.app.matches.live()
            if game == "tivmiv":
                await started(room)
            buttons = await _buttons(people, board)
            await _settled(sandbox, room)
            before = len(await room.store.records(match.id))
            sandbox.transcript.clear()
            replies = await _at_once(people, board, buttons)
            await _settled(sandbox, room)
            for reply in replies:
                load.expect(not reply.failed, "a press was not answered")
            edits = [each.at for each in edits_of(sandbox, board)]
            applied = (await room.store.records(match.id))[before:]
            await _judge(room, match, applied, load)
            for earlier, later in itertools.pairwise(edits):
                load.expect(later - earlier > NEAR_ENOUGH, "two edits of the board within a second")
            load.figures += [
                f"{len(replies)} presses, {len(applied)} applied, {len(edits)} edits of the board",
                f"first response {waited([reply.elapsed for reply in replies])}",
            ]
    return load


async def _buttons(people: list[Person], board: MessageView) -> list[str]:
    """Acts that the hands offer, cards picked until there is one; whoever presses them, the seat is the presser's."""
    found: list[str] = []
    for person in people:
        hand = await hand_of(person, board)
        for _ in range(MOST_STEPS):
            if acts(hand) or not picks(hand):
                break
            await person.press(hand, custom_id=picks(hand)[0].custom_id)
        found += [button.custom_id for button in acts(hand)]
    return found


async def _at_once(people: list[Person], board: MessageView, buttons: list[str]) -> list[Reply]:
    """So many presses of these buttons by all in turn, spread over the time."""

    async def press(number: int) -> Reply:
        await asyncio.sleep(SECONDS * number / PRESSES)
        person, custom_id = people[number % len(people)], buttons[number // len(people) % len(buttons)]
        return await person.press(board, custom_id=custom_id, force=True)

    return await asyncio.gather(*(press(number) for number in range(PRESSES)))


async def _judge(room: Cardroom, match: LiveMatch, applied: list[Record], load: Load) -> None:
    """How often each seat acted in each window."""
    load.expect(applied, "none was applied")
    row = await room.store.match(match.id)
    if row is None:
        raise LookupError("the match is in the store")
    written, game = codec(row.game), GAMES[row.game]
    state, acted = game.start(written.decode(row.options), len(row.seats)), Counter[tuple[int, int]]()
    again = set[tuple[int, int]]()  # who may act more than once in a window
    first = applied[0].seq if applied else 0
    for record in await room.store.records(match.id):
        window = game.window(state)
        if record.seq >= first and record.actor is not None and window is not None:
            acted[record.actor, window.number] += 1
        state = fold(game, state, written.decode_all(record.events))
        asked = game.window(state)
        if asked is not None and record.actor in asked.may_act:
            again.add((record.actor, asked.number))
    load.expect(state == match.position.state, "the log folds to another state")
    for question, times in acted.items():
        load.expect(times == 1 or question in again, f"{times} presses of one seat were applied for one question")


async def _settled(sandbox: Sandbox, room: Cardroom) -> None:
    await sandbox.wait_for(lambda: room.app.updates.edit_queue.idle, 30.0)
