"""A match is dealt by the rules under which its deal was sealed, even if it is accepted after a deploy (F-26)."""

# ruff: noqa: N802  a test's name bears the number of its fault

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path

import pytest

from bot.games import GAMES
from bot.play.deals.proof import DoesNotFollow, check, check_deal
from bot.store.queries.matches import MatchRow, Record
from bot.store.sqlite.store import SqliteStore
from bot.store.verification import opens_seal
from bot.ui.catalogue import translations
from discord_sandbox import Sandbox
from tests.bot.ops.databases import cardroom as command
from tests.bot.ops.test_check import lines
from tests.end_to_end.cardroom import cardroom
from tests.faults.bot_process import forked
from tests.fork_server import ForkServer
from tests.upgrades.test_rules import Program, installed, two

say = translations("en")


def version_of_rules(game: str, version: int) -> Program:
    """The program with another version of a game's rules."""
    kind = type(GAMES[game])
    return lambda patch: patch.setattr(kind, "info", replace(kind.info, rules_version=version))


async def stored(folder: Path, match_id: str) -> tuple[MatchRow, list[Record]]:
    """A match and its log, once no bot runs."""
    store = await SqliteStore.open(folder / "cardroom.db", now=lambda: 1500)
    try:
        row = await store.match(match_id)
        assert row is not None
        return row, await store.records(match_id)
    finally:
        await store.close()


@pytest.mark.real_time
@pytest.mark.parametrize("game", ["ciq", "tivmiv"])
async def test_F_26_a_challenge_accepted_after_a_deploy_is_dealt_as_it_was_sealed(
    sandbox: Sandbox, fork_server: ForkServer, tmp_path: Path, game: str
) -> None:
    people, lobby = two(sandbox), sandbox.channel("lobby")
    with installed(version_of_rules(game, 1)):
        async with cardroom(sandbox, tmp_path) as room:
            asked = (await people["Alice"].slash(lobby, f"{game} challenge", opponent=people["Bob"])).message
            (invitation,) = room.app.invitations.open()
            assert invitation.rules_version == 1

    async with forked(fork_server, sandbox, tmp_path) as bot:  # with the rules of today
        await people["Bob"].press(asked, label="Accept")
        await sandbox.wait_for(lambda: "My cards" in asked.labels)
        hand = await people["Alice"].press(asked, label="My cards")
        assert hand.visibility == "ephemeral"
        assert await bot.stop() == 0

    row, records = await stored(tmp_path, invitation.id)
    assert row.rules_version == 1 < GAMES[game].info.rules_version
    assert (row.seed, row.commitment, row.deal_id) == (invitation.seed, invitation.commitment, invitation.deal_id)
    assert opens_seal(row)
    check(row, records)
    other = replace(row, rules_version=GAMES[game].info.rules_version)
    assert not opens_seal(other)
    with pytest.raises(DoesNotFollow):
        check_deal(other, records)
    told = await asyncio.to_thread(command, tmp_path, "check")
    assert lines(told.stdout)["seals and logs"].startswith("ok 1 matches")


async def test_F_26_a_challenge_sealed_under_newer_rules_waits_until_they_are_back(
    sandbox: Sandbox, tmp_path: Path
) -> None:
    people, lobby = two(sandbox), sandbox.channel("lobby")
    newer = version_of_rules("haymaker", 2)
    with installed(newer):
        async with cardroom(sandbox, tmp_path):
            asked = (await people["Alice"].slash(lobby, "haymaker challenge", opponent=people["Bob"])).message
    async with cardroom(sandbox, tmp_path) as room:
        reply = await people["Bob"].press(asked, label="Accept")
        assert (reply.visibility, say("challenge.newer_rules") in reply.text) == ("ephemeral", True)
        assert not room.app.matches.live()
        assert len(room.app.invitations.open()) == 1
    told = await asyncio.to_thread(command, tmp_path, "check")
    assert lines(told.stdout)["seals and logs"].startswith("ok")
    with installed(newer):
        async with cardroom(sandbox, tmp_path) as room:
            await people["Bob"].press(asked, label="Accept")
            (match,) = room.app.matches.live()
    row, records = await stored(tmp_path, match.id)
    assert row.rules_version == 2
    check_deal(row, records)
