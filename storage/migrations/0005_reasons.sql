-- Why a match was over before its last move: 'resigned', 'time', 'left'; empty = it was played to its end.
-- Such a result has places, but its scores mean nothing.
ALTER TABLE results ADD COLUMN reason TEXT NOT NULL DEFAULT '';
