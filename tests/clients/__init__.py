"""The clients in clients/, against the service."""
