"""The screens of a game's matches, from the functions that the bot itself makes them with."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from functools import cache, partial
from types import MappingProxyType
from typing import Final

from bot.play.live_match import LiveMatch
from bot.store.queries.matches import Result
from bot.ui.preferences import CardStyle
from cogs.actions.computer_matches import is_played_alone
from cogs.replays.exports import Exported, animation_file
from cogs.reviews.course import course_of
from cogs.reviews.screens import review_screen
from cogs.reviews.story import Story, story_screen
from cogs.screens import custom_ids
from cogs.screens.board import board_screen, piles_screen
from cogs.screens.card_text import CardForm
from cogs.screens.cards.forms import CardForms, EmojiCards
from cogs.screens.hands.hand import hand_screen
from cogs.screens.presenter import OpenPiles, Pictured, Reader
from cogs.screens.tables import with_pictures
from cogs.wiring import additions_of
from engines.game import Pick
from engines.players.review import Review, is_reviewed, review
from laws.bodies import NOW, match_after, records_of
from laws.case import GameCase
from laws.play import random_picks
from laws.replays import replay_of
from tests.gallery.moments import Moment, moments
from tests.gallery.scene import NAMES, HeardWords, Kind, Scene, Shown, of_file, of_screen
from tests.reviewed import request_of

REVIEW: Final = "What decided it"
ANIMATION: Final = "As an animated picture"
ROLLOUTS: Final = 300


def styles_of(game: str, forms: CardForms, words: HeardWords) -> dict[str, CardForm]:
    """The forms that a game's cards can have, by the names of their styles. A style that is not there is left out."""
    found: dict[str, CardForm] = {}
    for style in (CardStyle.TEXT, *CardStyle):
        form = forms.of(game, style, words)
        if form not in found.values():
            found[style.value] = form
    return found


def scenes(
    case: GameCase, forms: CardForms, words: HeardWords, names: Mapping[str, tuple[str, ...]] = MappingProxyType({})
) -> Iterator[Scene]:
    """All scenes of a game's matches, in each form of its cards. `words` hear which sentences they have.

    `names` are those of the players by a moment's title, where they have others than usual.
    """
    chosen = moments(case)
    for style, form in styles_of(case.key, forms, words).items():

        def reader_of(moment: Moment, seat: int | None = None, form: CardForm = form) -> Reader:
            return Reader(words, names.get(moment.title, NAMES)[: moment.log.deal.seats], seat, form, additions_of())

        for moment in chosen:
            found = tuple(shown(case, moment, partial(reader_of, moment)))
            yield Scene(case.game.info.title, moment.title, style, found)
        if is_reviewed(case.key):
            yield Scene(case.game.info.title, REVIEW, style, tuple(_reviews(case, chosen, reader_of)))
        if isinstance(case.presenter, Pictured) and style == CardStyle.TEXT.value:  # its cards look the same in all
            yield Scene(case.game.info.title, ANIMATION, style, tuple(_animated(case, chosen, reader_of)))


def _reviews(case: GameCase, chosen: list[Moment], reader_of: Callable[[Moment], Reader]) -> Iterator[Shown]:
    """What decided the first of the kept matches, and the longest, and their stories."""
    for moment in _first_and_longest(chosen):
        screen = review_screen(_match(moment), _review(moment), case.presenter, reader_of(moment))
        yield of_screen(f"{moment.title}: what decided it", with_pictures(screen), "review", private=True)
        match, records = _match(moment), records_of(moment.log, moment.moves)
        story = Story(match, course_of(match, records, case.presenter), _review(moment), case.presenter)
        screen = story_screen(story, reader_of(moment), offered=True)
        yield of_screen(f"{moment.title}: its story", with_pictures(screen), "story", private=True)


def _animated(case: GameCase, chosen: list[Moment], reader_of: Callable[[Moment], Reader]) -> Iterator[Shown]:
    """The same matches as animated pictures."""
    for moment in _first_and_longest(chosen):
        reader = reader_of(moment)
        exported = Exported(replay_of(moment.log)[0], case.presenter, reader)
        players = reader.words("board.versus").join(reader.names)
        title = reader.words("replay.title", game=case.game.info.title, players=players)
        text = reader.words("replay.exported.animation", match=title)
        yield of_file(f"{moment.title}: as an animated picture", text, animation_file(exported))


def _first_and_longest(chosen: list[Moment]) -> Iterable[Moment]:
    """The first of the kept matches, and the longest."""
    ended = [moment for moment in chosen if moment.moves == len(moment.log.moves)]
    return dict.fromkeys((ended[0], max(ended, key=lambda moment: moment.moves)))


@cache
def _review(moment: Moment) -> Review:
    """A quick review: each form of cards needs it."""
    return review(request_of(moment.log, ROLLOUTS), lambda: False)


def _match(moment: Moment, *, alone: bool = False) -> LiveMatch:
    """The match at a moment, with its result if it is over; `alone` is without a board."""
    log, moves = moment.log, moment.moves
    match, info = match_after(log, moves, alone=alone), log.deal.game.info
    outcome = match.position.outcome
    if outcome is not None:
        counted = moves >= info.shortest_counted and not outcome.void
        ranks = () if outcome.void else outcome.ranks
        match.replay(records_of(log, moves), (), Result(match.id, outcome.kind, ranks, NOW, counted=counted))
    return match


def shown(case: GameCase, moment: Moment, reader_of: Callable[[int | None], Reader]) -> Iterator[Shown]:
    match, presenter = _match(moment), case.presenter
    seats = len(match.seats)
    everybody = reader_of(None)
    alone = None
    if is_played_alone(case.key) and not match.over:
        alone = _match(moment, alone=True)
    screen = board_screen(match, presenter, everybody, pictured=isinstance(everybody.cards, EmojiCards))
    board = of_screen("The board", with_pictures(screen), match.id)
    yield replace(board, kind=Kind.RESULT if match.over else Kind.BOARD, seats=seats)
    if isinstance(presenter, OpenPiles):
        yield of_screen("The open piles", piles_screen(match, presenter, reader_of(None)), match.id, private=True)
    for seat in moment.seats:
        reader = reader_of(seat)

        def hand(caption: str, *, reader: Reader = reader, seat: int = seat, **shown: str) -> Shown:
            screen = hand_screen(match, seat, presenter, reader, **shown)  # type: ignore[arg-type]  # texts, all of them
            made = of_screen(f"{NAMES[seat]}: {caption}", screen, match.id, private=True)
            return replace(made, kind=Kind.HAND, seats=seats)

        yield hand("the hand")
        for pick in match.choices(seat):
            if isinstance(pick, Pick):
                yield from (
                    hand(caption, selection=custom_ids.write_selection(pick.verb, picked, ordered=pick.ordered))
                    for caption, picked in _selections(pick)
                )
        if match.choices(seat).offers:
            yield hand("a press that is too late", note=reader.words("press.stale"))
        if alone is not None:
            screen = hand_screen(alone, seat, presenter, reader)
            made = of_screen(f"{NAMES[seat]}: the hand in practice", screen, match.id, private=True)
            yield replace(made, kind=Kind.HAND_ALONE, seats=seats)


def _selections(pick: Pick[object]) -> Iterator[tuple[str, tuple[int, ...]]]:
    """Nothing picked yet, the first item that can be, and a selection that can be made."""
    yield f"{pick.verb}, nothing picked", ()
    first = next((index for index, refusal in enumerate(pick.step(()).addable) if refusal is None), None)
    if first is not None:
        yield f"{pick.verb}, one picked", (first,)
    whole = random_picks(pick, random.Random(0))
    if whole is not None and len(whole) > 1:
        yield f"{pick.verb}, {len(whole)} picked", whole
