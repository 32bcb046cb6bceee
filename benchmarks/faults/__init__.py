"""Faults on purpose: the real service is killed, starved and cut off, and its data must still be right."""
