"""Options as people give them: those that do not suit the number who sit, and those that are a number or no limit."""

# ruff: noqa: N802  a ruling's number stands in a test's name as it is written

from __future__ import annotations

from bot.ui.catalogue import translations
from cogs.interactions.autocomplete import MOST_OFFERED
from discord_sandbox import Sandbox
from engines import GAMES
from engines.options import NONE, Number
from engines.tivmiv.facts import MOST_IDLE
from engines.unbreakable import Options
from tests.end_to_end.cardroom import Cardroom

say = translations("en")


async def test_limits_are_typed_picked_and_completed(sandbox: Sandbox, room: Cardroom) -> None:
    # No limit is typed shown and played.
    alice, bob, lobby = sandbox.user("Alice"), sandbox.user("Bob"), sandbox.channel("lobby")
    for typed in ("none", "No limit"):
        asked = await alice.slash(lobby, "unbreakable challenge", opponent=bob, turn_limit=typed)
        assert say("unbreakable.terms.no_limit") in asked.message.text
        accepted = await bob.press(asked.message, label="Accept")
        more = await bob.press(accepted.message, label="More…")
        assert say("unbreakable.attackers_unlimited", attackers=0) in more.text
    assert {match.options.turn_limit for match in room.app.matches.live()} == {NONE}

    # No limit is picked in the panel.
    await room.clear()
    panel = (await alice.context_menu(lobby, "Challenge…", bob)).message
    for label in (GAMES["ciq"].info.title, _line("ciq", "round_limit", "no limit"), _line("ciq", "hand_limit", "10")):
        menu, line = next((menu, line) for menu in panel.selects for line in menu.options if line.label == label)
        panel = (await alice.select(panel, custom_id=menu.custom_id, values=[line.value])).message
    shown = [line.label for menu in panel.selects for line in menu.options if line.default]
    assert shown[-3:] == [
        _line("ciq", "round_limit", "no limit"),
        say("panel.as_preset", option=say("ciq.name.block_seconds"), value=60),
        _line("ciq", "hand_limit", "10"),
    ]
    sent = await alice.press(panel, label=say("panel.send"))
    assert say("ciq.terms.no_limit") in sent.message.text
    assert say("ciq.terms.hand_limit", n=10) in sent.message.text

    # Limits are completed by their own game.
    offered = await alice.autocomplete(lobby, "ciq open", option="round_limit", value="")
    assert offered.choices[:2] == ({"name": "no limit", "value": "none"}, {"name": "10", "value": "10"})
    stall = await alice.autocomplete(lobby, "tivmiv open", option="stall_seconds", value="o")
    assert stall.choices == ({"name": "off", "value": "none"},)
    exact = await alice.autocomplete(lobby, "unbreakable open", option="turn_limit", value="44")
    assert exact.choices == ({"name": "44", "value": "44"},)

    # An option with steps says so and offers what it takes.
    for game, option, taken in [
        ("tivmiv", "ready_seconds", Number(10, 600, 10)),
        ("tivmiv", "idle_seconds", Number(30, MOST_IDLE, 10)),
    ]:
        (group,) = [command for command in room.client.tree.get_commands() if command.name == game]
        announced = {each["name"]: each for each in group.to_dict(room.client.tree)["options"]}["open"]
        (described,) = [each for each in announced["options"] if each["name"] == option]
        assert described["description"].endswith(say("option.in_steps", step=taken.step, least=taken.least))
        for typed in ("", "9", "95", str(taken.least + 1), "0", "99999999", "x", "9" * 5000):
            offered = await alice.autocomplete(lobby, f"{game} open", option=option, value=typed)
            values = [each["value"] for each in offered.choices]
            assert 1 < len(values) <= MOST_OFFERED, typed
            for value in values:
                taken.check(option, value)
        nearest = (await alice.autocomplete(lobby, f"{game} open", option=option, value="95")).choices[0]["value"]
        assert abs(nearest - 95) <= taken.step / 2
        opened = await alice.slash(lobby, f"{game} open", **{option: nearest})
        assert "Join" in opened.message.labels


def _line(game: str, option: str, value: str) -> str:
    """A line of the panel, as its list shows it."""
    return say("panel.value", option=say(f"{game}.name.{option}"), value=value)


async def test_U_10_the_usual_limit_is_stored_with_the_challenge(sandbox: Sandbox, room: Cardroom) -> None:
    alice, bob, lobby = sandbox.user("Alice"), sandbox.user("Bob"), sandbox.channel("lobby")
    for pace, limit in [("classic", 100), ("swift", 200)]:
        await room.clear()
        asked = await alice.slash(lobby, "unbreakable challenge", opponent=bob, pace=pace)
        assert say("unbreakable.terms.limit", attackers=limit) in asked.message.text
        (invitation,) = room.app.invitations.open()
        assert f'"turn_limit":{limit}' in invitation.options
        await bob.press(asked.message, label="Accept")
        (match,) = room.app.matches.live()
        assert match.options == Options(turn_limit=limit, pace=pace)


async def test_a_game_without_turns_offers_no_clock_and_shows_none(sandbox: Sandbox, room: Cardroom) -> None:
    alice, bob, lobby = sandbox.user("Alice"), sandbox.user("Bob"), sandbox.channel("lobby")
    asked = await alice.slash(lobby, "tivmiv challenge", opponent=bob)
    board = (await bob.press(asked.message, label="Accept")).message
    for shown in (asked.message.text, board.text):
        assert "per turn" not in shown
    panel = (await alice.context_menu(lobby, "Challenge…", bob)).message
    clocks = len(panel.selects)
    menu, line = next(
        (menu, line) for menu in panel.selects for line in menu.options if line.label == GAMES["tivmiv"].info.title
    )
    panel = (await alice.select(panel, custom_id=menu.custom_id, values=[line.value])).message
    assert say("panel.clock") not in [menu.placeholder for menu in panel.selects]
    assert clocks == 4  # the game, its clock, what happens when time runs out, and a series
    sent = await alice.press(panel, label=say("panel.send"))
    assert sent.visibility == "public"


async def test_q_18_decks_that_do_not_suit_those_who_joined_are_refused_at_start_until_they_do(
    sandbox: Sandbox, room: Cardroom
) -> None:
    # decks that do not suit those who joined are refused at start and the table stays.
    lobby = sandbox.channel("lobby")
    for decks, seats in [(12, 2), (5, 2), (1, 6)]:
        await room.clear()
        people = sandbox.people[:seats]
        opened = (await people[0].slash(lobby, "ciq open", decks=decks)).message
        for person in people[1:]:
            await person.press(opened, label="Join")
        for _ in range(2):
            refused = await people[0].press(opened, label="Start")
            least = 2 if seats > 4 else 1
            told = say("ciq.refusal.decks", seats=seats, least=least, most=2 * seats)
            assert (refused.visibility, refused.text) == ("ephemeral", told)
        (invitation,) = room.app.invitations.open()
        assert invitation.seated == tuple(person.id for person in people)
        assert list(room.app.matches.live()) == []

    # a table that was refused begins when enough have joined.
    await room.clear()
    alice, bob, carol = sandbox.people[:3]
    opened = (await alice.slash(sandbox.channel("lobby"), "ciq open", decks=5)).message
    await bob.press(opened, label="Join")
    assert (await alice.press(opened, label="Start")).text == say("ciq.refusal.decks", seats=2, least=1, most=4)
    await carol.press(opened, label="Join")
    started = await alice.press(opened, label="Start")
    assert started.message.labels[0] == "My cards"
    (match,) = room.app.matches.live()
    assert match.seats == (alice.id, bob.id, carol.id)
