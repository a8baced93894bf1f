-- How matches ended, in the order in which they did. Written in the transaction of the last move;
-- called-off matches have none. Ratings follow from it alone and can be made anew at any time.
CREATE TABLE results (
    id       INTEGER PRIMARY KEY AUTOINCREMENT,
    match_id INTEGER NOT NULL UNIQUE REFERENCES matches (id),
    guild_id INTEGER NOT NULL,          -- 0 outside servers
    game     TEXT    NOT NULL,
    seats    INTEGER NOT NULL,          -- 1 is a solo match, which is not rated
    won      INTEGER NOT NULL,          -- 0: a solo or cooperative match that was lost
    ended_at INTEGER NOT NULL
);

CREATE INDEX results_guild ON results (guild_id, id);

-- Who sat where at the end. place: 1 is the best, equal ones are ties.
CREATE TABLE result_seats (
    result_id INTEGER NOT NULL REFERENCES results (id),
    seat      INTEGER NOT NULL,
    user_id   INTEGER NOT NULL,
    name      TEXT    NOT NULL,
    place     INTEGER NOT NULL,
    score     INTEGER NOT NULL,
    PRIMARY KEY (result_id, seat)
) WITHOUT ROWID;

CREATE INDEX result_seats_user ON result_seats (user_id, result_id);

-- game '' is all games together.
CREATE TABLE ratings (
    guild_id INTEGER NOT NULL,
    user_id  INTEGER NOT NULL,
    game     TEXT    NOT NULL,
    mu       REAL    NOT NULL,
    sigma    REAL    NOT NULL,
    matches  INTEGER NOT NULL,
    PRIMARY KEY (guild_id, user_id, game)
) WITHOUT ROWID;

-- Facts about this file. 'copied': when it was made as a backup (unix milliseconds), until the bot
-- has told the tables.
CREATE TABLE marks (
    name  TEXT    PRIMARY KEY,
    value INTEGER NOT NULL
) WITHOUT ROWID;
