"""What commands and their options are called in each language: as they are typed.

The English name is the key of the others: `name.play`. Discord sends the English one, whatever somebody typed.
"""

from __future__ import annotations

import re
from typing import Final

from bot.languages import DEFAULT_LANGUAGE
from bot.ui.catalogue import Translations, UnknownSentence

_NAME: Final = re.compile(r"[-_'\w\u0900-\u097f\u0e00-\u0e7f]{1,32}")
"""What Discord takes as a name. Devanagari and Thai have marks, which are no letters
(https://discord.com/developers/docs/interactions/application-commands#application-command-object-application-command-naming)."""


def is_name(name: str) -> bool:
    """Whether Discord takes this as a name of a command or option."""
    return bool(_NAME.fullmatch(name)) and name == name.lower()


def name_in(words: Translations, name: str, game: str = "") -> str:
    """What a command or option is called in a language: the name itself if the language has none for it.

    An option of a `game` of another package is called by the label that the package has for it.
    """
    for key in (f"name.{name}", f"{game}.name.{name}"):
        try:
            found = words(key)
        except UnknownSentence:
            continue
        if words.language != DEFAULT_LANGUAGE:
            made = found if key.startswith("name.") else found.lower().replace(" ", "_")
            return made if is_name(made) else name
    return name
