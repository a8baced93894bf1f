-- What players have said that they will do when it is their turn. Only that player ever sees a row.
-- Rows are written and deleted in the transaction that makes or carries out a plan; they are gone
-- when the seat changes hands or the match is over. The order of the ids is the order of the plans.
CREATE TABLE plans (
    id         INTEGER PRIMARY KEY AUTOINCREMENT,  -- never used twice: buttons carry it
    match_id   INTEGER NOT NULL REFERENCES matches (id),
    seat       INTEGER NOT NULL,
    user_id    INTEGER NOT NULL,
    status     TEXT    NOT NULL CHECK (status IN ('offered', 'standing', 'cancelled')),
    command    TEXT    NOT NULL,
    args       TEXT    NOT NULL,                   -- option values, JSON object
    meaning    TEXT    NOT NULL,                   -- what the words pointed at when they were said
    reason     TEXT    NOT NULL DEFAULT '',        -- why it was cancelled
    created_at INTEGER NOT NULL
);

CREATE INDEX plans_seat ON plans (match_id, seat, id);
