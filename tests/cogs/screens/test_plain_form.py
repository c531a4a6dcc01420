"""The plain form of a message: what its emojis show as text, and nothing else changed."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

import pytest

from bot.art.images import FAMILIES, Family, Size, images
from bot.ui.text_lines import EMOJI
from cogs.screens.card_text import DISCS
from cogs.screens.plain_form import Component, plain
from cogs.screens.renderer import render
from laws.bodies import card_form, emojis
from laws.hands import buttons
from tests.cogs.screens.cards.test_emojis import emoji_case


def parts_of(components: list[Component]) -> Iterator[Component]:
    """All components, with those inside them."""
    for component in components:
        yield component
        yield from parts_of(component.get("components", []))
        yield from parts_of(component.get("options", []))


@pytest.mark.parametrize("game", FAMILIES)
def test_an_emoji_becomes_what_the_rules_call_its_card(game: str) -> None:
    case = emoji_case(game)
    for card in case.game.pack(case.game.info.presets["default"], case.game.info.seats[0]).cards:
        markup = card_form(case).face(card).emoji
        _, name, number = markup.strip("<>").split(":")
        text, button = plain(
            [{"type": 10, "content": f"Your {markup}{markup}."}, {"type": 2, "emoji": {"name": name, "id": number}}]
        )
        assert text["content"] == f"Your {card.name} {card.name}."
        assert button == {"type": 2, "label": card.name}


@pytest.mark.parametrize("game", FAMILIES)
def test_a_hand_keeps_its_buttons_and_has_no_emoji_left(game: str) -> None:
    case, drawn = emoji_case(game), 0
    for match, seat in islice(buttons.questions(case, "default", case.game.info.seats[-1]), 20):
        made = render(buttons.shown(case, match, seat), "m")
        before, after = [*parts_of(made)], [*parts_of(plain(made))]
        drawn += str(before).count("'emoji'") + len(EMOJI.findall(str(before)))
        assert [part.get("custom_id") for part in before] == [part.get("custom_id") for part in after]
        assert not EMOJI.search(str(after))
        assert "'emoji'" not in str(after)
        assert all(0 < len(part["label"]) <= 80 for part in after if part.get("type") == 2)
    assert drawn


def test_every_emoji_has_a_text_of_its_own_and_the_disc_of_a_seat_its_number_in_a_circle() -> None:
    every = [image.emoji_name for image in images(Size.EMOJI).values()]
    labels = [button["label"] for button in plain([{"type": 2, "emoji": {"name": name}} for name in every])]
    assert len({*labels}) == len(every)
    discs = emojis(Family.DISCS).values()
    (line,) = plain([{"type": 10, "content": " ".join(f"{disc} Ann" for disc in discs)}])
    assert line["content"] == " ".join(f"{disc} Ann" for disc in DISCS)
