"""What hostile people can't do to others, however many they are and whatever they press."""

from __future__ import annotations

import json
from collections import defaultdict, deque
from collections.abc import Iterable
from typing import Final

from bot.budgets import POSTS_COUNT_FOR
from bot.settings import Settings
from tests.simulation.happenings import Delete, Happening, MessageChange, Post, Press, Served, Service, Violation
from tests.simulation.history import History
from tests.simulation.hostile import SHOUT
from tests.simulation.laws.foundation import BaseLaw

WITHIN: Final[dict[Service, float]] = {"match": 60.0, "file": 10.0, "notice": 60.0}
"""Seconds in which honest people get what they came for. A table is news after twenty."""
POSTS: Final = Settings().posts_per_minute


class HonestAreServed(BaseLaw):
    """Who comes to play begins a match, gets its file, and hears of tables that are news to them."""

    name = "honest are served"
    why = "N1, N5, N11: a few accounts must not close a channel, take everybody's notices, or stop everybody's files."
    every = 30.0

    def __init__(self, history: History) -> None:
        super().__init__(history)
        self._fresh: list[Served] = []

    def hear(self, happening: Happening) -> None:
        if isinstance(happening, Served):
            self._fresh.append(happening)

    def look(self) -> Iterable[Violation]:
        fresh, self._fresh = self._fresh, []
        for served in fresh:
            if served.seconds is None:
                yield self.violation(f"a {served.what} never came, until {served.at:.0f} s")
            elif served.seconds > WITHIN[served.what]:
                yield self.violation(f"a {served.what} came after {served.seconds:.0f} s, at {served.at:.0f} s")

    def end(self) -> Iterable[Violation]:
        return self.look()


class PostsInBudget(BaseLaw):
    """One person has the bot post a few messages a minute, and no more."""

    name = "posts in budget"
    why = "N4: the bot's messages pass slow mode, so one button must not post without end in its name."

    def __init__(self, history: History) -> None:
        super().__init__(history)
        self._person: dict[int, tuple[int, float]] = {}
        self._posts: defaultdict[int, deque[float]] = defaultdict(lambda: deque(maxlen=POSTS + 1))
        self._found: list[Violation] = []

    def hear(self, happening: Happening) -> None:
        if isinstance(happening, Press):
            self._person[happening.id] = happening.person, happening.at
        elif isinstance(happening, Post) and happening.reader is None and happening.press in self._person:
            person, at = self._person[happening.press]
            posts = self._posts[person]
            posts.append(at)
            if len(posts) > POSTS and posts[-1] - posts[0] < POSTS_COUNT_FOR:
                self._found.append(self.violation(f"{len(posts)} posts for {person} in {posts[-1] - posts[0]:.0f} s"))

    def end(self) -> Iterable[Violation]:
        return self._found


class NobodySpeaksThroughTheBot(BaseLaw):
    """What somebody types is nowhere in what everybody reads of the bot."""

    name = "nobody speaks through the bot"
    why = "What the bot posts passes AutoMod: people's names are in it, and no other words of theirs."

    def __init__(self, history: History) -> None:
        super().__init__(history)
        self._found: list[Violation] = []

    def hear(self, happening: Happening) -> None:
        if not isinstance(happening, MessageChange) or isinstance(happening, Delete) or happening.reader is not None:
            return
        if happening.by != "people" and SHOUT in json.dumps(happening.data):
            self._found.append(self.violation(f"message {happening.message} has what somebody typed"))

    def end(self) -> Iterable[Violation]:
        return self._found
