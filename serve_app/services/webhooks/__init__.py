"""Webhook endpoints: registering and changing them, their secrets, and the log of deliveries."""
