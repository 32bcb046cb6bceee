"""Pairs of models: comparisons, canaries, pins."""
