-- The database itself.

-- At most one row, made when it is first asked for.
CREATE TABLE deployment (
    is_only INTEGER PRIMARY KEY CHECK (is_only = 1),
    id TEXT NOT NULL
) STRICT;

-- The oldest version whose program works on these tables: at most one row.
CREATE TABLE schema_info (
    oldest INTEGER NOT NULL
) STRICT;
