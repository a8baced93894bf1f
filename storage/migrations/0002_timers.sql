-- What happens at a table when time passes. Written in the transaction that makes it so; the whole
-- set of a match is replaced at once.
CREATE TABLE timers (
    match_id INTEGER NOT NULL REFERENCES matches (id),
    seat     INTEGER NOT NULL,
    kind     TEXT    NOT NULL,          -- clock, remind, vacation
    at       INTEGER,                   -- when it is due; NULL while it stands still
    data     TEXT    NOT NULL DEFAULT '{}',
    set_at   INTEGER NOT NULL,          -- when it was written: downtime before that does not count
    PRIMARY KEY (match_id, seat, kind)
) WITHOUT ROWID;

CREATE INDEX timers_due ON timers (at) WHERE at IS NOT NULL;

-- The last moment at which the bot was surely there.
CREATE TABLE heartbeat (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    at INTEGER NOT NULL
);

-- Which automatic player holds the seat (its user_id is 0); NULL is a person.
ALTER TABLE seats ADD COLUMN computer TEXT;
