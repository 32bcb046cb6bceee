"""What the parts of the API tell each other about a request: keys in its state."""

RATE_STATUS = "rate_status"
"""The caller's RateStatus, stored by authentication."""
NO_ENDPOINT = "no_endpoint"
"""True if no endpoint of `/v1` took the request, so that none has looked at its API key."""
CALLER = "caller"
"""The Caller, once its key was looked up and its request counted."""
