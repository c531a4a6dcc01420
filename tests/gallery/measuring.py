"""How tall each message of a gallery is, how many words it says, and how many controls it has, beside the limits.

Words are those that somebody has to read before they can act: all texts and labels, but for the buttons of the cards
that one holds. A card in text form is no word.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from bot.ui.preferences import CardStyle
from cogs.screens import custom_ids
from discord_sandbox.browser import Tab
from tests.gallery.drawing import HEIGHT, WIDTHS
from tests.gallery.scene import Kind, Scene, Shown
from tests.languages.comparing import cuts

MOST_WORDS: Final = 40
"""Of a hand."""
MOST_CONTROLS: Final = 5
"""Of any message, beyond the buttons of cards."""
TALLEST_HAND, TALLEST_IN_WORDS, TALLEST_RESULT = 700, 800, 640
"""Pixels on a phone."""
TALLEST_BOARD, ANOTHER_SEAT = 420, 35
"""Pixels of a board of two, and what each further seat adds: 560 with six."""

NO_CARD: Final = "none"
"""The line of a list of a race's cards that has none now."""
_BUTTON, _LISTS, _TEXT = 2, frozenset({3, 5, 6, 8}), 10
_WORD = re.compile(r"[^\W_]")
_MARKUP = re.compile(r"<a?:\w+:\d+>|`[^`\n]*`|https?://\S+|[*>#]+|^-#", re.MULTILINE)
"""A box of code is a card in text form."""
_SUITS = re.compile("[♣♦♥♠]")
_HEIGHTS = """async messages => {
    const shown = document.querySelector("ol.messages");
    const list = shown.parentElement.insertBefore(shown.cloneNode(false), shown);
    shown.style.display = "none";
    list.innerHTML = messages.join("").replaceAll('loading="lazy"', "");
    const pictures = [...list.querySelectorAll("img")].filter(image => !image.complete);
    await Promise.all(pictures.map(image => new Promise(done => { image.onload = image.onerror = done; })));
    const tall = [...list.children].map(message => message.getBoundingClientRect().height);
    list.remove();
    shown.style.display = "";
    return tall;
}"""


@dataclass(frozen=True, slots=True)
class Measured:
    """A message of a scene, and its measures. `heights` are pixels by the width of the window."""

    scene: Scene
    shown: Shown
    heights: dict[int, float]
    words: int
    controls: int
    disabled: int
    beyond_cards: int

    @property
    def where(self) -> str:
        """What finds it in the gallery."""
        return f"{self.scene.group}: {self.scene.title} ({self.scene.form}), {self.shown.caption}"

    @property
    def tallest(self) -> float | None:
        """How tall it may be on a phone; None if only its controls are limited."""
        kind, seats = self.shown.kind, self.shown.seats
        if kind is Kind.OTHER:
            return None
        if self.scene.form == CardStyle.WORDS.value:  # for somebody who hears it; a result tells every card of all
            return None if kind is Kind.RESULT else TALLEST_IN_WORDS
        if kind is Kind.BOARD:
            return TALLEST_BOARD + ANOTHER_SEAT * (seats - 2)
        return TALLEST_RESULT if kind is Kind.RESULT else TALLEST_HAND

    def over(self) -> Iterator[str]:
        """The limits that it is over, each in a few words."""
        height = self.heights[min(self.heights)]
        if self.tallest is not None and round(height) > self.tallest:
            yield f"{height:.0f} of {self.tallest} px"
        if self.shown.kind is Kind.HAND and self.words > MOST_WORDS and self.scene.form != CardStyle.WORDS.value:
            yield f"{self.words} of {MOST_WORDS} words"
        if self.beyond_cards > MOST_CONTROLS:
            yield f"{self.beyond_cards} of {MOST_CONTROLS} controls"
        yield from cuts(self.shown.message["components"])


async def measure(tab: Tab, scenes: Iterable[Scene], drawn: Sequence[str]) -> list[Measured]:
    """The measures of all messages of a gallery, which `drawn` has as HTML."""
    heights: dict[int, list[float]] = {}
    for width in WIDTHS:
        await tab.page.set_viewport_size({"width": width, "height": HEIGHT})
        heights[width] = await tab.page.evaluate(_HEIGHTS, [*drawn])
    found: list[Measured] = []
    for scene in scenes:
        for shown in scene.shown:
            place = len(found)
            tall = {width: of_width[place] for width, of_width in heights.items()}
            found.append(Measured(scene, shown, tall, *counted(shown)))
    return found


def counted(shown: Shown) -> tuple[int, int, int, int]:
    """Words, controls, those of them that are disabled, and controls but for cards."""
    words = controls = disabled = beyond = 0
    for each in _components(shown.message["components"]):
        kind = each["type"]
        if kind == _TEXT:
            words += words_in(each["content"])
        elif kind == _BUTTON or kind in _LISTS:
            controls += 1
            disabled += each.get("disabled", False)
            if not _is_card(each, shown.cards):
                beyond += 1
                words += words_in(each.get("label", "") or each.get("placeholder", ""))
    return words, controls, disabled, beyond


def _components(components: Iterable[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    for each in components:
        yield each
        yield from _components(each.get("components", ()))


def _is_card(control: dict[str, Any], cards: Collection[str]) -> bool:
    """Whether a control is a card that one holds, or a list of some: items to pick, or one of the acts of a race that
    place a card."""
    if "custom_id" not in control:
        return False
    _, press = custom_ids.read(control["custom_id"])
    lines = [option["value"] for option in control.get("options", ())]
    acts = {custom_ids.offer_of(arg) for arg in (lines or [press.arg])}
    return press.verb == "p" or (press.verb == "a" and bool(cards) and not acts.isdisjoint({*cards, NO_CARD}))


def words_in(text: str) -> int:
    """How many words a text has, without cards, emojis and markup."""
    pieces = _MARKUP.sub(" ", text).split()
    return sum(1 for piece in pieces if _WORD.search(piece) and not _SUITS.search(piece))


def write_table(file: Path, measured: Iterable[Measured]) -> None:
    """Write the measures of all messages, a line each, with tabs between."""
    with file.open("w", encoding="utf-8", newline="") as opened:
        table = csv.writer(opened, delimiter="\t", lineterminator="\n")
        heights = [f"{width} px" for width in WIDTHS]
        table.writerow(
            (
                "game",
                "scene",
                "cards",
                "message",
                "kind",
                *heights,
                "words",
                "controls",
                "disabled",
                "not cards",
                "over",
            )
        )
        for each in measured:
            tall = [f"{each.heights[width]:.0f}" for width in WIDTHS]
            scene, shown = each.scene, each.shown
            named = scene.group, scene.title, scene.form, shown.caption, shown.kind.value
            counts = each.words, each.controls, each.disabled, each.beyond_cards
            table.writerow((*named, *tall, *counts, "; ".join(each.over())))


def summary(measured: Sequence[Measured]) -> Iterator[str]:
    """For each kind of message how many there are, how many are over a limit, and the worst."""
    for kind in Kind:
        of_kind = [each for each in measured if each.shown.kind is kind]
        if not of_kind:
            continue
        over = sum(1 for each in of_kind if any(each.over()))
        tall = max(of_kind, key=lambda each: each.heights[min(WIDTHS)])
        wordy = max(of_kind, key=lambda each: each.words)
        full = max(of_kind, key=lambda each: each.beyond_cards)
        yield f"{kind.value}: {len(of_kind)} messages, {over} over a limit"
        yield f"  tallest on a phone {tall.heights[min(WIDTHS)]:.0f} px: {tall.where}"
        yield f"  most words {wordy.words}: {wordy.where}"
        yield f"  most controls that are no cards {full.beyond_cards}: {full.where}"
