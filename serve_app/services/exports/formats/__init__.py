"""Formats of exports: one module each."""
