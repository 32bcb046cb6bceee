"""Webhooks: deliveries per second, and how long healthy endpoints wait when others are dead or busy."""
