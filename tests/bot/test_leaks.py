"""What only one player may know reaches nobody else, by no way at all, before the match ends."""

from __future__ import annotations

import json
import random
import re
from typing import Any

import pytest

from engines.core.registry import games
from tests.bot.table import World, parts, sizes, text

MOVES = 24
"""Moves of each match that are watched."""

PLAIN = re.compile(r"[A-Za-zÀ-ÿ0-9]{1,}")


def secrets_of(table: Any, seat: int) -> list[str]:
    """Whole lines of a seat's hand that nobody else's view contains."""
    hand = table.hand(seat)
    if hand is None:
        return []
    others: set[str] = set()
    for viewer in (None, *range(table.state.seats)):
        if viewer != seat:
            view = table.view(viewer)
            theirs = table.game.hand(view)
            others |= {table.game.board_text(view), table.game.alt(view)}
            if theirs is not None:
                others |= {theirs.title, *theirs.lines}
    known = "\n".join(others)
    return [line for line in (hand.title, *hand.lines) if len(line) > 8 and line not in known]


class Watch:
    """Collects everything that goes over the wire, by who may see it."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.public: list[str] = []
        self.private: dict[int, list[str]] = {}
        self.dms: dict[int, int] = {}
        self.seen = 0

    def collect(self) -> None:
        """Read every request since the last call. A direct message or an ephemeral reply is for
        one person; all else is public."""
        env = self.world.env
        for person in self.world.people:
            if person.user.dm_channel is not None:
                self.dms[person.user.dm_channel.id] = person.id
        requests = env.http_requests
        for request in requests[self.seen :]:
            if request.method not in ("POST", "PATCH", "PUT"):
                continue
            body = json.dumps(request.json, ensure_ascii=False) if request.json else ""
            found = re.match(r"/channels/(\d+)/", request.path)
            if found and int(found[1]) in self.dms:
                self.private.setdefault(self.dms[int(found[1])], []).append(body)
            elif found:
                self.public.append(body)
        self.seen = len(requests)


@pytest.mark.parametrize(("game", "players"), sizes())
async def test_nothing_public_tells_a_secret(
    world: World, logged: list[Any], game: str, players: int, caplog: pytest.LogCaptureFixture
) -> None:
    """Everything public of a match, with its log lines, against the hands of all its seats."""
    caplog.set_level("DEBUG")
    watch = Watch(world)
    table = await world.begin(game, players, seats=players)
    seed = table.match.seed
    assert seed
    rand = random.Random(f"leaks {game} {players}")
    stranger = world.people[-1]
    told: set[str] = set()
    for number in range(MOVES):
        table = await world.table()
        if not table.waiting():
            break
        before = {seat: secrets_of(table, seat) for seat in range(players)}
        replies: dict[int, list[str]] = {}
        for seat in range(players):
            person = world.person(table, seat)
            if number % 10 == 0:
                mine = await person.slash(world.channel, "hand")
                replies.setdefault(seat, []).append(text(mine))
                shown = await person.slash(world.channel, "board", text=True)
                replies[seat].append(text(shown))
                for other in (await person.slash(world.channel, "match status"),
                              await person.slash(world.channel, "match log"),
                              await person.slash(world.channel, "mygames"),
                              await person.slash(world.channel, "match verify")):  # fmt: skip
                    replies[seat].append(text(other))
                    assert seed not in text(other)
        if number % 10 == 0:
            public = [
                text(await stranger.slash(world.channel, "board", text=True)),
                text(await stranger.slash(world.channel, "match log")),
                text(await stranger.slash(world.channel, "match status")),
                text(await stranger.slash(world.channel, "match verify")),
            ]
            for lines in before.values():
                for line in lines:
                    assert not any(line in p for p in public), line
            refused = await stranger.slash(world.channel, "hand")
            assert "You do not sit at this table" in text(refused)
            for seat, lines in before.items():
                for line in lines:
                    told.add(line)
                    for other, said in replies.items():
                        if other != seat:
                            assert not any(line in words for words in said), (seat, other, line)
        if number % 3 == 0:
            picker = await world.pick(rand)
            ids = [p.get("custom_id", "") for p in parts(picker.response)]
            for lines in before.values():
                for line in lines:
                    for word in (w for w in PLAIN.findall(line) if len(w) > 5):
                        assert not any(word.casefold() in ident.casefold() for ident in ids)
            await (await world.active()).click(picker.response, label="Confirm")
        else:
            await world.move(rand, ask=False)
        watch.collect()
        now = await world.table()
        if now.match.status != "active":
            break
        # What was secret before the move and still is afterwards was told to nobody.
        for seat in range(players):
            kept = set(before[seat]) & set(secrets_of(now, seat))
            for line in kept:
                raw = json.dumps(line, ensure_ascii=False)[1:-1]
                assert not any(raw in body for body in watch.public), line
                for user, bodies in watch.private.items():
                    if user != now.seats[seat].user_id:
                        assert not any(raw in body for body in bodies), line
        everything = [*watch.public, *(b for bodies in watch.private.values() for b in bodies)]
        assert not any(seed in body for body in everything)
        watch.public.clear()
        watch.private.clear()
        lines = [json.dumps(e, default=repr) for e in logged] + caplog.messages
        assert not any(seed in line for line in lines), "the seed is never logged"
        for seat in range(players):
            for line in secrets_of(now, seat):
                assert not any(line in logged_line for logged_line in lines)
    if players > 1 and games()[(await world.table()).match.game].meta.secrets:
        assert told, "this game has secrets, and the test has seen none"


@pytest.mark.parametrize(("game", "players"), sizes())
async def test_pictures_are_drawn_of_what_their_reader_may_see(
    world: World, monkeypatch: pytest.MonkeyPatch, game: str, players: int
) -> None:
    """Public posts are drawn from the public view, private replies from the asker's own."""
    pictures = world.bot.pictures
    drawn: list[tuple[str, Any]] = []
    board, hand = pictures.board, pictures.hand

    async def note_board(key: str, view: Any, *rest: Any, **more: Any) -> Any:
        drawn.append(("board", view))
        return await board(key, view, *rest, **more)

    async def note_hand(key: str, view: Any, *rest: Any, **more: Any) -> Any:
        drawn.append(("hand", view))
        return await hand(key, view, *rest, **more)

    monkeypatch.setattr(pictures, "board", note_board)
    monkeypatch.setattr(pictures, "hand", note_hand)
    table = await world.begin(game, players, seats=players)
    await world.move()
    # Boards are public here; hands go to their own seats.
    assert {view.viewer for kind, view in drawn if kind == "board"} == {None}
    for person, viewer in ((world.people[0], 0), (world.people[-1], None)):
        drawn.clear()
        await person.slash(world.channel, "board")
        assert [view.viewer for _, view in drawn] == [viewer]
        drawn.clear()
        await person.slash(world.channel, "board", player=world.people[1])
        assert [view.viewer for _, view in drawn] in ([viewer], [])
        drawn.clear()
        await person.slash(world.channel, "hand")
        assert {view.viewer for _, view in drawn} <= {viewer} - {None}
    person = await world.active()
    seat = table.seat_of(person.id)
    drawn.clear()
    await world.pick()
    assert {view.viewer for _, view in drawn} == {seat}


@pytest.mark.parametrize(("game", "players"), sizes())
async def test_the_public_prompt_is_the_same_for_every_hand(
    world: World, game: str, players: int
) -> None:
    """Who is called and what for is said in public: it is told from the public view."""
    from bot.posts import whose_turn

    await world.begin(game, players, seats=players)
    rand = random.Random(f"prompt {game} {players}")
    for _ in range(12):
        table = await world.table()
        if not table.waiting():
            return
        for seat in table.waiting():
            assert table.game.prompt(table.view(None), seat) in whose_turn(table)
        await world.move(rand, ask=False)


async def test_the_seed_comes_out_at_the_end_and_not_before(world: World) -> None:
    table = await world.begin(players=2)
    seed = table.match.seed
    assert seed not in "".join(m.content for m in world.posts())
    promise = text(await world.people[0].slash(world.channel, "match verify"))
    assert table.match.commitment in promise
    assert seed not in promise
    for person in world.people[:2]:
        await person.slash(world.channel, "match end")
    assert seed in world.posts()[-1].content
    assert seed in text(await world.people[5].slash(world.channel, "match verify"))


async def test_file_names_say_nothing(drawn: None, world: World) -> None:
    await world.begin(players=2)
    await world.click_move()
    names = {a.filename for m in world.posts() for a in m.attachments}
    assert names == {"board.png"}
    mine = await world.people[0].slash(world.channel, "hand")
    names = {a.filename for m in (mine.response, *mine.followups) if m for a in m.attachments}
    assert names <= {"hand.png"}


async def test_nobody_elses_autocompletion(world: World) -> None:
    """Those who are not to act are offered what everybody sees on the table, for planning ahead;
    strangers are offered nothing."""
    table = await world.begin()
    for person in await world.others():
        offered = await person.autocomplete(world.channel, "paris open", "tile", "")
        assert [c["value"] for c in offered] == list(dict.fromkeys(table.view(None).face_up))
    assert await world.people[5].autocomplete(world.channel, "paris open", "tile", "") == []
