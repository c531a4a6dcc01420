"""The parts of a running bot, for tests to look at. The bot itself has no object that knows them all."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from functools import cached_property, partial
from types import MethodType
from typing import Any, TypeVar

from bot.gateway.client import CardroomClient
from bot.play.clocks.match_clock import MatchClock
from bot.play.closed_deals import ClosedDeals
from bot.play.days import Days
from bot.play.elsewhere import Elsewhere
from bot.play.match_lifecycle import MatchLifecycle
from bot.play.match_press import MatchPresses
from bot.play.match_registry import MatchRegistry
from bot.play.matchmaking.invitations import Invitations, Inviting
from bot.play.matchmaking.seating import Seating
from bot.play.restoring import MatchRestorer
from bot.play.server_settings import KnownServerSettings
from bot.settings import Settings
from bot.ui.display_names import DisplayNames
from bot.ui.preferences import Preferences
from cogs.actions.digests import Digests
from cogs.actions.match_list import MatchList
from cogs.daily.deals import DailyDeals
from cogs.game_registry import GameRegistry
from cogs.interactions.venues import Members
from cogs.public_screens import PublicScreens
from cogs.screens.cards.forms import CardForms
from cogs.screens.presenter import Presenter
from cogs.startup import Startup
from cogs.updates.channel_messages import DiscordMessages
from cogs.updates.open_hands import StyledHands
from cogs.updates.screen_updates import ScreenUpdates
from cogs.wording import Readers, Wording

Part = TypeVar("Part")

OURS = ("bot.", "cogs.", "tests.")
"""Only objects of these packages are looked into."""
MOST_IN_A_TABLE = 200
"""Larger containers hold what people do, not parts."""


class Insides:
    """The parts of a bot, each found once: by its class, from the dispatcher on."""

    def __init__(self, client: CardroomClient) -> None:
        self._client = client

    def find(self, kind: type[Part]) -> Part:
        """The part of a class. Raises LookupError if there is none."""
        seen, waiting = {id(self._client)}, deque[object]([self._client.dispatcher, self._client])
        while waiting:
            found = waiting.popleft()
            if isinstance(found, kind):
                return found
            for inner in _parts(found):
                if id(inner) not in seen:
                    seen.add(id(inner))
                    waiting.append(inner)
        raise LookupError(kind.__name__)

    @property
    def settings(self) -> Settings:
        return self._client.settings

    @cached_property
    def messages(self) -> DiscordMessages:
        return self.find(DiscordMessages)

    @cached_property
    def matches(self) -> MatchRegistry:
        return self.find(MatchRegistry)

    @cached_property
    def clock(self) -> MatchClock:
        return self.find(MatchClock)

    @cached_property
    def lifecycle(self) -> MatchLifecycle:
        return self.find(MatchLifecycle)

    @cached_property
    def restorer(self) -> MatchRestorer:
        return self.find(MatchRestorer)

    @cached_property
    def invitations(self) -> Invitations:
        return self.find(Invitations)

    @cached_property
    def inviting(self) -> Inviting:
        return self.find(Inviting)

    @cached_property
    def seating(self) -> Seating:
        return self.find(Seating)

    @cached_property
    def presses(self) -> MatchPresses:
        return self.find(MatchPresses)

    @cached_property
    def closed_deals(self) -> ClosedDeals:
        return self.find(ClosedDeals)

    @cached_property
    def days(self) -> Days:
        return self.find(Days)

    @cached_property
    def daily(self) -> DailyDeals:
        return self.find(DailyDeals)

    @cached_property
    def updates(self) -> ScreenUpdates:
        return self.find(ScreenUpdates)

    @cached_property
    def server_settings(self) -> KnownServerSettings:
        return self.find(KnownServerSettings)

    @cached_property
    def display_names(self) -> DisplayNames:
        return self.find(DisplayNames)

    @cached_property
    def preferences(self) -> Preferences:
        return self.find(Preferences)

    @cached_property
    def styled_hands(self) -> StyledHands:
        return self.find(StyledHands)

    @cached_property
    def elsewhere(self) -> Elsewhere:
        return self.find(Elsewhere)

    @cached_property
    def members(self) -> Members:
        return self.find(Members)

    @cached_property
    def digests(self) -> Digests:
        return self.find(Digests)

    @cached_property
    def match_list(self) -> MatchList:
        return self.find(MatchList)

    @cached_property
    def card_forms(self) -> CardForms:
        return self.find(CardForms)

    @cached_property
    def wording(self) -> Wording:
        return self.find(Wording)

    @cached_property
    def readers(self) -> Readers:
        return self.find(Readers)

    @cached_property
    def public_screens(self) -> PublicScreens:
        return self.find(PublicScreens)

    @cached_property
    def presenters(self) -> dict[str, Presenter]:
        return self.find(GameRegistry).presenters

    @cached_property
    def startup(self) -> Startup:
        return self.find(Startup)


def _parts(found: object) -> Iterable[object]:
    """What an object holds."""
    match found:
        case MethodType():
            yield from (found.__self__, found.__func__)
        case partial():
            yield from (found.func, *found.args, *found.keywords.values())
        case dict() | list() | tuple() | set() | frozenset():
            if len(found) <= MOST_IN_A_TABLE:
                yield from found.values() if isinstance(found, dict) else found
        case _ if type(found).__module__.startswith(OURS):
            yield from getattr(found, "__dict__", {}).values()
            yield from (getattr(found, name, None) for name in getattr(type(found), "__slots__", ()))
        case _:
            yield from (each.cell_contents for each in getattr(found, "__closure__", None) or () if _is_set(each))


def _is_set(cell: Any) -> bool:
    try:
        return cell.cell_contents is not None
    except ValueError:
        return False
