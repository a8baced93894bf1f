"""What can go wrong at a table, besides the rules."""

from __future__ import annotations

from bot.language import tr
from engines.core.errors import PiazzaError


class TableError(PiazzaError):
    """Something a person asked for cannot be done; the text says why and what is possible.

    It is shown to that person alone.
    """

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self.text = text


class Repeated(TableError):
    """This very interaction has been carried out before; nothing is done twice."""

    def __init__(self) -> None:
        super().__init__(tr("That has already been done."))


class Frozen(TableError):
    """The match is halted by an engine bug."""

    def __init__(self, report: str) -> None:
        super().__init__(
            tr(
                "Something went wrong inside the rules, so this match is halted and its log is "
                "kept. Please give the people who run the bot this report id: `{report}`. Every "
                "other match goes on.",
                report=report,
            )
        )
        self.report = report
