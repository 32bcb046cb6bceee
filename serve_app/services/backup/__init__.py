"""Backups of everything durable: making, checking and restoring them."""
