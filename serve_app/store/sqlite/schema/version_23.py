"""Private keys of webhook endpoints, which sign beside the secrets."""

STATEMENTS = ("ALTER TABLE endpoints ADD COLUMN signing_keys TEXT NOT NULL DEFAULT '[]'",)
