"""The blocking half of the client."""
