"""Looks at the own mail domain as the servers of others see it."""
