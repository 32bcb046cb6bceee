"""Webhooks: how many deliveries a second, and how long healthy endpoints wait beside dead and busy ones."""
