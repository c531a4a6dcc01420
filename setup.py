"""The packages of the distribution; everything else about it stands in pyproject.toml.

The players' rules and the rulings live in docs/, where people look for them, and are installed as `bot.docs.*`, where
`bot.ui.catalogue` finds them. Declared packages and found ones cannot be mixed in pyproject.toml, hence this file.
"""

from setuptools import find_packages, setup

PACKAGES = ("bot", "cogs", "engines", "laws")
DOCS = {"bot.docs.rules": "docs/rules", "bot.docs.rulings": "docs/rulings"}

setup(
    packages=[
        *find_packages(include=[f"{name}{rest}" for name in PACKAGES for rest in ("", ".*")]),
        *DOCS,
    ],
    package_dir=DOCS,
)
