"""Order on a server: what may be opened where, matches that lose their channel, moving them."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, Literal, get_args, get_origin

import msgspec

from bot.errors import Repeated, TableError
from bot.language import LANGUAGES, Text, joined, tr
from bot.logs import get_logger
from bot.service.clocks import LONGEST, ClockKind, clock_of, rule_of
from bot.service.due import standing_vote, vote_post
from bot.service.proposal import proposal_again
from bot.service.tables import Done, Table, lobby_post, seat_words, turn_post, whisper
from bot.service.timed import TimedService
from engines.core.errors import SetupError
from engines.core.play import AnyGame
from engines.core.registry import game as find_game
from engines.core.registry import games
from storage.errors import ChannelTaken, DuplicateInteraction
from storage.records import MatchRow, NewOutbox

log = get_logger(__name__)

PAGE = 100
"""Matches read at a time."""


class House(msgspec.Struct):
    """The rules of a server, as its managers set them.

    Attributes:
        games_off: keys of games that may not be opened.
        channels_only: if not empty, tables are opened in these channels alone.
        channels_off: channels in which no table is opened.
        defaults: game key → option name → value that ``new`` takes where none is given.
        language: of the posts in its channels; empty = the one that the server has on Discord.
    """

    games_off: list[str] = []
    channels_only: list[int] = []
    channels_off: list[int] = []
    defaults: dict[str, dict[str, Any]] = {}
    language: str = ""


def house_of(raw: str) -> House:
    """The house rules in a server's settings (JSON object)."""
    found: House = msgspec.convert(json.loads(raw).get("house", {}), House)
    return found


class OrderService(TimedService):
    """What managers of a server do, and what happens to matches when a channel goes away."""

    _lost_spans: Sequence[tuple[int, int]] = ()

    async def house(self, guild_id: int | None) -> House:
        """The rules of a server; none outside one."""
        if guild_id is None:
            return House()
        return house_of(await self.store.guild_settings(guild_id))

    async def language(self, guild_id: int) -> str | None:
        """The language that a server's managers have set for its channels; None if none."""
        raw = json.loads(await self.store.guild_settings(guild_id))
        chosen = raw.get("house", {}).get("language")
        return chosen if chosen in LANGUAGES else None

    async def set_house(self, guild_id: int, house: House) -> None:
        """Change the rules of a server; what else is in its settings stays."""
        raw = json.loads(await self.store.guild_settings(guild_id))
        raw["house"] = msgspec.to_builtins(house)
        await self.store.set_guild_settings(guild_id, json.dumps(raw))

    async def opening(
        self,
        game: AnyGame,
        guild_id: int | None,
        channels: tuple[int, ...],
        given: Mapping[str, Any],
    ) -> dict[str, Any]:
        """The options of a new table: those given, else the server's, and whether it may be opened.

        Args:
            game: the game.
            guild_id: the server; None outside one.
            channels: the channel, and the one that it is a thread of.
            given: options that the host chose; ``seats`` and those of the clock may be among them.

        Raises:
            TableError: the server does not want it; says what it wants.
        """
        house = await self.house(guild_id)
        if game.meta.key in house.games_off:
            open_ = [g.meta.title for g in games().values() if g.meta.key not in house.games_off]
            refused: str = tr(
                "The managers of this server do not allow {game}.", game=game.meta.title
            )
            if open_:
                instead = tr("Open here: {games}.", games=joined(open_))
                refused = f"{refused} {instead}"
            raise TableError(refused)
        if house.channels_only and not set(channels) & set(house.channels_only):
            where = joined([f"<#{channel}>" for channel in house.channels_only[:20]], "or")
            raise TableError(
                tr(
                    "On this server tables are opened in {channels} (threads there count too).",
                    channels=where,
                )
            )
        if set(channels) & set(house.channels_off):
            raise TableError(tr("The managers of this server do not allow tables in this channel."))
        defaults = house.defaults.get(game.meta.key, {})
        return {**usable(game, defaults), **clock_default(defaults, given), **given}

    # ---- moving and coming back --------------------------------------------------------------

    async def move_table(
        self,
        match_id: int,
        channel_id: int,
        *,
        interaction_id: int | None = None,
    ) -> Done:
        """Bind an open match to another channel of its server and post its board there.

        Raises:
            TableError: it is over, is there already, or that channel has an open match.
        """
        async with self.locked(match_id):
            table = await self.table(match_id)
            if not table.match.open:
                raise TableError(tr("That match is over, so it stays where it was."))
            if table.match.channel_id == channel_id:
                raise TableError(
                    tr("That match is in {channel} already.", channel=f"<#{channel_id}>")
                )
            try:
                await self.store.rebind_channel(
                    match_id,
                    channel_id,
                    outbox=await self._anew_all(table, tr("The table has moved here.")),
                    interaction_id=interaction_id,
                )
            except ChannelTaken:
                raise TableError(
                    tr(
                        "A match is already open in {channel}, and a channel holds one table. "
                        "Choose another channel or a thread.",
                        channel=f"<#{channel_id}>",
                    )
                ) from None
            except DuplicateInteraction:
                raise Repeated from None
            finally:
                self.forget(match_id)
            table = await self.table(match_id)
        log.info("match moved", match=match_id)
        self.wake(match_id)
        return Done(
            table,
            tr("Match #{id} goes on in {channel}.", id=match_id, channel=f"<#{channel_id}>"),
        )

    async def back(self, match_id: int, text: Text) -> None:
        """A channel may be in reach again: send at once what waits; if the newest board was given
        up, or nothing waits at a table that was out of reach, post it anew with this text."""
        waits = bool(await self.store.pending_outbox(match_id))
        lost = "lost" in (await self.table(match_id)).settings
        if await self.store.board_given_up(match_id) or (lost and not waits):
            await self.board_anew(match_id, text)
        elif await self.store.hurry(match_id):
            self.wake(match_id)

    async def board_anew(self, match_id: int, text: Text) -> None:
        """Post a match's board once more, under whatever came after it; bring a lobby up to date.
        What still waits to be posted goes with it."""
        async with self.locked(match_id):
            table = await self.table(match_id)
            if not table.match.open:
                return
            await self.store.update_settings(
                match_id, table.match.settings, outbox=await self._anew_all(table, text)
            )
        self.wake(match_id)

    async def _anew_all(self, table: Table, text: Text) -> list[NewOutbox]:
        """The board, and the votes and the proposal that are open but for those that wait to be
        posted."""
        waiting = await self.store.pending_outbox(table.match.id)
        notices = [json.loads(row.payload) for row in waiting if row.kind == "notice"]
        told = [notice.get("vote") for notice in notices]
        rows = [self._anew(table, text)]
        proposed = proposal_again(table)
        number = json.loads(proposed.payload)["rollback"] if proposed is not None else None
        if proposed is not None and number not in [notice.get("rollback") for notice in notices]:
            rows.append(proposed)
        for row in table.timers:
            clock = clock_of(row) if row.kind == "clock" else None
            if clock is None or standing_vote(table, row.seat, clock.decision) is None:
                continue
            if [row.seat, clock.decision] not in told:
                rows.append(vote_post(table, row.seat, clock))
        return rows

    def _anew(self, table: Table, text: Text) -> NewOutbox:
        if table.state is None:
            return lobby_post()
        return turn_post([text], fresh=True, owes=table.waiting())

    async def open_rows(self, guild_id: int | None) -> list[MatchRow]:
        """The rows of every open match of a server; None is of all."""
        found: list[MatchRow] = []
        while rows := await self.store.open_matches(guild_id, found[-1].id if found else 0, PAGE):
            found += rows
        return found

    async def open_of(self, guild_id: int | None) -> list[Table]:
        """Every open match of a server; None is of all."""
        return [await self.table(row.id) for row in await self.open_rows(guild_id)]

    def was_lost(self, age: int) -> bool:
        """Whether what was posted so many milliseconds ago belongs to a part of the matches that is
        lost because a backup was restored: decisions and match numbers of then may come again and
        mean something else. (An age does not mind how far Discord's clock is from this one.)"""
        now = self.clock()
        return any(now - until < age <= now - since for since, until in self._lost_spans)

    async def restored(self) -> int:
        """If this database is a backup that was restored, let every open match say where it stands,
        once. To be called at each start.

        Returns:
            How many matches.
        """
        when = await self.store.copied_at()
        if when is None:
            self._lost_spans = await self.store.lost_spans()
            return 0
        text = tr(
            "The bot was restored from a copy of {moment}. This is where the match stands; what "
            "was played after that is lost, and older boards count no more.",
            moment=f"<t:{when // 1000}:f>",
        )
        boards = {t.match.id: self._anew(t, text) for t in await self.open_of(None)}
        await self.store.restored(boards)
        self._lost_spans = await self.store.lost_spans()
        for match_id in boards:
            self.forget(match_id)
            self.wake(match_id)
        log.warning("restored from a backup", matches=len(boards))
        return len(boards)

    # ---- losing the channel ------------------------------------------------------------------

    async def lost(self, match_id: int, reason: str) -> None:
        """The channel of a match is out of reach: tell its players by direct message, once for each
        channel and reason. The match waits, and so do its clocks.

        Args:
            match_id: the match.
            reason: what is wrong, as a clause after "because", marked by
                :func:`bot.language.later`.
        """
        async with self.locked(match_id):
            try:
                table = await self.table(match_id)
            except TableError:
                return
            mark = f"{table.match.channel_id}: {reason}"
            if not table.match.open or table.state is None or table.settings.get("lost") == mark:
                return
            line = tr(
                "I cannot post in {channel}, because {reason}. Your match #{id} waits and nothing "
                "is lost. Somebody who may manage channels can put that right, move the match "
                "(`/admin move`) or end it (`/admin end`).",
                channel=f"<#{table.match.channel_id}>",
                reason=tr(reason),
                id=match_id,
            )
            rows = [whisper(s.seat, [line]) for s in table.seats if s.user_id > 0]
            await self._reach(table, {**table.settings, "lost": mark}, rows)
        self.wake(match_id)

    async def found(self, match_id: int) -> None:
        """The channel is in reach: clocks run again, and another loss of it will be told again."""
        async with self.locked(match_id):
            table = await self.table(match_id)
            if "lost" in table.settings:
                rest = {k: v for k, v in table.settings.items() if k != "lost"}
                # The board was posted while no clock ran: now it shows when time is up.
                timed = rule_of(rest).kind != "none" and table.match.status == "active"
                rows = [turn_post([], fresh=False, owes=())] if timed else []
                await self._reach(table, rest, rows)
        self.wake(match_id)

    async def _reach(self, table: Table, settings: dict[str, Any], rows: list[NewOutbox]) -> None:
        """Write whether a match's channel is in reach, and let its clocks stand or run."""
        timers = None
        if table.match.status in ("active", "paused"):
            timers = await self._timers(
                table,
                table.state,
                owed=table.game.waiting(table.state),
                settings=settings,
                running=table.match.status == "active",
            )
        try:
            await self.store.update_settings(
                table.match.id, json.dumps(settings), outbox=rows, timers=timers
            )
        finally:
            self.forget(table.match.id)


CLOCK = ("clock", "hours", "increment")
"""Options of ``new`` that set the clock."""


def clock_default(defaults: Mapping[str, Any], given: Mapping[str, Any]) -> dict[str, Any]:
    """What a server's defaults add to the clock that a host asks for.

    A host who says nothing gets the server's clock, if it is complete; one who says a part gets the
    rest from it, if it is of the same kind.

    >>> clock_default({"clock": "move", "hours": 48}, {})
    {'clock': 'move', 'hours': 48}
    >>> clock_default({"clock": "move", "hours": 48}, {"clock": "move", "hours": 5})
    {'clock': 'move', 'hours': 48}
    >>> clock_default({"clock": "move", "hours": 48}, {"clock": "none"})
    {}
    """
    wanted = {name: defaults[name] for name in CLOCK if name in defaults}
    kind = wanted.get("clock")
    if not any(given.get(name) for name in CLOCK):
        return wanted if kind == "none" or "hours" in wanted else {}
    asked = given.get("clock")
    if asked is None:
        return wanted if kind != "none" else {}
    return wanted if kind in (None, asked) else {}


def usable(game: AnyGame, defaults: Mapping[str, Any]) -> dict[str, Any]:
    """The defaults that still fit a game: an upgrade may have changed its options."""
    found: dict[str, Any] = {}
    for name, value in defaults.items():
        if name == "seats":
            if value in game.meta.seats:
                found[name] = value
            continue
        if name in CLOCK:
            continue
        try:
            game.options({**{k: v for k, v in found.items() if k != "seats"}, name: value})
        except SetupError:
            continue
        found[name] = value
    return found


YES = ("true", "yes", "on", "sì", "sí", "si", "vero", "verdadero")
NO = ("false", "no", "off", "falso")
"""How people say that something is so, or not, in the languages of the bot."""


def default_value(game_key: str, option: str, word: str) -> Any:
    """A default from what a manager typed.

    Raises:
        TableError: no such option, or no such value.
    """
    game = find_game(game_key)
    names = option_names(game)
    if option not in names:
        raise TableError(
            tr(
                "{game} has no option “{option}”. It has {options}.",
                game=game.meta.title,
                option=option,
                options=joined(names),
            )
        )
    if option == "seats":
        if not word.isdecimal() or len(word) > 9 or int(word) not in game.meta.seats:
            raise TableError(
                tr("{game} is for {players}.", game=game.meta.title, players=seat_words(game))
            )
        return int(word)
    if option == "clock":
        if word.casefold() not in get_args(ClockKind):
            kinds = joined(list(get_args(ClockKind)), "or")
            raise TableError(tr("A clock is {kinds}.", kinds=kinds))
        return word.casefold()
    if option in CLOCK:
        if not word.isdecimal() or len(word) > 9 or not 1 <= int(word) <= LONGEST:
            raise TableError(
                tr("Say `{option}` in hours, between 1 and {most}.", option=option, most=LONGEST)
            )
        return int(word)
    candidates: list[Any] = [word, word.casefold()]
    if word.removeprefix("-").isdecimal() and len(word) < 18:
        candidates.append(int(word))
    if word.casefold() in (*YES, *NO):
        candidates.append(word.casefold() in YES)
    problem = ""
    for candidate in candidates:
        try:
            return getattr(game.options({option: candidate}), option)
        except SetupError as error:
            problem = error.text
    raise TableError(problem)


def option_names(game: AnyGame) -> list[str]:
    """The options of ``new`` that can have a default."""
    names = ["seats"] if len(game.meta.seats) > 1 else []
    for name, field in game.options_type.model_fields.items():
        extra = field.json_schema_extra
        if not (isinstance(extra, dict) and extra.get("lobby")):
            names.append(name)
    return [*names, *CLOCK]


def option_values(game: AnyGame, option: str) -> list[str]:
    """The values of an option of ``new``, where they are few enough to be offered."""
    if option == "seats":
        return [str(n) for n in game.meta.seats]
    if option == "clock":
        return list(get_args(ClockKind))
    field = game.options_type.model_fields.get(option)
    if field is None:
        return []
    if field.annotation is bool:
        return ["true", "false"]
    if get_origin(field.annotation) is Literal:
        return [str(value) for value in get_args(field.annotation)]
    return []
