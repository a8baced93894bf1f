"""Colours of the Palermo board."""

from __future__ import annotations

from render.kit.palette import INK, RGB, dark, light, mix

SEATS: dict[str, RGB] = {
    "red": (208, 34, 44),
    "blue": (0, 96, 184),
    "green": (62, 182, 128),
    "yellow": (250, 214, 40),
    "black": (30, 30, 34),
}
"""Players; every piece also has its owner's shape and letter."""

ROOFS: tuple[RGB, ...] = ((196, 122, 84), (186, 110, 76), (204, 134, 94))
"""Three tones of clay tiles, so that neighbouring houses differ."""
ROOF_LINE: RGB = dark((170, 96, 62), 0.18)
EAVE: RGB = (110, 58, 40)
STREET: RGB = (244, 233, 210)
STREET_LINE: RGB = (228, 214, 186)
SHADOW: RGB = (214, 198, 170)
ROAD: RGB = (206, 203, 198)
ROAD_LINE: RGB = (184, 180, 174)
ROAD_TEXT: RGB = (92, 88, 84)
CORNER: RGB = (176, 178, 186)
GRASS: RGB = (214, 224, 188)
GRASS_LINE: RGB = (184, 198, 152)
GRASS_TEXT: RGB = (132, 150, 98)
PLAZA: RGB = (228, 226, 232)
PLAZA_LINE: RGB = (206, 204, 214)
WATER: RGB = (92, 172, 214)
WATER_RIM: RGB = (150, 148, 160)
SLATE: RGB = (62, 70, 88)
"""Body of a police stone."""
SEAM: RGB = mix(STREET, INK, 0.22)
"""Line between two spaces."""
CLOTH: RGB = light(SLATE, 0.2)
