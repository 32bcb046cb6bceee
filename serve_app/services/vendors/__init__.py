"""Whom an account pays."""
