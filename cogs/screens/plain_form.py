"""A message's components with cards and discs as text in the place of their emojis, for when Discord refuses these.

Emojis are named after their pictures (``queen_hearts_0c3f2a``), so nothing but the message is needed. The text is what
the engines call the card (C-7), which is the same in every language.
"""

from __future__ import annotations

import re
from typing import Any, Final, TypeAlias

from bot.ui.text_lines import EMOJI
from cogs.screens.card_text import DISCS

Component: TypeAlias = dict[str, Any]

_IN_A_ROW: Final = re.compile(rf"{EMOJI.pattern}(?: ?{EMOJI.pattern})*", re.ASCII)
_DIGEST: Final = re.compile(r"_[0-9a-f]{6}$")
_PLACE_OF_A_NUMBER: Final = "\u2012"

_RANKS: Final = {"ace": "A", "jack": "J", "queen": "Q", "king": "K"}
_SUITS: Final = {"clubs": "♣", "diamonds": "♦", "hearts": "♥", "spades": "♠"}
_FRENCH: Final = re.compile(r"(ace|[2-9]|10|jack|queen|king)_(clubs|diamonds|hearts|spades)")
_PLUS_MINUS: Final = re.compile(r"([0-9]+)_pm_([0-9])")
_DISC: Final = re.compile(r"seat_([1-6])")
_DIE: Final = re.compile(r"die_([0-9])(?:_icons_([0-9]))?(?:_([a-z]+))?")


def plain(components: list[Component]) -> list[Component]:
    """These components without emojis. They themselves stay as they are."""
    return [_plain(component) for component in components]


def _plain(component: Component) -> Component:
    made = dict(component)
    for parts in ("components", "options"):
        if parts in made:
            made[parts] = plain(made[parts])
    if "content" in made:
        made["content"] = _IN_A_ROW.sub(_named, made["content"])
    emoji = made.pop("emoji", None)
    if emoji is not None:
        said = str(made.get("label", "")).strip(_PLACE_OF_A_NUMBER)
        made["label"] = " ".join(filter(None, (_text(emoji["name"]), said)))
    return made


def _named(found: re.Match[str]) -> str:
    return " ".join(_text(emoji.strip("<>").split(":")[1]) for emoji in EMOJI.findall(found[0]))


def _text(emoji: str) -> str:
    """What a picture shows: ``Q♥``, ``9±3``, ``4·3⚡STEAL``, ``②``; of one that is no card's, its name."""
    name = _DIGEST.sub("", emoji)
    if french := _FRENCH.fullmatch(name):
        return f"{_RANKS.get(french[1], french[1])}{_SUITS[french[2]]}"
    if plus_minus := _PLUS_MINUS.fullmatch(name):
        return f"{plus_minus[1]}±{plus_minus[2]}"
    if die := _DIE.fullmatch(name):
        number, icons, special = die.groups()
        return number + (f"·{icons}" if icons else "") + (f"⚡{special.upper()}" if special else "")
    if disc := _DISC.fullmatch(name):
        return DISCS[int(disc[1]) - 1]
    return "🃏" if name == "joker" else name.replace("_", " ")
