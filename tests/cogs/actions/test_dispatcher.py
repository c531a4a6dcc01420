"""Which presses and commands are admitted: each once, in time, and not too many from one person."""

from __future__ import annotations

import asyncio

import pytest

from bot.gateway.client import REPLAYED
from bot.settings import Settings
from bot.store.errors import Damaged
from cogs.actions.dispatcher import FINISH_WITHIN
from cogs.interactions.arrivals import SECOND
from cogs.interactions.time_limits import DEFER_AFTER, MAX_AGE
from discord_sandbox.virtual_time import settle
from tests.bot.play.parts import ANN, BOB
from tests.cogs.actions.offline_bot import OfflineBot, say
from tests.failing_rules import raising

RULES = "g1:haymaker:0:rules"
MOST = Settings().presses_per_second


async def test_a_press_that_comes_twice_is_answered_once(bot: OfflineBot) -> None:
    press = await bot.press(RULES)
    await bot.send(press)
    again = bot.interaction(RULES)
    again.id = press.id
    await bot.send(again)
    assert (press.did, again.did) == (["send"], [])


async def test_a_press_that_comes_too_late_or_is_replayed_with_an_unknown_age_is_dropped(
    bot: OfflineBot, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("INFO")
    replayed = bot.interaction(RULES)
    replayed.extras[REPLAYED] = True
    assert (await bot.send(replayed)).did == []
    assert "dropped a press of unknown age" in caplog.text
    for _ in range(3):
        await bot.press(RULES)
    late = await bot.press(RULES, age=MAX_AGE + 0.1)
    assert late.did == []
    assert "dropped a press that came 3.1 s late" in caplog.text
    assert (await bot.press(RULES, age=MAX_AGE - 0.1)).did == ["send"]


async def test_too_many_presses_in_a_second_are_told_once_and_then_only_acknowledged(bot: OfflineBot) -> None:
    presses = [await bot.press(RULES) for _ in range(MOST + 3)]
    assert all("Haymaker" in press.texts[0] for press in presses[:MOST])
    assert presses[MOST].texts == [say("press.too_fast", limit=MOST)]
    assert [press.did for press in presses[MOST + 1 :]] == [["defer"], ["defer"]]
    assert (await bot.press(RULES, BOB)).texts != presses[MOST].texts
    await asyncio.sleep(SECOND)
    assert "Haymaker" in (await bot.press(RULES)).texts[0]


async def test_an_answer_that_takes_long_is_deferred_in_time(bot: OfflineBot, monkeypatch: pytest.MonkeyPatch) -> None:
    match = await bot.opened()
    gate, names = asyncio.Event(), bot.store.set_name

    async def slow(*row: object) -> None:
        await gate.wait()
        await names(*row)  # type: ignore[arg-type]  # handed on as it came

    monkeypatch.setattr(bot.store, "set_name", slow)
    press = bot.interaction(f"g1:{match.id}:0:cards", match.seats[0])
    answering = asyncio.create_task(bot.send(press))
    await asyncio.sleep(DEFER_AFTER - 0.1)
    assert press.did == []
    await asyncio.sleep(0.1)
    await settle()
    assert press.did == ["defer"]
    gate.set()
    await answering
    assert press.did == ["defer", "edit original"]
    assert len(press.texts) == 1
    assert press.texts[0].startswith("### Haymaker")


async def test_a_fault_of_the_program_is_told_by_its_number_and_nothing_else_for_a_press_and_a_command(
    bot: OfflineBot, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(bot.app.matches, "find", raising(KeyError("a card")))
    press = await bot.press("g1:abcdefghij:0:cards")
    (text,) = press.texts
    before, _, after = say("error.number", number="#").partition("#")
    assert text.startswith(before)
    assert text.endswith(after)
    assert "a card" not in text + caplog.text
    monkeypatch.setattr(bot.app.matches, "bring_in", raising(Damaged("a card")))
    admitted, sent = await bot.command("games")
    assert not admitted
    (text,) = sent.texts
    assert text.startswith(say("error.number", number="#").partition("#")[0])
    assert "a card" not in text + caplog.text


async def test_a_command_is_admitted_once_in_time_and_within_the_limit(bot: OfflineBot) -> None:
    admitted, sent = await bot.command("games")
    assert admitted
    assert not await bot.dispatcher.admit(sent.as_interaction)
    for _ in range(2):
        await bot.press(RULES)
    assert (await bot.command("games", age=MAX_AGE + 0.1))[0] is False
    await asyncio.sleep(SECOND)
    results = [await bot.command("games") for _ in range(MOST + 1)]
    assert [each for each, _ in results] == [True] * MOST + [False]
    assert results[-1][1].texts == [say("command.too_fast", limit=MOST)]


async def test_a_command_of_another_version_is_refused_in_words(bot: OfflineBot) -> None:
    admitted, sent = await bot.command("bridge")
    assert not admitted
    assert sent.texts == [say("command.changed")]


async def test_when_the_bot_ends_what_is_under_way_is_answered_and_nothing_else_is_admitted(
    bot: OfflineBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = await bot.opened()
    names = bot.store.set_name

    async def slow(*row: object) -> None:
        await asyncio.sleep(1)
        await names(*row)  # type: ignore[arg-type]  # handed on as it came

    monkeypatch.setattr(bot.store, "set_name", slow)
    press = bot.interaction(f"g1:{match.id}:0:cards", match.seats[0])
    answering = asyncio.create_task(bot.send(press))
    await settle()
    await bot.dispatcher.close()
    await answering
    assert press.did == ["send"]
    assert (await bot.press(RULES)).did == []
    assert not (await bot.command("games"))[0]


async def test_what_takes_too_long_when_the_bot_ends_is_dropped(
    bot: OfflineBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = await bot.opened()

    async def never(*_: object) -> None:
        await asyncio.Event().wait()

    monkeypatch.setattr(bot.store, "set_name", never)
    loop = asyncio.get_running_loop()
    answering = asyncio.create_task(bot.send(bot.interaction(f"g1:{match.id}:0:cards", ANN)))
    await settle()
    begun = loop.time()
    await bot.dispatcher.close()
    assert loop.time() - begun <= FINISH_WITHIN + 2.0 + 0.1
    assert (await asyncio.gather(answering, return_exceptions=True))[0].__class__ is asyncio.CancelledError
