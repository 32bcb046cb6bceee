"""The `/v1` HTTP API: one router per resource; authentication, limits and the error envelope."""
