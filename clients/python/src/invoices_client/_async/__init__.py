"""The asynchronous half of the client."""
