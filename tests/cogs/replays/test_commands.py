"""A replay's buttons, and what nobody finds out about matches that they may not see."""

from __future__ import annotations

import asyncio
import random
import re
from dataclasses import replace
from typing import Any

import orjson
import pytest

from bot.games import GAMES
from bot.play.computers.stand_ins import TakenBack, TakenOver
from bot.play.deals.match_export import ExportedMatch
from bot.play.match_state import codec
from bot.scheduler import day_of
from bot.store.queries.finished_matches import FinishedMatch
from bot.store.queries.invitations import Origin, StandIn
from bot.store.special_ids import computer_id
from bot.store.verification import opening_digest
from bot.ui.catalogue import Translations
from bot.ui.screen import Press
from cogs.interactions.arrivals import SECOND
from cogs.replays import commands, screens
from cogs.replays.exports import Export, Exported, ExportFile
from cogs.replays.history_screen import HistoryPage, history_screen
from cogs.replays.queries import ReplayQueries
from cogs.replays.replay import Eyes
from cogs.replays.screens import REPLAY, View
from cogs.screens import custom_ids
from cogs.screens.presenter import Reader
from cogs.screens.renderer import NO_BREAK, render
from cogs.screens.safe_names import safe_name
from engines.game import Resign
from engines.haymaker import Keep
from laws.play import FIRST_USER, MatchLog, Move, Odds, random_match
from laws.replays import replay_of
from tests.bot.play.exported import exported
from tests.bot.play.parts import ANN, BOB, CAT, GUILD
from tests.cogs.actions.offline_bot import OfflineBot, say
from tests.cogs.fake_interaction import FakeInteraction
from tests.cogs.replays.stored import controls, ids, more, moves_in, press, shown_by, stored
from tests.games.cases import case_of

UNKNOWN = say("replay.unknown")


def questions_to(bot: OfflineBot, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What the store is asked from now on."""
    asked: list[str] = []
    database = bot.store.database
    for name in dir(database):
        method: Any = getattr(database, name)
        if callable(method) and not name.startswith("_"):

            def counted(*given: Any, name: str = name, method: Any = method, **named: Any) -> Any:
                asked.append(name)
                return method(*given, **named)

            monkeypatch.setattr(database, name, counted)
    return asked


# ---------------------------------------------------------------------------------------------- what is not told


async def test_all_that_somebody_may_not_see_gets_the_same_words_after_one_question(
    bot: OfflineBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    today = day_of(bot.now())
    private = await stored(bot)
    for seat in (0, 1):
        await ReplayQueries(bot.store).set_private_wish(private.id, seat, wanted=True)
    others = {
        "foreign": (await stored(bot, exported("ciq"), guild=GUILD + 1)).id,
        "private": private.id,
        "of today's deal": (await stored(bot, exported("haymaker", seed=2), day=today)).id,
        "live": (await stored(bot, exported("haymaker", seed=3), live=True)).id,
        "unknown": "nosuchmatch",
    }
    await press(bot, "nosuchmatch", REPLAY.arg, user=CAT)  # from now on their name is known
    asked = questions_to(bot, monkeypatch)
    told = {}
    for kind, code in others.items():
        asked.clear()
        assert await press(bot, code, REPLAY.arg, user=CAT) == UNKNOWN
        told[kind] = tuple(asked)
    assert set(told.values()) == {told["unknown"]}
    assert told["unknown"] == ("read",)


async def test_every_control_of_a_private_replay_refuses_others_and_serves_its_players(bot: OfflineBot) -> None:
    row = await stored(bot)
    for seat in (0, 1):
        await ReplayQueries(bot.store).set_private_wish(row.id, seat, wanted=True)
    for verb, arg in (("replay", "n.a."), ("replay", "o"), ("replaykeep", "1.a."), ("replayshare", "")):
        assert await press(bot, row.id, arg, user=CAT, verb=verb) == UNKNOWN
    assert await press(bot, "history", row.id, user=CAT, verb="replayopen") == UNKNOWN
    for verb, arg in (("export", ""), ("review", ""), ("differently", "1")):
        assert await press(bot, row.id, arg, user=CAT, verb=verb) == say("match.unknown")
    for player in (ANN, BOB):
        assert say("replay.private") in await press(bot, row.id, "o", user=player)


async def test_two_matches_that_began_alike_look_alike_until_they_part() -> None:
    """Neither texts nor ids tell how long a match is, or who wins."""
    case = case_of("haymaker")
    rng = random.Random(5)
    whole = random_match(case.deal("default", 2, rng), rng)
    at = len(whole.moves) // 2
    window = case.game.window(whole.states[at])
    assert window is not None
    (seat,) = window.awaited
    facts = case.game.decide(whole.states[at], seat, Resign(), whole.deal.chance(at + 1))
    left = Move(seat, Resign(), tuple(facts))
    short = MatchLog(whole.deal, whole.opening, (*whole.moves[:at], left), (*whole.states[: at + 1], facts.state))
    shown = []
    for log in (whole, short):
        replay, match = replay_of(log)
        opened = screens.ShownReplay(replay, match, case.presenter, FinishedMatch(replay.row, replay.result))
        reader = Reader(say, ("Ann", "Ben"))
        places = [View(step, Eyes.all_hands(2)) for step in range(at + 1)]
        shown.append([orjson.dumps(render(screens.replay_screen(opened, each, reader), "m")) for each in places])
    assert shown[0] == shown[1]
    assert len(shown[0]) > 5


# ---------------------------------------------------------------------------------------------- steps


def people(match: ExportedMatch) -> tuple[int, ...]:
    """Users for the seats of a match, because its file names none."""
    return tuple([FIRST_USER + seat for seat in range(len(match.row.seats))])


@pytest.mark.parametrize("key", sorted(GAMES))
async def test_next_leads_through_a_match_of_every_game_and_back_again(bot: OfflineBot, key: str) -> None:
    """Also a match that somebody left."""
    setting, seats = case_of(key).setups[0]
    odds = Odds(time=0.02, resign=0.05)
    matches = (exported(key, setting, seats, seed=seed, odds=odds) for seed in range(1, 30))
    match = next(each for each in matches if each.records[-1].seq > 4)
    row, last = await stored(bot, match, users=people(match)), match.records[-1].seq
    sheet = shown_by(await bot.press(custom_ids.write(row.id, REPLAY), CAT))
    rows, steps = set(), list[str]()
    for label in ("Next", "Next", "Next", "Last", "Back", "Next", "First"):
        rows.add(tuple([(each["type"], each.get("label")) for each in controls(sheet)]))
        pressed = await bot.press(ids(sheet)[label], CAT)
        sheet, steps = shown_by(pressed), [*steps, *(moves_in(pressed.texts[0]) or ["the deal"])]
    assert steps == ["1", "2", "3", str(last), str(last - 1), str(last), "the deal"]
    assert len(rows) == 1, "no button moves"
    assert not {"Back", "First"} & ids(sheet).keys()


async def test_no_step_of_a_race_ends_in_the_middle_of_its_question(bot: OfflineBot) -> None:
    """The board has a deadline after it, for which nobody waits any more."""
    match = exported("tivmiv")
    await bot.store.set_preference(CAT, "card_style", "words")
    row = await stored(bot, match, users=people(match))
    for step in (0, 1, len(match.records) // 2, len(match.records) - 1):
        assert "**My cards**" not in await press(bot, row.id, "s.b.", step, user=CAT)


async def test_the_result_and_the_length_are_told_when_they_are_asked_for_and_hidden_again(bot: OfflineBot) -> None:
    row = await stored(bot)
    last = exported("haymaker").records[-1].seq
    pressed = await bot.press(custom_ids.write(row.id, Press("replay", 0, "n.a.")), CAT)
    assert f"of {last}" not in pressed.texts[0]
    asked = await bot.press(ids(await more(bot, pressed, CAT))[say("replay.show_result")], CAT)
    assert f"Move 1 of {last}" in asked.texts[0]
    assert "wins" in asked.texts[0]
    hidden = await bot.press(ids(await more(bot, asked, CAT))[say("replay.hide_result")], CAT)
    assert hidden.texts == pressed.texts


async def test_eyes_are_chosen_from_a_list_and_stay_for_the_next_steps(bot: OfflineBot) -> None:
    row = await stored(bot)
    opened = await more(bot, await bot.press(custom_ids.write(row.id, REPLAY), ANN), ANN)
    eyes = next(each for each in controls(opened) if each["type"] == 3)
    assert [each.get("default", False) for each in eyes["options"]] == [False, True, False, False], "one's own"
    values = [each["value"] for each in eyes["options"]]
    whose = {}
    for value in values:
        pressed = await bot.press(eyes["custom_id"], ANN, values=[value], component_type=3)
        whose[value] = hands_in(pressed)
        following = await bot.press(ids(shown_by(pressed))["Next"], ANN)
        assert hands_in(following) == whose[value]
    assert list(whose.values()) == [2, 1, 1, 0]


def hands_in(pressed: FakeInteraction) -> int:
    """How many hands the picture of an answer shows open, as its description says."""
    (container,) = shown_by(pressed).to_components()
    (gallery,) = [each for each in container["components"] if "items" in each]
    (picture,) = gallery["items"]
    return len(re.findall(r" cards? in hand: ", picture["description"]))


async def test_the_table_is_a_picture_or_in_words_for_who_has_cards_as_words(bot: OfflineBot) -> None:
    row = await stored(bot)
    pictured = await bot.press(custom_ids.write(row.id, REPLAY), ANN)
    assert len(pictured.answers[-1].files) == 1
    await bot.store.set_preference(BOB, "card_style", "words")
    spoken = await bot.press(custom_ids.write(row.id, REPLAY), BOB)
    assert spoken.answers[-1].files == ()
    assert "holds:" in spoken.texts[0]


async def test_a_game_that_is_not_installed_any_more_and_an_altered_log_are_said_to_be_so(bot: OfflineBot) -> None:
    gone = await stored(bot, exported("haymaker", seed=4), game="chess")
    assert await press(bot, gone.id, "o") == say("game.not_installed", game="Chess")
    altered = await stored(bot, altered=True)
    assert await press(bot, altered.id, "o") == say("match.altered_over.deal")


async def test_c_8_it_says_when_a_computer_took_a_seat_over_and_that_it_acted(bot: OfflineBot) -> None:
    match, written = exported("haymaker"), codec("haymaker")
    deal, *acts = match.records
    mover = acts[0].actor or 0
    taken = replace(deal, seq=1, action=written.encode(TakenOver((mover,), "normal", (1 - mover,))), events="[]")
    made = replace(acts[0], seq=2, computer="normal 1")
    back = replace(deal, seq=3, actor=mover, action=written.encode(TakenBack()), events="[]")
    records = (deal, taken, made, back, *[replace(each, seq=each.seq + 2) for each in acts[1:]])
    row = await stored(bot, replace(match, records=records), stand_in=StandIn.UNRATED)
    name = ("User 1", "User 2")[mover]
    await bot.store.set_name(GUILD, (ANN, BOB)[mover], name)
    told = [await press(bot, row.id, f"s.{eyes}.", step, user=CAT) for step, eyes in ((1, "b"), (2, "a"), (3, "b"))]
    assert say("replay.taken_over", players=name) in told[0]
    assert say("stand_in.plays_on").replace(" ", NO_BREAK) in told[0]
    assert say("replay.by_computer", player=name) in told[1]
    assert say("replay.taken_back", player=name) in told[2]
    assert say("stand_in.plays_on").replace(" ", NO_BREAK) not in told[2]


async def test_a_move_is_named_by_its_buttons_to_its_player_s_eyes_and_to_no_others(bot: OfflineBot) -> None:
    """In a pass of Haymaker, which card was kept: the board never said it."""
    written = codec("haymaker")
    match, step = next(
        (found, record)
        for found in (exported("haymaker", seed=seed) for seed in range(50))
        for record in found.records
        if record.action is not None and written.class_of(record.action) is Keep
    )
    row, kept = await stored(bot, match), written.decode(step.action or "").card.name
    told = {eyes: await press(bot, row.id, f"s.{eyes}.", step.seq, user=CAT) for eyes in ("b", "0", "1", "a")}
    lines = {eyes: [line for line in text.splitlines() if line.startswith(">")] for eyes, text in told.items()}
    seeing = {eyes for eyes, found in lines.items() if any(f"`{kept}`" in line for line in found)}
    assert seeing == {str(step.actor), "a"}


async def test_a_match_in_direct_messages_is_replayed_there_alone_and_not_shared(bot: OfflineBot) -> None:
    row = await stored(bot, users=(ANN, computer_id("easy")), guild=-ANN)
    custom_id = custom_ids.write(row.id, REPLAY)
    opened = await bot.press(custom_id, ANN, guild_id=None)
    assert say("replay.deal", when="")[:8] in opened.texts[0]
    assert say("replay.share") not in ids(await more(bot, opened, ANN, guild_id=None))
    assert (await bot.press(custom_id, BOB, guild_id=None)).texts == [UNKNOWN]
    assert (await bot.press(custom_id, ANN)).texts == [UNKNOWN]


# ---------------------------------------------------------------------------------------------- private


async def test_only_its_players_can_make_a_replay_private(bot: OfflineBot) -> None:
    row = await stored(bot)
    assert await press(bot, row.id, "1.a.", user=CAT, verb="replaykeep") == say("match.not_seated")
    found = await bot.store.finished_match(GUILD, row.id, CAT, 10**6)
    assert found is not None
    assert found.private_wishes == ()


# ---------------------------------------------------------------------------------------------- files


async def test_a_file_that_is_offered_is_made_and_sent_in_private(
    bot: OfflineBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    def make(given: Exported) -> ExportFile:
        return ExportFile("steps.txt", str(given.replay.last).encode())

    called = Translations.__call__

    def words(self: Translations, key: str, /, **values: object) -> str:
        return key if key.endswith(".none") and "export" in key else called(self, key, **values)

    monkeypatch.setattr(Translations, "__call__", words)
    for module in (screens, commands):
        monkeypatch.setattr(module, "EXPORTS", (Export("none", make),))
    row = await stored(bot)
    opened = await more(bot, await bot.press(custom_ids.write(row.id, REPLAY), CAT), CAT)
    files = [each for each in controls(opened) if each["type"] == 3][1]
    assert [(each["label"], each["value"]) for each in files["options"]] == [("replay.export.none", "none")]
    pressed = await bot.press(files["custom_id"], CAT, values=["none"], component_type=3)
    (answer,) = pressed.answers
    assert (answer.private, answer.files, answer.text) == (True, ("steps.txt",), "replay.exported.none")


async def test_an_argument_that_no_button_has_is_refused(bot: OfflineBot) -> None:
    row = await stored(bot)
    wrong = {
        "replay": ("", "eyes", "x.a.", "n.9.", "n.a.q", "n.a.rr", "n.a.p", "0.a.", "n.a", "n.."),
        "replaykeep": ("", "n.a.", "2.a."),
        "replayfile": ("nothing",),
        "history": ("", "1", "1.haymaker", "x..m1", "1..m1.2", f"{10**20 - 1}..m"),
    }
    for verb, arg in [(verb, arg) for verb, several in wrong.items() for arg in several]:
        target = "history" if verb == "history" and arg.endswith("..m") else row.id
        assert await press(bot, target, arg, 1, verb=verb) == say("press.unknown"), (verb, arg)
        await asyncio.sleep(SECOND)


def test_a_name_in_the_title_of_a_history_has_no_effect_on_the_text() -> None:
    name = safe_name("**bold** <@1>", BOB)
    screen = history_screen(HistoryPage(BOB, "", (), older=False, newer=False), ANN, lambda _: (), name, say)
    assert screen.title == say("history.title_of", player=name)
    assert "**" not in screen.title


async def test_what_began_from_a_private_match_is_not_posted_for_those_who_may_not_see_it(bot: OfflineBot) -> None:
    """Also once its own player wants it to be open."""
    queries = ReplayQueries(bot.store)
    private, match = await stored(bot), exported("haymaker", seed=2)
    origin = Origin(private.id, 1, opening_digest(match.records[0].events))
    row = await stored(bot, match, users=(ANN, computer_id("easy")), origin=origin)
    for seat in (0, 1):
        await queries.set_private_wish(private.id, seat, wanted=True)
    await queries.set_private_wish(row.id, 0, wanted=False)
    for verb, arg in (("replayshare", ""), ("replayfile", "animation")):
        assert await press(bot, row.id, arg, verb=verb) == say("replay.not_shared")
    assert say("replay.code", code=row.id) in await press(bot, row.id, "o")
    assert await press(bot, row.id, "o", user=CAT) == UNKNOWN


async def test_replay_without_a_code_opens_the_latest_match_whose_deal_is_open(bot: OfflineBot) -> None:
    row = await stored(bot)
    closed = await stored(bot, exported("haymaker", seed=2), shared=True)
    bot.app.closed_deals.add(lambda _, deal_id: deal_id == closed.deal_id)
    command: Any = bot.client.tree.get_command("replay")
    asked = bot.interaction("", ANN)
    await command.callback(asked.as_interaction)
    assert row.id in asked.texts[0]
