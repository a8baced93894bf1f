"""Pictures off the event loop: two threads, a semaphore, a small cache, and no failure that stops
a match."""

from __future__ import annotations

import asyncio
import sys
from collections import OrderedDict
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from hashlib import blake2b
from typing import Any

import msgspec

from bot.logs import get_logger
from engines.core.types import Seat, pack
from render import render_board, render_hand
from render.kit.encode import Picture
from render.recap import animate, draw_frame

log = get_logger(__name__)

FAILED = object()
"""In the place of a picture that could not be drawn; it may succeed another time."""


SWITCH = 0.0005
"""Seconds for which a thread may keep the interpreter while another one wants it."""


class Pictures:
    """Draws views on a thread pool.

    Args:
        threads: how many pictures are drawn at once.
        remember: how many finished pictures are kept.
    """

    def __init__(self, threads: int = 2, remember: int = 64) -> None:
        # Drawing threads give the interpreter up this often, not every 5 ms as is usual: measured,
        # the event loop's longest waits while ten boards are drawn are a half to a quarter as long,
        # and no fewer boards are drawn.
        sys.setswitchinterval(min(sys.getswitchinterval(), SWITCH))
        self._pool = ThreadPoolExecutor(threads, thread_name_prefix="render")
        self._gate = asyncio.Semaphore(threads)
        self._cache: OrderedDict[bytes, Picture | None] = OrderedDict()
        self._remember = remember

    async def board(
        self,
        key: str,
        view: Any,
        names: Sequence[str],
        *,
        moves: Sequence[Any] = (),
        focus: Seat | None = None,
    ) -> Picture | None:
        """A board, or None if it could not be drawn (the text then goes out alone)."""
        ident = (key, "board", view, list(names), list(moves), focus)
        return await self._draw(
            ident, lambda: render_board(key, view, names, moves=moves, focus=focus)
        )

    async def hand(self, key: str, view: Any, names: Sequence[str]) -> Picture | None:
        """A hand, or None if the game shows it as text or it could not be drawn."""
        return await self._draw(
            (key, "hand", view, list(names)), lambda: render_hand(key, view, names)
        )

    async def recap(
        self, key: str, views: Sequence[Any], names: Sequence[str], limit: int
    ) -> Picture | None:
        """An animation of boards, or None if it could not be made or kept under the limit.

        Boards come first: it is drawn frame by frame, each waiting its turn among them.

        Args:
            key: the game.
            views: public ones, in order.
            names: display name of each seat.
            limit: bytes.
        """
        frames: list[Any] = []

        def one(view: Any) -> Callable[[], Any]:
            return lambda: draw_frame(key, view, names)

        for view in views:
            frame = await self._run((key, "frame"), one(view))
            if frame is FAILED:
                return None
            frames.append(frame)
        made = await self._run((key, "recap"), lambda: animate(frames, limit))
        return None if made is FAILED else made

    async def _draw(self, ident: Any, draw: Callable[[], Picture | None]) -> Picture | None:
        mark = blake2b(pack(ident), digest_size=16).digest()
        if mark in self._cache:
            self._cache.move_to_end(mark)
            return self._cache[mark]
        picture = await self._run(ident, draw)
        if picture is FAILED:
            return None
        self._cache[mark] = picture
        while len(self._cache) > self._remember:
            self._cache.popitem(last=False)
        return picture  # type: ignore[no-any-return]

    async def _run(self, ident: Any, draw: Callable[[], Any]) -> Any:
        async with self._gate:
            try:
                return await asyncio.get_running_loop().run_in_executor(self._pool, draw)
            except (ImportError, ArithmeticError, LookupError, OSError, TypeError, ValueError,
                    AttributeError, RuntimeError, msgspec.MsgspecError) as error:  # fmt: skip
                log.error("picture failed", game=ident[0], what=ident[1], exc_info=error)
                return FAILED

    def close(self) -> None:
        """Let the threads end."""
        self._pool.shutdown(wait=False, cancel_futures=True)
