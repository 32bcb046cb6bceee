"""Keeping the service in order: housekeeping, and whether it is ready."""
