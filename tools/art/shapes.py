"""Drawings as SVG: filled shapes and stroked lines, nothing else. No text elements, so no fonts."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

Point: TypeAlias = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Drawing:
    """A picture by its name: its size in units, which are pixels at scale 1, and its SVG elements in order."""

    name: str
    width: float
    height: float
    elements: tuple[str, ...]

    @property
    def svg(self) -> str:
        """The whole SVG file."""
        size = f'viewBox="0 0 {units(self.width)} {units(self.height)}"'
        return f'<svg xmlns="http://www.w3.org/2000/svg" {size}>{"".join(self.elements)}</svg>'


@dataclass(frozen=True, slots=True)
class Box:
    """A rectangle to draw in: its top left corner, width and height."""

    x: float
    y: float
    width: float
    height: float

    @classmethod
    def around(cls, x: float, y: float, width: float, height: float | None = None) -> Box:
        """The box with this centre; a square if no height is given."""
        height = width if height is None else height
        return cls(x - width / 2, y - height / 2, width, height)

    def inset(self, by: float) -> Box:
        """The box without a border of this width."""
        return Box(self.x + by, self.y + by, self.width - 2 * by, self.height - 2 * by)


def units(value: float) -> str:
    """A length as SVG writes it, to a hundredth, so that no platform's rounding shows."""
    return f"{round(value, 2) + 0.0:g}"


def fitted(path: str, size: Point, box: Box) -> str:
    """A path that was drawn from 0, 0 to `size`, stretched into a box. It has absolute points only (M, L, C, Q, Z)."""
    across, down = box.width / size[0] if size[0] else 0, box.height / size[1]
    found: list[str] = []
    vertical = False
    for word in path.split():
        if word.isalpha():
            found.append(word)
            continue
        value = float(word)
        found.append(units(box.y + value * down if vertical else box.x + value * across))
        vertical = not vertical
    return " ".join(found)


def fill(path: str, ink: str) -> str:
    """A filled path."""
    return f'<path d="{path}" fill="{ink}"/>'


def line(path: str, ink: str, width: float) -> str:
    """A stroked path with round ends and corners."""
    return (
        f'<path d="{path}" fill="none" stroke="{ink}" stroke-width="{units(width)}"'
        ' stroke-linecap="round" stroke-linejoin="round"/>'
    )


def sharp_line(path: str, ink: str, width: float) -> str:
    """A stroked path with flat ends and pointed corners."""
    return f'<path d="{path}" fill="none" stroke="{ink}" stroke-width="{units(width)}"/>'


def disc(x: float, y: float, radius: float, ink: str) -> str:
    """A filled circle."""
    return f'<circle cx="{units(x)}" cy="{units(y)}" r="{units(radius)}" fill="{ink}"/>'


def ring(x: float, y: float, radius: float, ink: str, width: float) -> str:
    """A circle's line; the radius is that of the line's middle."""
    circle = f'<circle cx="{units(x)}" cy="{units(y)}" r="{units(radius)}" fill="none"'
    return f'{circle} stroke="{ink}" stroke-width="{units(width)}"/>'


def rectangle(box: Box, radius: float, ink: str) -> str:
    """A filled rectangle with rounded corners."""
    place = f'x="{units(box.x)}" y="{units(box.y)}" width="{units(box.width)}" height="{units(box.height)}"'
    return f'<rect {place} rx="{units(radius)}" fill="{ink}"/>'


def framed(box: Box, radius: float, face: str, edge: str, width: float) -> str:
    """A filled rectangle with a line along its inside."""
    return rectangle(box, radius, edge) + rectangle(box.inset(width), max(radius - width, 0), face)


def polygon(points: Iterable[Point]) -> str:
    """The path of a polygon."""
    return "M " + " L ".join(f"{units(x)} {units(y)}" for x, y in points) + " Z"


def star(box: Box, inner: float) -> Sequence[Point]:
    """The corners of a five-pointed star whose outer circle fills a square box; `inner` is the inner radius's share."""
    x, y, outer = box.x + box.width / 2, box.y + box.height / 2, box.width / 2
    return [
        (
            x + outer * (inner if corner % 2 else 1) * math.sin(corner * math.pi / 5),
            y - outer * (inner if corner % 2 else 1) * math.cos(corner * math.pi / 5),
        )
        for corner in range(10)
    ]
