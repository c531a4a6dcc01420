"""Every request body that a viewer of a match is sent, made from a log of events alone.

Clock, ids, seed and commitment are frozen, so that two logs which a viewer cannot tell apart give equal bytes. A
picture is represented by what is laid where: its bytes depend on nothing else, and drawing it takes a hundred times as
long.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache
from typing import Any, Final

import orjson

from bot.art.images import FAMILIES, Family, Size, emoji_names, images
from bot.art.layout import TableLayout
from bot.art.placing import placed
from bot.games import GAMES
from bot.play.computers.stand_ins import offers_stand_in
from bot.play.live_match import LiveMatch
from bot.play.match_state import codec
from bot.ratings import NEW
from bot.store.queries.invitations import Series, StandIn
from bot.store.queries.matches import MatchRow, Record, Result
from bot.store.queries.profiles import HeadToHead
from bot.store.queries.standings import ResultEffects
from bot.store.scoring import RatingChange
from bot.store.verification import made_seal
from bot.telemetry import NO_TELEMETRY
from bot.ui.preferences import CardStyle
from bot.ui.screen import Picture, Screen
from cogs.screens import custom_ids
from cogs.screens.board import board_screen, piles_screen
from cogs.screens.card_text import CardForm
from cogs.screens.cards.forms import CardForms
from cogs.screens.hands.hand import hand_screen, stand_in_hand
from cogs.screens.hands.picking import refusal_text
from cogs.screens.presenter import OpenPiles, Pictured, Reader
from cogs.screens.renderer import sheet
from cogs.screens.tables import table_screen
from cogs.wiring import additions_of
from engines.game import Event, IllegalAction, Pick
from laws.case import GameCase, Viewer
from laws.play import FIRST_USER, Deal, MatchLog

NOW = 1_800_000_000_000
SEED = bytes(32)
LONGEST_NAME = "W" * 32
ADDED: Final = additions_of()
"""What rooms put on these screens: buttons of theirs take room too."""


LONGEST_ID = (1 << 64) - 1
"""Ids are numbers of 64 bits (https://discord.com/developers/docs/reference#snowflakes): at most 20 digits."""


@cache
def emojis(family: Family) -> Mapping[str, str]:
    """A family's emojis with ids of 20 digits, as they are written in texts, by the names of their images."""
    ids = {name: LONGEST_ID - number for number, name in enumerate(images(Size.EMOJI))}
    return {name: f"<:{images(Size.EMOJI)[name].emoji_name}:{ids[name]}>" for name in emoji_names(family)}


EMOJI_IDS = frozenset(LONGEST_ID - number for number in range(len(images(Size.EMOJI))))
"""The ids of all these emojis."""
_FORMS = CardForms(emojis)


def styled(case: GameCase) -> tuple[GameCase, ...]:
    """A game in each style in which its cards look different. In words they are looked at by laws of their own."""
    styles = (CardStyle.TEXT, CardStyle.EMOJIS) if case.key in FAMILIES else (CardStyle.TEXT,)
    return tuple(replace(case, style=style) for style in styles)


def card_form(case: GameCase) -> CardForm:
    """How cards are written in the case's style, when Discord has all emojis."""
    return _FORMS.of(case.key, case.style, case.words)


def match_of(
    deal: Deal,
    events: Sequence[Event],
    moves: int,
    ranks: tuple[int, ...] | None = None,
    *,
    held: bool = False,
    alone: bool = False,
) -> LiveMatch:
    """A match taken up from a log, as at a start, with everything frozen that is not a card; with `ranks` it is over,
    by decision.

    With `held` a computer can play absent seats on if it knows the game (C-8), and two play a series (C-9). Then hands
    have one more row, and boards and results more lines. One that somebody plays `alone` has no board.
    """
    coded = codec(deal.game.info.key)
    match = _match(deal, held=held, alone=alone)
    records = [Record(match.id, 0, None, None, None, coded.encode_all(events), NOW)]
    info = deal.game.info
    move = next(act.__name__ for act in info.actions if act not in info.preparations)
    records += [Record(match.id, seq, None, 0, f'{{"type":"{move}"}}', "[]", NOW) for seq in range(1, moves + 1)]
    return _replayed(match, records, ranks)


def match_after(log: MatchLog, moves: int, *, alone: bool = False) -> LiveMatch:
    """A match after some of its moves, taken up from the records that the application would have written; after all of
    them with its result. One that somebody plays `alone` has no board."""
    return _replayed(_match(log.deal, alone=alone), records_of(log, moves))


def _replayed(match: LiveMatch, records: Sequence[Record], ranks: tuple[int, ...] | None = None) -> LiveMatch:
    """The match after these records; with its result if the rules see its end, or if there are `ranks`."""
    match.replay(records, ())
    outcome = match.position.outcome
    if ranks is not None:
        match.replay(records, (), Result(match.id, "decision", ranks, NOW, counted=True))
    elif outcome is not None:
        match.replay(records, (), Result(match.id, outcome.kind, outcome.ranks, NOW, counted=True))
    if match.over:
        head_to_head = HeadToHead((9999, 9999), 9999) if len(match.seats) == 2 else None
        match.note_effects(ResultEffects((RatingChange(NEW, NEW, 1),) * len(match.seats), head_to_head))
    return match


def records_of(log: MatchLog, moves: int) -> list[Record]:
    """The records that the application would have written of a match's first moves."""
    coded, match_id = codec(log.deal.game.info.key), log.deal.match_id.lower()
    dealt = Record(match_id, 0, None, None, None, coded.encode_all(log.opening), NOW)
    made = [
        Record(match_id, seq, None, move.actor, coded.encode(move.action), coded.encode_all(move.events), NOW)
        for seq, move in enumerate(log.moves[:moves], 1)
    ]
    return [dealt, *made]


def row_of(deal: Deal, *, held: bool = False) -> MatchRow:
    """The row of a match, with everything frozen that is not a card."""
    info = deal.game.info
    held = held and info.key in GAMES and offers_stand_in(info.key)
    deal_id, options = deal.match_id.lower(), codec(info.key).encode_fields(deal.options)
    row = MatchRow(
        id=deal.match_id.lower(),
        guild_id=1,
        channel_id=2,
        board_id=3,
        board_at=NOW,
        game=info.key,
        rules_version=info.rules_version,
        options=codec(info.key).encode(deal.options),
        clock="normal",
        seats=tuple(range(FIRST_USER, FIRST_USER + deal.seats)),
        seed=SEED,
        commitment=b"",
        opened_at=NOW,
        deal_id=deal_id,
        sealed_options=options,
        stand_in=StandIn.RATED if held else StandIn.OFF,
        series=Series(deal.match_id.lower(), 5, 99, (2, 2)) if held and deal.seats == 2 else None,
    )
    return replace(row, commitment=made_seal(row) or b"")


def _match(deal: Deal, *, held: bool = False, alone: bool = False) -> LiveMatch:
    """A match that has no records yet."""
    nowhere: Any = None  # a match that is only looked at writes nothing
    return LiveMatch(replace(row_of(deal, held=held), alone=alone), nowhere, lambda: NOW, NO_TELEMETRY)


def screens(case: GameCase, match: LiveMatch, viewer: Viewer, cards: CardForm | None = None) -> list[Screen]:
    """The board, if there is one, and the table, and for a seat its hand: as it opens, with every first card picked,
    with longer selections, with every refusal that a press out of thin air brings, and while a computer plays on.

    Cards are in the form of the case's style, or in `cards`.
    """
    cards = card_form(case) if cards is None else cards
    names = tuple(f"{LONGEST_NAME[:-1]}{seat}" for seat in range(len(match.seats)))
    everybody = Reader(case.words, names, cards=cards, added=ADDED)
    presenter = case.presenter
    shown = [board_screen(match, presenter, everybody)] if match.has_board else []
    if isinstance(presenter, OpenPiles):
        shown.append(piles_screen(match, presenter, everybody))
    reader = Reader(case.words, names, viewer, cards, ADDED)
    if isinstance(presenter, Pictured):
        shown.append(table_screen(match, presenter, reader, pictured=case.style is not CardStyle.WORDS))
    if viewer is None:
        return shown
    drafts = [""]
    for offer in match.choices(viewer):
        if isinstance(offer, Pick):
            sizes = sorted({2, 3, offer.items // 2, offer.items} - {0, 1})
            picks: list[tuple[int, ...]] = [(index,) for index in range(offer.items)]
            picks += [tuple(range(size)) for size in sizes if size <= offer.items]
            drafts += [custom_ids.write_selection(offer.verb, picked, ordered=offer.ordered) for picked in picks]
    shown += [hand_screen(match, viewer, presenter, reader, selection=draft) for draft in drafts]
    if match.is_in(viewer) and match.stand_in is not StandIn.OFF:
        shown.append(stand_in_hand(match, presenter, match.private(viewer), reader))
    notes = refusals_of(case, match, viewer, reader)
    noted = {note: hand_screen(match, viewer, presenter, reader, note=note) for note in dict.fromkeys(notes)}
    return shown + [noted[note] for note in notes]


def refusals_of(case: GameCase, match: LiveMatch, viewer: int, reader: Reader) -> list[str]:
    """What is said to acts that nobody offered."""
    told = []
    chance = Deal(match.game, match.options, len(match.seats), SEED, match.id).chances()
    seq = match.position.acts + 1
    for action in case.tries(random.Random(0)):
        try:
            match.game.decide(match.position.state, viewer, action, chance(seq))
        except IllegalAction as illegal:
            told.append(refusal_text(illegal.refusal, reader))
    return told


def as_drawn(screen: Screen) -> Screen:
    """A screen whose pictures are there: what is laid where instead of a drawing."""
    return replace(
        screen,
        sections=tuple(
            replace(section, png=_laid(section).encode()) if isinstance(section, Picture) else section
            for section in screen.sections
        ),
    )


def _laid(picture: Picture) -> str:
    layout = picture.layout
    return repr(placed(layout) if isinstance(layout, TableLayout) else layout)


def bodies(case: GameCase, match: LiveMatch, viewer: Viewer) -> bytes:
    """All of a viewer's bodies at this point, as bytes, one line for each screen.

    One screen may be there several times, in answer to several acts; it is rendered once.
    """
    shown = screens(case, match, viewer)
    distinct = {id(screen): screen for screen in shown}
    rendered = {key: _body(as_drawn(screen), match.id) for key, screen in distinct.items()}
    return b"\n".join(rendered[id(screen)] for screen in shown)


def _body(screen: Screen, subject: str) -> bytes:
    made = sheet(screen, subject)
    return orjson.dumps(made.to_components()) + made.picture
