"""The drawings in docs/pictures show the packages and modules that there are."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

ROOT = Path(__file__).parents[2]
PICTURES = ROOT / "docs" / "pictures"
SVG = "{http://www.w3.org/2000/svg}"


def names(element: ET.Element) -> list[str]:
    """The names of packages and modules in a drawing or a part of it, in the order in which they are drawn."""
    return [text.text or "" for text in element.iter(f"{SVG}text") if "name" in text.get("class", "").split()]


def drawn() -> dict[str, list[str]]:
    """What the drawing of the packages shows in each box, by the box's dotted name; a folder's name ends with `/`."""
    picture = ET.parse(PICTURES / "packages.svg").getroot()
    return {box.get("id", ""): names(box)[1:] for box in picture.iter(f"{SVG}g")}


def contracts() -> dict[str, list[str]]:
    """The packages of each container of the import contracts, top to bottom."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    found = {}
    for contract in project["tool"]["importlinter"]["contracts"]:
        for container in contract.get("containers", ()):
            layers = [name for layer in contract["layers"] for name in re.split(r" [|:] ", layer)]
            folders = {name: ROOT / container.replace(".", "/") / name for name in layers}
            # All rooms are one line of the drawing: they have a guide each.
            found[container] = [name for name in layers if folders[name].is_dir() and not _is_room(folders[name])]
    return found


def _is_room(folder: Path) -> bool:
    return (folder / "GUIDE.md").exists()


def test_every_top_package_has_a_box() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    tops = set(project["tool"]["importlinter"]["root_packages"]) - {"tests", "tools"}
    assert tops <= {box.rpartition(".")[2] for box in drawn()}


@pytest.mark.parametrize("container", sorted(drawn().keys() & contracts().keys()))
def test_every_package_of_a_contract_is_drawn_in_its_order(container: str) -> None:
    folders = [name.removesuffix("/") for name in drawn()[container] if name.endswith("/")]
    assert [name for name in folders if name in contracts()[container]] == contracts()[container]


@pytest.mark.parametrize("container", sorted(contracts()))
def test_every_package_of_a_contract_is_named(container: str) -> None:
    shown = (PICTURES / "packages.svg").read_text(encoding="utf-8")
    assert [name for name in contracts()[container] if f"{name}/" not in shown] == []


@pytest.mark.parametrize("container", sorted(drawn()))
def test_everything_drawn_is_there(container: str) -> None:
    folder = ROOT / container.replace(".", "/")
    for name in drawn()[container]:
        assert list(folder.glob(name.removesuffix("/"))), f"{container} has no {name}"


def test_every_module_on_a_press_s_way_is_there() -> None:
    way = names(ET.parse(PICTURES / "press.svg").getroot())
    assert len(way) >= 8
    for name in way:
        found = [*ROOT.glob(f"bot/{name}"), *ROOT.glob(f"cogs/{name}"), *ROOT.glob(name.replace("<game>", "*"))]
        assert found, f"there is no {name}"
