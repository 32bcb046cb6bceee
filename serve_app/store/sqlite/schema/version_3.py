"""Lanes to webhook endpoints, test events, owners' addresses."""

STATEMENTS = (
    "ALTER TABLE accounts ADD COLUMN email TEXT",
    "ALTER TABLE events ADD COLUMN is_test INTEGER NOT NULL DEFAULT 0",
    "ALTER TABLE endpoints ADD COLUMN description TEXT NOT NULL DEFAULT ''",
    "ALTER TABLE endpoints ADD COLUMN is_owner_untold INTEGER NOT NULL DEFAULT 0",
    "ALTER TABLE endpoints ADD COLUMN is_slow INTEGER NOT NULL DEFAULT 0",
    # The lane: when it may be claimed (NULL: nothing waits), whether it is held, and how often it was claimed.
    "ALTER TABLE endpoints ADD COLUMN due_at INTEGER",
    "ALTER TABLE endpoints ADD COLUMN is_held INTEGER NOT NULL DEFAULT 0",
    "ALTER TABLE endpoints ADD COLUMN lane INTEGER NOT NULL DEFAULT 0",
    "UPDATE endpoints SET due_at = 0",
    "UPDATE endpoints SET paused_reason = 'by_hand' WHERE paused_reason IS NOT NULL",
    """
    CREATE INDEX endpoints_due ON endpoints (is_slow, due_at, id) WHERE paused_reason IS NULL AND due_at IS NOT NULL
    """,
    "CREATE INDEX endpoints_by_url ON endpoints (account_id, url)",
    "CREATE INDEX endpoints_untold ON endpoints (id) WHERE is_owner_untold",
    "UPDATE deliveries SET abandoned_reason = 'endpoint_paused' WHERE abandoned_reason IS NOT NULL",
    "DROP INDEX deliveries_due",
    "CREATE INDEX deliveries_due ON deliveries (endpoint_id, next_attempt_at, id) WHERE state = 'pending'",
    "DROP INDEX deliveries_listed",
    "CREATE INDEX deliveries_listed ON deliveries (account_id, id, endpoint_id, event_id, state, created_at)",
)
