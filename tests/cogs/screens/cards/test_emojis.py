"""Cards as emojis: in texts, in lists and on buttons, and as text where they have no room."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.art.images import FAMILIES, Family, Size, images
from bot.play.live_match import LiveMatch
from bot.ui import text_lines
from bot.ui.catalogue import translations
from bot.ui.preferences import CardStyle
from bot.ui.screen import Rule, Screen, Tone
from cogs.screens import custom_ids
from cogs.screens.board import board_screen
from cogs.screens.card_text import DISCS, TEXT_CARDS
from cogs.screens.cards.forms import MOST_NAMED, NO_NUMBER, CardForms
from cogs.screens.narration import recent_events
from cogs.screens.presenter import Reader
from cogs.screens.renderer import render, written
from engines.cards import Card, Suit
from engines.game import Pick
from engines.haymaker import AttackLaid
from laws.bodies import card_form, emojis, match_of, styled
from laws.case import GameCase
from laws.hands import buttons
from tests.games.cases import case_of

say = translations("en")
SEVEN = Card(7, Suit.SPADES)


def emoji_case(game: str) -> GameCase:
    return styled(case_of(game))[1]


FORM = card_form(emoji_case("haymaker"))
MARKUP = emojis(Family.FRENCH)["7_spades"]


def asked(case: GameCase, *, ordered: bool = False) -> tuple[LiveMatch, int, Pick[object]]:
    """A question with several cards to pick."""
    for match, seat in buttons.questions(case, "default", 2):
        for pick in buttons.picks(match, seat):
            if pick.items > 3 and pick.ordered is ordered:
                return match, seat, pick
    raise LookupError("no such question")


def texts(screen: Screen) -> str:
    return "\n".join(written(section) for section in screen.sections if not isinstance(section, Rule))


def picking(pick: Pick[object], *picked: int) -> str:
    """A selection."""
    return custom_ids.write_selection(pick.verb, picked, ordered=pick.ordered)


# ---------------------------------------------------------------------------------------------- the form


def test_a_play_is_read_as_one_and_a_hand_card_by_card() -> None:
    assert FORM.row([SEVEN] * 5) == MARKUP * 5
    assert FORM.row([SEVEN] * 6) == " ".join([MARKUP] * 6)
    assert written(FORM.listed("Held:", [SEVEN] * 2)) == f"Held: {MARKUP} {MARKUP}"
    assert written(FORM.laid("Attack:", [SEVEN] * 2)) == f"Attack: {MARKUP}{MARKUP}"
    assert FORM.listed("", [SEVEN] * 3, together=True).cards == (f"{MARKUP}×3",)


@pytest.mark.parametrize("game", FAMILIES)
def test_every_card_is_its_own_emoji_and_a_list_has_its_name_too(game: str) -> None:
    case = emoji_case(game)
    pack = case.game.pack(case.game.info.presets["default"], case.game.info.seats[0])
    for card in pack.cards:
        face = card_form(case).face(card)
        assert face.text == face.emoji
        assert face.emoji in emojis(FAMILIES[game]).values()
        assert face.label == card.name


def test_cards_and_discs_are_text_until_their_family_is_whole_and_where_text_is_wanted() -> None:
    usable: dict[Family, dict[str, str]] = {}
    forms = CardForms(usable.get)
    assert forms.of("haymaker", CardStyle.EMOJIS, say) is TEXT_CARDS
    usable[Family.FRENCH] = dict(emojis(Family.FRENCH))
    assert forms.of("haymaker", CardStyle.EMOJIS, say).text(SEVEN) == MARKUP
    assert forms.of("haymaker", CardStyle.EMOJIS, say) is forms.of("ciq", CardStyle.EMOJIS, say)
    assert forms.of("haymaker", CardStyle.TEXT, say) is TEXT_CARDS
    assert forms.of("tivmiv", CardStyle.EMOJIS, say) is TEXT_CARDS
    assert forms.of("high_card", CardStyle.EMOJIS, say) is TEXT_CARDS
    usable[Family.FRENCH] = {**emojis(Family.FRENCH), "7_spades": "<:other:1>"}
    assert forms.of("haymaker", CardStyle.EMOJIS, say).text(SEVEN) == "<:other:1>"
    forms = CardForms(usable.get)
    assert forms.discs(CardStyle.EMOJIS) == DISCS
    usable[Family.DISCS] = dict(emojis(Family.DISCS))
    first, *_, last = forms.discs(CardStyle.EMOJIS)
    assert (first, last) == (emojis(Family.DISCS)["seat_1"], emojis(Family.DISCS)["seat_6"])
    assert forms.discs(CardStyle.TEXT) == forms.discs(CardStyle.WORDS) == DISCS


# ---------------------------------------------------------------------------------------------- hands


def test_cards_are_buttons_without_labels_and_a_line_names_what_is_picked() -> None:
    case = emoji_case("haymaker")
    match, seat, pick = asked(case)
    opened, picked = (buttons.shown(case, match, seat, picking(pick, *chosen)) for chosen in ((), (0,)))
    items = [each for each in buttons.placed(picked).values() if each.press.verb == "p"]
    assert {button.label for button in items} == {""}
    assert [button.tone for button in items][:2] == [Tone.MAIN, Tone.PLAIN]
    assert say("hand.none_picked") in texts(opened)
    assert say("hand.picked", cards=items[0].emoji) in texts(picked)


def test_a_line_has_room_for_the_picked_cards_and_counts_the_others() -> None:
    case = emoji_case("ciq")
    match, seat, pick = asked(case, ordered=True)
    reader = buttons.reader_on(case, match, seat)
    hand = [case.presenter.item(match.private(seat), pick.verb, index, reader).text for index in range(pick.items)]
    line = say("hand.picked", cards=" ".join([hand[0]] * MOST_NAMED + ["+25"]))
    assert text_lines.fits(line, 1)


def test_where_order_matters_every_button_has_a_number_or_a_sign_as_wide() -> None:
    case = emoji_case("ciq")
    match, seat, pick = asked(case, ordered=True)
    first = next(index for index, refusal in enumerate(pick.step(()).addable) if refusal is None)
    screen = buttons.shown(case, match, seat, picking(pick, first))
    labels = [each.label for each in buttons.placed(screen).values() if each.press.verb == "p"]
    digits = len(str(pick.items))
    assert labels[first] == "1".rjust(digits, "0")
    assert set(labels) - {labels[first]} == {NO_NUMBER * digits}
    assert len({text_lines.width(label) for label in labels}) == 1


def test_the_hand_is_listed_only_while_it_has_no_buttons() -> None:
    for case in styled(case_of("haymaker")):
        match, seat, pick = asked(case)
        holding = say.count("cards.holding", pick.items)
        mine, theirs = buttons.shown(case, match, seat), buttons.shown(case, match, 1 - seat)
        assert holding.rstrip(":") not in texts(mine)
        held = match.private(1 - seat).own.hand
        assert written(card_form(case).listed(say.count("cards.holding", len(held)), held)) in texts(theirs)


def test_in_tiv_miv_a_face_has_its_count_and_an_empty_place_is_a_back() -> None:
    case = emoji_case("tivmiv")
    log, _ = buttons.played(case, "default", 2)
    match = match_of(log.deal, log.events(80), 80)
    faces = [button for button in buttons.placed(buttons.shown(case, match, 0)).values() if button.emoji]
    back = emojis(Family.TIVMIV)["back_tiv"]
    assert {button.enabled for button in faces if button.emoji == back} == {False}
    assert {button.label for button in faces} <= {*"123456789", NO_NUMBER}
    assert len({button.emoji for button in faces}) > 5
    assert all(text_lines.row_fits([button.label for button in faces[at : at + 4]], emojis=True) for at in (0, 4))


# ---------------------------------------------------------------------------------------------- room


def test_a_hand_without_room_for_emojis_is_all_text() -> None:
    case = emoji_case("haymaker")
    match, seat, pick = asked(case)

    class Talkative(type(case.presenter)):  # type: ignore[misc]  # a class of a presenter that is chosen above
        def prompt(self, own: object, reader: Reader) -> str:
            return str(super().prompt(own, reader)) + reader.cards.row([SEVEN] * 90)

    talkative = replace(case, presenter=Talkative())
    for picked in ((), (0,)):
        screen = buttons.shown(talkative, match, seat, picking(pick, *picked))
        assert "<:" not in texts(screen)
        assert texts(screen).count("`7♠`") >= 90
        assert not any(button.emoji for button in buttons.placed(screen).values())


def test_a_board_without_room_for_emojis_is_all_text() -> None:
    case = emoji_case("haymaker")
    match, _, _ = asked(case)

    class Wide(type(case.presenter)):  # type: ignore[misc]  # as above
        cards = 5

        def seat_facts(self, public: object, seat: int, reader: Reader) -> tuple[str, ...]:  # noqa: ARG002  too many
            return (reader.cards.row([SEVEN] * self.cards),)

    reader, presenter = Reader(say, ("Ann", "Ben"), cards=FORM), Wide()
    assert MARKUP in texts(board_screen(match, presenter, reader))
    presenter.cards = 50
    assert "<:" not in texts(board_screen(match, presenter, reader))


def test_a_line_of_a_log_that_is_too_long_is_text_and_the_others_stay_emojis() -> None:
    case = emoji_case("haymaker")
    match = next(match for match, _ in buttons.questions(case, "default", 2) if len(match.last_facts()) > 3)

    class Narrating(type(case.presenter)):  # type: ignore[misc]  # as above
        def narrate(self, event: object, reader: Reader) -> str:
            return reader.cards.row([SEVEN] * (12 if isinstance(event, AttackLaid) else 3))

    lines = recent_events(match, None, Narrating(), Reader(say, ("Ann", "Ben"), cards=FORM), most=200).lines
    assert {line.count("<:") for line in lines} == {0, 3}
    assert {line.count("`7♠`") for line in lines} == {0, 12}


# ---------------------------------------------------------------------------------------------- Discord's form


def test_a_button_and_an_option_send_an_emoji_by_its_id_and_name() -> None:
    case = emoji_case("haymaker")
    match, seat, pick = asked(case)
    (container,) = render(buttons.shown(case, match, seat, picking(pick)), "m")
    items = [
        button
        for row in container["components"]
        for button in row.get("components", ())
        if button["type"] == 2 and "emoji" in button
    ]
    known = {str(markup.strip("<>").split(":")[2]) for markup in emojis(Family.FRENCH).values()}
    names = {image.emoji_name for image in images(Size.EMOJI).values()}
    assert len(items) == pick.items
    assert all("label" not in button for button in items)
    assert {button["emoji"]["id"] for button in items} <= known
    assert {button["emoji"]["name"] for button in items} <= names
