"""Pictures of upright pages as words with boxes."""
