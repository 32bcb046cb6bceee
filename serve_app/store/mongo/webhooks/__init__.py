"""Events, the endpoints that get them, and the deliveries."""
