"""Faults on purpose: the real service is killed, starved and cut off, and its books must still be right."""
