"""Writes what people read of the code: `.env.example`, docs/settings.md, docs/limits.md, docs/metrics.md, the tables of
docs/benchmarks.md, docs/languages.md, docs/match.schema.json, and the README's line of languages.

`make reference` runs it. A setting's text is the docstring below its field; its default and bounds are those of the
field. A metric's text is the one that Prometheus shows.
"""

from __future__ import annotations

import ast
import itertools
import json
import re
import textwrap
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, get_args

from annotated_types import Ge, Le
from pydantic.fields import FieldInfo

from bot import budgets
from bot.languages import DEFAULT_LANGUAGE, LOCALES, language_for, languages, name_of
from bot.ops.metrics import Metrics
from bot.play.deals import match_export
from bot.settings import Settings
from engines import GAMES
from tools import capacity, language

ROOT: Final = Path(__file__).parents[1]
WIDTH: Final = 118

EXAMPLE_HEAD: Final = """\
# Cardroom's settings, written by `make reference`. Copy this file to .env and uncomment what you want to change. The
# environment overrides it. If a setting is wrong or unknown, the bot ends at once with exit code 78 and one line that
# names the key.
"""

SETTINGS_HEAD: Final = """\
# Settings

Written by `make reference` from `bot/settings.py`. The bot reads settings from the environment and from `.env`; the
environment wins. If one is unknown or wrong, every command ends with exit code 78 and one line that names the key, and
never its value. In brackets are the default and what else a setting may be.

"""

LIMITS_HEAD: Final = """\
# Limits

Written by `make reference` from `bot/budgets.py` and `bot/settings.py`: what one person, one channel and one server may
use. A limit is there to be shared, so somebody who has nothing in a full place is let in. If you reach one, you read
why, in private, and nothing is lost. The operator's are explained in [Settings](settings.md):

"""

METRICS_HEAD: Final = """\
# Metrics

Written by `make reference` from `bot/ops/metrics.py`. [Watching it](watching.md#health-and-metrics) says how to get
them, and which need an alarm. No label contains an id or a name.

"""


LANGUAGES_HEAD: Final = """\
# Languages

Written by `make reference` from `bot/languages.py` and `bot/locale`. In private you read the language of your own
Discord, in public the server's. What is missing is English. [Translating](translating.md) says how to begin a language.

"""
LANGUAGES_BEGIN, LANGUAGES_END = "<!-- languages, by `make reference` -->", "<!-- until here -->"


@dataclass(frozen=True)
class Setting:
    """A setting as operators read it: its key, its default as one writes it, what it may be, and its text."""

    key: str
    default: str
    allowed: str
    text: str


def settings() -> Iterator[Setting]:
    """Every setting, in the order of the class."""
    texts, defaults = texts_below_fields(), Settings()
    calculated = {"heartbeat_path": defaults.heartbeat_file, "person_key_path": defaults.person_key_file}
    for name, field in Settings.model_fields.items():
        default = calculated.get(name, getattr(defaults, name))
        yield Setting(field.alias or name, written(default), allowed(field), texts[name])


def texts_below_fields() -> dict[str, str]:
    """The docstring below each field of the settings, on one line."""
    tree = ast.parse((ROOT / "bot" / "settings.py").read_text(encoding="utf-8"))
    (made,) = (node for node in tree.body if isinstance(node, ast.ClassDef) and node.name == Settings.__name__)
    return texts_below(made.body)


def texts_below(body: Sequence[ast.stmt]) -> dict[str, str]:
    """The docstring below each annotated name, on one line."""
    found = {}
    for field, below in itertools.pairwise(body):
        match field, below:
            case ast.AnnAssign(target=ast.Name(id=name)), ast.Expr(value=ast.Constant(value=str(text))):
                found[name] = re.sub(r"\s+", " ", text)
            case _:
                pass
    return found


def written(default: object) -> str:
    """A default as it is written into `.env`; nothing for one that is not set."""
    match default:
        case None:
            return ""
        case bool():
            return "on" if default else "off"
        case float():
            return f"{default:g}"
        case _:
            return str(default)


def allowed(field: FieldInfo) -> str:
    """What a setting may be, if the class says so by bounds or a list."""
    if field.annotation is bool:
        return "on, off"
    if choices := [each for each in get_args(field.annotation) if isinstance(each, str)]:
        return ", ".join(choices)
    least = [bound.ge for bound in field.metadata if isinstance(bound, Ge)]
    most = [bound.le for bound in field.metadata if isinstance(bound, Le)]
    return f"{least[0]} to {most[0]:,}" if least and most else ""


def example() -> str:
    """The text of `.env.example`."""
    entries = (
        "\n".join(textwrap.wrap(f"# {each.text}", WIDTH, subsequent_indent="# ", break_long_words=False))
        + f"\n#{each.key}={each.default}\n"
        for each in settings()
    )
    return "\n".join((EXAMPLE_HEAD, *entries))


def settings_page() -> str:
    """The text of docs/settings.md."""
    entries = (
        f"- **`{each.key}`** ({'; '.join(filter(None, (each.default or 'not set', each.allowed)))}): {each.text}\n"
        for each in settings()
    )
    return SETTINGS_HEAD + "".join(entries)


def limits_page() -> str:
    """The text of docs/limits.md."""
    texts = texts_below(ast.parse((ROOT / "bot" / "budgets.py").read_text(encoding="utf-8")).body)
    limits = [each for each in settings() if "_MAX_" in each.key or each.key.endswith(("_PER_SECOND", "_PER_MINUTE"))]
    keys = [f"- `{each.key}`: {each.default}\n" for each in limits if "EDITS" not in each.key]
    entries = [
        f"- **{name.lower().replace('_', ' ')}** ({vars(budgets)[name]:,}): {text}\n" for name, text in texts.items()
    ]
    return LIMITS_HEAD + "".join(keys) + "\nThe others are the same in every bot:\n\n" + "".join(entries)


def metrics_page() -> str:
    """The text of docs/metrics.md."""
    endings = {"counter": "_total"}
    entries = (
        f"- **`{each.name}{endings.get(each.type, '')}`**: {each.documentation}.\n" for each in Metrics().families()
    )
    return METRICS_HEAD + "".join(entries)


def languages_page() -> str:
    """The text of docs/languages.md."""
    shares = {each: language.share(each) for each in languages()}
    read = {
        each: [code for code in LOCALES if (language_for(code, shares) or DEFAULT_LANGUAGE) == each] for each in shares
    }
    lines = ["| language | sentences | rules pages | Discord in |", "|---|---|---|---|"]
    for each, done in shares.items():
        codes = ", ".join(f"`{code}`" for code in read[each])
        lines.append(f"| {name_of(each)} (`{each}`) | {done.percent} % | {done.rules} of {len(GAMES)} | {codes} |")
    return LANGUAGES_HEAD + "\n".join(lines) + "\n"


def readme() -> str:
    """The text of README.md with how much of each language is done."""
    shares = {each: language.share(each).percent for each in languages()}
    done = ", ".join(f"{name_of(each)} {percent} %" for each, percent in sorted(shares.items(), key=_most_done))
    inside = re.compile(f"{re.escape(LANGUAGES_BEGIN)}.*?{re.escape(LANGUAGES_END)}", re.DOTALL)
    text = f"{LANGUAGES_BEGIN}\n{textwrap.fill(done, 130)}\n{LANGUAGES_END}"
    return inside.sub(lambda _: text, (ROOT / "README.md").read_text(encoding="utf-8"))


def _most_done(share: tuple[str, int]) -> tuple[int, bool, str]:
    return -share[1], share[0] != DEFAULT_LANGUAGE, share[0]


def match_schema() -> str:
    """The text of docs/match.schema.json, the JSON Schema of exported matches."""
    return json.dumps(match_export.schema(), indent=2) + "\n"


WRITTEN: Final[Mapping[str, Callable[[], str]]] = {
    ".env.example": example,
    "docs/settings.md": settings_page,
    "docs/metrics.md": metrics_page,
    "docs/limits.md": limits_page,
    "docs/benchmarks.md": capacity.written,
    "docs/languages.md": languages_page,
    "docs/match.schema.json": match_schema,
    "README.md": readme,
}
"""Each file, and what makes its text."""


def main() -> None:
    """Write the files."""
    for name, text in WRITTEN.items():
        (ROOT / name).write_text(text(), encoding="utf-8")


if __name__ == "__main__":
    main()
