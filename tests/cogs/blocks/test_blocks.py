"""What is stored of blocks, and that their screens fit into a message."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.budgets import MOST_BLOCKS
from bot.store.queries.invitations import InvitationKind
from bot.ui.catalogue import translations
from cogs.blocks.commands import SUBJECT, blocks_screen, decline_button, decline_screen
from cogs.blocks.queries import Block, Blocks
from cogs.screens.renderer import is_whole, sheet
from tests.bot.play.parts import ANN, BOB, CAT, Parts
from tests.bot.store.rows import invitation

say = translations("en")
NAME = "W" * 32


async def test_a_block_counts_both_ways_until_it_is_taken_back_and_the_list_has_an_end(parts: Parts) -> None:
    blocks = Blocks(parts.store)
    for at in (5, 6):
        assert await blocks.add(ANN, BOB, at)
    assert await blocks.blocked_by(ANN) == [Block(BOB, 5)]
    assert await blocks.blocked_by(BOB) == []
    for one, other in ((ANN, BOB), (BOB, ANN)):
        assert await blocks.apart(one, [other, CAT]) == [other]
        assert await parts.store.database.read(lambda db: db.execute("SELECT count(*) FROM blocks").fetchone()) == (1,)
    assert await blocks.apart(CAT, [ANN, BOB]) == []
    assert await blocks.blocked(ANN, [BOB, CAT]) == [BOB]
    assert await blocks.blocked(BOB, [ANN, CAT]) == []  # who is blocked knows nothing of it
    await blocks.remove(BOB, ANN)  # theirs alone
    assert await blocks.apart(BOB, [ANN]) == [ANN]
    await blocks.remove(ANN, BOB)
    assert await blocks.apart(BOB, [ANN]) == []
    assert all([await blocks.add(ANN, 100 + other, other) for other in range(MOST_BLOCKS)])
    assert not await blocks.add(ANN, BOB, 900)
    assert await blocks.add(ANN, 100, 900)
    assert len(await blocks.blocked_by(ANN)) == MOST_BLOCKS


@pytest.mark.parametrize("page", [0, 4, 9])
def test_a_page_of_the_list_fits(page: int) -> None:
    people = [(2**63 + nth, NAME) for nth in range(MOST_BLOCKS)]
    screen = blocks_screen(people, page, say, say("block.done"))
    assert is_whole(screen)
    assert sheet(screen, SUBJECT).to_components()
    assert is_whole(decline_screen(NAME, say))


def test_only_challenges_can_be_declined_for_good() -> None:
    asked = invitation("asked")
    challenge = replace(asked, kind=InvitationKind.CHALLENGE, invited=(BOB,))
    assert decline_button(challenge, say, BOB)
    assert not decline_button(challenge, say, challenge.host_id)
    assert not decline_button(replace(challenge, kind=InvitationKind.TABLE), say, BOB)
