"""The public message of an invitation: a challenge, or a table that fills. It becomes the match's board."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

from bot.games import GAMES, game_title
from bot.play.computers.levels import levels_at
from bot.play.match_state import codec
from bot.play.matchmaking.series import needed
from bot.store.queries.invitations import Invitation, InvitationKind, InvitationState, StandIn
from bot.store.queries.profiles import HeadToHead
from bot.store.special_ids import is_computer
from bot.time_controls import time_control
from bot.ui.catalogue import Translations
from bot.ui.isolation import mention
from bot.ui.screen import (
    Button,
    Control,
    Option,
    PeopleSelect,
    Press,
    Rows,
    Screen,
    SeatLine,
    Seats,
    Select,
    Text,
    Tone,
)
from cogs.screens.additions import InvitationButtons, Placed, arranged
from cogs.screens.deal_lines import invited_deal
from cogs.screens.endings import head_to_head_line
from cogs.screens.more import more_button, more_screen
from cogs.screens.presenter import Presenter, Reader, told_terms
from cogs.screens.rules_pages import rules_button
from cogs.screens.safe_names import unescaped
from cogs.screens.time_control_text import length_text, time_control_label

NameOf: TypeAlias = Callable[[int], str]
"""Returns a user's name, safe to show."""

RULES, LEAVE = 5, 40
"""The order of the core's own buttons behind *More…* (`cogs.screens.additions`)."""
NOT_READY = (InvitationState.DECLINED, InvitationState.CANCELLED, InvitationState.EXPIRED)
"""How an invitation to the next match of a series ends without that match."""


def invitation_screen(
    invitation: Invitation,
    state: InvitationState,
    presenter: Presenter | None,
    words: Translations,
    name: NameOf,
    *,
    head_to_head: HeadToHead | None = None,
    awaited: tuple[int, ...] = (),
    unrated: bool = False,
) -> Screen:
    """Who invites whom to which game, on which terms, with the deal's seal and salts; or how the invitation ended.

    There is no presenter where the game is not installed; then the invitation can only be left or taken back.
    `head_to_head` is what the host and the guest of a challenge have won. `awaited` are the people at a table whose
    *Ready* its match waits for. `unrated` says that its match will count for nobody, whatever the terms.
    """
    challenge = invitation.kind is InvitationKind.CHALLENGE
    game = game_title(invitation.game)
    kind = "rematch" if invitation.is_rematch else "challenge" if challenge else "table"
    title = words(f"{kind}.title", game=game)
    series = invitation.series
    if series is not None and series.number > 1:
        title = words("series.title", game=game, number=series.number)
    if state is not InvitationState.OPEN:
        ended = [_ended(invitation, state, words, name)]
        if state is InvitationState.ACCEPTED and invitation.in_thread:
            ended.append(words("challenge.thread", thread=f"<#{invitation.message_id}>"))  # it has the message's id
        return Screen(title, (Text("\n".join(ended)),))
    if presenter is None:
        told = words("challenge.not_installed", game=game)
        leave = _decline(words) if challenge else _leave(words)
        return Screen(title, (Text(told),), ((leave, _take_back(words)),))
    asked = _challenge(invitation, head_to_head, words, name) if challenge else _table(invitation, words, name)
    options = codec(invitation.game).decode(invitation.options)
    terms = told_terms(presenter, invitation.game, options, Reader(words, ()))
    sections = (
        *asked,
        *_time(invitation, options, words),
        *(Text(line) for line in terms),
        *_series(invitation, words),
        *((Text(words(f"stand_in.terms.{invitation.stand_in}")),) if invitation.stand_in is not StandIn.OFF else ()),
        *((Text(words("challenge.unrated")),) if unrated else ()),
        *((Text(words("challenge.in_thread")),) if invitation.in_thread else ()),
        *((Text(words("table.ready", players=words.all_of(map(name, awaited)))),) if awaited else ()),
        Text(words("challenge.until", when=f"<t:{invitation.expires_at // 1000}:R>")),
    )
    row = _challenge_row(invitation, words) if challenge else _table_row(invitation, words, asked=bool(awaited))
    return Screen(title, sections, (row,), invited_deal(invitation, words, name), Tone.MAIN)


def _series(invitation: Invitation, words: Translations) -> tuple[Text | Seats, ...]:
    """That its match is the first of a series (C-9), and how somebody wins that."""
    if invitation.series is None or invitation.series.number > 1:
        return ()
    best_of = invitation.series.best_of
    return (Text(words("series.terms", best_of=best_of, needed=needed(best_of))),)


def _time(invitation: Invitation, options: Any, words: Translations) -> tuple[Text | Seats, ...]:
    """The clock, if the game has one for turns, and about how long the match lasts with those who are invited; at a
    table with those who sit there, or as many as have to."""
    info, clock = GAMES[invitation.game].info, time_control(invitation.clock)
    challenge = invitation.kind is InvitationKind.CHALLENGE
    seats = 1 + len(invitation.invited) if challenge else max(len(invitation.seated), info.seats[0])
    told = (
        words(f"challenge.{'bank' if clock.bank else 'clock'}", clock=time_control_label(clock, words))
        if info.turn_clock
        else "",
        length_text(invitation.game, options, seats, clock, words, others_may_join=not challenge),
    )
    line = " ".join(each for each in told if each)
    return (Text(line),) if line else ()


def _ended(invitation: Invitation, state: InvitationState, words: Translations, name: NameOf) -> str:
    game = game_title(invitation.game)
    host = name(invitation.host_id)
    if invitation.kind is InvitationKind.TABLE:
        alone = invitation.auto_start and state is InvitationState.EXPIRED
        return words("table.nobody_joined" if alone else f"table.{state.value}", host=host, game=game)
    guests = words.all_of(name(user) for user in invitation.invited)
    if invitation.series is not None and invitation.series.number > 1 and state in NOT_READY:
        return words(f"series.{state.value}", host=host, guest=guests, number=invitation.series.number)
    return words(f"challenge.{state.value}", host=host, guest=guests, game=game)


def _challenge(
    invitation: Invitation, record: HeadToHead | None, words: Translations, name: NameOf
) -> tuple[Text | Seats, ...]:
    game, host = GAMES[invitation.game].info.title, name(invitation.host_id)
    guests = words.all_of(mention(user) for user in invitation.invited)
    key = "rematch.asks" if invitation.is_rematch else "challenge.asks"
    lines = [words(key, host=host, guest=guests, game=game)]
    series = invitation.series
    if series is not None and series.number > 1:
        first, second = map(name, invitation.places)
        score = {"first": first, "wins": series.wins[0], "losses": series.wins[1], "second": second}
        lines = [words("series.asks", host=host, guest=guests, number=series.number)]
        lines.append(words("series.score", best_of=series.best_of, **score))
    lines.append(head_to_head_line(record, host, name(invitation.invited[0]), words))
    coming = [name(user) for user in invitation.seated if user != invitation.host_id]
    if coming:
        lines.append(words("challenge.coming", players=words.all_of(coming)))
    return tuple(Text(line) for line in lines if line)


def _table(invitation: Invitation, words: Translations, name: NameOf) -> tuple[Text | Seats, ...]:
    info = GAMES[invitation.game].info
    asks = _asks(invitation, words, name)
    seats = Seats(
        tuple(
            SeatLine(name(user), (words("table.host"),) if user == invitation.host_id else ())
            for user in invitation.seated
        )
    )
    sections: tuple[Text | Seats, ...] = (Text(asks), seats, Text(_filled(len(invitation.seated), info.seats, words)))
    if any(map(is_computer, invitation.seated)):
        sections += (Text(words("computer.unrated")),)
    if invitation.reliable:
        sections += (Text(words("table.for_reliable")),)
    if invitation.private:
        asked = [mention(user) for user in invitation.invited if user not in invitation.seated]
        invited = words("table.invited", players=words.all_of(asked)) if asked else ""
        sections += (Text("\n".join(line for line in (words("table.is_private"), invited) if line)),)
    return sections


def _asks(invitation: Invitation, words: Translations, name: NameOf) -> str:
    """Who has opened a table, and when its match begins."""
    info = GAMES[invitation.game].info
    missing = info.seats[0] - len(invitation.seated)
    if not invitation.auto_start or missing < 1:
        return words("table.asks", host=name(invitation.host_id), game=info.title)
    key = "table.waits_for_one" if missing == 1 else "table.waits_for_more"
    return words(key, host=name(invitation.host_id), game=info.title, missing=missing)


def _filled(seated: int, seats: range, words: Translations) -> str:
    """How many people sit at a table, and how many can."""
    if len(seats) == 1:
        return words("table.filled_exactly", seated=seated, n=seats[0])
    return words("table.filled", seated=seated, least=seats[0], most=seats[-1])


def _challenge_row(invitation: Invitation, words: Translations) -> tuple[Button, ...]:
    goes_on = invitation.series is not None and invitation.series.number > 1
    return (
        Button(words("button.ready" if goes_on else "button.accept"), Press("accept"), Tone.GOOD),
        _decline(words),
        more_button(words),
    )


def _table_row(invitation: Invitation, words: Translations, *, asked: bool) -> tuple[Button, ...]:
    info = GAMES[invitation.game].info
    enough = len(invitation.seated) >= info.seats[0]
    ready = Button(words("button.ready"), Press("here"), Tone.GOOD)
    start = ready if asked else Button(words("button.start"), Press("start"), Tone.MAIN, enabled=enough)
    return (
        Button(words("button.join"), Press("join"), Tone.GOOD, enabled=len(invitation.seated) < info.seats[-1]),
        *((start,) if enough or not invitation.auto_start else ()),
        more_button(words),
    )


def _leave(words: Translations) -> Button:
    return Button(words("button.leave"), Press("getup"))


def _decline(words: Translations) -> Button:
    return Button(words("button.decline"), Press("decline"), Tone.BAD)


def _take_back(words: Translations) -> Button:
    return Button(words("button.take_back_asked"), Press("cancel"))


def invitation_more(
    invitation: Invitation, words: Translations, name: NameOf, user_id: int, added: Placed[InvitationButtons]
) -> Screen:
    """What is behind *More…* on an open invitation, for a user: the rules and what rooms add, how to leave or decline,
    and how a host fills their table. The game must be installed."""
    is_host, is_table = user_id == invitation.host_id, invitation.kind is InvitationKind.TABLE
    leaving = []
    if is_table and user_id in invitation.seated:
        leaving.append(_leave(words))
    elif is_table and user_id in invitation.invited:
        leaving.append(_decline(words))
    if is_host:
        leaving.append(_take_back(words))
    buttons = arranged(((RULES, (rules_button(words),)), (LEAVE, leaving)), added, invitation, words, user_id)
    below = _host_rows(invitation, words, name) if is_host and is_table else ()
    return more_screen(game_title(invitation.game), buttons, words, below=below)


def _host_rows(invitation: Invitation, words: Translations, name: NameOf) -> Rows:
    """Whom a host adds, kicks and invites; nobody where who plays is settled."""
    if invitation.origin is not None:
        return ()
    info, rows = GAMES[invitation.game].info, list[tuple[Control, ...]]()
    others = [user for user in invitation.seated if user != invitation.host_id]
    options = codec(invitation.game).decode(invitation.options)
    levels = levels_at(invitation.game, options, len(invitation.seated) + 1)
    if levels and len(invitation.seated) < info.seats[-1] and not invitation.auto_start:
        offered = tuple(Option(words(f"computer.level.{level}"), level) for level in levels)
        rows.append((Select(Press("addcomputer"), words("table.add_computer"), offered),))
    if others:
        seated = tuple(Option(unescaped(name(user)), str(user)) for user in others)
        rows.append((Select(Press("kick"), words("table.kick"), seated),))
    if invitation.private:
        rows.append((PeopleSelect(Press("ask"), words("table.ask"), info.seats[-1]),))
    return tuple(rows)
