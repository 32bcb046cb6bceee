"""Descriptions of a deployment for other platforms, made from the Serve configuration and a few values."""
