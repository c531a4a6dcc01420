"""Every game at every number of seats: a table is opened, joined, started and played to its end."""

from __future__ import annotations

import random

import pytest

from discord_sandbox import Sandbox
from engines import GAMES
from engines.deals import short_seal
from tests.end_to_end.cardroom import Cardroom
from tests.end_to_end.players import play_out, sit_down
from tests.games.cases import is_race

SHORT: dict[str, dict[str, object]] = {
    "ciq": {"preset": "quick", "round_limit": 10},
    "unbreakable": {"match_hand": 2, "turn_limit": 20},
}
"""Options that keep a match of random acts short."""

TURNS = [(key, seats) for key, game in GAMES.items() if not is_race(key) for seats in game.info.seats]
"""All but a race: that has tests of its own (test_tivmiv)."""


@pytest.mark.nightly(rare=True)  # a whole match each, as other journeys play them too
@pytest.mark.parametrize(("key", "seats"), TURNS)
async def test_a_table_is_played_to_its_end(sandbox: Sandbox, room: Cardroom, key: str, seats: int) -> None:
    people = sandbox.people[:seats]
    lobby = sandbox.channel("lobby")
    board = await sit_down(people, lobby, key, **SHORT.get(key, {}))
    (match,) = room.app.matches.live()
    assert match.seats == tuple(person.id for person in people)
    await play_out({person.name: person for person in people}, board, random.Random(seats), most=1500)
    assert match.result is not None
    await sandbox.wait_for(lambda: "Rematch" in board.labels)
    assert short_seal(bytes.fromhex(match.commitment)) not in board.text
    for person in people:
        assert match.result.kind == "called_off" or f"**{person.name}**" in board.text
    assert not list(room.app.matches.live())
    if match.result.counted:
        ladder = (await people[0].slash(lobby, f"{key} leaderboard")).text
        assert all(f"**{person.name}**" in ladder for person in people)
