"""The check that a candidate has to pass."""
