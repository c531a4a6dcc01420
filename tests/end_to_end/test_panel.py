"""*Challenge…* in a member's menu: pick what to play, send, and play."""

# ruff: noqa: N802  a ruling's number stands in a test's name as it is written

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest

from bot.durations import BANKS
from bot.languages import languages
from bot.play.server_settings import GameDefaults
from bot.time_controls import time_control
from bot.ui.catalogue import Translations, UnknownSentence, translations
from bot.ui.screen import Select
from cogs.interactions.autocomplete import MOST_OFFERED
from cogs.screens.challenge_panel import Company, Panel, panel_screen
from cogs.screens.custom_ids import UnknownCustomId
from discord_sandbox import Sandbox
from engines import GAMES
from engines.options import NONE, Number
from engines.tivmiv.facts import MOST_IDLE
from engines.unbreakable import Options
from tests.end_to_end.cardroom import Cardroom

say = translations("en")


def no_defaults(game: str) -> GameDefaults:
    """The defaults of a server that has none of its own."""
    return GameDefaults()


LONGEST_NAME = 20


async def test_the_menu_sends_a_challenge_on_the_clock_that_was_picked_and_says_how_long_it_lasts(
    sandbox: Sandbox, room: Cardroom
) -> None:
    # The menu sends a challenge on the clock that was picked.
    alice, bob, lobby = sandbox.user("Alice"), sandbox.user("Bob"), sandbox.channel("lobby")
    panel = await alice.context_menu(lobby, "Challenge…", bob)
    assert panel.visibility == "ephemeral"
    assert say("panel.title", name="Bob") in panel.text
    game, clock = panel.message.selects[:2]
    assert [option.label for option in game.options] == [
        each.info.title for each in GAMES.values() if 2 in each.info.seats
    ]
    daily = next(option for option in clock.options if option.label == say("clock.daily"))
    changed = await alice.select(panel.message, custom_id=clock.custom_id, values=[daily.value])
    assert changed.kind == "update"
    assert [option.label for option in changed.message.selects[1].options if option.default] == [say("clock.daily")]
    sent = await alice.press(panel.message, label=say("panel.send"))
    assert sent.visibility == "public"
    assert sent.message.mentions == [bob.id]
    (invitation,) = room.app.invitations.open()
    assert invitation.clock == "daily"
    assert (await bob.press(sent.message, label="Accept")).message.labels[0] == "My cards"

    # Challenge panel and table say about how long a match lasts.
    await room.clear()
    asked = await alice.slash(lobby, "haymaker challenge", opponent=bob)
    assert "About 5 minutes." in asked.message.text
    slow = await alice.slash(lobby, "unbreakable challenge", opponent=bob, clock="daily")
    assert "About" not in slow.message.text
    panel = await alice.context_menu(lobby, "Challenge…", bob)
    assert "About 5 minutes." in panel.message.text
    opened = (await alice.slash(lobby, "ciq open")).message
    assert "About 30 minutes with 2 players." in opened.text
    for joining in ("Bob", "Carol"):
        await sandbox.user(joining).press(opened, label="Join")
    await sandbox.wait_for(lambda: "About 15 minutes with 3 players." in opened.text)

    # Presses at the same moment open one table.
    await room.clear()
    again = (await alice.context_menu(lobby, "Challenge…", bob)).message
    await asyncio.gather(*(alice.press(again, label=say("panel.table")) for _ in range(3)))
    assert len(room.app.invitations.open()) == 1
    assert len([each for each in lobby.messages if "Join" in each.labels and "Haymaker" in each.text]) == 1


def lists(panel: Panel, words: Translations = say) -> list[Select]:
    """The lists of a panel."""
    rows = panel_screen(panel, "Bob", words, no_defaults).rows
    return [control for row in rows for control in row if isinstance(control, Select)]


def test_a_list_shows_a_short_name_and_the_value_in_the_one_line_that_discord_gives_it() -> None:
    shown = set()
    for panel in panels():
        for each in [each for each in lists(panel) if ": " in each.placeholder]:
            faces = [option.label for option in each.options if option.chosen] or [each.placeholder]
            shown |= {*faces}
            for label in (*faces, *(option.label for option in each.options if ": " in option.label)):
                name, _, value = label.partition(": ")
                assert value
                assert len(name) <= LONGEST_NAME, "the value begins where it can be seen even if the line is cut"
    assert {"Packs: one each (default)", "Rounds: 100 (default)", "Hand limit: no limit (default)"} <= shown
    assert {"Pace: classic (default)", "Attackers: 100 (default)", "Victory Dice: off (default)"} <= shown


def panels() -> list[Panel]:
    """A new panel of each game."""
    playable = [key for key, game in GAMES.items() if 2 in game.info.seats]
    first = Panel.first(1, time_control("normal"), no_defaults)
    return [replace(first, game=index).fitted() for index in range(len(playable))]


def test_c_11_a_panel_opens_on_the_recommended_preset_and_offers_it_first() -> None:
    keys = [*GAMES]
    for game, info in [(game, GAMES[game].info) for game in keys if len(GAMES[game].info.presets) > 1]:
        panel = Panel.first(7, time_control("normal"), no_defaults).of_game(keys.index(game), no_defaults)
        recommended = info.recommended_for(2)
        assert panel.chosen() == info.presets[recommended]
        offered = next(each for each in lists(panel) if each.placeholder == say("panel.preset"))
        assert [option.label for option in offered.options if option.chosen] == [say(f"{game}.preset.{recommended}")]
        assert [option.description for option in offered.options] == [say("panel.recommended"), ""]
        assert [Panel.read(option.value).preset for option in offered.options] != [0, 1]
        assert offered.options[0].chosen


def test_c_11_a_panel_opens_on_the_preset_that_a_server_has_chosen() -> None:
    place = [*GAMES].index("ciq")
    panel = Panel.first(7, time_control("normal"), no_defaults).of_game(place, lambda _: GameDefaults(preset="default"))
    assert panel.chosen() == GAMES["ciq"].info.options()


def test_a_panel_names_the_opponent_whatever_the_game_takes() -> None:
    assert {panel_screen(panel, "Bob", say, no_defaults).title for panel in panels()} == {
        say("panel.title", name="Bob")
    }


def test_a_default_is_what_the_preset_and_the_other_options_make_it() -> None:
    (ciq,) = [panel for panel in panels() if panel.key == "ciq"]
    quick = [option.label for each in lists(replace(ciq, preset=1)) for option in each.options if option.chosen]
    assert {"Packs: as few as possible (default)", "Rounds: 30 (default)", "Hand limit: 10 (default)"} <= set(quick)
    (unbreakable,) = [panel for panel in panels() if panel.key == "unbreakable"]
    swift = [
        option.label for each in lists(replace(unbreakable, options=(None, None, "swift"))) for option in each.options
    ]
    assert "Attackers: 200 (default)" in swift
    described = {option.label: option.description for each in lists(unbreakable) for option in each.options}
    assert described["Attackers: 100 (default)"] == say("unbreakable.option.turn_limit")
    assert described["Pace: swift"] == "always the closest pair"


@pytest.mark.parametrize("language", languages())
def test_a_value_ends_before_its_colon_however_a_language_writes_it(language: str) -> None:
    (unbreakable,) = [panel for panel in panels() if panel.key == "unbreakable"]
    words = translations(language)
    described = {option.description: option.label for each in lists(unbreakable, words) for option in each.options}
    said = words("unbreakable.pace.swift")
    (note,) = [each for each in described if each and said.endswith(each)]
    value = said.removesuffix(note).rstrip().rstrip(":：").rstrip()
    assert described[note] == words("panel.value", option=words("unbreakable.name.pace"), value=value)


def test_a_value_that_the_list_lacks_is_shown_all_the_same() -> None:
    (ciq,) = [panel for panel in panels() if panel.key == "ciq"]
    typed = replace(ciq, options=(None, 37, None, None))
    assert Panel.read(typed.write()) == typed
    (rounds,) = [each for each in lists(typed) if each.placeholder.startswith("Rounds")]
    assert rounds.placeholder == "Rounds: 37"
    assert not any(option.chosen for option in rounds.options)


class WithoutNames(Translations):
    """Sentences without short names of options, as a game of another package may have them."""

    def __call__(self, key: str, /, **values: object) -> str:
        if ".name." in key:
            raise UnknownSentence(key)
        return super().__call__(key, **values)


def test_an_option_without_a_short_name_has_that_of_its_field() -> None:
    (ciq,) = [panel for panel in panels() if panel.key == "ciq"]
    assert "Round limit: 100 (default)" in [
        option.label for each in lists(ciq, WithoutNames("en")) for option in each.options
    ]


@pytest.mark.parametrize("text", ["", "x", "1.0.0", "1.0.0.0.9.9", "1.99.0.0", "1.0.77.0", "zz.0.0.0", "1.0.-1.0"])
def test_a_panel_that_is_none_is_foreign(text: str) -> None:
    with pytest.raises(UnknownCustomId):
        Panel.read(text)


@pytest.mark.parametrize(
    ("typed", "nearest"), [("15s", "blitz"), ("300s", "normal"), ("600s", "relaxed"), ("604800s", "daily")]
)
def test_a_panel_opens_on_the_clock_nearest_to_a_default_that_it_does_not_list(typed: str, nearest: str) -> None:
    assert Panel.first(1, time_control(typed), no_defaults).clock == nearest


@pytest.mark.parametrize("game", range(sum(2 in each.info.seats for each in GAMES.values())))
@pytest.mark.parametrize("clock", ["blitz", "daily", "600s_10s", "259200s_43200d"])
def test_a_panel_travels_in_an_id(game: int, clock: str) -> None:
    panel = Panel.first(2**63 - 1, time_control(clock), no_defaults).of_game(game, no_defaults)
    assert Panel.read(panel.write()) == panel
    assert len(panel.write()) <= 70
    assert panel.clock == clock
    assert type(panel.chosen()) is GAMES[panel.key].info.options


def test_banks_are_listed_after_the_clock_of_a_former_match_so_that_old_ids_mean_the_same() -> None:
    company = Company(clock=time_control("77s"))
    assert [each.key for each in company.clocks[:5]] == ["blitz", "normal", "relaxed", "daily", "77s"]
    assert [each.bank for each in company.clocks[5:]] == [*BANKS]
    typed = Company(clock=time_control("300s_5s"))
    assert typed.clocks[typed.index_of("300s_5s")] == typed.clock
    assert Company(clock=time_control("600s_10s")).clocks == Company().clocks


# ----------------------------------------------------------------------------------- options as people give them


async def test_limits_are_typed_picked_and_completed_and_a_race_has_no_clock(sandbox: Sandbox, room: Cardroom) -> None:
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

    # A game without turns offers no clock and shows none.
    await room.clear()
    asked = await alice.slash(lobby, "tivmiv challenge", opponent=bob)
    board = (await bob.press(asked.message, label="Accept")).message
    for text in (asked.message.text, board.text):
        assert "per turn" not in text
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
