"""What the functions of `cogs.interactions.responses` do with an interaction, discord.py's and the fake of the unit
tests: which message shows the answer, who sees it, and what is told of a failure."""

from __future__ import annotations

import asyncio
from typing import Literal, Protocol, TypeAlias, get_args

import pytest

from bot.art.images import Family
from bot.art.layout import Strip, TableLayout, backs
from bot.ui.screen import Form, Picture, Press, Screen, Text
from cogs.interactions import responses, time_limits
from cogs.interactions.responses import Interaction
from cogs.screens.renderer import sheet

LATE = time_limits.DEFER_AFTER
"""The age of an interaction whose answer is deferred at once, in seconds."""


Cut: TypeAlias = Literal["before", "after", "failure"]
"""When a connection is cut: before Discord takes a request, or after; or Discord's server fails after it took it."""
CUTS = get_args(Cut)


class Door(Protocol):
    """Where interactions come from, and what can be seen of their answers."""

    async def command(self) -> Interaction:
        """A command that somebody sent."""

    async def press(self, *, private: bool) -> Interaction:
        """A press on a message that everybody sees, or only the presser."""

    async def settle(self) -> None:
        """Let what was begun be done: a deferral, what a client is shown."""

    def source(self) -> str:
        """The text of the message that was pressed."""

    def private(self) -> list[str]:
        """The texts of the answers that only the person sees, without those that are gone; a deferral's is empty."""

    def public(self) -> list[str]:
        """The texts of the answers that everybody sees."""

    def form(self) -> str:
        """The title of the form that was opened; empty without one."""

    def pictures(self) -> int:
        """How many of the answers that only the person sees have a picture."""

    def refuse_picture(self) -> None:
        """Have the next first response refused because a file may not be attached."""

    def refuse(self, *, first: bool) -> None:
        """Have the next first response, or the next edit of the original one, refused."""

    def cut(self, when: Cut) -> None:
        """Have the connection of the next first response cut."""

    def second_responses(self) -> int:
        """How many first responses Discord refused because it had already taken one."""


FORM = Form(Press("salt"), "a form", "a field", "a hint", 10)


PICTURED = Screen(
    "",
    (Text("before"), Picture(TableLayout(Family.FRENCH, (Strip(backs("", 3)),) * 2), "3 cards"), Text("after")),
)
"""A screen with a picture between two texts."""


def saying(text: str) -> Screen:
    """A screen with one text."""
    return Screen("", (Text(text),))


PERHAPS_CUT = pytest.mark.parametrize("cut", [None, *CUTS])


def perhaps(door: Door, cut: Cut | None) -> None:
    """Have the connection of the next first response cut, or not."""
    if cut is not None:
        door.cut(cut)


async def defer(door: Door, interaction: Interaction) -> None:
    """Let an interaction grow so old that its answer is deferred."""
    responses.start_timer(interaction, LATE)
    await door.settle()


class ResponsesContract:
    """The contract's tests; a subclass gives the fixture `door`."""

    @PERHAPS_CUT
    async def test_a_private_answer_to_a_command_is_a_new_private_message(self, door: Door, cut: Cut | None) -> None:
        command = await door.command()
        perhaps(door, cut)
        assert await responses.reply_private(command, saying("answer"), "note") is not None
        await door.settle()
        assert (door.private(), door.public(), door.second_responses()) == (["answer"], [], 0)

    async def test_a_private_answer_to_a_press_on_a_public_message_leaves_that_alone(self, door: Door) -> None:
        press = await door.press(private=False)
        await responses.reply_private(press, saying("answer"), "note")
        await door.settle()
        assert (door.source(), door.private()) == ("pressed", ["answer"])

    @PERHAPS_CUT
    async def test_a_private_answer_to_a_press_on_ones_own_message_takes_its_place(
        self, door: Door, cut: Cut | None
    ) -> None:
        press = await door.press(private=True)
        perhaps(door, cut)
        assert await responses.reply_private(press, saying("answer"), "note") is not None
        await door.settle()
        assert (door.source(), door.private(), door.second_responses()) == ("answer", [], 0)

    @PERHAPS_CUT
    async def test_the_pressed_message_is_edited(self, door: Door, cut: Cut | None) -> None:
        press = await door.press(private=False)
        perhaps(door, cut)
        assert await responses.edit_source(press, saying("answer"), "note") is not None
        await door.settle()
        assert (door.source(), door.private(), door.public()) == ("answer", [], [])

    @PERHAPS_CUT
    async def test_a_post_is_public_and_there_once_and_its_id_is_told(self, door: Door, cut: Cut | None) -> None:
        command = await door.command()
        perhaps(door, cut)
        assert await responses.post(command, saying("posted"), "note", []) is not None
        await door.settle()
        assert (door.private(), door.public()) == ([], ["posted"])

    @PERHAPS_CUT
    async def test_an_acknowledged_press_shows_nothing(self, door: Door, cut: Cut | None) -> None:
        press = await door.press(private=False)
        perhaps(door, cut)
        await responses.ack(press)
        await door.settle()
        assert (door.source(), door.private(), door.public(), door.second_responses()) == ("pressed", [], [], 0)

    @PERHAPS_CUT
    async def test_a_text_after_an_answer_is_a_further_private_message(self, door: Door, cut: Cut | None) -> None:
        press = await door.press(private=False)
        perhaps(door, cut)
        await responses.edit_source(press, saying("answer"), "note")
        await responses.reply_text(press, "one thing more")
        await door.settle()
        assert (door.source(), door.private()) == ("answer", ["one thing more"])

    @pytest.mark.parametrize("late", [False, True])
    async def test_an_answer_with_a_picture_has_it_also_if_it_comes_late(self, door: Door, *, late: bool) -> None:
        asked = await door.command()
        if late:
            await defer(door, asked)
        made = await responses.reply_private(asked, PICTURED, "note")
        assert made is not None
        assert made.picture
        await door.settle()
        assert (door.private(), door.pictures()) == (["before\nafter"], 1)

    async def test_where_the_picture_is_refused_the_answer_has_none(self, door: Door) -> None:
        asked = await door.command()
        door.refuse_picture()
        assert await responses.reply_private(asked, PICTURED, "note") is not None
        await door.settle()
        assert (door.private(), door.pictures()) == (["before\nafter"], 0)

    async def test_a_text_has_its_second_try_too(self, door: Door) -> None:
        asked = await door.command()
        door.refuse_picture()
        await responses.reply_text(asked, "answer")
        await door.settle()
        assert door.private() == ["answer"]

    @PERHAPS_CUT
    async def test_a_file_is_sent_privately_and_once_with_its_line(self, door: Door, cut: Cut | None) -> None:
        command = await door.command()
        perhaps(door, cut)
        await responses.reply_file(command, "here it is", "data.json", b"{}")
        await door.settle()
        assert (door.private(), door.public()) == (["here it is"], [])

    async def test_a_file_for_a_press_on_ones_own_message_leaves_that_alone(self, door: Door) -> None:
        press = await door.press(private=True)
        await responses.reply_file(press, "here it is", "data.json", b"{}")
        await door.settle()
        assert (door.source(), door.private()) == ("pressed", ["here it is"])

    async def test_so_does_a_deferred_one(self, door: Door) -> None:
        press = await door.press(private=True)
        await defer(door, press)
        await responses.reply_file(press, "here it is", "data.json", b"{}")
        await door.settle()
        assert (door.source(), door.private(), door.public()) == ("pressed", ["here it is"], [])

    @PERHAPS_CUT
    async def test_a_form_opens_over_what_was_pressed(self, door: Door, cut: Cut | None) -> None:
        press = await door.press(private=True)
        perhaps(door, cut)
        assert await responses.open_form(press, FORM, "note")
        await door.settle()
        assert (door.form(), door.source(), door.private()) == ("a form", "pressed", [])

    async def test_no_form_opens_after_a_deferral_or_a_refusal_and_a_text_can_say_so(self, door: Door) -> None:
        press = await door.press(private=True)
        await defer(door, press)
        assert not await responses.open_form(press, FORM, "note")
        await responses.reply_text(press, "too late")
        await door.settle()
        assert (door.form(), door.source(), door.private()) == ("", "pressed", ["too late"])

    async def test_a_refused_form_is_not_open_and_raises_nothing(self, door: Door) -> None:
        press = await door.press(private=True)
        door.refuse(first=True)
        assert not await responses.open_form(press, FORM, "note")
        await door.settle()
        assert door.form() == ""

    async def test_an_answer_is_replaced_when_what_it_announced_is_done(self, door: Door) -> None:
        command = await door.command()
        await responses.reply_private(command, saying("doing it"), "note")
        await responses.edit_reply(command, saying("done"), "note")
        await door.settle()
        assert door.private() == ["done"]

    async def test_a_deferred_private_answer_takes_the_deferrals_place(self, door: Door) -> None:
        press = await door.press(private=False)
        await defer(door, press)
        assert (door.source(), door.private()) == ("pressed", [""])
        assert await responses.reply_private(press, saying("answer"), "note") is not None
        await door.settle()
        assert (door.source(), door.private()) == ("pressed", ["answer"])
        assert responses.was_deferred(press)

    async def test_a_deferred_answer_on_ones_own_message_takes_its_place(self, door: Door) -> None:
        press = await door.press(private=True)
        await defer(door, press)
        assert (door.source(), door.private()) == ("pressed", [])
        await responses.reply_private(press, saying("answer"), "note")
        await door.settle()
        assert (door.source(), door.private()) == ("answer", [])

    async def test_a_deferred_edit_of_the_pressed_message_leaves_no_deferral(self, door: Door) -> None:
        press = await door.press(private=False)
        await defer(door, press)
        assert await responses.edit_source(press, saying("answer"), "note") is not None
        await door.settle()
        assert (door.source(), door.private()) == ("answer", [])

    async def test_a_deferred_post_is_public_and_leaves_no_deferral(self, door: Door) -> None:
        command = await door.command()
        await defer(door, command)
        assert await responses.post(command, saying("posted"), "note", []) is not None
        await door.settle()
        assert (door.private(), door.public()) == ([], ["posted"])

    async def test_an_answer_in_time_stops_the_deferral(self, door: Door) -> None:
        command = await door.command()
        responses.start_timer(command, 0.0)
        await responses.reply_private(command, saying("answer"), "note")
        await door.settle()
        assert not responses.was_deferred(command)
        assert door.private() == ["answer"]

    async def test_a_refused_answer_is_none_and_raises_nothing(self, door: Door) -> None:
        door.refuse(first=True)
        assert await responses.reply_private(await door.command(), saying("answer"), "note") is None
        await door.settle()
        assert door.private() == []

    async def test_a_deferred_answer_that_is_refused_may_be_followed_by_another(self, door: Door) -> None:
        command = await door.command()
        await defer(door, command)
        door.refuse(first=False)
        assert await responses.reply_private(command, saying("answer"), "note") is None
        await responses.reply_text(command, "again")
        await door.settle()
        assert "again" in door.private()

    @pytest.mark.parametrize("cut", ["after", "failure"])
    async def test_an_edit_of_the_pressed_message_that_was_cut_puts_back_nothing_that_was_changed_since(
        self, door: Door, monkeypatch: pytest.MonkeyPatch, cut: Cut
    ) -> None:
        monkeypatch.setattr(responses, "_PAUSE", 1.0)
        press = await door.press(private=False)
        door.cut(cut)
        answering = asyncio.create_task(responses.edit_source(press, saying("answer"), "note"))
        await asyncio.sleep(0.5)
        assert press.message is not None
        await press.message.edit(view=sheet(saying("newer"), "note"))
        assert await answering is not None
        await door.settle()
        assert (door.source(), door.second_responses()) == ("newer", 0)

    @pytest.mark.parametrize("cut", CUTS)
    async def test_a_deferral_that_is_cut_gets_its_answer(self, door: Door, cut: Cut) -> None:
        press = await door.press(private=False)
        door.cut(cut)
        await defer(door, press)
        assert await responses.reply_private(press, saying("answer"), "note") is not None
        await door.settle()
        assert (door.source(), door.private(), door.second_responses()) == ("pressed", ["answer"], 0)

    async def test_an_answer_whose_deferral_was_not_taken_is_the_first_response(self, door: Door) -> None:
        press = await door.press(private=False)
        door.refuse(first=True)
        await defer(door, press)
        assert await responses.reply_private(press, saying("answer"), "note") is not None
        await door.settle()
        assert (door.source(), door.private()) == ("pressed", ["answer"])

    async def test_a_private_answer_is_never_edited_into_a_public_one(self, door: Door) -> None:
        press = await door.press(private=False)
        door.refuse(first=True)
        await responses.edit_source(press, saying("answer"), "note")
        await responses.reply_private(press, saying("secret"), "note")
        await door.settle()
        assert "secret" not in door.source()
        assert door.public() == []
