"""What goes over the wire while people play: every press answered once and in time, and nobody told what they may not
know (docs/rulings, "Knowledge"), request by request."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from functools import cache

from bot.play.live_match import LiveMatch
from cogs.screens import custom_ids
from discord_sandbox import Dispatched, Entry, Exchange
from engines.game import Event
from laws.case import Viewer
from tests.games.cases import case_of
from tests.seeds import tells_seed
from tests.soak.report import Load

UNKNOWN_INTERACTION, ALREADY_ACKNOWLEDGED = 10062, 40060

_CALLBACK = re.compile(r"/interactions/(\d+)/")
_HOOK = re.compile(r"/webhooks/\d+/([^/]+)")
_TABLE = re.compile(r'"custom_id": ?"g1:([a-z0-9_]+):')
_CODES = re.compile(r"(?<![0-9A-Za-z])[2-9ATJQK][CDHS](?![0-9A-Za-z])")
"""What a card of any game with suits looks like in a log."""
_IDS = re.compile(r'"(?:custom_id|value)": ?"[^"]*"')
"""Ids and values of controls: in them AD is no ace of diamonds but the first and the thirtieth place of a hand."""
_BOOK = ("rules", "page")
"""The verbs that show the rules, in which cards stand as examples."""


@cache
def _cards(key: str) -> re.Pattern[str] | None:
    """What the cards of a game look like; None where they are bare words or numbers, which stand elsewhere too."""
    case = case_of(key)
    names = {
        card.name for setting, seats in case.setups for card in case.game.pack(case.settings[setting], seats).cards
    }
    if any(name.isalnum() for name in names):
        return None
    longest_first = sorted(names, key=lambda name: (-len(name), name))
    return re.compile(rf"(?<![0-9A-Z])(?:{'|'.join(map(re.escape, longest_first))})")


class Wire:
    """Listens to a sandbox's transcript.

    `find` gives a match by its id, also one that is over, and `facts` all that has happened in one so far.
    """

    def __init__(
        self, load: Load, find: Callable[[str], LiveMatch | None], facts: Callable[[LiveMatch], Sequence[Event]]
    ) -> None:
        self._load = load
        self._find = find
        self._facts = facts
        self._pressed: dict[int, str] = {}
        self._by_token: dict[str, int] = {}
        self._known: dict[tuple[str, Viewer], tuple[int, set[str]]] = {}
        self.first_responses: Counter[int] = Counter()
        self.cards = 0

    def hear(self, entry: Entry) -> None:
        """Judge one entry."""
        if isinstance(entry, Dispatched):
            if entry.name == "INTERACTION_CREATE":
                self._note(entry)
        elif isinstance(entry, Exchange):
            self._answered(entry)

    @property
    def unanswered(self) -> int:
        """How many interactions had not exactly one first response."""
        return sum(self.first_responses[interaction] != 1 for interaction in self._pressed)

    def _note(self, event: Dispatched) -> None:
        interaction = int(event.data["id"])
        self._pressed[interaction] = str(event.data["data"].get("custom_id", ""))
        self._by_token[event.data["token"]] = interaction

    def _answered(self, request: Exchange) -> None:
        callback, hook = _CALLBACK.search(request.path), _HOOK.search(request.path)
        interaction = int(callback[1]) if callback else self._by_token.get(hook[1]) if hook else None
        if callback and interaction is not None and request.status < 300:
            self.first_responses[interaction] += 1
        if request.status >= 400:
            code = request.answer.get("code") if isinstance(request.answer, dict) else None
            self._load.faults[f"{request.method} was refused with {request.status}, code {code}"] += 1
        self._look_for_cards(request, "" if interaction is None else self._pressed.get(interaction, ""))

    def _look_for_cards(self, request: Exchange, pressed: str) -> None:
        if pressed and custom_ids.read(pressed)[1].verb in _BOOK:
            return
        sent = request.raw.decode()
        sent = sent.encode().decode("unicode_escape") if "\\u" in sent else sent
        found = _TABLE.search(sent)
        table = found[1] if found else custom_ids.read(pressed)[0] if pressed else ""
        match = self._find(table)
        if match is None:
            return
        self._load.expect(match.over or not tells_seed(sent, match), "a seed was told before the end")
        pattern = _cards(match.game.info.key)
        if pattern is None or match.over:  # once a match is over, everything is open
            return
        viewer = match.seat_of(request.audience) if isinstance(request.audience, int) else None
        told = set(pattern.findall(sent)) | set(_CODES.findall(_IDS.sub("", sent)))
        self.cards += len(told)
        hidden = told - self._known_to(match, viewer)
        what = f"{match.game.info.key}: hidden cards ({' '.join(sorted(hidden))}) were sent to {_who(viewer)}"
        self._load.expect(not hidden, f"{what} for {pressed or request.path}, seq {match.position.acts}")

    def _known_to(self, match: LiveMatch, viewer: Viewer) -> set[str]:
        """The names and codes of the cards that a viewer has had a right to see by now."""
        heard, known = self._known.get((match.id, viewer), (0, set()))
        sees, facts = case_of(match.game.info.key).sees, self._facts(match)
        for event in facts[heard:]:
            for card in sees(event, viewer):
                known |= {card.name, card.code[:2]}
        self._known[match.id, viewer] = len(facts), known
        return known


def _who(viewer: Viewer) -> str:
    return "everybody" if viewer is None else "a player"
