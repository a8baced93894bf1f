"""``/settings``: what the bot may do for me."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from discord import app_commands

from bot.errors import TableError
from bot.language import tr, trn
from bot.replies import Act, say
from bot.service.quiet import clock_words, read_clock, zones

if TYPE_CHECKING:
    from bot.app import PiazzaBot

OFF = ("off", "none", "no", "-", "nessuno", "niente", "mai", "ninguno", "nada", "nunca")
"""Words that end quiet hours."""


def zone_named(text: str) -> str:
    """A time zone by its name in any case, or by its city.

    Raises:
        TableError: there is none.
    """
    plain = text.strip().replace(" ", "_").casefold()
    exact = [z for z in sorted(zones()) if z.casefold() == plain]
    city = [z for z in sorted(zones()) if z.rpartition("/")[2].casefold() == plain and "/" in z]
    found = exact or city
    if not found or not plain:
        raise TableError(
            tr(
                "There is no time zone “{word}”. Choose one from the list, like `Europe/Rome`.",
                word=text[:40],
            )
        )
    return found[0]


def zones_like(current: str) -> list[str]:
    """At most 25 time zones for what somebody has typed: by city first."""
    plain = current.strip().replace(" ", "_").casefold()
    real = [z for z in sorted(zones()) if "/" in z and not z.startswith(("Etc/", "posix", "right"))]
    if not plain:
        common = ("Europe/London", "Europe/Rome", "Europe/Madrid", "Europe/Berlin", "Asia/Tokyo")
        more = ("America/New_York", "America/Chicago", "America/Los_Angeles", "America/Sao_Paulo")
        return ["UTC", *(z for z in (*common, *more, "Australia/Sydney") if z in zones())]
    starts = [z for z in real if z.rpartition("/")[2].casefold().startswith(plain)]
    holds = [z for z in [*real, "UTC"] if plain in z.casefold() and z not in starts]
    return [*starts, *holds][:25]


async def setup(bot: PiazzaBot) -> None:
    """Register ``/settings``."""

    @app_commands.command(name="settings", description="What the bot does for me; empty shows it")
    @app_commands.describe(
        direct_messages="Send me my hand and reminders as direct messages",
        time_zone="Where I live, for quiet hours and dates",
        quiet_from="No reminders from this time of day on, like 22:00; off = at any time",
        quiet_to="Reminders again from this time of day on, like 8:00",
        remind_hours="Hours between reminders where no clock runs; 0 = no reminders at all",
        play_forced="Make my only possible moves for me; others may notice that I had no choice",
    )
    async def settings(
        interaction: Act,
        direct_messages: bool | None = None,
        time_zone: str | None = None,
        quiet_from: str | None = None,
        quiet_to: str | None = None,
        remind_hours: app_commands.Range[int, 0, 168] | None = None,
        play_forced: bool | None = None,
    ) -> None:
        user = interaction.user.id
        changes: dict[str, Any] = {}
        if direct_messages is not None:
            changes["dm"] = direct_messages
        if time_zone is not None:
            changes["time_zone"] = zone_named(time_zone)
        if remind_hours is not None:
            changes["remind_hours"] = remind_hours
        if play_forced is not None:
            changes["forced"] = play_forced
        given = [t for t in (quiet_from, quiet_to) if t is not None]
        if any(t.strip().casefold() in OFF for t in given):
            changes |= {"quiet_from": None, "quiet_to": None}
        elif given:
            old = (await bot.service.prefs(user)).quiet or (22 * 60, 8 * 60)
            start = read_clock(quiet_from) if quiet_from is not None else old[0]
            end = read_clock(quiet_to) if quiet_to is not None else old[1]
            if start == end:
                raise TableError(tr("Quiet hours need an end that differs from their beginning."))
            changes |= {"quiet_from": start, "quiet_to": end}
        if changes:
            await bot.service.choose(user, changes)
        if "remind_hours" in changes:
            await bot.service.retime(user)
        prefs = await bot.service.prefs(user)
        player = await bot.store.player(user)
        lines: list[str] = [
            tr("Direct messages with your hand: **on**.")
            if prefs.dm
            else tr("Direct messages with your hand: **off**.")
        ]
        if prefs.dm and player.dm_closed:
            lines.append(
                tr(
                    "The last one was refused: allow direct messages from this server in its "
                    "privacy settings if you want them."
                )
            )
        lines.append(
            trn(
                "Reminders: **every {n} h, then less and less often**; with a clock at half and at "
                "nine tenths of the time.",
                "Reminders: **every {n} h, then less and less often**; with a clock at half and at "
                "nine tenths of the time.",
                prefs.hours,
            )
            if prefs.hours
            else tr("Reminders: **off**.")
        )
        if prefs.quiet is not None:
            lines.append(
                tr(
                    "Quiet hours: **{start} to {end}**, time zone **{zone}**.",
                    start=clock_words(prefs.quiet[0]),
                    end=clock_words(prefs.quiet[1]),
                    zone=prefs.zone,
                )
            )
            if prefs.zone == "UTC":
                lines.append(tr("-# Not your time zone? `/settings time_zone:` changes it."))
        else:
            lines.append(tr("Quiet hours: **none**, time zone **{zone}**.", zone=prefs.zone))
        lines.append(
            tr(
                "Your only possible moves: **made for you**, where everybody can see that there "
                "is no other. `/match forced` changes it for one match."
            )
            if prefs.forced
            else tr("Your only possible moves: **left to you**.")
        )
        lines.append(tr("`/hand` and the button **My hand** always work."))
        await say(interaction, "\n".join(lines))

    @settings.autocomplete("time_zone")
    async def zone(interaction: Act, current: str) -> list[app_commands.Choice[str]]:
        return [app_commands.Choice(name=z, value=z) for z in zones_like(current)]

    bot.tree.add_command(settings)
