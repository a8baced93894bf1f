-- Times are unix milliseconds. JSON and blobs are opaque to the database.

PRAGMA application_id = 1346984513;  -- "PIZA": tells our files from anybody else's

CREATE TABLE matches (
    id               INTEGER PRIMARY KEY AUTOINCREMENT,  -- never used twice: buttons carry it
    game             TEXT    NOT NULL,
    rules_version    INTEGER NOT NULL,
    options          TEXT    NOT NULL,
    guild_id         INTEGER,
    channel_id       INTEGER NOT NULL,
    host_id          INTEGER NOT NULL,
    status           TEXT    NOT NULL
        CHECK (status IN ('lobby', 'active', 'paused', 'frozen', 'finished', 'ended')),
    seed             TEXT,                               -- secret until the match is over
    commitment       TEXT,
    head_seq         INTEGER NOT NULL DEFAULT 0,
    created_at       INTEGER NOT NULL,
    started_at       INTEGER,
    ended_at         INTEGER,
    board_channel_id INTEGER,
    board_message_id INTEGER,
    board_seq        INTEGER,
    report           TEXT,
    settings         TEXT    NOT NULL DEFAULT '{}'
);

-- A channel is a table: one match at a time.
CREATE UNIQUE INDEX matches_one_open ON matches (channel_id)
    WHERE status IN ('lobby', 'active', 'paused', 'frozen');
CREATE INDEX matches_channel ON matches (channel_id, id);
CREATE INDEX matches_open ON matches (id)
    WHERE status IN ('lobby', 'active', 'paused', 'frozen');
CREATE INDEX matches_open_guild ON matches (guild_id, id)
    WHERE status IN ('lobby', 'active', 'paused', 'frozen');

-- user_id 0 or below is nobody on Discord (a computer player) and may hold several seats.
CREATE TABLE seats (
    match_id  INTEGER NOT NULL REFERENCES matches (id),
    seat      INTEGER NOT NULL CHECK (seat >= 0),
    user_id   INTEGER NOT NULL,
    name      TEXT    NOT NULL,
    colour    TEXT,
    joined_at INTEGER NOT NULL,
    PRIMARY KEY (match_id, seat)
) WITHOUT ROWID;

CREATE UNIQUE INDEX seats_person ON seats (match_id, user_id) WHERE user_id > 0;
CREATE INDEX seats_user ON seats (user_id, match_id);

-- WITHOUT ROWID keeps the entries of a match together and writes one tree instead of two. The rows
-- are small, so what makes it slow for snapshots does not matter here.
CREATE TABLE log (
    match_id   INTEGER NOT NULL REFERENCES matches (id),
    seq        INTEGER NOT NULL,
    kind       TEXT    NOT NULL,  -- start, move, undo, rollback, care
    seat       INTEGER,
    decision   INTEGER,
    move       TEXT,
    target     INTEGER,           -- of undo and rollback: the entry whose state comes back
    auto       INTEGER NOT NULL,
    reveals    INTEGER NOT NULL,
    at         INTEGER NOT NULL,
    state_hash TEXT    NOT NULL,
    actor_id   INTEGER,
    apart      TEXT    NOT NULL DEFAULT '',  -- the simultaneous step that a move belongs to
    again      TEXT    NOT NULL DEFAULT '',  -- of undo: entries made once more, JSON list
    PRIMARY KEY (match_id, seq)
) WITHOUT ROWID;

-- A table of its own, because one interaction may make several log entries (a move and the
-- forced moves after it) or none (joining a lobby).
CREATE TABLE interactions (
    interaction_id INTEGER PRIMARY KEY,
    match_id       INTEGER NOT NULL REFERENCES matches (id),
    at             INTEGER NOT NULL
);

CREATE TABLE snapshots (
    match_id INTEGER NOT NULL REFERENCES matches (id),
    seq      INTEGER NOT NULL,
    blob     BLOB    NOT NULL,
    PRIMARY KEY (match_id, seq)
);

CREATE TABLE outbox (
    id         INTEGER PRIMARY KEY AUTOINCREMENT,
    match_id   INTEGER NOT NULL REFERENCES matches (id),
    seq        INTEGER NOT NULL,
    kind       TEXT    NOT NULL,  -- turn, hand, notice, reminder
    seat       INTEGER,
    payload    TEXT    NOT NULL,
    nonce      TEXT    NOT NULL UNIQUE,
    attempts   INTEGER NOT NULL DEFAULT 0,
    next_at    INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    done_at    INTEGER,
    message_id INTEGER,
    error      TEXT
);

CREATE INDEX outbox_due ON outbox (next_at, match_id) WHERE done_at IS NULL;
CREATE INDEX outbox_match ON outbox (match_id, id) WHERE done_at IS NULL;
CREATE INDEX outbox_told ON outbox (message_id, id) WHERE message_id IS NOT NULL;

CREATE TABLE players (
    user_id    INTEGER PRIMARY KEY,
    prefs      TEXT    NOT NULL DEFAULT '{}',
    dm_closed  INTEGER NOT NULL DEFAULT 0,
    updated_at INTEGER NOT NULL
);

CREATE TABLE guilds (
    guild_id   INTEGER PRIMARY KEY,
    settings   TEXT    NOT NULL DEFAULT '{}',
    updated_at INTEGER NOT NULL
);
