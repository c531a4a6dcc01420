"""What the bot answers to commands and presses outside of a match's questions: captured from the whole bot."""

from __future__ import annotations

import copy
from collections.abc import Iterable
from typing import Any

from bot.play.deals.tried import tried_games
from bot.ui.catalogue import Translations
from cogs.actions.computer_matches import is_played_alone
from cogs.lessons.progress import letter
from cogs.screens.presenter import Taught
from cogs.screens.safe_names import safe_name, unescaped
from discord_sandbox import DrivenChannel, MessageView, Person, Reply, Sandbox
from engines import GAMES
from tests.end_to_end.players import behind_more, press_where_it_is
from tests.gallery.scene import EVERYWHERE, Kind, Scene, Shown
from tests.games.cases import case_of

TEXT = "text"
MOST_PAGES = 30


class Captured:
    """Messages as they were when they were captured; one that a press edits later stays as it was."""

    def __init__(self, say: Translations) -> None:
        self.say = say
        self.scenes: list[Scene] = []
        self._shown: list[Shown] = []

    def take(self, caption: str, message: MessageView, kind: Kind = Kind.OTHER, seats: int = 2) -> MessageView:
        """Capture a message as it is now; it."""
        self._shown.append(Shown(caption, copy.deepcopy(message.raw), kind=kind, seats=seats))
        return message

    async def answer(self, caption: str, person: Person, message: MessageView, label: str) -> MessageView:
        """Press a button, on a message or behind its *More…*, and capture the answer; it.

        Raises AssertionError if there is none.
        """
        return self.take(caption, _message(await press_where_it_is(person, message, label, self.say)))

    def end_scene(self, group: str, title: str) -> None:
        """What was captured since the last scene is one."""
        self.scenes.append(Scene(group, title, TEXT, tuple(self._shown)))
        self._shown = []

    async def pages(self, caption: str, person: Person, message: MessageView) -> None:
        """Capture all pages of a message, from the first; rules open at the page of the present question."""
        while (before := message.find_button(self.say("button.previous"))) is not None and not before.disabled:
            message = _message(await person.press(message, label=self.say("button.previous")))
        for page in range(1, MOST_PAGES):
            self.take(f"{caption}, page {page}" if message.find_button(self.say("button.next")) else caption, message)
            following = message.find_button(self.say("button.next"))
            if following is None or following.disabled:
                return
            message = _message(await person.press(message, label=self.say("button.next")))
        raise AssertionError(f"{caption} has no last page")


def _message(reply: Reply) -> MessageView:
    assert not reply.failed, "a press for the gallery was not answered"
    return reply.message


async def scenes(sandbox: Sandbox, games: Iterable[str], words: Translations) -> list[Scene]:
    """All scenes of commands, on a sandbox with the whole bot on it. `words` are in the language of everybody there."""
    captured = Captured(words)
    (alice, bob), lobby = sandbox.people[:2], sandbox.channel("lobby")
    for key in games:
        await _of_game(captured, sandbox, lobby, key)
    await _series(captured, sandbox, lobby)
    carol, dave, erin = sandbox.people[2:5]
    await _reliability(captured, carol, dave, erin, lobby)
    await _everywhere(captured, sandbox, alice, bob, lobby)
    return captured.scenes


async def _of_game(captured: Captured, sandbox: Sandbox, lobby: DrivenChannel, key: str) -> None:
    info = GAMES[key].info
    people = sandbox.people[: max(2, info.seats[0])]
    host, *others = people
    if 2 in info.seats:
        asked = (await host.slash(lobby, f"{key} challenge", opponent=others[0])).message
        captured.take("A challenge", asked)
        await captured.answer("More, for who asked", host, asked, captured.say("button.more"))
        await captured.answer("Proof, before the match", host, asked, captured.say("button.proof"))
        await others[0].press(asked, label=captured.say("button.decline"))
        captured.take("The same, declined", asked)
    table = captured.take("An open table", (await host.slash(lobby, f"{key} open")).message)
    for person in others:
        await person.press(table, label=captured.say("button.join"))
    captured.take("The same with everybody at it", table)
    await captured.answer("More, for its host", host, table, captured.say("button.more"))
    board = captured.take(
        "The board of its match", _message(await host.press(table, label=captured.say("button.start")))
    )
    captured.end_scene(info.title, "Challenge and table")

    await captured.pages("The rules", host, _message(await host.press(board, label=captured.say("button.rules"))))
    captured.end_scene(info.title, "The rules")

    await captured.answer("My cards", host, board, captured.say("button.my_cards"))
    await captured.answer("Proof, during the match", host, board, captured.say("button.proof"))
    asked = await captured.answer("Resigning", host, board, captured.say("button.resign"))
    await press_where_it_is(host, asked, captured.say("button.resign"), captured.say)
    captured.take("After that", asked)
    await sandbox.wait_for(lambda: captured.say("button.rematch") in board.labels or len(people) > 2)
    captured.take("The board", board)
    if len(people) == 2:
        await captured.answer("More", host, board, captured.say("button.more"))
        await captured.answer("Proof, after the match", host, board, captured.say("button.proof"))
        await captured.answer("Why the rating changed", host, board, captured.say("button.rating"))
        await captured.answer("The rematch", host, board, captured.say("button.rematch"))
    captured.end_scene(info.title, "Leaving")
    if len(people) == 2:
        await _replay(captured, host, board)
        captured.end_scene(info.title, "The replay")
    await captured.pages("Its leaderboard", host, (await host.slash(lobby, f"{key} leaderboard")).message)
    captured.end_scene(info.title, "Leaderboard")
    presenter = case_of(key).presenter
    if isinstance(presenter, Taught):
        await _lesson(captured, host, lobby, key, presenter)


async def _replay(captured: Captured, person: Person, board: MessageView) -> None:
    """A replay from the deal to the end, through other eyes, shared, and kept private."""
    replay = await captured.answer("The replay, at the deal", person, board, captured.say("button.replay"))
    await captured.answer("More of a replay", person, replay, captured.say("button.more"))
    eyes = replay.selects[0]
    seen = await person.select(replay, custom_id=eyes.custom_id, values=[eyes.options[0].value])
    captured.take("With all hands", seen.message)
    await person.press(replay, label=captured.say("button.more"))
    await captured.answer("With the result", person, replay, captured.say("replay.show_result"))
    await captured.answer("At the end", person, replay, captured.say("replay.last"))
    await person.press(replay, label=captured.say("button.more"))
    captured.take("Shared", _message(await person.press(replay, label=captured.say("replay.share"))))
    await captured.answer("One player wants it to be private", person, replay, captured.say("replay.keep_private"))
    await person.press(replay, label=captured.say("replay.keep_open"))


async def _lesson(captured: Captured, person: Person, lobby: DrivenChannel, key: str, presenter: Taught) -> None:
    """A lesson with all its answers, to its end."""
    message, version = (await person.slash(lobby, "learn", game=key)).message, presenter.first_lesson.version
    given = ""
    for number, step in enumerate(presenter.first_lesson.steps, 1):
        captured.take(f"/learn, question {number}", message)
        answers = [(letter(index), answer) for index, answer in enumerate(step.answers)]
        for each, answer in sorted(answers, key=lambda found: found[1].right):
            await person.press(message, custom_id=f"g1:{key}:{version}:learn:{given}{each}")
            if answer.right:
                given += each
                break
            captured.take(f"The answer {answer.name}", message)
            await person.press(message, label=captured.say("button.try_again"))
    captured.take("Its end", message)
    captured.end_scene(GAMES[key].info.title, "The lesson")


async def _finding(captured: Captured, alice: Person, bob: Person, lobby: DrivenChannel) -> None:
    """Somebody looks for a player, waits, and is found."""
    for asked in lobby.messages:
        is_there = asked.id in {each.id for each in lobby.messages}  # a table that nobody joined takes its own along
        if not is_there or (
            asked.find_button(captured.say("button.decline")) is None
            and asked.find_button(captured.say("button.join")) is None
        ):
            continue
        more = await behind_more(alice, asked, captured.say)
        if more.find_button(captured.say("button.take_back_asked")) is not None:  # nobody may have more than a few open
            await alice.press(more, label=captured.say("button.take_back_asked"))
    offered = captured.take("/play, while nobody waits", (await alice.slash(lobby, "play")).message)
    game = next(
        info.title
        for info in [each.info for each in GAMES.values()]
        if captured.say("play.wait", game=info.title) in offered.labels
    )
    await captured.answer("Waiting for somebody", alice, offered, captured.say("play.wait", game=game))
    captured.take("The table, for everybody", lobby.last)
    found = captured.take("/play, while somebody waits", (await bob.slash(lobby, "play")).message)
    join = captured.say("play.join", host=unescaped(safe_name(alice.name, alice.id)), game=game)
    await captured.answer("Found", bob, found, join)
    tables = [(await alice.slash(lobby, "ciq open")).message for _ in range(2)]
    captured.take("/play with a game of which there are several tables", await _played(bob, lobby, "ciq"))
    captured.end_scene(EVERYWHERE, "Finding somebody to play with")
    notices = _message(await bob.press(await _played(bob, lobby), label=captured.say("button.tables")))
    captured.take("Who is told when a table opens", notices)
    await captured.answer("After choosing", bob, notices, captured.say("notify.other", level="CIQ"))
    captured.end_scene(EVERYWHERE, "Notices of tables")
    for table in tables:
        await press_where_it_is(alice, table, captured.say("button.take_back_asked"), captured.say)


async def _reliability(captured: Captured, host: Person, guest: Person, third: Person, lobby: DrivenChannel) -> None:
    """Somebody has left some matches right after the deal, against a third."""
    for _ in range(4):
        asked = (await third.slash(lobby, "haymaker challenge", opponent=guest)).message
        board = _message(await guest.press(asked, label=captured.say("button.accept")))
        resign = _message(await press_where_it_is(guest, board, captured.say("button.resign"), captured.say))
        await guest.press(resign, label=captured.say("button.resign"))
    asked = (await guest.slash(lobby, "haymaker challenge", opponent=host)).message
    captured.take("A challenge", asked)
    await captured.answer("Reliability, before accepting", host, asked, captured.say("button.reliability"))
    await host.press(asked, label=captured.say("button.decline"))
    table = (await host.slash(lobby, "haymaker open", reliable=True)).message
    captured.take("A table for reliable players", table)
    await captured.answer("Joining it", guest, table, captured.say("button.join"))
    matches = (await guest.slash(lobby, "games")).message
    await captured.answer("One's own", guest, matches, captured.say("button.own_reliability"))
    captured.end_scene(EVERYWHERE, "Reliability")
    await press_where_it_is(host, table, captured.say("button.take_back_asked"), captured.say)


async def _played(person: Person, lobby: DrivenChannel, game: str | None = None) -> MessageView:
    return (await person.slash(lobby, "play", **({} if game is None else {"game": game}))).message


async def _series(captured: Captured, sandbox: Sandbox, lobby: DrivenChannel) -> None:
    """A series to its end, and the panel with what was played."""
    _, _, host, guest, *_ = sandbox.people  # the first two have asked each other in vain too often by now
    asked = (await host.slash(lobby, "haymaker challenge", opponent=guest, series="3")).message
    captured.take("A challenge to a series", asked)
    board = captured.take("Its first match", _message(await guest.press(asked, label=captured.say("button.accept"))))
    for loser in (guest, host, guest):
        await _resign(captured, sandbox, loser, board)
        captured.take("The result", board)
        if board.find_button(captured.say("button.next_match")) is None:
            break
        asked = await captured.answer("Ready for the next match", loser, board, captured.say("button.next_match"))
        await captured.answer("Ready twice", loser, board, captured.say("button.next_match"))
        other = host if loser is guest else guest
        board = captured.take("The next match", _message(await other.press(asked, label=captured.say("button.ready"))))
    await captured.answer("Other options", host, board, captured.say("button.other_options"))
    captured.end_scene(EVERYWHERE, "A series")


async def _resign(captured: Captured, sandbox: Sandbox, person: Person, board: MessageView) -> None:
    """Resign, and wait for the result."""
    question = _message(await press_where_it_is(person, board, captured.say("button.resign"), captured.say))
    await person.press(question, label=captured.say("button.resign"))
    await sandbox.wait_for(lambda: captured.say("button.replay") in board.labels)


async def _tournament(captured: Captured, alice: Person, lobby: DrivenChannel) -> None:
    """The panel of a tournament, and what its host sees once it is open."""
    panel = (await alice.slash(lobby, "tournament new", game="haymaker")).message
    captured.take("/tournament new", panel)
    await captured.answer("Opened", alice, panel, captured.say("tournament.open"))
    captured.take("/tournament me", (await alice.slash(lobby, "tournament me")).message)
    captured.end_scene(EVERYWHERE, "A tournament is opened")


async def _league(captured: Captured, alice: Person, lobby: DrivenChannel) -> None:
    """What the host of a league sees once it is open."""
    captured.take("/league new", (await alice.slash(lobby, "league new", game="haymaker")).message)
    captured.take("/league me", (await alice.slash(lobby, "league me")).message)
    captured.end_scene(EVERYWHERE, "A league is opened")


async def _practice(captured: Captured, sandbox: Sandbox, person: Person, lobby: DrivenChannel) -> None:
    """A match that somebody plays alone, and what it leads to."""
    for key in GAMES:
        if not is_played_alone(key):
            continue
        hand = (await person.slash(lobby, f"{key} practice")).message
        title, seats = GAMES[key].info.title, max(2, GAMES[key].info.seats[0])
        captured.take(f"{title}, begun", hand, Kind.HAND_ALONE, seats)
        if key in tried_games():
            daily = (await person.slash(lobby, "daily", game=key)).message
            captured.take(f"{title}, the deal of the day", daily, Kind.HAND_ALONE, seats)
        if key == "haymaker":
            captured.take("Again", (await person.slash(lobby, f"{key} practice")).message, Kind.HAND_ALONE)
            listed = (await person.slash(lobby, "games")).message
            captured.take("In /games", listed)
            hand = _message(await person.press(listed, label=captured.say("games.practice_open", game=title)))
        if key == "ciq":
            before = {each.id for each in lobby.messages}
            captured.take("More", await behind_more(person, hand, captured.say))
            captured.take("Shown here", _message(await person.press(hand, label=captured.say("button.show_here"))))

            def boards(before: set[int] = before) -> list[MessageView]:
                shown = [each for each in lobby.messages if each.id not in before]
                return [each for each in shown if captured.say("button.my_cards") in each.labels]

            await sandbox.wait_for(boards, timeout=60)  # many messages were edited before, and edits have a pace
            (hand,) = boards()
            captured.take("Its board", hand)
        question = _message(await press_where_it_is(person, hand, captured.say("button.resign"), captured.say))
        ended = _message(await person.press(question, label=captured.say("button.resign")))
        captured.take(f"{title}, over", ended, Kind.RESULT)
    captured.end_scene(EVERYWHERE, "Practice")


async def _everywhere(captured: Captured, sandbox: Sandbox, alice: Person, bob: Person, lobby: DrivenChannel) -> None:
    async def of(title: str, command: str, **options: Any) -> MessageView:
        message = (await alice.slash(lobby, command, **options)).message
        await captured.pages(f"/{command}", alice, message)
        captured.end_scene(EVERYWHERE, title)
        return message

    await _finding(captured, alice, bob, lobby)
    panel = _message(await alice.context_menu(lobby, "Challenge…", bob))
    captured.take("Challenge… in a member's menu", panel)
    game = panel.selects[0]
    for option in game.options[1:]:
        changed = await alice.select(panel, custom_id=game.custom_id, values=[option.value])
        captured.take(f"The same for {option.label}", changed.message)
    captured.end_scene(EVERYWHERE, "The challenge panel")
    menu = await alice.context_menu(lobby, "Profile", bob)  # as Discord has it in English, whatever a person sees
    captured.take("Profile in a member's menu", _message(menu))
    captured.end_scene(EVERYWHERE, "Somebody else's profile")
    for number in range(4):
        await alice.slash(lobby, "haymaker challenge", opponent=bob, clock=("blitz", "daily", "normal", "2h")[number])
    await of("Help", "help")
    for label in ("button.commands", "button.lessons", "button.practice"):
        opened = (await alice.slash(lobby, "help")).message
        await captured.answer(captured.say(label), alice, opened, captured.say(label))
    captured.end_scene(EVERYWHERE, "What /help leads to")
    await of("Matches", "games")
    direct = (await alice.slash(alice.direct_messages, "games")).message
    await captured.pages("/games in direct messages", alice, direct)
    captured.end_scene(EVERYWHERE, "Matches of all servers")
    commands = ("history", "leaderboard", "profile", "notify", "preferences", "away", "settings", "calloff", "verify")
    for command in (*commands, "mydata delete", "daily", "weekly"):
        await of(f"/{command}", command)
    await _tournament(captured, alice, lobby)
    await _league(captured, alice, lobby)
    await _practice(captured, sandbox, bob, lobby)
    practised = (await bob.slash(lobby, "tivmiv practice")).message
    await sandbox.wait_for(lambda: captured.say("button.my_cards") in practised.labels)
    moderated = await of("/moderate", "moderate", user=bob)
    captured.take(
        "Everything called off", _message(await alice.press(moderated, label=captured.say("moderate.call_off_all")))
    )
    captured.end_scene(EVERYWHERE, "Calling off")
    asked = (await alice.slash(lobby, "unbreakable challenge", opponent=bob)).message
    await captured.answer("Decline for good", bob, asked, captured.say("block.decline"))
    captured.end_scene(EVERYWHERE, "Declining for good")
    await of("/block", "block", user=bob)
    captured.take("/replay", (await alice.slash(lobby, "replay")).message)
    captured.end_scene(EVERYWHERE, "/replay")
    export = (await alice.slash(lobby, "mydata export")).message
    captured.take("/mydata export", export)
    captured.end_scene(EVERYWHERE, "/mydata export")
