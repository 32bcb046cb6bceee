"""Pictures of upright pages to words with boxes."""
