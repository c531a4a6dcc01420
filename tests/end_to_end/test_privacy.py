"""Who is stored: those who use the bot and those who are invited, and nobody whom others only look at.

And what a private match tells those who have not played it.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, NoReturn

import pytest

from bot.play.matchmaking.invitations import Inviting, Proposal
from bot.play.refusals import Refused
from bot.store.queries.matches import MatchRow
from bot.ui.catalogue import translations
from bot.ui.screen import Press
from cogs.actions.commands import Commands
from cogs.screens import custom_ids
from discord_sandbox import DrivenChannel, MessageView, Person, Sandbox
from tests.end_to_end.cardroom import Cardroom, eventually
from tests.end_to_end.players import challenge, hand_of, plain_move, press_where_it_is, resign
from tests.end_to_end.practising import only_match, says
from tests.end_to_end.test_my_data import delete
from tests.end_to_end.test_proof import add_salt, proof_of
from tests.people_in_database import Search
from tests.whose_rows import table_of

say = translations("en")


def stored(folder: Path, *people: Person) -> dict[int, set[str]]:
    """Where the database has any of these people."""
    return Search({person.id: person.name for person in people}).in_file(folder / "cardroom.db")


async def test_nobody_is_stored_because_others_look_also_after_they_deleted_everything(
    sandbox: Sandbox, room: Cardroom, tmp_path: Path
) -> None:
    # Neither whose history or profile is looked at nor who looks.
    alice, bob, carol, lobby = *map(sandbox.user, ("Alice", "Bob", "Carol")), sandbox.channel("lobby")
    assert "Carol" in (await alice.slash(lobby, "history", user=carol)).text
    assert "Carol" in (await alice.slash(lobby, "profile", player=carol)).text
    assert "Carol" in (await alice.context_menu(lobby, say("command.profile_menu"), carol)).text
    assert "Alice" in (await alice.slash(lobby, "profile")).text
    assert stored(tmp_path, alice, carol) == {}

    # Who deleted everything comes back by being invited, and not before.
    await resign(alice, await challenge(alice, bob, lobby))
    assert stored(tmp_path, bob).keys() == {bob.id}
    await delete(sandbox, bob, lobby)
    assert "Bob" in (await alice.slash(lobby, "profile", player=bob)).text
    assert "Bob" in (await alice.slash(lobby, "history", user=bob)).text
    panel = (await alice.context_menu(lobby, say("command.menu"), bob)).message
    clock = panel.selects[1]
    picked = await alice.select(panel, custom_id=clock.custom_id, values=[clock.options[-1].value])
    assert say("panel.title", name="Bob") in picked.text
    assert stored(tmp_path, bob) == {}
    await alice.press(panel, label=say("panel.send"))
    assert stored(tmp_path, bob)[bob.id] >= {"names.user_id", "names.name", "invitations.invited"}


async def test_a_challenge_that_is_refused_stores_nobody_but_who_made_it(
    sandbox: Sandbox, room: Cardroom, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def refuse(_inviting: Inviting, _proposal: Proposal) -> NoReturn:
        raise Refused("challenge.absent")

    monkeypatch.setattr(Inviting, "invite", refuse)
    alice, bob, lobby = sandbox.user("Alice"), sandbox.user("Bob"), sandbox.channel("lobby")
    asked = await alice.slash(lobby, "haymaker challenge", opponent=bob)
    assert asked.text == say("challenge.absent")
    assert stored(tmp_path, alice, bob).keys() == {alice.id}


# ---------------------------------------------------------------------------------------------- private matches

KEEP, REPLAY = say("replay.keep_private"), say("button.replay")
SALT = "wolverine"


async def kept_private(room: Cardroom, alice: Person, bob: Person, lobby: DrivenChannel) -> tuple[MessageView, str]:
    """A match that its players keep private, with a salt of Alice's: the board that shows its result, and its code."""
    asked = (await alice.slash(lobby, "haymaker challenge", opponent=bob)).message
    await add_salt(alice, asked, SALT)
    return await played_and_kept(room, alice, bob, asked)


async def played_and_kept(room: Cardroom, alice: Person, bob: Person, asked: MessageView) -> tuple[MessageView, str]:
    """The same of the match to which Alice has asked Bob."""
    board = (await bob.press(asked, label="Accept")).message
    (match,) = room.app.matches.live()
    players = {person.id: person for person in (alice, bob)}
    for _ in range(4):
        mover = players[match.seats[min(match.awaited)]]
        await plain_move(mover, await hand_of(mover, board))
    await resign(alice, board)
    await eventually(lambda: says(board, REPLAY))
    for person in (alice, bob):
        replay = (await person.press(board, label=REPLAY)).message
        await person.press(replay, label=say("button.more"))
        await person.press(replay, label=KEEP)
    return board, match.id


async def practised(room: Cardroom, alice: Person, lobby: DrivenChannel, *, finished: bool) -> str:
    """A match that Alice plays alone, maybe to its end: its code."""
    hand = (await alice.slash(lobby, "haymaker practice")).message
    match = await only_match(room)
    if finished:
        await resign(alice, hand)
        await eventually(lambda: says(hand, REPLAY))
    return match.id


def options_of(command: Any) -> Sequence[Any]:
    """The options of a command; a group has none."""
    options: Sequence[Any] = getattr(command, "parameters", ())
    return options


async def test_by_its_code_a_private_match_is_to_others_as_one_that_never_was(sandbox: Sandbox, room: Cardroom) -> None:
    alice, bob, carol, lobby = *map(sandbox.user, ("Alice", "Bob", "Carol")), sandbox.channel("lobby")
    _, code = await kept_private(room, alice, bob, lobby)
    row = await never_was(sandbox, room, carol, code)
    assert row.seed.hex() in (await bob.slash(lobby, "verify", code=code)).text
    assert SALT in (await bob.slash(lobby, "verify", code=row.deal_id)).text
    assert code in (await bob.slash(lobby, "replay", code=code)).text


@pytest.mark.nightly  # each asks for it by every command and verb
@pytest.mark.parametrize("finished", [False, True])
async def test_what_somebody_plays_alone_is_to_others_as_one_that_never_was(
    sandbox: Sandbox, room: Cardroom, *, finished: bool
) -> None:
    alice, carol, lobby = *map(sandbox.user, ("Alice", "Carol")), sandbox.channel("lobby")
    code = await practised(room, alice, lobby, finished=finished)
    await never_was(sandbox, room, carol, code)
    assert code not in (await carol.slash(lobby, "history", user=alice)).text
    if finished:
        shown = (await alice.slash(lobby, "replay", code=code)).message
        assert say("replay.private") in shown.text
        await alice.press(shown, label=say("button.more"))
        await alice.press(shown, label=say("replay.keep_open"))
        assert code in (await carol.slash(lobby, "replay", code=code)).text


async def never_was(sandbox: Sandbox, room: Cardroom, carol: Person, code: str) -> MatchRow:
    """Hold all that Carol is told by the code of a match against what she is told of a match that never was. Returns
    the row of that with the code."""
    lobby, row = sandbox.channel("lobby"), await room.store.match(code)
    assert row is not None
    never, tree = "zzzzzzzzzz", room.app.find(Commands).tree
    coded = [each.name for each in tree.get_commands() if "code" in {option.name for option in options_of(each)}]
    assert len(coded) >= 2
    for command in coded:
        unknown = await carol.slash(lobby, command, code=never)
        for typed in (code, row.deal_id, f" `{code.upper()}`"):
            assert (await carol.slash(lobby, command, code=typed)).text == unknown.text
        assert not (await carol.autocomplete(lobby, command, option="code", value="")).choices
    elsewhere = (await carol.slash(lobby, "help")).message
    own = {"showprofile", "forget"}  # the one posts, the other answers a second time, over what is pressed next
    for verb in (name for name in table_of(room.app) if name not in own and not name.startswith("/")):
        for made in (f"g1:ID:0:{verb}", f"g1:ID:0:{verb}:1", f"g1:history:0:{verb}:ID"):
            ids = {each: made.replace("ID", each) for each in (code, never)}
            told = {each: (await carol.press(elsewhere, custom_id=ids[each], force=True)).text for each in ids}
            assert len({told[each].lower().replace(each, "it") for each in ids}) == 1, told
    return row


async def test_the_buttons_of_its_own_result_alone_say_that_a_match_is_private_and_whether_it_fits(
    sandbox: Sandbox, room: Cardroom
) -> None:
    # They say that it is private, and its proof whether it fits.
    alice, bob, carol, lobby = *map(sandbox.user, ("Alice", "Bob", "Carol")), sandbox.channel("lobby")
    board, code = await kept_private(room, alice, bob, lobby)
    row, result = await room.store.match(code), await room.store.result(code)
    assert row is not None
    assert result is not None
    for label in (REPLAY, say("button.review"), say("button.table"), "Rematch"):
        told = await press_where_it_is(carol, board, label)
        assert (told.visibility, told.text) == ("ephemeral", say("match.private"))
    assert (await carol.press(board, custom_id=f"g1:{code}:0:export", force=True)).text == say("match.private")
    proof = await proof_of(carol, board)
    for fact in (say("match.private"), say("verify.fits.seal"), row.commitment.hex(), result.chain.hex()):
        assert fact in proof.text
    assert proof.labels == []
    for secret in (row.seed.hex(), SALT, *(salt.digest.hex() for salt in row.salts)):
        assert secret not in proof.text
    assert "Haymaker: " in (await press_where_it_is(carol, board, "Rules")).text
    for player in (alice, bob):
        own = await proof_of(player, board)
        assert row.seed.hex() in own.text
        assert SALT in own.text
        assert say("button.export") in own.labels

    # *More…* on another result does not lead to it.
    other = await challenge(alice, bob, lobby)
    await resign(alice, other)
    await sandbox.wait_for(lambda: "More…" in other.labels)
    theirs = (await carol.press(other, label="More…")).message
    own_more = (await carol.press(board, label="More…")).message
    for verb in ("more", "proof", "review", "story", "table", "rules"):
        told = await carol.press(theirs, custom_id=custom_ids.write(code, Press(verb)), force=True)
        key = "challenge.unknown" if verb in ("more", "proof") else "match.unknown"
        assert (told.visibility, told.text) == ("ephemeral", say(key)), verb
    assert say("verify.fits.seal") in (await press_where_it_is(carol, own_more, "Proof")).text

    # A press on a message that a press has made is one on it.
    rematch, _ = await played_and_kept(room, alice, bob, (await alice.press(board, label="Rematch")).message)
    assert rematch.id != board.id
    assert say("verify.fits.seal") in (await proof_of(carol, rematch)).text
