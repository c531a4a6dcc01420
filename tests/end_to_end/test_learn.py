"""/learn: each lesson from its first press to its last, taken up after a restart, and where newcomers find it."""

from __future__ import annotations

import asyncio
import itertools

import pytest

from bot.store.special_ids import computer_id, direct_venue
from bot.ui.catalogue import translations
from bot.ui.screen import Press
from cogs.screens import custom_ids
from discord_sandbox import MessageView, Reply, Sandbox
from engines import GAMES
from tests.cogs.lessons.test_lessons import followed, lesson_of
from tests.end_to_end.cardroom import Cardroom
from tests.end_to_end.players import challenge, press_where_it_is
from tests.end_to_end.practising import only_match
from tests.end_to_end.test_greeting import SECOND, joined
from tests.games.cases import with_lesson

say = translations("en")


def answer_ids(game: str, answers: str) -> str:
    """The id of the button that leads to where a learner is after these answers."""
    lesson = lesson_of(game)
    return custom_ids.write(game, Press("learn", lesson.version, answers))


def is_step(message: MessageView, game: str, step: int) -> bool:
    steps = len(lesson_of(game).steps)
    return say("learn.title", game=GAMES[game].info.title, step=step, steps=steps) in message.text


@pytest.mark.nightly  # every lesson's steps are law (laws/lessons)
@pytest.mark.parametrize("game", with_lesson())
async def test_a_lesson_is_followed_from_its_first_press_to_its_last(
    sandbox: Sandbox, room: Cardroom, game: str
) -> None:
    alice, lobby = sandbox.user("Alice"), sandbox.channel("lobby")
    reply = await alice.slash(lobby, "learn", game=game)
    assert reply.visibility == "ephemeral"
    lesson = reply.message
    for step, (before, after) in enumerate(itertools.pairwise(followed(lesson_of(game)))):
        assert is_step(lesson, game, step + 1)
        for answer, shown in enumerate(lesson_of(game).steps[step].answers):
            if not shown.right:
                wrong = await alice.press(lesson, custom_id=answer_ids(game, before + "abcd"[answer]))
                assert (wrong.kind, is_step(lesson, game, step + 1)) == ("update", True)
                assert say("learn.wrong", answer="").strip() in lesson.text
                await alice.press(lesson, label=say("button.try_again"))
        reply = await alice.press(lesson, custom_id=answer_ids(game, after))
        assert reply.kind == "update"
    assert say("learn.done_title", game=GAMES[game].info.title) in lesson.text
    await alice.press(lesson, label=say("button.previous"))
    assert is_step(lesson, game, len(lesson_of(game).steps))
    assert len(room.app.matches) == 0


async def test_a_lesson_leads_to_its_beginning_to_rules_to_the_next_one_and_to_one_match(
    sandbox: Sandbox, room: Cardroom
) -> None:
    # A button of another version begins the lesson and says so.
    alice, lobby = sandbox.user("Alice"), sandbox.channel("lobby")
    lesson = (await alice.slash(lobby, "learn", game="ciq")).message
    for version, answers in ((99, "b"), (99, "zzzz"), (0, "")):
        tail = f":{answers}" if answers else ""
        reply = await alice.press(lesson, custom_id=f"g1:ciq:{version}:learn{tail}", force=True)
        assert (reply.kind, is_step(lesson, "ciq", 1)) == ("update", True)
        assert say("learn.changed") in lesson.text
    await alice.press(lesson, custom_id=answer_ids("ciq", followed(lesson_of("ciq"))[1]))
    assert say("learn.changed") not in lesson.text

    # A lesson in a direct message leads to a match there.
    lesson = (await alice.slash(alice.direct_messages, "learn", game="haymaker")).message
    assert is_step(lesson, "haymaker", 1)
    await alice.press(lesson, label=say("button.learn_skip"))
    assert say("learn.skipped_title", game="Haymaker") in lesson.text
    await alice.press(lesson, label=say("button.learn_play"))
    match = await only_match(room)
    assert (match.guild_id, match.seats) == (direct_venue(alice.id), (alice.id, computer_id("gentle")))

    # The end leads to a match with the gentlest computer.
    await room.clear()
    lesson = (await alice.slash(lobby, "learn", game="ciq")).message
    await alice.press(lesson, label=say("button.learn_skip"))
    begun = await alice.press(lesson, label=say("button.learn_play"))
    assert begun.visibility == "ephemeral"
    match = await only_match(room)
    assert match.seats == (alice.id, computer_id("gentle"))
    assert match.options == GAMES["ciq"].info.presets["quick"]

    # However often it is pressed one match begins.
    await room.clear()
    lesson = (await alice.slash(lobby, "learn", game="haymaker")).message
    await alice.press(lesson, label=say("button.learn_skip"))
    await asyncio.gather(*(alice.press(lesson, label=say("button.learn_play")) for _ in range(3)))
    await only_match(room)
    again = (await alice.slash(lobby, "learn", game="haymaker")).message
    await alice.press(again, label=say("button.learn_skip"))
    shown = await alice.press(again, label=say("button.learn_play"))
    assert say("practice.goes_on") in shown.text.replace("**\n**", " ")  # a note has lines of its own
    assert shown.message.find_button("More…") is not None
    await only_match(room)

    # The end leads to the rules and to the next lesson.
    await room.clear()
    lesson = (await alice.slash(lobby, "learn", game="haymaker")).message
    await alice.press(lesson, label=say("button.learn_skip"))
    await press_where_it_is(alice, lesson, say("button.rules"))
    assert say("rules.page", page=1, pages=4) in lesson.text
    await alice.press(lesson, label=say("button.learn"))
    assert is_step(lesson, "haymaker", 1)
    await alice.press(lesson, label=say("button.learn_skip"))
    (following,) = [label for label in lesson.labels if label.startswith(say("button.learn_next", game="").strip())]
    await alice.press(lesson, label=following)
    title = following.removeprefix(say("button.learn_next", game=""))
    assert is_step(lesson, next(key for key, game in GAMES.items() if game.info.title == title), 1)

    # The rules of a match offer the lesson of its game.
    await room.clear()
    bob = sandbox.user("Bob")
    board = await challenge(alice, bob, lobby)
    rules = (await press_where_it_is(alice, board, "Rules")).message
    await alice.press(rules, label=say("button.learn"))
    assert is_step(rules, "haymaker", 1)

    # Cards are written as the learner prefers.
    await room.clear()
    await alice.slash(lobby, "preferences", cards="words")
    lesson = (await alice.slash(lobby, "learn", game="haymaker")).message
    assert "Block with 9 of diamonds" in lesson.labels
    assert "♦" not in lesson.text


async def test_lessons_are_offered_in_help_and_greeting(sandbox: Sandbox, room: Cardroom) -> None:
    alice = sandbox.user("Alice")
    helped = (await alice.slash(sandbox.channel("lobby"), "help")).message
    await joined(sandbox, room)
    general = sandbox.channel("general", server=SECOND)
    await sandbox.wait_for(lambda: general.messages)
    for message, kind in ((helped, "update"), (general.last, "message")):
        listed = await alice.press(message, label="Learn")
        assert (listed.kind, listed.visibility) == (kind, "ephemeral")
        (lessons,) = listed.message.selects
        assert sorted(option.value for option in lessons.options) == sorted(with_lesson())
        reply: Reply = await alice.select(listed.message, values=["tivmiv"])
        assert is_step(reply.message, "tivmiv", 1)
