"""The gallery is one file that shows its messages in every look, and loads nothing."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest
from playwright.async_api import Browser

from bot.languages import DEFAULT_LANGUAGE, languages
from bot.ui.preferences import CardStyle
from engines import GAMES
from tests.gallery.__main__ import make
from tests.gallery.drawing import LOOKS
from tests.gallery.scene import Kind
from tests.languages.comparing import twice
from tests.languages.made_up import LONGER, made_up_catalogue
from tests.shipped_languages import forget, ship

LONG: Final = [(LONGER, key) for key in GAMES]
REAL: Final = [(language, "haymaker") for language in languages() if language != DEFAULT_LANGUAGE]


@pytest.mark.nightly
@pytest.mark.parametrize(("language", "key"), [*LONG, *REAL])
async def test_every_screen_in_any_language_is_within_every_limit(tmp_path: Path, language: str, key: str) -> None:
    """The sandbox refuses what Discord does. Nothing is cut to that here, no label stands twice, and hands are no
    taller than in English, even in a language that is 45 % longer."""
    with pytest.MonkeyPatch.context() as patch:
        if language == LONGER:
            ship(tmp_path, patch, {LONGER: made_up_catalogue(LONGER)})
        measured = await make(tmp_path / f"{language}.html", language, games=(key,))
    forget()
    seen = [
        each for each in measured if each.scene.form != CardStyle.WORDS.value
    ]  # in words it is for one who hears it
    hands = [each for each in seen if each.shown.kind is Kind.HAND]
    assert [(each.where, over) for each in hands for over in each.over() if over.endswith("px")] == []
    assert [(each.where, over) for each in measured for over in each.over() if "cut" in over] == []
    assert [(each.where, label) for each in measured for label in twice(each.shown.message["components"])] == []


_DRAWN = """look => {
    const place = document.querySelector(`.look[data-look="${look}"]`);
    const row = place.shadowRoot.querySelector("li.message");
    const button = place.shadowRoot.querySelector(".button");
    const style = getComputedStyle(place);
    return {
        back: style.backgroundColor, width: place.offsetWidth, text: row.innerText, height: row.offsetHeight,
        button: button.offsetHeight, undrawn: place.shadowRoot.querySelectorAll(".unknown-component").length,
    };
}"""


async def test_a_gallery_shows_each_message_in_each_look_and_loads_nothing(browser: Browser, tmp_path: Path) -> None:
    file = tmp_path / "index.html"
    measured = await make(file, games=("haymaker",))
    hands = [each for each in measured if each.shown.kind is Kind.HAND]
    assert [(each.where, [*each.over()]) for each in hands if any(each.over())] == [], "hands are over no limit"
    scenes = {id(each.scene): each.scene for each in measured}.values()
    assert {scene.form for scene in scenes} == {style.value for style in CardStyle}
    context = await browser.new_context(viewport={"width": 2600, "height": 1200})
    page = await context.new_page()
    asked: list[str] = []
    troubles: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.on("pageerror", lambda error: troubles.append(str(error)))
    await page.goto(file.as_uri())
    await page.wait_for_function("document.querySelector('.look[data-look=\"3\"]').shadowRoot !== null")
    assert await page.locator("section").count() == len(scenes)
    assert await page.locator(".row").count() == len(measured)
    drawn = [await page.evaluate(_DRAWN, look) for look in range(len(LOOKS))]
    await context.close()
    assert troubles == []
    assert [address for address in asked if not address.startswith(("file:", "data:"))] == []
    assert len({each["text"] for each in drawn}) == 1
    assert all(each["height"] > each["button"] > 20 for each in drawn)
    assert not any(each["undrawn"] for each in drawn)
    phone_dark, phone_light, desktop_dark, desktop_light = drawn
    assert phone_dark["back"] == desktop_dark["back"] != phone_light["back"] == desktop_light["back"]
    assert round(measured[0].height) == phone_dark["height"]  # measured in the column of a whole page
    assert phone_dark["width"] == phone_light["width"] < desktop_dark["width"] == desktop_light["width"]
