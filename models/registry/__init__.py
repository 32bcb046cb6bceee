"""Checkpoints kept as versions that never change: where they come from, which one was promoted, and what ran when."""
