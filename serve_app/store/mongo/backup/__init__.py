"""A database as a whole."""
