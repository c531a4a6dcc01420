"""The rules of the games: read by command, and from a challenge and a match at the page of what is asked there."""

from __future__ import annotations

from bot.ui.catalogue import translations
from cogs.screens.rules_pages import RulesPage, rules_pages
from discord_sandbox import Reply, Sandbox
from engines import GAMES
from tests.end_to_end.cardroom import Cardroom
from tests.end_to_end.players import challenge, hand_of, picks, press_where_it_is, resign

say = translations("en")


def is_page(reply: Reply, game: str, page: RulesPage) -> bool:
    """Whether an answer is a page of a game's rules, whole and private."""
    title = say("rules.title", game=GAMES[game].info.title, section=page.heading)
    return reply.visibility == "ephemeral" and title in reply.text and page.text in reply.text


async def test_the_rules_are_read_where_they_are_asked_for_and_turned_by_list_and_buttons(
    sandbox: Sandbox, room: Cardroom
) -> None:
    # The list leads to any page.
    alice, lobby = sandbox.user("Alice"), sandbox.channel("lobby")
    reply = await alice.slash(lobby, "ciq rules")
    pages = rules_pages("ciq", "en")
    for place in (3, 3, 1, 4, 0):
        (select,) = reply.message.selects
        assert select.placeholder == say("rules.go_to")
        assert [option.label for option in select.options] == [
            f"{number}. {page.heading}" for number, page in enumerate(pages, start=1)
        ]
        reply = await alice.select(reply.message, values=[select.options[place].value])
        assert (reply.kind, is_page(reply, "ciq", pages[place])) == ("update", True)

    # The list is a new control on every page.
    reply = await alice.slash(lobby, "ciq rules")
    ids = []
    for _ in rules_pages("ciq", "en"):
        ids.append(reply.message.selects[0].custom_id)
        if not reply.message.button("Next").disabled:
            reply = await alice.press(reply.message, label="Next")
    assert len(set(ids)) == len(ids)

    # A matchs rules open at the page of what is asked.
    await room.clear()
    bob = sandbox.user("Bob")
    start, attack, answering, *_ = rules_pages("haymaker", "en")
    asked = await alice.slash(lobby, "haymaker challenge", opponent=bob)
    assert is_page(await press_where_it_is(sandbox.user("Carol"), asked.message, "Rules"), "haymaker", start)
    board = (await bob.press(asked.message, label="Accept")).message
    assert is_page(await press_where_it_is(alice, board, "Rules"), "haymaker", attack)
    (match,) = room.app.matches.live()
    (seat,) = match.awaited
    attacker = {person.id: person for person in (alice, bob)}[match.seats[seat]]
    hand = await hand_of(attacker, board)
    hand = (await attacker.press(hand, custom_id=picks(hand)[0].custom_id)).message
    await attacker.press(hand, label="Attack")
    for person in (alice, bob, sandbox.user("Carol")):
        shown = await press_where_it_is(person, board, "Rules")
        assert is_page(shown, "haymaker", answering)
        assert "### Taking the hit" in shown.text
        assert is_page(await person.press(shown.message, label="Back"), "haymaker", attack)
    assert is_page(await alice.slash(lobby, "haymaker rules"), "haymaker", start)

    # The rules of a match that is over open at their first page.
    await room.clear()
    board = await challenge(alice, bob, lobby)
    await resign(bob, board)
    assert is_page(await press_where_it_is(alice, board, "Rules"), "haymaker", rules_pages("haymaker", "en")[0])

    # The options in force are on the first page and the page about options.
    await room.clear()
    asked = await alice.slash(lobby, "unbreakable challenge", opponent=bob, match_hand=3)
    told = say("unbreakable.terms.match_hand", cards=3)
    reply = await press_where_it_is(bob, asked.message, "Rules")
    there = []
    for _ in rules_pages("unbreakable", "en"):
        there.append(told in reply.text)
        if not reply.message.button("Next").disabled:
            reply = await bob.press(reply.message, label="Next")
    assert there == [page.name in ("start", "options") for page in rules_pages("unbreakable", "en")]
    assert told not in (await bob.slash(lobby, "unbreakable rules")).text

    # Buttons of messages from before the pages grew still turn pages.
    await room.clear()
    board = await challenge(alice, bob, lobby)
    (match,) = room.app.matches.live()
    pages = rules_pages("haymaker", "en")
    for table in ("haymaker", match.id):
        for custom_id, place in (("1:page:0", 0), ("2:page:3", 3), ("2:page:9", -1), ("0:page:2", 2)):
            reply = await alice.press(board, custom_id=f"g1:{table}:{custom_id}", force=True)
            assert is_page(reply, "haymaker", pages[place])
