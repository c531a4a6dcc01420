"""Pictures as people see them: smaller, on a background, through colour-blind eyes; and how far apart two are."""

from __future__ import annotations

import math
from array import array
from collections.abc import Sequence
from typing import Final, TypeAlias

from PIL import Image

from bot.art.sheet import Sheet

Plane: TypeAlias = list[list[float]]
"""One channel of a picture, row by row."""

View: TypeAlias = tuple[Plane, Plane, Plane]
"""A picture on a background: red, green and blue, from 0 to 255."""

STAGE: Final = 48
"""Discord's picture server makes emojis this size first; the client then shows them at 22."""

_LINEAR: Final = tuple(
    value / 255 / 12.92 if value <= 10 else ((value / 255 + 0.055) / 1.055) ** 2.4 for value in range(256)
)

DEFICIENCIES: Final = {
    "deuteranopia": ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.01182, 0.04294, 0.968881)),
    "protanopia": ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998)),
    "tritanopia": ((1.255528, -0.076749, -0.178779), (-0.078411, 0.930809, 0.147602), (0.004733, 0.691367, 0.3039)),
}
"""Colour blindness at full severity, as matrices on linear light (Machado, Oliveira and Fernandes 2009)."""


def resized(plane: Plane, width: int, height: int) -> Plane:
    """A channel in another size (Lanczos)."""
    values = array("f", [value for row in plane for value in row])
    image = Image.frombytes("F", (len(plane[0]), len(plane)), values.tobytes())
    found = array("f", image.resize((width, height), Image.Resampling.LANCZOS).tobytes()).tolist()
    return [found[at : at + width] for at in range(0, len(found), width)]


def smaller(image: Sheet, width: int) -> tuple[Plane, Plane, Plane, Plane]:
    """A picture's red, green and blue times its opacity, and its opacity, at a width, as Discord makes it smaller."""
    height = round(image.height * width / image.width)
    planes = []
    for channel in range(4):
        values = [colour[channel] * (colour[3] / 255 if channel < 3 else 1) for colour in image.palette]
        plane = [
            [values[pixel] for pixel in image.pixels[at : at + image.width]]
            for at in range(0, len(image.pixels), image.width)
        ]
        if width < STAGE < image.width:
            plane = resized(plane, STAGE, round(image.height * STAGE / image.width))
        if width != len(plane[0]):
            plane = resized(plane, width, height)
        planes.append(plane)
    red, green, blue, opacity = planes
    return red, green, blue, opacity


def on_background(planes: Sequence[Plane], background: str) -> View:
    """A picture of `smaller` on a background such as ``#313338``."""
    *channels, opacity = planes
    under = [int(background[at : at + 2], 16) for at in (1, 3, 5)]
    red, green, blue = (
        [
            [
                min(max(value + base * (1 - share / 255), 0.0), 255.0)
                for value, share in zip(row, opacities, strict=True)
            ]
            for row, opacities in zip(channel, opacity, strict=True)
        ]
        for channel, base in zip(channels, under, strict=True)
    )
    return red, green, blue


def light(view: View, matrix: Sequence[Sequence[float]] | None = None) -> list[float]:
    """A picture's linear light, 0 to 1, its three channels one after the other; through a deficiency's matrix."""
    red, green, blue = ([_LINEAR[round(value)] for row in plane for value in row] for plane in view)
    if matrix is None:
        return [*red, *green, *blue]
    return [
        min(max(share[0] * r + share[1] * g + share[2] * b, 0.0), 1.0)
        for share in matrix
        for r, g, b in zip(red, green, blue, strict=True)
    ]


def grey(view: View) -> list[float]:
    """A picture's luminance, 0 to 1."""
    values = light(view)
    third = len(values) // 3
    return [
        0.2126 * red + 0.7152 * green + 0.0722 * blue
        for red, green, blue in zip(values[:third], values[third : 2 * third], values[2 * third :], strict=True)
    ]


def distance(one: Sequence[float], other: Sequence[float]) -> float:
    """How far apart two pictures are: the root mean square of the difference in linear light."""
    return math.dist(one, other) / math.sqrt(len(one))
