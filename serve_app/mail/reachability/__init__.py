"""Looks at the service's own mail domain as other servers see it."""
