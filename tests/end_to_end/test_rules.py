"""The rules of the games: read by command, and from a challenge and a match at the page of what is asked there."""

from __future__ import annotations

import pytest

from bot.ui.catalogue import translations
from cogs.screens.rules_pages import RulesPage, rules_pages
from discord_sandbox import Reply, Sandbox
from engines import GAMES
from tests.end_to_end.cardroom import Cardroom
from tests.end_to_end.players import challenge, hand_of, picks, press_where_it_is

say = translations("en")


def is_page(reply: Reply, game: str, page: RulesPage) -> bool:
    """Whether an answer is a page of a game's rules, whole and private."""
    title = say("rules.title", game=GAMES[game].info.title, section=page.heading)
    return reply.visibility == "ephemeral" and title in reply.text and page.text in reply.text


@pytest.mark.nightly  # every game's pages are law (laws/rules_pages)
@pytest.mark.parametrize("game", GAMES)
async def test_the_rules_are_read_page_by_page(sandbox: Sandbox, room: Cardroom, game: str) -> None:
    alice, lobby = sandbox.user("Alice"), sandbox.channel("lobby")
    reply = await alice.slash(lobby, f"{game} rules")
    pages = rules_pages(game, "en")
    assert reply.message.button("Back").disabled
    for number, page in enumerate(pages, start=1):
        assert is_page(reply, game, page)
        assert say("rules.page", page=number, pages=len(pages)) in reply.text
        if number < len(pages):
            reply = await alice.press(reply.message, label="Next")
            assert reply.kind == "update"
    assert reply.message.button("Next").disabled
    assert is_page(await alice.press(reply.message, label="Back"), game, pages[-2])


async def test_the_list_leads_to_any_page(sandbox: Sandbox, room: Cardroom) -> None:
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


async def test_the_list_is_a_new_control_on_every_page(sandbox: Sandbox, room: Cardroom) -> None:
    """Otherwise a client may keep showing the line that was picked, on a page that *Next* turned to."""
    alice, lobby = sandbox.user("Alice"), sandbox.channel("lobby")
    reply = await alice.slash(lobby, "ciq rules")
    ids = []
    for _ in rules_pages("ciq", "en"):
        ids.append(reply.message.selects[0].custom_id)
        if not reply.message.button("Next").disabled:
            reply = await alice.press(reply.message, label="Next")
    assert len(set(ids)) == len(ids)


async def test_a_matchs_rules_open_at_the_page_of_what_is_asked(sandbox: Sandbox, room: Cardroom) -> None:
    alice, bob, lobby = sandbox.user("Alice"), sandbox.user("Bob"), sandbox.channel("lobby")
    start, attack, reply, *_ = rules_pages("haymaker", "en")
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
        assert is_page(shown, "haymaker", reply)
        assert "### Taking the hit" in shown.text
        assert is_page(await person.press(shown.message, label="Back"), "haymaker", attack)
    assert is_page(await alice.slash(lobby, "haymaker rules"), "haymaker", start)


async def test_the_rules_of_a_match_that_is_over_open_at_their_first_page(sandbox: Sandbox, room: Cardroom) -> None:
    alice, bob, lobby = sandbox.user("Alice"), sandbox.user("Bob"), sandbox.channel("lobby")
    board = await challenge(alice, bob, lobby)
    ask = await press_where_it_is(bob, board, "Resign")
    await bob.press(ask.message, label="Resign")
    assert is_page(await press_where_it_is(alice, board, "Rules"), "haymaker", rules_pages("haymaker", "en")[0])


async def test_the_options_in_force_are_on_the_first_page_and_the_page_about_options(
    sandbox: Sandbox, room: Cardroom
) -> None:
    alice, bob, lobby = sandbox.user("Alice"), sandbox.user("Bob"), sandbox.channel("lobby")
    asked = await alice.slash(lobby, "unbreakable challenge", opponent=bob, match_hand=3)
    told = say("unbreakable.terms.match_hand", cards=3)
    reply = await press_where_it_is(bob, asked.message, "Rules")
    shown = []
    for _ in rules_pages("unbreakable", "en"):
        shown.append(told in reply.text)
        if not reply.message.button("Next").disabled:
            reply = await bob.press(reply.message, label="Next")
    assert shown == [page.name in ("start", "options") for page in rules_pages("unbreakable", "en")]
    assert told not in (await bob.slash(lobby, "unbreakable rules")).text


async def test_buttons_of_messages_from_before_the_pages_grew_still_turn_pages(
    sandbox: Sandbox, room: Cardroom
) -> None:
    alice, bob, lobby = sandbox.user("Alice"), sandbox.user("Bob"), sandbox.channel("lobby")
    board = await challenge(alice, bob, lobby)
    (match,) = room.app.matches.live()
    pages = rules_pages("haymaker", "en")
    for table in ("haymaker", match.id):
        for custom_id, place in (("1:page:0", 0), ("2:page:3", 3), ("2:page:9", -1), ("0:page:2", 2)):
            reply = await alice.press(board, custom_id=f"g1:{table}:{custom_id}", force=True)
            assert is_page(reply, "haymaker", pages[place])
