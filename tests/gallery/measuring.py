"""How tall each message of a gallery is, how many words it says, and how many buttons it has, beside the limits.

Words are those that somebody has to read before they can act: all texts and labels, but for the buttons of the cards
that one holds. A card in text form is no word.

Buttons are counted beyond those of cards: a card that is picked or placed, and an act that shows the cards that it is
about, such as "Keep J♦ J♠" or the answers of a lesson. A list is no button: it is one folded line, whatever it offers.
So the settings of a server are a list each.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

from bot.ui.preferences import CardStyle
from cogs.screens import custom_ids
from cogs.screens.presenter import Racing
from discord_sandbox.browser import Tab
from engines import GAMES
from tests.gallery.drawing import HEIGHT, WIDTHS
from tests.gallery.scene import Kind, Scene, Shown
from tests.games.cases import case_of
from tests.languages.comparing import cuts

MOST_WORDS: Final = 40
"""Of a hand."""
MOST_ALONE: Final = 46
"""Of a hand without a board with two players: it is the board as well, so it says what the other holds, how much there
is to draw, and that there is no clock."""
WITH_ANOTHER: Final = 9
"""What each further seat adds: a player's line of CIQ."""
MOST_BUTTONS: Final = 5
"""Of any message, beyond those of cards."""
MOST_WITHOUT_BOARD: Final = 6
"""Of a hand without a board, such as that of practice: it has *More…* itself, which elsewhere is on the board."""
TALLEST_HAND, TALLEST_IN_WORDS, TALLEST_RESULT = 700, 800, 640
"""Pixels on a phone; of hands and boards for somebody who hears them, whatever else they may be. A result in words
tells every card of all, and has no limit."""
TALLEST_ALONE_IN_WORDS: Final = 860
"""Of a hand without a board for them, which has three more lines than others: the other player, the draw pile, and that
there is no clock."""
TALLEST_BOARD, ANOTHER_SEAT = 420, 35
"""Pixels of a board of two, and what each further seat adds: 560 with six."""

NO_CARD: Final = "none"
"""The line of a list of a race's cards that has none now."""
_BUTTON, _LISTS, _TEXT = 2, frozenset({3, 5, 6, 8}), 10
_WORD = re.compile(r"[^\W_]")
_MARKUP = re.compile(r"<a?:\w+:\d+>|`[^`\n]*`|https?://\S+|[*>#]+|^-#", re.MULTILINE)
"""A box of code is a card in text form."""
_SUITS = re.compile("[♣♦♥♠]")
_CARD = re.compile("[♣♦♥♠🃏±]")
"""In the label of a button that is about a card."""
_RACES: Final = [case.presenter for case in map(case_of, GAMES) if isinstance(case.presenter, Racing)]
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
    """A message of a scene, and its measures: `height` is in pixels on a phone."""

    scene: Scene
    shown: Shown
    height: float
    words: int
    buttons: int

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
        if self.scene.form == CardStyle.WORDS.value:
            tallest = {Kind.RESULT: None, Kind.HAND_ALONE: TALLEST_ALONE_IN_WORDS}
            return tallest.get(kind, TALLEST_IN_WORDS)
        if kind is Kind.BOARD:
            return TALLEST_BOARD + ANOTHER_SEAT * (seats - 2)
        return TALLEST_RESULT if kind is Kind.RESULT else TALLEST_HAND

    @property
    def most_words(self) -> int | None:
        """How many words it may say; None if they are not limited."""
        if self.scene.form == CardStyle.WORDS.value:
            return None
        most = {Kind.HAND: MOST_WORDS, Kind.HAND_ALONE: MOST_ALONE + WITH_ANOTHER * (self.shown.seats - 2)}
        return most.get(self.shown.kind)

    @property
    def most_buttons(self) -> int:
        """How many buttons it may have beyond those of cards."""
        controls = [each for each in _components(self.shown.message["components"]) if "custom_id" in each]
        verbs = {custom_ids.read(each["custom_id"])[1].verb for each in controls}
        return MOST_WITHOUT_BOARD if verbs >= {"explain", "more"} else MOST_BUTTONS

    def over(self) -> Iterator[str]:
        """The limits that it is over, each in a few words."""
        if self.tallest is not None and round(self.height) > self.tallest:
            yield f"{self.height:.0f} of {self.tallest} px"
        if self.most_words is not None and self.words > self.most_words:
            yield f"{self.words} of {self.most_words} words"
        if self.buttons > self.most_buttons:
            yield f"{self.buttons} of {self.most_buttons} buttons"
        yield from cuts(self.shown.message["components"])


async def measure(tab: Tab, scenes: Iterable[Scene], drawn: Sequence[str]) -> list[Measured]:
    """The measures of all messages of a gallery, which `drawn` has as HTML."""
    await tab.page.set_viewport_size({"width": min(WIDTHS), "height": HEIGHT})
    heights: list[float] = await tab.page.evaluate(_HEIGHTS, [*drawn])
    messages = [(scene, shown) for scene in scenes for shown in scene.shown]
    return [
        Measured(scene, shown, height, *counted(shown))
        for (scene, shown), height in zip(messages, heights, strict=True)
    ]


def counted(shown: Shown) -> tuple[int, int]:
    """Words, and buttons but for those of cards."""
    words = buttons = 0
    for each in _components(shown.message["components"]):
        kind = each["type"]
        if kind == _TEXT:
            words += words_in(each["content"])
        elif (kind == _BUTTON or kind in _LISTS) and not _is_card(each):
            words += words_in(each.get("label", "") or each.get("placeholder", ""))
            buttons += kind == _BUTTON and not _shows_card(each)
    return words, buttons


def _components(components: Iterable[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    for each in components:
        yield each
        yield from _components(each.get("components", ()))


def _is_card(control: dict[str, Any]) -> bool:
    """Whether a control is a card that one holds, or a list of some: items to pick, or one of the acts of a race that
    place a card."""
    if "custom_id" not in control:
        return False
    _, press = custom_ids.read(control["custom_id"])
    lines = [option["value"] for option in control.get("options", ())]
    acts = {custom_ids.offer_of(arg) for arg in (lines or [press.arg])}
    return press.verb == "p" or (press.verb == "a" and any(map(_places_card, acts)))


def _places_card(act: str) -> bool:
    return act == NO_CARD or any(race.is_card(act) for race in _RACES)


def _shows_card(button: dict[str, Any]) -> bool:
    """Whether the label or the emoji of a button is one of a card."""
    return "emoji" in button or _CARD.search(button.get("label", "")) is not None


def words_in(text: str) -> int:
    """How many words a text has, without cards, emojis and markup."""
    pieces = _MARKUP.sub(" ", text).split()
    return sum(1 for piece in pieces if _WORD.search(piece) and not _SUITS.search(piece))
