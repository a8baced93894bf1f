"""Whole matches never get stuck and end in time; the searches against plain ones."""

from __future__ import annotations

import random
from itertools import pairwise

import pytest

from engines.core.play import start
from engines.palermo import GAME
from engines.palermo.components import QUARTERS, TILES, TYPES
from engines.palermo.ends import finish_cell, next_steps, search, way
from engines.palermo.moves import BuildDoor, Step
from engines.palermo.phases import trips
from tests.engines.palermo.players import any_move, eager, game, hostile, large_first, small_first
from tests.engines.palermo.positions import fresh

BUILDERS = {"any": any_move, "eager": eager, "hostile": hostile, "large": large_first,
            "small": small_first}  # fmt: skip
ROUNDS = {3: 216, 4: 216, 5: 240}


@pytest.mark.rule("PL-120", "PL-023", "PL-037")
@pytest.mark.parametrize("seats", [3, 4, 5])
@pytest.mark.parametrize("name", BUILDERS)
def test_matches_end(seats, name):
    for seed in range(3):
        state, stages = game(seats, seed, BUILDERS[name])
        assert len(stages) == seats * state.chips_each
        assert state.ended in ("home", "stalemate")
        assert state.round <= ROUNDS[seats]


@pytest.mark.rule("PL-118", "PL-120")
def test_both_ends_occur():
    ends = {game(3, seed, eager, eager, any_move)[0].ended for seed in range(4)}
    assert "home" in {game(3, seed, eager)[0].ended for seed in range(2)}
    assert ends <= {"home", "stalemate"}
    assert game(4, 1, hostile)[0].ended == "stalemate"


@pytest.mark.rule("PL-120")
def test_a_guarded_doorway_ends_in_stalemate():
    """One hostile player among eager ones does not keep the match going for ever."""
    for seed in range(3):
        state, _ = game(5, seed, hostile, eager)
        assert state.round <= ROUNDS[5]


# ---- building against a plain search -----------------------------------------------------------


def plain_placements(state):
    """Stage and placements straight from the rules, on a grid of signs (PL-027, PL-033, PL-035)."""
    roofs = set()
    for space, name in enumerate(state.tiles):
        if name:
            roofs |= {(space, q) for q in TILES[name].roofs}

    def place(space, q):
        return 2 * (space % 6) + (q in (1, 2)), 2 * (space // 6) + (q >= 2)

    solid = {place(s, q) for s, q in roofs}

    def near(x, y):
        return ((x, y - 1), (x + 1, y), (x, y + 1), (x - 1, y))

    def connected(walls):
        seen, todo = {(-1, -1)}, [(-1, -1)]
        while todo:
            for x, y in near(*todo.pop()):
                if -1 <= x <= 12 and -1 <= y <= 12 and not ((x, y) in walls or (x, y) in seen):
                    seen.add((x, y))
                    todo.append((x, y))
        return len(seen) + len(walls) == 196

    fits = {}
    joining, free = [], []
    for kind, left in zip(TYPES, state.supply, strict=True):
        for space, name in enumerate(state.tiles):
            for quarter in QUARTERS:
                if name or not left:
                    continue
                new = {place(space, q) for q in TILES[f"{kind}/{quarter}"].roofs}
                key = tuple(sorted(new))
                if key not in fits:
                    fits[key] = connected(solid | new)
                if not fits[key]:
                    continue
                found = (kind, space, quarter)
                free.append(found)
                if any(n in solid for x, y in new for n in near(x, y)):
                    joining.append(found)
    if joining:
        return "join", joining
    return ("free", free) if free else ("street", [])


@pytest.mark.rule("PL-027", "PL-033", "PL-035", "PL-036")
@pytest.mark.parametrize(("seats", "seed"), [(3, 11), (4, 12), (5, 13)])
def test_placements_are_exact(seats, seed):
    from engines.palermo.components import SPACES
    from engines.palermo.phases.building import options

    rand = random.Random(seed)
    state, _ = start(GAME, seats, seed=f"{seed:02x}")
    stages = set()
    while not state.walking:
        moves = list(GAME.legal(state, state.acting))
        if isinstance(moves[0], BuildDoor) and state.built % 4 == 0:
            stage, plain = plain_placements(state)
            stages.add(stage)
            assert options(state).stage == stage
            if stage != "street":
                expected = {(k, SPACES[s], q) for k, s, q in plain}
                assert {(m.type, m.space, m.door) for m in moves} == expected
                assert len(moves) == len(expected)
        GAME.apply(state, state.acting, rand.choice(moves))
    assert stages >= {"free", "join"}


# ---- moves against the dossier's search --------------------------------------------------------


def plain_ends(field):
    """The search of the dossier, word for word, one cell at a time."""
    from engines.palermo.components import JUMPS_FROM, STEPS, bits

    has_goal = field.goal != 0
    layers = {r: [] for r in range(field.points + 1)}
    layers[field.points] = list(field.begin)
    known = {(c, field.points) for c in field.begin}
    stop, exact, back, finish = {}, set(), set(), None
    for r in range(field.points, -1, -1):
        for c in layers[r]:
            moved = r < field.points or field.moved
            pawn = field.pawns >> c & 1
            chip = field.chips >> c & 1
            if moved and has_goal and field.goal >> c & 1:
                finish = r if finish is None else max(finish, r)
                continue
            if moved and chip and not pawn:
                stop[c] = max(stop.get(c, 0), r)
            if r == 0:
                if not pawn and not chip:
                    exact.add(c)
                continue
            edges = [(z, 0) for z in STEPS[c] if field.streets >> z & 1]
            edges += [(j.end, j.between) for j in JUMPS_FROM.get(c, ())]
            for z, between in edges:
                crossed = sum(1 for b in bits(between) if field.stones >> b & 1)
                stone = field.stones >> z & 1
                w = 1 + stone + crossed
                blocked = stone or field.pawns >> z & 1
                if (r == 1 and moved and not pawn and not chip and not crossed and blocked
                        and not (has_goal and field.goal >> z & 1)):  # fmt: skip
                    back.add(c)
                if w <= r and (z, r - w) not in known:
                    known.add((z, r - w))
                    layers[r - w].append(z)
    return stop, finish, exact, back - exact


@pytest.mark.rule("PL-062", "PL-067", "PL-080", "PL-101", "PL-111")
@pytest.mark.parametrize("seats", [3, 4, 5])
def test_ends_are_exact(seats):
    """The layered search finds what a plain one finds, and every way is walkable at its price."""
    rand = random.Random(seats)
    state, _ = game_start(seats, rand)
    seen = dict.fromkeys(("stop", "finish", "exact", "back", "stone"), 0)
    positions = 0
    while state.ended is None and positions < 250:
        seat = state.acting
        if not state.home[seat]:
            positions += 1
            ground = trips.field(state, seat)
            found = search(ground)
            stop, finish, exact, back = plain_ends(ground)
            assert found.stops == stop
            assert found.finish == finish
            assert next_steps(ground, found) == next_steps(ground)
            assert {c for c in range(196) if found.exact >> c & 1} == exact
            assert {c for c in range(196) if found.back >> c & 1} == back
            for cell, left in stop.items():
                costs(ground, way(ground, found, cell, left), left)
            for cell in exact:
                costs(ground, way(ground, found, cell, 0), 0)
            for cell in back:
                costs(ground, way(ground, found, cell, 1), 1)
            if finish is not None:
                costs(ground, way(ground, found, finish_cell(ground, found), finish), finish)
            for name, hit in (("stop", stop), ("finish", finish is not None), ("exact", exact),
                              ("back", back), ("stone", ground.stones)):  # fmt: skip
                seen[name] += bool(hit)
        moves = list(GAME.legal(state, seat))
        GAME.apply(state, seat, eager(state, moves, rand))
    assert all(seen.values()), seen


def game_start(seats, rand):
    state, events = start(GAME, seats, seed="0a")
    while not state.walking:
        moves = list(GAME.legal(state, state.acting))
        GAME.apply(state, state.acting, rand.choice(moves))
    return state, events


def costs(ground, path, left):
    """A walk begins where it may, uses edges of the graph and leaves so many points."""
    from engines.palermo.ends import edge

    assert path[0] in ground.begin
    points = ground.points
    for here, cell in pairwise(path):
        found = edge(ground, here, cell)
        assert found is not None
        points -= found[0]
        assert points >= 0
    assert points == left


def test_steps_offered_are_exactly_those_that_can_be_ended():
    """A step is listed if and only if some sequence of steps after it ends the move."""
    rand = random.Random(5)
    state, _ = game_start(5, rand)
    for _ in range(60):
        seat = state.acting
        steps = {m.cell for m in GAME.legal(state, seat) if isinstance(m, Step)}
        if steps and state.points(seat) <= 5:
            for name in sorted(steps):
                assert endable(state, seat, Step(name), 6), (name, state.trail)
        GAME.apply(state, seat, eager(state, list(GAME.legal(state, seat)), rand))
        if state.ended is not None:
            break


def endable(state, seat, move, depth):
    draft = state.clone()
    GAME.apply(draft, seat, move)
    if not draft.trail:
        return True
    return depth > 0 and any(endable(draft, seat, m, depth - 1) for m in GAME.legal(draft, seat))


def test_clone_is_independent_and_equal():
    state = fresh(3, "C3", "D3:3/se")
    copy = state.clone()
    assert copy == state
    GAME.apply(copy, copy.acting, BuildDoor("2b", "D4", "sw"))
    assert state.tiles[21] == ""
    assert copy.tiles[21] == "2b/sw"
