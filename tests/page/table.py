"""Matches in tabs: challenged, accepted and played by what the page shows, whichever game it is."""

from __future__ import annotations

import asyncio
import random
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from playwright.async_api import Locator, expect

from bot.ui.catalogue import Translations, translations
from cogs.screens import custom_ids
from discord_sandbox.browser import Tab
from tests.end_to_end.players import is_picked

say = translations("en")
MOST_PRESSES = 3000
LOOK_AGAIN = 0.03
"""Seconds between two looks at a table where nobody may do anything yet."""

_YOURS = re.compile("your", re.IGNORECASE)
_LOOK = """() => {
    const hand = [...document.querySelectorAll('li.message.ephemeral')].at(-1);
    if (!hand) return {text: '', offers: []};
    const labelled = (button) => {
        const label = button.innerText.trim(), picture = button.querySelector('.emoji.custom');
        if (!picture) return label;
        return `${button.classList.contains('primary') ? '●' : '○'} ${picture.alt} ${label}`.trim();
    };
    const buttons = [...hand.querySelectorAll('.content .button:enabled')].map(
        button => ({label: labelled(button), id: button.dataset.customId ?? '', option: null}));
    const selects = [...hand.querySelectorAll('.select-button:enabled')].flatMap(opener => {
        opener.click();
        const options = [...opener.parentElement.querySelectorAll('.select-option')];
        const found = options.map((option, index) => (
            {label: option.innerText.trim(), id: opener.dataset.customId, option: index}));
        opener.click();
        return found;
    });
    return {text: hand.querySelector('.content').innerText, offers: [...buttons, ...selects]};
}"""
_PRESS = """async ({id, option}) => {
    const atRest = async () => {
        for (let look = 0; look < 6000 && document.querySelector('.content.held'); look += 1)
            await new Promise(done => setTimeout(done, 5));
    };
    await atRest();
    const hand = [...document.querySelectorAll('li.message.ephemeral')].at(-1);
    const control = hand.querySelector(`[data-custom-id="${CSS.escape(id)}"]:enabled`);
    if (!control) return false;
    control.click();
    if (option !== null) control.parentElement.querySelectorAll('.select-option')[option].click();
    await atRest();
    return true;
}"""


@dataclass(frozen=True)
class Offer:
    """A button of a hand, or an option of one of its selects. The label of an emoji has the mark that cards have in
    text."""

    label: str
    id: str
    option: int | None

    @property
    def verb(self) -> str:
        """What kind of press it is: `a` and `d` make a move, `p` picks, `o` and `c` turn the hand over and back."""
        return custom_ids.read(self.id)[1].verb


Choice: TypeAlias = Callable[[str, Sequence[Offer], random.Random], Offer | None]
"""What a player does with a hand's text and what it offers; None to wait."""


def board(tab: Tab) -> Locator:
    """The match's public message."""
    return tab.page.locator("li.message:not(.ephemeral)").last


def hand(tab: Tab) -> Locator:
    """The newest message that only this person sees."""
    return tab.page.locator("li.message.ephemeral").last


def is_on(tab: Tab, words: Translations = say) -> Locator:
    """The button that a board has while it is played on. `words` are the server's."""
    return board(tab).get_by_role("button", name=words("button.my_cards"))


async def sit_down(host: Tab, guest: Tab, line: str = "/haymaker challenge opponent:@Bob") -> None:
    """Challenge, accept, and take up both hands."""
    await host.enter(line)
    await guest.button("Accept").click()
    for tab in (host, guest):
        await take_up(tab)


async def take_up(tab: Tab) -> None:
    """Open one's hand. As in any client, a click is lost if the board is drawn anew in the middle of it."""
    await is_on(tab).click()
    try:
        await expect(hand(tab)).to_contain_text(_YOURS, timeout=10_000)
    except AssertionError:
        await is_on(tab).click()
        await expect(hand(tab)).to_contain_text(_YOURS)


async def look(tab: Tab) -> tuple[str, list[Offer]]:
    """The hand's text, and what it offers."""
    seen = await tab.page.evaluate(_LOOK)
    offers = [Offer(**each) for each in seen["offers"]]
    return seen["text"], [offer for offer in offers if offer.id]


async def press(tab: Tab, offer: Offer) -> bool:
    """Press something of the hand and wait for its answer; whether it was still there."""
    pressed: bool = await tab.page.evaluate(_PRESS, {"id": offer.id, "option": offer.option})
    return pressed


def anything(_text: str, offers: Sequence[Offer], rng: random.Random) -> Offer | None:
    """A move where one is whole, or more picks towards one."""
    acts = [offer for offer in offers if offer.verb in "ad"]
    picks = [offer for offer in offers if offer.verb == "p" and not is_picked(offer.label)]
    turns = [offer for offer in offers if offer.verb == "o"]
    if acts and (not (picks or turns) or rng.random() < 0.5):
        return rng.choice(acts)
    others = [*picks, *turns] or [offer for offer in offers if offer.verb == "c"]
    return rng.choice(others) if others else None


def race(
    text: str, offers: Sequence[Offer], rng: random.Random, readers: Sequence[Translations] = (say,)
) -> Offer | None:
    """Ready and the cry before all; then a card that fits what is on top, or else a drawing. `readers` are the
    languages that the hand may be in."""
    by_label = {offer.label: offer for offer in offers}
    for key in ("ready", "dinner"):
        for words in readers:
            if (first := words(f"tivmiv.act.{key}")) in by_label:
                return by_label[first]
    top = next((found for words in readers if (found := _asked(words).search(text))), None)
    fitting = [offer for label, offer in by_label.items() if top and _value(label) in top.groups()]
    draws = [by_label[label] for words in readers if (label := words("tivmiv.act.draw")) in by_label]
    return rng.choice(fitting) if fitting else next(iter(draws), None)


def _asked(words: Translations) -> re.Pattern[str]:
    """What a race asks, with both values that fit in groups, as a page shows it."""
    asked = words("tivmiv.asked.race", top="TOP", down="VALUE", up="VALUE").replace("**", "")
    return re.compile(re.escape(asked).replace("TOP", ".+?").replace("VALUE", r"(\d+)").replace(r"\ ", r"\s+"))


def _value(label: str) -> str:
    """The value of the face on a button: `7±1`, or an emoji's name such as `○ :7_pm_1_0c3f2a: 2`."""
    emoji = label.partition(" :")[2]
    return emoji.partition("_")[0] if emoji else label.split("±", maxsplit=1)[0].strip()


async def play(
    tabs: Sequence[Tab], rng: random.Random, choose: Choice = anything, words: Translations = say, most: int = 0
) -> int:
    """Press what the hands offer until the board is no longer played on; the number of presses, or `most` of them.

    `words` are the server's. Raises AssertionError past `MOST_PRESSES`, counting each look at a table where nobody may
    do anything.
    """
    pressed = 0
    for _ in range(MOST_PRESSES):
        if not await is_on(tabs[0], words).count() or (most and pressed >= most):
            return pressed
        made = [await press_something(tab, rng, choose) for tab in tabs]
        pressed += sum(made)
        if not any(made):
            await asyncio.sleep(LOOK_AGAIN)
    raise AssertionError("the match does not end")


async def press_something(tab: Tab, rng: random.Random, choose: Choice = anything) -> bool:
    """Press one thing that the hand offers; whether there was one."""
    text, offers = await look(tab)
    offer = choose(text, offers, rng)
    return offer is not None and await press(tab, offer)


async def can_pick(tab: Tab, least: int) -> bool:
    """Whether the hand offers this many things to pick, and none is picked yet."""
    _, offers = await look(tab)
    picks = [offer for offer in offers if offer.verb == "p"]
    return len(picks) >= least and not any(is_picked(offer.label) for offer in picks)


async def pick_a_card(tab: Tab) -> None:
    """Press the first card that can be picked, so that the hand shows a selection."""
    _, offers = await look(tab)
    await press(tab, next(offer for offer in offers if offer.verb == "p"))
    _, offers = await look(tab)
    assert sum(is_picked(offer.label) for offer in offers) == 1
