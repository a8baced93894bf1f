"""Sends outbox rows to Discord: boards, lobbies, hands, notices."""

from __future__ import annotations

import copy
from collections.abc import Awaitable, Callable
from functools import partial
from typing import TYPE_CHECKING, Any

import aiohttp
import discord

from bot.language import later, speaking, spoken, tr
from bot.logs import get_logger
from bot.outbox import Drop, Retry
from bot.pictures import Pictures
from bot.posts import (
    alt_text,
    board_words,
    call_text,
    hand_text,
    late_text,
    lobby_text,
    payload_of,
    proposal_text,
    reminder_text,
    turn_text,
)
from bot.recap import post_recap
from bot.replies import attachment
from bot.service import MatchService, Table, fill, notice
from bot.service.clocks import HOUR, find
from bot.service.due import open_vote, standing_vote
from bot.service.proposal import missing, proposal_of
from bot.service.quiet import quiet_until
from bot.ui import board_view, lobby_view, proposal_view, vote_view
from storage.records import OutboxRow

if TYPE_CHECKING:
    from bot.app import PiazzaBot

log = get_logger(__name__)

GONE = frozenset({10003, 10004})
"""Unknown channel, unknown guild."""

NO_DM = frozenset({50007, 50278})
"""Cannot send messages to this user."""

NOT_THERE = frozenset({10013, 50033, 50278})
"""Unknown user, invalid recipient, no server in common: worth asking whether they have left."""

NO_FILE = frozenset({40005, 50046})
"""The request is too large, the file is invalid: the text goes out alone."""

LOST_MESSAGE = frozenset({10008, 30046, 50005, 50021})
"""The message is gone, was edited too often while old, or cannot be edited: post anew."""


class Announcer:
    """Turns outbox rows into messages.

    Args:
        bot: the client.
        service: where matches are read.
        pictures: draws them.
    """

    def __init__(self, bot: PiazzaBot, service: MatchService, pictures: Pictures) -> None:
        self._bot = bot
        self._service = service
        self._pictures = pictures

    async def send(self, rows: list[OutboxRow]) -> int | None:
        """Send rows of one kind and lane as one message.

        Args:
            rows: oldest first. The oldest one's nonce goes with the message, so that a retry finds
                the message that an attempt of unknown fate has left.

        Returns:
            The id of the message.

        Raises:
            Retry: not now.
            Drop: never.
        """
        table = await self._table(rows[-1].match_id)
        handlers = {
            "turn": self._board,
            "hand": self._hand,
            "notice": self._notice,
            "reminder": self._reminder,
            "call": self._call,
            "check": self._check,
        }
        handler = handlers.get(rows[-1].kind)
        if handler is None:
            raise Drop(f"nothing sends rows of kind {rows[-1].kind}")
        try:
            with speaking(await self._bot.tongue(table.match.guild_id)):
                message_id = await handler(table, rows)
            if "lost" in table.settings and rows[-1].kind in ("turn", "notice"):
                await self._service.found(table.match.id)
            return message_id
        except discord.HTTPException as error:
            reason = unreachable(error)
            if reason and rows[-1].kind != "hand":
                await self._service.lost(table.match.id, reason)
            raise self._verdict(error) from error
        except (TimeoutError, aiohttp.ClientError, OSError) as error:
            raise Retry(type(error).__name__) from error

    def _verdict(self, error: discord.HTTPException) -> Exception:
        reason = f"Discord says {error.status}/{error.code}"
        if error.code in GONE:
            return Drop(f"{reason}: the channel is gone")
        if isinstance(error, discord.Forbidden) or error.code in (50001, 50013, 50083, 160005):
            # Permissions come back, threads are opened again.
            return Retry(f"{reason}: not allowed in the channel", 30_000)
        if error.status == 400:
            return Drop(f"{reason}: refused")
        return Retry(reason)

    async def _table(self, match_id: int) -> Table:
        """The match as it is now, also after the next move: a picture takes time, and text,
        buttons and mentions have to be of the same position."""
        return copy.copy(await self._service.table(match_id))

    def _channel(self, table: Table) -> discord.PartialMessageable:
        return self._bot.get_partial_messageable(
            table.match.channel_id, guild_id=table.match.guild_id
        )

    # ---- boards ------------------------------------------------------------------------------

    async def _board(self, table: Table, rows: list[OutboxRow]) -> int | None:
        turns = [row for row in rows if payload_of(row.payload)["what"] == "turn"]
        if not turns:
            return await self._lobby(table, rows)
        board = table.match.board_message_id
        here = table.match.board_channel_id == table.match.channel_id
        edits = not fresh(turns) and here
        if edits and board is not None and await self._edit(table, turns, board):
            return board
        return await self._post(table, rows)

    async def _files(self, table: Table) -> tuple[list[discord.File], str]:
        """The picture of the present public view; a text board if it cannot be drawn."""
        view = table.view(None)
        picture = await self._pictures.board(table.game.meta.key, view, table.names)
        if picture is None:
            return [], board_words(table, view)
        return [attachment(picture, "board", alt_text(table, view))], ""

    async def _with_picture(
        self, table: Table, send: Callable[[list[discord.File]], Awaitable[discord.Message]]
    ) -> tuple[discord.Message, str]:
        """Send a board with its picture; without it if Discord does not take the picture.

        Returns:
            The message, and the text board that has to follow if there is no picture.
        """
        files, words = await self._files(table)
        try:
            return await send(files), words
        except discord.HTTPException as error:
            if not files or (error.status != 413 and error.code not in NO_FILE):
                raise
            log.error("picture refused", match=table.match.id, status=error.status, code=error.code)
            return await send([]), board_words(table, table.view(None))

    async def _post(self, table: Table, rows: list[OutboxRow]) -> int | None:
        """Post a board.

        Args:
            table: the match.
            rows: what it tells. Rows of the lobby among them tell nothing, but the first one's
                nonce may find the lobby's post.
        """
        text = turn_text(table, told(rows))

        async def send(files: list[discord.File]) -> discord.Message:
            return await self._channel(table).send(
                text,
                files=files,
                view=board_view(table),
                nonce=rows[0].nonce,
                allowed_mentions=discord.AllowedMentions(
                    users=[discord.Object(user) for user in owing(table, rows)],
                    everyone=False,
                    roles=False,
                ),
            )

        message, words = await self._with_picture(table, send)
        count = len(rows) if same(message.content, text) else arrived(message.content, rows)
        old, where = table.match.board_message_id, table.match.board_channel_id
        await self._service.board_is(table, rows[count - 1].id, message.id)
        if old is not None and old != message.id:
            channel = self._bot.get_partial_messageable(
                where or table.match.channel_id, guild_id=table.match.guild_id
            )
            ended: dict[str, Any] = {"view": None}
            if any(payload_of(row.payload).get("first") for row in rows):
                ended["content"] = lobby_text(table)
            await self._quietly(channel.get_partial_message(old).edit(**ended))
        if count < len(rows):
            # An earlier attempt did arrive and told the first rows; the others follow it.
            for row in reversed(rows[:count]):
                await self._service.store.mark_sent(row.id, message.id)
            return await self._board(await self._table(table.match.id), rows[count:])
        if words:
            await self._quietly(self._channel(table).send(words, nonce=f"{rows[0].nonce[:20]}-txt"))
        return message.id

    async def _edit(self, table: Table, rows: list[OutboxRow], board: int) -> bool:
        """Bring the board post up to date; False if it cannot be edited any more."""
        before = await self._service.store.told_by(table.match.id, board)
        lines = [line for raw in before for line in _list(payload_of(raw).get("lines"))]
        message = self._channel(table).get_partial_message(board)

        async def edit(files: list[discord.File]) -> discord.Message:
            return await message.edit(
                content=turn_text(table, lines + told(rows)),
                attachments=files,
                view=board_view(table),
                allowed_mentions=discord.AllowedMentions.none(),
            )

        try:
            _, words = await self._with_picture(table, edit)
        except discord.HTTPException as error:
            if error.code in LOST_MESSAGE:
                return False
            raise
        if words:
            await self._quietly(self._channel(table).send(words, nonce=f"{rows[0].nonce[:20]}-txt"))
        await self._service.board_is(table, rows[-1].id, board)
        return True

    async def _lobby(self, table: Table, rows: list[OutboxRow]) -> int:
        board = table.match.board_message_id
        view = lobby_view(table)
        text = lobby_text(table)
        if board is not None and table.match.status in ("lobby", "ended"):
            try:
                await self._channel(table).get_partial_message(board).edit(content=text, view=view)
                return board
            except discord.HTTPException as error:
                if error.code not in LOST_MESSAGE:
                    raise
        if table.match.status != "lobby":
            raise Drop("the lobby is over")
        message = await self._channel(table).send(
            text,
            view=view or discord.ui.View(timeout=None),
            nonce=rows[0].nonce,
        )
        if not same(message.content, text):
            # An earlier attempt did arrive, before somebody came or went.
            await message.edit(content=text, view=view)
        await self._service.board_is(table, rows[-1].id, message.id)
        return message.id

    async def _quietly(self, call: Any) -> None:
        """Something nice to have: a failure is noted and nothing more."""
        try:
            await call
        except (TimeoutError, discord.HTTPException, aiohttp.ClientError, OSError) as error:
            log.info("left undone", reason=type(error).__name__)

    # ---- hands and notices -------------------------------------------------------------------

    async def _hand(self, table: Table, rows: list[OutboxRow]) -> int | None:
        seat = rows[-1].seat
        if seat is None or seat >= len(table.seats):
            raise Drop("the seat is gone")
        user_id = table.seats[seat].user_id
        if user_id <= 0:
            raise Drop("nobody sits there")
        player = await self._service.store.player(user_id)
        if payload_of(player.prefs).get("dm") is False:
            raise Drop("this player wants no direct messages")
        view = table.view(seat)
        picture = await self._pictures.hand(table.game.meta.key, view, table.names)
        # What is for one person is not told to who has the seat after them.
        theirs = [row for row in rows if payload_of(row.payload).get("user", user_id) == user_id]
        if not theirs:
            raise Drop("the seat has changed hands")
        with speaking(await self._language(user_id)):
            text = hand_text(table, seat, told(theirs), f"<#{table.match.channel_id}>")
        try:
            channel = await self._bot.create_dm(discord.Object(user_id))
            # The picture took time: the seat may be somebody else's by now.
            if (await self._service.table(table.match.id)).seats[seat].user_id != user_id:
                raise Retry("the seat has changed hands", 0)
            for row in rows:
                files = [attachment(picture, "hand", text)] if picture is not None else []
                message = await channel.send(text, files=files, nonce=row.nonce)
                if same(message.content, text):
                    break  # otherwise an earlier attempt did arrive, with an older hand
        except discord.HTTPException as error:
            first = error.code in NO_DM and not player.dm_closed
            if await self._gone(table, user_id, None if first else error):
                raise Drop("this user is gone") from error
            if error.code in NO_DM or isinstance(error, discord.Forbidden):
                await self._closed(table, user_id)
                raise Drop("direct messages are closed") from error
            raise
        if player.dm_closed:
            await self._service.store.set_dm_closed(user_id, False)
        return message.id

    async def _language(self, user_id: int) -> str:
        """A person's language; that of the server for who has never spoken to the bot."""
        return (await self._service.prefs(user_id)).language or spoken()

    async def _closed(self, table: Table, user_id: int) -> None:
        """Remember a closed DM; tell each table once how to see hands all the same."""
        await self._service.store.set_dm_closed(user_id, True)
        await self._service.tell_once(
            table,
            "dm_hint",
            notice(
                tr(
                    "Somebody here does not take direct messages from this server. No harm: the "
                    "button **My hand** or `/hand` shows one’s own hidden things at any time, to "
                    "nobody else."
                )
            ),
        )

    async def _gone(
        self, table: Table, user_id: int, error: discord.HTTPException | None = None
    ) -> bool:
        """Whether somebody has left the server, as far as it can be found out; their matches there
        are told, also if they are back.

        Args:
            table: the match.
            user_id: the person.
            error: what a direct message to them met; None asks in any case.
        """
        if error is not None and error.code not in NOT_THERE:
            return False
        guild = table.match.guild_id
        if guild is None:
            return False
        try:
            await self._bot.http.get_member(guild, user_id)
            if user_id in _list(table.settings.get("gone")):
                await self._service.returned(guild, user_id)
            return False
        except discord.NotFound as missing:
            if missing.code not in (10007, 10013):
                return False
        except discord.HTTPException:
            return False
        await self._service.left_server(guild, user_id)
        return True

    async def _check(self, table: Table, rows: list[OutboxRow]) -> None:
        """See whether a player is still in the server who gets no reminder."""
        seat = rows[-1].seat
        if seat is not None and table.seats[seat].user_id > 0:
            await self._gone(table, table.seats[seat].user_id)

    async def _reminder(self, table: Table, rows: list[OutboxRow]) -> int:
        """Remind a player, unless something has come in between: by a direct message, or by a
        mention in the channel where those are closed."""
        payload, seat = payload_of(rows[-1].payload), rows[-1].seat
        if seat is None or seat not in table.waiting():
            raise Drop("nothing to remind of")
        decision = table.state.decision_of(seat)
        user_id = table.seats[seat].user_id
        if decision is None or decision.id != payload.get("decision") or user_id <= 0:
            raise Drop("nothing to remind of")
        if user_id in _list(table.settings.get("muted")):
            raise Drop("muted")
        if payload.get("stage") == "up":
            if open_vote(table, seat, decision.id) is None:
                raise Drop("that is settled")
            return await self._tell(table, rows[0], user_id, partial(late_text, table, seat))
        return await self._tell(table, rows[0], user_id, partial(reminder_text, table, seat))

    async def _call(self, table: Table, rows: list[OutboxRow]) -> int:
        """Tell somebody of a vote or a proposal who was not to be disturbed when it began."""
        row = rows[-1]
        seat = row.seat
        if "rollback" in payload_of(row.payload):
            return await self._call_back(table, row)
        late, decision = (int(part) for part in _list(payload_of(row.payload)["vote"]))
        clock = standing_vote(table, late, decision)
        if clock is None or seat not in table.people or str(seat) in clock.votes:
            raise Drop("that is settled")
        if table.match.status == "paused":
            raise Retry("the match is paused", HOUR)
        user_id = table.seats[seat].user_id
        if user_id in _list(table.settings.get("muted")):
            raise Drop("muted")
        text = partial(call_text, table, seat, late)
        return await self._tell(
            table, row, user_id, text, partial(vote_view, table, late, decision)
        )

    async def _call_back(self, table: Table, row: OutboxRow) -> int:
        """Tell somebody of a proposal to go back who was asleep when it was made."""
        proposal, seat = proposal_of(table.settings), row.seat
        if proposal is None or proposal.number != payload_of(row.payload)["rollback"]:
            raise Drop("that proposal is off")
        if seat is None or seat not in missing(table, proposal):
            raise Drop("answered")
        if table.match.status == "paused":
            raise Retry("the match is paused", HOUR)
        text = partial(proposal_text, table, seat)
        view = partial(proposal_view, table.match.id, proposal.number)
        return await self._tell(table, row, table.seats[seat].user_id, text, view)

    async def _tell(
        self,
        table: Table,
        row: OutboxRow,
        user_id: int,
        text: Callable[..., str],
        view: Callable[[], discord.ui.View] | None = None,
    ) -> int:
        """Tell a player something outside quiet hours: by a direct message, or by a mention in the
        channel where those are closed.

        Args:
            table: the match.
            row: what it goes back to.
            user_id: the player.
            text: makes it; takes ``private``.
            view: makes the buttons under it.
        """
        prefs = await self._service.prefs(user_id)
        now = self._bot.clock()
        until = quiet_until(prefs, now)
        if until is not None:
            raise Retry("quiet hours", until - now)
        if await self._gone(table, user_id):
            raise Drop("this user is gone")
        player = await self._service.store.player(user_id)
        if prefs.dm:
            try:
                channel = await self._bot.create_dm(discord.Object(user_id))
                with speaking(await self._language(user_id)):
                    message = await channel.send(
                        text(private=True), nonce=row.nonce, **buttons(view)
                    )
                if player.dm_closed:
                    await self._service.store.set_dm_closed(user_id, False)
                return message.id
            except discord.HTTPException as error:
                if error.code not in NO_DM and not isinstance(error, discord.Forbidden):
                    raise
                await self._service.store.set_dm_closed(user_id, True)
        message = await self._channel(table).send(
            text(private=False),
            nonce=row.nonce,
            **buttons(view),
            allowed_mentions=discord.AllowedMentions(
                users=[discord.Object(user_id)], everyone=False, roles=False
            ),
        )
        if "lost" in table.settings:
            await self._service.found(table.match.id)
        return message.id

    async def _notice(self, table: Table, rows: list[OutboxRow]) -> int:
        row = rows[-1]
        payload = payload_of(row.payload)
        if payload.get("what") == "recap":
            recap = await post_recap(self._bot, table, self._channel(table), row.nonce)
            return recap.id
        extra: dict[str, Any] = {}
        seats = [int(seat) for seat in _list(payload.get("mention"))]
        if "vote" in payload:
            late, decision = (int(part) for part in _list(payload["vote"]))
            if standing_vote(table, late, decision) is None:
                raise Drop("that is settled")
            extra["view"] = vote_view(table, late, decision)
            seats = await self._awake(table, late, decision, seats)
        if "rollback" in payload:
            proposal = proposal_of(table.settings)
            if proposal is None or proposal.number != payload["rollback"]:
                raise Drop("that proposal is off")
            extra["view"] = proposal_view(table.match.id, proposal.number)
            seats, asleep = await self._asleep(table, seats)
            if asleep:
                await self._service.ask_later(table.match.id, proposal.number, asleep)
        # A seat may play by itself by now.
        users = [discord.Object(table.seats[s].user_id) for s in seats if s in table.people]
        text = fill(str(payload["text"]), table.said)
        message = await self._channel(table).send(
            text[:2000],
            **extra,
            nonce=row.nonce,
            allowed_mentions=discord.AllowedMentions(users=users, everyone=False, roles=False),
        )
        return message.id

    async def _awake(self, table: Table, late: int, decision: int, seats: list[int]) -> list[int]:
        """Of the voters those who may be disturbed now; those in quiet hours are told later, those
        on vacation and those who want no reminders of this match not at all."""
        muted = _list(table.settings.get("muted"))
        wanted = [
            seat
            for seat in seats
            if table.seats[seat].user_id not in muted
            and find(table.timers, seat, "vacation") is None
        ]
        awake, asleep = await self._asleep(table, wanted)
        if asleep:
            await self._service.call_later(table.match.id, late, decision, asleep)
        return awake

    async def _asleep(self, table: Table, seats: list[int]) -> tuple[list[int], list[int]]:
        """Of some seats those whose people may be disturbed now, and those in quiet hours."""
        now = self._bot.clock()
        awake: list[int] = []
        asleep: list[int] = []
        for seat in seats:
            if seat in table.people:
                prefs = await self._service.prefs(table.seats[seat].user_id)
                (awake if quiet_until(prefs, now) is None else asleep).append(seat)
        return awake, asleep


def buttons(view: Callable[[], discord.ui.View] | None) -> dict[str, Any]:
    """The buttons of a message, in the language that is spoken; none without a view."""
    return {} if view is None else {"view": view()}


def unreachable(error: discord.HTTPException) -> str:
    """Why a channel cannot be posted in, as far as its people can do something about it, as a
    clause that is not translated yet; empty if it is something else."""
    if error.code in GONE:
        return later("it is gone")
    if error.code in (50083, 160005):
        return later("the thread is locked or archived")
    if isinstance(error, discord.Forbidden) or error.code in (50001, 50013):
        return later("I am not allowed to")
    return ""


def _list(value: object) -> list[Any]:
    return value if isinstance(value, list) else []


def same(content: str, text: str) -> bool:
    """Whether a message says this text: Discord strips space from the ends."""
    return content.strip() == text.strip()


def arrived(content: str, rows: list[OutboxRow]) -> int:
    """How many of the rows a message tells that an earlier attempt has left: at least the first,
    whose nonce it bears."""
    for count in range(len(rows), 1, -1):
        lines = told(rows[:count])
        if content.startswith("\n".join(lines)):
            return count
        if content.startswith("…\n") and lines and lines[-1] in content:
            return count  # too long, so its beginning was left out
    return 1


def fresh(rows: list[OutboxRow]) -> bool:
    """Whether somebody new is to act."""
    return any(payload_of(row.payload).get("fresh") for row in rows)


def owing(table: Table, rows: list[OutboxRow]) -> list[int]:
    """Whom a board notifies: who is to act since these rows and still is. Who is to act because of
    a later move is notified by the board that tells of it, and a board that had to be posted anew
    within a turn notifies nobody."""
    if not fresh(rows):
        return []
    payloads = [payload_of(row.payload) for row in rows]
    owes = _list(payloads[-1].get("owes"))
    if any("ping" in payload for payload in payloads):
        owes = [s for p in payloads for s in _list(p.get("ping", p.get("owes") or []))]
    return [table.seats[seat].user_id for seat in table.waiting() if seat in owes]


def told(rows: list[OutboxRow]) -> list[str]:
    """The lines that rows tell."""
    return [str(line) for row in rows for line in _list(payload_of(row.payload).get("lines"))]
