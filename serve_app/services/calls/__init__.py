"""The log of calls to the API."""
