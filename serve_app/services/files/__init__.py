"""Links that download documents."""
