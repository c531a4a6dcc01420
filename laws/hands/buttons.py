"""Every button of a hand keeps its slot while a question is open, so a second press never makes another act.

A slot is a row and a column, together with the height of the text above: the number of its lines, of which those
that change are too short to wrap on a phone. Widths are compared as `bot.ui.text_lines` estimates them; `tests/page`
looks at the same in a browser. All this at questions met in random matches: the hand as it opens, as cards are picked
one by one, as it is cleared, as something is refused, and as others answer the same question.
"""

from __future__ import annotations

import functools
import itertools
import random
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from typing import Any, TypeAlias

from bot.play.live_match import LiveMatch
from bot.ui import text_lines
from bot.ui.catalogue import translations
from bot.ui.screen import Button, Cards, Screen, Select
from cogs.screens import custom_ids
from cogs.screens.card_text import NOT_PICKED, PICKED
from cogs.screens.hands import hand
from cogs.screens.hands.lines import SUMMARY_LINES
from cogs.screens.hands.picking import Asked, refusal_text
from cogs.screens.presenter import Racing, Reader
from cogs.screens.renderer import FRAME, LONGEST_OPTION, MOST_COMPONENTS, components_of, is_whole, written
from engines.game import Pick, Resign
from laws.bodies import ADDED, card_form, match_after, refusals_of
from laws.case import GameCase
from laws.play import MatchLog, random_match, with_item

MOMENTS = 10
"""How many moments of a match are looked at, if nobody says less."""
IN_A_PHASE = 24
"""How many moments of one phase of a race are looked at, if nobody says less."""
LONG_NOTE = "This note needs more lines than any hand has for one. " * 4 + "It is whole all the same."
"""Such as what is said of a match that was resumed."""
words = translations("en")
ON, OFF = words("cards.line_picked", card=""), words("cards.not_picked", card="")
"""How the labels end that have no marks (`cogs.screens.cards.words`)."""

Slot: TypeAlias = tuple[int, int]
"""Row and column of a button, each counted from 0."""
Does: TypeAlias = tuple[str, str]
"""What a button does, whatever is picked: its verb, and which act, offer or card it is for."""


@lru_cache(maxsize=1)
def played(case: GameCase, setting: str, seats: int, most: int = MOMENTS, seed: str = "") -> tuple[MatchLog, list[int]]:
    """A random match, and several of its moments as numbers of moves. All laws of one setup look at the same; with
    another `seed`, at another one."""
    rng = random.Random(f"{case.key} {setting} {seats}{seed}")
    log = random_match(case.deal(setting, seats, rng), rng)
    return log, sorted(rng.sample(range(len(log.moves)), min(most, len(log.moves))))


def questions(
    case: GameCase, setting: str, seats: int, most: int = MOMENTS, seed: str = ""
) -> Iterator[tuple[LiveMatch, int]]:
    """A random match at several of its moments, with each seat that is offered something then."""
    for match in _at_moments(case, setting, seats, most, seed):
        yield from ((match, seat) for seat in range(seats) if match.choices(seat).offers)


@lru_cache(maxsize=1)
def _at_moments(case: GameCase, setting: str, seats: int, most: int, seed: str) -> list[LiveMatch]:
    """The match at its moments, taken up once for all laws of a setup: they only look at it."""
    log, moments = played(case, setting, seats, most, seed)
    return [match_after(log, moves) for moves in moments]


def shown(
    case: GameCase, match: LiveMatch, seat: int, selection: str = "", note: str = "", *, resting: bool = False
) -> Screen:
    """A seat's hand, with a selection, as a bot shows it that has forgotten the former one."""
    hand.last_parts.cache_clear()
    reader = reader_on(case, match, seat)
    return hand.hand_screen(match, seat, case.presenter, reader, selection=selection, note=note, resting=resting)


def reader_on(case: GameCase, match: LiveMatch, seat: int) -> Reader:
    """The player on a seat."""
    names = tuple(f"Player {each}" for each in range(len(match.seats)))
    return Reader(case.words, names, seat, card_form(case), ADDED)


def grown(case: GameCase, match: LiveMatch, seat: int, pick: Pick[Any]) -> list[Screen]:
    """The hand as a selection grows: from nothing (as after *Clear*) item by item until nothing can be added."""
    picked: tuple[int, ...] = ()
    screens = [shown(case, match, seat, custom_ids.write_selection(pick.verb, picked, ordered=pick.ordered))]
    while free := [index for index, refusal in enumerate(pick.step(picked).addable) if refusal is None]:
        picked = with_item(pick, picked, free[len(picked) % len(free)])
        screens.append(shown(case, match, seat, custom_ids.write_selection(pick.verb, picked, ordered=pick.ordered)))
    return screens


NOTES = ("press.stale", "press.already_made", "press.not_offered", "store.busy", "store.unsaved", "store.unsettled")
"""What a hand says of a press that was too late, made before, not saved or undecided."""


def notes(case: GameCase, match: LiveMatch, seat: int) -> list[str]:
    """Each note that a press of this question may bring, refusals of its rules among them."""
    reader = reader_on(case, match, seat)
    refusals = [refusal_text(closed.refusal, reader) for closed in match.choices(seat).closed]
    for pick in picks(match, seat):
        step = pick.step(())
        refusals += [refusal_text(each, reader) for each in (*step.addable, step.unfinished) if each is not None]
    return list(dict.fromkeys([*map(case.words, NOTES), *refusals, *refusals_of(case, match, seat, reader)]))


def noted(case: GameCase, match: LiveMatch, seat: int) -> list[Screen]:
    """The hand with each note that a press of this question may bring."""
    return [shown(case, match, seat, note=note) for note in notes(case, match, seat)]


def placed(screen: Screen) -> dict[Slot, Button]:
    """The buttons of a screen by their slots."""
    return {
        (row, column): control
        for row, controls in enumerate(screen.rows)
        for column, control in enumerate(controls)
        if isinstance(control, Button)
    }


def does(button: Button) -> Does:
    """What a button does."""
    verb = button.press.verb
    if verb == "a":
        return verb, button.press.arg.partition(".")[0]
    if button.emoji:
        return verb, button.emoji
    marked = button.label.startswith((PICKED, NOT_PICKED))
    label = button.label.partition(" ")[2] if marked else button.label
    return verb, label.removesuffix(ON).removesuffix(OFF)


def all_in_slots(screens: Sequence[Screen], *, enabled: bool = False) -> dict[Slot, set[Does]]:
    """All that is in each slot in one of the screens; with `enabled`, all that can be pressed there."""
    slots: dict[Slot, set[Does]] = defaultdict(set)
    for screen in screens:
        for slot, button in placed(screen).items():
            if button.enabled or not enabled:
                slots[slot].add(does(button))
    return slots


def picks(match: LiveMatch, seat: int) -> list[Pick[Any]]:
    """What a seat is offered to pick from."""
    return [offer for offer in match.choices(seat) if isinstance(offer, Pick)]


# ---------------------------------------------------------------------------------------------- the laws


def same_slots(screens: Sequence[Screen]) -> None:
    """These screens have the same buttons in the same slots, and each is as wide in all of them."""
    assert all(len(acts) == 1 for acts in all_in_slots(screens).values())
    same_frame(screens)


def same_frame(screens: Sequence[Screen]) -> None:
    """These screens have the same rows, in which every button that has neighbours is as wide, and text of the same
    height above."""
    assert len({tuple(map(len, screen.rows)) for screen in screens}) == 1, "a row has become longer or shorter"
    widths: dict[Slot, set[float]] = defaultdict(set)
    for screen in screens:
        for slot, button in placed(screen).items():
            if len(screen.rows[slot[0]]) > 1:
                widths[slot].add(round(text_lines.button_width(button.label, emoji=bool(button.emoji)), 3))
    assert all(len(each) == 1 for each in widths.values()), "a button has become wider or narrower"
    assert len({screen.tone for screen in screens}) == 1, "the edge beside the buttons has come or gone"
    same_height(screens)


def same_height(screens: Sequence[Screen]) -> None:
    """The texts of these screens have the same number of lines of each size, in whatever order, and those that not all
    of them have wrap nowhere."""
    texts = ["\n".join(map(written, screen.sections)).split("\n") for screen in screens]
    assert len(set(map(len, texts))) == 1, "a line has come or gone"
    assert len({screen.footer for screen in screens}) == 1
    counts = [Counter(lines) for lines in texts]
    stays = functools.reduce(Counter.__and__, counts)
    changing = [list((count - stays).elements()) for count in counts]
    assert len({sum(map(is_small, lines)) for lines in changing}) == 1, "a line has become smaller or larger"
    for line in itertools.chain(*changing):
        longest = text_lines.SMALL_LINE if is_small(line) else text_lines.LINE
        assert text_lines.fits(line.removeprefix("-# "), 1, longest), f"this may wrap: {line}"


def is_small(line: str) -> bool:
    """Whether a line is in small type."""
    return line.startswith("-# ")


def nothing_moves_while_picking(case: GameCase, match: LiveMatch, seat: int) -> None:
    """No button and no line moves while cards are picked and cleared, and *Clear* or *Undo* is always there."""
    back = {case.words("hand.clear"), case.words("hand.undo")}
    for pick in picks(match, seat):
        screens = grown(case, match, seat, pick)
        same_slots(screens)
        clears = [
            [button for button in placed(each).values() if button.press.verb == "c" and button.label in back]
            for each in screens
        ]
        assert [[button.enabled for button in there] for there in clears] == [[False]] + [[True]] * len(clears[1:])


def nothing_moves_for_a_note(case: GameCase, match: LiveMatch, seat: int) -> None:
    """No button and no line moves when something is refused, or a press is too late."""
    same_slots([shown(case, match, seat), *noted(case, match, seat)])


def a_note_comes_first(case: GameCase, match: LiveMatch, seat: int) -> None:
    """What was not made, was made before or was refused is the first text below the heading: in bold, in one size, and
    whole, also where something is picked; and the hand has room for it."""
    selections = ["", *(f"{pick.verb}.a" for pick in picks(match, seat))]
    for note, selection in itertools.product([*notes(case, match, seat), LONG_NOTE], selections):
        screen = shown(case, match, seat, selection, note)
        said = "\n".join(map(written, screen.sections)).split("\n")
        bold = list(itertools.takewhile(lambda line: line.startswith("**") and line.endswith("**"), said))
        whole = " ".join(" ".join(line.strip("*") for line in bold).split())
        assert whole.startswith(note), f"{note} is not first: {said}"
        assert is_whole(screen)
        assert components_of(screen.rows) + FRAME <= MOST_COMPONENTS
        assert "…" not in note


def nothing_moves_when_others_answer(case: GameCase, log: MatchLog, moves: int) -> None:
    """No button and no line moves when another answer to the same question arrives."""
    game, before, after = log.deal.game, log.states[moves], log.states[moves + 1]
    asked, still = game.window(before), game.window(after)
    if asked is None or still is None or asked.number != still.number or isinstance(log.moves[moves].action, Resign):
        return
    first, second = match_after(log, moves), match_after(log, moves + 1)
    for seat in sorted(asked.may_act & still.may_act):
        if first.choices(seat).offers and second.choices(seat).offers:
            screens = [shown(case, first, seat), shown(case, second, seat)]
            _same_stay(case, screens)
            same_frame(screens)


def cards_that_are_buttons_are_not_listed(case: GameCase, match: LiveMatch, seat: int) -> None:
    """The text of a hand lists no card that is a button below it. Other cards that happen to look the same are listed,
    such as a die that was made of all that one had."""
    reader, own = reader_on(case, match, seat), match.private(seat)
    says_which = any(isinstance(each, Cards) and each.is_hand for each in case.presenter.hand_text(own, reader))
    for pick in picks(match, seat):
        screen = shown(case, match, seat, f"{pick.verb}.")
        pressed = [each for each in placed(screen).values() if each.press.verb == "p"]
        faces = {case.presenter.item(own, pick.verb, index, reader).text for index in range(pick.items)}
        for section in screen.sections:
            if pressed and isinstance(section, Cards) and len(faces) > 2:
                listed = section.is_hand if says_which else faces <= set(section.cards)
                assert not listed, "the hand is listed beside its buttons"


def acts_keep_their_slots(case: GameCase, match: LiveMatch, seat: int) -> None:
    """What cannot be undone has rows of its own, where no other button ever is while the question is open."""
    screens = [shown(case, match, seat), shown(case, match, seat, "-")]
    for pick in picks(match, seat):
        screens += grown(case, match, seat, pick)
    rows: dict[int, set[str]] = defaultdict(set)
    for (row, _), acts in all_in_slots(screens).items():
        rows[row] |= {verb for verb, _ in acts}
    for row, verbs in rows.items():
        if "a" in verbs:
            assert verbs == {"a"}, "a row of acts that are made at once alone"
            assert all(len(acts) == 1 for (each, _), acts in all_in_slots(screens).items() if each == row)
    for screen in screens:
        for controls in screen.rows:
            if any(control.press.verb == "d" for control in controls):
                assert len(controls) == 1, "what completes a selection is alone in its row"


def no_other_button_comes_under_the_finger(case: GameCase, match: LiveMatch, seat: int) -> None:
    """Where a button was pressed there is the same one afterwards, or a disabled one, or none: at each press that leads
    from one rendering of a question to the next."""
    starts = [shown(case, match, seat), shown(case, match, seat, "-")]
    for pick in picks(match, seat):
        starts += grown(case, match, seat, pick)

    @cache  # many presses lead to the same selection
    def selected(selection: str) -> Screen:
        return shown(case, match, seat, selection)

    @cache
    def buttons_of(selection: str) -> dict[Slot, Button]:
        return placed(selected(selection))

    for screen in starts:
        for slot, button in placed(screen).items():
            if button.enabled and button.press.verb in "poc":
                after = buttons_of(button.press.arg).get(slot)
                assert after is None or not after.enabled or does(after) == does(button), f"{button} became {after}"
        for controls in screen.rows:
            for select in controls:
                if isinstance(select, Select) and select.press.verb == "o":
                    for option in select.options:
                        same_list_rows(screen, selected(option.value))


def same_list_rows(screen: Screen, after: Screen) -> None:
    """The rows with lists are the same rows: a finger on a list is on no button afterwards."""
    lists, lists_after = ([isinstance(row[0], Select) for row in each.rows] for each in (screen, after))
    assert lists == lists_after


def lessons_have_room(case: GameCase, match: LiveMatch, seat: int) -> None:
    """What is said of something to pick for is in a few lines of which none is cut, and below its line in a list."""
    reader = reader_on(case, match, seat)
    for pick in picks(match, seat):
        lesson = case.presenter.lesson(pick.verb, match.private(seat), reader).splitlines()
        assert len(lesson) <= SUMMARY_LINES, lesson
        assert all(text_lines.fits(line, 1 + reader.cards.spare_lines) for line in lesson), lesson
        about = Asked(case.presenter, match.private(seat), reader, 0, match.choices(seat)).about(pick.verb)
        assert len(about) <= LONGEST_OPTION, about


def acts_rest_after_the_press_that_led_there(case: GameCase, log: MatchLog, moves: int) -> None:
    """Where an act opens the next question of its own seat, nothing that cannot be undone can be pressed at first: no
    slot on a screen is safe, because the text above may have any height then."""
    seat, game = log.moves[moves].actor, log.deal.game
    asked, following = game.window(log.states[moves]), game.window(log.states[moves + 1])
    if seat is None or asked is None or following is None or asked.number == following.number:
        return
    if seat in following.awaited and not isinstance(case.presenter, Racing):
        screen = shown(case, match_after(log, moves + 1), seat, resting=True)
        assert not [button for button in placed(screen).values() if button.enabled and button.press.verb in "ad"]


def nothing_moves_in_a_phase(case: GameCase, log: MatchLog, rng: random.Random, most: int = IN_A_PHASE) -> None:
    """In a race, a slot has one act for as long as the question is open, and no row, button or line comes or goes: for
    each seat, in one phase."""
    windows = [log.deal.game.window(state) for state in log.states]
    numbers = [0 if window is None else window.number for window in windows]
    phase = rng.choice([number for number in numbers if number])
    moments = [moves for moves, number in enumerate(numbers) if number == phase]
    screens: dict[int, list[Screen]] = defaultdict(list)
    for moves in sorted(rng.sample(moments, min(most, len(moments)))):
        match = match_after(log, moves)
        for seat in range(log.deal.seats):
            offered = match.choices(seat)
            if offered.offers or offered.closed:
                screens[seat].append(shown(case, match, seat))
                screens[seat].append(shown(case, match, seat, note=case.words("press.stale")))
    for of_seat in screens.values():
        _same_stay(case, of_seat)
        same_frame(of_seat)


def _same_stay(case: GameCase, screens: Sequence[Screen]) -> None:
    """What can be pressed in a slot is the same in these screens: in a race, what its presenter says."""
    slot = case.presenter.slot if isinstance(case.presenter, Racing) else str
    for acts in all_in_slots(screens, enabled=True).values():
        assert len({(verb, slot(act)) for verb, act in acts}) == 1, "a slot has become another"
