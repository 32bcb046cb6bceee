-- Which pair of models reads for an account, and how candidates do.

CREATE TABLE pins (
    account_id TEXT PRIMARY KEY REFERENCES accounts (id),
    pair TEXT NOT NULL,
    last_day TEXT NOT NULL,
    since INTEGER NOT NULL
) STRICT;

CREATE TABLE comparisons (
    id TEXT PRIMARY KEY,
    account_id TEXT NOT NULL,
    candidate TEXT NOT NULL,
    at INTEGER NOT NULL,
    is_answer INTEGER NOT NULL,
    canary_id TEXT,
    agreement INTEGER,
    high INTEGER,
    sums INTEGER,
    differences TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX comparisons_by_age ON comparisons (at);
CREATE INDEX comparisons_of_account ON comparisons (account_id);
CREATE INDEX comparisons_of_candidate ON comparisons (candidate, at);
CREATE INDEX comparisons_of_canary ON comparisons (canary_id, at, agreement, high, sums) WHERE canary_id IS NOT NULL;

CREATE TABLE canaries (
    id TEXT PRIMARY KEY,
    pair TEXT NOT NULL,
    share REAL NOT NULL,
    started_at INTEGER NOT NULL,
    stepped_at INTEGER NOT NULL,
    accounts TEXT,
    steps_itself INTEGER NOT NULL,
    state TEXT NOT NULL,
    ended_at INTEGER,
    reason TEXT NOT NULL,
    evidence TEXT NOT NULL,
    revision INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE canary_runs (
    id TEXT PRIMARY KEY,
    account_id TEXT NOT NULL,
    canary_id TEXT NOT NULL,
    at INTEGER NOT NULL,
    arm TEXT NOT NULL,
    failed INTEGER NOT NULL,
    seconds REAL NOT NULL,
    decided_at INTEGER,
    corrected INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX canary_runs_by_age ON canary_runs (at);
CREATE INDEX canary_runs_of_account ON canary_runs (account_id);
CREATE INDEX canary_runs_of_canary ON canary_runs (canary_id, at);
