"""Which answers Discord is asked to send back: a new public message alone, for its id."""

from __future__ import annotations

from discord_sandbox import Sandbox
from tests.end_to_end.cardroom import Cardroom
from tests.end_to_end.players import challenge, hand_of, picks


def echoed(sandbox: Sandbox) -> bool:
    """Whether the last first response was sent back."""
    answers = [each for each in sandbox.transcript.requests if "/callback" in each.path]
    assert answers[-1].status in {200, 204}
    return answers[-1].answer is not None


async def test_a_challenge_comes_back_for_its_id_and_hands_and_boards_do_not(sandbox: Sandbox, room: Cardroom) -> None:
    # The board is known by the challenge that came back.
    board = await challenge(sandbox.user("Alice"), sandbox.user("Bob"), sandbox.channel("lobby"))
    (match,) = room.app.matches.live()
    assert match.board_id == board.id

    # A challenge comes back for its id and hands and boards do not.
    await room.clear()
    alice, bob, lobby = sandbox.user("Alice"), sandbox.user("Bob"), sandbox.channel("lobby")
    asked = await alice.slash(lobby, "haymaker challenge", opponent=bob)
    assert echoed(sandbox)
    board = (await bob.press(asked.message, label="Accept")).message
    assert not echoed(sandbox)
    people = [alice, bob]
    hands = [await hand_of(person, board) for person in people]
    assert not echoed(sandbox)
    first = 0 if picks(hands[0]) else 1
    await people[first].press(hands[first], custom_id=picks(hands[first])[0].custom_id)
    assert not echoed(sandbox)
    await alice.slash(lobby, "help")
    assert not echoed(sandbox)
