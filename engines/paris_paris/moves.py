"""The one decision of Paris Paris."""

from __future__ import annotations

from typing import Annotated, ClassVar

import msgspec

from engines.core.types import Move


class OpenBusiness(Move, frozen=True, tag="open_business"):
    """Take a face-up tile and open a shop at its stop"""

    command: ClassVar[str] = "open"

    tile: Annotated[str, msgspec.Meta(description="Which face-up tile")] = ""
    remove: Annotated[
        str | None, msgspec.Meta(description="Whose old shop goes, where two players share a stop")
    ] = None
