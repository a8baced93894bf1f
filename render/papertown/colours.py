"""Colours of Papertown's Blocks, ground and meeples."""

from __future__ import annotations

from render.kit.palette import RGB

KINDS: dict[str, RGB] = {
    "C": (244, 177, 66),
    "G": (236, 224, 196),
    "R": (226, 116, 88),
    "I": (150, 160, 172),
    "P": (132, 184, 92),
    "L": (98, 178, 222),
}
"""Ground of each kind; letter and drawing tell them apart without colour, too."""

MAT: RGB = (214, 226, 212)
"""The mat under the city."""
LOT: RGB = (226, 235, 223)
"""An empty cell beside the city."""
STREET: RGB = (168, 186, 166)
"""Edges of empty cells."""
NAME: RGB = (66, 84, 70)
"""Names of empty cells."""
SEAL: RGB = (44, 48, 66)
"""Back of an objective tile."""
FOIL: RGB = (240, 200, 96)
"""Foil stamp on an objective tile."""
OPEN: RGB = (255, 240, 160)
"""An empty cell where the Block may go."""
CREAM: RGB = (255, 249, 232)
"""Light paper in the drawings."""
RUST: RGB = (176, 66, 44)
LEAF: RGB = (62, 122, 58)
LEAF_LIGHT: RGB = (108, 168, 76)
BARK: RGB = (118, 82, 52)
STEEL: RGB = (92, 102, 116)
DEEP: RGB = (32, 104, 156)

SEATS: dict[str, RGB] = {
    "blue": (20, 96, 170),
    "grey": (176, 180, 186),
    "purple": (140, 60, 150),
    "yellow": (246, 214, 48),
}
"""Meeples of the four colours, dark and light in turn."""
