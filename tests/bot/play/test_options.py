"""Every value of every option, at every number of seats: it begins a match, or the refusal has words.

With `LAWS_SHARE` below 1, a share of the values that are accepted, which `LAWS_SEED` chooses. That the rules take the
same values is a law on all of them (`laws.suite`).
"""

from __future__ import annotations

import random
from itertools import count
from typing import Any

import pytest

from bot.play.deals.sealing import seal
from bot.play.match_state import codec
from bot.play.refusals import Refused
from bot.store.queries.invitations import Invitation, InvitationKind
from bot.ui.catalogue import translations
from engines import GAMES
from engines.game import AnyGame
from engines.options import takes
from laws.suite import SEED, SHARE
from tests.bot.play.parts import CHANNEL, GUILD, MESSAGE, Parts
from tests.games.cases import case_of

pytestmark = pytest.mark.slow  # begins a match at every value of every option

say = translations("en")
ids = count(1)


def tried_at(key: str, name: str, values: list[Any], seats: int) -> list[Any]:
    """The values of an option that are tried at this number of seats: those that are refused, and a share of the others
    at all numbers together."""
    refused = {(option, value) for option, value, at in case_of(key).refused if at == seats}
    luck = random.Random(f"{SEED} {key} {name} {seats}")
    share = SHARE if SHARE >= 1 else SHARE / len(GAMES[key].info.seats)
    return [value for value in values if luck.random() < share or (name, value) in refused]


async def begin(parts: Parts, game: AnyGame, options: Any, seats: int) -> None:
    """Start the match of a table with these options, at which everybody sits. Raises Refused."""
    number, people = next(ids), tuple(range(1, seats + 1))
    sealed = seal(game.info.key, options, codec(game.info.key), random.Random(number), clock="normal")
    table = Invitation(
        id=f"m{number}",
        guild_id=GUILD,
        channel_id=CHANNEL,
        message_id=MESSAGE,
        game=game.info.key,
        options=codec(game.info.key).encode(options),
        clock="normal",
        host_id=1,
        invited=(),
        seated=people,
        seed=sealed.seed,
        commitment=sealed.commitment,
        created_at=parts.now(),
        expires_at=parts.now() + 1,
        kind=InvitationKind.TABLE,
        deal_id=sealed.deal_id,
        rules_version=sealed.rules_version,
        sealed_options=sealed.sealed_options,
    )
    await parts.store.add_invitation(table)
    with parts.presses.take_up(table.id, number) as press:
        await parts.lifecycle.open(table, press)


@pytest.mark.parametrize(("key", "seats"), [(key, seats) for key, game in GAMES.items() for seats in game.info.seats])
async def test_every_value_of_every_option_begins_a_match_or_is_refused_in_words(
    parts: Parts, key: str, seats: int
) -> None:
    game = GAMES[key]
    await begin(parts, game, game.info.options(), seats)
    refused, sentences, tried = set(), [], 1
    for name, each in takes(game.info.options).items():
        for value in tried_at(key, name, list(each.values), seats):
            tried += 1
            try:
                await begin(parts, game, game.info.options(**{name: value}), seats)
            except Refused as refusal:
                sentences.append(say(refusal.key, **refusal.values))
                refused.add((name, value, seats))
    assert all(sentences)
    assert refused == {each for each in case_of(key).refused if each[2] == seats}
    assert len(await parts.store.live_matches()) == len(parts.registry) == tried - len(refused)
