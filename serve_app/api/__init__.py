"""The `/v1` HTTP API: a router per resource; authentication, limits and the error envelope."""
