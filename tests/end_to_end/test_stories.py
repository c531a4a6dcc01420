"""*Share* after a match: its story, first in private and then posted."""

from __future__ import annotations

import random

from bot.ui.catalogue import translations
from bot.ui.screen import Press
from cogs.reviews.story import LONGEST
from cogs.screens import custom_ids
from discord_sandbox import Sandbox
from tests.end_to_end.cardroom import Cardroom, eventually
from tests.end_to_end.pictures import galleries
from tests.end_to_end.players import challenge, play_out, press_where_it_is
from tests.end_to_end.practising import says

say = translations("en")
MORE, SHARE, POST = say("button.more"), say("story.share"), say("story.post")


async def test_a_player_shares_the_story_of_a_match(sandbox: Sandbox, room: Cardroom) -> None:
    alice, bob, carol = (sandbox.user(name) for name in ("Alice", "Bob", "Carol"))
    lobby = sandbox.channel("lobby")
    board = await challenge(alice, bob, lobby)
    (match,) = room.app.matches.live()
    await play_out({"Alice": alice, "Bob": bob}, board, random.Random(3))
    await eventually(lambda: says(board, MORE))
    assert SHARE not in (await carol.press(board, label=MORE)).message.labels
    for verb in ("story", "storypost"):
        forged = await carol.press(board, custom_id=custom_ids.write(match.id, Press(verb)), force=True)
        assert (forged.visibility, forged.text) == ("ephemeral", say("story.not_yours"))
    own = await press_where_it_is(bob, board, SHARE)
    assert own.visibility == "ephemeral"
    assert " wins." in own.text
    assert own.message.labels == [POST]
    posted = await bob.press(own.message, label=POST)
    assert posted.visibility == "public"
    assert posted.message.labels == []
    assert posted.text == own.text
    assert len(posted.text) < LONGEST + len(say("story.title", game="Haymaker")) + 150  # the players and the footer
    (picture,) = galleries(posted.message)
    assert "winner" in picture["description"]
    assert not any(name in picture["description"] for name in ("Alice", "Bob"))
    for player in (alice, bob):
        again = await player.press((await press_where_it_is(player, board, SHARE)).message, label=POST)
        assert (again.visibility, again.text[:24]) == ("ephemeral", say("post.again", when="")[:24])
