"""The documentation site: Sphinx reads the Markdown pages of this folder and those at the top of the project.

`make docs` builds it. Pages are plain Markdown, so that GitHub and editors show them too; the navigation is here.
The source folder is the project's own, because pages link to README.md and to one another by relative paths.
"""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from sphinx.application import Sphinx

project = "Cardroom"
html_title = "Cardroom"
html_theme = "furo"
html_static_path = ["site"]
html_css_files = ["site.css"]
html_copy_source = False
html_show_sphinx = False
html_show_copyright = False

extensions = ["myst_parser"]
suppress_warnings = ["misc.highlighting_failure"]  # real output may look like broken source to a highlighter
myst_heading_anchors = 3  # links name headings as GitHub does
root_doc = "README"
include_patterns = ["*.md", "docs/*.md", "docs/*/*.md", "sandbox/*.md", "sandbox/docs/*.md"]
exclude_patterns = [".*", "bot", "build", "cogs", "data", "dist", "engines", "laws", "tests"]

NAVIGATION: Final = {
    "Play": [
        "docs/rules/*",
        "docs/players-and-hosts",
        "docs/how-we-count",
        "docs/fair-deals",
        "docs/promises",
        "docs/privacy",
        "docs/terms",
    ],
    "Run a bot": [
        "docs/operating",
        "docs/data",
        "docs/watching",
        "docs/settings",
        "docs/limits",
        "docs/metrics",
        "docs/scaling",
    ],
    "Build on it": [
        "docs/architecture",
        "docs/rooms",
        "sandbox/README",
        "sandbox/docs/reference",
        "sandbox/CHANGELOG",
        "docs/adding-a-game",
        "docs/changing-rules",
        "docs/art",
        "docs/style",
        "docs/translating",
        "docs/languages",
        "docs/benchmarks",
        "docs/computer-players",
        "docs/balance",
        "docs/faults",
    ],
    "Rulings": ["docs/rulings/*"],
    "Decisions": ["docs/decisions/README", "docs/decisions/0*"],
    "Project": ["[A-Z]*"],
}
"""Every page of the site, by section. Sphinx warns of a page that no entry reaches, and `make docs` then fails."""


def _add_navigation(_app: Sphinx, page: str, source: list[str]) -> None:
    """Give the home page the navigation. README.md itself stays free of directives, which GitHub would print."""
    if page == root_doc:
        sections = (
            f"\n```{{toctree}}\n:hidden:\n:glob:\n:caption: {caption}\n"
            + "".join(f"/{entry}\n" for entry in pages)
            + "```\n"
            for caption, pages in NAVIGATION.items()
        )
        source[0] += "".join(sections)


def _name_home(app: Sphinx, error: Exception | None) -> None:
    """Web servers look for index.html."""
    if error is None:
        shutil.copyfile(Path(app.outdir) / f"{root_doc}.html", Path(app.outdir) / "index.html")


def setup(app: Sphinx) -> None:
    """Connect both to the build."""
    app.connect("source-read", _add_navigation)
    app.connect("build-finished", _name_home)
