"""Who people are to the identity provider."""

STATEMENTS = (
    "ALTER TABLE people ADD COLUMN oidc_issuer TEXT",
    "ALTER TABLE people ADD COLUMN oidc_subject TEXT",
    "CREATE UNIQUE INDEX people_by_identity ON people (oidc_issuer, oidc_subject) WHERE oidc_issuer IS NOT NULL",
)
