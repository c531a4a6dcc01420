"""The card art: what is shipped is what is drawn, and everybody can tell the cards apart (docs/art.md)."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from itertools import combinations
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from bot.art.images import Family, Size, images, sheet
from tools.art import inks, signs
from tools.art.legibility import LEAST, nearest, shown
from tools.art.shapes import Drawing
from tools.art.shipping import FILE, drawn_from, laid_out, plans
from tools.art.viewing import View, distance, grey, light

ROOT = Path(__file__).parents[2]
SVG = "{http://www.w3.org/2000/svg}"


def luminance(ink: str) -> float:
    """The relative luminance of a colour, 0 to 1 (https://www.w3.org/TR/WCAG22/#dfn-relative-luminance)."""
    shares = [int(ink[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    lights = [share / 12.92 if share <= 0.04045 else ((share + 0.055) / 1.055) ** 2.4 for share in shares]
    return sum(weight * each for weight, each in zip((0.2126, 0.7152, 0.0722), lights, strict=True))


def contrast(one: str, other: str) -> float:
    """The contrast of two colours, 1 to 21 (https://www.w3.org/TR/WCAG22/#dfn-contrast-ratio)."""
    darker, lighter = sorted((luminance(one), luminance(other)))
    return (lighter + 0.05) / (darker + 0.05)


def drawings() -> list[Drawing]:
    """Every drawing that is shipped."""
    return [drawing for plan in plans().values() for drawing in plan.drawings]


# ---------------------------------------------------------------------------------------------- drawn and shipped


def test_what_is_shipped_was_drawn_from_the_present_drawings() -> None:
    index = json.loads((ROOT / "bot" / "art" / FILE).read_text(encoding="utf-8"))
    assert index["drawn_from"] == drawn_from(), "a drawing changed: run `make art`, look at the contact sheets, commit"


@pytest.mark.parametrize("size", Size)
def test_every_drawing_is_shipped_in_its_order(size: Size) -> None:
    plan = plans()[size]
    names = [drawing.name for drawing in plan.drawings]
    assert list(images(size)) == names
    assert sorted(names, key=lambda name: (images(size)[name].y, images(size)[name].x)) == names
    assert sheet(size).palette == plan.palette
    for drawing in plan.drawings:
        image = images(size)[drawing.name]
        assert (image.width, image.height) == (drawing.width * plan.scale, drawing.height * plan.scale)


def test_two_pictures_of_one_name_are_refused() -> None:
    picture = images(Size.TABLE)["crown"].pixels
    with pytest.raises(ValueError, match="two images are called crown"):
        laid_out([("crown", picture), ("crown", picture)], 100)


# ---------------------------------------------------------------------------------------------- the drawings


def test_drawings_are_shapes_without_text_or_fonts() -> None:
    allowed = {f"{SVG}{tag}" for tag in ("svg", "g", "path", "rect", "circle")}
    for drawing in drawings():
        assert {element.tag for element in ET.fromstring(drawing.svg).iter()} <= allowed
        assert "font" not in drawing.svg
        assert len(drawing.svg) < 2_000


@pytest.mark.parametrize(
    ("sign", "face"),
    [
        *((ink, inks.CARD) for ink in (*signs.SUIT_INKS.values(), inks.JOKER)),
        *((inks.WHITE, face) for face in (inks.INDEX_1, inks.INDEX_2, inks.INDEX_3)),
        *((inks.WHITE, face) for face in (inks.BACK, inks.TIVMIV_BACK, inks.DIE_BACK, inks.SPECIAL, inks.PILL)),
        *((inks.WHITE, face) for face in inks.SEATS),
        (inks.SPECIAL_SIGN, inks.SPECIAL),
        (inks.DIE_INK, inks.DIE),
        (inks.GOLD, inks.STRIP),
    ],
)
def test_signs_have_the_contrast_of_text_on_their_face(sign: str, face: str) -> None:
    assert contrast(sign, face) >= 4.5


def test_the_edge_of_light_tiles_shows_on_a_light_theme() -> None:
    assert contrast(inks.EDGE, inks.WHITE) >= 3
    assert contrast(inks.EDGE, inks.DIE) >= 3


# ---------------------------------------------------------------------------------------------- seen


@cache
def at_22() -> Mapping[str, View]:
    """Every emoji as a text on the dark theme shows it."""
    return shown(22, "#2b2d31")


@pytest.mark.nightly  # compares thousands of pairs
def test_no_two_cards_of_a_family_are_alike_at_22_pixels_for_any_eyes() -> None:
    pairs = list(nearest(at_22(), "text, dark"))
    assert len(pairs) == len(Family) * 5
    assert [str(pair) for pair in pairs if pair.distance < LEAST] == []


def test_no_two_pictures_at_all_are_alike_at_22_pixels() -> None:
    lights = {name: light(view) for name, view in at_22().items()}
    assert min(distance(lights[one], lights[other]) for one, other in combinations(lights, 2)) >= LEAST


def test_suits_differ_by_their_shape_alone() -> None:
    """In grey, and each suit's ink as dark as black, so that neither colour nor shade helps."""
    shapes = {}
    for suit in signs.SUIT_INKS:
        luminance = grey(at_22()[f"7_{suit}"])
        ink = min(luminance)
        shapes[suit] = [(value - ink) / (1 - ink) for value in luminance]
    assert min(distance(shapes[one], shapes[other]) for one, other in combinations(shapes, 2)) >= LEAST


@pytest.mark.parametrize(("dark", "light_one"), [("spades", "clubs"), ("hearts", "diamonds")])
def test_suits_of_one_warmth_differ_by_their_shade(dark: str, light_one: str) -> None:
    """So the two cool suits and the two warm ones differ for people who see no hue."""
    assert contrast(signs.SUIT_INKS[dark], inks.WHITE) / contrast(signs.SUIT_INKS[light_one], inks.WHITE) >= 1.4


def test_backs_differ_from_everything_else_even_in_grey() -> None:
    greys = {name: grey(view) for name, view in at_22().items()}
    for back in Family:
        for name in greys.keys() - {back.value}:
            assert distance(greys[back.value], greys[name]) >= 0.09, f"{back.value} and {name}"
