"""The phases of Palermo, one file each, in the order of a match.

1. ``setup``: an empty board; the youngest begins (PL-001 to PL-014).
2. ``building``: Start/Finish tile, then a house tile and a chip a turn (PL-020 to PL-037).
3. ``building.pave``: street tiles on what is left (PL-038), then the pawns set out.
4. ``collecting``: bonus of who is home, police move, pawn move (PL-045 to PL-119).
5. ``ending``: the last pawn is home, or stalemate (PL-118, PL-120).

``police`` and ``trips`` hold the two parts of a collecting turn.
"""
