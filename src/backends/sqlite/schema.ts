/** Marks a file as ours: "unfg". */
export const applicationId = 0x756e6667

/**
 * Each brings a file from the version of its index to the next. Never change one that was released: add another.
 *
 * - `sessions.id` is null once a session was erased, until its entries are gone too, and while it is staged. `session` is never reused.
 * - `epochs` carries the id as well, so that a session whose row is lost is noticed.
 * - `entries` is a table by rowid with an index, so that appends to many sessions share their pages.
 * - `summaries` repeats the seqs of summaries, so that `recall` finds them and notices a lost one.
 * - `staged` marks copies that are not published, each with its token, the number of its entries and when the last was written.
 * - `odd_marks` and `even_marks` have one row each, in two tables so that they lie on two pages: see `LogMark`.
 * - `checksum` is that of the row: see `checksums.ts`. Of an entry, it is part of the body; the operations that 0.1 wrote have none: their numbers are at
 *   most `unchecked_operations`. All else that it wrote gets one in `addChecksums`.
 * - `epochs.path` is empty once a later epoch has begun and the same path is there as a difference: the first `entries` entries of the path of the
 *   epoch `base`, then `own`. Files of 0.1 tell neither `cause` nor `at`.
 * - `about` has owner, title and metadata of the sessions that have any, so that an append does not rewrite them. `about_sum` is the checksum of that
 *   row, or 0 without one. `owners` tells how many sessions an owner has and the sum of their numbers, so that one that the index leaves out is missed.
 * - `turns` has who holds the turn of a session. Like `erased_operations`, it has a hash of the id.
 * - `operations` has those that callers named: see `UnnamedOperations`.
 * - `summary_sum`, `snapshot_sum` and `operation_sum` tell whether a row of a list has vanished: the sum of the seqs, and for snapshots and
 *   named operations what `list-sum.ts` makes of their checksums and ids. `erased_sessions` has the last for the operations of erased sessions.
 */
export const migrations: readonly string[] = [
  `
  CREATE TABLE sessions (
    session INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT UNIQUE,
    birth TEXT NOT NULL,
    counter INTEGER NOT NULL,
    nonce TEXT NOT NULL,
    epoch INTEGER NOT NULL,
    epoch_nonce TEXT NOT NULL,
    end INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    ttl REAL,
    own_ttl INTEGER NOT NULL,
    expires_at INTEGER
  ) STRICT;
  CREATE INDEX sessions_by_expiry ON sessions (expires_at) WHERE expires_at IS NOT NULL;

  CREATE TABLE epochs (
    id TEXT NOT NULL,
    number INTEGER NOT NULL,
    session INTEGER NOT NULL REFERENCES sessions,
    path TEXT NOT NULL,
    PRIMARY KEY (id, number)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX epochs_by_session ON epochs (session);

  CREATE TABLE entries (
    session INTEGER NOT NULL REFERENCES sessions,
    seq INTEGER NOT NULL,
    at INTEGER NOT NULL,
    kind TEXT NOT NULL,
    format INTEGER NOT NULL,
    body TEXT NOT NULL,
    bytes BLOB
  ) STRICT;
  CREATE UNIQUE INDEX entries_by_seq ON entries (session, seq);

  CREATE TABLE summaries (
    session INTEGER NOT NULL REFERENCES sessions,
    seq INTEGER NOT NULL,
    PRIMARY KEY (session, seq)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE snapshots (
    session INTEGER NOT NULL REFERENCES sessions,
    id TEXT NOT NULL,
    label TEXT,
    automatic INTEGER NOT NULL,
    epoch INTEGER NOT NULL,
    end INTEGER NOT NULL,
    at INTEGER NOT NULL,
    number INTEGER NOT NULL,
    PRIMARY KEY (session, id)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX automatic_snapshots ON snapshots (session, number) WHERE automatic = 1;

  CREATE TABLE operations (
    session INTEGER NOT NULL REFERENCES sessions,
    id TEXT NOT NULL,
    number INTEGER NOT NULL,
    digest TEXT NOT NULL,
    committed TEXT NOT NULL,
    PRIMARY KEY (session, id)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE erased_operations (
    session_hash BLOB NOT NULL,
    id TEXT NOT NULL,
    digest TEXT NOT NULL,
    committed TEXT NOT NULL,
    until INTEGER NOT NULL,
    PRIMARY KEY (session_hash, id)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX erased_operations_by_end ON erased_operations (until);
  `,
  `
  CREATE TABLE staged (
    session INTEGER PRIMARY KEY REFERENCES sessions,
    copy TEXT NOT NULL UNIQUE,
    entries INTEGER NOT NULL,
    written_at INTEGER NOT NULL
  ) STRICT;
  CREATE TABLE odd_marks (mark TEXT NOT NULL) STRICT;
  CREATE TABLE even_marks (mark TEXT NOT NULL) STRICT;
  INSERT INTO odd_marks SELECT printf('%010d %s %022d', 1, lower(hex(randomblob(11))), 0);
  INSERT INTO even_marks
    SELECT printf('%010d %s%s %s', 2, substr(mark, 12, 6), lower(hex(randomblob(8))), substr(mark, 12, 22)) FROM odd_marks;

  CREATE TABLE turns (
    session_hash BLOB PRIMARY KEY,
    token TEXT NOT NULL,
    until INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE about (
    session INTEGER PRIMARY KEY REFERENCES sessions,
    id TEXT NOT NULL,
    owner TEXT,
    title TEXT,
    metadata TEXT,
    checksum INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX about_by_owner ON about (owner) WHERE owner IS NOT NULL;
  CREATE TABLE owners (
    owner TEXT PRIMARY KEY,
    sessions INTEGER NOT NULL,
    session_sum INTEGER NOT NULL,
    checksum INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;

  ALTER TABLE sessions ADD COLUMN taken_back INTEGER NOT NULL DEFAULT 1;
  ALTER TABLE sessions ADD COLUMN taken_back_nonce TEXT NOT NULL DEFAULT '';
  UPDATE sessions SET taken_back = epoch, taken_back_nonce = epoch_nonce;
  ALTER TABLE sessions ADD COLUMN about_sum INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE sessions ADD COLUMN summary_sum INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE sessions ADD COLUMN snapshot_sum INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE sessions ADD COLUMN operation_sum INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE sessions ADD COLUMN unchecked_operations INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE sessions ADD COLUMN checksum INTEGER;
  ALTER TABLE epochs ADD COLUMN cause TEXT;
  ALTER TABLE epochs ADD COLUMN at INTEGER;
  ALTER TABLE epochs ADD COLUMN base INTEGER;
  ALTER TABLE epochs ADD COLUMN entries INTEGER;
  ALTER TABLE epochs ADD COLUMN own TEXT;
  ALTER TABLE epochs ADD COLUMN checksum INTEGER;
  ALTER TABLE snapshots ADD COLUMN checksum INTEGER;
  DELETE FROM operations WHERE digest = '';
  ALTER TABLE operations ADD COLUMN checksum INTEGER;
  ALTER TABLE erased_operations ADD COLUMN checksum INTEGER;
  CREATE TABLE erased_sessions (
    session_hash BLOB PRIMARY KEY,
    operation_sum INTEGER NOT NULL,
    until INTEGER NOT NULL,
    checksum INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  `,
]

export const schemaVersion = migrations.length
