"""Webhooks: what is sent, and when."""
