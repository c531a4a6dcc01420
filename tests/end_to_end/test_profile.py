"""Profiles: the command, a member's menu, and what others may see of somebody."""

from __future__ import annotations

import random
from dataclasses import replace

from bot.play.match_state import codec
from bot.store.queries.matches import Result
from bot.store.store import Store
from bot.ui.catalogue import translations
from cogs.profiles.comebacks import was_far_behind
from cogs.profiles.queries import ProfileQueries
from discord_sandbox import MessageView, Sandbox
from laws.play import MatchLog, random_match
from tests.bot.store.rows import deal, invitation, match, played, record
from tests.end_to_end.cardroom import Cardroom
from tests.games.cases import case_of

say = translations("en")
SHOW = say("button.show_profile")


async def test_a_profile_is_private_until_its_owner_shows_it_and_names_no_opponents_to_others(
    sandbox: Sandbox, room: Cardroom
) -> None:
    alice, bob, lobby = sandbox.user("Alice"), sandbox.user("Bob"), sandbox.channel("lobby")
    server = lobby.server_id or 0
    nothing = await alice.slash(lobby, "profile")
    assert (nothing.visibility, say("profile.none_own") in nothing.text) == ("ephemeral", True)
    assert (await alice.press(nothing.message, label=say("button.play"))).visibility == "ephemeral"
    theirs = await bob.slash(lobby, "profile", player=alice)
    assert (say("profile.none", player="Alice") in theirs.text, theirs.message.labels) == (True, [])
    for number, (game, ranks) in enumerate([("ciq", (2, 1)), ("haymaker", (1, 2)), ("haymaker", (1, 2))]):
        await played(room.store, f"m{number}", ranks, seats=(alice.id, bob.id), guild=server, game=game)
    await bob.slash(lobby, "preferences")  # from then on his name is known

    own = await alice.slash(lobby, "profile")
    assert own.visibility == "ephemeral"
    assert own.text.splitlines()[0] == f"### {say('profile.title', player='Alice')}"
    assert own.text.index("Haymaker") < own.text.index("CIQ")  # what she played most comes first
    assert say("profile.game", game="Haymaker", rank=1, of=2) in own.text
    assert say("profile.game", game="CIQ", rank=2, of=2) in own.text
    record = say("profile.record", matches=say.count("profile.matches", 3), streak=2, longest=2)
    assert record in own.text
    met = say("profile.opponent", player="Bob", matches=say.count("profile.matches", 3))
    assert say("profile.won", met=met, wins=2, losses=1, draws=0) in own.text

    of_alice = await bob.context_menu(lobby, say("command.profile_menu"), alice)
    assert of_alice.visibility == "ephemeral"
    assert record in of_alice.text
    assert say("profile.opponents") not in of_alice.text
    between = say("profile.between", player="Alice", matches=say.count("profile.matches", 3))
    assert say("profile.won", met=between, wins=1, losses=2, draws=0) in of_alice.text
    assert SHOW not in of_alice.message.labels  # only its owner shows a profile to everybody

    posted = await alice.press(own.message, label=SHOW)
    assert posted.visibility == "public"
    assert record in posted.text
    assert say("profile.opponents") not in posted.text
    assert posted.message.mentions == []
    of_bob = await bob.press(posted.message, label=say("button.my_profile"))
    assert of_bob.visibility == "ephemeral"
    assert say("profile.title", player="Bob") in of_bob.text
    again = await alice.press(own.message, label=SHOW)
    assert (again.visibility, again.text[:24]) == ("ephemeral", say("post.again", when="")[:24])
    leaderboard = await alice.press(own.message, label=say("button.leaderboard"))
    assert say("ladder.title", game="Haymaker") in leaderboard.text
    assert sum(say("profile.title", player="Alice") in message.text for message in lobby.messages) == 1

    assert say("ladder.counting") not in own.text
    await room.store.database.write(lambda db: db.execute("INSERT INTO recounts VALUES (?, NULL)", (server,)))
    assert say("ladder.counting") in (await alice.slash(lobby, "profile")).text, "its numbers aren't complete"


async def test_who_hides_from_leaderboards_has_no_rank_on_their_profile(sandbox: Sandbox, room: Cardroom) -> None:
    alice, bob, lobby = sandbox.user("Alice"), sandbox.user("Bob"), sandbox.channel("lobby")
    server = lobby.server_id or 0
    await played(room.store, "first", (1, 2), seats=(alice.id, bob.id), guild=server, game="haymaker")
    rank = say("profile.game", game="Haymaker", rank=1, of=2)
    assert rank in (await bob.slash(lobby, "profile", player=alice)).text
    board = (await alice.slash(lobby, "haymaker leaderboard")).message
    await alice.press(board, label=say("button.how"))
    await alice.press(board, label=say("button.hide_me"))
    assert rank not in (await bob.slash(lobby, "profile", player=alice)).text
    await alice.press(board, label=say("button.how"))
    own = await alice.press(board, label=say("button.my_profile"))
    assert say("profile.title", player="Alice") in own.text
    assert rank not in own.text


async def test_the_curve_of_a_rating_is_a_picture_and_a_line_and_a_list_changes_its_game(
    sandbox: Sandbox, room: Cardroom
) -> None:
    alice, bob, lobby = sandbox.user("Alice"), sandbox.user("Bob"), sandbox.channel("lobby")
    server = lobby.server_id or 0
    await played(room.store, "first", (1, 2), seats=(alice.id, bob.id), guild=server, game="haymaker")
    one = (await alice.slash(lobby, "profile")).message
    assert (pictures(one), one.selects) == ([], [])  # a single rating is no curve
    for number in range(3):
        await played(room.store, f"h{number}", (1, 2), seats=(alice.id, bob.id), guild=server, game="haymaker")
        await played(room.store, f"c{number}", (2, 1), seats=(alice.id, bob.id), guild=server, game="ciq")
    shown = (await alice.slash(lobby, "profile")).message
    (described,) = pictures(shown)
    assert described.startswith("Rating in Haymaker over the last 4 matches: from 1")
    assert described in shown.text
    (games,) = shown.selects
    values = [option.value for option in games.options]
    assert values == [f"{alice.id}.haymaker", f"{alice.id}.ciq"]
    await alice.select(shown, values=[values[1]])
    (described,) = pictures(shown)
    assert described.startswith("Rating in CIQ over the last 3 matches: from ")
    posted = (await alice.press(shown, label=SHOW)).message
    assert pictures(posted) == [described]  # the game that was picked
    assert len(posted.raw["attachments"]) == 1


def pictures(message: MessageView) -> list[str]:
    """The descriptions of a message's pictures."""
    return [item["description"] for part in message.components for item in part.get("items", ())]


# ---------------------------------------------------------------------------------------------- comebacks

GAME = "champions"


def won_by_chance(seed: int) -> tuple[MatchLog, int, bool]:
    """A match by chance, its winner's seat, and whether that seat was far behind at any time."""
    case, rng = case_of(GAME), random.Random(seed)
    log = random_match(case.deal("default", 2, rng), rng)
    outcome = log.deal.game.outcome(log.states[-1])
    assert outcome is not None
    seat = outcome.winners[0]
    start = log.deal.game.start(log.deal.options, 2)
    facts = [log.opening, *[move.events for move in log.moves]]
    return log, seat, was_far_behind(log.deal.game, start, facts, case.presenter, seat)


async def recorded(store: Store, name: str, log: MatchLog, seats: tuple[int, ...], *, server: int, kind: str) -> None:
    """Store a match with its whole log and result, perhaps as if it had ended in another way."""
    written, outcome = codec(GAME), log.deal.game.outcome(log.states[-1])
    assert outcome is not None
    await store.add_invitation(invitation(name, invited=seats[1:], guild=server, game=GAME))
    row = replace(match(name, seats=seats, guild=server, game=GAME), options=written.encode(log.deal.options))
    await store.open_match(row, deal(name, events=written.encode_all(log.opening)), ())
    *others, last = [record(seq, name, events=written.encode_all(move.events)) for seq, move in enumerate(log.moves, 1)]
    for each in others:
        await store.append(each, ())
    await store.append(last, (), Result(name, kind or outcome.kind, outcome.ranks, 8000, counted=True))


async def test_the_first_comeback_is_found_in_the_logs_and_is_no_win_that_was_given_away(
    sandbox: Sandbox, room: Cardroom
) -> None:
    alice, bob, lobby = sandbox.user("Alice"), sandbox.user("Bob"), sandbox.channel("lobby")
    server = lobby.server_id or 0
    found = {behind: (log, seat) for log, seat, behind in map(won_by_chance, range(30))}
    assert found.keys() == {True, False}
    award = say("profile.award.comeback", when="<t:8:d>", game="Champions of Chance")

    async def win(name: str, *, behind: bool, kind: str = "") -> str:
        """Let Alice win such a match; her profile after it."""
        log, seat = found[behind]
        seats = (alice.id, bob.id) if seat == 0 else (bob.id, alice.id)
        await recorded(room.store, name, log, seats, server=server, kind=kind)
        return (await alice.slash(lobby, "profile")).text

    assert award not in await win("m1", behind=False)
    assert award not in await win("m2", behind=True, kind="resignation")
    assert award not in (await bob.slash(lobby, "profile")).text
    assert award in await win("m3", behind=True)
    search = await ProfileQueries(room.store).comeback_search(server, alice.id)
    assert search.found == "m3"
    assert award in await win("m4", behind=False)
    assert await ProfileQueries(room.store).comeback_search(server, alice.id) == search
