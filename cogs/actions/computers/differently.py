"""*Try it differently*: a practice match from just before a move that cost much, with the cards as they lay."""

from __future__ import annotations

from dataclasses import dataclass, field

from bot.play.computers.levels import DEFAULT, levels_at
from bot.play.deals.openings import Opening, opening_before
from bot.play.live_match import LiveMatch
from bot.play.match_registry import MatchRegistry
from bot.play.matchmaking.invitations import Terms
from bot.play.refusals import Refused
from bot.play.server_settings import KnownServerSettings
from bot.store.computer_ids import computer_id, is_computer, level_of
from bot.store.rows.invitations import Origin
from bot.store.store import Store
from cogs.actions.challenging import check_place
from cogs.actions.component_press import Capability, ComponentPress, Verbs
from cogs.actions.computers.practice import Practice
from cogs.actions.finding import Finder
from cogs.actions.servers.own_threads import OwnThreads
from cogs.screens import custom_ids
from cogs.screens.reviews import has_review
from cogs.updates.match_notices import link
from engines.game import Seat


@dataclass(slots=True, eq=False)
class TryingDifferently(Capability):
    """What the buttons *Try it differently* do. Anybody in the match's server may press them."""

    verbs = Verbs()

    finder: Finder
    store: Store
    matches: MatchRegistry
    practice: Practice
    server_settings: KnownServerSettings
    own_threads: OwnThreads
    _beginning: set[tuple[int, Origin]] = field(default_factory=set, init=False)

    @verbs("differently")
    async def _differently(self, press: ComponentPress) -> None:
        """Begin a match where the pressed move was made, unless its presser is playing that already."""
        number = custom_ids.read_move(press.arg)
        match = await self.finder.match(press.interaction, press.target)
        if not match.over:
            raise Refused("review.not_over")
        await self.finder.check_visible(press.interaction, match)
        if not has_review(match):
            raise Refused("review.nothing")
        opening = opening_before(match, await self.store.records(match.id), number)
        trying = press.user_id, opening.origin
        self._check_new(match.guild_id, *trying)
        self._beginning.add(trying)
        try:
            await self._begin(press, match, opening)
        finally:
            self._beginning.discard(trying)

    def _check_new(self, guild_id: int, user_id: int, origin: Origin) -> None:
        """Raise Refused if somebody plays a match from there already, or if it is just beginning."""
        if (user_id, origin) in self._beginning:
            raise Refused("differently.beginning")
        for match in self.matches.in_server(guild_id):
            if match.origin == origin and user_id in match.seats:
                raise Refused("differently.playing", link=link(match))

    async def _begin(self, press: ComponentPress, match: LiveMatch, opening: Opening) -> None:
        interaction, game = press.interaction, match.game.info.key
        guild_id, channel_id = await check_place(self.server_settings, interaction, game, direct=True)
        in_thread, _ = self.own_threads.thread_or_reason(interaction, None)
        terms = Terms(guild_id, channel_id, game, match.options, match.time_control.key, in_thread)
        places = _places(match, opening.seat, press.user_id)
        computers = tuple(filter(is_computer, places))
        await self.practice.begin(interaction, terms, computers, places, origin=opening.origin)


def _places(match: LiveMatch, seat: Seat, user_id: int) -> tuple[int, ...]:
    """Who sits where: the person on a seat, and on each other one a computer of its level, or of the match's own."""
    offered = levels_at(match.game.info.key, match.options, len(match.seats))
    played = [level_of(user) for user in match.seats if is_computer(user)]
    places: tuple[int, ...] = ()
    for other, user in enumerate(match.seats):
        level = level_of(user) if is_computer(user) else played[0] if played else DEFAULT
        known = level if level in offered else DEFAULT
        places += (user_id if other == seat else computer_id(known, places),)
    return places
